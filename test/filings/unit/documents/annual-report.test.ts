/** Annual reports to shareholders (Exhibit 13): headings are titles, without item numbers. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  decodeText,
  findAnnualReportSections,
  findSections,
  isAnnualReport,
} from '../../../../src/filings/documents/index.ts';
import { kindOf } from '../../../../src/filings/documents/sections/annual-report-headings.ts';
import { sharedFolder } from '../../../support/shared.ts';

const PROSE = 'Net sales grew by four percent over the year, since prices rose while volumes stayed where they were. ';
const FIGURES = Array.from({ length: 12 }, (_, i) => [`Line ${i}`, `${i}1,234.5`, `${i}0,987.6`, `${i}9,876.5`]);
const table = (rows: string[][]) =>
  `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
const typedTable = (rows: string[][]) =>
  rows.map(([name, ...figures]) => `${name!.padEnd(20, '.')} ${figures.join('   ')}`).join('\n');

type Part = [title: string, body: 'prose' | 'figures' | 'short'];
const REPORT: Part[] = [
  ['To Our Shareholders', 'prose'],
  ['Selected Financial Data', 'figures'],
  ["Management's Discussion and Analysis of Financial Condition and Results of Operations", 'prose'],
  ['Consolidated Statements of Income', 'figures'],
  ['Consolidated Balance Sheets', 'figures'],
  ['Consolidated Statements of Cash Flows', 'figures'],
  ['Notes to Consolidated Financial Statements', 'prose'],
  ['Report of Independent Auditors', 'prose'],
  ['Common Stock Market Prices and Dividends', 'figures'],
  ['Corporate Information', 'prose'],
];

/** As HTML, or typewritten, with titles as they are or in capitals. */
function written(parts: readonly Part[], way: 'html' | 'typed', capitals = false): string {
  const title = (text: string) => (capitals ? text.toUpperCase() : text);
  if (way === 'html') {
    const body = {
      prose: `<p>${PROSE.repeat(20)}</p>`,
      figures: table([...FIGURES, ...FIGURES, ...FIGURES]),
      short: '',
    };
    return `<html><body>${parts.map(([text, of]) => `<p><b>${title(text)}</b></p>${body[of]}`).join('\n')}</body></html>`;
  }
  const lines = PROSE.repeat(20).replaceAll(/(.{60,75}) /g, '$1\n');
  const figures = typedTable([...FIGURES, ...FIGURES, ...FIGURES]);
  const body = { prose: lines, figures, short: '' };
  return parts.map(([text, of], i) => `${title(text)}\n\n${body[of]}\n\n${i + 20}\n<PAGE>\n`).join('\n');
}

/** Each section found: its code, and the titles of the parts that it holds. */
function held(text: string, parts: readonly Part[] = REPORT): Record<string, string[]> {
  const squeezed = (some: string) =>
    some
      .replaceAll(/<[^>]*>|\s+/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .toLowerCase();
  return Object.fromEntries(
    findAnnualReportSections(text).map(({ section, start_index, end_index }) => {
      const source = squeezed(text.slice(start_index, end_index));
      return [section, parts.map(([title]) => title).filter((title) => source.includes(title.toLowerCase()))];
    }),
  );
}

const EXPECTED = {
  '6': ['Selected Financial Data'],
  '7': ["Management's Discussion and Analysis of Financial Condition and Results of Operations"],
  '8': REPORT.slice(3, 8).map(([title]) => title),
  '5': ['Common Stock Market Prices and Dividends'],
};

describe('sections of an annual report', () => {
  it.each([
    ['html', false],
    ['html', true],
    ['typed', false],
    ['typed', true],
  ] as const)('are found by their titles: %s, capitals %s', (way, capitals) => {
    expect(held(written(REPORT, way, capitals))).toEqual(EXPECTED);
  });

  it('begin with their heading and end where the next one begins', () => {
    const text = written(REPORT, 'html');
    const seven = findAnnualReportSections(text).find(({ section }) => section === '7')!;
    expect(seven.heading).toBe(REPORT[2]![0]);
    expect(seven.title).toContain("Management's Discussion");
    expect(text.slice(seven.start_index, seven.start_index + 12)).toBe("Management's");
    expect(text.slice(seven.end_index)).toMatch(/^Consolidated Statements of Income/);
  });

  it('are not taken from a table of contents', () => {
    const contents = REPORT.map(([title], i) => [title, String(i + 20)]);
    const html = written(REPORT, 'html').replace('<body>', `<body>${table(contents)}`);
    expect(held(html)).toEqual(EXPECTED);
    const typed = `${contents.map(([title, page]) => `${title!.padEnd(90, '.')} ${page}`).join('\n')}\n<PAGE>\n${written(REPORT, 'typed')}`;
    expect(held(typed)).toEqual(EXPECTED);
  });

  it('continue over pages that repeat the heading', () => {
    const pages = REPORT.flatMap<Part>(([title, of]) => [
      [title, of],
      [`${title} (continued)`, of],
      [title, of],
    ]);
    for (const way of ['html', 'typed'] as const) expect(held(written(pages, way))).toEqual(EXPECTED);
  });

  it('hold market risk within the discussion, or beside it, as its heading is set', () => {
    const risk = 'Quantitative and Qualitative Disclosures About Market Risk';
    const beside = REPORT.toSpliced(3, 0, [risk, 'prose']);
    expect(held(written(beside, 'html'), beside)).toEqual({ ...EXPECTED, '7A': [risk] });
    const within = written(beside, 'html').replace(`<b>${risk}</b>`, `<i>${risk}</i>`);
    expect(held(within, beside)).toEqual({ ...EXPECTED, '7': [REPORT[2]![0], risk], '7A': [risk] });
  });

  it('are those of the items if the report has numbered ones', () => {
    const html = `<html><body><p><b>Item 7. Management's Discussion and Analysis</b></p><p>${PROSE.repeat(20)}</p>
      <p><b>Item 8. Financial Statements</b></p>${table(FIGURES)}</body></html>`;
    expect(findAnnualReportSections(html).map(({ section }) => section)).toEqual(['7', '8']);
  });

  it('are none if nothing stands under a title, or a title is part of a sentence', () => {
    expect(
      held(
        written(
          REPORT.map(([title]) => [title, 'short']),
          'html',
        ),
      ),
    ).toEqual({});
    const mention = `See "Management's Discussion and Analysis" for the results. ${PROSE.repeat(30)}`;
    expect(findAnnualReportSections(`<html><body><p>${mention}</p></body></html>`)).toEqual([]);
    expect(findAnnualReportSections('')).toEqual([]);
  });

  it.each([
    ['FINANCIAL REVIEW', '7'],
    ["MANAGEMENT'S FINANCIAL DISCUSSION", '7'],
    ['Management’s Discussion and Analysis of Operations (continued)', '7'],
    ['Eleven-Year Financial Summary', '6'],
    ['Selected Consolidated Financial Data (in thousands)', '6'],
    ['Market for the Company’s Common Stock and Related Stockholder Matters', '5'],
    ['Statements of Consolidated Income', 'statement'],
    ['Notes to Consolidated Financial Statements', 'notes'],
    ['Report of Independent Registered Public Accounting Firm', 'report'],
    ['Comparison of Five-Year Cumulative Total Return', null],
    ['Consolidated Statements of Income by quarter for 1992 and 1993.', null],
    ['Consolidated Statement of Cash Flows on page 52, are summarized in the following', null],
    ['Management Discussion 40', null],
    ['share data)', null],
    ['Balance Sheet Classification', null],
  ])('%s: %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  it('are those of exhibits of type EX-13', () => {
    const types = ['EX-13', 'EX-13.1', 'ex-13.A', 'EX-130', 'EX-10', null];
    expect(types.filter((type) => isAnnualReport(type))).toEqual(['EX-13', 'EX-13.1', 'ex-13.A']);
  });
});

describe('a 10-Q whose first part has titles without numbers', () => {
  const second = `<p><b>PART II. OTHER INFORMATION</b></p><p><b>Item 1. Legal Proceedings</b></p><p>${PROSE}</p>
    <p><b>Item 6. Exhibits</b></p><p>The exhibits of this report.</p>`;
  const FIRST: Part[] = [
    ['Consolidated Balance Sheets', 'figures'],
    ['Consolidated Statements of Income', 'figures'],
    ['Notes to Consolidated Financial Statements', 'prose'],
    ["Management's Discussion and Analysis of Financial Condition", 'prose'],
    ['Quantitative and Qualitative Disclosures About Market Risk', 'prose'],
    ['Controls and Procedures', 'prose'],
  ];
  const report = (parts: readonly Part[]) =>
    written(parts, 'html')
      .replace('<body>', '<body><p><b>PART I. FINANCIAL INFORMATION</b></p>')
      .replace('</body>', `${second}</body>`);

  it('has its first part by titles, which ends at Part II', () => {
    const text = report(FIRST);
    const found = findSections(text, '10-Q');
    expect(found.map(({ section }) => section)).toEqual(['I-1', 'I-2', 'I-3', 'I-4', 'II-1', 'II-6']);
    expect(text.slice(found[3]!.end_index)).toMatch(/^PART II/);
    expect(found[0]!.heading).toBe('Consolidated Balance Sheets');
  });

  it('has its first part by titles without a second part, and not if its items are numbered', () => {
    const numbered = report(FIRST).replace("<b>Management's", "<b>Item 2. Management's");
    expect(findSections(numbered, '10-Q').map(({ section }) => section)).toEqual(['I-2', 'II-1', 'II-6']);
    const alone = findSections(written(FIRST, 'html'), '10-Q').map(({ section }) => section);
    expect(alone).toEqual(['I-1', 'I-2', 'I-3', 'I-4']);
  });
});

/** Exhibits 13 of real submissions, labelled by hand: document by document the beginnings and ends of its sections. */
const REAL: [file: string, type: string, sections: Record<string, [start: string, end: string]>][] = [
  [
    '0000950130-96-000896',
    'EX-13',
    {
      '7': ['FINANCIAL\nREVIEW', 'COMMON STOCK MARKET PRICES'],
      '5': ['COMMON STOCK MARKET PRICES', 'CONSOLIDATED  '],
      '8': ['CONSOLIDATED  ', 'SELECTED FINANCIAL DATA/(1)/'],
      '6': ['SELECTED FINANCIAL DATA/(1)/', ''],
    },
  ],
  ['0000950131-94-000440', 'EX-13.1', { '7': ["MANAGEMENT'S DISCUSSION AND ANALYSIS", ''] }],
  ['0000950131-94-000440', 'EX-13.2', { '8': ['CONSOLIDATED STATEMENTS OF INCOME', ''] }],
  [
    '0001047469-98-012291',
    'EX-13',
    {
      '7': ['management discussion', 'consolidated statement of earnings'],
      '7A': ['Market Risk\n', 'Financing Risks'],
      '8': ['consolidated statement of earnings', 'Five-Year Comparison of Selected Financial Data\n'],
      '6': ['Five-Year Comparison of Selected Financial Data\n', 'Selected Quarterly Data\n'],
    },
  ],
];

function exhibit(file: string, type: string): string {
  const text = decodeText(gunzipSync(readFileSync(`${sharedFolder}/edgar/full-submissions/${file}.txt.gz`))).text;
  const at = text.indexOf(`<TYPE>${type}\n`);
  const start = text.indexOf('<TEXT>', at) + 7;
  return text.slice(start, text.indexOf('</TEXT>', start));
}

describe.skipIf(sharedFolder === null)('sections of real annual reports, labelled by hand', () => {
  it.each(REAL)('%s %s', (file, type, labels) => {
    const text = exhibit(file, type);
    const found = Object.fromEntries(findAnnualReportSections(text).map((one) => [one.section, one]));
    expect(Object.keys(found).sort()).toEqual(Object.keys(labels).sort());
    for (const [code, [start, end]] of Object.entries(labels)) {
      const from = text.indexOf(start);
      const to = end === '' ? text.length : text.indexOf(end, from + start.length);
      const { start_index, end_index } = found[code]!;
      const common = Math.min(to, end_index) - Math.max(from, start_index);
      expect((2 * common) / (to - from + end_index - start_index), code).toBeGreaterThanOrEqual(0.95);
    }
  });
});
