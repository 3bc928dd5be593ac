/** Reads a line as the heading of an item, with the next lines if table cells spread it: at most 600 characters. */
import type { SectionFamily } from '../../api/index.ts';
import { BOLD, type DocumentLines, type Line, positionOf, UNDERLINE } from '../lines/lines.ts';
import { isUpper } from '../lines/title-case.ts';
import { ITEM_START, readNumbers } from './item-numbers.ts';
import {
  isTitleWords,
  LONGEST_TITLE,
  squeeze,
  TITLE_LETTERS,
  TITLES,
  titleLength,
  titleOfNumber,
} from './item-titles.ts';
import { hasPageNumber } from './page-numbers.ts';

/** The text after the number and the title. */
type Tail =
  /** Nothing: the heading is alone. */
  | 'alone'
  /** An unknown title, short enough to be one. */
  | 'own-words'
  /** Text continues after a full stop or dash. */
  | 'run-in'
  /** A mention of the item: "Item 7 of this report". */
  | 'mention';

export interface ItemMark {
  /** Index of the line on which the heading starts. */
  line: number;
  /** Index of the line on which it ends. */
  lastLine: number;
  /** Position in the source at which the heading starts. */
  start: number;
  /** The printed number: `7`, `9A`. */
  number: string;
  /** All numbers of a combined heading, in print order. */
  numbers: string[];
  /** The number is printed in Roman numerals; `X` may be a letter as well. */
  roman: boolean;
  /** Squeezed words after the number. */
  words: string;
  tail: Tail;
  /** The heading as printed, white space collapsed. */
  heading: string;
  pageNumber: boolean;
  /** It says "(continued)". */
  continued: boolean;
  /** Letters of the heading line after the heading itself. */
  tailLetters: number;
  /** A title without a number: in the typography of most such titles, in another, or in words of the filer's own. */
  titleOnly?: 'alike' | 'odd' | 'own';
  /** The sections that such a title may head, the likeliest first. */
  titleOf?: readonly string[];
  /** The sections as which the contents link to it. */
  linkedTo?: readonly string[];
  /** The contents link here, but neither number nor title is printed. */
  isPlace?: boolean;
}

const MAX_WINDOW = 600;
const MAX_JOINED_LINES = 6;
/** Words that can follow an item's number only in a sentence about it. */
const SPOKEN_OF =
  /^[^a-z0-9.:\u2013\u2014-]*(?:of|in|to|above|below|herein|hereof|is|are|was|were|will|shall|may|has|have|had|contains?|includes?|which|that|under|on|as|by|from|with|for|or|also|should|section|discuss(?:es|ed)|describe[sd]?|provide[sd]?|entitled|titled|captioned|incorporated|within|pages?|see|and|but|not|if|we|herewith|there|above-)\b/i;
const OF_THE_REPORT =
  /^[^a-z0-9]*(?:(?:of|in|to|from|under|within|for|with)\s+(?:part|this|that|our|such|its|their|item|the\s+(?:company|registrant|corporation)(?:['\u2019]?s)?\s+(?:\d{4}\s+)?(?:annual|quarterly|form|report|20|19)|the\s+(?:annual|quarterly|accompanying|20\d\d|19\d\d|form|report|following|proxy|definitive)|form|exhibit|note|amendment|\d{4})\b|above\b|below\b|herein\b|hereof\b|elsewhere\b|contained\b|included\b|appearing\b|set forth\b|beginning\b|starting\b|and (?:in|elsewhere|our|item|part|notes?)\b|as (?:well|of|updated|amended|supplemented)\b|section\b|which\b|that\b|is\b|are\b|was\b|were\b|has\b|have\b|on pages?\b|or\b|may\b|should\b|will\b|could\b|described\b|discussed\b|to\b)/i;
/** Behind a title: more places of the report are named in the same sentence. */
const WITH_OTHERS = /^\s*,\s*(?:and\s+)?(?:in\s+)?(?:notes?|items?|part)\b/i;
const LINKING_WORDS = /(?:\s+(?:of|and|the|in|to|for|on|with|or|a|by))+$/i;
const TERMINATOR = /^\s*["'\u201d\u2019)\]]?\s*[.:;\u2013\u2014\u2015([\u201c"|-]/;
/** A full stop after the title, then a capital or the first of a list. */
const NEW_SENTENCE = /^\s*[.]["\u201d\u2019)]?\s+(?:["\u201c(]?[A-Z]|\([a1]\))/;
/** Words of an item's text after a title without a stop: "Executive Compensation The information required by ...". */
const NEW_PARAGRAPH =
  /^\s+(?:The|This|These|There|Our|We|None|Not [Aa]pplicable|No|Information|As of|In|At|During|For|Set forth|See)\s/;
/** More words in capitals, then others: "EXECUTIVE COMPENSATION AND BENEFITS Executives are paid ...". */
const AFTER_CAPITALS = /^(?:[\s,&/'\u2019-]*[A-Z]+\b)*\s+[A-Z][a-z]/;
/** Letters of a title's end that no title of the form has. */
const LONGEST_MORE = 80;
const BETWEEN_TITLES = /^\s*(?:[,;/&\u2013\u2014-]\s*)?(?:and\b\s*)?/i;
const IN_BRACKETS = /^\s*\([^()]*\)\s*$/;
const STOPS = /[.:\u2013\u2014-]/;

/** Reads line `at` as an item's heading or a mention of an item; null if it starts with neither. */
export function readItemMark(document: DocumentLines, at: number, family: SectionFamily): ItemMark | null {
  if (!ITEM_START.test(document.lines[at]!.text)) return null;
  const window = joinLines(document.lines, at);
  // "I T E M  1 0 .": the digits are joined, and the blank stays behind them, so that positions stay.
  if (SPACED.test(window.text)) window.text = window.text.replace(SPACED, '$1$2$3 ');
  return readMark(document, at, window, family);
}

const SPACED = /^(\W*I T E M(?: S)?\s+)(1) ([0-6])(?=\W)/i;

/** Reads joined lines as the heading of an item; they begin with line `at`. */
export function readMark(document: DocumentLines, at: number, window: Window, family: SectionFamily): ItemMark | null {
  const item = readNumbers(window.text, family);
  if (item === 'none') return readRegulationItem(document, at);
  if (item === null) return null;
  const { rest, before, marks, ...numbers } = item;
  const separator = /^[^a-z0-9]*/i.exec(window.text.slice(rest))![0];
  const quoted = /["\u201c\u201d\u2018]|^\(/.test(marks);
  const titleStart = rest + separator.length;
  return finish(document, window, family, { at, before, ...numbers, separator, titleStart, quoted });
}

interface Window {
  text: string;
  /** Position in `text` at which each joined line starts. */
  starts: number[];
  first: number;
}

/** Digits and marks as wide as Chinese letters. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/** The line and, while the text is still short, the lines after it, separated by line ends. */
export function joinLines(lines: readonly Line[], at: number): Window {
  let text = lines[at]!.text;
  const starts = [0];
  for (let i = at + 1; i < lines.length && i < at + MAX_JOINED_LINES && text.length < MAX_WINDOW / 2; i++) {
    starts.push(text.length + 1);
    text += `\n${lines[i]!.text}`;
  }
  const full = text
    .slice(0, MAX_WINDOW)
    .replace(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0));
  return { text: full, starts, first: at };
}

function lineAt(window: Window, position: number): number {
  let k = 0;
  while (k + 1 < window.starts.length && window.starts[k + 1]! <= position) k++;
  return k;
}

/** Annual reports of asset-backed issuers print items of Regulation AB between those of the form. */
const REGULATION_AB =
  /^[^a-z0-9]{0,12}items?\s*1[01]\d\d(?:\s*\([a-z0-9]\)){0,3}\s*(?:of|under|,)\s*(?:sec )?regulation ab\s*[.:,\u2013\u2014-]/i;

function readRegulationItem(document: DocumentLines, at: number): ItemMark | null {
  const { text } = document.lines[at]!;
  if (!REGULATION_AB.test(text)) return null;
  return { ...titleMark(document, at, at, 'AB', text), tail: 'own-words', pageNumber: false, continued: false };
}

/** The mark of a title with its number elsewhere. @param titleOf sections that it may head without a number */
export function titleMark(
  { lines }: DocumentLines,
  line: number,
  lastLine: number,
  number: string,
  title: string,
  titleOf?: readonly string[],
): ItemMark {
  const heading = line === lastLine ? lines[line]!.text : `${lines[line]!.text} ${lines[lastLine]!.text}`;
  return {
    line,
    lastLine,
    start: lines[line]!.start,
    number,
    numbers: [number],
    roman: false,
    words: squeeze(title).slice(0, 80),
    tail: 'alone',
    heading,
    pageNumber: hasPageNumber(lines, line, lastLine, title),
    continued: /\bcont(?:inued|['\u2019]?d)\b/i.test(heading),
    tailLetters: 0,
    ...(titleOf === undefined ? {} : { titleOf }),
  };
}

interface Parsed {
  at: number;
  /** Visible characters of the line before the word "Item": those of a PART heading in the same line. */
  before: number;
  number: string;
  numbers: string[];
  roman: boolean;
  separator: string;
  titleStart: number;
  quoted: boolean;
}

function finish({ lines, source }: DocumentLines, window: Window, family: SectionFamily, parsed: Parsed): ItemMark {
  const { at, number, numbers, separator, titleStart, quoted } = parsed;
  const { text } = window;
  const titleLine = lineAt(window, titleStart);
  const words = squeeze(text.slice(titleStart), TITLE_LETTERS);
  const known = knownTitle(family, number, words);
  const numberEnd = titleStart - separator.length;
  // The word may stand alone on the line above the number.
  const numberLine = lineAt(window, Math.max(0, numberEnd - 1));
  const sameLine = titleLine === numberLine;
  const stops = STOPS.test(separator);
  let tail: Tail = 'alone';
  let headingEnd = endOfLine(window, numberLine);
  let lastLine = numberLine;
  if (known > 0 && (sameLine || joins(lines, at + numberLine, at + titleLine))) {
    let end = positionAfter(text, titleStart, known);
    // These words don't end a title: they only looked like the beginning of a longer one.
    const linking = LINKING_WORDS.exec(text.slice(titleStart, end))?.[0].length ?? 0;
    if (knownTitle(family, number, squeeze(text.slice(titleStart, end - linking))) > 0) end -= linking;
    if (numbers.length > 1) end = endOfTitles(text, end, family, numbers);
    const last = lineAt(window, Math.max(titleStart, end - 1));
    const lineEnd = endOfLine(window, last);
    const after = text.slice(end, lineEnd);
    const upper = isUpper(text.slice(titleStart, end));
    const what = classify(after, lines[at + last]!, lineEnd - (window.starts[last] ?? 0), stops, upper);
    // Else the number stands alone on its line; the lines below are the item's text.
    if (what !== 'mention' || sameLine) {
      tail = what;
      headingEnd = what === 'run-in' ? end : lineEnd;
      lastLine = last;
    }
  } else if (sameLine && titleStart < headingEnd) {
    const rest = text.slice(titleStart, headingEnd);
    if (OF_THE_REPORT.test(rest) || (!stops && SPOKEN_OF.test(separator + rest))) tail = 'mention';
    else if (lines[at + numberLine]!.letters <= LONGEST_TITLE * 0.6) tail = 'own-words';
    else tail = stops ? 'run-in' : 'mention';
    if (tail === 'run-in') headingEnd = numberEnd;
  }
  if (quoted || isInList(lines, at, at + lastLine)) tail = 'mention';
  const last = lines[at + lastLine]!;
  const tailText = text.slice(headingEnd, endOfLine(window, lastLine));
  const heading = text.slice(0, headingEnd).replace(/\s+/g, ' ').trim();
  return {
    line: at,
    lastLine: at + lastLine,
    start: parsed.before === 0 ? lines[at]!.start : positionOf(source, lines[at]!, parsed.before),
    number,
    numbers: parsed.numbers,
    roman: parsed.roman,
    words: words.slice(0, 80),
    tail,
    heading,
    pageNumber: hasPageNumber(lines, at, at + lastLine, text.slice(titleStart, endOfLine(window, lastLine))),
    continued: /\bcont(?:inued|['\u2019]?d)\b/i.test(text.slice(titleStart, endOfLine(window, lastLine))),
    tailLetters: tail === 'run-in' ? Math.max(0, last.letters - countLetters(last.text) + countLetters(tailText)) : 0,
  };
}

const BULLET = /^[\u2022\u00b7\u25aa\u25cf\u25cb\u2023*-]\s*/;
/** The end of an entry that is not the last one. */
const LIST_END = /;(?:\s*(?:and|or))?$/i;

/** Whether a line is an entry in a list of places: "\u2022 Item 1A. Risk Factors;". */
function isInList(lines: readonly Line[], at: number, last: number): boolean {
  if (LIST_END.test(lines[last]!.whole)) return true;
  const before = lines[at - 1];
  return isBulleted(lines[at]!) && before !== undefined && isBulleted(before) && LIST_END.test(before.whole);
}

function isBulleted({ text, marker }: Line): boolean {
  return marker !== '' || BULLET.test(text);
}

/** Whether the title on a later line belongs to the number: it is in the same table row, or directly below. */
function joins(lines: readonly Line[], at: number, titleLine: number): boolean {
  if (titleLine - at <= 1) return true;
  const row = lines[at]!.row;
  return row !== 0 && lines[titleLine]!.row === row;
}

function knownTitle(family: SectionFamily, number: string, words: string): number {
  // The small-business forms, and filers, use the titles of other numbers.
  const others = () => [...TITLES[family].keys()].map((code) => titleLength(TITLES[family], code, words));
  return titleOfNumber(family, number, words) || Math.max(...others());
}

/** Position after the titles of a combined heading: "Management's Discussion and Analysis; Disclosures About Market Risk". */
function endOfTitles(text: string, from: number, family: SectionFamily, numbers: readonly string[]): number {
  let end = from;
  for (const number of numbers.slice(1)) {
    const start = end + BETWEEN_TITLES.exec(text.slice(end))![0].length;
    const known = titleOfNumber(family, number, squeeze(text.slice(start)));
    if (known > 0) end = positionAfter(text, start, known);
  }
  return end;
}

/** Position in `text` after the `count`-th letter or digit from `from`. */
function positionAfter(text: string, from: number, count: number): number {
  let left = count;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)) {
      left--;
      if (left === 0) {
        // The whole word.
        let end = i + 1;
        while (end < text.length && /[a-z0-9'\u2019]/i.test(text[end]!)) end++;
        return end;
      }
    }
  }
  return text.length;
}

function endOfLine(window: Window, k: number): number {
  const next = window.starts[k + 1];
  return next === undefined ? window.text.length : Math.min(next - 1, window.text.length);
}

function classify(after: string, line: Line, lineLength: number, stops: boolean, upper: boolean): Tail {
  if (!/[a-z]/i.test(after)) return 'alone';
  if (/^[\s.,:;\u2013\u2014*-]*\(?\s*cont(?:inued|['\u2019]?d)\b/i.test(after) && after.length < 40) return 'alone';
  // A new sentence begins an item's text: "Item 2. Properties. As of December 31 ...". More words of the title may be before it.
  const stop = after.search(/[.]["\u201d\u2019)]?\s/);
  const more = squeeze(stop < 0 ? after : after.slice(0, stop));
  if (more.length <= LONGEST_MORE && isTitleWords(more)) {
    if (stop < 0) return 'alone';
    if (NEW_SENTENCE.test(after.slice(stop))) return 'run-in';
  }
  if (stops && (NEW_PARAGRAPH.test(after) || (upper && AFTER_CAPITALS.test(after)))) return 'run-in';
  // "Exhibits (As Amended)" is a title.
  if ((OF_THE_REPORT.test(after) && !IN_BRACKETS.test(after)) || WITH_OTHERS.test(after)) return 'mention';
  if (TERMINATOR.test(after)) return 'run-in';
  if (line.letters <= LONGEST_TITLE && lineLength <= LONGEST_TITLE + 80) return 'alone';
  // The heading is set apart by its type.
  if (line.firstFormat & (BOLD | UNDERLINE) && !(line.format & line.firstFormat & (BOLD | UNDERLINE))) return 'run-in';
  return 'mention';
}

function countLetters(text: string): number {
  return text.replace(/[^a-z]+/gi, '').length;
}
