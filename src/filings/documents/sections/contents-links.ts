/** Links from the contents: a row that names an item leads to its heading, whatever is printed there. */
import { SECTION_CODES, type SectionFamily } from '../../api/index.ts';
import { type DocumentLines, LINK, type Line } from '../lines/lines.ts';
import { type ItemMark, titleMark } from './item-headings.ts';
import { codesTitled, LONGEST_TITLE, SMALL_TITLES, squeeze, TITLES, titleLength } from './item-titles.ts';
import { readNumberFirst } from './numbered-titles.ts';
import { isPageNumber } from './page-numbers.ts';
import { PART } from './parts.ts';

/** Rows with links of their own that make contents. */
const LEAST_ROWS = { '10-K': 5, '10-Q': 3, '20-F': 5 };
/** Lines, and letters, from the aim of a link to the heading: a running head, a link to the contents, a PART heading. */
const LINES_BELOW = 8;
const LETTERS_BELOW = 160;

/** The aim of a row of the contents. */
interface Aim {
  code: string;
  row: ItemMark;
  line: number;
}

/**
 * Marks at the aims of links from the contents. A heading that is there is marked as linked; without one, a mark is made for the place.
 * @param marks in the document's order
 * @returns all marks, in the same order
 */
export function followLinks(document: DocumentLines, marks: readonly ItemMark[], family: SectionFamily): ItemMark[] {
  const aims = aimsOf(document, marks, family);
  if (placesOf(aims) < LEAST_ROWS[family]) return [...marks];
  const rows = new Set(aims.map(({ row }) => row));
  const made = new Map<number, ItemMark>();
  for (const { code, row, line } of aims) {
    const near = marks.filter(
      (mark) => !rows.has(mark) && mark.tail !== 'mention' && isNear(document.lines, line, mark),
    );
    // A running head and the heading below it: the link speaks for both alike.
    const own = near.filter(({ numbers }) => numbers.includes(row.number));
    for (const mark of own) mark.linkedTo = [...(mark.linkedTo ?? []), code];
    const at = belowFurniture(document.lines, line);
    if (own.length > 0 || near.some((mark) => mark.line <= at && mark.lastLine >= at)) continue;
    const known = made.get(at);
    if (known === undefined) made.set(at, markAt(document.lines, at, row, code));
    // One text under several items.
    else if (known.isPlace) {
      known.numbers.push(row.number);
      known.titleOf = [...known.titleOf!, code];
      known.linkedTo = known.titleOf;
    }
  }
  return [...marks, ...made.values()].sort((a, b) => a.line - b.line);
}

/** The rows of the longest list of items whose links lead to places in the order of the rows: all behind the list, or all before it. */
function aimsOf(document: DocumentLines, marks: readonly ItemMark[], family: SectionFamily): Aim[] {
  const { lines, links, anchors } = document;
  if (links.length === 0) return [];
  const known = new Map<number, ItemMark>();
  for (const mark of marks) for (let i = mark.line; i <= mark.lastLine; i++) if (!known.has(i)) known.set(i, mark);
  const codes: readonly string[] = SECTION_CODES[family];
  let aims: Aim[] = [];
  let best: Aim[] = [];
  let last = -1;
  for (const { line, to } of links) {
    const at = anchors.get(to);
    const from = startOfRow(lines, line);
    if (at === undefined || at >= lines.length || from === last) continue;
    const row = known.get(from) ?? known.get(line) ?? readRow(document, from, line, family);
    if (row === null || (at >= row.line && at <= row.lastLine)) continue;
    last = from;
    const first = aims[0];
    const before = aims.at(-1);
    const place = codes.indexOf(before?.code ?? '');
    const places = codesOf(row, family).map((code) => codes.indexOf(code));
    const next = places.find((one) => one > place);
    const follows =
      next !== undefined &&
      (first === undefined ||
        (at >= before!.line && (first.line > first.row.line ? row.line < first.line : at < first.row.line)));
    // Items outside the form, parts of an item and titles of statements are rows of a list, too.
    if (!follows && (row.titleOf !== undefined || places.every((one) => one < 0 || one === place))) continue;
    if (!follows) {
      if (placesOf(aims) > placesOf(best)) best = aims;
      aims = [];
    }
    const code = codes[follows ? next : places.find((one) => one >= 0)!]!;
    aims.push({ code, row, line: at });
  }
  return placesOf(aims) > placesOf(best) ? aims : best;
}

/** Headings that link back to the contents have one aim. */
function placesOf(aims: readonly Aim[]): number {
  return new Set(aims.map(({ line }) => line)).size;
}

/** Cells of a row before its link. */
const MOST_CELLS = 12;

function startOfRow(lines: readonly Line[], line: number): number {
  let at = line;
  while (at > line - MOST_CELLS && at > 0 && lines[line]?.row !== 0 && lines[at - 1]!.row === lines[line]?.row) at--;
  return at;
}

/** A row of contents without the word "Item": "1A | Risk Factors", or the title alone. */
function readRow(document: DocumentLines, from: number, line: number, family: SectionFamily): ItemMark | null {
  const numbered = readNumberFirst(document, from, family);
  if (numbered?.titled) return numbered.mark;
  const { text, letters } = document.lines[line] ?? { text: '', letters: 0 };
  if (letters < 6 || letters > LONGEST_TITLE) return null;
  const words = squeeze(text).replace(/\d{1,3}$/, '');
  if (isPartRow(document.lines, from, words)) return null;
  const titled = codesTitled(TITLES[family], words).filter(({ length }) => length === words.length);
  if (titled.length === 0) return null;
  const titleOf = titled.map(({ code }) => code);
  const number = titleOf[0]!.replace(/^I+-/, '');
  return titleMark(document, line, line, number, text, titleOf);
}

/** "PART II | Other Information", or one below the other: the title of a part, and not Item 5. */
function isPartRow(lines: readonly Line[], from: number, words: string): boolean {
  if (!/^(?:financial|other)information/.test(words)) return false;
  return PART.test(lines[from]!.text) || (lines[from - 1] !== undefined && PART.test(lines[from - 1]!.text));
}

/** The sections that a row may name, the likeliest first. */
function codesOf({ number, words, titleOf }: ItemMark, family: SectionFamily): readonly string[] {
  if (titleOf !== undefined) return titleOf;
  if (family !== '10-Q') return [number];
  const [first, second] = [`I-${number}`, `II-${number}`];
  const fits = titleLength(TITLES['10-Q'], first, words) - titleLength(TITLES['10-Q'], second, words);
  return fits > 0 ? [first] : fits < 0 ? [second] : [first, second];
}

function isNear(lines: readonly Line[], aim: number, { line, lastLine }: ItemMark): boolean {
  if (lastLine < aim || line > aim + LINES_BELOW) return false;
  let letters = 0;
  for (let i = aim; i < line; i++) letters += lines[i]!.letters;
  return letters <= LETTERS_BELOW;
}

/** The first line at or below an aim that is neither a link to the contents, nor a page's number, nor a PART heading. */
function belowFurniture(lines: readonly Line[], aim: number): number {
  for (let i = aim; i < lines.length && i <= aim + LINES_BELOW; i++) {
    const line = lines[i]!;
    const isFurniture =
      (line.format & LINK && line.letters < 30) ||
      isPageNumber(line, false) ||
      (line.letters < 60 && PART.test(line.text));
    if (!isFurniture) return i;
  }
  return aim;
}

/** A mark for a place without the item's number: with its title, with other words, or with the text itself. */
function markAt(lines: readonly Line[], at: number, row: ItemMark, code: string): ItemMark {
  const line = lines[at]!;
  const isHeading = line.letters <= LONGEST_TITLE;
  const words = squeeze(line.text).slice(0, 80);
  return {
    ...row,
    line: at,
    lastLine: at,
    start: line.start,
    numbers: [row.number],
    words,
    tail: 'alone',
    heading: isHeading ? line.text : row.heading,
    pageNumber: false,
    continued: false,
    tailLetters: isHeading ? 0 : line.letters,
    titleOf: [code],
    linkedTo: [code],
    isPlace: !isTitleOf(row, code, words),
  };
}

const TITLE_TABLES = [...Object.values(TITLES), SMALL_TITLES];
/** Letters of a title that make it the same as that of the row. */
const SAME_TITLE = 8;

/** Whether squeezed words begin as the title of a row, or as one of the form's for its item. */
function isTitleOf({ words }: ItemMark, code: string, other: string): boolean {
  const length = Math.min(words.length, other.length, 24);
  if (length >= SAME_TITLE && words.slice(0, length) === other.slice(0, length)) return true;
  return TITLE_TABLES.some((titles) => titleLength(titles, code, other) > 0);
}
