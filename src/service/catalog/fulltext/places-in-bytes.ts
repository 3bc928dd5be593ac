/** Finds words of ASCII letters and digits in UTF-8 without decoding it. Positions are bytes. */
import { isUtf8 } from 'node:buffer';
import { foldInPlace, isAsciiWord, isWordCharacter } from './words.ts';

/** Bytes that are searched at a time */
const SEGMENT_BYTES = 65_536;
/** Beyond, decoding the text is faster. */
const ACCENTS_MAX = 1_000;

interface WordPlace {
  at: number;
  /** Index of the word */
  term: number;
}

/**
 * In UTF-8 that is read as Latin-1: U+00C0 to U+024F, U+1E00 to U+1EFF, the signs of Kelvin and Angstrom. All characters that fold
 * to an ASCII letter are among these.
 */
const ACCENTED = '[\\xc3-\\xc9]|\\xe1[\\xb8-\\xbb]|\\xe2\\x84[\\xaa\\xab]';
/** As `hasCombiningMarks` */
const MARKS =
  '\\xcc|\\xcd[\\x80-\\xaf]|\\xd2[\\x83-\\x89]|\\xe1(?:\\xaa[\\xb0-\\xbf]|\\xab|\\xb7)|\\xe2\\x83[\\x90-\\xbf]';
const SPECIAL = new RegExp(`(?:${ACCENTED})|(${MARKS})`, 'g');

/**
 * The places of the words in which a letter has an accent, in order. Null if the text must be decoded: it has combining marks or many
 * accents, or is not UTF-8.
 */
export function accentedPlaces(words: readonly string[], bytes: Buffer): WordPlace[] | null {
  const places: WordPlace[] = [];
  let accents = 0;
  let searchedTo = 0;
  const characters = bytes.toString('latin1');
  SPECIAL.lastIndex = 0;
  for (let found = SPECIAL.exec(characters); found; found = SPECIAL.exec(characters)) {
    if (found[1] !== undefined || ++accents > ACCENTS_MAX) return null;
    if (found.index < searchedTo || !isWordFrom(bytes, found.index)) continue;
    let at = found.index;
    while (isWordBefore(bytes, at)) at = characterBefore(bytes, at);
    let end = found.index;
    while (isWordFrom(bytes, end)) end += characterBytes(bytes, end);
    searchedTo = end;
    const term = words.indexOf(foldInPlace(bytes.toString('utf8', at, end)));
    if (term >= 0) places.push({ at, term });
  }
  return isUtf8(bytes) ? places : null;
}

/** The places of the words, in order. @param accented of `accentedPlaces` */
export function* wordPlaces(
  words: readonly string[],
  bytes: Buffer,
  accented: readonly WordPlace[],
): Generator<WordPlace> {
  const overlap = Math.max(...words.map((word) => word.length));
  let nextAccented = 0;
  for (let from = 0; from < bytes.length; from += SEGMENT_BYTES) {
    const end = Math.min(bytes.length, from + SEGMENT_BYTES);
    // A byte is a character here. Letters of the words are ASCII, and stay themselves.
    const folded = bytes.toString('latin1', from, end + overlap).toLowerCase();
    const next = words.map((word) => nextPlace(word, bytes, folded, from, 0));
    for (;;) {
      let term = -1;
      for (let i = 0; i < next.length; i++) if (next[i]! >= 0 && (term < 0 || next[i]! < next[term]!)) term = i;
      const at = term < 0 ? end : from + next[term]!;
      while (nextAccented < accented.length && accented[nextAccented]!.at < at) yield accented[nextAccented++]!;
      if (term < 0) break;
      yield { at, term };
      // A query may have a word twice. Its place counts once.
      for (let i = term; i < next.length; i++) {
        if (next[i] === at - from) next[i] = nextPlace(words[i]!, bytes, folded, from, at - from + words[i]!.length);
      }
    }
  }
}

/** Position in the segment at which the word stands alone; -1 if none begins in this segment */
function nextPlace(word: string, bytes: Buffer, folded: string, from: number, after: number): number {
  for (let at = folded.indexOf(word, after); at >= 0; at = folded.indexOf(word, at + 1)) {
    if (at >= SEGMENT_BYTES) return -1;
    if (!isWordBefore(bytes, from + at) && !isWordFrom(bytes, from + at + word.length)) return at;
  }
  return -1;
}

function isWordBefore(bytes: Buffer, at: number): boolean {
  if (at === 0) return false;
  if (bytes[at - 1]! < 0x80) return isAsciiWord(bytes[at - 1]!);
  return isWordCharacter(bytes.toString('utf8', characterBefore(bytes, at), at));
}

function isWordFrom(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  if (first === undefined) return false;
  if (first < 0x80) return isAsciiWord(first);
  return isWordCharacter(bytes.toString('utf8', at, at + characterBytes(bytes, at)));
}

/** Position of the character before this one */
function characterBefore(bytes: Buffer, at: number): number {
  let start = at - 1;
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start--;
  return start;
}

function characterBytes(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
