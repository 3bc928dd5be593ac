/**
 * Words as FTS5's `unicode61 remove_diacritics 2` has them: runs of letters, digits and private-use characters, folded to lower
 * case without diacritics. Queries are split here, so that the searched words and the marked words are the same.
 */

const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;

/** The words of a text, as written. */
export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Whether the character is part of a word or joins one (a combining mark). */
export function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}\p{Co}\p{M}]/u.test(character);
}

/** Whether a code unit of ASCII is part of a word. */
export function isAsciiWord(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
}

/** Lower case without diacritics: two words are one when their folds are equal. */
export function fold(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase();
}

const foldedCharacters = new Map<string, string>();

/** Whether a text may have characters beyond ASCII that fold, or combining marks. If not, its fold is its lower case. */
export function mayFold(text: string): boolean {
  return /[\u20d0-\u218f\u2460-\uffff\u00c0-\u1fff]/.test(text);
}

/** Folds a text and keeps its length, so that positions stay valid: a character whose fold has another length stays unchanged. */
export function foldInPlace(text: string): string {
  // By code unit: half of a surrogate pair has no fold of its own. Beyond U+FFFF filings use no letters with case or accents.
  // Most characters beyond ASCII are signs and spaces, which have no fold: they are left out here.
  const bare = text.replace(/[\u00c0-\u1fff\u2100-\u218f\u2460-\uffff]/g, foldCharacter);
  const lower = bare.toLowerCase();
  return lower.length === text.length ? lower : bare.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

/** Whether a text has combining marks: then a letter and its accent may be two characters. */
export function hasCombiningMarks(text: string): boolean {
  // Most texts have none of these: one quick look is enough.
  if (!/[\u0300-\u1fff]|[\u20d0-\u20ff]/.test(text)) return false;
  return /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]/.test(text);
}

function foldCharacter(character: string): string {
  let folded = foldedCharacters.get(character);
  if (folded === undefined) {
    // A separate combining mark stays: patterns allow it between letters.
    const bare = fold(character);
    folded = bare.length === 1 ? bare : character;
    foldedCharacters.set(character, folded);
  }
  return folded;
}
