/**
 * Information tables of 13F filings before 2013: columns of text in each filer's own layout. Only lines with a CUSIP, followed by
 * a value and an amount, are read, and lines below that continue both columns. The totals found are stored beside the totals that
 * the filing states, which shows if rows are missing.
 */
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

interface TextTable {
  holdings: TextHolding[];
  entryTotal: string | null;
  valueTotal: string | null;
}

const CUSIP = /(?<![0-9A-Z])([0-9A-Z]{6})[ -]{0,2}([0-9A-Z]{2})[ -]{0,2}([0-9])(?![0-9A-Z])/gi;
const NUMBER = String.raw`\$?\s{0,3}(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)`;
const AMOUNTS = new RegExp(String.raw`^\s*${NUMBER}\s+${NUMBER}(?=\s|$)`);
const ENTRY_TOTAL = /table\s+entry\s+total\s*:?\s*\$?\s*([\d,]+)/i;
const VALUE_TOTAL = /table\s+value\s+total\s*:?\s*\$?\s*([\d,]+(?:\.\d+)?)/i;
/** Maximum distance between the right ends of columns in a line and in the line that it continues. */
const DRIFT = 3;

export function readTextTable(text: string): TextTable {
  const lines = text.split(/\r\n|\r|\n/);
  const holdings: TextHolding[] = [];
  let above: { holding: TextHolding; valueEnd: number; sharesEnd: number } | null = null;
  let words: string[] = [];
  for (const [k, line] of lines.entries()) {
    const found = amountsBehindCusip(line);
    if (found !== null) {
      const label = splitLabel([...words, line.slice(0, found.cusipStart)]);
      const holding: TextHolding = { line: k + 1, ...label, ...found.holding };
      holdings.push(holding);
      above = { holding, valueEnd: found.valueEnd, sharesEnd: found.sharesEnd };
      words = [];
      continue;
    }
    const continued = above === null ? null : AMOUNTS.exec(line);
    if (above !== null && continued !== null) {
      const { valueEnd, sharesEnd } = endsOf(continued, 0);
      if (Math.abs(valueEnd - above.valueEnd) <= DRIFT && Math.abs(sharesEnd - above.sharesEnd) <= DRIFT) {
        const { name, title, cusip, cusipValid } = above.holding;
        holdings.push({ line: k + 1, name, title, cusip, cusipValid, ...amountsOf(continued, line) });
      }
    }
    words = wordsAbove(words, line);
  }
  return { holdings, entryTotal: plain(ENTRY_TOTAL.exec(text)?.[1]), valueTotal: plain(VALUE_TOTAL.exec(text)?.[1]) };
}

function amountsBehindCusip(line: string) {
  for (const match of line.matchAll(CUSIP)) {
    const cusip = match[1]! + match[2]! + match[3]!;
    // A CUSIP begins with three digits, or a letter for foreign issuers.
    if (!/^(?:\d{3}|[A-Z]\d{2})/i.test(cusip) || cusip === '000000000') continue;
    const end = match.index + match[0].length;
    const amounts = AMOUNTS.exec(line.slice(end));
    if (amounts === null || !/^\s/.test(line.slice(end))) continue;
    const holding = { cusip, cusipValid: isCusip(cusip.toUpperCase()), ...amountsOf(amounts, line.slice(end)) };
    return { cusipStart: match.index, holding, ...endsOf(amounts, end) };
  }
  return null;
}

function amountsOf(amounts: RegExpExecArray, text: string): Pick<TextHolding, 'value' | 'shares' | 'rest'> {
  const rest = text.slice(amounts[0].length).replace(/\s+/g, ' ').trim();
  return { value: plain(amounts[1])!, shares: plain(amounts[2])!, rest: rest === '' ? null : rest };
}

function endsOf(amounts: RegExpExecArray, offset: number): { valueEnd: number; sharesEnd: number } {
  const valueStart = amounts[0].indexOf(amounts[1]!);
  return { valueEnd: offset + valueStart + amounts[1]!.length, sharesEnd: offset + amounts[0].length };
}

function plain(number: string | undefined): string | null {
  return number === undefined ? null : number.replaceAll(',', '').replace(/^0+(?=\d)/, '');
}

/** A long name takes two lines: the first has words only. */
function wordsAbove(words: readonly string[], line: string): string[] {
  const text = line.trim();
  return text === '' || !/[A-Za-z]/.test(text) || /<|--|==|\d{3}/.test(text) || /\s{3,}/.test(text)
    ? []
    : [...words.slice(-1), line];
}

/** Two blanks or more separate name and class. */
function splitLabel(lines: readonly string[]): { name: string | null; title: string | null } {
  const own = lines
    .at(-1)!
    .trim()
    .split(/\s{2,}|\t/)
    .filter((part) => part !== '');
  const indented = /^\s/.test(lines.at(-1)!) || own.length < 2;
  const before = indented && lines.length > 1 ? [lines.at(-2)!.trim()] : [];
  const title = own.length > 1 ? own.at(-1)! : null;
  const name = [...before, ...(title === null ? own : own.slice(0, -1))].join(' ');
  return { name: name === '' ? null : name, title };
}

/** The check digit of a CUSIP: every second character counts twice, digits of the products are added. */
export function isCusip(cusip: string): boolean {
  let sum = 0;
  for (let i = 0; i < 8; i++) {
    const code = cusip.charCodeAt(i);
    const value = (code <= 0x39 ? code - 0x30 : code - 0x37) * (i % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10 === Number(cusip[8]);
}
