/** PART headings: the part of the report at each line, and the PART headings that begin a section. */
import { countBefore } from '../lines/count-before.ts';
import { BOLD, besides, CENTER, type DocumentLines, type Line, UNDERLINE } from '../lines/lines.ts';
import { isTitleCase, isUpper } from '../lines/title-case.ts';
import { squeeze } from './item-titles.ts';

export interface PartMark {
  line: number;
  part: number;
  /** Its title is the filer's own: it counts directly above an item only. */
  own: boolean;
}

/** The number of a part as it is printed. */
export const PART_NUMBER = 'i{1,3}|iv|[1-4]|one|two|three|four';
export const PART = new RegExp(String.raw`^[^a-z0-9]{0,6}part\s*(?:no\.?\s*)?(${PART_NUMBER})\b([\s\S]*)$`, 'i');
const PART_NAMES = ['i', 'ii', 'iii', 'iv', 'one', 'two', 'three', 'four'];
const PART_TITLE = /^(?:(?:financial|other)information|continued|contd|of|and|information|registrant)*\d{0,3}$/;

/** Reads a line as a PART heading; null if it is none. */
export function readPart(lines: readonly Line[], at: number): PartMark | null {
  const line = lines[at]!;
  if (line.letters > 60) return null;
  const match = PART.exec(line.text);
  if (!match) return null;
  const own = !PART_TITLE.test(squeeze(match[2]!));
  if ((own && !isOwnTitle(line, match[2]!)) || isEndOfSentence(lines[at - 1], line)) return null;
  const word = match[1]!.toLowerCase();
  return { line: at, part: Number(word) || (PART_NAMES.indexOf(word) % 4) + 1, own };
}

/** Set apart by type or capitals, and not a sentence about the part. */
function isOwnTitle({ text, format, follows }: Line, title: string): boolean {
  if (follows || /[.,;:]$|\bitems?\b/i.test(title)) return false;
  return isUpper(text) || ((format & (BOLD | UNDERLINE | CENTER)) !== 0 && isTitleCase(title));
}

/** In typewritten text: whether a sentence of the line above ends here: "... in\nPart III." */
function isEndOfSentence(before: Line | undefined, line: Line): boolean {
  if (!line.typed || !line.follows || before === undefined || before.letters < 30 || line.pageBreak) return false;
  return (
    /[a-z]/.test(before.text) &&
    (/[.,;)]$/.test(line.text) || /[a-z]/.test(line.text)) &&
    line.indent <= before.indent + 4
  );
}

/** The part at a line: that of the last PART heading above it, null without one. */
export function partAt(parts: readonly PartMark[], line: number): number | null {
  return parts[partIndex(parts, line + 1) - 1]?.part ?? null;
}

/** Maximum of letters between a PART heading and the item under it: "OTHER INFORMATION". */
const MAX_PART_TITLE = 80;
/** The line of the PART heading directly over the heading at `endLine`, unless it is a running header; else `endLine`. */
export function partBefore(
  parts: readonly PartMark[],
  letters: readonly number[],
  from: number,
  endLine: number,
): number {
  let p = partIndex(parts, endLine) - 1;
  const last = parts[p];
  if (!last || last.line <= from || letters[endLine]! - letters[last.line + 1]! > MAX_PART_TITLE) return endLine;
  // Running headers repeat the current part. A new part has another number.
  let line = endLine;
  while (
    p >= 0 &&
    parts[p]!.line > from &&
    parts[p]!.part === last.part &&
    letters[line]! - letters[parts[p]!.line + 1]! <= MAX_PART_TITLE
  ) {
    line = parts[p]!.line;
    p--;
  }
  return p >= 0 && parts[p]!.part === last.part ? endLine : line;
}

/** The part with a section. @param fifteen the report has an Item 15: then Item 14 is in Part III, else in IV */
export function partOfSection(code: string, fifteen: boolean): number {
  const [part, item] = code.split('-');
  if (item !== undefined) return part === 'I' ? 1 : 2;
  const number = Number.parseInt(code, 10);
  return number <= 4 ? 1 : number <= 9 ? 2 : number <= (fifteen ? 14 : 13) ? 3 : 4;
}

/** Letters at the head of a page, up to a PART line that may be its running header. */
const MAX_PAGE_HEAD = 80;
/** Pages with PART lines at their heads that make these running headers. */
const LEAST_RUNNING = 6;

/**
 * The line of the first heading of a later part after `from`: it ends the section, even if a paragraph and no item follows it ("PART
 * III. The information is in the proxy statement"). Else `endLine`.
 */
export function nextPart(
  parts: readonly PartMark[],
  document: DocumentLines,
  part: number,
  from: number,
  endLine: number,
): number {
  const { lines } = document;
  let heads: Map<number, PartMark[]> | undefined;
  for (let p = partIndex(parts, from + 1); p < parts.length && parts[p]!.line < endLine; p++) {
    const { line, part: other, own } = parts[p]!;
    // Skip cells of tables that list the parts.
    if (own || other <= part || (line > 0 && besides(lines[line]!, lines[line - 1]!))) continue;
    const next = lines[line + 1];
    if (next && besides(next, lines[line]!)) continue;
    // A PART line below another is a heading, unless pages begin with both.
    const rank = rankInHead(parts, p, document);
    if (rank === 0) return line;
    heads ??= Map.groupBy(parts, (_, k) => rankInHead(parts, k, document));
    if (heads.get(rank)!.length < LEAST_RUNNING) return line;
  }
  return endLine;
}

/** 1: the first PART line of its page, if little stands above it; 2: the second. 0: more stands above it. */
function rankInHead(parts: readonly PartMark[], p: number, { lines, letters }: DocumentLines): number {
  const { line } = parts[p]!;
  for (let i = line; i >= 0 && letters[line]! - letters[i]! <= MAX_PAGE_HEAD; i--)
    if (lines[i]!.pageBreak) return p + 1 - partIndex(parts, i);
  return 0;
}

/** How many PART headings are above `line`. */
function partIndex(parts: readonly PartMark[], line: number): number {
  return countBefore(parts, (part) => part.line < line);
}
