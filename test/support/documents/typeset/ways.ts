/** Ways to typeset a manuscript, each as filers of some years do. */
import type { Block, Item, Manuscript } from './manuscript.ts';
import type { Random } from './random.ts';
import {
  type Contents,
  type HeadingText,
  type PageOf,
  type Place,
  type PlacedItem,
  type Setting,
  sentenceCase,
  upper,
} from './setting.ts';
import { wordings } from './titles.ts';

export interface Way {
  name: string;
  set(filing: Manuscript): Manuscript | null;
  setting: Setting;
}

const NBSP = '\u00a0';
const annual = (form: string) => !/10-?Q/.test(form);
const paragraph = (text: string): Block => ({ kind: 'paragraph', text });

function heading(
  parts: Partial<{
    label: (n: string, r: Random) => string;
    between: string | readonly string[];
    title: (t: string, r: Random) => string;
    after: string;
  }> = {},
) {
  return (item: Item, random: Random): HeadingText => {
    const between = parts.between ?? ' ';
    return {
      label: parts.label ? parts.label(item.number, random) : `Item ${item.number}.`,
      between: typeof between === 'string' ? between : random.pick(between),
      title: parts.title ? parts.title(item.title, random) : item.title,
      after: parts.after ?? '',
    };
  };
}

const partLines = {
  upper: (part: string, form: string) =>
    annual(form) ? `PART ${part}` : part === 'I' ? 'PART I. FINANCIAL INFORMATION' : 'PART II. OTHER INFORMATION',
  dash: (part: string, form: string) =>
    annual(form) ? `Part ${part}` : part === 'I' ? 'Part I – Financial Information' : 'Part II – Other Information',
  bare: (part: string) => `PART ${part}`,
};
const own = (line: (part: string, form: string) => string) => (part: string, form: string) => ({
  line: line(part, form),
  place: 'own' as const,
});
const inOrder = (filing: Manuscript): PlacedItem[] => filing.items.map((item) => ({ ...item, codes: [item.code] }));
const bold = (html: string) => `<b>${html}</b>`;
const FRONT: Contents = { place: 'front', look: 'cells', linked: true, pages: true };
const NO_CONTENTS: Contents = { place: 'none', look: 'cells', linked: false, pages: false };

const BASE: Setting = {
  medium: 'html',
  markup: 'plain',
  bodies: 'blocks',
  entities: 'numeric',
  heading: heading(),
  place: () => 'line',
  emphasis: bold,
  part: own(partLines.upper),
  contents: FRONT,
  pageLength: 0,
  head: () => [],
  foot: (page) => [String(page.number)],
  front: () => [],
  back: () => [],
  signatures: 'SIGNATURES',
  body: (item) => item.body,
  items: inOrder,
  finish: (source) => source,
};
const TEXT: Setting = { ...BASE, medium: 'text', pageLength: 2600, contents: { ...FRONT, linked: false } };

const always = (place: Place) => () => place;
const letters = (piece: string, size: number) => piece.match(new RegExp(`(?:&[^;]+;|[^&]){1,${size}}`, 'g')) ?? [];

/** Capitals at full size, the rest of a word as smaller capitals. */
function smallCapitals(html: string): string {
  return html.replace(/&[^;]+;|([A-Z])([A-Z]+)/g, (whole, first, rest) =>
    first ? `${first}<FONT SIZE="1">${rest}</FONT>` : whole,
  );
}

const splitSpans = (html: string, random: Random) =>
  letters(html, random.pick([3, 4, 5]))
    .map((piece) => `<span style="font-weight:bold">${piece}</span>`)
    .join('');
const underlinedWords = (html: string) =>
  html
    .split(' ')
    .map((word) => `<u>${word}</u>`)
    .join(' ');

/** Sentences that name items, as paragraphs and lines of their own. */
function mentions(item: Item, random: Random, form: string): Block[] {
  const [seven, one, eight] = annual(form) ? ['7', '1A', '8'] : ['2', '1A', '1'];
  const choices: Block[][] = [
    [
      paragraph(
        `Item ${seven}. Management's Discussion and Analysis of Financial Condition and Results of Operations of this report contains a further discussion of these matters, and should be read together with the financial statements and the notes to them.`,
      ),
    ],
    [
      paragraph('Readers should carefully review the following sections:'),
      paragraph(`• Item ${one}. Risk Factors;`),
      paragraph(
        `• Item ${seven}. Management's Discussion and Analysis of Financial Condition and Results of Operations; and`,
      ),
      paragraph(`• Item ${eight}. Financial Statements and Supplementary Data.`),
    ],
    [
      paragraph(
        `The information required by this item that is not set out here is under "Item ${one}. Risk Factors" and in Note 12 to the financial statements.`,
      ),
    ],
    [paragraph(`See Item ${one}. Risk Factors.`)],
    [
      {
        kind: 'lines',
        lines: [
          '   The forward-looking statements in this report, including those in',
          `Item ${seven}. Management's Discussion and Analysis of Financial Condition and`,
          'Results of Operations, are subject to risks that are described under',
          `Item ${one}. Risk Factors, and elsewhere. The Company does not undertake to`,
          'update them.',
        ],
      },
    ],
    [paragraph(`(See Part II, Item ${eight}, Note 3)`)],
    [
      {
        kind: 'rows',
        rows: [
          ['Topic', 'Place of the discussion'],
          ['Liquidity', `Item ${seven}. Management's Discussion and Analysis`],
          ['Risks', `Item ${one}. Risk Factors`],
        ],
      },
    ],
  ];
  // A mention is a small part of the item, so that a boundary there is a large fault.
  return item.body.length < 8 ? [] : random.pick(choices);
}

function inMiddle(body: readonly Block[], added: readonly Block[], at = 0.5): Block[] {
  const middle = Math.floor(body.length * at);
  return [...body.slice(0, middle), ...added, ...body.slice(middle)];
}

function statementBlocks(items: string): Block[] {
  return [
    paragraph('CAUTIONARY STATEMENT REGARDING FORWARD-LOOKING INFORMATION'),
    paragraph(
      `Certain statements in this report, including those under ${items}, are forward-looking statements within the meaning of Section 21E of the Securities Exchange Act of 1934.`,
    ),
  ];
}

const GLOSSARY: Block[] = [
  paragraph('GLOSSARY OF TERMS'),
  {
    kind: 'rows',
    rows: [
      ['Term', 'Meaning'],
      ['ARO', 'Asset retirement obligation'],
      ['Item 404', 'Item 404 of Regulation S-K'],
      ['MD&A', "Management's Discussion and Analysis of Financial Condition and Results of Operations"],
      ['Risk Factors', 'Item 1A. of this report'],
      ['Part I', 'Part I of this report'],
    ],
  },
];

const EXHIBIT_INDEX: Block[] = [
  paragraph('INDEX TO EXHIBITS'),
  {
    kind: 'rows',
    rows: [
      ['Exhibit No.', 'Description'],
      [
        '3.1',
        'Restated Certificate of Incorporation (incorporated by reference to Item 6, Part II of the Form 10-Q for the quarter ended June 30)',
      ],
      ['10.1', 'Employment agreement, Item 15(a)(3)'],
      ['31', 'Certification'],
      ['99', 'Item 1. Business of the predecessor'],
    ],
  },
];

const only =
  (...numbers: string[]) =>
  (filing: Manuscript): Manuscript | null => {
    const items = filing.items.filter((item) => numbers.includes(item.code));
    return items.length === 0 ? null : { ...filing, items };
  };
const without =
  (...numbers: string[]) =>
  (filing: Manuscript): Manuscript => ({
    ...filing,
    items: filing.items.filter((item) => !numbers.includes(item.code)),
  });
const annuals = (filing: Manuscript) => (annual(filing.form) ? filing : null);
const quarters = (filing: Manuscript) => (annual(filing.form) ? null : filing);
const amended = (filing: Manuscript | null) => (filing ? { ...filing, form: `${filing.form}/A` } : null);
const short = (item: Item) => item.body.length <= 3;

/** Items of a small business issuer: their own numbers, from 10-K items of the same subject. */
const SMALL_BUSINESS: readonly [string, string, string, RegExp][] = [
  ['1', 'I', 'Description of Business', /^(?:description of )?business/i],
  ['2', 'I', 'Description of Property', /^(?:description of )?propert/i],
  ['3', 'I', 'Legal Proceedings', /legal/i],
  ['4', 'I', 'Submission of Matters to a Vote of Security Holders', /submission|mine/i],
  ['5', 'II', 'Market for Common Equity and Related Stockholder Matters', /^market/i],
  ['6', 'II', "Management's Discussion and Analysis or Plan of Operation", /discussion and analysis/i],
  ['7', 'II', 'Financial Statements', /^(?:consolidated )?financial statements/i],
  ['8', 'II', 'Changes in and Disagreements with Accountants on Accounting and Financial Disclosure', /disagreements/i],
  ['8A', 'II', 'Controls and Procedures', /controls/i],
  ['8B', 'II', 'Other Information', /^other information/i],
  [
    '9',
    'III',
    'Directors, Executive Officers, Promoters and Control Persons; Compliance with Section 16(a) of the Exchange Act',
    /^directors/i,
  ],
  ['10', 'III', 'Executive Compensation', /compensation/i],
  ['11', 'III', 'Security Ownership of Certain Beneficial Owners and Management', /security ownership/i],
  ['12', 'III', 'Certain Relationships and Related Transactions', /certain rel/i],
  ['13', 'III', 'Exhibits and Reports on Form 8-K', /^exhibits/i],
  ['14', 'III', 'Principal Accountant Fees and Services', /principal acc/i],
];

function smallBusiness(filing: Manuscript): PlacedItem[] {
  const codes = new Set('1 2 3 4 5 6 7 8 9 10 11 12 13 14'.split(' '));
  return SMALL_BUSINESS.flatMap(([number, part, title, pattern]) => {
    const item = filing.items.find((candidate) => pattern.test(candidate.title));
    return item ? [{ ...item, number, part, title, codes: codes.has(number) ? [number] : [] }] : [];
  });
}

function combined(first: string, second: string, between: string) {
  return (filing: Manuscript): PlacedItem[] => {
    const items = inOrder(filing);
    const at = items.findIndex((item) => item.code === first);
    const other = items.findIndex((item) => item.code === second);
    if (at < 0 || other !== at + 1) return items;
    const [a, b] = [items[at]!, items[other]!];
    items.splice(at, 2, {
      ...a,
      number: `${a.number}${between}${b.number}`,
      title: `${a.title} and ${b.title}`,
      body: [...a.body, ...b.body],
      markup: null,
      codes: [first, second],
    });
    return items;
  };
}

const EXECUTIVES: Item = {
  code: '4A',
  part: 'I',
  number: '4A',
  title: 'Executive Officers of the Registrant',
  markup: null,
  body: [
    paragraph(
      'The following table sets forth the names and ages of the executive officers of the Company, and the offices that each of them holds.',
    ),
    {
      kind: 'rows',
      rows: [
        ['Name', 'Age', 'Position'],
        ['A. Smith', '54', 'Chief Executive Officer'],
        ['B. Jones', '49', 'Chief Financial Officer'],
      ],
    },
    paragraph('Officers are elected each year by the Board of Directors and serve at its pleasure.'),
  ],
};

function withItem(number: string) {
  return (filing: Manuscript): PlacedItem[] =>
    inOrder(filing).flatMap((item) => (item.code === '4' ? [item, { ...EXECUTIVES, number, codes: [] }] : [item]));
}

/** Items as a report in the style of an annual report has them: MD&A first, the numbers in an index at its end. */
function asAnnualReport(filing: Manuscript): PlacedItem[] {
  const order = [
    '7',
    '7A',
    '1',
    '1A',
    '1C',
    '2',
    '3',
    '5',
    '6',
    '8',
    '9',
    '9A',
    '9B',
    '10',
    '11',
    '12',
    '13',
    '14',
    '15',
  ];
  return inOrder(filing)
    .filter((item) => order.includes(item.code) && !short(item))
    .toSorted((a, b) => order.indexOf(a.code) - order.indexOf(b.code))
    .map((item) => ({ ...item, part: 'I' }));
}

function crossReferences(filing: Manuscript): Block[] {
  return [
    paragraph('FORM 10-K CROSS-REFERENCE INDEX'),
    {
      kind: 'rows',
      rows: [
        ['Item Number', 'Item', 'Page(s)'],
        ...filing.items.map((item, i) => [`Item ${item.number}.`, item.title, `${4 + i * 3}-${6 + i * 3}`]),
      ],
    },
  ];
}

const roman = (number: string) =>
  number.replace(
    /\d+/,
    (digits) =>
      ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII', 'XIII', 'XIV', 'XV', 'XVI'][
        Number(digits)
      ]!,
  );
const titled = (title: string, random: Random, form = '10-K') => random.pick(wordings(title, form));
const worded = (filing: Manuscript): Manuscript => ({
  ...filing,
  items: filing.items.map((item, i) => {
    const choices = wordings(item.title, filing.form);
    return { ...item, title: choices[(filing.file.length * 7 + i * 3) % choices.length]! };
  }),
});
const ITEM = (n: string) => `ITEM ${n}.`;
const running = (page: PageOf): string[] => (page.item ? [page.item] : []);
const every = (filing: Manuscript): Manuscript | null => filing;

const list: [string, Partial<Setting>, ((filing: Manuscript) => Manuscript | null)?][] = [];
const way = (name: string, setting: Partial<Setting>, set: (filing: Manuscript) => Manuscript | null = every) =>
  list.push([name, setting, set]);

// Plain text.
way('text: capitals, title hanging', { ...TEXT, heading: heading({ label: ITEM, between: '  ', title: upper }) });
way('text: number and title on lines of their own, centred', {
  ...TEXT,
  heading: heading({ label: ITEM, title: upper }),
  place: always('blocks'),
});
way('text: underlined with hyphens', {
  ...TEXT,
  heading: heading({ label: (n) => `Item ${n}` }),
  place: always('two-lines'),
});
way('text: columns, title wraps under itself', {
  ...TEXT,
  heading: heading({ label: (n) => `Item ${n}.`, after: '.' }),
  place: always('cells'),
});
way('text: run into the paragraph', {
  ...TEXT,
  heading: heading({ label: (n) => `Item ${n}.`, after: '.' }),
  place: always('run-in'),
});
way('text: short items run in', {
  ...TEXT,
  heading: heading({ label: ITEM, title: upper, after: ' -' }),
  place: (item) => (short(item) ? 'run-in' : 'line'),
});
way('text: letter l and letter O in numbers', {
  ...TEXT,
  heading: heading({ label: (n) => `ITEM ${n.replace(/1/g, 'l').replace(/0/g, 'O')}.`, title: upper }),
});
way('text: spaced letters', {
  ...TEXT,
  heading: heading({
    label: (n) => `I T E M  ${[...n].join(' ')} .`,
    between: '   ',
    title: (t) => [...t.toUpperCase()].join(' ').replace(/ {3}/g, '   '),
  }),
});
way('text: item with a space in it', { ...TEXT, heading: heading({ label: (n) => `I tem ${n}.` }) });
way('text: no space before the number', { ...TEXT, heading: heading({ label: (n) => `ITEM${n}.`, title: upper }) });
way('text: page break in the heading', {
  ...TEXT,
  heading: heading({ label: ITEM, title: upper }),
  place: (item, random) => (item.title.length > 40 && random.chance(0.6) ? 'broken' : 'line'),
});
way('text: PART and item on one line', {
  ...TEXT,
  heading: heading({ label: ITEM, title: upper }),
  part: (part, form) => ({ line: partLines.upper(part, form), place: 'same' }),
});
way('text: running head of part and item', {
  ...TEXT,
  heading: heading({ label: ITEM, title: upper }),
  head: (page) => (page.part && page.item ? [`PART ${page.part}  ${page.item} (continued)`] : []),
});
way('text: running head of company and form', {
  ...TEXT,
  head: (page) => [page.company.toUpperCase(), `FORM ${page.form}`],
  foot: (page) => [`- ${page.number} -`],
});
way('text: item mentions at line starts', {
  ...TEXT,
  body: (item, random) =>
    item.body.length > 8 && random.chance(0.5)
      ? inMiddle(item.body, mentions(item, random, item.code.includes('-') ? '10-Q' : '10-K'))
      : item.body,
});
way('text: number alone, no word item', {
  ...TEXT,
  heading: heading({ label: (n) => `${n}.`, between: '   ', title: upper }),
});
way('text: titles alone', {
  ...TEXT,
  heading: heading({ label: () => '', title: upper }),
  contents: { ...FRONT, look: 'titles', linked: false },
});
way('text: title left out', { ...TEXT, heading: heading({ label: ITEM, title: () => '' }) });
way('text: other wordings', { ...TEXT, heading: heading({ label: (n) => `Item ${n}.`, title: titled }) });
way('text: contents with dots, again at each part', {
  ...TEXT,
  contents: { place: 'front', look: 'dots', linked: false, pages: true },
  heading: heading({ label: (n) => `Item ${n}`, between: '. ' }),
});
way('text: exhibit index and cross references after the signatures', {
  ...TEXT,
  back: (filing) => [...EXHIBIT_INDEX, ...crossReferences(filing)],
  signatures: 'S I G N A T U R E S',
});
way(
  'text: small business issuer',
  { ...TEXT, heading: heading({ label: ITEM, title: upper }), items: smallBusiness },
  (filing) => (annual(filing.form) ? { ...filing, form: '10-KSB' } : null),
);
way(
  'text: small business issuer, 10KSB, run in',
  {
    ...TEXT,
    items: smallBusiness,
    heading: heading({ after: '.' }),
    place: (item) => (short(item) ? 'run-in' : 'line'),
  },
  (filing) => (annual(filing.form) ? { ...filing, form: '10KSB' } : null),
);
way('text: 10-K405', { ...TEXT, heading: heading({ label: ITEM, title: upper }) }, (filing) =>
  annual(filing.form) ? { ...without('1A', '1B', '1C', '9A', '9B', '9C', '16')(filing), form: '10-K405' } : null,
);
way('text: everything in one paragraph style, sentence case', {
  ...TEXT,
  heading: heading({ label: (n) => `Item ${n} -`, title: sentenceCase }),
  pageLength: 0,
  contents: NO_CONTENTS,
});

// Marks between number and title.
const SEPARATORS: [string, (n: string) => string, string][] = [
  ['colon', (n) => `Item ${n}:`, ' '],
  ['hyphen', (n) => `ITEM ${n}`, ' - '],
  ['two hyphens', (n) => `Item ${n}`, ' -- '],
  ['en dash', (n) => `Item ${n}`, ' – '],
  ['em dash without spaces', (n) => `ITEM ${n}`, '—'],
  ['full stop and em dash', (n) => `Item ${n}.`, '—'],
  ['parenthesis', (n) => `Item ${n})`, ' '],
  ['number in parentheses', (n) => `Item (${n})`, ' '],
  ['slash', (n) => `Item ${n} /`, ' '],
  ['bar', (n) => `ITEM ${n}`, ' | '],
  ['no mark', (n) => `Item ${n}`, ' '],
  ['no-break spaces', (n) => `Item${NBSP}${n}.`, `${NBSP}${NBSP}${NBSP}`],
  ['thin and zero-width spaces', (n) => `Item\u2009${n}.`, '\u200b\u2003'],
  ['Item No.', (n) => `Item No. ${n}.`, ' '],
  ['Items', (n) => `Items ${n}.`, ' '],
  ['letter in parentheses', (n) => `Item ${n.replace(/([A-C])$/, (letter) => `(${letter.toLowerCase()})`)}.`, ' '],
  ['letter apart', (n) => `Item ${n.replace(/([A-C])$/, ' $1')}.`, ' '],
  ['letter after a hyphen', (n) => `Item ${n.replace(/([A-C])$/, '-$1')}.`, ' '],
  ['small letter', (n) => `Item ${n.toLowerCase()}.`, ' '],
  ['9A(T)', (n) => `Item ${n === '9A' ? '9A(T)' : n}.`, ' '],
  ['Roman numbers', (n) => `ITEM ${roman(n)}.`, ' '],
];
SEPARATORS.forEach(([name, label, between], i) => {
  way(`mark: ${name}`, {
    ...(i % 3 === 0 ? TEXT : BASE),
    markup: (['plain', 'font', 'word', 'workiva', 'divs'] as const)[i % 5]!,
    entities: (['numeric', 'named', 'raw'] as const)[i % 3]!,
    heading: heading({ label, between }),
  });
});

// Shapes in HTML.
way('html: font tags, capitals', {
  markup: 'font',
  heading: heading({ label: ITEM, title: upper }),
  entities: 'named',
  pageLength: 4000,
});
way('html: word, no emphasis at all', {
  markup: 'word',
  emphasis: (html) => html,
  heading: heading({ between: [' ', '  ', NBSP] }),
});
way('html: words split between spans', { markup: 'workiva', emphasis: splitSpans });
way('html: small capitals', {
  markup: 'font',
  heading: heading({ label: ITEM, title: upper }),
  emphasis: smallCapitals,
  entities: 'named',
});
way('html: underlined words', { markup: 'plain', emphasis: underlinedWords });
way('html: number and title in blocks', {
  markup: 'workiva',
  place: always('blocks'),
  heading: heading({ label: ITEM, title: upper }),
});
way('html: number and title on two lines', {
  markup: 'font',
  place: always('two-lines'),
  heading: heading({ label: ITEM, title: upper }),
});
way('html: cells', { markup: 'word', place: always('cells') });
way('html: cells of word, number, title', { markup: 'divs', place: always('three-cells') });
way('html: table of one cell', { markup: 'plain', place: always('one-cell') });
way('html: run in', { markup: 'plain', place: always('run-in'), heading: heading({ after: '.' }) });
way('html: run in, plain', {
  markup: 'font',
  place: always('run-in'),
  emphasis: (html) => html,
  heading: heading({ after: '.' }),
});
way('html: line breaks instead of blocks', {
  markup: 'layout',
  place: always('breaks'),
  heading: heading({ label: ITEM, title: upper }),
});
way('html: heading elements', { markup: 'headings', emphasis: (html) => html });
way('html: list elements', { markup: 'list' });
way('html: text in pre', { markup: 'pre', heading: heading({ label: ITEM, title: upper }), pageLength: 2600 });
way('html: text in pre, hanging titles', {
  markup: 'pre',
  place: always('cells'),
  contents: { ...FRONT, linked: false, look: 'dots' },
});
way('html: page break in the heading', {
  markup: 'font',
  place: (item, random) => (item.title.length > 40 && random.chance(0.6) ? 'broken' : 'line'),
});
way('html: links back to the contents in headings', {
  markup: 'word',
  emphasis: (html) => `<a href="#toc"><b>${html}</b></a>`,
});
way('html: title left out', { heading: heading({ title: () => '' }) });
way('html: short items on one line', {
  markup: 'plain',
  heading: heading({ after: '.' }),
  place: (item) => (short(item) ? 'run-in' : 'line'),
});
way('html: short items in cells', { markup: 'font', place: (item) => (short(item) ? 'cells' : 'line') });
way('html: upper for part I, title case after', {
  heading: (item, random) => (item.part === 'I' ? heading({ label: ITEM, title: upper }) : heading())(item, random),
});
way('html: number alone, no word item', { heading: heading({ label: (n) => `${n}.`, title: upper }) });
way('html: other wordings', { heading: heading({ title: titled }) });
way('html: own bodies, plain headings', { bodies: 'own', emphasis: (html) => html, markup: 'plain' });
way('html: own bodies, cells', { bodies: 'own', place: always('cells'), markup: 'font' });
way('html: own bodies, split spans', {
  bodies: 'own',
  emphasis: splitSpans,
  markup: 'workiva',
  contents: { ...FRONT, linked: false },
});
way('html: own bodies, capitals in blocks', {
  bodies: 'own',
  place: always('blocks'),
  heading: heading({ label: ITEM, title: upper }),
  markup: 'word',
});
way('html: own bodies, no contents', { bodies: 'own', contents: NO_CONTENTS, markup: 'divs' });

// Contents.
way('contents: none', { contents: NO_CONTENTS });
way('contents: at the end', { contents: { ...FRONT, place: 'end' } });
way('contents: again at each part', { contents: { ...FRONT, place: 'each-part' } });
way('contents: lines without pages', {
  contents: { place: 'front', look: 'lines', linked: false, pages: false },
  markup: 'font',
});
way('contents: lines with dots', {
  contents: { place: 'front', look: 'dots', linked: false, pages: true },
  markup: 'word',
});
way('contents: one block', { contents: { place: 'front', look: 'one-block', linked: true, pages: false } });
way('contents: two columns', { contents: { place: 'front', look: 'two-columns', linked: false, pages: true } });
way('contents: titles without numbers', { contents: { ...FRONT, look: 'titles' } });
way('contents: cross references at the front', { front: (filing) => crossReferences(filing) });
way('contents: cross references at the end, no contents', {
  contents: NO_CONTENTS,
  back: (filing) => crossReferences(filing),
});
way('contents: glossary and statement before the items', {
  front: () => [
    ...GLOSSARY,
    ...statementBlocks(
      '"Item 1. Business," "Item 1A. Risk Factors" and "Item 7. Management\'s Discussion and Analysis of Financial Condition and Results of Operations"',
    ),
  ],
});
way('contents: exhibit index before the items', { front: () => EXHIBIT_INDEX });
way(
  'contents: list of items in the front statement',
  {
    front: () => [
      paragraph('This report should be read in its entirety. In particular, read:'),
      paragraph('Item 1. Business'),
      paragraph('Item 1A. Risk Factors'),
      paragraph("Item 7. Management's Discussion and Analysis of Financial Condition and Results of Operations"),
      paragraph('for a discussion of factors that could affect results.'),
    ],
  },
  annuals,
);

// Pages.
way('pages: number and link', { pageLength: 3500, head: () => ['Table of Contents'], markup: 'workiva' });
way('pages: item at the head', { pageLength: 3500, head: running, markup: 'font' });
way('pages: part and item at the head', {
  pageLength: 3500,
  head: (page) => (page.part && page.item ? [`Part ${page.part}, ${page.item}`] : []),
  markup: 'plain',
});
way('pages: part at the head', {
  pageLength: 3500,
  head: (page) => (page.part ? [`PART ${page.part}`] : []),
  markup: 'word',
});
way('pages: part at the head of few pages', {
  pageLength: 60_000,
  head: (page) => (page.part ? [`PART ${page.part}`] : []),
  markup: 'word',
});
way('pages: item and part at the head of few pages', {
  pageLength: 60_000,
  head: (page) => (page.part ? [`PART ${page.part}`, page.item ?? ''] : []),
  markup: 'plain',
});
way('pages: part at the head of few pages, text', {
  ...TEXT,
  pageLength: 40_000,
  head: (page) => (page.part ? [`PART ${page.part}`] : []),
});
way('pages: item at the head, text', { ...TEXT, head: running });
way('pages: item continued', {
  pageLength: 5000,
  head: (page) => (page.item ? [`${page.item} (Continued)`] : []),
  markup: 'divs',
  heading: heading({ label: ITEM, title: upper }),
});
way('pages: company and year at the foot', {
  pageLength: 3500,
  foot: (page) => [`${page.company} | 2023 Form ${page.form} | ${page.number}`],
});

// Parts.
way('part: none', { part: () => null });
way('part: none, text', { ...TEXT, part: () => null });
way('part: on the line of the item', { part: (part) => ({ line: `Part ${part}`, place: 'same' }) });
way('part: in a table', { part: (part, form) => ({ line: partLines.dash(part, form), place: 'cell' }) });
way('part: bare, no name', { part: own(partLines.bare) });
way('part: with a dash and name', { part: own(partLines.dash), markup: 'workiva' });
way('part: a note of reference under Part III', {
  front: () => [],
  body: (item) => item.body,
  part: (part, form) => ({ line: annual(form) ? `PART ${part}` : partLines.upper(part, form), place: 'own' }),
  heading: heading({ label: ITEM, title: upper }),
});

// Which items there are.
way('items: some left out', {}, without('1B', '1C', '4', '6', '9B', '9C', '16', 'II-3', 'II-4', 'II-5'));
way('items: only part III, an amendment', { contents: NO_CONTENTS }, (filing) =>
  amended(only('10', '11', '12', '13', '14', '15')(filing)),
);
way('items: only the statements, an amendment', { ...TEXT, contents: NO_CONTENTS }, (filing) =>
  amended(only('8', '15', 'I-1', 'II-6')(filing)),
);
way('items: one only, an amendment', { contents: NO_CONTENTS }, (filing) => amended(only('9A', 'I-4')(filing)));
way(
  'items: MD&A and exhibits, an amendment',
  {
    contents: NO_CONTENTS,
    front: () => [
      paragraph('EXPLANATORY NOTE'),
      paragraph(
        "This amendment is filed to amend Item 7. Management's Discussion and Analysis and Item 15. Exhibits of the original report. No other item is amended.",
      ),
    ],
  },
  (filing) => amended(only('7', '15')(filing)),
);
way(
  'items: 1 and 2 combined',
  { items: combined('1', '2', ' and '), heading: heading({ label: (n) => `Item${n.includes(' ') ? 's' : ''} ${n}.` }) },
  annuals,
);
way(
  'items: 1 and 2 combined, ITEM 1. AND ITEM 2.',
  { ...TEXT, items: combined('1', '2', '. AND ITEM '), heading: heading({ label: ITEM, title: upper }) },
  annuals,
);
way(
  'items: 7 and 7A combined',
  {
    items: combined('7', '7A', ' and '),
    heading: heading({ label: (n) => `Item${n.includes(' ') ? 's' : ''} ${n}.` }),
  },
  annuals,
);
way(
  'items: 7 and 7A combined, ampersand',
  { items: combined('7', '7A', ' & '), heading: heading({ label: (n) => `ITEM ${n}.`, title: upper }), markup: 'font' },
  annuals,
);
way('items: 4A printed', { items: withItem('4A') }, annuals);
way('items: X printed', { ...TEXT, items: withItem('X'), heading: heading({ label: ITEM, title: upper }) }, annuals);
way(
  'items: quarterly 2 and 3 combined',
  {
    items: combined('I-2', 'I-3', ' and '),
    heading: heading({ label: (n) => `Item${n.includes(' ') ? 's' : ''} ${n}.` }),
  },
  quarters,
);
way('items: mentions in the bodies', {
  body: (item, random) =>
    item.body.length > 8 && random.chance(0.6)
      ? inMiddle(item.body, mentions(item, random, item.code.includes('-') ? '10-Q' : '10-K'))
      : item.body,
});
way('items: heading again in the middle, continued', {
  body: (item) =>
    item.body.length > 40
      ? inMiddle(item.body, [paragraph(`Item ${item.number}. ${item.title} (continued)`)])
      : item.body,
});
way('items: titles of others as subheadings', {
  body: (item) =>
    item.body.length > 40
      ? inMiddle(
          item.body,
          [
            paragraph('Legal Proceedings'),
            paragraph('We are party to suits in the normal course of business.'),
            paragraph('Properties'),
            paragraph('We lease our offices.'),
          ],
          0.7,
        )
      : item.body,
});

// Titles alone.
const ALONE: Partial<Setting> = { heading: heading({ label: () => '' }), contents: { ...FRONT, look: 'titles' } };
way('titles alone: annual', ALONE, annuals);
way(
  'titles alone: annual, capitals, no contents',
  { ...ALONE, contents: NO_CONTENTS, heading: heading({ label: () => '', title: upper }), markup: 'font' },
  annuals,
);
way('titles alone: annual, other wordings', { ...ALONE, markup: 'workiva' }, (filing) =>
  annual(filing.form) ? worded(filing) : null,
);
way('titles alone: quarterly', ALONE, quarters);
way(
  'titles alone: quarterly, capitals, text',
  { ...TEXT, heading: heading({ label: () => '', title: upper }), contents: NO_CONTENTS },
  quarters,
);
way(
  'titles alone: quarterly, Part I only',
  {
    heading: (item, random) => heading(item.part === 'I' ? { label: () => '' } : {})(item, random),
    contents: { ...FRONT, look: 'titles' },
  },
  quarters,
);
way(
  'titles alone: quarterly, Part I only, no contents',
  {
    heading: (item, random) =>
      heading(item.part === 'I' ? { label: () => '', title: upper } : { label: ITEM, title: upper })(item, random),
    contents: NO_CONTENTS,
    markup: 'font',
  },
  quarters,
);
way(
  'titles alone: quarterly, Part I only, text',
  {
    ...TEXT,
    heading: (item, random) =>
      heading(item.part === 'I' ? { label: () => '', title: upper } : { label: ITEM, title: upper })(item, random),
    contents: NO_CONTENTS,
  },
  quarters,
);
way(
  'titles alone: quarterly, statements without heading',
  {
    heading: (item, random) =>
      heading({ label: () => '', title: (t) => (item.code === 'I-1' ? 'Consolidated Balance Sheets' : t) })(
        item,
        random,
      ),
    markup: 'divs',
  },
  quarters,
);
way('titles alone: quarterly, other wordings', { ...ALONE, pageLength: 4000 }, (filing) =>
  annual(filing.form) ? null : worded(filing),
);
way('titles alone: in tables', { ...ALONE, place: always('one-cell') });
way('titles alone: own bodies', { ...ALONE, bodies: 'own', markup: 'word' });
way(
  'titles alone: as an annual report, with an index',
  { ...ALONE, items: asAnnualReport, part: () => null, back: crossReferences },
  annuals,
);

// Hidden traps.
way('hidden: items in comments and hidden blocks', {
  finish: (source) => source,
  front: () => [],
  body: (item) => item.body,
  emphasis: (html) => `<!-- Item 9. -->${bold(html)}`,
});

/** Mixtures: each filing gets its own combination. */
for (let i = 1; i <= 12; i++) {
  const seed = i * 2654435761;
  const pick = <T>(choices: readonly T[], shift: number) => choices[(seed >>> shift) % choices.length]!;
  const text = i % 3 === 0;
  const capital = (seed >>> 9) % 2 === 0;
  way(`mixture ${i}`, {
    ...(text ? TEXT : BASE),
    markup: pick(['font', 'word', 'workiva', 'plain', 'divs', 'pre', 'headings'] as const, 3),
    entities: pick(['raw', 'numeric', 'named'] as const, 5),
    heading: heading({
      label: (n) =>
        `${capital ? 'ITEM' : 'Item'}${pick([' ', NBSP, '  '], 7)}${n}${pick(['.', ':', '', ' -', '. —'], 11)}`,
      between: pick([' ', '  ', NBSP.repeat(4)], 13),
      title: (t, r) => (capital ? upper(titled(t, r)) : titled(t, r)),
      after: pick(['', '.', ''], 15),
    }),
    place: (item, random) =>
      short(item) && random.chance(0.5)
        ? random.pick(['run-in', 'cells', 'line'] as const)
        : pick(['line', 'cells', 'blocks', 'two-lines', 'three-cells'] as const, 17),
    emphasis: pick([bold, underlinedWords, splitSpans, (html: string) => html] as const, 19),
    part: pick([own(partLines.upper), own(partLines.dash), own(partLines.bare), () => null] as const, 21),
    contents: pick(
      [
        FRONT,
        NO_CONTENTS,
        { place: 'front', look: 'lines', linked: false, pages: true },
        { ...FRONT, place: 'end' },
      ] as readonly Contents[],
      23,
    ),
    pageLength: pick([0, 3000, 5000], 6),
    head: pick([() => [], running, () => ['Table of Contents'], (page: PageOf) => [page.company]] as const, 8),
    back: pick([() => [], () => EXHIBIT_INDEX, crossReferences] as const, 10),
    body: (item, random) =>
      item.body.length > 8 && random.chance(0.3)
        ? inMiddle(item.body, mentions(item, random, item.code.includes('-') ? '10-Q' : '10-K'), 0.3)
        : item.body,
  });
}

export const WAYS: readonly Way[] = list.map(([name, setting, set]) => ({
  name,
  set: set ?? every,
  setting: { ...BASE, ...setting },
}));

/** A third of the ways is held out from the author of the rules, who reads only its sum. */
export function heldBack(way: Way): boolean {
  let hash = 7;
  for (const character of way.name) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return hash % 3 === 0;
}
