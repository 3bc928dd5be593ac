/**
 * Headings that name their item otherwise than "Item 1A. Risk Factors": without the word, in brackets, in Roman numerals, behind the
 * title. A report writes all of them alike.
 */
import type { SectionFamily } from '../../api/index.ts';
import { besides, type DocumentLines } from '../lines/lines.ts';
import { type ItemMark, joinLines, readMark, titleMark } from './item-headings.ts';
import { LONGEST_TITLE, SMALL_TITLES, squeeze, titleLength, titleOfNumber } from './item-titles.ts';

/** Everything before the number: "1A. Risk Factors", "(Item 1A) Risk Factors", "Form 10-K, Item 1A. Risk Factors". */
const BEFORE_NUMBER =
  /^([^a-z0-9$]{0,4}(?:(?:[a-z][a-z0-9 ,./-]{0,24}[^a-z0-9])?items?[^a-z0-9]{0,4})?)(?:\d{1,2} ?[a-k]?|[ivx]{1,5}[abc]?)(?![a-z0-9,]|[.]\d)/i;

/** The lines that write the number in one way. */
export interface Way {
  marks: ItemMark[];
  /** With titles of other items, or in the filer's own words */
  untitled: ItemMark[];
}

/** All ways in which lines of a document write a number with a title. */
export function numberedTitles(document: DocumentLines, family: SectionFamily): Way[] {
  const ways = new Map<string, Way>();
  const add = (way: string, list: keyof Way, mark: ItemMark) => {
    const known = ways.get(way) ?? { marks: [], untitled: [] };
    known[list].push(mark);
    ways.set(way, known);
  };
  for (let i = 0; i < document.lines.length; i++) {
    const first = readNumberFirst(document, i, family);
    if (first) add(first.way, first.titled ? 'marks' : 'untitled', first.mark);
    const last = readNumberLast(document, i, family);
    if (last) add('last', 'marks', last);
  }
  return [...ways.values()];
}

/** Reads line `at` as a number and its title. `titled`: that is a title of this number. Any text after it must be set apart. */
export function readNumberFirst(
  document: DocumentLines,
  at: number,
  family: SectionFamily,
): { mark: ItemMark; way: string; titled: boolean } | null {
  const first = document.lines[at]!;
  if (!BEFORE_NUMBER.test(first.text)) return null;
  const { text, starts } = joinLines(document.lines, at);
  const before = BEFORE_NUMBER.exec(text)![1]!;
  const word = squeeze(before).replace(/items$/, 'item');
  const way = `${word}${/[([]/.exec(before)?.[0] ?? ''}`;
  // That is the usual way.
  if (way === 'item') return null;
  const usual = /items/i.test(before) ? 'Items ' : 'Item ';
  const shift = usual.length - before.length;
  const window = {
    text: usual + text.slice(before.length),
    starts: starts.map((start, k) => (k === 0 ? 0 : Math.max(0, start + shift))),
    first: at,
  };
  const mark = readMark(document, at, window, family);
  if (!mark) return null;
  const titled = mark.numbers.length > 1 ? word.endsWith('item') : hasOwnTitle(family, mark);
  mark.heading = (before + mark.heading.slice(usual.length)).replace(/\s+/g, ' ').trim();
  return { mark, way, titled };
}

const BEHIND_TITLE = /^(.*?)[\s\u2013\u2014-]*([([]?)\s*items?\s*(\d{1,2})\s*\(?([a-k])?\)?[.:]?\s*[)\]]?[.:]?$/i;

/** The heading with its title in the cell before the number, if that is the number's title; else the mark as it is. */
export function withTitleBefore(document: DocumentLines, mark: ItemMark, family: SectionFamily): ItemMark {
  const [before, line] = [-1, 0].map((k) => document.lines[mark.line + k]);
  if (!line || !before || !besides(before, line)) return mark;
  const titled = titleMark(document, mark.line - 1, mark.line, mark.number, before.text);
  return hasOwnTitle(family, titled) ? titled : mark;
}

/** Reads line `at` as a title followed by the item's number, or as that number alone below the title. */
function readNumberLast(document: DocumentLines, at: number, family: SectionFamily): ItemMark | null {
  const { lines } = document;
  const last = lines[at]!;
  if (last.digits === 0 || last.text.length > LONGEST_TITLE + 20) return null;
  const match = BEHIND_TITLE.exec(last.text);
  if (!match) return null;
  const bracketed = match[2] !== '';
  const alone = squeeze(match[1]!) === '';
  const line = alone ? at - 1 : at;
  const title = alone ? lines[line]?.text : match[1]!;
  if (title === undefined) return null;
  const mark = titleMark(document, line, at, `${Number(match[3])}${(match[4] ?? '').toUpperCase()}`, title);
  return bracketed || hasOwnTitle(family, mark) ? mark : null;
}

function hasOwnTitle(family: SectionFamily, { number, words }: ItemMark): boolean {
  return (
    titleOfNumber(family, number, words) > 0 || (family === '10-K' && titleLength(SMALL_TITLES, number, words) > 0)
  );
}
