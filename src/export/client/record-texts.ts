/** Positions of the records of a page in its bytes, for callers that store records in their original text. */
import { isUtf8 } from 'node:buffer';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const COMMA = 0x2c;
const SPACE = 0x20;
const TAB = 0x09;
const LOWER_D = 0x64;
const UPPER_D = 0x44;
const LOWER_U = 0x75;
/** Numbers stored for each record. */
const FIELDS = 3;
/** Instead of a number of members: the record isn't plain. */
const NOT_PLAIN = -1;

/** Records of one page. */
export class RecordTexts {
  readonly body: Buffer;
  /** Start, end and number of members of each. */
  readonly #places: Int32Array;

  constructor(body: Buffer, places: Int32Array) {
    this.body = body;
    this.#places = places;
  }

  get count(): number {
    return this.#places.length / FIELDS;
  }

  start(record: number): number {
    return this.#places[record * FIELDS]!;
  }

  /** After its last byte. */
  end(record: number): number {
    return this.#places[record * FIELDS + 1]!;
  }

  /**
   * Number of members in the text of a record, nested ones included. It is larger than the record's if a name occurs twice, and
   * readers of JSON may then choose differently. Null if readers may differ in more: numbers that aren't plain digits, halves of
   * surrogate pairs, names with escapes, line ends.
   */
  members(record: number): number | null {
    const members = this.#places[record * FIELDS + 2]!;
    return members === NOT_PLAIN ? null : members;
  }
}

/**
 * @param body valid JSON: an object with one list of objects, and other members that are neither list nor object
 * @returns null if the body is not UTF-8, or of another form
 */
export function recordTexts(body: Buffer): RecordTexts | null {
  if (!isUtf8(body)) return null;
  const start = body.indexOf(OPEN_LIST);
  if (start === -1) return null;
  let places = new Int32Array(1024 * FIELDS);
  let at = 0;
  let i = start + 1;
  for (;;) {
    while (i < body.length && body[i] !== OPEN_OBJECT && body[i] !== CLOSE_LIST) i++;
    if (i >= body.length) return null;
    if (body[i] === CLOSE_LIST) break;
    if (at === places.length) {
      const more = new Int32Array(places.length * 2);
      more.set(places);
      places = more;
    }
    places[at] = i;
    i = placeOfRecord(body, i, places, at);
    if (i === -1) return null;
    at += FIELDS;
  }
  // A second list would have other records.
  if (body.indexOf(OPEN_LIST, i) !== -1) return null;
  return new RecordTexts(body, places.subarray(0, at));
}

/** @returns the position after the record that begins at `start`; -1: the body ends before it */
function placeOfRecord(body: Buffer, start: number, places: Int32Array, at: number): number {
  let depth = 0;
  let members = 0;
  let isPlain = true;
  let hasEscape = false;
  for (let i = start; i < body.length; i++) {
    const byte = body[i]!;
    if (byte === QUOTE) {
      hasEscape = false;
      for (i++; body[i] !== QUOTE; i++) {
        if (i >= body.length) return -1;
        if (body[i] !== BACKSLASH) continue;
        hasEscape = true;
        i++;
        // \ud800 to \udfff come in pairs in valid text; other escapes begin with \ud too.
        if (body[i] === LOWER_U && (body[i + 1] === LOWER_D || body[i + 1] === UPPER_D)) isPlain = false;
      }
    } else if (byte === COLON) {
      members++;
      if (hasEscape) isPlain = false;
    } else if (byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_OBJECT) {
      if (--depth > 0) continue;
      places[at + 1] = i + 1;
      places[at + 2] = isPlain ? members : NOT_PLAIN;
      return i + 1;
    } else if (!isPlainBetweenTexts(byte)) isPlain = false;
  }
  return -1;
}

/** Digits, commas, brackets, `null`, spaces. Not `true` and `false`: so an `e` belongs to a number. */
function isPlainBetweenTexts(byte: number): boolean {
  if (byte >= 0x30 && byte <= 0x39) return true;
  switch (byte) {
    case COMMA:
    case OPEN_LIST:
    case CLOSE_LIST:
    case SPACE:
    case TAB:
    case 0x6e: // n
    case LOWER_U:
    case 0x6c: // l
      return true;
    default:
      return false;
  }
}
