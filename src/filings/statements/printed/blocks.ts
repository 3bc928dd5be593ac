/** Parts of a document that may be a statement: a table, or typewritten rows below a title. */
import type { PageCell, PageRow } from '../../documents/index.ts';
import type { StatementName } from '../faces.ts';
import { isData, isHeading } from './columns.ts';
import { companyIn } from './cover.ts';

export interface PageBlock {
  /** Titles and headings above the first number */
  readonly above: readonly PageRow[];
  readonly rows: readonly PageRow[];
  /** The statement that its title names. */
  readonly title: Title | null;
  /** Companies that lines at its title name */
  readonly companies: readonly string[];
  readonly counts: Readonly<Record<StatementName, number>>;
  readonly ends: ReadonlySet<string>;
  readonly typed: boolean;
}

/** `equity`: a statement of it; `other`: a part that is not a statement. */
export type Title = StatementName | 'equity' | 'other';

const TITLES: readonly [Title, RegExp][] = [
  [
    'other',
    /\bnotes? to\b|\bselected\b|\bquarterly (?:financial|results|data|information)|\bschedule [ivx]+\b|\bschedules?\b.*\bvaluation|\bparent(?:[- ]company)?[- ]only\b|\bpro[- ]?forma\b|\bcondensed financial (?:information|statements?) of\b|\bconsolidating\b|\bsegments?\b|\breconciliations?\b(?! of net (?:income|loss|earnings|\(loss))|\breports? of\b|\bindex to\b|\bsupplement(?:al|ary)\b|\bcomponents? of\b|\bfive[- ]year\b|\bsummar(?:y|ized)\b/i,
  ],
  [
    'balance',
    /\bbalanced? sheets?\b|\bstatements? of (?:consolidated |condensed )*(?:financial (?:position|condition)|condition)\b|\bstatements? of (?:consolidated )?assets(?: and|,) liabilities\b/i,
  ],
  [
    'cash_flow',
    /\bstatements? of (?:consolidated |condensed )*cash ?flows?\b|\bcash flows? statements?\b|\bstatements? of changes in financial position\b/i,
  ],
  [
    'income',
    /\bstatements? of (?:consolidated |condensed |comprehensive |net )*(?:income|operations|earnings|loss(?:es)?|\(?loss\)? (?:and )?income|profit (?:and|or) loss|results? of operations|revenues?)\b|\b(?:income|earnings|operating|operations) statements?\b|\bstatements? of consolidated (?:income|operations|earnings)/i,
  ],
  ['other', /\bstatements? of\b.*\b(?:equity|deficit|investment|capital|surplus|comprehensive|retained)\b/i],
];

/** Statements of others than the company, or of other periods, by a line above their title */
const NOT_OWN =
  /\bparent(?:[- ]company)?[- ]only\b|\bpro[- ]?forma\b|\bcondensed financial (?:information|statements?) of\b|\bconsolidating\b|\bquarterly\b|\bselected\b|\bschedule [ivx]+\b|\(parent(?: company)?\)|\b(?:un|non-?)consolidated\b|\bguarantors?\b|\bpredecessor\b|\bowned (?:company|affiliate|subsidiary)|\binvestees?\b|\bas previously reported\b/i;

/** What a title says; null: it is none. */
export function titleOf(words: string): Title | null {
  if (words.length > 200 || words.length < 8) return null;
  if (/\b(?:see|refer|are|is|was|were|has|have|should|which|following|included|contained|accompanying)\b/i.test(words))
    return null;
  for (const [name, pattern] of TITLES) if (pattern.test(words)) return name;
  return null;
}

const NET = '(?:net |total )*';
const SIGNS: Readonly<Record<StatementName, readonly RegExp[]>> = {
  balance: list(
    '^total assets|assets, total$',
    '^total current assets',
    '^cash\\b',
    'receivable',
    '^(?:inventor|merchandise)',
    '^(?:net )?(?:property|premises|plant)',
    '^(?:accounts|trade) payable|payables',
    '^total current liabilities',
    '^total liabilities(?! and)',
    'long[- ]term (?:debt|obligations)|notes payable',
    'retained earnings|accumulated deficit|(?:earnings|income) (?:reinvested|retained)|deficit accumulated',
    'paid[- ]in|capital (?:surplus|in excess)|in excess of (?:par|stated)',
    '^(?:common|capital) (?:stock|shares)|preferred stock',
    '^total (?:\\w+ )*(?:stock|share|share ?)holders.? ?.?.?(?:equity|deficit|investment)|^total (?:\\w+ )?equity',
    'total liabilities(?:,? .*)? and .*(?:equity|deficit|capital|investment|interest)|^total liabilities and',
    'goodwill|intangible',
    '^(?:total )?deposits',
    'comprehensive|treasury',
    'accrued|other liabilities',
    'deferred',
    'prepaid|other assets',
  ),
  income: list(
    `^${NET}(?:sales|revenues?|operating revenues?)\\b`,
    'total (?:net |operating )?revenues?',
    'cost of (?:sales|goods|revenues?|products?|services?)|costs of',
    '^gross (?:profit|margin)',
    'research|development',
    'selling|general|administrative|marketing',
    '(?:operating (?:income|profit|loss|earnings)|(?:income|loss|earnings|profit).{0,12} from operations)',
    'interest',
    '(?:income|earnings|loss|profit).{0,40}before',
    '(?:provision|benefit|credit).{0,30}taxes|^(?:federal |u\\.s\\. )?(?:income )?taxes|income tax',
    `^net (?:income|earnings|loss|profit|\\(loss)`,
    '\\bbasic\\b|primary',
    'dilut',
    'per (?:\\w+ ){0,3}(?:share|unit)',
    '(?:average|shares|units).*(?:shares|outstanding|units)',
    'provision for (?:loan|credit|possible)|non-?interest|premiums',
    'cumulative effect|extraordinary|discontinued|minority',
    'total (?:costs|expenses|operating|other)',
    'depreciation|amortization',
  ),
  cash_flow: list(
    '(?:cash|net).*operat',
    '(?:cash|net).*invest',
    '(?:cash|net).*financ',
    '(?:net )?(?:increase|decrease|change).*\\bcash|cash.*(?:increase|decrease)',
    'cash.*\\b(?:beginning|start|opening)|beginning',
    'cash.*\\bend\\b|end of (?:the )?(?:year|period|quarter)',
    'depreciation|amortization',
    '^deferred|deferred (?:income )?tax',
    'purchases? of|acquisitions?|additions to|capital expenditures|expenditures',
    'proceeds|sales? of|maturities|borrowings|issuance',
    'repay|payments? (?:of|on)|reductions?|retire',
    'dividends',
    'effect of.*exchange|exchange rate',
    '(?:accounts )?receivable',
    'inventor',
    'payable',
    '^net (?:income|earnings|loss|\\(loss)',
    'interest paid|interest$|taxes paid|income taxes$',
    'equity',
  ),
};

function list(...patterns: string[]): RegExp[] {
  return patterns.map((pattern) => new RegExp(pattern, 'i'));
}

/** Without these, a statement continues in the next part. */
export const ENDS: Readonly<Record<StatementName, Readonly<Record<string, RegExp>>>> = {
  balance: {
    assets: /^total assets|assets, total$/i,
    claims:
      /total liabilities(?:,? .*)? and |^total (?:liabilities|stockholders|shareholders|capitalization and liabilities)/i,
  },
  income: {
    net: /^net (?:income|earnings|loss|profit|\(loss)|^(?:income|loss|earnings) (?:for|attributable)/i,
    share: /per (?:\w+ ){0,3}(?:share|unit)|\bbasic\b|dilut/i,
  },
  cash_flow: {
    operating: /(?:cash|net).*operat/i,
    investing: /(?:cash|net).*invest/i,
    financing: /(?:cash|net).*financ/i,
  },
};

/** Statements have more lines of their kind than notes. */
export const ENOUGH: Readonly<Record<StatementName, number>> = { income: 4, balance: 5, cash_flow: 4 };
const NAMES = ['income', 'balance', 'cash_flow'] as const;

/** Rows above a table that may be its title. */
const ABOVE = 14;
/** Rows of prose that end a typewritten statement. */
const PROSE = 3;
const PARAGRAPH = 250;

/** Rows above a title that may say whose it is */
const ABOVE_TITLE = 4;

export function blocksOf(rows: readonly PageRow[]): PageBlock[] {
  const blocks: PageBlock[] = [];
  for (let k = 0; k < rows.length; ) {
    const row = rows[k]!;
    if (!row.typed && row.table === 0) {
      k++;
      continue;
    }
    const end = row.typed ? typedEnd(rows, k) : tableEnd(rows, k);
    blockOf(rows, k, end, blocks);
    k = end;
  }
  return blocks;
}

export const wordsOf = ({ cells }: PageRow): string => cells.map(({ text }) => text).join(' ');
/** The beginning of a title that continues in the next row */
const BEGUN =
  /\bstatements?(?: of)?(?: (?:consolidated|condensed|changes in|cash|financial))?$|\b(?:balance|income|cash flow)$|\b(?:and|of)$/i;

/** What a row says if it may be a title. */
function titleIn(rows: readonly PageRow[], k: number): Title | null {
  const row = rows[k]!;
  if (isData(row) || row.cells.length > 3) return null;
  const said = titleOf(wordsOf(row));
  const next = rows[k + 1];
  if (said !== null || next === undefined || isData(next)) return said;
  // Two lines, the company's name perhaps beside the first.
  const [first] = row.cells as readonly [PageCell];
  return BEGUN.test(first.text) ? titleOf(`${first.text} ${next.cells[0]!.text}`) : null;
}

function tableEnd(rows: readonly PageRow[], from: number): number {
  let hasData = false;
  for (let k = from + 1; k < rows.length; k++) {
    if (rows[k]!.table !== rows[from]!.table || rows[k]!.typed) return k;
    hasData ||= isData(rows[k]!);
    if (hasData && rows[k]!.cells.length === 1 && (titleIn(rows, k) ?? 'other') !== 'other') return k;
  }
  return rows.length;
}

/** A typewritten part ends before a title, or with prose. */
function typedEnd(rows: readonly PageRow[], from: number): number {
  let prose = 0;
  let hasData = false;
  for (let k = from; k < rows.length; k++) {
    const row = rows[k]!;
    if (!row.typed) return k;
    hasData ||= isData(row);
    if (k > from && titleIn(rows, k) !== null && (hasData || titleIn(rows, from) === null)) return k;
    const isProse = row.cells.length === 1 && row.cells[0]!.text.length > 55;
    prose = isProse ? prose + (row.cells[0]!.text.length > PARAGRAPH ? PROSE : 1) : 0;
    if (prose >= PROSE) return k + 1;
  }
  return rows.length;
}

function blockOf(rows: readonly PageRow[], from: number, end: number, blocks: PageBlock[]): void {
  let first = from;
  while (first < end && !isData(rows[first]!)) first++;
  if (first === end) return;
  let [top, at, title] = [first, first, null as PageBlock['title']];
  const companies: string[] = [];
  for (let k = first - 1; k >= Math.max(0, from - ABOVE) && (k >= from || !isData(rows[k]!)); k--) {
    // What is above the title is of another part: dates of signatures.
    if (title === null || title === 'other') top = k;
    const said = titleIn(rows, k);
    const words = wordsOf(rows[k]!);
    const isOther = words.length < 150 && NOT_OWN.test(words);
    if (title === null || k > at - ABOVE_TITLE)
      // A name may have two lines: the cover says which is one.
      for (const line of [words, k > 0 ? `${wordsOf(rows[k - 1]!)} ${words}` : ''])
        companies.push(companyIn(line) ?? '');
    if (title === null) {
      title = said !== null && isOther ? 'other' : said;
      at = k;
    } else if (isOther && k > Math.min(at - ABOVE_TITLE, first - 6)) title = 'other';
  }
  const own = rows.slice(first, end);
  blocks.push({
    above: rows.slice(top, first),
    rows: own,
    title,
    companies: [...new Set(companies)].filter((name) => name !== ''),
    typed: rows[from]!.typed,
    ...countsOf(own),
  });
}

function countsOf(rows: readonly PageRow[]): Pick<PageBlock, 'counts' | 'ends'> {
  const met = { income: new Set<RegExp>(), balance: new Set<RegExp>(), cash_flow: new Set<RegExp>() };
  const ends = new Set<string>();
  for (const row of rows) {
    if (!isData(row) || isHeading(row)) continue;
    const words = row.cells[0]!.text;
    for (const name of NAMES) {
      for (const sign of SIGNS[name]) if (!met[name].has(sign) && sign.test(words)) met[name].add(sign);
      for (const [end, pattern] of Object.entries(ENDS[name])) if (pattern.test(words)) ends.add(end);
    }
  }
  return { counts: { income: met.income.size, balance: met.balance.size, cash_flow: met.cash_flow.size }, ends };
}
