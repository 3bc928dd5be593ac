/** The ways in which filer agents, word processors and typists print headings, contents and page furniture. All reports here are made up. */
import { describe, expect, it } from 'vitest';
import {
  differences,
  htmlReport,
  type MadeItem,
  OLD_TEN_K,
  partOf,
  SIGNATURES,
  SMALL_TEN_K,
  TEN_K,
  TEN_Q,
  typedReport,
  words,
} from './made-filings.ts';

type Heading = (made: MadeItem, k: number) => string;
const page = (k: number) => 3 + 4 * k;
const paragraph = (made: MadeItem) => `<p>${words(made).join(' ')}</p>`;
const bold: Heading = ({ number, title }) => `<p><b>Item ${number}. ${title}</b></p>`;
const typed: Heading = ({ number, title }) => `Item ${number}.  ${title}`;
const letterSmall = (word: string) =>
  word.replace(
    /\b(\p{L})(\p{L}+)/gu,
    (_all, first: string, rest: string) => `${first}<font size="1">${rest.toUpperCase()}</font>`,
  );

const HTML_HEADINGS: Record<string, Heading> = {
  bold: bold,
  'number and title without a space': ({ number, title }) => `<p>ITEM ${number}.${title.toUpperCase()}</p>`,
  'no space after the word': ({ number, title }) => `<p>ITEM${number}. ${title}</p>`,
  'a dash of references': ({ number, title }) => `<p>Item&nbsp;${number}&#160;&#151;&nbsp;${title}</p>`,
  'a dash before the title': ({ number, title }) => `<p>ITEM ${number} - ${title}</p>`,
  'a dash behind the word': ({ number, title }) => `<p>ITEM - ${number}. ${title}</p>`,
  'a dash in the number': ({ number, title }) => `<p>ITEM ${number.replace(/(\d)([A-C])/, '$1-$2')}. ${title}</p>`,
  'letters in brackets': ({ number, title }) =>
    `<p>Item ${number.replace(/(\d)([A-C])/, '$1(a)'.replace('a', '$2'))}. ${title}</p>`,
  'small letters in the number': ({ number, title }) => `<p>Item ${number.toLowerCase()}. ${title}</p>`,
  'small letters in brackets': ({ number, title }) =>
    `<p>Item ${number.toLowerCase().replace(/([a-c])$/, '($1)')} ${title}</p>`,
  'a space in the number': ({ number, title }) => `<p>Item ${number.replace(/(\d)([A-C])/, '$1 $2')}. ${title}</p>`,
  'the number in brackets': ({ number, title }) => `<p>Item (${number}) ${title}</p>`,
  'a closing bracket': ({ number, title }) => `<p>Item ${number}) ${title}</p>`,
  'a hash': ({ number, title }) => `<p>ITEM #${number} ${title}</p>`,
  'a colon': ({ number, title }) => `<p>Item ${number}: ${title}</p>`,
  'two colons': ({ number, title }) => `<p>ITEM: ${number}. ${title}</p>`,
  'a full stop behind the word': ({ number, title }) => `<p>ITEM. ${number} ${title}</p>`,
  'a bar': ({ number, title }) => `<p>Item ${number} | ${title}</p>`,
  'a slash': ({ number, title }) => `<p>Item ${number} / ${title}</p>`,
  'a title in quotes': ({ number, title }) => `<p>Item ${number}. &#147;${title}&#148;</p>`,
  'a title in brackets': ({ number, title }) => `<p>Item ${number}. [${title}]</p>`,
  'a bullet in front': ({ number, title }) => `<p>&#149; Item ${number}. ${title}</p>`,
  'an asterisk in front': ({ number, title }) => `<p>*Item ${number}. ${title}</p>`,
  'the part in front': (made) => `<p>${partOf(made)}, Item ${made.number}. ${made.title}</p>`,
  'the part in front with a dash': (made) => `<p>${partOf(made)} &#150; ITEM ${made.number} &#150; ${made.title}</p>`,
  'the company’s name behind': ({ number, title }) => `<p>Item ${number}. ${title} of the Company</p>`,
  'two cells': ({ number, title }) => `<table><tr><td>Item ${number}.</td><td>${title}</td></tr></table>`,
  'two cells and a spacer': ({ number, title }) =>
    `<table><tr><td>Item ${number}.</td><td>&nbsp;</td><td><b>${title}</b></td></tr></table>`,
  'the number alone in a cell': ({ number, title }) =>
    `<table><tr><td>ITEM</td><td>${number}</td><td>&nbsp;</td><td>${title}</td></tr></table>`,
  'two rows': ({ number, title }) => `<table><tr><td>Item ${number}.</td></tr><tr><td>${title}</td></tr></table>`,
  'cells of paragraphs': ({ number, title }) =>
    `<table><tr><td><p>Item ${number}.</p></td><td><p>${title}</p></td></tr></table>`,
  'broken by br': ({ number, title }) => `<p align="center">ITEM ${number}<br>${title}</p>`,
  'broken by two br': ({ number, title }) => `<p align="center">ITEM ${number}<br><br>${title}</p>`,
  'an empty paragraph between': ({ number, title }) => `<p>ITEM ${number}</p><p>&nbsp;</p><p>${title}</p>`,
  'title in two lines': ({ number, title }) => `<p>ITEM ${number}. ${title.replace(/ (?=\S+ \S+$)/, '<br>')}</p>`,
  'title in two paragraphs': ({ number, title }) =>
    `<p>ITEM ${number}. ${title.replace(/ (?=\S+ \S+$)/, '</p><p>')}</p>`,
  'a font tag about every word': ({ number, title }) =>
    `<p>${`Item ${number}. ${title}`
      .split(' ')
      .map((word) => `<font face="Arial">${word}</font>`)
      .join(' ')}</p>`,
  'a font tag about every letter': ({ number, title }) =>
    `<p>${[...`Item ${number}. ${title}`].map((letter) => `<font>${letter}</font>`).join('')}</p>`,
  'soft hyphens': ({ number, title }) => `<p>Item ${number}. ${title.replace(/(\w{4})(\w{3})/g, '$1&shy;$2')}</p>`,
  'zero-width characters': ({ number, title }) => `<p>\u200bItem\u200b&#8203; ${number}.\ufeff ${title}</p>`,
  'thin spaces': ({ number, title }) => `<p>Item&#8194;${number}.&#8195;&#8201;${title}</p>`,
  h2: ({ number, title }) => `<h2>Item ${number}. ${title}</h2>`,
  'an anchor about it': ({ number, title }) => `<p><a name="item${number}">Item ${number}. ${title}</a></p>`,
  'an anchor before it': ({ number, title }) =>
    `<a name="i${number}"></a><p><u>Item ${number}.</u>&nbsp; <u>${title}</u></p>`,
  'a link back to the contents': ({ number, title }) => `<p><a href="#toc">Item ${number}. ${title}</a></p>`,
  'small capitals': ({ number, title }) => `<p>I<font size="1">TEM</font> ${number}. ${letterSmall(title)}</p>`,
  'small capitals apart': ({ number, title }) =>
    `<p>I <font size="1">TEM</font> ${number}. ${title.replace(/\b(\p{L})(\p{L}+)/gu, '$1 <font size="1">$2</font>')}</p>`,
  'letters spaced': ({ number, title }) => `<p>I T E M ${number}. ${title}</p>`,
  'a list item': ({ number, title }) => `<ul><li>Item ${number}. ${title}</li></ul>`,
  'a definition list': ({ number, title }) => `<dl><dt>Item ${number}.<dd>${title}</dl>`,
  'divs with inline style': ({ number, title }) =>
    `<div style="font-weight:700"><span>Item ${number}.</span><span style="padding-left:3em">${title}</span></div>`,
  'floating divs': ({ number, title }) =>
    `<div><div style="float:left">Item ${number}.</div><div style="margin-left:8%">${title}</div></div>`,
  'the word in Roman type, number in bold': ({ number, title }) => `<p>Item <b>${number}.</b> <i>${title}</i></p>`,
  'underlined with a rule below': ({ number, title }) => `<p><u>Item ${number}.</u> <u>${title}</u></p><hr size="1">`,
  'the number above the title, centred': ({ number, title }) =>
    `<p align="center"><b>Item ${number}</b></p><p align="center"><b>${title}</b></p>`,
  'numbers spelt': ({ number, title }) =>
    `<p>Item ${number.replace(/^\d+$/, (n) => ['', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve', 'Thirteen', 'Fourteen', 'Fifteen'][Number(n)]!)}. ${title}</p>`,
  'Item No.': ({ number, title }) => `<p>Item No. ${number}. ${title}</p>`,
  'a letter l': ({ number, title }) => `<p>Item ${number.replace(/^1(?=$|[A-C])/, 'l')}. ${title}</p>`,
  'letter l in tens': ({ number, title }) => `<p>Item ${number.replace(/^1(?=\d)/, 'l')}. ${title}</p>`,
  'leading zeros': ({ number, title }) => `<p>Item ${number.replace(/^(\d)(?!\d)/, '0$1')}. ${title}</p>`,
  'the word misspelt in capitals': ({ number, title }) => `<p>ITEM  ${number}.. ${title}</p>`,
  'text behind a full stop': ({ number, title }) => `<p>Item ${number}. ${title}.`,
  'text behind a dash': ({ number, title }) => `<p>ITEM ${number}. ${title.toUpperCase()}&#151;`,
  'text behind underlined words': ({ number, title }) => `<p><u>Item ${number}.</u> <u>${title}</u> `,
  'text behind bold words': ({ number, title }) => `<p><b>Item ${number}. ${title}</b>&nbsp;&nbsp;`,
  'text in the cell beside': ({ number, title }) => `<table><tr><td>Item ${number}.</td><td>${title}. `,
  'text in the cell below': ({ number, title }) =>
    `<table><tr><td>Item ${number}.</td><td><b>${title}</b></td></tr><tr><td></td><td>`,
  'text behind br': ({ number, title }) => `<p><b>Item ${number}. ${title}</b><br>`,
};
const OPEN_ENDED = /^text /;
const ends = (name: string) => (/cell/.test(name) ? '</td></tr></table>' : '</p>');

describe('headings of HTML reports', () => {
  for (const [form, items] of [
    ['10-K', TEN_K],
    ['10-K405', OLD_TEN_K],
    ['10-Q', TEN_Q],
  ] as const) {
    it.each(Object.keys(HTML_HEADINGS))(`${form}: %s`, (name) => {
      const heading = HTML_HEADINGS[name]!;
      const making = OPEN_ENDED.test(name)
        ? { heading, text: (made: MadeItem) => `${words(made).join(' ')}${ends(name)}` }
        : { heading };
      expect(differences(htmlReport(items, making), form, items)).toEqual([]);
      // Without PART headings, and with a table of contents in front.
      const rows = items.map(
        (made, k) => `<tr><td>Item ${made.number}.</td><td>${made.title}</td><td>${page(k)}</td></tr>`,
      );
      const front = `<p>TABLE OF CONTENTS</p><table>${rows.join('')}</table>`;
      expect(differences(htmlReport(items, { ...making, part: null, front }), form, items)).toEqual([]);
    });
  }
});

const TYPED_HEADINGS: Record<string, Heading> = {
  'one line': typed,
  capitals: ({ number, title }) => `ITEM ${number}.${title.toUpperCase()}`,
  centred: ({ number, title }) =>
    `                         ITEM ${number}\n\n                    ${title.toUpperCase()}`,
  'a tab': ({ number, title }) => `Item ${number}.\t${title}`,
  'underlined by hyphens': ({ number, title }) =>
    `ITEM ${number}.  ${title}\n${'-'.repeat(8)}  ${'-'.repeat(title.length)}`,
  'underlined by equals signs': ({ number, title }) => `ITEM ${number}.  ${title}\n${'='.repeat(10 + title.length)}`,
  'underscores about it': ({ number, title }) => `_ITEM ${number}.  ${title}_`,
  'stars about it': ({ number, title }) => `**ITEM ${number}.  ${title}**`,
  'title in two lines, hanging': ({ number, title }) =>
    `Item ${number}.  ${title.replace(/ (?=\S+ \S+$)/, '\n          ')}`,
  'text behind a full stop': ({ number, title }) => `     Item ${number}.  ${title}.  `,
  'text behind two hyphens': ({ number, title }) => `ITEM ${number}. ${title.toUpperCase()} -- `,
  'number on its own line': ({ number, title }) => `ITEM ${number}.\n${title}`,
  'the part in front': (made) => `${partOf(made)}. ITEM ${made.number}. ${made.title}`,
  'markup of the nineties': ({ number, title }) => `<S>  <C>\nITEM ${number}.  ${title}`,
};

describe('headings of typewritten reports', () => {
  for (const [form, items] of [
    ['10-K', TEN_K],
    ['10-K', OLD_TEN_K],
    ['10-KSB', SMALL_TEN_K],
    ['10-Q', TEN_Q],
  ] as const) {
    it.each(Object.keys(TYPED_HEADINGS))(`${form} of ${items.length} items: %s`, (name) => {
      const heading = TYPED_HEADINGS[name]!;
      const text = (made: MadeItem) => words(made).join('\n');
      const making = OPEN_ENDED.test(name)
        ? { heading: (m: MadeItem, k: number) => `${heading(m, k)}${text(m)}`, text: () => '' }
        : { heading };
      expect(differences(typedReport(items, making), form, items)).toEqual([]);
      const rows = items.map(
        (made, k) => `  Item ${made.number}.  ${made.title.slice(0, 44).padEnd(46, ' .')} ${page(k)}`,
      );
      const front = `                TABLE OF CONTENTS\n                                        Page\n${rows.join('\n')}\n\n<PAGE>\n`;
      const between = (_made: MadeItem, k: number) => `                                   -${k}-\n<PAGE>\n`;
      expect(differences(typedReport(items, { ...making, part: null, front, between }), form, items)).toEqual([]);
    });
  }
});

const made = (items: readonly MadeItem[], ...codes: string[]) => items.filter((one) => codes.includes(one.code));
const without = (items: readonly MadeItem[], ...codes: string[]) => items.filter((one) => !codes.includes(one.code));
const rowsOf = (items: readonly MadeItem[], pages = true) =>
  items
    .map(
      (one, k) =>
        `<tr><td><a href="#i${k}">Item ${one.number}.</a></td><td><a href="#i${k}">${one.title}</a></td>${pages ? `<td>${page(k)}</td>` : ''}</tr>`,
    )
    .join('\n');
const contents = (items: readonly MadeItem[], pages = true) =>
  `<p>TABLE OF CONTENTS</p><table>${rowsOf(items, pages)}</table>`;
const many = (one: MadeItem) =>
  `<p>${words(one).join(' ')}</p>${'<p>Demand held up in all of our markets and the backlog grew.</p>'.repeat(6)}`;

const FORMS = [
  ['10-K', TEN_K],
  ['10-K405', OLD_TEN_K],
  ['10-KSB', SMALL_TEN_K],
  ['10-Q', TEN_Q],
] as const;

describe('contents', () => {
  const STYLES: Record<string, (items: readonly MadeItem[]) => { front?: string; back?: string }> = {
    'without page numbers': (items) => ({ front: contents(items, false) }),
    'at the end': (items) => ({ back: `${SIGNATURES.map((line) => `<p>${line}</p>`).join('')}${contents(items)}` }),
    'at the end, without page numbers': (items) => ({
      back: `${SIGNATURES.map((line) => `<p>${line}</p>`).join('')}${contents(items, false)}`,
    }),
    twice: (items) => ({ front: contents(items) + contents(items) }),
    'twice, one without page numbers': (items) => ({ front: contents(items, false) + contents(items) }),
    'of paragraphs with leaders': (items) => ({
      front: items.map((one, k) => `<p>Item ${one.number}. ${one.title}........${page(k)}</p>`).join(''),
    }),
    'of paragraphs without pages': (items) => ({
      front: items.map((one) => `<p>Item ${one.number}. ${one.title}</p>`).join(''),
    }),
    'in one paragraph with br': (items) => ({
      front: `<p>${items.map((one, k) => `Item ${one.number}. ${one.title} ${page(k)}`).join('<br>')}</p>`,
    }),
    'in one paragraph with br and no pages': (items) => ({
      front: `<p>${items.map((one) => `Item ${one.number}. ${one.title}`).join('<br>')}</p>`,
    }),
    'page numbers in front': (items) => ({
      front: `<table>${items.map((one, k) => `<tr><td>${page(k)}</td><td>Item ${one.number}.</td><td>${one.title}</td></tr>`).join('')}</table>`,
    }),
    'page numbers with F and S': (items) => ({
      front: `<table>${items.map((one, k) => `<tr><td>Item ${one.number}.</td><td>${one.title}</td><td>${/^(?:8|15)$/.test(one.number) ? 'F-1' : page(k)}</td></tr>`).join('')}</table>`,
    }),
    'page ranges': (items) => ({
      front: `<table>${items.map((one, k) => `<tr><td>Item ${one.number}.</td><td>${one.title}</td><td>${page(k)} - ${page(k) + 3}</td></tr>`).join('')}</table>`,
    }),
    'pages of one column, items of another': (items) => ({
      front: `<table><tr><td>${items.map((one) => `Item ${one.number}. ${one.title}`).join('<br>')}</td><td>${items.map((_one, k) => page(k)).join('<br>')}</td></tr></table>`,
    }),
    'with parts between': (items) => ({
      front: `<table>${items.map((one, k) => `${k === 0 || partOf(one) !== partOf(items[k - 1]!) ? `<tr><td colspan="3">${partOf(one)}</td></tr>` : ''}<tr><td>Item ${one.number}.</td><td>${one.title}</td><td>${page(k)}</td></tr>`).join('')}</table>`,
    }),
    'with sub-headings': (items) => ({
      front: `<table>${items.map((one, k) => `<tr><td>Item ${one.number}.</td><td>${one.title}</td><td>${page(k)}</td></tr><tr><td></td><td>Overview of the matter</td><td>${page(k)}</td></tr><tr><td></td><td>Results</td><td>${page(k) + 1}</td></tr>`).join('')}</table>`,
    }),
    'with page headings, “Page No.”': (items) => ({
      front: `<table><tr><td></td><td></td><td>Page No.</td></tr>${rowsOf(items)}</table>`,
    }),
    'with the word Page in each row': (items) => ({
      front: `<table>${items.map((one, k) => `<tr><td>Item ${one.number}.</td><td>${one.title}</td><td>Page ${page(k)}</td></tr>`).join('')}</table>`,
    }),
    'with “incorporated by reference” in rows': (items) => ({
      front: `<table>${items.map((one, k) => `<tr><td>Item ${one.number}.</td><td>${one.title}</td><td>${/^1[0-4]$/.test(one.number) ? 'Proxy Statement' : page(k)}</td></tr>`).join('')}</table>`,
    }),
    'with pages of two documents': (items) => ({
      front: `<table>${items.map((one, k) => `<tr><td>Item ${one.number}.</td><td>${one.title}</td><td>${page(k)}</td><td>${page(k) + 1}</td></tr>`).join('')}</table>`,
    }),
    'of titles alone, some items': (items) => ({ front: contents(items.slice(0, 4)) }),
  };
  for (const [form, items] of FORMS) {
    it.each(Object.keys(STYLES))(`${form}: %s`, (name) => {
      const style = STYLES[name]!(items);
      expect(differences(htmlReport(items, { heading: bold, ...style }), form, items)).toEqual([]);
      expect(differences(htmlReport(items, { heading: bold, part: null, text: many, ...style }), form, items)).toEqual(
        [],
      );
      expect(
        differences(
          htmlReport(items, {
            heading: ({ number, title }) => `<table><tr><td>Item ${number}.</td><td>${title}</td></tr></table>`,
            ...style,
          }),
          form,
          items,
        ),
      ).toEqual([]);
    });
  }
});

describe('page furniture', () => {
  const FURNITURE: Record<
    string,
    (items: readonly MadeItem[]) => { between: (one: MadeItem, k: number) => string; text?: (one: MadeItem) => string }
  > = {
    'page number, rule, link to the contents': () => ({
      between: (_one, k) => `<p align="center">${k}</p><hr><p><a href="#toc">Table of Contents</a></p>`,
    }),
    'continued headings on the next pages': () => ({
      between: () => '',
      text: (one) =>
        `${paragraph(one)}<p>14</p><hr style="page-break-after:always"><p><b>Item ${one.number}. ${one.title} (continued)</b></p><p>More of it.</p>`,
    }),
    'continued headings, short': () => ({
      between: () => '',
      text: (one) =>
        `${paragraph(one)}<p>14</p><hr style="page-break-after:always"><p>Item ${one.number}. (Cont’d)</p><p>More of it.</p>`,
    }),
    'continued headings, dash': () => ({
      between: () => '',
      text: (one) =>
        `${paragraph(one)}<p>14</p><hr style="page-break-after:always"><p><b>Item ${one.number}. ${one.title} – Continued</b></p><p>More of it.</p>`,
    }),
    'the same heading again on the next page': () => ({
      between: () => '',
      text: (one) =>
        `${paragraph(one)}<p>14</p><hr style="page-break-after:always"><p><b>Item ${one.number}. ${one.title}</b></p><p>More of it.</p>`,
    }),
    'parts on every page': () => ({
      between: () => '',
      text: (one) =>
        `${paragraph(one)}<p>14</p><hr style="page-break-after:always"><p>${partOf(one)}</p><p>Item ${one.number}</p><p>More of it.</p>`,
    }),
    'back references at line starts': (items) => ({
      between: () => '',
      text: (one) =>
        `${paragraph(one)}${items
          .slice(0, 9)
          .map(
            (other) =>
              `<p>Item ${other.number}. ${other.title} of this report tells more.</p><p>Item ${other.number} of ${partOf(other)} says why.</p>`,
          )
          .join('')}<p>See Item 1. Business and Item 1A. Risk Factors.</p>`,
    }),
    'references in bold, in quotes': (items) => ({
      between: () => '',
      text: (one) =>
        `${paragraph(one)}${items
          .slice(0, 5)
          .map((other) => `<p>“<b>Item ${other.number}. ${other.title}</b>”</p>`)
          .join('')}`,
    }),
    'references in italics within a sentence cut into lines': (items) => ({
      between: () => '',
      text: (one) =>
        `${paragraph(one)}${items
          .slice(0, 5)
          .map((other) => `<p>You should read this with <i>Item ${other.number}. ${other.title}</i> above.</p>`)
          .join('')}`,
    }),
  };
  for (const [form, items] of FORMS) {
    it.each(Object.keys(FURNITURE))(`${form}: %s`, (name) => {
      const furniture = FURNITURE[name]!(items);
      expect(differences(htmlReport(items, { heading: bold, ...furniture }), form, items)).toEqual([]);
      expect(
        differences(htmlReport(items, { heading: bold, front: contents(items), ...furniture }), form, items),
      ).toEqual([]);
    });
  }
});

describe('reports that are partial', () => {
  it.each([
    ['only Part III', made(TEN_K, '10', '11', '12', '13', '14')],
    ['only Part III and exhibits', made(TEN_K, '10', '11', '12', '13', '14', '15')],
    ['only exhibits', made(TEN_K, '15')],
    ['only Item 8', made(TEN_K, '8')],
    ['Items 8 and 15', made(TEN_K, '8', '15')],
    ['Items 7, 8 and 9A', made(TEN_K, '7', '8', '9A')],
    ['all but a few', without(TEN_K, '1B', '4', '6', '7A')],
  ])('10-K/A of %s', (_name, items) => {
    for (const heading of [bold, HTML_HEADINGS['two cells']!, HTML_HEADINGS['the number above the title, centred']!]) {
      expect(differences(htmlReport(items, { heading }), '10-K/A', items)).toEqual([]);
      expect(differences(htmlReport(items, { heading, part: null }), '10-K/A', items)).toEqual([]);
      const note =
        '<p>EXPLANATORY NOTE</p><p>This amendment is filed to add the information that Part III, Items 10 to 14, and Item 15 of Form 10-K ask for.</p><p>Item 15 is amended to add certificates.</p>';
      expect(differences(htmlReport(items, { heading, front: note }), '10-K/A', items)).toEqual([]);
    }
  });

  it.each([
    ['no Item 3 and 4', without(TEN_Q, 'I-3', 'I-4')],
    ['no Part II but Item 6', without(TEN_Q, 'II-1', 'II-1A', 'II-2', 'II-3', 'II-4', 'II-5')],
    ['no 1A', without(TEN_Q, 'II-1A')],
    ['only Part I', made(TEN_Q, 'I-1', 'I-2', 'I-3', 'I-4')],
    ['II-1 and II-6', made(TEN_Q, 'I-1', 'I-2', 'II-1', 'II-6')],
    ['II-5 and II-6', made(TEN_Q, 'I-1', 'I-2', 'I-3', 'I-4', 'II-5', 'II-6')],
    ['II-2 and II-4', made(TEN_Q, 'I-1', 'I-2', 'I-4', 'II-2', 'II-4', 'II-6')],
  ])('10-Q with %s', (_name, items) => {
    const heads = [bold, HTML_HEADINGS['two cells']!, HTML_HEADINGS['text behind a full stop']!];
    for (const heading of heads) {
      const text = heading === heads[2] ? (one: MadeItem) => `${words(one).join(' ')}</p>` : paragraph;
      expect(differences(htmlReport(items, { heading, text }), '10-Q', items)).toEqual([]);
      expect(differences(htmlReport(items, { heading, text, part: null }), '10-Q', items)).toEqual([]);
      const first = (part: string) => (part === 'PART I' ? '<p>PART I - FINANCIAL INFORMATION</p>' : '');
      expect(differences(htmlReport(items, { heading, text, part: first }), '10-Q', items)).toEqual([]);
      const second = (part: string) => (part === 'PART II' ? '<p>PART II. OTHER INFORMATION</p>' : '');
      expect(differences(htmlReport(items, { heading, text, part: second }), '10-Q', items)).toEqual([]);
      expect(differences(htmlReport(items, { heading, text, front: contents(items) }), '10-Q', items)).toEqual([]);
    }
  });
});

describe('oddities', () => {
  const p = (text: string) => `<p>${text}</p>`;
  const b = (text: string) => `<p><b>${text}</b></p>`;
  const one = (items: readonly MadeItem[], code: string) => made(items, code)[0]!;
  const line = (made_: MadeItem) => b(`Item ${made_.number}. ${made_.title}`);
  const section = (items: readonly MadeItem[], ...codes: string[]) =>
    made(items, ...codes)
      .map((m) => line(m) + paragraph(m))
      .join('');
  const signed = SIGNATURES.map(p).join('');

  it('“Items 1, 3, 4 and 5 are not applicable” is not a heading that takes another’s text', () => {
    const html =
      section(TEN_Q, 'I-1', 'I-2') +
      b('PART II. OTHER INFORMATION') +
      p('Items 1, 2, 3, 4 and 5 are not applicable.') +
      section(TEN_Q, 'II-6') +
      signed;
    const wrong = differences(html, '10-Q', made(TEN_Q, 'I-1', 'I-2', 'II-6'));
    expect(wrong.filter((each) => !/invented/.test(each))).toEqual([]);
  });

  it('“Item 2. through Item 5. None” is one span', () => {
    const html =
      section(TEN_Q, 'I-1', 'I-2') +
      b('PART II. OTHER INFORMATION') +
      section(TEN_Q, 'II-1') +
      p('Item 2. through Item 5. None.') +
      section(TEN_Q, 'II-6') +
      signed;
    const wrong = differences(html, '10-Q', made(TEN_Q, 'I-1', 'I-2', 'II-1', 'II-6'));
    expect(wrong.filter((each) => !/invented/.test(each))).toEqual([]);
  });

  it.each([
    'PART II - OTHER INFORMATION Item 1. Legal Proceedings',
    'PART II<br>OTHER INFORMATION<br>Item 1. Legal Proceedings',
    'PART II. OTHER INFORMATION, ITEM 1. LEGAL PROCEEDINGS',
    'Part II, Item 1. Legal Proceedings',
    'PART II: OTHER INFORMATION – Item 1 – Legal Proceedings',
  ])('the part on the line of its first item: %s', (heading) => {
    const html =
      section(TEN_Q, 'I-1', 'I-2', 'I-4') +
      b(heading) +
      paragraph(one(TEN_Q, 'II-1')) +
      section(TEN_Q, 'II-2', 'II-6') +
      signed;
    expect(differences(html, '10-Q', made(TEN_Q, 'I-1', 'I-2', 'I-4', 'II-1', 'II-2', 'II-6'))).toEqual([]);
  });

  it.each([
    'Item 1. Financial Statements (Unaudited)',
    'Item 1. Condensed Consolidated Financial Statements',
    'Item 1. Consolidated Financial Statements (unaudited):',
    'ITEM 1. FINANCIAL STATEMENTS. (See Notes)',
    'Item 1. Unaudited Financial Statements',
    'Item 1. Interim Financial Statements of the Company',
    'Item 1. Financial Information',
    'Item 1 - Balance Sheets',
    'Item 1.',
  ])('Item 1 of a quarterly report without a Part I: %s', (heading) => {
    const html =
      b(heading) +
      paragraph(one(TEN_Q, 'I-1')) +
      section(TEN_Q, 'I-2', 'I-3', 'I-4') +
      b('PART II') +
      section(TEN_Q, 'II-1', 'II-6') +
      signed;
    expect(differences(html, '10-Q', made(TEN_Q, 'I-1', 'I-2', 'I-3', 'I-4', 'II-1', 'II-6'))).toEqual([]);
  });

  it.each([
    'Items 1 &amp; 2. Business and Properties',
    'Items 1. and 2. Business and Properties',
    'Item 1 and Item 2. Business and Properties',
    'ITEM 1. AND ITEM 2. BUSINESS AND PROPERTIES',
    'Item 1/2. Business and Properties',
    'Items 1-2. Business and Properties',
    'Item 1. Business; Item 2. Properties',
    'ITEMS 1 and 2 – BUSINESS AND PROPERTIES',
    'Item 1. and 2. Business and Properties',
    'Items 1 + 2. Business and Properties',
    'Items One and Two. Business and Properties',
    'Item 1 &amp; 2. Business and Properties',
    'Items 1. Business and 2. Properties',
  ])('a combined heading: %s', (heading) => {
    const items = without(TEN_K, '2');
    const html =
      b(heading) + paragraph(one(TEN_K, '1')) + section(TEN_K, ...without(items, '1').map((m) => m.code)) + signed;
    expect(differences(html, '10-K', items).filter((each) => each !== '2 is invented')).toEqual([]);
    expect(differences(html, '10-K', items)).toContain('2 is invented');
  });

  it.each([
    'Items 10 through 14.',
    'ITEMS 10, 11, 12, 13 AND 14',
    'Items 10-14',
    'Item 10 through Item 14.',
    'ITEMS 10. TO 14.',
    'Items 10 thru 14 inclusive',
    'Items 10., 11., 12., 13. and 14.',
    'Item 10, Item 11, Item 12, Item 13 and Item 14',
    'Items 10 — 14',
  ])('Part III under one heading: %s', (heading) => {
    const items = without(TEN_K, '11', '12', '13', '14');
    const html =
      section(TEN_K, ...without(items, '10', '15').map((m) => m.code)) +
      b('PART III') +
      b(heading) +
      paragraph(one(TEN_K, '10')) +
      b('PART IV') +
      section(TEN_K, '15') +
      signed;
    const wrong = differences(html, '10-K', items);
    expect(wrong.toSorted()).toEqual(['11 is invented', '12 is invented', '13 is invented', '14 is invented']);
  });

  it.each([
    'ITEM 7A. QUANTITATIVE',
    'Item 7-A. Quantitative',
    'ITEM 7.A. Quantitative',
    'Item 7a - Quantitative',
    'Item 7 (a). Quantitative',
    'Item 7(A): Quantitative',
    'Item 7A) Quantitative',
    'Item&nbsp;7&nbsp;A. Quantitative',
    'ITEM 7 A QUANTITATIVE',
    'Item 7 - A. Quantitative',
    'Item 7<b>A</b>. Quantitative',
    'Item No. 7A. Quantitative',
    'Item 7.a. Quantitative',
    'Item 7.(a) Quantitative',
  ])('the number of Item 7A: %s', (start) => {
    const html =
      section(TEN_K, '6', '7') +
      p(`${start} and Qualitative Disclosures About Market Risk`) +
      paragraph(one(TEN_K, '7A')) +
      section(TEN_K, '8', '9') +
      signed;
    expect(differences(html, '10-K', made(TEN_K, '6', '7', '7A', '8', '9'))).toEqual([]);
  });

  it.each([
    'ITEM 9A(T). CONTROLS AND PROCEDURES',
    'Item 9A (T) – Controls and Procedures',
    'Item 9AT. Controls and Procedures',
    'Item 9A[T]. Controls and Procedures',
    'Item 9(A)T. Controls and Procedures',
    'Item 9(A)(T). Controls and Procedures',
    'Item 9A/9A(T). Controls and Procedures',
    'Item 9A-T. Controls and Procedures',
    'Item 9A and 9A(T). Controls and Procedures',
  ])('the number of Item 9A: %s', (heading) => {
    const html =
      section(TEN_K, '8', '9') + p(heading) + paragraph(one(TEN_K, '9A')) + section(TEN_K, '9B', '10') + signed;
    expect(differences(html, '10-K', made(TEN_K, '8', '9', '9A', '9B', '10'))).toEqual([]);
  });

  it.each(['Item 5(a)', 'Item 1(a)', 'Item 15(a)(1)', 'Item 15(b). Exhibits', 'Item 8(a)'])(
    '%s within an item is a part of it',
    (sub) => {
      const code = /\d+/.exec(sub)![0];
      const items = TEN_K;
      const html = items.map((m) => line(m) + (m.code === code ? p(sub) : '') + paragraph(m)).join('') + signed;
      expect(differences(html, '10-K', items)).toEqual([]);
    },
  );

  it('an annual report as exhibit 13, and an index of exhibits that repeats items, behind the signatures', () => {
    const exhibit =
      signed +
      p('EXHIBIT INDEX') +
      `<table>${rowsOf(TEN_K.slice(0, 6))}</table>` +
      p('Exhibit 13') +
      b('Management’s Discussion and Analysis') +
      p('Profits were up. Item 7. Management’s Discussion was up too.').repeat(5) +
      b('Item 8. Financial Statements and Supplementary Data') +
      p('Balance sheets.').repeat(40);
    expect(differences(htmlReport(TEN_K, { heading: bold, back: exhibit }), '10-K', TEN_K)).toEqual([]);
  });

  it('signatures in the midst: an exhibit or the statements follow them', () => {
    const statements =
      signed +
      p('INDEX TO FINANCIAL STATEMENTS') +
      p('Report of Independent Accountants').repeat(3) +
      p('Note 1. Item 1. Business of the Company is to sell.').repeat(3) +
      signed;
    expect(differences(htmlReport(TEN_K, { heading: bold, back: statements }), '10-K', TEN_K)).toEqual([]);
  });

  it.each([
    'SIGNATURE',
    'Signatures',
    'S I G N A T U R E S',
    'SIGNATURES:',
    '<u>SIGNATURES</u>',
    'SIGNATURE PAGE',
    'SIGNATURE(S)',
    '14<br>SIGNATURES',
  ])('signatures headed %s', (heading) => {
    expect(
      differences(htmlReport(TEN_K, { heading: bold, back: p(heading) + p(SIGNATURES[1]!) }), '10-K', TEN_K),
    ).toEqual([]);
  });

  it('signatures without a heading', () => {
    expect(differences(htmlReport(TEN_K, { heading: bold, back: p(SIGNATURES[1]!) }), '10-K', TEN_K)).toEqual([]);
  });

  it('NUL bytes and dashes of windows-1252 left undecoded', () => {
    const nul = htmlReport(TEN_K, { heading: ({ number, title }) => p(`Item\0 ${number}.\0\0 ${title}`) });
    expect(differences(nul, '10-K', TEN_K)).toEqual([]);
    for (const dash of ['\u0097', '\u0096', '\ufffd', '\u2022', '\u00b7', '\u2212', '\u2010', '\u2011', '~'])
      expect(
        differences(
          htmlReport(TEN_K, { heading: ({ number, title }) => p(`Item ${number} ${dash} ${title}`) }),
          '10-K',
          TEN_K,
        ),
        dash,
      ).toEqual([]);
  });

  it('short bodies: “None.”, “Not applicable.”, references to the proxy statement', () => {
    const text = (m: MadeItem) =>
      p(`${/^(?:1B|3|4|6|9|9B)$/.test(m.code) ? 'None.' : ''} opens${m.code} See closes${m.code}`);
    for (const heading of [
      bold,
      HTML_HEADINGS['two cells']!,
      HTML_HEADINGS['text behind a full stop']!,
      HTML_HEADINGS['text behind underlined words']!,
    ])
      for (const front of [undefined, contents(TEN_K), contents(TEN_K, false)])
        expect(differences(htmlReport(TEN_K, { heading, text, ...(front ? { front } : {}) }), '10-K', TEN_K)).toEqual(
          [],
        );
  });

  it('titles that run on, “Not applicable” in the heading’s own line', () => {
    for (const tail of [
      ' None.',
      ' – None',
      ' (Not applicable)',
      ': Not applicable.',
      ' Not applicable',
      '. None.',
      ' - N/A',
      ' [Reserved]',
      ' (Removed and Reserved)',
    ])
      expect(
        differences(
          htmlReport(TEN_K, {
            heading: (m, k) => (/^(?:1B|4|9|9B)$/.test(m.code) ? p(`Item ${m.number}. ${m.title}${tail}`) : bold(m, k)),
          }),
          '10-K',
          TEN_K,
        ),
        tail,
      ).toEqual([]);
  });
});

describe('numbers without the word “Item”', () => {
  const WORDLESS: Record<string, Heading> = {
    'number and title': ({ number, title }) => `<p><b>${number}. ${title}</b></p>`,
    capitals: ({ number, title }) => `<p>${number}. ${title.toUpperCase()}</p>`,
    'two cells': ({ number, title }) => `<table><tr><td>${number}.</td><td><b>${title}</b></td></tr></table>`,
    'a dash': ({ number, title }) => `<p>${number} – ${title}</p>`,
  };
  for (const [form, items] of FORMS) {
    it.each(Object.keys(WORDLESS))(`${form}: %s`, (name) => {
      const heading = WORDLESS[name]!;
      const notes = (m: MadeItem) =>
        paragraph(m) +
        (/^(?:8|I-1)$/.test(m.code)
          ? ['1. Basis of Presentation', '2. Properties', '3. Legal Proceedings', '4. Other Information']
              .map((note) => `<p><b>${note}</b></p><p>A note says more.</p>`)
              .join('')
          : '');
      expect(differences(htmlReport(items, { heading }), form, items)).toEqual([]);
      expect(differences(htmlReport(items, { heading, text: notes }), form, items)).toEqual([]);
      expect(differences(htmlReport(items, { heading, front: contents(items) }), form, items)).toEqual([]);
    });
  }
});

describe('text that is not an item', () => {
  const found = (html: string, form: string) => differences(html, form, []);
  const p = (text: string) => `<p>${text}</p>`;
  const long = p('The company sold more than in the year before, at better prices and in more countries.').repeat(3);

  it('numbered notes and agreements are not items without the word', () => {
    const notes = [
      '1. Basis of Presentation',
      '2. Properties',
      '3. Legal Proceedings',
      '4. Other Information',
      '5. Executive Compensation',
      '6. Exhibits',
      '7. Risk Factors',
      '8. Financial Statements',
    ];
    const html = notes.map((note) => `<p><b>${note}</b></p>${long}`).join('');
    expect(found(html, '10-K')).toEqual([]);
    expect(found(html, '10-Q')).toEqual([]);
  });

  it('rows of contents without the word and with pages are not items', () => {
    const rows = TEN_K.map((one, k) => `<tr><td>${one.number}.</td><td>${one.title}</td><td>${page(k)}</td></tr>`).join(
      '',
    );
    expect(found(`<table>${rows}</table>${long}`, '10-K')).toEqual([]);
  });

  it('notes numbered like items are none if the report has items with the word', () => {
    const text = (one: MadeItem) =>
      paragraph(one) +
      (one.code === '8'
        ? TEN_K.map((other) => `<p><b>${other.number}. ${other.title}</b></p><p>Noted.</p>`).join('')
        : '');
    expect(differences(htmlReport(TEN_K, { heading: bold, text }), '10-K', TEN_K)).toEqual([]);
  });

  it.each([
    'Items 1 to 3 of Part II of this report are answered above.',
    'Item 1; Item 2 and Item 3 of the proxy statement.',
    'Items 1 and 2 of this report',
    'Item 1/2 of the list below',
    'Item lot',
    'Item 1o1',
  ])('%s', (line) => {
    expect(found(p(line) + long, '10-K')).toEqual([]);
  });

  it.each([
    'Item 1(a). General Development of Business',
    'Item 1.(a) General Development of Business',
    'Item 1(c) Narrative Description',
  ])('%s is not an Item 1A', (heading) => {
    const codes = found(
      `<p>Item 1. Business</p>${long}<p>${heading}</p>${long}<p>Item 2. Properties</p>${long}<p>Item 3. Legal Proceedings</p>${long}`,
      '10-K405',
    );
    expect(codes).toEqual(['1 is invented', '2 is invented', '3 is invented']);
  });
});

describe('titles that are not the form’s own', () => {
  const OTHERS: Record<string, string> = {
    '1': 'Business and Strategy',
    '2': 'Facilities',
    '3': 'Litigation',
    '5': 'Common Stock Prices and Dividends',
    '6': 'Five-Year Summary',
    '7': 'Financial Review',
    '8': 'Audited Accounts',
    '9': 'Not applicable',
    '10': 'Management',
    '12': 'Stock Ownership',
    '13': 'Related Party Transactions',
    '14': 'Auditors’ Fees',
    '15': 'Documents Filed as Part of this Report',
  };
  it.each([
    'bold',
    'two cells',
    'broken by br',
    'the number above the title, centred',
    'capitals',
    'text behind underlined words',
  ])('set as: %s', (name) => {
    const heading = HTML_HEADINGS[name] ?? ((one: MadeItem) => `<p>ITEM ${one.number}. ${one.title.toUpperCase()}</p>`);
    const text = OPEN_ENDED.test(name) ? (one: MadeItem) => `${words(one).join(' ')}</p>` : paragraph;
    const items = TEN_K.map((one) => ({ ...one, title: OTHERS[one.code] ?? one.title }));
    expect(differences(htmlReport(items, { heading, text }), '10-K', items)).toEqual([]);
    expect(differences(htmlReport(items, { heading, text, front: contents(items) }), '10-K', items)).toEqual([]);
  });
});

describe('a title above its number', () => {
  it.each(FORMS)('%s: each section is found', (form, items) => {
    const heading: Heading = ({ number, title }) =>
      `<p align="center"><b>${title}</b></p><p align="center">Item ${number}</p>`;
    const html = htmlReport(items, { heading });
    expect(differences(html, form, items)).toEqual([]);
  });
});
