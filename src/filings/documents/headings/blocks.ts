/** Lines joined to what a reader sees as one: a paragraph of typewritten lines, a heading over two lines, the cells of a row. */
import { besides, type DocumentLines, type Line } from '../lines/lines.ts';
import { isCapitals, isTitleCase } from '../lines/title-case.ts';
import type { Typography } from './typography.ts';

export interface Block {
  /** Its lines: `lines.slice(first, end)`, without those that are left out */
  readonly first: number;
  readonly end: number;
  /** White space collapsed; of a long paragraph the beginning. */
  readonly text: string;
  readonly letters: number;
  readonly digits: number;
  /** Cells of a table row; 1 outside tables. */
  readonly cells: number;
  /** Typewritten: rules of dashes or equals signs under it. */
  readonly ruled: boolean;
}

/** EDGAR puts it before a dash that begins a line. */
export const ESCAPE = /^- (?=-)/;
/** A line that underlines the one above. */
export const RULE = /^[-=_\u2014\u2500~*\s]{3,}$/;
/** A rule leaves out so much of a line's beginning, more than a title's number has, or of its end, if it is under some words only. */
const LEAST_BEFORE = 10;
const LEAST_REST = 15;
/** A paragraph's first line is indented, or the others are. */
const MOST_INDENT = 5;
/** Elements that break a line within a paragraph. */
const PARAGRAPH_BETWEEN = /<\/?(?:p|div|table|tr|td|th|ul|ol|li|h[1-6]|hr|center|blockquote|page)\b/i;
/** What joins lines of one heading is looked for in this much of the source at most. */
const BETWEEN_MAX = 2_000;
const TEXT_MAX = 1_200;
const UNFINISHED = /(?:\b(?:and|or|of|the|to|for|with|an|in)|[,&])$/i;
const CONTINUES = /^(?:and|or|of|&)\s/i;
/** A typewritten line of this width continues in the next one, however that is indented. */
const FULL_LINE = 58;

/** The blocks of a document without lines that are left out. */
export function blocksOf(
  document: DocumentLines,
  typography: readonly Typography[],
  left: ReadonlySet<number>,
): Block[] {
  const { lines } = document;
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; ) {
    if (left.has(i)) {
      i++;
      continue;
    }
    let end = i + 1;
    let ruled = false;
    const own = [lines[i]!];
    const isTyped = lines[i]!.typed;
    for (let at = end; at < lines.length; at++) {
      if (left.has(at)) {
        if (isTyped) break;
        continue;
      }
      const next = lines[at]!;
      const above = own.at(-1)!;
      const isJoined = isTyped
        ? next.typed && runsOn(above, next) && !(at === i + 1 && isTitleOver(above, next))
        : isSameBlock(document, typography, end - 1, at);
      if (!isJoined) break;
      end = at + 1;
      if (!isTyped || !RULE.test(next.text)) own.push(next);
      else if (
        !underlinesWords(above, next, lines[end]) ||
        (own.length === 1 && next.indent < above.indent + LEAST_BEFORE)
      ) {
        ruled = true;
        break;
      }
    }
    blocks.push({
      first: i,
      end,
      ruled,
      text: textOf(own),
      letters: own.reduce((sum, { letters }) => sum + letters, 0),
      digits: own.reduce((sum, { digits }) => sum + digits, 0),
      cells: isTyped || own.length === 1 ? 1 : new Set(own.map(({ row, cell }) => `${row} ${cell}`)).size,
    });
    i = end;
  }
  return blocks;
}

/** Up to the last character of a typewritten line. */
export function widthOf({ indent, start, end }: Line): number {
  return indent + end - start;
}

function textOf(lines: readonly Line[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length > TEXT_MAX) break;
    text += `${text === '' ? '' : ' '}${line.whole}`;
  }
  return text;
}

/** A typewritten line continues in the next one, unless that is set apart or indented like a new paragraph. */
function runsOn(line: Line, next: Line): boolean {
  if (!next.follows || next.pageBreak || RULE.test(line.text) || isCentredUnder(line, next)) return false;
  return next.indent <= line.indent + 2 || line.indent > 20 || widthOf(line) >= FULL_LINE;
}

/** Typewritten, in the middle of the page */
export function isCentred(line: Line): boolean {
  return line.indent >= 15 && widthOf(line) < 75;
}

/** A title in the middle directly under the end of a paragraph, which has no blank line above it. */
export function isCentredUnder(line: Line, next: Line): boolean {
  if (next.indent < line.indent + LEAST_BEFORE || !isCentred(next) || !/[.:]["\u201d)]?$/.test(line.text)) return false;
  return isCapitals(next.text) || (isTitleCase(next.text) && next.text.includes(' '));
}

/** Whether a rule is under some words of a paragraph that continues below it. */
export function underlinesWords(line: Line, rule: Line, below: Line | undefined): boolean {
  if (widthOf(rule) + LEAST_REST <= widthOf(line)) return true;
  const isInside =
    rule.indent >= line.indent + LEAST_BEFORE ||
    (inPieces(rule) && 2 * rule.text.replaceAll(' ', '').length < line.text.length);
  return isInside && widthOf(line) >= FULL_LINE && (below === undefined || below.indent <= line.indent + MOST_INDENT);
}

/** As under the heads of columns, or under words here and there. */
function inPieces(rule: Line): boolean {
  return rule.text.replace(ESCAPE, '').includes(' ');
}

/** A title directly above its paragraph: there was room for the paragraph's first word in its line. */
export function isTitleOver(line: Line, next: Line): boolean {
  const { text } = line;
  if (!(line.apart || line.pageBreak) || line.table !== 0 || /[.,;:-]$/.test(text) || !/^[A-Z]/.test(next.text))
    return false;
  const firstWord = next.text.split(' ', 1)[0]!.length;
  if (widthOf(line) + firstWord + 3 > widthOf(next)) return false;
  return isCapitals(text) ? !isCapitals(next.text) : isTitleCase(text) && text.includes(' ') && !isTitleCase(next.text);
}

function isSameBlock({ source, lines }: DocumentLines, typography: readonly Typography[], last: number, at: number) {
  const line = lines[last]!;
  const next = lines[at]!;
  if (next.typed || line.typed) return false;
  if (at === last + 1 && besides(line, next)) return true;
  // A heading whose first line can't be its end, be it of a page.
  const isCut =
    (/^[a-z]/.test(next.text) && !/[.:!?]$/.test(line.text)) || UNFINISHED.test(line.text) || CONTINUES.test(next.text);
  if (line.table !== next.table || line.row !== next.row || (!isCut && (next.pageBreak || at > last + 1))) return false;
  const [own, its] = [typography[last]!, typography[at]!];
  if (own.emphasis !== its.emphasis || own.size !== its.size || its.emphasis === 0) return false;
  if (own.leadEnd < line.end) return false;
  const between = source.slice(line.end, Math.min(next.start, line.end + BETWEEN_MAX));
  return isCut || !PARAGRAPH_BETWEEN.test(between) || isFlush(source, line, next, between);
}

/** Two titles in capitals, the second without room above it though the first has some: one over two lines, if neither is a name. */
function isFlush(source: string, line: Line, next: Line, between: string): boolean {
  if (!isCapitals(line.text) || !isCapitals(next.text) || line.whole.length > MOST_TITLE) return false;
  if (WHOLE.test(line.text) || WHOLE.test(next.text) || OF_ITS_OWN.test(next.text)) return false;
  const [below = '', another] = between.match(BREAK) ?? [];
  const before = source.slice(Math.max(0, line.start - BETWEEN_MAX), line.start);
  return another === undefined && FLUSH.test(below) && SET_OFF.test(before.match(BREAK)?.at(-1) ?? '');
}

const MOST_TITLE = 160;
const BREAK = /<(?:p|div|table|tr|td|th|ul|ol|li|h[1-6]|hr|br|center|blockquote|page)\b[^<>]*>/gi;
const SET_OFF = /^<p\b[^<>]*\bmargin-top:\s*[1-9][^<>]*\bmargin-bottom:\s*0/i;
const FLUSH = /^<p\b[^<>]*\bmargin-top:\s*0/i;
/** Titles of items and statements, and names of companies: whole in one line */
const WHOLE =
  /[.:!?]$|^(?:\(|\W*(?:item|part|notes to)\b)|\bstatements? of\b|\b(?:inc|corp(?:oration)?|company|co|llc|l\.?p|plc|ltd|limited|subsidiar(?:y|ies))\W*$/i;
/** A number, a date, a note in brackets */
const OF_ITS_OWN = /^(?:\(|\W*\d|(?:\w+ )*(?:ended|as of)\b|\W*(?:item|part|notes?|[a-z]|[ivx]{2,4})[.):]?\s)/i;
