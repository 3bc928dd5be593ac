/** Lines that name an item: headings that look like mentions, and mentions that look like headings. */
import { describe, expect, it } from 'vitest';
import { findSections } from '../../../../src/filings/documents/index.ts';

const PROSE = 'The company describes its affairs here at some length, so that the item has a text of its own. '.repeat(
  6,
);
const ITEMS: readonly [number: string, title: string][] = [
  ['1', 'Business'],
  ['1A', 'Risk Factors'],
  ['2', 'Properties'],
  ['3', 'Legal Proceedings'],
  ['4', 'Mine Safety Disclosures'],
  ['7', "Management's Discussion and Analysis of Financial Condition and Results of Operations"],
  ['8', 'Financial Statements and Supplementary Data'],
  ['15', 'Exhibits and Financial Statement Schedules'],
];

/** A report; `set` writes an item in another way. */
function report(set: (number: string, title: string) => string | null): string {
  const items = ITEMS.map(
    ([number, title]) => set(number, title) ?? `<p><b>Item ${number}. ${title}</b></p><p>${PROSE}</p>\n`,
  );
  return `<html><body><p>FORM 10-K</p>${items.join('')}<p><b>SIGNATURES</b></p></body></html>`;
}

const instead = (number: string, html: string) => report((other) => (other === number ? html : null));
const ALL = ITEMS.map(([number]) => number);
const codes = (text: string) => findSections(text, '10-K').map(({ section }) => section);
const slice = (text: string, code: string) => {
  const { start_index: start, end_index: end } = findSections(text, '10-K').find(({ section }) => section === code)!;
  return text.slice(start, end);
};

describe('a heading', () => {
  it.each([
    ['As of December 31, 2023, we own two plants'],
    ['In this report, the terms "we" and "our" mean the company'],
    ['Set forth below is a list of our plants'],
    ['Below is a list of our plants'],
    ['On March 20, 2018, we sold a plant'],
  ])('stands before a sentence, whatever its first words: %s', (sentence) => {
    for (const [open, close] of [
      ['<b>', '</b>'],
      ['', ''],
    ])
      expect(codes(instead('2', `<p>${open}Item 2. Properties.${close} ${sentence}. ${PROSE}</p>`))).toEqual(ALL);
  });

  it('stands before a sentence without a stop between them', () => {
    const text = instead(
      '2',
      `<p>ITEM 2: PROPERTIES The information required by this item is in our proxy statement. ${PROSE}</p>`,
    );
    expect(codes(text)).toEqual(ALL);
  });

  it.each([
    `ITEM 2: PROPERTIES AND FACILITIES Plants stand in two towns. ${PROSE}`,
    `Item 2. Properties and Facilities. (a) Plants stand in two towns. ${PROSE}`,
    `Item 2. Properties. We own ${'plants; '.repeat(60)} and houses.`,
  ])('stands before text that runs on: %s', (paragraph) => {
    expect(codes(instead('2', `<p>${paragraph}</p>`))).toEqual(ALL);
  });

  it.each(['(As Amended)', '(as updated)', '(as of the dates shown)'])('may have %s behind its title', (words) => {
    const text = instead('15', `<p>Item 15. Exhibits and Financial Statement Schedules ${words}</p><p>${PROSE}</p>`);
    expect(codes(text)).toEqual(ALL);
  });

  it.each([';', ',', ' and', ' /', '; and'])(
    'of two items has two titles, with "%s" between them, in any order of the items',
    (mark) => {
      const both = `<p>Items 7 and 7A. Management's Discussion and Analysis of Financial Condition and Results of Operations${mark} Quantitative and Qualitative Disclosures About Market Risk</p><p>${PROSE}</p>`;
      const own = (number: string, title: string) => `<p><b>Item ${number}. ${title}</b></p><p>${PROSE}</p>`;
      const text = report((number, title) => (number === '1' ? own(number, title) + both : number === '7' ? '' : null));
      expect(codes(text)).toEqual(['1', '7', '7A', '1A', '2', '3', '4', '8', '15']);
      expect(slice(text, '7A')).toBe(slice(text, '7'));
    },
  );

  it('may have more of the words that titles are made of', () => {
    const text = instead(
      '2',
      `<p>Item 2. Properties and Related Information of the Company. The company owns a plant. ${PROSE}</p>`,
    );
    expect(codes(text)).toEqual(ALL);
  });

  it('may continue in the next block, or behind the number of a page', () => {
    const title = "Management's Discussion and Analysis of";
    for (const between of ['', '<p>17</p><hr>']) {
      const text = instead(
        '7',
        `<p><b>Item 7. ${title}</b></p>${between}<p><b>Financial Condition and Results</b></p><p>${PROSE}</p>`,
      );
      expect(codes(text)).toEqual(ALL);
    }
  });

  it('may be a number above a paragraph that begins with the title', () => {
    const text = instead(
      '7',
      `<p><b>Item 7.</b></p><p>Management's Discussion and Analysis is set forth on pages 3 to 9 of the annual report.</p>`,
    );
    expect(codes(text)).toEqual(ALL);
    expect(slice(text, '7')).toContain('set forth');
  });

  it('may be typed with blanks between its letters and digits', () => {
    const text = ITEMS.map(
      ([number, title]) => `\n\nI T E M  ${[...number].join(' ')} .   ${title.toUpperCase()}\n\n${PROSE}\n`,
    ).join('');
    expect(codes(`FORM 10-K\n${text}\n\nSIGNATURES\n`)).toEqual(ALL);
  });
});

describe('a mention', () => {
  it('is in a list of places', () => {
    const list =
      '<p>Read these:</p><p>• Item 1A. Risk Factors;</p><p>• Item 3. Legal Proceedings; and</p><p>• Item 8. Financial Statements.</p>';
    const text = report((number, title) =>
      number === '1A'
        ? ''
        : number === '2'
          ? `<p><b>Item 2. ${title}</b></p><p>${PROSE}</p>${list}<p>${PROSE}</p>`
          : null,
    );
    expect(codes(text)).toEqual(ALL.filter((code) => code !== '1A'));
    expect(slice(text, '2')).toContain('Read these');
    expect(slice(text, '3')).not.toContain('Read these');
  });

  it('is behind other words of its row', () => {
    const row = '<table><tr><td>Risks</td><td>Item 1A. Risk Factors</td></tr></table>';
    const text = report((number, title) =>
      number === '1A'
        ? ''
        : number === '1'
          ? `<p><b>Item 1. ${title}</b></p><p>${PROSE}</p>${row}<p>${PROSE}</p>`
          : null,
    );
    expect(codes(text)).toEqual(ALL.filter((code) => code !== '1A'));
  });

  it('of a part ends a typed sentence and no section', () => {
    const body = `\n   See Item 10. Directors, Executive Officers and Corporate Governance in\nPart III.\n\n   ${PROSE}\n`;
    const text = ITEMS.map(
      ([number, title]) => `\n\nItem ${number}. ${title}\n\n   ${PROSE}\n${number === '1' ? body : ''}`,
    ).join('');
    const whole = `FORM 10-K\n${text}\n\nSIGNATURES\n`;
    expect(codes(whole)).toEqual(ALL);
    expect(slice(whole, '1')).toContain('Part III.\n\n   The company');
  });
});

describe('a PART heading with a title of the filer', () => {
  const withPart = (heading: string) =>
    slice(instead('4', `<p><b>Item 4. Mine Safety Disclosures</b></p><p>None.</p>${heading}`), '4');

  it.each(['<p>PART II - OUR SHARES AND OUR RESULTS</p>', '<p><b>Part Two: Our Shares and Our Results</b></p>'])(
    'ends the item above: %s',
    (heading) => {
      expect(withPart(heading)).not.toMatch(/our shares/i);
    },
  );

  it.each(['<p>Part II describes our shares and our results.</p>', '<p>Part II: Our Shares and Our Results</p>'])(
    'is text if it is a sentence, or set as text is: %s',
    (sentence) => {
      expect(withPart(sentence)).toMatch(/our shares/i);
    },
  );

  it('heads no pages', () => {
    const page = `<p>${PROSE}</p><hr><p>PART I - OUR COMPANY</p>`;
    const text = instead('2', `<p><b>Item 2. Properties</b></p>${page.repeat(8)}`);
    expect(slice(text, '2').split('OUR COMPANY')).toHaveLength(9);
  });
});

describe('a list of contents', () => {
  it('after the last item does not take its heading in', () => {
    const rows = ITEMS.map(
      ([number, title], i) => `<tr><td>Item ${number}.</td><td>${title}</td><td>${i * 4 + 3}</td></tr>`,
    );
    const text = instead(
      '15',
      '<p><b>Item 15. Exhibits and Financial Statement Schedules</b></p><table><tr><td>Balance sheet</td><td>41</td></tr><tr><td>Notes</td><td>45</td></tr></table>',
    ).replace('</body>', `<p>CONTENTS</p><table>${rows.join('')}</table></body>`);
    expect(codes(text)).toEqual(ALL);
  });

  const figures = '<table><tr><td>Offices</td><td>29</td></tr><tr><td>Stores</td><td>222</td></tr></table>';
  it.each(['<p>See Note 7.</p>', figures])('does not begin with the short items above it: %s', (third) => {
    const rows = ITEMS.slice(5).map(
      ([number, title], i) => `<tr><td>Item ${number}.</td><td>${title}</td><td>${i * 4 + 31}</td></tr>`,
    );
    const short: Record<string, string> = {
      '2': figures,
      '3': third,
      '4': `<p>Not applicable.</p><p>18</p><p>Table of Contents</p><p>PART II</p><table>${rows.join('')}</table>`,
    };
    const text = report((number, title) =>
      short[number] === undefined ? null : `<p><b>Item ${number}. ${title}</b></p>${short[number]}`,
    );
    expect(codes(text)).toEqual(ALL);
  });

  it.each([
    ['cells', (k: number) => `<td></td><td>Overview of this</td><td>${k}</td>`],
    ['dots', (k: number) => `<td>Overview of this ........ ${k}</td>`],
  ])('may have the pages of one entry under each item only, in a short report: %s', (_name, entry) => {
    const rows = ITEMS.map(
      ([number, title], k) => `<tr><td>Item ${number}.</td><td>${title}</td></tr><tr>${entry(k + 3)}</tr>`,
    );
    const text = report((number, title) => `<p><b>Item ${number}. ${title}</b></p><p>Text of ${number}.</p>`).replace(
      '<p><b>Item 1.',
      `<table>${rows.join('')}</table>$&`,
    );
    expect(codes(text)).toEqual(ALL);
    for (const code of ALL) expect(slice(text, code)).toContain(`Text of ${code}.`);
  });

  it('is not made of short paragraphs at the feet of pages', () => {
    const text = report((number, title) =>
      /^[234]$/.test(number)
        ? `<p>Item ${number}. ${title}. ${PROSE.slice(0, 280)}</p><p>1${number}</p><p>Table of Contents</p>`
        : null,
    );
    expect(codes(text)).toEqual(ALL);
  });

  it('of four short items of a second part is none', () => {
    const first = [
      'Financial Statements',
      "Management's Discussion and Analysis",
      'Market Risk',
      'Controls and Procedures',
    ];
    const second = [
      'Legal Proceedings',
      'Unregistered Sales of Equity Securities',
      'Defaults Upon Senior Securities',
      'Mine Safety Disclosures',
      'Other Information',
      'Exhibits',
    ];
    const items = (titles: string[], body: string) =>
      titles.map((title, i) => `<p><b>Item ${i + 1}. ${title}</b></p>${body}`).join('');
    const text = `<html><body><p>FORM 10-Q</p><p><b>PART I</b></p>${items(first, `<p>${PROSE}</p>`)}<p><b>PART II</b></p>${items(second, '<p>None.</p>')}<p><b>SIGNATURES</b></p></body></html>`;
    expect(findSections(text, '10-Q').map(({ section }) => section)).toEqual(
      'I-1 I-2 I-3 I-4 II-1 II-2 II-3 II-4 II-5 II-6'.split(' '),
    );
  });
});
