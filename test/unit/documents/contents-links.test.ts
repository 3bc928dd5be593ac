import { describe, expect, it } from 'vitest';
import { explainSections, findSections } from '../../../src/documents/index.ts';

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
