import { describe, expect, it } from 'vitest';
import { explainSections, findSections } from '../../../../src/filings/documents/index.ts';

const TITLES = [
  'Business',
  'Risk Factors',
  'Unresolved Staff Comments',
  'Properties',
  'Legal Proceedings',
  'Mine Safety Disclosures',
];
const NUMBERS = ['1', '1A', '1B', '2', '3', '4'];
const prose = (k: number) => `<p>${`Words number ${k} of our report, which say what we do. `.repeat(12)}</p>`;
const contents = (row: (k: number) => string) =>
  `<table>${TITLES.map((_, k) => `<tr>${row(k)}</tr>`).join('')}</table>`;
const linked = (k: number) => `<td>Item ${NUMBERS[k]}.</td><td><a href="#p${k}">${TITLES[k]}</a></td><td>${k + 3}</td>`;
const report = (list: string, head: (k: number) => string, behind = '') =>
  `<html><body><p>FORM 10-K</p>${list}${TITLES.map((_, k) => head(k) + prose(k)).join('')}${behind}</body></html>`;
/** The code of each section, with the number of the text in it. */
const found = (text: string) =>
  findSections(text, '10-K').map(({ section, start_index, end_index }) => {
    const source = text.slice(start_index, end_index);
    return `${section}:${[...new Set([...source.matchAll(/number (\d)/g)].map((match) => match[1]))].join('')}`;
  });
const ALL = ['1:0', '1A:1', '1B:2', '2:3', '3:4', '4:5'];

describe('the statements of a quarterly report whose heading has no number', () => {
  const ITEMS = [
    ['I', '2', "Management's Discussion and Analysis of Financial Condition and Results of Operations"],
    ['I', '3', 'Quantitative and Qualitative Disclosures About Market Risk'],
    ['I', '4', 'Controls and Procedures'],
    ['II', '1', 'Legal Proceedings'],
    ['II', '1A', 'Risk Factors'],
    ['II', '2', 'Unregistered Sales of Equity Securities and Use of Proceeds'],
    ['II', '4', 'Mine Safety Disclosures'],
    ['II', '5', 'Other Information'],
    ['II', '6', 'Exhibits'],
  ] as const;
  const quarterly = (title: string, partTwo: string, link: (aim: string, words: string) => string) => {
    const row = (aim: string, item: string, words: string) =>
      `<tr><td>${item}</td><td>${link(aim, words)}</td><td>3</td></tr>`;
    const rows = ITEMS.map(([part, number, words]) => row(`${part}${number}`, `Item ${number}.`, words));
    rows.splice(3, 0, partTwo);
    const list = `<table><tr><td>PART I</td></tr>${row('I1', 'Item 1.', 'Financial Statements (unaudited)')}${rows.join('')}</table>`;
    const body = ITEMS.map(
      ([part, number, words], k) => `<p id="${part}${number}"><b>Item ${number}. ${words}</b></p>${prose(k)}`,
    );
    const statements = `<p>PART I. FINANCIAL INFORMATION</p><p id="I1"><b>${title}</b></p><p><b>CONSOLIDATED BALANCE SHEET</b></p>${prose(9).repeat(4)}`;
    return `<html><body><p>FORM 10-Q</p>${list}${statements}${body.slice(0, 3).join('')}<p id="two">PART II. OTHER INFORMATION</p>${body.slice(3).join('')}</body></html>`;
  };
  const linkTo = (aim: string, words: string) => `<a href="#${aim}">${words}</a>`;
  const all = ['I-1', ...ITEMS.map(([part, number]) => `${part}-${number}`)];
  const codesOf = (text: string) => findSections(text, '10-Q').map(({ section }) => section);

  it.each([
    ['linked, beside its part', '<tr><td>PART II</td><td><a href="#two">Other Information</a></td><td>9</td></tr>'],
    ['linked, below its part', '<tr><td>PART II</td></tr><tr><td><a href="#two">Other Information</a></td></tr>'],
    ['in one cell', '<tr><td><a href="#two">PART II. Other Information</a></td><td>9</td></tr>'],
    ['without a link', '<tr><td>PART II</td><td>Other Information</td><td>9</td></tr>'],
  ])('are found by links; the title of Part II (%s) is not Item 5', (_, partTwo) => {
    for (const title of ['FINANCIAL STATEMENTS AND SUPPLEMENTARY DATA', 'Our Accounts'])
      expect(codesOf(quarterly(title, partTwo, linkTo))).toEqual(all);
  });

  it('are found by their title alone', () => {
    const plain = (title: string) => quarterly(title, '<tr><td>PART II</td></tr>', (_, words) => words);
    for (const title of [
      'FINANCIAL STATEMENTS AND SUPPLEMENTARY DATA',
      'Condensed Consolidated Financial Statements',
      'Financial Statements (Unaudited)',
    ]) {
      const text = plain(title);
      expect([title, codesOf(text)]).toEqual([title, all]);
      expect(text.slice(findSections(text, '10-Q')[0]!.start_index)).toMatch(
        new RegExp(`^(?:<[^>]*>)*${title.slice(0, 20)}`),
      );
    }
    // A single statement is not all of them, nor are notes.
    for (const title of ['Notes to Financial Statements', 'Summary'])
      expect(codesOf(plain(title))).toEqual(all.slice(1));
  });
});

describe('links from the contents', () => {
  it('lead to headings in the words of the filer, and to places without any', () => {
    expect(found(report(contents(linked), (k) => `<a name="p${k}"></a><p><b>Chapter ${'ABCDEF'[k]}</b></p>`))).toEqual(
      ALL,
    );
    expect(found(report(contents(linked), (k) => `<div id="p${k}"></div>`))).toEqual(ALL);
  });

  it('count in rows without the word, and in contents behind the text', () => {
    const bare = (k: number) => `<td>${NUMBERS[k]}</td><td><a href="#p${k}">${TITLES[k]}</a></td><td>${k + 3}</td>`;
    expect(found(report(contents(bare), (k) => `<p id="p${k}"><b>${TITLES[k]}</b></p>`))).toEqual(ALL);
    const behind = report('', (k) => `<p id="p${k}"><b>Chapter ${'ABCDEF'[k]}</b></p>`, `<hr>${contents(linked)}`);
    expect(found(behind).slice(0, 5)).toEqual(ALL.slice(0, 5));
  });

  it('lead to a page: a numbered heading on it, below another text, is the beginning', () => {
    const tail =
      '<p>The end of the item before, in more than a hundred and sixty letters, so that no reader takes the place for the heading of the next item, which stands below it on the same page of the report.</p>';
    const text = report(
      contents(linked),
      (k) => `<div id="p${k}"></div>${tail}<p><b>Item ${NUMBERS[k]}. ${TITLES[k]}</b></p>`,
    );
    expect(findSections(text, '10-K').map(({ heading }) => heading)).toEqual(
      TITLES.map((title, k) => `Item ${NUMBERS[k]}. ${title}`),
    );
  });

  it('do not make the rows of a list in front of a part its headings', () => {
    const list = contents((k) => `<td>Item ${NUMBERS[k]}.</td><td>${TITLES[k]}</td><td>${k + 3}</td>`);
    const text = report(
      contents(linked),
      (k) => `<div id="p${k}"></div>${k === 0 ? list : ''}<p><b>Item ${NUMBERS[k]}. ${TITLES[k]}</b></p>`,
    );
    expect(found(text)).toEqual(ALL);
    expect(text.slice(findSections(text, '10-K')[0]!.start_index)).toMatch(/^<b>|^Item 1\. Business<\/b>/);
  });

  it('back to the contents, and to nothing, do not count', () => {
    const back = (k: number) => `<p><a href="#top">Item ${NUMBERS[k]}. ${TITLES[k]}</a></p>`;
    const plain = (k: number) =>
      `<td>Item ${NUMBERS[k]}.</td><td><a href="#nowhere${k}">${TITLES[k]}</a></td><td>${k + 3}</td>`;
    expect(found(report(`<a name="top"></a>${contents(plain)}`, back))).toEqual(ALL);
  });

  it('are named among the reasons', () => {
    const { verdicts } = explainSections(
      report(contents(linked), (k) => `<p id="p${k}"><b>Item ${NUMBERS[k]}. ${TITLES[k]}</b></p>`),
      '10-K',
    );
    expect(
      verdicts.filter(({ taken }) => taken).map(({ reasons }) => reasons.includes('the contents link to it +6')),
    ).toEqual(TITLES.map(() => true));
  });
});
