import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureFurniture, readLabels } from '../../../../bench/furniture.ts';
import { readableText, sectionTexts } from '../../../../src/filings/documents/index.ts';
import { runs } from '../../../support/property-runs.ts';
import { sharedFolder } from '../../../support/shared.ts';

const PROSE =
  'The company makes machines, sells them in many countries, and keeps them in repair for those who bought them. ';

/** A report of two pages an item: footer with the page's number, header with a link, part and item. Short items fit on one page. */
function report(items: readonly { part: string; item: string; body: string[] }[]): string[] {
  let page = 1;
  const pageEnd = (part: string, item: string) =>
    `<p>PAGE ${page++}</p><hr><p><a href="#toc">Table of Contents</a></p><p>${part}</p><p>${item}</p>`;
  return items.map(
    ({ part, item, body }) =>
      `<p><b>${item}. Title of it</b></p>${body.map((text) => `<p>${text}</p>`).join('')}${pageEnd(part, item)}`,
  );
}

describe('text of sections', () => {
  const items = Array.from({ length: 9 }, (_, k) => ({
    part: k < 5 ? 'PART I' : 'PART II',
    item: `Item ${k + 1}`,
    body: k % 2 === 0 ? ['None.'] : [PROSE.repeat(8), PROSE.repeat(6)],
  }));

  it('has no page number, link or running header of the pages, however short the section', () => {
    const texts = sectionTexts(report(items));
    for (const [k, { item, body }] of items.entries()) {
      const words = body.map((text) => text.trim()).join('\n\n');
      expect(texts[k]).toBe(`${item}. Title of it\n\n${words}`);
    }
  });

  it('is the same for sections that share a text, and keeps a section without pages whole', () => {
    const [first, second] = report(items);
    expect(sectionTexts([first!, first!, second!])[0]).toBe(sectionTexts([first!, first!, second!])[1]);
    expect(sectionTexts(['<p>Item 4. Reserved</p><p>12</p><p>2023</p>'])).toEqual(['Item 4. Reserved\n\n12\n\n2023']);
    expect(sectionTexts([])).toEqual([]);
  });

  it('has no page number with a full stop, and keeps the numbers of paragraphs', () => {
    const pages = Array.from(
      { length: 8 },
      (_, k) => `<p>${PROSE.repeat(5)}</p><p align="center">${k + 11}.</p><hr>`,
    ).join('');
    expect(sectionTexts([`<p>Item 2. Properties</p>${pages}`])[0]).not.toMatch(/^\d+\.$/m);
    const numbered = Array.from({ length: 8 }, (_, k) => `<p>${k + 1}.</p><p>${PROSE.repeat(5)}</p>`).join('');
    expect(sectionTexts([`<p>Item 2. Properties</p>${numbered}`])[0]!.match(/^\d+\.$/gm)).toHaveLength(8);
  });

  it('finds page numbers of typewritten pages without marks', () => {
    const page = (n: number) => `${PROSE.repeat(9)}\n${PROSE}\n\n                    ${n}\n\n`;
    const pages = Array.from({ length: 9 }, (_, k) => page(k + 1)).join('');
    const [text] = sectionTexts([`<pre>Item 1. Business\n\n${pages}</pre>`]);
    expect(text).not.toMatch(/^\s*\d+\s*$/m);
    expect(text!.split(PROSE.trim()).length).toBe(91);
  });

  const pages = (top: (k: number) => string, bottom: (k: number) => string, numbered = true) =>
    Array.from({ length: 12 }, (_, k) => {
      const number = numbered ? `<p>${k + 5}</p>` : '';
      return `${top(k)}<p>${k} ${PROSE.repeat(7)}</p><p>${PROSE.repeat(5)}ends ${k * 3 + 1}</p>${bottom(k)}${number}<hr>`;
    }).join('');

  it.each<[string, (k: number) => string]>([
    ['a total', (k) => `<p>Total: ${k * 117 + 3},221</p>`],
    ['a table of one row', (k) => `<table><tr><td>Total</td><td>$</td><td>${k * 117},221</td></tr></table>`],
    ['equal amounts', () => '<p>Minimum payment: $500</p>'],
    ['a rate', (k) => `<p>The rate was ${k}.${k} in the year</p>`],
    ['a series', (k) => `<p>Series ${k + 20}</p>`],
    ['a year', (k) => `<p>Fiscal Year Ended June 30, ${k + 1999}</p>`],
    ['a year that is the same on most pages', (k) => `<p>Year ended December 31, ${k > 9 ? 2022 : 2023} (audited)</p>`],
    ['a loan', (k) => `<p>Loan No. ${k + 1}, balance ${k * 1117 + 33},000</p>`],
    ['an answer', (k) => `<p>${k % 2 === 0 ? 'Yes' : 'No.'}</p>`],
  ])('keeps %s at the end or the head of each page', (name, line) => {
    for (const at of ['end', 'head']) {
      const no = () => '';
      const [text] = sectionTexts([`<p>Item 2. Properties</p>${at === 'end' ? pages(no, line) : pages(line, no)}`]);
      for (let k = 0; k < 12; k++) {
        if (name.includes('most pages') && k <= 9) continue;
        const words = line(k)
          .replace(/<\/td><td>/g, '\t')
          .replace(/<[^>]*>/g, '')
          .replace('$\t', '$');
        expect(text!.split('\n'), `${at} of page ${k}`).toContain(words);
      }
    }
  });

  const LETTER = 'The undersigned appoints the officers named below as attorneys, each with power to act alone.';
  const letters = (paged: (title: string, name: string) => string) =>
    Array.from({ length: 14 }, (_, k) => paged('POWER OF ATTORNEY', `Director ${'ABCDEFGHIJKLMN'[k]}`)).join('');

  it.each<[string, string]>([
    [
      'text/html',
      letters((title, name) => `<p align="center"><b>${title}</b></p><p>${LETTER}</p><p>/s/ ${name}</p><hr>`),
    ],
    [
      'text/plain',
      letters((title, name) => `                    ${title}\n\n${LETTER}\n\n      /s/ ${name}\n<PAGE>\n`),
    ],
  ])('keeps the title of each of fourteen letters: %s', (mediaType, html) => {
    expect(readableText(html, mediaType).split('POWER OF ATTORNEY')).toHaveLength(15);
  });

  it('keeps the name above each statement', () => {
    const rows = (k: number) =>
      Array.from(
        { length: 5 },
        (_, n) => `<tr><td>Line ${n}</td><td>${k * 1000 + n},118</td><td>${k * 990 + n},219</td></tr>`,
      );
    const names = [
      'INCOME',
      'CASH FLOWS',
      'EQUITY',
      'FINANCIAL POSITION',
      'COMPREHENSIVE INCOME',
      'CHANGES IN CAPITAL',
    ];
    const pages = names.map(
      (name, k) =>
        `<p align="center"><b>Example Corporation</b></p><p align="center"><b>STATEMENTS OF ${name}</b></p><table>${rows(k).join('')}</table><p>See accompanying notes.</p><hr>`,
    );
    expect(readableText(pages.join(''), 'text/html').split('Example Corporation')).toHaveLength(7);
  });

  it('leaves out what is continued at the head of a page, and only with names that were there before', () => {
    const page = (head: string, k: number) =>
      `${head}\n\n${LETTER} It is page ${k}.\n\n${' '.repeat(36)}${k}\n<PAGE>\n`;
    const of = (head: string) => {
      const heads = ['EXAMPLE CORP.\n\nNOTE 1. Debt', '', '', 'NOTE 2. Leases', head, '', 'NOTE 3. Taxes', ''];
      return readableText(heads.map((one, k) => page(one, k + 1)).join(''), 'text/plain');
    };
    expect(of('EXAMPLE CORP.\n\nNOTE 2. Leases (Continued)')).toBe(of(''));
    expect(of('SALE OF THE MINES\n\nNOTE 2. Leases (Continued)')).toContain(
      'SALE OF THE MINES\n\nNOTE 2. Leases (Continued)',
    );
    expect(of('Sales have continued')).toContain('Sales have continued');
  });

  it('leaves out numbers of pages that are too few for a series', () => {
    const page = (number: string) => `${LETTER}\n\n${' '.repeat(36)}${number}\n<PAGE>\n`;
    const text = readableText(`${['F-1', '- 2 -', 'S-1'].map(page).join('')}${LETTER}`, 'text/plain');
    expect(text.split('\n\n')).toHaveLength(4);
    expect(readableText(`${LETTER}\n<PAGE>\nMQ-25\n\n${LETTER}`, 'text/plain')).toContain('MQ-25');
  });

  it('leaves out a footer that has the page number in it', () => {
    const footer = (k: number) => `<p>Example Corporation | 2023 Form 10-K | ${k + 5}</p>`;
    const [text] = sectionTexts([`<p>Item 2. Properties</p>${pages(() => '', footer, false)}`]);
    expect(text).not.toContain('Example');
  });

  /** Blocks that are text of a report and resemble furniture. Page numbers rise by less than seven. */
  const sevens = fc.integer({ min: 1, max: 290 }).map((n) => 7 * n);
  const content = fc.oneof(
    sevens.map((n) => `<p>${n}</p>`),
    fc.constantFrom('7', '2023').map((n) => `<table><tr><td>${n}</td></tr></table>`),
    sevens.map((n) => `<table><tr><td>Sales</td><td>${n}</td></tr><tr><td></td><td>${n + 7}</td></tr></table>`),
    fc
      .constantFrom('(In millions)', 'Year Ended June 30,', 'None.', 'Item 7 is important.', 'See notes.')
      .map((text) => `<p>${text}</p>`),
    fc.nat({ max: 6 }).map((n) => `<p>${PROSE.repeat(n + 1)}</p>`),
  );

  it('loses nothing that is not at the end of a page, repeated or a page number in its series', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(content, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 }),
        (pages) => {
          // No page numbers and no headers: everything here is text.
          const html = `<p>Item 8. Statements</p>${pages.map((blocks) => blocks.join('')).join(`<p>${PROSE}${PROSE}</p><hr><p>${PROSE}${PROSE}</p>`)}`;
          const squeezed = (text: string) => text.replace(/\s+/g, '');
          expect(squeezed(sectionTexts([html])[0]!)).toBe(squeezed(html.replace(/<[^>]*>/g, ' ')));
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe.skipIf(!sharedFolder)('text of the labelled sections', () => {
  // `npm run bench -- furniture` measures all of them.
  it('keeps all that is text and hardly any furniture', () => {
    const folder = join(sharedFolder!, 'sections/labelled');
    const figures = measureFurniture(folder, readLabels(), (place) => place % 4 === 2);
    expect(figures.filings).toBe(14);
    expect(figures.lost_lines, figures.details.join('\n')).toBe(0);
    expect(figures.furniture_lines).toBeGreaterThan(1000);
    expect(figures.left_lines, figures.details.join('\n')).toBeLessThanOrEqual(figures.furniture_lines / 100);
  });
});
