/** Reports whose items have titles without numbers, made up in the ways in which filers set them. */
import { describe, expect, it } from 'vitest';
import { findSections } from '../../../../src/filings/documents/index.ts';

const PROSE = 'The company describes its affairs here at some length, so that the item has a text of its own. '.repeat(
  6,
);
const ANNUAL: readonly [code: string, title: string][] = [
  ['1', 'Business'],
  ['1A', 'Risk Factors'],
  ['1B', 'Unresolved Staff Comments'],
  ['2', 'Properties'],
  ['3', 'Legal Proceedings'],
  ['4', 'Mine Safety Disclosures'],
  ['5', "Market for Registrant's Common Equity and Related Stockholder Matters"],
  ['6', '[Reserved]'],
  ['7', "Management's Discussion and Analysis of Financial Condition and Results of Operations"],
  ['7A', 'Quantitative and Qualitative Disclosures About Market Risk'],
  ['8', 'Financial Statements and Supplementary Data'],
  ['9A', 'Controls and Procedures'],
  ['10', 'Directors, Executive Officers and Corporate Governance'],
  ['11', 'Executive Compensation'],
  ['14', 'Principal Accountant Fees and Services'],
  ['15', 'Exhibits and Financial Statement Schedules'],
];
const QUARTERLY: readonly [code: string, title: string][] = [
  ['I-1', 'Financial Statements'],
  ['I-2', "Management's Discussion and Analysis of Financial Condition and Results of Operations"],
  ['I-3', 'Quantitative and Qualitative Disclosures About Market Risk'],
  ['I-4', 'Controls and Procedures'],
  ['II-1', 'Legal Proceedings'],
  ['II-1A', 'Risk Factors'],
  ['II-6', 'Exhibits'],
];

type Titles = readonly (readonly [code: string, title: string])[];
type Heading = (title: string) => string;

const bold: Heading = (title) => `<p><b>${title}</b></p>`;
const plain: Heading = (title) => `<p>${title}</p>`;
const typed: Heading = (title) => `\n\n${title.toUpperCase().replace(/^(.{50,70}?) /, '$1\n')}\n\n`;

function report(titles: Titles, heading: Heading, { part = true, form = '10-K', prose = PROSE } = {}): string {
  const html = heading !== typed;
  const paragraph = html ? `<p>${prose}</p>\n` : `${prose.match(/.{1,70}(?: |$)/g)!.join('\n')}\n`;
  const second = titles.find(([code]) => code === 'II-1')?.[0];
  const body = titles
    .map(([code, title]) => {
      const line = code === second && part ? heading('PART II. OTHER INFORMATION') : '';
      return `${line}${heading(title)}${paragraph}`;
    })
    .join('');
  const cover = html ? `<p>FORM ${form}</p>` : `FORM ${form}\n\n`;
  const end = html ? '<p><b>SIGNATURES</b></p>' : '\n\nSIGNATURES\n';
  return html ? `<html><body>${cover}${body}${end}</body></html>` : `${cover}${body}${end}`;
}

const codes = (text: string, form: string) => findSections(text, form).map(({ section }) => section);
const all = (titles: Titles) => titles.map(([code]) => code);

describe('an annual report with titles alone', () => {
  it.each([
    ['in bold', bold],
    ['in paragraphs like any other', plain],
    ['typed in capitals, on one line or two', typed],
  ])('has its items, %s', (_name, heading) => {
    expect(codes(report(ANNUAL, heading), '10-K')).toEqual(all(ANNUAL));
  });

  it("has titles in the filer's own words, if they are set as the others are", () => {
    const own: Titles = ANNUAL.map(([code, title]) =>
      code === '5'
        ? [code, 'The Market for Our Shares']
        : code === '1B'
          ? [code, 'Unresolved Comments of the Staff']
          : [code, title],
    );
    expect(codes(report(own, bold), '10-K')).toEqual(all(ANNUAL));
    const otherwise = report(own, bold).replace('<b>The Market for Our Shares</b>', 'The Market for Our Shares');
    expect(codes(otherwise, '10-K')).toEqual(all(ANNUAL).filter((code) => code !== '5'));
  });

  it('takes the title in the typography of the others, not its like within an item', () => {
    const text = report(ANNUAL, bold).replace(
      '<p><b>Properties',
      `<p><i>Legal Proceedings</i></p><p>${PROSE}</p><p><b>Properties`,
    );
    const legal = findSections(text, '10-K').find(({ section }) => section === '3')!;
    expect(text.slice(0, legal.start_index)).toContain('<b>Properties');
  });

  it('may begin with the discussion', () => {
    const order = [ANNUAL[8]!, ...ANNUAL.filter(([code]) => code !== '7')];
    expect(codes(report(order, bold), '10-K')).toEqual(all(order));
  });

  it('has its exhibits as Item 14 if it has none of the later items', () => {
    const old: Titles = [
      ...ANNUAL.filter(([code]) => !['1A', '1B', '9A', '14', '15'].includes(code)),
      ['14', 'Exhibits, Financial Statement Schedules, and Reports on Form 8-K'],
    ];
    expect(codes(report(old, bold), '10-K')).toEqual(all(old));
  });

  it('has its items although an index with page numbers names them, if the document has no such pages', () => {
    const rows = ANNUAL.map(
      ([code, title], i) => `<tr><td>Item ${code}.</td><td>${title}</td><td>${i * 3 + 2}</td></tr>`,
    );
    const text = report(ANNUAL, bold).replace('</body>', `<table>${rows.join('')}</table></body>`);
    expect(codes(text, '10-K')).toEqual(all(ANNUAL));
  });

  it('is none if only some titles of a report are in it', () => {
    for (const some of [
      ['7', '8', '7A', '5'],
      ['1', '2', '3', '10', '11', '15'],
      ['1A', '7', '8', '7A', '6', '5'],
    ])
      expect(
        codes(
          report(
            ANNUAL.filter(([code]) => some.includes(code)),
            bold,
          ),
          '10-K',
        ),
      ).toEqual([]);
  });
});

describe('a quarterly report with titles alone', () => {
  it.each([
    ['in bold', bold],
    ['in paragraphs like any other', plain],
    ['typed in capitals, on one line or two', typed],
  ])('has its items, %s', (_name, heading) => {
    expect(codes(report(QUARTERLY, heading, { form: '10-Q' }), '10-Q')).toEqual(all(QUARTERLY));
  });

  it('has its items without a heading of Part II', () => {
    expect(codes(report(QUARTERLY, bold, { form: '10-Q', part: false }), '10-Q')).toEqual(all(QUARTERLY));
  });

  it('may number the items of the second part only, however many there are', () => {
    const numbered: Titles = [
      ...QUARTERLY.slice(0, 4),
      ['II-1', 'Item 1. Legal Proceedings'],
      ['II-1A', 'Item 1A. Risk Factors'],
      ['II-2', 'Item 2. Unregistered Sales of Equity Securities'],
      ['II-3', 'Item 3. Defaults Upon Senior Securities'],
      ['II-4', 'Item 4. Mine Safety Disclosures'],
      ['II-5', 'Item 5. Other Information'],
      ['II-6', 'Item 6. Exhibits'],
    ];
    expect(codes(report(numbered, bold, { form: '10-Q' }), '10-Q')).toEqual(all(numbered));
  });

  it('has controls as its third title if market risk is missing', () => {
    const short = QUARTERLY.filter(([code]) => code !== 'I-3');
    expect(codes(report(short, bold, { form: '10-Q' }), '10-Q')).toEqual(all(short));
  });

  it('is none without a discussion', () => {
    const some = QUARTERLY.filter(([code]) => code !== 'I-2');
    expect(codes(report(some, bold, { form: '10-Q' }), '10-Q')).toEqual([]);
  });
});
