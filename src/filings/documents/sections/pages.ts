/** The printed pages of a document: the page number of each page, from the footers and headers at its page breaks. */
import { countBefore } from '../lines/count-before.ts';
import type { Line } from '../lines/lines.ts';

export interface PageMap {
  /** Index of the first line of a printed page. If the page has no number, that of the nearest earlier page. Null if it is out of range. */
  firstLine(page: number): number | null;
  /** Index of the line after the last line of a printed page. */
  endLine(page: number): number | null;
  /** Pages whose number is printed. */
  count: number;
}

/** Number of lines at each end of a page that are searched for its number. */
const EDGE_LINES = 4;
const LONGEST_FOOTER = 90;

interface PhysicalPage {
  first: number;
  end: number;
  numbers: number[];
}

/** The page numbers; empty if too few fit into one rising sequence. @param prefix `F` for F-1; empty: numbers alone */
export function readPageMap(lines: readonly Line[], prefix = ''): PageMap {
  const pages = physicalPages(lines, prefix);
  // A number with letters is that of a page, even if it is the only one.
  const numbered = risingNumbers(pages, prefix === '' ? LEAST_NUMBERED : 1);
  const find = (page: number): PhysicalPage | null => {
    const known = numbered[countBefore(numbered, ({ number }) => number <= page) - 1];
    if (!known || page > numbered.at(-1)!.number) return null;
    return pages[Math.min(known.index + (page - known.number), pages.length - 1)] ?? null;
  };
  return {
    count: numbered.length,
    firstLine: (page) => find(page)?.first ?? null,
    endLine: (page) => find(page)?.end ?? null,
  };
}

function physicalPages(lines: readonly Line[], prefix: string): PhysicalPage[] {
  const pages: PhysicalPage[] = [];
  let first = 0;
  for (let i = 1; i <= lines.length; i++) {
    if (i < lines.length && !lines[i]!.pageBreak) continue;
    pages.push({ first, end: i, numbers: edgeNumbers(lines, first, i, prefix) });
    first = i;
  }
  return pages;
}

function edgeNumbers(lines: readonly Line[], first: number, end: number, prefix: string): number[] {
  const numbers: number[] = [];
  const read = (i: number) => {
    const line = lines[i]!;
    if (line.digits === 0 || line.text.length > LONGEST_FOOTER) return;
    const number = prefix === '' ? bareNumber(line.text) : prefixedNumber(line.text, prefix);
    if (number !== undefined) numbers.push(Number(number));
  };
  for (let i = end - 1; i >= first && i >= end - EDGE_LINES; i--) read(i);
  for (let i = first; i < end - EDGE_LINES && i < first + EDGE_LINES; i++) read(i);
  return numbers;
}

/** A number alone, or after or before the footer's words: "2023 FORM 10-K 4", "4 | Annual report". */
function bareNumber(text: string): string | undefined {
  const match =
    /^(?:page\s+)?[-\u2013\u2014(|\s]*(\d{1,3})[-\u2013\u2014)|\s]*$/i.exec(text) ??
    /(?:^|[\s|]|(?<![a-z])-)(\d{1,3})$/i.exec(text) ??
    /^(\d{1,3})[\s|]/.exec(text);
  return match?.[1];
}

function prefixedNumber(text: string, prefix: string): string | undefined {
  const match = /(?:^|[\s|(-])([a-z]{1,3})\s?[-\u2013\u2014]?\s?(\d{1,3})\W*$/i.exec(text);
  return match !== null && match[1]!.toUpperCase() === prefix ? match[2] : undefined;
}

interface NumberedPage {
  index: number;
  number: number;
}

/**
 * Printed numbers rise with the pages. The document's offset is the difference between number and place on most pages. Blank pages
 * shift the count: then the offsets of neighbours count, if at least two pages share them and the numbers keep rising.
 */
function risingNumbers(pages: readonly PhysicalPage[], least: number): NumberedPage[] {
  const votes = new Map<number, number>();
  for (const [index, page] of pages.entries()) {
    for (const number of new Set(page.numbers)) votes.set(number - index, (votes.get(number - index) ?? 0) + 1);
  }
  const ranked = [...votes]
    .filter(([, count]) => count >= Math.min(2, least))
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_SHIFTS);
  if (ranked.length === 0 || ranked[0]![1] < least) return [];
  const numbers: (number | null)[] = pages.map(() => null);
  for (const [difference] of ranked) {
    // Between the numbers of the page before and the page after, if they are known already.
    const next = new Array<number>(pages.length);
    let above = Number.POSITIVE_INFINITY;
    for (let index = pages.length - 1; index >= 0; index--) {
      next[index] = above;
      above = numbers[index] ?? above;
    }
    let below = Number.NEGATIVE_INFINITY;
    for (const [index, page] of pages.entries()) {
      const number = index + difference;
      if (numbers[index] === null && number > below && number < next[index]! && page.numbers.includes(number))
        numbers[index] = number;
      below = numbers[index] ?? below;
    }
  }
  return numbers.flatMap((number, index) => (number === null ? [] : [{ index, number }]));
}

const LEAST_NUMBERED = 5;
/** Maximum number of differences between number and place that are tried. */
const MAX_SHIFTS = 12;
