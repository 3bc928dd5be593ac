/** Finds the words of a query in a text. Positions are UTF-16 code units of the text. */
import { accentedPlaces, wordPlaces } from './places-in-bytes.ts';
import type { MarkedTerm } from './query-tree.ts';
import { foldInPlace, hasCombiningMarks, isAsciiWord, isWordCharacter, mayFold } from './words.ts';

/** Maximum number of matches that are compared. */
const MATCHES_MAX = 2_000;
/** The search of a long text stops after it found every term, and this many matches. */
const MATCHES_ENOUGH = 100;
/** A text is folded and searched in pieces. Each overlaps the next, so that a phrase across the border is found. */
const PIECE_LENGTH = 16_384;
const PIECE_OVERLAP = 1_024;

export interface Match {
  start: number;
  end: number;
  /** Equal for matches of the same term */
  term: number;
}

/** Finds the matches of a query's terms. The longest term must come first: of several that begin at a place, the first is taken. */
export class TermFinder {
  readonly #terms: readonly MarkedTerm[];
  /** Each term's word, if all terms are single words in ASCII. They are found in bytes. */
  readonly #words: readonly string[] | null;
  /** A query of one word needs no pattern. Making one takes longer than finding a word in many texts. */
  readonly #word: string | null;
  /** For texts without combining marks, which are nearly all. Their letters are adjacent, which the engine finds fast. */
  #plain: RegExp | null = null;
  #withMarks: RegExp | null = null;

  constructor(terms: readonly MarkedTerm[]) {
    this.#terms = terms;
    const words = terms.map(({ words, prefix }) => (words.length === 1 && !prefix ? words[0]! : ''));
    const areWords = words.every((word) => /^[a-z0-9]+$/.test(word) && word.length <= PIECE_OVERLAP);
    this.#words = areWords && words.length > 0 ? words : null;
    this.#word = words.length === 1 && words[0] !== '' ? words[0]! : null;
  }

  /** @param ascii the text is known to be ASCII */
  inText(text: string, ascii: boolean): Match[] {
    const matches: Match[] = [];
    if (this.#terms.length === 0) return matches;
    const termsSeen = new Set<number>();
    // Most texts have only punctuation outside ASCII, so the whole text is checked once.
    const isBare = ascii || !mayFold(text);
    for (let from = 0; from < text.length; from += PIECE_LENGTH) {
      const piece = text.slice(from, from + PIECE_LENGTH + PIECE_OVERLAP);
      const folded = isBare ? piece.toLowerCase() : foldInPlace(piece);
      const marks = !isBare && hasCombiningMarks(folded);
      if (this.#word !== null && !marks) {
        for (const at of placesOf(this.#word, text, folded, from)) {
          matches.push({ start: at, end: at + this.#word.length, term: 0 });
          if (matches.length >= MATCHES_MAX) return matches;
        }
        if (matches.length >= MATCHES_ENOUGH) break;
        continue;
      }
      const pattern = this.#pattern(marks);
      pattern.lastIndex = 0;
      for (let found = pattern.exec(folded); found; found = pattern.exec(folded)) {
        const at = from + found.index;
        if (found.index >= PIECE_LENGTH) break;
        // Checked here: in the pattern, the check would run at every letter of the text.
        if (isInsideWord(text, at)) {
          pattern.lastIndex = found.index + 1;
          continue;
        }
        // A phrase across the border of two pieces counts once.
        if (at < (matches.at(-1)?.end ?? 0)) continue;
        const term = found.findIndex((group, i) => i > 0 && group !== undefined);
        termsSeen.add(term);
        matches.push({ start: at, end: at + found[0].length, term });
        if (matches.length >= MATCHES_MAX) return matches;
      }
      if (matches.length >= MATCHES_ENOUGH && termsSeen.size === this.#terms.length) break;
    }
    return matches;
  }

  /**
   * The same matches, found in the text's UTF-8 without decoding it. `at` is the byte at which each begins. Null if that needs the
   * decoded text: for phrases and beginnings of words, and for texts with combining marks.
   */
  inBytes(bytes: Buffer, ascii: boolean): (Match & { at: number })[] | null {
    const words = this.#words;
    const accented = words === null ? null : ascii ? [] : accentedPlaces(words, bytes);
    if (words === null || accented === null) return null;
    const matches: (Match & { at: number })[] = [];
    const termsSeen = new Set<number>();
    let position = 0;
    let positionAt = 0;
    let piece = 0;
    for (const { at, term } of wordPlaces(words, bytes, accented)) {
      position = ascii ? at : position + bytes.toString('utf8', positionAt, at).length;
      positionAt = at;
      // As in a decoded text, the search stops at the end of a piece.
      const pieceOf = Math.floor(position / PIECE_LENGTH);
      if (pieceOf > piece && matches.length >= MATCHES_ENOUGH && termsSeen.size === words.length) break;
      piece = pieceOf;
      termsSeen.add(term);
      matches.push({ start: position, end: position + words[term]!.length, term, at });
      if (matches.length >= MATCHES_MAX) break;
    }
    return matches;
  }

  #pattern(marks: boolean): RegExp {
    if (marks) {
      this.#withMarks ??= patternOf(this.#terms, '\\p{M}*');
      return this.#withMarks;
    }
    this.#plain ??= patternOf(this.#terms, '');
    return this.#plain;
  }
}

/** Positions in the text at which a piece has the word alone. @param from of the piece */
function* placesOf(word: string, text: string, folded: string, from: number): Generator<number> {
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
    if (at >= PIECE_LENGTH) return;
    const end = from + at + word.length;
    if (!isInsideWord(text, from + at) && !isWordAt(text, end)) {
      yield from + at;
      at += word.length - 1;
    }
  }
}

/** Whether a word continues at this position. */
function isWordAt(text: string, at: number): boolean {
  const character = text.codePointAt(at);
  if (character === undefined) return false;
  if (character < 0x80) return isAsciiWord(character);
  return isWordCharacter(String.fromCodePoint(character));
}

/** @param between pattern of the characters that may follow each letter */
function patternOf(terms: readonly MarkedTerm[], between: string): RegExp {
  const alternatives = terms.map((term) => {
    const words = term.words.map((word) => [...word].map((c) => `${escapeForPattern(c)}${between}`).join(''));
    return `(${words.join('[^\\p{L}\\p{N}\\p{Co}]+')}${term.prefix ? '[\\p{L}\\p{N}\\p{Co}\\p{M}]*' : ''})`;
  });
  return new RegExp(`(?:${alternatives.join('|')})(?![\\p{L}\\p{N}\\p{Co}\\p{M}])`, 'gu');
}

/** Whether a word continues across this position: the character before it is part of one. */
function isInsideWord(text: string, at: number): boolean {
  if (at === 0) return false;
  const unit = text.charCodeAt(at - 1);
  if (unit < 0x80) return isAsciiWord(unit);
  const isTrail = unit >= 0xdc00 && unit <= 0xdfff && at > 1;
  return isWordCharacter(isTrail ? text.slice(at - 2, at) : text[at - 1]!);
}

function escapeForPattern(character: string): string {
  return /[\p{L}\p{N}]/u.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
