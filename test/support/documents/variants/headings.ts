/** Ways to print an item's heading that change its words or its layout. */
import { random } from '../rearrange.ts';
import { type Block, type FilingBlocks, tagsOf } from './filing-blocks.ts';

/** Writes the heading of an item; `$1` stands for nothing here: the words come as arguments. */
export type Setting = (number: string, title: string, block: Block) => string;

export interface HeadingVariant {
  name: string;
  html?: Setting;
  typed?: Setting;
  /** The running text follows in the same paragraph. */
}

const ROMANS = [
  '',
  'I',
  'II',
  'III',
  'IV',
  'V',
  'VI',
  'VII',
  'VIII',
  'IX',
  'X',
  'XI',
  'XII',
  'XIII',
  'XIV',
  'XV',
  'XVI',
];
const WORDS = ' One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen'.split(
  ' ',
);
const parted = (number: string) => /^(\d+)([A-C]?)$/.exec(number)!;
const roman = (number: string) => ROMANS[Number(parted(number)[1])]! + parted(number)[2]!;
const inWords = (number: string) =>
  `${WORDS[Number(parted(number)[1])]}${parted(number)[2]! && ` ${parted(number)[2]}`}`;
const bracketed = (number: string, letter = (one: string) => one) =>
  number.replace(/[A-C]$/, (one) => `(${letter(one)})`);

/** Titles that no form prints, as filers make them up. By what the title is about, not by number. */
const OTHER_TITLES: readonly [RegExp, readonly string[]][] = [
  [
    /^business/i,
    ['About Our Company', 'Who We Are and What We Do', 'Narrative Description of Operations', 'Company Overview'],
  ],
  [/^risk factor/i, ['Risks and Uncertainties', 'What Could Go Wrong', 'Cautionary Factors', 'Principal Risks']],
  [/^unresolved/i, ['Staff Comments', 'Comments of the Commission Not Yet Resolved', 'Open Staff Comments']],
  [/^cyber/i, ['Information Security', 'Security of Our Systems', 'Data Security and Governance']],
  [/^propert/i, ['Facilities', 'Our Places of Work', 'Plants and Offices', 'Location and Premises']],
  [/^legal/i, ['Litigation', 'Lawsuits and Claims', 'Judicial and Administrative Proceedings', 'Contingencies']],
  [/^mine/i, ['Safety in Our Mines', 'Mines', 'Disclosure Regarding Mines']],
  [/^submission/i, ['Votes of Shareholders', 'Matters Voted Upon', 'Results of Votes of Security Holders']],
  [
    /^market/i,
    ['Our Common Stock', 'Stock Price, Dividends and Holders', 'The Trading of Our Shares', 'Common Stock Data'],
  ],
  [/^selected|^\[?reserved|^removed/i, ['Five-Year Summary', 'Financial Highlights', 'Summary of Financial Data']],
  [/^management/i, ['Financial Review', 'Review of Operations', 'Results of Our Operations and Our Liquidity', 'MD&A']],
  [/^quantitative/i, ['Market Risk', 'Exposure to Interest Rates and Currencies', 'Sensitivity to Market Prices']],
  [
    /^(?:condensed |consolidated )*financial statements/i,
    ['Financials', 'Accounts and Notes', 'Report of Auditors, Statements and Notes'],
  ],
  [/^changes in/i, ['Accountants', 'Auditor Changes', 'Disputes with Auditors']],
  [/^controls/i, ['Internal Control', 'Effectiveness of Our Controls', 'Procedures for Disclosure']],
  [/^other info/i, ['Miscellaneous', 'Additional Matters', 'Anything Else']],
  [/^disclosure regarding foreign/i, ['Foreign Inspections', 'Holding Foreign Companies Accountable']],
  [/^director/i, ['Management', 'Our Board and Officers', 'Governance', 'The Board']],
  [/^executive comp/i, ['Pay of Executives', 'Remuneration', 'Compensation']],
  [/^security own/i, ['Principal Stockholders', 'Stock Ownership', 'Holdings of Management and Others']],
  [/^certain rel/i, ['Related Parties', 'Dealings with Insiders', 'Independence and Related Persons']],
  [/^principal acc/i, ['Audit Fees', 'Fees Paid to Auditors', 'Our Accountants and Their Fees']],
  [/^exhibits/i, ['Schedules and Attachments', 'Documents Filed With This Report', 'List of Documents']],
  [/^form 10/i, ['Summary of This Report', 'Abstract']],
  [/^unregistered/i, ['Share Repurchases', 'Stock Issued and Bought Back', 'Purchases of Our Shares']],
  [/^default/i, ['Senior Securities', 'Arrears and Dividends Unpaid']],
];

export function otherTitle(title: string, seed: number): string {
  for (const [pattern, others] of OTHER_TITLES) if (pattern.test(title)) return others[seed % others.length]!;
  return ['Further Matters of the Registrant', 'Various', 'Statement of the Company'][seed % 3]!;
}

/** Two letters change places in one long word of every title, as typists do. */
function misspelt(title: string, seed: number): string {
  const words = title.split(' ');
  const next = random(seed + 5);
  const long = words.flatMap((word, i) => (/^[A-Za-z]{6,}/.test(word) ? [i] : []));
  if (long.length === 0) return title;
  const i = long[Math.floor(next() * Math.min(2, long.length))]!;
  const at = 2 + Math.floor(next() * (words[i]!.length - 4));
  const word = words[i]!;
  words[i] = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2);
  return words.join(' ');
}

const spaced = (text: string) => [...text].join(' ');
const softly = (title: string) => title.replace(/([A-Za-z]{3})(?=[A-Za-z]{3})/g, '$1&shy;');
const words2 = (title: string): [string, string] => {
  const words = title.split(' ');
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half).join(' '), words.slice(half).join(' ')];
};
const code = (block: Block) => block.codes[0]!.length * 7 + block.codes[0]!.charCodeAt(block.codes[0]!.length - 1);

/** The word "Item", the number and the title in other characters. */
export const HEADING_WORDS: readonly HeadingVariant[] = [
  {
    name: 'number in words',
    html: (n, t) => `<p><b>Item ${inWords(n)}. ${t}</b></p>`,
    typed: (n, t) => `\nITEM ${inWords(n).toUpperCase()}.  ${t.toUpperCase()}\n\n`,
  },
  {
    name: 'Roman numerals',
    html: (n, t) => `<p>ITEM ${roman(n)}. ${t}</p>`,
    typed: (n, t) => `\nItem ${roman(n)}  -  ${t}\n\n`,
  },
  {
    name: 'letter in brackets',
    html: (n, t) => `<p>ITEM ${bracketed(n)} ${t}</p>`,
    typed: (n, t) => `\nITEM ${bracketed(n, (one) => one.toLowerCase())}. ${t}\n\n`,
  },
  { name: 'Item No.', html: (n, t) => `<div>Item No. ${n} ${t}</div>`, typed: (n, t) => `\nItem No. ${n}.  ${t}\n\n` },
  {
    name: 'Item Number',
    html: (n, t) => `<div>ITEM NUMBER ${n}: ${t}</div>`,
    typed: (n, t) => `\nItem Number ${n} - ${t}\n\n`,
  },
  {
    name: 'spaced letters',
    html: (n, t) => `<p align="center">I T E M ${n}. ${spaced(t.toUpperCase())}</p>`,
    typed: (n, t) => `\n        I T E M  ${n}.  ${t}\n\n`,
  },
  { name: 'nothing between', html: (n, t) => `<p>Item${n}${t}</p>`, typed: (n, t) => `\nITEM${n}${t}\n\n` },
  {
    name: 'soft hyphens and no-break spaces',
    html: (n, t) => `<p>It&shy;em&nbsp;&#8203;${n}.&#8195;&nbsp;${softly(t)}</p>`,
  },
  {
    name: 'small capitals of two sizes',
    html: (n, t) =>
      `<p><font size="3">I</font><font size="2">TEM</font> <font size="3">${n}</font>. ${t.replace(/\b([A-Za-z])([A-Za-z]+)/g, (_a, x: string, y: string) => `<font size="3">${x.toUpperCase()}</font><font size="2">${y.toUpperCase()}</font>`)}</p>`,
  },
  {
    name: 'misspelt titles',
    html: (n, t, b) => `<p>Item ${n}. ${misspelt(t, code(b))}</p>`,
    typed: (n, t, b) => `\nItem ${n}. ${misspelt(t, code(b))}\n\n`,
  },
  {
    name: 'unusual titles',
    html: (n, t, b) => `<p>Item ${n}. ${otherTitle(t, code(b))}</p>`,
    typed: (n, t, b) => `\nITEM ${n}. ${otherTitle(t, code(b)).toUpperCase()}\n\n`,
  },
  {
    name: 'unusual titles, no stop',
    html: (n, t, b) => `<p><b>ITEM ${n} ${otherTitle(t, code(b)).toUpperCase()}</b></p>`,
    typed: (n, t, b) => `\nItem ${n}   ${otherTitle(t, code(b))}\n\n`,
  },
  { name: 'number alone', html: (n) => `<p><b>Item ${n}.</b></p>`, typed: (n) => `\nITEM ${n}\n\n` },
  {
    name: 'longer titles',
    html: (n, t) => `<p>Item ${n}. ${t} of the Company and Its Consolidated Subsidiaries for the Year</p>`,
    typed: (n, t) => `\nItem ${n}. ${t} of the Company\n          and Its Subsidiaries\n\n`,
  },
  {
    name: 'remark behind the title',
    html: (n, t) => `<p>Item ${n}. ${t} (not covered by the report of the independent auditors)</p>`,
    typed: (n, t) => `\nItem ${n}. ${t} (unaudited)\n\n`,
  },
  {
    name: 'without the word',
    html: (n, t) => `<p><b>${n}. ${t}</b></p>`,
    typed: (n, t) => `\n${n}.  ${t.toUpperCase()}\n\n`,
  },
  {
    name: 'titles alone',
    html: (_n, t) => `<p align="center"><b>${t.toUpperCase()}</b></p>`,
    typed: (_n, t) => `\n                    ${t.toUpperCase()}\n\n`,
  },
];

/** Layouts of a heading: on several lines, in cells, in the paragraph. */
export const HEADING_PLACES: readonly HeadingVariant[] = [
  {
    name: 'three lines',
    html: (n, t) => `<p align="center">ITEM</p><p align="center">${n}.</p><p align="center">${t}</p>`,
    typed: (n, t) =>
      `\n                 ITEM ${n}\n\n                 ${words2(t)[0]}\n                 ${words2(t)[1]}\n\n`,
  },
  {
    name: 'title over two cells',
    html: (n, t) =>
      `<table><tr><td>Item</td><td>${n}.</td><td>${words2(t)[0]}</td></tr><tr><td></td><td></td><td>${words2(t)[1]}</td></tr></table>`,
  },
  {
    name: 'title above the number',
    html: (n, t) => `<p align="center"><b>${t}</b></p><p align="center">(Item ${n})</p>`,
    typed: (n, t) => `\n               ${t.toUpperCase()}\n                     (Item ${n})\n\n`,
  },
  {
    name: 'number behind the title',
    html: (n, t) => `<p><b>${t} (Item ${n})</b></p>`,
    typed: (n, t) => `\n${t.toUpperCase()} (ITEM ${n})\n\n`,
  },
  { name: 'in the paragraph', html: (n, t) => `<p>Item ${n}. ${t}. `, typed: (n, t) => `\n     Item ${n}.  ${t}.  ` },
  {
    name: 'in the paragraph, underlined',
    html: (n, t) => `<p><u>Item ${n}. ${t}</u>.&nbsp;&nbsp;`,
    typed: (n, t) => `\nItem ${n}. ${t} -- `,
  },
  {
    name: 'unusual titles in the paragraph',
    html: (n, t, b) => `<p><b>Item ${n}. ${otherTitle(t, code(b))}.</b> `,
    typed: (n, t, b) => `\nItem ${n}.  ${otherTitle(t, code(b))}.  `,
  },
  { name: 'link to the contents', html: (n, t) => `<p><a href="#toc">Item ${n}. ${t}</a></p>` },
  {
    name: 'Table of Contents in front',
    html: (n, t) => `<p><a href="#toc">Table of Contents</a> Item ${n}. ${t}</p>`,
    typed: (n, t) => `\nTable of Contents   Item ${n}. ${t}\n\n`,
  },
  {
    name: 'list items',
    html: (n, t) => `<ul><li>Item ${n}. ${t}</li></ul>`,
    typed: (n, t) => `\n  *  Item ${n}. ${t}\n\n`,
  },
  {
    name: 'section sign',
    html: (n, t) => `<p>&#167; Item ${n}. ${t}</p>`,
    typed: (n, t) => `\n>> Item ${n}. ${t}\n\n`,
  },
  {
    name: 'a rule of stars',
    html: (n, t) => `<p>*** Item ${n}. ${t} ***</p>`,
    typed: (n, t) => `\n*** ITEM ${n}. ${t.toUpperCase()} ***\n\n`,
  },
  {
    name: 'dotted to nothing',
    html: (n, t) => `<p>Item ${n} . . . . . . ${t}</p>`,
    typed: (n, t) => `\nItem ${n} ....... ${t}\n\n`,
  },
  {
    name: 'nested tables',
    html: (n, t) =>
      `<table><tr><td><table><tr><td>Item ${n}.</td></tr></table></td><td><table><tr><td>${t}</td></tr></table></td></tr></table>`,
  },
  {
    name: 'title in capitals below, bold',
    html: (n, t) => `<div><b>ITEM ${n}.</b></div><div>&nbsp;</div><div><b>${t.toUpperCase()}</b></div>`,
    typed: (n, t) => `\nITEM ${n}.\n-------\n\n${t.toUpperCase()}\n${'-'.repeat(Math.min(t.length, 70))}\n\n`,
  },
];

/** The number in brackets, without the word, behind the title, or behind other words. */
export const HEADING_NUMBERS: readonly HeadingVariant[] = [
  {
    name: 'the item in brackets before the title',
    html: (n, t) => `<p><b>(Item ${n}) &nbsp; ${t}</b></p>`,
    typed: (n, t) => `\n(Item ${n})   ${t}\n\n`,
  },
  {
    name: 'the item in brackets above the title',
    html: (n, t) => `<p align="center">(ITEM ${n})</p><p align="center"><b>${t}</b></p>`,
    typed: (n, t) => `\n           (ITEM ${n})\n\n           ${t}\n\n`,
  },
  {
    name: 'number in brackets',
    html: (n, t) => `<p><b>(${n}) ${t}</b></p>`,
    typed: (n, t) => `\n(${n})  ${t}\n\n`,
  },
  { name: 'number without a stop', html: (n, t) => `<p><b>${n} ${t}</b></p>`, typed: (n, t) => `\n${n}   ${t}\n\n` },
  {
    name: 'Roman numeral alone',
    html: (n, t) => `<p><b>${roman(n)}. ${t}</b></p>`,
    typed: (n, t) => `\n${roman(n)}.  ${t}\n\n`,
  },
  {
    name: 'form and item',
    html: (n, t) => `<p><b>Form 10-K Item ${n}. ${t}</b></p>`,
    typed: (n, t) => `\nFORM 10-K, ITEM ${n}. ${t}\n\n`,
  },
  {
    name: 'title, dash, item',
    html: (n, t) => `<p><b>${t} - Item ${n}</b></p>`,
    typed: (n, t) => `\n${t} -- ITEM ${n}\n\n`,
  },
  {
    name: 'item in the cell behind the title',
    html: (n, t) => `<table width="100%"><tr><td><b>${t}</b></td><td align="right">Item ${n}</td></tr></table>`,
  },
];

/** Sets all headings that can be parted into number and title. Null if fewer than five can. */
export function setHeadings(filing: FilingBlocks, variant: HeadingVariant): FilingBlocks | null {
  const setting = filing.html ? variant.html : variant.typed;
  if (!setting) return null;
  let set = 0;
  const blocks = filing.blocks.map((block) => {
    if (block.number === null || block.heading === '') return block;
    set++;
    const { opening, closing } = tagsOf(block.heading, filing.html);
    return { ...block, heading: closing + setting(block.number, block.title, block) + opening };
  });
  return set < 5 ? null : { ...filing, blocks };
}
