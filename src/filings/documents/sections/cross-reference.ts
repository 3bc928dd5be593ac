/**
 * Reports without item headings, but with an index: "Item 1A … 27-36". The index leads to headings and pages. The result is the
 * text there, never the row of the index.
 */
import { SECTION_CODES, type SectionFamily } from '../../api/index.ts';
import { BOLD, besides, type Line, UNDERLINE } from '../lines/lines.ts';
import type { ItemMark } from './item-headings.ts';
import { squeeze, TITLES, titleLength } from './item-titles.ts';
import { isPageNumber } from './page-numbers.ts';
import { type PageMap, readPageMap } from './pages.ts';

interface IndexRow {
  mark: ItemMark;
  code: string;
  /** Page ranges, as printed. */
  ranges: PageRange[];
  /** At least one reference names the last page too: the index has ranges, not only the first page of an item. */
  lastLine: number;
}

interface PageRange {
  first: number;
  last: number;
}

export interface ReferencedItem {
  code: string;
  heading: string;
  mark: ItemMark;
  startLine: number;
  endLine: number;
}

/** A range of the body that an item may be, in lines. */
interface Part {
  range: PageRange;
  firstLine: number;
  endLine: number;
  /** Line of the item's own heading on the part's first page, and how well it matches; -1 without one. */
  anchor: number;
  fit: number;
}

const LEAST_PAGES = 5;
/** Lines between an index and its title: "Page reference", "Part I". */
const TITLE_LINES = 5;
/** How well a line matches an item if it is the title and nothing else. */
const ALONE = 3.5;

/** Follows an index of items to the text. @param members the marks that are rows of the index, in order */
export function followIndex(
  lines: readonly Line[],
  members: readonly ItemMark[],
  family: SectionFamily,
  endOfIndex: number,
): ReferencedItem[] {
  const pages = readPageMap(lines);
  if (pages.count < LEAST_PAGES) return [];
  let indexFrom = members[0]!.line;
  for (let i = indexFrom - 1; i >= Math.max(0, members[0]!.line - TITLE_LINES); i--)
    if (lines[i]!.letters < 60 && /\bindex\b/i.test(lines[i]!.text)) indexFrom = i;
  const rows = readRows(lines, members, family, endOfIndex);
  const hasRanges = rows.some((row) => row.ranges.some((range) => range.last > range.first));
  const inIndex = (line: number) => line >= indexFrom && line < endOfIndex;
  const items: { row: IndexRow; parts: Part[]; chosen: Part }[] = [];
  const parted = rows.map((row) => ({ row, parts: partsOf(lines, row, pages, family, inIndex) }));
  for (const { row, parts } of parted) {
    const others = parted.filter((other) => other.row !== row).flatMap((other) => other.parts);
    const chosen = choosePart(parts, others);
    if (chosen && (hasRanges || !isLostInAnother(chosen, others))) items.push({ row, parts, chosen });
  }
  return items.map(({ row, chosen }) => {
    const startLine = chosen.anchor >= 0 ? chosen.anchor : chosen.firstLine;
    const endLine = endOf(
      chosen,
      startLine,
      items.filter((item) => item.row !== row).map((item) => item.chosen),
      hasRanges,
      inIndex,
      lines.length,
    );
    return {
      code: row.code,
      heading: chosen.anchor >= 0 ? headingAt(lines[chosen.anchor]!) : row.mark.heading,
      mark: row.mark,
      startLine,
      endLine,
    };
  });
}

function readRows(
  lines: readonly Line[],
  members: readonly ItemMark[],
  family: SectionFamily,
  endOfIndex: number,
): IndexRow[] {
  const codes = new Set(SECTION_CODES[family]);
  const rows: IndexRow[] = [];
  let part = 1;
  for (const [k, mark] of members.entries()) {
    const before = k === 0 ? Math.max(0, mark.line - 3) : members[k - 1]!.lastLine + 1;
    for (let i = before; i < mark.line; i++) {
      const heading = /^\W*part\s*(ii|2)\b/i.exec(lines[i]!.text);
      if (heading) part = 2;
    }
    const lastLine = members[k + 1]?.line ?? endOfIndex;
    const code = family === '10-Q' ? quarterlyCode(mark, part) : mark.number;
    if (!codes.has(code) || rows.some((row) => row.code === code)) continue;
    rows.push({ mark, code, lastLine, ranges: readRanges(lines, mark, lastLine) });
  }
  return rows;
}

function quarterlyCode(mark: ItemMark, part: number): string {
  const first = titleLength(TITLES['10-Q'], `I-${mark.number}`, mark.words);
  const second = titleLength(TITLES['10-Q'], `II-${mark.number}`, mark.words);
  const prefix = first === second ? (part === 2 ? 'II-' : 'I-') : first > second ? 'I-' : 'II-';
  return prefix + mark.number;
}

const REFERENCES =
  /^\(?(?:pages?|pp?\.)?\s*(\d{1,3}(?:\s*(?:-|\u2013|\u2014|to|through)\s*\d{1,3})?(?:\s*(?:,|;|&|and)\s*(?:pages?\s*)?\d{1,3}(?:\s*(?:-|\u2013|\u2014|to|through)\s*\d{1,3})?)*)(?:\s*(?:,|;|and|&)?\s*\(\w\))*\)?$/i;
const TAIL_REFERENCES = /(?:\.{3,}|\bpages?)\s*(\d{1,3}(?:\s*[-\u2013,]\s*\d{1,3})*)$/i;

/** Pages that a row names, in the first column of pages of each of its lines. */
function readRanges(lines: readonly Line[], mark: ItemMark, until: number): PageRange[] {
  const ranges: PageRange[] = [];
  let columnRow = -1;
  for (let i = mark.line; i < until && i < mark.line + 60; i++) {
    const line = lines[i]!;
    if (i > mark.line && (line.pageBreak || /^\W*signatures?\W*$/i.test(line.text))) break;
    if (line.digits === 0 && !/^[\u2014\u2013-]+$/.test(line.text)) continue;
    // Further columns name the pages of other documents: the annual report, the proxy statement.
    if (line.row !== 0 && line.row === columnRow) continue;
    const match =
      (i > mark.line || line.row === 0 ? REFERENCES.exec(line.text) : null) ?? TAIL_REFERENCES.exec(line.text);
    if (match) {
      for (const piece of match[1]!.split(/[,;&]|and/i)) {
        const numbers = piece.match(/\d{1,3}/g);
        if (!numbers) continue;
        const first = Number(numbers[0]);
        const last = Number(numbers[1] ?? numbers[0]);
        if (last >= first) ranges.push({ first, last });
      }
      columnRow = line.row;
    } else if (line.row !== 0 && /^[\u2014\u2013-]+$/.test(line.text)) columnRow = line.row;
  }
  return merged(ranges);
}

/** Ranges of several pages that overlap or follow each other are one. */
function merged(ranges: readonly PageRange[]): PageRange[] {
  const out: PageRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.first - b.first || b.last - a.last)) {
    const last = out.at(-1);
    if (last && range.last <= last.last) continue;
    const adjoins =
      last &&
      (range.first <= last.last ||
        (range.first === last.last + 1 && range.last > range.first && last.last > last.first));
    if (adjoins) last.last = range.last;
    else out.push({ ...range });
  }
  return out;
}

function partsOf(
  lines: readonly Line[],
  row: IndexRow,
  pages: PageMap,
  family: SectionFamily,
  inIndex: (line: number) => boolean,
): Part[] {
  const parts: Part[] = [];
  for (const range of row.ranges) {
    const firstLine = pages.firstLine(range.first);
    const endLine = pages.endLine(range.last);
    const firstEnd = pages.endLine(range.first);
    if (firstLine === null || endLine === null || firstEnd === null) continue;
    let { anchor, fit } = findAnchor(lines, row, family, firstLine, firstEnd, inIndex);
    if (fit < ALONE) {
      // Indexes are often wrong by a page: a chapter may begin on the page before the named one.
      const before = findAnchor(lines, row, family, pages.firstLine(range.first - 1) ?? firstLine, firstLine, inIndex);
      if (before.fit >= ALONE) ({ anchor, fit } = before);
    }
    parts.push({ range, firstLine, endLine, anchor, fit });
  }
  return parts;
}

/** The item's own heading among these lines: its title alone, before text on the same line, or as the beginning of a longer title. */
function findAnchor(
  lines: readonly Line[],
  row: IndexRow,
  family: SectionFamily,
  from: number,
  to: number,
  inIndex: (line: number) => boolean,
): { anchor: number; fit: number } {
  const found: { anchor: number; fit: number }[] = [];
  const own = ownTitle(row.mark);
  for (let i = from; i < to; i++) {
    if (inIndex(i)) continue;
    const line = lines[i]!;
    const next = lines[i + 1];
    // A row of a table of contents is not the heading.
    if (line.letters < 6 || (next && besides(line, next) && isPageNumber(next, true))) continue;
    const words = squeeze(line.text);
    const length = Math.max(
      titleLength(TITLES[family], row.code, words),
      own.length >= 8 && words.startsWith(own) ? own.length : 0,
    );
    if (length === 0) continue;
    const setApart = (line.firstFormat & (BOLD | UNDERLINE)) !== 0;
    const rest = line.letters - length;
    let here = 0;
    if (rest <= 2 || (rest <= 12 && length >= 20)) here = setApart ? ALONE + 0.5 : ALONE;
    else if (runsIn(line, length)) here = 3;
    else if (line.letters <= length + 40 && line.letters < 140) here = setApart ? 2 : 1.5;
    // The words of the index itself are the best sign.
    if (here > 0 && own.length >= 8 && words.startsWith(own)) here += 1;
    if (here > 0) found.push({ anchor: i, fit: here });
  }
  const best = Math.max(0, ...found.map((one) => one.fit));
  // The first that matches about as well as the best: sub-headings repeat the words of the heading above them.
  return found.find((one) => one.fit >= best - 1) ?? { anchor: -1, fit: 0 };
}

function ownTitle(mark: ItemMark): string {
  return squeeze(mark.heading.replace(/^\W*items?\W*\w+\W*/i, ''));
}

/** "RISK FACTORS. The following ...": the title ends in a full stop and is set apart by capitals or type. */
function runsIn(line: Line, length: number): boolean {
  let letters = 0;
  let i = 0;
  for (; i < line.text.length && letters < length; i++) if (/[a-z0-9]/i.test(line.text[i]!)) letters++;
  const title = line.text.slice(0, i);
  if (!/^[\s"\u201d]*(?:\([^)]{1,20}\))?[.:\u2014\u2013]/.test(line.text.slice(i))) return false;
  return title === title.toUpperCase() || (line.firstFormat & (BOLD | UNDERLINE) & ~line.format) !== 0;
}

/** The part to return: first one with the item's heading, then the largest that is not entirely text of another item, then the largest. */
function choosePart(parts: readonly Part[], others: readonly Part[]): Part | null {
  if (parts.length === 0) return null;
  const size = (part: Part) => part.range.last - part.range.first;
  const largest = (among: readonly Part[]) => among.reduce((best, part) => (size(part) > size(best) ? part : best));
  const fit = Math.max(...parts.map((part) => part.fit));
  if (fit >= 3) return largest(parts.filter((part) => part.fit === fit));
  const own = parts.filter(
    (part) =>
      !others.some(
        (other) =>
          other.range.first <= part.range.first && other.range.last >= part.range.last && size(other) > size(part),
      ),
  );
  if (own.length > 0) return largest(own);
  return largest(parts);
}

/**
 * An index of first pages names one for an item whose heading is not there, and the next item begins some pages later. Then neither
 * the item's beginning nor its end is known: "Item 7A … 23" within Item 7. That page from top to foot is not the item.
 */
function isLostInAnother({ anchor, range }: Part, others: readonly Part[]): boolean {
  if (anchor >= 0) return false;
  return !others.some((other) => other.range.first === range.first + 1);
}

function endOf(
  part: Part,
  startLine: number,
  others: readonly Part[],
  hasRanges: boolean,
  inIndex: (line: number) => boolean,
  lineCount: number,
): number {
  const start = (other: Part) => (other.anchor >= 0 ? other.anchor : other.firstLine);
  let end = part.endLine;
  if (!hasRanges) {
    // The index gives only the first page of items: each ends at the next.
    end = lineCount;
    for (const other of others) {
      if (start(other) > startLine && (other.anchor >= 0 || part.anchor < 0)) end = Math.min(end, start(other));
    }
    if (part.anchor < 0) end = Math.min(end, part.endLine);
  } else {
    for (const other of others) {
      // Another item that starts and ends within this one is a part of it. One that continues beyond ends it.
      const beyond = other.range.last > part.range.last || other.range.first === part.range.last;
      if (other.anchor >= 0 && other.anchor > startLine && other.anchor < end && beyond) end = other.anchor;
    }
  }
  for (let i = startLine + 1; i < end; i++) if (inIndex(i)) return i;
  return end;
}

/** The heading as printed: the line, or only its title if text follows it. */
function headingAt(line: Line): string {
  const sentence = line.text.search(/(?<=[a-z]{2}[.:\u2014])\s+[A-Z]/i);
  if (sentence > 0) return line.text.slice(0, sentence);
  if (line.text.length <= 200 && line.letters < 160) return line.text;
  const stop = line.text.search(/[.:\u2014]/);
  return line.text.slice(0, stop > 0 ? stop + 1 : 160).trim();
}
