import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText, eightKItems, readableText } from '../../../../src/filings/documents/index.ts';
import { looksLikeHtml } from '../../../../src/filings/documents/lines/media-type.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';
import { REARRANGEMENTS } from '../../../support/documents/rearrange.ts';
import { currentReports, realFile, realFiles } from '../../../support/edgar/real-files.ts';
import { runs } from '../../../support/property-runs.ts';
import { sharedFolder } from '../../../support/shared.ts';

const document = (sequence: number, type: string, description: string | null = null) => ({
  document_id: `0000000000-14-000001-${sequence}`,
  sequence,
  filename: `e${sequence}.htm`,
  description,
  type,
});

/** Descriptions of the exhibits of these types, in their order. */
function descriptions(text: string, types: readonly string[], filingDate = '2014-06-19'): (string | null)[] {
  const items = eightKItems({
    formType: '8-K',
    filingDate,
    headerItems: filingDate < '2004-08-23' ? ['Financial statements and exhibits'] : ['9.01'],
    text,
    documents: types.map((type, k) => document(k + 2, type)),
  });
  return items.flatMap((item) => item.exhibits).map((exhibit) => exhibit.description);
}

describe('descriptions of exhibits', () => {
  it('are not a footnote of a statement, and not a title after a page number', () => {
    const list =
      'Item 7.  Financial Statements and Exhibits.\n\n  (a) Financial statements of business acquired.\n\n' +
      'EXAMPLE INVESTMENTS, INC. AND SUBSIDIARIES\n\n' +
      '  (8)  Represents the accounting elimination of shares of common stock.\n\n        23\n<PAGE>\n' +
      "EXAMPLE INVESTMENTS, INC. AND SUBSIDIARIES\nCONSOLIDATED STATEMENTS OF SHAREHOLDERS' EQUITY\n\n";
    const rows = '  (c) Exhibits.\n\n  23.1  Consent of KPMG LLP\n\n                SIGNATURES\n';
    expect(descriptions(list + rows, ['EX-23.1'], '2000-05-01')).toEqual(['Consent of KPMG LLP']);
    expect(descriptions(list, ['EX-23.1'], '2000-05-01')).toEqual([null]);
    expect(descriptions(list.replace('(8)', '(23.1) (8)'), ['EX-23.1'], '2000-05-01')).toEqual([null]);
  });

  it('are not a link to the contents', () => {
    const html =
      '<p>Item 9.01. Financial Statements and Exhibits</p><p>EXHIBIT LIST</p><p>EXHIBIT 99.1</p><hr><p><a href="#toc">Table of Contents</a></p>' +
      '<p>Item 9.01. Financial Statements and Exhibits</p><p>(d) Exhibits</p><table><tr><td>Exhibit 99.1</td><td>Press Release dated June 19, 2014</td></tr></table>';
    expect(descriptions(html, ['EX-99.1'])).toEqual(['Press Release dated June 19, 2014']);
    expect(descriptions(html.replace(/<table>.*/, ''), ['EX-99.1'])).toEqual([null]);
  });

  it('are those of the index if a list in front differs, and of numbers in two cells', () => {
    const html =
      '<p>Item 9.01. Financial Statements and Exhibits</p><p><a>Ex-99.1 Press Release dated August 24</a></p><p><a>Ex-99.1 Press Release dated August 27</a></p>' +
      '<p>Item 9.01. Financial Statements and Exhibits</p><p>(d) Exhibits</p><table>' +
      '<tr><td>99</td><td>.1</td><td>Press release dated August 24</td></tr><tr><td>99</td><td>.2*</td><td>Press release dated August 27</td></tr></table>';
    expect(descriptions(html, ['EX-99.1', 'EX-99.2'])).toEqual([
      'Press release dated August 24',
      'Press release dated August 27',
    ]);
  });

  it('are never those of the neighbour, however the row is set', () => {
    const list = (rows: string) => `<p>Item 9.01. Financial Statements and Exhibits</p><p>(d) Exhibits</p>${rows}`;
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    const types = ['EX-99.1', 'EX-99.2'];
    const of = (rows: string) => descriptions(list(rows), types);
    expect(of(`<table>${row('Press release', '99.1')}${row('Slides', '99.2')}</table>`)).toEqual([null, null]);
    expect(of(`<table>${row('99.1<br>99.2', 'Press release<br>Slides')}</table>`)).toEqual([null, null]);
    expect(of('<p>Exhibit 99.1 Press release; and Exhibit 99.2 Slides</p>')).toEqual(['Press release', null]);
    expect(
      of(`<table>${row('99.1<sup>(1)</sup>', 'Press release')}${row('99.2<sup>(2)</sup>*', 'Slides')}</table>`),
    ).toEqual(['Press release', 'Slides']);
  });

  it('are assigned in order to documents of one number, if there are as many rows', () => {
    const list = (...rows: string[]) => `<p>Item 9.01. Financial Statements and Exhibits</p>${rows.join('')}`;
    const row = (words: string) => `<p>Exhibit 99: ${words}</p>`;
    expect(descriptions(list(row('Press release'), row('Slides')), ['EX-99', 'EX-99'])).toEqual([
      'Press release',
      'Slides',
    ]);
    expect(descriptions(list(row('Press release')), ['EX-99', 'EX-99'])).toEqual([null, null]);
  });

  it('are taken from a row of the number without its decimals only if there is one of them', () => {
    const list = (...rows: string[]) => `<p>Item 9.01. Financial Statements and Exhibits</p>${rows.join('')}`;
    expect(descriptions(list('<p>99.1 Press release</p>'), ['EX-99'])).toEqual(['Press release']);
    expect(descriptions(list('<p>99 Press release</p>'), ['EX-99.1'])).toEqual(['Press release']);
    expect(descriptions(list('<p>99.1 Press release</p>', '<p>99.2 Slides</p>'), ['EX-99'])).toEqual([null]);
    expect(descriptions(list('<p>1. The first of two reasons</p>'), ['EX-1.1'])).toEqual([null]);
  });
});

/** Ways to set a row of an index; the text between rows is part of each way. */
const HTML_LAYOUTS: readonly ((number: string, words: string) => string)[] = [
  (number, words) => `<table><tr><td>${number}</td><td>${words}</td></tr></table>`,
  (number, words) => `<table><tr><td></td><td>Exhibit ${number}*</td><td>&nbsp;</td><td>${words}</td></tr></table>`,
  (number, words) => `<p>Exhibit ${number} &#8211; ${words}</p>`,
  (number, words) => `<p>${number}&nbsp;&nbsp;&nbsp;${words}</p>`,
  (number, words) => `<p><b>Exhibit No. ${number}:</b> ${words}</p>`,
  (number, words) => `<p>${number}</p><p>${words}</p>`,
  (number, words) => `<div>(d) ${number} ${words}</div>`,
];
const TYPED_LAYOUTS: readonly ((number: string, words: string) => string)[] = [
  (number, words) => `   ${number.padEnd(8)}  ${words}\n\n`,
  (number, words) => `Exhibit ${number}   ${words.replace(/(.{30}\S*) /g, '$1\n               ')}\n\n`,
  (number, words) => `  (${number})  ${words}\n`,
  (number, words) => `${number}. ${words}\n\n`,
];
/** What looks like a row and is none; `major` is the number without its decimals. */
const HTML_DECOYS: readonly ((major: string) => string)[] = [
  (major) => `<p>${major}</p><hr><p>EXAMPLE CORPORATION AND SUBSIDIARIES</p>`,
  () => '<p><a href="#toc">Table of Contents</a></p>',
  (major) =>
    `<p>The company sold ${major} of its plants, as Exhibit ${major} of another report says, and closed more of them in the year.</p>`,
  (major) => `<p>(${major}) Represents the elimination of shares.</p>`,
  () => '<table><tr><td>Net sales</td><td>99.1</td><td>23.1</td><td>Restated</td></tr></table>',
];
const TYPED_DECOYS: readonly ((major: string) => string)[] = [
  (major) => `                 ${major}\n<PAGE>\nEXAMPLE CORPORATION AND SUBSIDIARIES\n\n`,
  (major) => `(${major})  Represents the elimination of shares.\n\n`,
  () => 'Net sales          99.1     23.1\nCost of sales      10.1      2.1\n\n',
];
const LONG_PROSE = 'The company makes machines, sells them, and keeps them in repair. '.repeat(14);

const numberOf = fc
  .tuple(fc.constantFrom(2, 3, 4, 10, 16, 20, 23, 99), fc.integer({ min: 1, max: 12 }))
  .map(([major, minor]) => `${major}.${minor}`);
const wordsOf = fc
  .array(
    fc.constantFrom('Agreement', 'dated', 'June', 'Consent of', 'Press release', 'between', 'Plan', 'Amended', 'the'),
    {
      minLength: 1,
      maxLength: 9,
    },
  )
  .map((words) => `Form of ${words.join(' ')} Ltd`);

describe('descriptions of exhibits, however the list is set', () => {
  for (const html of [true, false]) {
    const layouts = html ? HTML_LAYOUTS : TYPED_LAYOUTS;
    const decoys = html ? HTML_DECOYS : TYPED_DECOYS;
    it(`are the words of the number's row or nothing: ${html ? 'HTML' : 'typewritten'}`, () => {
      fc.assert(
        fc.property(
          fc.uniqueArray(fc.tuple(numberOf, wordsOf), { minLength: 1, maxLength: 7, selector: ([number]) => number }),
          fc.uniqueArray(numberOf, { maxLength: 3 }),
          fc.constantFrom(...layouts),
          fc.array(fc.constantFrom(...decoys), { maxLength: 3 }),
          fc.array(fc.constantFrom(...decoys), { maxLength: 3 }),
          fc.boolean(),
          (rows, unlisted, layout, before, after, twice) => {
            const types = [...new Set([...rows.map(([number]) => number), ...unlisted])];
            const major = types[0]!.split('.')[0]!;
            const block = (text: string) => (html ? `<p>${text}</p>` : `${text}\n\n`);
            const list = rows.map(([number, words]) => layout(number, words)).join('');
            const text = [
              ...before.map((decoy) => decoy(major)),
              block(
                html ? 'Item 9.01. Financial Statements and Exhibits' : 'Item 7.  Financial Statements and Exhibits',
              ),
              block('(c) Exhibits'),
              list,
              block('SIGNATURES'),
              block(LONG_PROSE),
              ...after.map((decoy) => decoy(major)),
              ...(twice ? [block('EXHIBIT INDEX'), list] : []),
            ].join('');
            const found = descriptions(
              text,
              types.map((type) => `EX-${type}`),
              html ? '2014-06-19' : '2000-06-19',
            );
            const listed = new Map(rows);
            expect(found).toEqual(types.map((type) => listed.get(type) ?? null));
          },
        ),
        { numRuns: runs(150) },
      );
    });
  }
});

describe.skipIf(!sharedFolder)('descriptions of exhibits of real reports', () => {
  const bare = sharedFolder ? currentReports() : null;

  interface Report {
    name: string;
    text: string;
    filingDate: string;
    headerItems: readonly string[];
    documents: ReturnType<typeof document>[];
  }

  /** Every available 8-K. Those with only the main document are tested with common exhibit numbers. */
  function* reports(): Generator<Report> {
    for (const path of [...realFiles('full-submissions'), ...realFiles('feed-nc')]) {
      const bytes = realFile(path);
      if (!/<TYPE>8-K|CONFORMED SUBMISSION TYPE:\s*8-K/.test(bytes.toString('latin1', 0, 4000))) continue;
      const { documents, filingDate, items } = readSubmission(bytes);
      yield {
        name: path,
        text: decodeText(documents[0]!.read()).text,
        filingDate,
        headerItems: items,
        documents: documents.map((each) => ({
          document_id: `x-${each.sequence}`,
          sequence: each.sequence,
          filename: each.filename ?? '',
          description: each.description,
          type: each.type ?? '',
        })),
      };
    }
    const numbers = [1, 2, 3, 4, 10, 16, 20, 23, 99].flatMap((major) => [1, 2, 3, 4, 5].map((n) => `${major}.${n}`));
    for (const name of bare ? readdirSync(bare).sort() : []) {
      yield {
        name,
        text: decodeText(readFileSync(join(bare!, name))).text,
        filingDate: `${/_8K_(\d{4})/.exec(name)![1]}-06-01`,
        headerItems: [],
        documents: numbers.map((number, k) => document(k + 2, `EX-${number}`)),
      };
    }
  }

  const exhibitsOf = (report: Report, text = report.text) =>
    eightKItems({ ...report, text, formType: '8-K' }).flatMap((item) => item.exhibits);
  const squeezed = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '');

  it('follow their number in the report, or are those of the document', () => {
    let fromIndex = 0;
    let seen = 0;
    const wrong: string[] = [];
    for (const report of reports()) {
      seen++;
      const own = new Map(report.documents.map((each) => [each.document_id, each.description]));
      // Independent of the reader of lists: the words must follow the number somewhere in the readable text.
      const words = squeezed(readableText(report.text, looksLikeHtml(report.text) ? 'text/html' : 'text/plain'));
      for (const exhibit of exhibitsOf(report)) {
        if (exhibit.description === null || exhibit.description === own.get(exhibit.document_id!)) continue;
        fromIndex++;
        const number = squeezed(exhibit.exhibit!);
        const start = squeezed(exhibit.description).slice(0, 60);
        const near = /^\d+$/.test(number) ? `${number}\\d{0,2}` : `${number.slice(0, -1)}(?:${number.slice(-1)})?`;
        if (!new RegExp(`${near}(?:descriptionofexhibit)?${start}`).test(words))
          wrong.push(`${report.name} ${exhibit.exhibit}: ${exhibit.description.slice(0, 80)}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThanOrEqual(bare ? 225 : 75);
    expect(fromIndex).toBeGreaterThan(bare ? 300 : 90);
  });

  it('stay the same if the report is written differently, or has decoys before and after', () => {
    const ways = REARRANGEMENTS.filter((way) => !/case|doubled|Windows/.test(way.name));
    let compared = 0;
    for (const [k, report] of [...reports()].entries()) {
      const html = looksLikeHtml(report.text);
      const given = exhibitsOf(report).map((exhibit) => exhibit.description);
      const way = ways.filter((each) => each.of === 'both' || (each.of === 'html') === html)[k % 4];
      if (way && !/<pre/i.test(report.text)) {
        expect(
          exhibitsOf(report, way.apply(report.text, html)).map((exhibit) => exhibit.description),
          `${report.name}: ${way.name}`,
        ).toEqual(given);
      }
      const decoys = (html ? HTML_DECOYS : TYPED_DECOYS).map((decoy) => decoy('99')).join('');
      const prose = html ? `<p>${LONG_PROSE}</p>` : `${LONG_PROSE}\n\n`;
      const behind = report.text.replace(/(?=<\/body)|$/i, () => prose + decoys);
      expect(
        exhibitsOf(report, behind).map((exhibit) => exhibit.description),
        `${report.name}: decoys behind`,
      ).toEqual(given);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(bare ? 225 : 75);
  });
});
