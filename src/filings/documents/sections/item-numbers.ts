/** The numbers of an item's heading: "Item 9A(T)", "ITEM SEVEN", "Items 10 through 13". */
import type { SectionFamily } from '../../api/index.ts';
import { squeeze, TITLES, titleLength, titleOfNumber } from './item-titles.ts';
import { PART_NUMBER } from './parts.ts';

/** Text allowed before the word in the same line: a PART heading, a link to the table of contents. */
const BEFORE = String.raw`^([^a-z0-9]{0,12})(?:table of contents[^a-z0-9]{0,8})?(?:part\s*(?:${PART_NUMBER})\b[^a-z0-9]{0,8}(?:(?:financial|other)\s+information[^a-z0-9]{0,8})?)?i ?t ?e ?m ?((?:s(?![a-z]))?)`;
export const ITEM_START = new RegExp(`${BEFORE}(?![a-z])`, 'i');
const NUMBER_WORDS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'.split(' ');
const ROMAN = ' i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi'.split(' ');
const ITEM = new RegExp(
  `${BEFORE}[^a-z0-9]{0,8}(?:(?:no|number|nos)\\b[^a-z0-9]{0,4})?(?:(\\d{1,2}(?![lo](?![a-z]))|[1li][\\dlo](?=[abc]?(?![a-z]))|l(?=[abc]?(?![a-z])))(?!\\d|[.,]\\d\\d)|([ivx]{1,5})(?=[abc]?(?![a-z]))|(${NUMBER_WORDS.join('|')})(?![a-z]))`,
  'i',
);
const SUFFIX =
  /^(?:([a-z])t?(?![a-z])|(?: ?[-\u2013] ?| )([a-d])(?![a-z'\u2019])|[. ]?\(([a-d])\)|\.([a-d])(?=[.:)\s]))/i;
/** "Item VIIA": a space or bracket after a Roman numeral begins something else. */
const ROMAN_SUFFIX = /^([abc])(?![a-z])/i;
/** Items of transition periods: "9A(T)", "4T". */
const TEMPORARY = /^[ -]?\(?t\)?(?![a-z])/i;
const ANOTHER = new RegExp(
  String.raw`^[\s.:)]{0,4}(?:(and|&|\+|through|thru|to|[,;]\s{0,2}and|[,;]|\/|-|\u2013|\u2014)[^a-z0-9]{0,3})?(items?[^a-z0-9]{0,4})?(\d{1,2}|${NUMBER_WORDS.join('|')}|[ivx]{1,5})([a-c])?(?![\da-z])`,
  'i',
);

export interface ItemNumbers {
  /** The first, as printed: `7`, `9A` */
  number: string;
  /** All, in print order */
  numbers: string[];
  roman: boolean;
  /** Position after them */
  rest: number;
  /** Visible characters before the word "Item", if words are there: a PART heading, a link */
  before: number;
  /** Marks before the word */
  marks: string;
}

/** Reads the beginning of a text. `none`: it has no number of an item; null: a number that no form has. */
export function readNumbers(text: string, family: SectionFamily): ItemNumbers | 'none' | null {
  const match = ITEM.exec(text);
  if (!match) return 'none';
  const first = readNumber(match, text);
  if (!first) return null;
  const numbers = [first.value];
  const rest = readMoreNumbers(text, first.rest, numbers, match[2] !== '', family);
  const { value: number, roman } = first;
  return { number, numbers, roman, rest, before: visibleBefore(match), marks: match[1]! };
}

/** Visible characters before the word "Item", if a PART heading or a link is there. */
function visibleBefore(match: RegExpExecArray): number {
  const item = match[0].search(/i ?t ?e ?m ?s?[^a-z]*(?:(?:no|number|nos)\b)?[^a-z0-9]*[a-z0-9]+$/i);
  const before = match[0].slice(0, Math.max(0, item));
  return /[a-z]/i.test(before) ? before.replace(/\s+/g, '').length : 0;
}

interface PrintedNumber {
  value: string;
  roman: boolean;
  /** Position after it. */
  rest: number;
}

function readNumber(match: RegExpExecArray, text: string): PrintedNumber | null {
  let rest = match[0].length;
  let value: number;
  let roman = false;
  // Typists and scanners write the letters l, I and O for similar digits.
  if (match[3] !== undefined) value = Number(match[3].replace(/[li]/gi, '1').replace(/o/gi, '0'));
  else if (match[4] !== undefined) {
    value = ROMAN.indexOf(match[4].toLowerCase());
    roman = true;
    if (value < 1) return null;
  } else value = NUMBER_WORDS.indexOf(match[5]!.toLowerCase()) + 1;
  if (value < 1 || value > 20) return null;
  let letter = '';
  const suffix = (roman ? ROMAN_SUFFIX : SUFFIX).exec(text.slice(rest, rest + 8));
  if (suffix) {
    const spaced = suffix[2] ?? suffix[3] ?? suffix[4];
    letter = (suffix[1] ?? spaced)!.toUpperCase();
    if (letter === 'T') letter = '';
    // "Item 1 A company" and "Item 15 (a)" are not items 1A and 15A, and "Item 1(a). General Development of Business" is a part of
    // Item 1: behind a blank or in brackets the letter counts only if the form has such an item, and its title or a mark follows.
    if (spaced !== undefined) {
      const code = `${value}${letter}`;
      const after = text.slice(rest + suffix[0].length, rest + 80);
      const words = squeeze(after.replace(TEMPORARY, ''));
      const marked =
        suffix[2] !== undefined && (/^ ?[-\u2013]/.test(suffix[0]) || /^(?:\n|\s*[^a-z0-9\s])/i.test(after));
      const known = marked || titleLength(TITLES['10-K'], code, words) > 0 || /^(?:notapplicable|none|$)/.test(words);
      if (!known || !/^(?:1[ABC]|7A|9[ABC])$/.test(code)) letter = '';
    }
    if (letter !== '') rest += suffix[0].length;
  }
  if (!suffix && !roman) {
    // "ITEM 7AQUANTITATIVE": no space is left between letter and title.
    const fused = /^[a-c](?=[a-z])/i.exec(text.slice(rest, rest + 2));
    const code = fused && `${value}${fused[0].toUpperCase()}`;
    if (code && titleLength(TITLES['10-K'], code, squeeze(text.slice(rest + 1, rest + 80))) > 0) {
      letter = fused[0].toUpperCase();
      rest++;
    }
  }
  const temporary = TEMPORARY.exec(text.slice(rest, rest + 5));
  if (temporary) rest += temporary[0].length;
  return { value: `${value}${letter}`, roman, rest };
}

/** "Item 10-13" without blanks. */
const RANGE = /^[-\u2013]\d/;

/** Reads " and 2", ", 2 and 3", " through 13": combined headings. Returns the position after them. */
function readMoreNumbers(
  text: string,
  from: number,
  numbers: string[],
  plural: boolean,
  family: SectionFamily,
): number {
  let rest = from;
  for (let k = 0; k < 8; k++) {
    const tail = text.slice(rest, rest + 160);
    let more = ANOTHER.exec(tail);
    let skipped = 0;
    if (more && !more[1] && !more[2]) more = null;
    if (!more) {
      // "Item 1. Business and Item 2. Properties": the first title is in between.
      const between =
        /^[^a-z0-9]{0,6}([a-z][a-z ,'\u2019]{3,70}?)(?:[ ,;.]{1,3}(and|&)\s+|\s?[;/]\s{0,2})(items?\s{0,2})?(\d{1,2})([a-c])?(?![\da-z])/i.exec(
          tail,
        );
      if (!between || !(between[3] || plural) || titleOfNumber(family, numbers.at(-1)!, squeeze(between[1]!)) === 0)
        return rest;
      more = between;
      skipped = 1;
    }
    const [word, value, letter] = skipped ? [more[2], more[4], more[5]] : [more[1], more[3], more[4]];
    const needsPlural = word !== undefined && /^(?:[-\u2013\u2014,;]|to)$/.test(word) && !RANGE.test(tail);
    if (needsPlural && !plural && !more[skipped ? 3 : 2]) return rest;
    const until =
      Number(value) || Math.max(NUMBER_WORDS.indexOf(value!.toLowerCase()) + 1, ROMAN.indexOf(value!.toLowerCase()));
    const next = `${until}${(letter ?? '').toUpperCase()}`;
    const last = Number.parseInt(numbers.at(-1)!, 10);
    if (until < last || until > (family === '20-F' ? 19 : 16) || (until === last && !letter)) return rest;
    if (/through|thru|to|[-\u2013\u2014]/i.test(word ?? ''))
      for (let n = last + 1; n < until; n++) numbers.push(String(n));
    if (!numbers.includes(next)) numbers.push(next);
    rest += more[0].length;
    rest += TEMPORARY.exec(text.slice(rest, rest + 5))?.[0].length ?? 0;
  }
  return rest;
}
