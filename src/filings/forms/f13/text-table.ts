/**
 * Information tables of 13F filings before 2013: columns of text in each filer's own layout. Only lines with a CUSIP, followed by
 * a value and an amount, are read, and lines below that continue both columns. The totals found are stored beside the totals that
 * the filing states, which shows if rows are missing.
 */
import { type Cell, cellsOf, isSecondLine, type LabelledRow, labelsOf, type Words } from './text-names.ts';

export interface TextHolding {
  /** From 1 in the document. */
  line: number;
  name: string | null;
  title: string | null;
  /** Without blanks. A line that continues another has the other's. */
  cusip: string;
  cusipValid: boolean;
  /** Decimal text, as filed without commas. */
  value: string;
  shares: string;
  /** The rest of the line: discretion, managers, votes. */
  rest: string | null;
}

const CUSIP = /(?<![0-9A-Z])([0-9A-Z]{6})[ -]{0,2}([0-9A-Z]{2})[ -]{0,2}([0-9])(?![0-9A-Z])/gi;
/** With a slip of the pen: only in the column of CUSIPs. */
const ODD_CUSIP = /(?<![0-9A-Z])([0-9A-Z]{6,8})[ -]{0,2}([0-9A-Z]{2})[ -]{0,2}([0-9A-Z])(?![0-9A-Z])/gi;
/** Spreadsheets drop zeros at the beginning, which the check digit shows. */
const SHORT_CUSIP = /(?<!\S)\d{7,8}(?![^\s*(])/g;
const NUMBER = String.raw`\$?\s{0,3}(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)`;
/** Of a footnote. */
const MARK = String.raw`(?:\(\w\w?\)|[*+#]{1,3})?`;
const AMOUNTS = new RegExp(String.raw`^${MARK}\s+${NUMBER}${MARK}\s+${NUMBER}${MARK}(?=\s|$)`, 'd');
const LEADERS = /(?<=\s)\.(?: ?\.)+|\.{3,}/g;
const ENTRY_TOTAL = /table\s+entry\s+total\s*:?\s*\$?\s*([\d,]+)/i;
const VALUE_TOTAL = /table\s+value\s+total\s*:?\s*\$?\s*([\d,]+(?:\.\d+)?)/i;
/** Maximum distance between the right ends of columns in a line and in the line that it continues. */
const DRIFT = 3;

type Amounts = NonNullable<ReturnType<typeof amountsAt>>;

export function readTextTable(text: string) {
  const found: { row: LabelledRow; line: number; amounts: Amounts }[] = [];
  const runs: Words[] = [];
  /** The row that lines may continue; the row, the words and the numbers that the line above has. */
  let row: (LabelledRow & Amounts) | null = null;
  let above: LabelledRow | null = null;
  let run: Words | null = null;
  let rest: Cell[] | null = null;
  /** Words below numbers: the page may end within a name. */
  let tail: Words | null = null;
  let page = 0;
  for (const [k, printed] of text.split(/\r\n|\r|\n/).entries()) {
    const line = printed.replace(LEADERS, (dots) => ' '.repeat(dots.length));
    const first = cusipAndAmounts(line, row?.cusipStart);
    const column = first?.cusipStart ?? row?.cusipStart ?? line.length;
    const label = cellsOf(line.slice(0, column));
    if (first !== null) {
      const next = run ?? (row?.page === page ? null : tail);
      above = row = { ...first, cells: label, page };
      if (next !== null) Object.assign(next, { below: row, touchesBelow: next === run });
      found.push({ row, line: k + 1, amounts: row });
      [run, tail, rest] = [null, null, row.rest];
      continue;
    }
    const isMore = row !== null && hasNumberAt(line, row.valueEnd) && hasNumberAt(line, row.sharesEnd);
    const amounts = isMore ? amountsAt(line, column) : null;
    // Two numbers and nothing else may be a sum, if rows have more.
    const isSum = amounts?.rest.length === 0 && row!.rest.length > 0 && isSumOf(amounts, found);
    const isRow = label.length === 0 || (label.length === 1 && isSecondLine(label[0]!, row?.cells[0]?.start ?? column));
    if (amounts !== null && !isSum && isRow) {
      if (label.length > 0) runs.push({ lines: [label], above: row, below: null, touchesBelow: false });
      found.push({ row: row!, line: k + 1, amounts });
      [above, run, rest] = [null, null, amounts.rest];
      continue;
    }
    // A holding without CUSIP: lines below it are not of the row above.
    if (isMore && !isSum && !/total/i.test(line)) row = null;
    if (line.includes('<')) page++;
    const cells = cellsOf(line);
    const words = cells.filter(({ start }) => start < column);
    const others = cells.slice(words.length);
    const isRest = rest !== null && others.every(({ start }) => start >= found.at(-1)!.amounts.sharesEnd);
    if (isMore || line.includes('<') || !/[^-=_\s]/.test(line) || (others.length > 0 && !isRest)) {
      [above, run, rest] = [null, null, null];
      continue;
    }
    for (const cell of others) addTo(rest!, cell);
    if (words.length === 0) continue;
    if (run === null) {
      run = { lines: [], above, below: null, touchesBelow: false };
      runs.push(run);
      if (rest !== null) tail = run;
    }
    run.lines.push(words);
  }
  const labels = labelsOf([...new Set(found.map(({ row }) => row))], runs);
  const holdings: TextHolding[] = found.map(({ row, line, amounts: { value, shares, rest } }) => {
    const [cusipValid, words] = [isCusip(row.cusip.toUpperCase()), rest.map(({ text }) => text).join(' ') || null];
    return { line, ...labels.get(row)!, cusip: row.cusip, cusipValid, value, shares, rest: words };
  });
  return { holdings, entryTotal: plain(ENTRY_TOTAL.exec(text)?.[1]), valueTotal: plain(VALUE_TOTAL.exec(text)?.[1]) };
}

function cusipAndAmounts(line: string, column = -DRIFT) {
  const odd = [...line.matchAll(ODD_CUSIP)].filter(({ index }) => Math.abs(index - column) < DRIFT);
  const short = [...line.matchAll(SHORT_CUSIP)].filter(({ 0: cusip }) => isCusip(cusip.padStart(9, '0')));
  for (const match of [...line.matchAll(CUSIP), ...odd, ...short]) {
    const cusip = match[0].replaceAll(/[ -]/g, '').padStart(9, '0');
    // A CUSIP begins with three digits, or a letter for foreign issuers.
    if (!/^(?:\d{3}|[A-Z]\d{2})/i.test(cusip) || cusip === '000000000') continue;
    const amounts = amountsAt(line, match.index + match[0].length);
    if (amounts !== null) return { cusip, cusipStart: match.index, ...amounts };
  }
  return null;
}

function amountsAt(line: string, from: number) {
  const match = AMOUNTS.exec(line.slice(from));
  if (match === null) return null;
  const [end, valueEnd, sharesEnd] = match.indices!.map((pair) => from + pair![1]) as [number, number, number];
  return { value: plain(match[1])!, shares: plain(match[2])!, valueEnd, sharesEnd, rest: cellsOf(line, end) };
}

function hasNumberAt(line: string, end: number): boolean {
  return [...line.matchAll(/\d[\d,.]*/g)].some(({ 0: { length }, index }) => Math.abs(index + length - end) <= DRIFT);
}

/** Whether the last rows have this sum. */
function isSumOf({ value, shares }: Amounts, found: readonly { amounts: Amounts }[]): boolean {
  let [k, values, sum] = [found.length, 0, 0];
  for (; k > 0 && values < Number(value); k--) {
    values += Number(found[k - 1]!.amounts.value);
    sum += Number(found[k - 1]!.amounts.shares);
  }
  return values === Number(value) && sum === Number(shares) && k < found.length - 1;
}

/** A list of managers continues below itself. */
function addTo(rest: Cell[], { text, start }: Cell): void {
  const same = rest.find((cell) => cell.start < start + text.length && start < cell.start + cell.text.length);
  if (same === undefined) rest.splice(rest.filter((cell) => cell.start < start).length, 0, { text, start });
  else same.text += ` ${text}`;
}

function plain(number: string | undefined): string | null {
  return number === undefined ? null : number.replaceAll(',', '').replace(/^0+(?=\d)/, '');
}

/** The check digit of a CUSIP: every second character counts twice, digits of the products are added. */
export function isCusip(cusip: string): boolean {
  let sum = 0;
  for (let i = 0; i < 8; i++) {
    const code = cusip.charCodeAt(i);
    const value = (code <= 0x39 ? code - 0x30 : code - 0x37) * (i % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return cusip.length === 9 && (10 - (sum % 10)) % 10 === Number(cusip[8]);
}
