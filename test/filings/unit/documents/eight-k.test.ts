import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { eightKItemTitle } from '../../../../src/filings/api/index.ts';
import { decodeText, eightKItems } from '../../../../src/filings/documents/index.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';
import { currentReports } from '../../../support/edgar/real-files.ts';
import { jsonRows, sharedFolder } from '../../../support/shared.ts';

const exhibit = (sequence: number, type: string, description: string | null = null) => ({
  document_id: `0000000000-24-000001-${sequence}`,
  sequence,
  filename: `e${sequence}.htm`,
  description,
  type,
});

function items(
  text: string | null,
  options: { date?: string; header?: string[]; documents?: ReturnType<typeof exhibit>[] } = {},
) {
  return eightKItems({
    formType: '8-K',
    filingDate: options.date ?? '2024-05-01',
    headerItems: options.header ?? [],
    text,
    documents: options.documents ?? [],
  });
}
const numbers = (...args: Parameters<typeof items>) => items(...args).map((item) => item.item);

describe('eightKItems', () => {
  it('takes the headings of the body, in their order, each once', () => {
    const html =
      '<p>Item 5.02. Departure of Directors or Certain Officers</p><p>One left.</p><table><tr><td>Item&nbsp;2.02</td><td>Results of Operations and Financial Condition</td></tr></table><p>They are good.</p><p>ITEM 9.01</p><p>Exhibits</p><p>Item 5.02</p>';
    expect(numbers(html)).toEqual(['5.02', '2.02', '9.01']);
    expect(items(html)[1]!.title).toBe('Results of Operations and Financial Condition');
  });

  it('says where each item begins and ends; an item of the header alone has no place', () => {
    const html =
      '<p>Item 2.02. Results</p><p>They are good.</p><p>Item 9.01 Exhibits</p><p>One.</p><p>SIGNATURES</p><p>Pursuant to the requirements of the Securities Exchange Act it is signed.</p>';
    const texts = items(html, { header: ['Other Events'] }).map(({ start_index, end_index }) =>
      html
        .slice(start_index!, end_index!)
        .replace(/<[^>]*>/g, ' ')
        .trim(),
    );
    expect(texts).toEqual(['Item 2.02. Results  They are good.', 'Item 9.01 Exhibits  One.']);
    expect(items('<p>Words</p>', { header: ['Other Events'] })).toMatchObject([
      { item: '8.01', start_index: null, end_index: null },
    ]);
  });

  it('reads combined headings', () => {
    expect(numbers('<p>Items 1.01, 2.03 and 3.02. Entry into a Material Definitive Agreement</p>')).toEqual([
      '1.01',
      '2.03',
      '3.02',
    ]);
    expect(numbers('<p>Item 2.02 and Item 7.01. Results</p>')).toEqual(['2.02', '7.01']);
    expect(numbers('<p>Items 1.01(a) and 5.02(e) Amendment of an Agreement; Compensation</p>')).toEqual([
      '1.01',
      '5.02',
    ]);
  });

  it('takes no mention as an item, unless the header names it', () => {
    const html = '<p>Item 8.01. Other Events</p><p>Item 5.02 of Form 8-K asks for more.</p><p>Text.</p>';
    expect(numbers(html)).toEqual(['8.01']);
    expect(numbers(html, { header: ['Departure of Directors or Certain Officers; Election of Directors'] })).toEqual([
      '8.01',
      '5.02',
    ]);
  });

  it('uses the header if the body names nothing, by words of any year or by numbers', () => {
    const header = ['Results of Operations and Financial Condition', '', 'Financial Statements and Exhibits'];
    expect(numbers('<p>A letter.</p>', { header })).toEqual(['2.02', '9.01']);
    expect(numbers(null, { header, date: '2003-05-05' })).toEqual(['12', '7']);
    expect(
      numbers(null, { header: ['Acquisition or disposition of assets', 'Other events'], date: '1999-01-04' }),
    ).toEqual(['2', '5']);
    expect(numbers(null, { header: ['2.02', '9.01'] })).toEqual(['2.02', '9.01']);
  });

  it('keeps to the numbering of the day', () => {
    const text = 'Item 5. Other Events\n\nA thing happened.\n\nItem 7. Financial Statements and Exhibits\n';
    expect(numbers(text, { date: '1998-01-01' })).toEqual(['5', '7']);
    expect(items(text, { date: '1998-01-01' })[1]!.title).toBe('Financial Statements and Exhibits');
    expect(eightKItemTitle('12')).toBe('Results of Operations and Financial Condition');
    expect(eightKItemTitle('13')).toBeNull();
  });

  it('takes no item from a line that says it is not reported', () => {
    const text =
      'Items 1 through 4, 6 and 8 Not Applicable.\n\nItem 5.\tOther Events.\n\nA thing happened.\n\nItem 7. Financial Statements and Exhibits\n';
    expect(numbers(text, { date: '1996-12-24' })).toEqual(['5', '7']);
    for (const line of [
      'Items 1-4, 6, 8 and 9: None',
      'Item 3. Not applicable.',
      'Items 1, 2, 3 and 6 are not applicable',
      'Item 4.\n\n          N/A',
    ])
      expect(numbers(`${line}\n\nItem 5. Other Events\n\nA thing.\n`, { date: '1996-12-24' }), line).toEqual(['5']);
    expect(numbers('<p>Item 1.01. Not applicable.</p><p>Item 8.01. Other Events</p>')).toEqual(['8.01']);
    expect(numbers('Item 4. Changes in Accountants. Not yet.\n', { date: '1996-12-24' })).toEqual(['4']);
  });

  it.each([
    'ITEMS 1, 2, 3, 4, 6, 8 AND 9.  NOT APPLICABLE',
    'Items 1., 2., 3. and 4. Inapplicable',
    'Items 1 through 4 and Items 6 through 8.   Not Applicable',
    'Items 1, 2, 3, 4\n     Not Applicable.',
    'Items 6, 7 and 8 are omitted because they are not applicable.',
    'Items 1 through 4, inclusive, are not applicable.',
    'Items 1, 2, 3, 4, 6, 7, 8 - No response required',
    'Items 1 through 4. There is nothing to report.',
    'Items 1 thru 4. No information is required to be reported.',
    'Items 1-4. These items are not applicable.',
    'ITEM 1.  N.A.',
  ])('takes no item from “%s”', (line) => {
    const text = `${line}\n\nItem 5. Other Events.\n\nOn May 1 it merged with a company.\n\nSIGNATURES\n`;
    expect(numbers(text, { date: '1999-05-05' })).toEqual(['5']);
  });

  const TITLES = [
    'Changes in Control of Registrant',
    'Acquisition or Disposition of Assets',
    'Bankruptcy or Receivership',
  ];
  it.each([
    'None.',
    'Not Applicable',
    '(Not applicable)',
    'N/A',
    'N.A.',
    'Not applicable at this time.',
    'No events to report.',
  ])('takes no item from a heading with only “%s” under it, however it is set', (nothing) => {
    const last = `Item 6. Resignations of Registrant's Directors\n\n${nothing}\n\n     SIGNATURE\n\nPursuant to the requirements of the Act\n`;
    const typed = (between: string) =>
      `${TITLES.map((title, i) => `Item ${i + 1}. ${title}${between}${nothing}\n\n`).join('')}Item 5. Other Events\n\nIt merged.\n\n${last}`;
    for (const between of ['\n\n     ', '\n', '.  ', ' - ', ': '])
      expect(numbers(typed(between), { date: '1999-05-05' }), between).toEqual(['5']);
    const rows = TITLES.map((title, i) => `<tr><td>Item ${i + 1}.</td><td>${title}</td><td>${nothing}</td></tr>`);
    const html = `<table>${rows.join('')}</table><p>Item 5. Other Events</p><p>It merged.</p>`;
    expect(numbers(html, { date: '1999-05-05' })).toEqual(['5']);
    const [first] = TITLES;
    expect(numbers(typed('\n'), { date: '1999-05-05', header: [first!] })).toEqual(['1', '5']);
  });

  it('takes the item of a heading with more than “None” under it, and all if there is nothing else', () => {
    const date = '1999-05-05';
    const resigned = 'None of the directors resigned when control changed to another company on May 1.';
    expect(numbers(`Item 1. ${TITLES[0]}\n\n${resigned}\n\nItem 5. Other Events\n\nIt merged.\n`, { date })).toEqual([
      '1',
      '5',
    ]);
    const parts =
      '(a) None.\n\n(b) A court confirmed a plan of reorganization of the Registrant under Chapter 11 on May 1.';
    expect(numbers(`Item 3. ${TITLES[2]}\n\n${parts}\n\nItem 5. Other Events\n\nIt merged.\n`, { date })).toEqual([
      '3',
      '5',
    ]);
    expect(numbers(TITLES.map((title, i) => `Item ${i + 1}. ${title}\n\nNone.\n\n`).join(''), { date })).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('keeps the item for exhibits with “None” under it if there are exhibits', () => {
    const text = 'Item 5. Other Events\n\nIt merged.\n\nItem 7. Financial Statements and Exhibits\n\nNone.\n';
    const date = '1999-05-05';
    expect(numbers(text, { date })).toEqual(['5']);
    expect(numbers(text, { date, documents: [exhibit(2, 'EX-99')] })).toEqual(['5', '7']);
  });

  it('states where each item is named', () => {
    const named = (...args: Parameters<typeof items>) => items(...args).map((item) => [item.item, item.named_in]);
    const html = '<p>Item 8.01. Other Events</p><p>Item 7.01 Regulation FD Disclosure</p>';
    const header = ['Other Events', 'Financial Statements and Exhibits'];
    expect(named(html, { header, documents: [exhibit(2, 'EX-99.1')] })).toEqual([
      ['8.01', 'both'],
      ['7.01', 'body'],
      ['9.01', 'header'],
    ]);
    expect(named('<p>A letter.</p>', { header: ['8.01'] })).toEqual([['8.01', 'header']]);
    expect(named(null, { header: ['2.02'] })).toEqual([['2.02', 'header']]);
  });

  it('gives the titles valid on the filing date', () => {
    const title = (item: string, date: string) => items(null, { header: [item], date })[0]!.title;
    expect(title('5.02', '2005-01-10')).toMatch(/^Departure of Directors or Principal Officers;/);
    expect(title('5.02', '2006-11-07')).toMatch(/Compensatory Arrangements of Certain Officers$/);
    expect(title('9', '1999-05-05')).toBe('Sales of Equity Securities Pursuant to Regulation S');
    expect(title('9', '2000-10-23')).toBe('Regulation FD Disclosure');
  });

  it('puts exhibits under the item that lists them, with the description of the index', () => {
    const html =
      '<p>Item 2.02. Results of Operations</p><p>See Exhibit 99.1.</p><p>Item 9.01. Financial Statements and Exhibits</p>' +
      '<table><tr><td>Exhibit No.</td><td>Description</td></tr><tr><td>10.1*</td><td></td><td>Credit Agreement, dated May 1, 2024</td></tr><tr><td>99.1</td><td>Press release of May 1, 2024</td></tr></table>';
    const documents = [
      exhibit(1, '8-K'),
      exhibit(2, 'EX-10.1', 'AGREEMENT'),
      exhibit(3, 'EX-99.1', 'EX-99.1'),
      exhibit(4, 'EX-104', 'COVER'),
      exhibit(5, 'GRAPHIC'),
    ];
    const [results, listed] = items(html, { documents });
    expect(results!.exhibits).toEqual([]);
    expect(listed!.exhibits).toEqual([
      { exhibit: '10.1', description: 'Credit Agreement, dated May 1, 2024', document_id: '0000000000-24-000001-2' },
      { exhibit: '99.1', description: 'Press release of May 1, 2024', document_id: '0000000000-24-000001-3' },
      { exhibit: '104', description: 'COVER', document_id: '0000000000-24-000001-4' },
    ]);
  });

  it('reads exhibit lists of typewritten reports', () => {
    const text =
      'Item 7.  Financial Statements and Exhibits\n\n     (c)  Exhibits\n\n     99.1   Press release dated July 14,\n            2000, of the registrant\n\n                SIGNATURES\n';
    const [item] = items(text, { date: '2000-07-14', documents: [exhibit(2, 'EX-99.1')] });
    expect(item!.exhibits[0]!.description).toBe('Press release dated July 14, 2000, of the registrant');
  });

  it('gives exhibits to the item whose text names them if no item lists them', () => {
    const html =
      '<p>Item 7.01. Regulation FD Disclosure</p><p>Slides are Exhibit 99.2.</p><p>Item 8.01. Other Events</p><p>Nothing.</p>';
    const [first, second] = items(html, { documents: [exhibit(2, 'EX-99.2', 'SLIDES')] });
    expect(first!.exhibits.map((each) => each.exhibit)).toEqual(['99.2']);
    expect(second!.exhibits).toEqual([]);
  });
});

describe.skipIf(!sharedFolder)('8-K items of real reports', () => {
  interface Row {
    file: string;
    filing_date: string;
    items: string[];
  }
  const edgar = join(sharedFolder ?? '', 'edgar');
  const rows = sharedFolder ? jsonRows<Row>(join(edgar, '8k/expected-items.jsonl')) : [];
  const documents = sharedFolder ? currentReports() : null;

  function itemsOf(row: Row): string[] {
    const member = row.file.split('#')[1];
    if (member !== undefined) {
      return numbers(decodeText(readFileSync(join(documents!, member))).text, { date: row.filing_date });
    }
    const bytes = readFileSync(join(edgar, '8k', row.file));
    const submission = readSubmission(row.file.endsWith('.gz') ? gunzipSync(bytes) : bytes);
    const text = decodeText(submission.documents[0]!.read()).text;
    return numbers(text, { date: submission.filingDate, header: submission.items });
  }

  it('are those that another tool found, except two reports in which the tool overlooks a heading', () => {
    const compared = rows.filter((row) => documents !== null || !row.file.includes('#'));
    let agreed = 0;
    let all = 0;
    const disagreements: string[] = [];
    for (const row of compared) {
      const found = itemsOf(row);
      const both = new Set([...found, ...row.items]);
      all += both.size;
      agreed += [...both].filter((item) => found.includes(item) && row.items.includes(item)).length;
      if (found.toSorted().join() !== row.items.toSorted().join())
        disagreements.push(`${row.file.split('#').at(-1)}: ${found.join()}`);
    }
    expect(compared.length).toBeGreaterThanOrEqual(73);
    // "Item 9. Regulation FD Disclosure" is a heading of the one, "Items 1.01(a) and 5.02(e)" of the other: the header of that one names 5.02 too.
    const overlooked = [
      '1001279_8K_2002_0000950109-02-005824.htm: 9,7',
      '../full-submissions/0000939057-08-000013.txt: 1.01,5.02,9.01',
    ];
    expect(disagreements.filter((line) => !overlooked.includes(line))).toEqual([]);
    expect(agreed / all).toBeGreaterThan(0.99);
  });
});
