/** Running headers, PART headings without items, and headings whose title comes first or alone. All reports here are made up. */
import { describe, expect, it } from 'vitest';
import { findSections } from '../../../../src/filings/documents/index.ts';
import { differences, htmlReport, partOf, SIGNATURES, TEN_K, TEN_Q, typedReport, words } from './made-filings.ts';

const bold = ({ number, title }: { number: string; title: string }) => `<p><b>Item ${number}. ${title}</b></p>`;
const paragraph =
  'The information is in the proxy statement, which will be filed within 120 days of the end of the year.';

describe('a running header that names part and item', () => {
  const pages = htmlReport(TEN_K, {
    heading: (made) =>
      `<hr style="page-break-after:always"><p>The Company</p><p>${partOf(made)}</p><p>Item ${made.number}</p>${bold(made)}`,
    text: (made) =>
      `<p>${words(made).join(' ')}</p><hr style="page-break-after:always"><p>The Company</p><p>${partOf(made)}</p><p>Item ${made.number}</p><p>${'More text of the same item follows here. '.repeat(8)}</p>`,
  });
  it('does not hide the headings', () => expect(differences(pages, '10-K', TEN_K)).toEqual([]));
  it('is not part of the section before', () => {
    for (const section of findSections(pages, '10-K').slice(0, -1)) {
      const text = pages.slice(section.start_index, section.end_index);
      expect(text.slice(text.lastIndexOf('follows here')), section.section).not.toMatch(/Company|PART|Item/);
    }
  });
});

describe('a running header that names the last item of its page', () => {
  it('does not cut off the end of the item before', () => {
    const pages = htmlReport(TEN_K, {
      part: null,
      heading: (made) =>
        `<p>${'More text of the page stands here. '.repeat(8)}</p><hr style="page-break-after:always"><p>Item ${made.number}</p><p>The last short line.</p>${bold(made)}`,
    });
    for (const section of findSections(pages, '10-K').slice(0, -1))
      expect(pages.slice(section.start_index, section.end_index), section.section).toContain('The last short line.');
  });
});

describe('a paragraph under a PART heading', () => {
  const rest = TEN_K.filter((made) => partOf(made) !== 'PART III');
  it('belongs to no item, if items follow', () => {
    const report = htmlReport(TEN_K, { heading: bold, part: (part) => `<p><b>${part}</b></p><p>${paragraph}</p>` });
    for (const { section, start_index, end_index } of findSections(report, '10-K'))
      expect(report.slice(start_index, end_index), section).not.toContain(paragraph);
  });
  it('belongs to no item, if none follows', () => {
    const between = (made: { number: string }) =>
      made.number === '9B' ? `\n          PART III\n\n${paragraph}\n` : '';
    const report = typedReport(rest, { heading: ({ number, title }) => `Item ${number}. ${title}`, between });
    expect(differences(report, '10-K', rest)).toEqual([]);
    const last = findSections(report, '10-K').find(({ section }) => section === '9B')!;
    expect(report.slice(last.start_index, last.end_index)).not.toContain('proxy');
  });
});

describe('a PART heading at the head of a page', () => {
  const newPage = '<hr style="page-break-after:always">';
  it('ends the item before, with the contents of the part below it', () => {
    const rows = (part: string) =>
      TEN_K.filter((made) => partOf(made) === part)
        .map(({ number, title }, k) => `<tr><td>Item ${number}.</td><td>${title}</td><td>${9 + k}</td></tr>`)
        .join('');
    const part = (name: string) =>
      `${newPage}<p>${name}</p><p>CONTENTS OF THIS PART</p><p>${name}</p><table>${rows(name)}</table>`;
    const report = htmlReport(TEN_K, { heading: bold, part });
    expect(differences(report, '10-K', TEN_K)).toEqual([]);
    for (const { section, start_index, end_index } of findSections(report, '10-K'))
      expect(report.slice(start_index, end_index), section).not.toContain('CONTENTS OF');
  });
  it('ends the item before below a running header that names the part', () => {
    const report = htmlReport(TEN_K, {
      heading: (made) => `${newPage}<p>${partOf(made)}</p>${bold(made)}`,
      text: (made) =>
        `<p>${/^(?:4|9B|14)$/.test(made.number) ? `opens${made.code} closes${made.code}` : words(made)}</p>`,
      part: (part) => `<p><b>${part}</b></p><p>${paragraph} ${paragraph}</p>`,
    });
    expect(differences(report, '10-K', TEN_K)).toEqual([]);
    for (const { section, start_index, end_index } of findSections(report, '10-K'))
      expect(report.slice(start_index, end_index), section).not.toContain(paragraph);
  });
  it('ends no item if pages begin with two parts', () => {
    const text = (made: { code: string }) =>
      `<p>opens${made.code}</p>${`${newPage}<p>PART I</p><p>PART II</p><p>${paragraph}</p>`.repeat(2)}<p>closes${made.code}</p>`;
    expect(differences(htmlReport(TEN_K, { heading: bold, text }), '10-K', TEN_K)).toEqual([]);
  });
});

describe('heads of pages that say "continued"', () => {
  const text = (made: { number: string; title: string; code: string }) =>
    `<p>${words(made)}</p><p>Item ${made.number}. ${made.title} (Continued)</p><p>${'More is said here. '.repeat(30)}</p>`;
  it.each([
    ['titles of the filer', ({ number }: { number: string }) => `<p>Item ${number}. What We Say of It</p>`],
    ['titles alone', ({ title }: { title: string }) => `<p align="center"><b>${title.toUpperCase()}</b></p>`],
  ])('are not taken for headings: %s', (_name, heading) => {
    expect(differences(htmlReport(TEN_K, { heading, text }), '10-K', TEN_K)).toEqual([]);
  });
  it('are headings of short items that have no other', () => {
    const heading = (made: { number: string; title: string }) =>
      bold({ ...made, title: `${made.title}${/^[78]$/.test(made.number) ? ' (continued)' : ''}` });
    expect(differences(htmlReport(TEN_K, { heading }), '10-K', TEN_K)).toEqual([]);
  });
});

describe('typewritten pages', () => {
  it('with contents whose first item has entries, and heads that name the item', () => {
    const entries = 'Item 1. Financial Statements\nBalance Sheets 3\nStatements of Income 4\nNotes to Statements 5';
    const rows = TEN_Q.slice(1).map(
      ({ number, title, code }, k) => `${code === 'II-1' ? 'PART II\n' : ''}Item ${number}. ${title} ${12 + k}`,
    );
    const pageHead = (made: (typeof TEN_Q)[number]) => `<PAGE>\n${partOf(made)}\nITEM ${made.number}`;
    const report = typedReport(TEN_Q, {
      front: `FORM 10-Q\n\n${entries}\n${rows.join('\n')}`,
      part: null,
      heading: (made) => `<PAGE>\n${partOf(made)}\n\nITEM ${made.number}. ${made.title}`,
      text: (made) =>
        `${words(made).join('\n')}\n\n   17\n${pageHead(made)}\n\nMore is said on this page of the matter.`,
    });
    expect(differences(report, '10-Q', TEN_Q)).toEqual([]);
  });
  it('with signatures that have no heading', () => {
    const back = SIGNATURES[1]!.replace(/(.{60,75}) /g, '$1\n').replace('Section 13 or 15(d) of ', '');
    const report = typedReport(TEN_K, { heading: ({ number, title }) => `Item ${number}. ${title}`, back });
    expect(differences(report, '10-K', TEN_K)).toEqual([]);
  });
});

describe('headings whose title is not behind the number', () => {
  it.each([
    [
      'the number in brackets behind it',
      ({ number, title }: { number: string; title: string }) => `<p><b>${title} (Item ${number})</b></p>`,
    ],
    [
      'the number in brackets below it',
      ({ number, title }: { number: string; title: string }) => `<p>${title}</p><p>(Item ${number})</p>`,
    ],
    [
      'word, number and title on three lines',
      ({ number, title }: { number: string; title: string }) => `<p>ITEM</p><p>${number}.</p><p>${title}</p>`,
    ],
    ['no number', ({ title }: { title: string }) => `<p align="center"><b>${title.toUpperCase()}</b></p>`],
  ])('are found: %s', (_name, heading) => {
    expect(differences(htmlReport(TEN_K, { heading }), '10-K', TEN_K)).toEqual([]);
  });
  it('are found below a table of contents that alone has the word', () => {
    const front = TEN_K.map(({ number, title }) => `<div>Item ${number}. ${title}</div>`).join('');
    const heading = ({ number, title }: { number: string; title: string }) => `<p><b>${number}. ${title}</b></p>`;
    expect(differences(htmlReport(TEN_K, { front, heading }), '10-K', TEN_K)).toEqual([]);
  });
});
