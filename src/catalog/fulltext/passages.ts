/** Highlights: the passages of a text that show the matched words best, cut and marked (docs/api.md#fulltext_search). FTS5's snippet() has nothing to cut from in a contentless table. */
import type { MarkedTerm } from './query-tree.ts';
import { foldInPlace, hasCombiningMarks, isWordCharacter, mayFold } from './words.ts';

export const PASSAGES_MAX = 3;
/** Characters of a passage in all, marks and escapes included. */
export const PASSAGE_LENGTH_MAX = 300;
/** Source characters that a passage spans before it is cut to length. */
const WINDOW = 240;
/** Maximum number of matches that are compared. */
const MATCHES_MAX = 2_000;
/** The search of a long text stops after it found every term, and this many matches. */
const MATCHES_ENOUGH = 100;
/** A text is folded and searched in pieces. Each overlaps the next, so that a phrase across the border is found. */
const PIECE_LENGTH = 16_384;
const PIECE_OVERLAP = 1_024;

interface Match {
  start: number;
  end: number;
  term: number;
}

/** A compiled query: finds its words in texts. */
export class PassageFinder {
  readonly #terms: readonly MarkedTerm[];
  /** A query of one word needs no pattern. Making one takes longer than finding a word in many texts. */
  readonly #word: string | null;
  /** For texts without combining marks, which are nearly all: their letters are adjacent, and the engine finds those fast. */
  #plain: RegExp | null = null;
  #withMarks: RegExp | null = null;

  /** @param marked the query's terms, folded */
  constructor(marked: readonly MarkedTerm[]) {
    // Longest first: an alternation takes the first that fits, and a phrase says more than its first word.
    this.#terms = [...marked].sort(
      (a, b) => b.words.length - a.words.length || b.words[0]!.length - a.words[0]!.length,
    );
    const [first] = this.#terms;
    const isOneWord = this.#terms.length === 1 && first!.words.length === 1 && !first!.prefix;
    this.#word = isOneWord ? first!.words[0]! : null;
  }

  /** Up to 3 passages in the order of the text; each escaped, its matched words between `<mark>` and `</mark>`. `ascii`: the text is known to be. */
  passages(text: string, options: { ascii?: boolean } = {}): string[] {
    const matches = this.#matches(text, options.ascii ?? false);
    const chosen = chooseWindows(matches);
    return chosen.sort((a, b) => a.start - b.start).map((window) => writePassage(text, window.start, window.matches));
  }

  #pattern(marks: boolean): RegExp {
    if (marks) {
      this.#withMarks ??= patternOf(this.#terms, '\\p{M}*');
      return this.#withMarks;
    }
    this.#plain ??= patternOf(this.#terms, '');
    return this.#plain;
  }

  #matches(text: string, ascii: boolean): Match[] {
    const matches: Match[] = [];
    if (this.#terms.length === 0) return matches;
    const termsSeen = new Set<number>();
    // Most other texts have signs alone beyond ASCII: one look at all of it, not two at each piece.
    const isBare = ascii || !mayFold(text);
    for (let from = 0; from < text.length; from += PIECE_LENGTH) {
      const piece = text.slice(from, from + PIECE_LENGTH + PIECE_OVERLAP);
      const folded = isBare ? piece.toLowerCase() : foldInPlace(piece);
      const marks = !isBare && hasCombiningMarks(folded);
      if (this.#word !== null && !marks) {
        for (const at of placesOf(this.#word, text, folded, from)) {
          termsSeen.add(1);
          matches.push({ start: at, end: at + this.#word.length, term: 1 });
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

function isAsciiWord(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a);
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

interface Window {
  start: number;
  end: number;
  matches: Match[];
}

/** Windows with the most different terms, then the most matches, then the earliest; none overlaps another. */
function chooseWindows(matches: readonly Match[]): Window[] {
  const candidates: { window: Window; weight: number }[] = [];
  for (let first = 0; first < matches.length; first++) {
    const within: Match[] = [];
    const terms = new Set<number>();
    const end = matches[first]!.start + WINDOW;
    for (let i = first; i < matches.length && matches[i]!.end <= end; i++) {
      within.push(matches[i]!);
      terms.add(matches[i]!.term);
    }
    // A single phrase longer than a window is shown by its beginning.
    if (within.length === 0) within.push(matches[first]!);
    candidates.push({
      window: { start: matches[first]!.start, end: within.at(-1)!.end, matches: within },
      weight: terms.size * 1_000 + Math.min(within.length, 999),
    });
  }
  candidates.sort((a, b) => b.weight - a.weight || a.window.start - b.window.start);
  const chosen: Window[] = [];
  for (const { window } of candidates) {
    if (chosen.some((other) => window.start < other.start + WINDOW && other.start < window.start + WINDOW)) continue;
    chosen.push(window);
    if (chosen.length === PASSAGES_MAX) break;
  }
  return chosen;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Writes words until the passage is full. Begins a few words before the first match. */
function writePassage(text: string, firstMatch: number, matches: readonly Match[]): string {
  const span = matches.at(-1)!.end - firstMatch;
  const lead = Math.max(0, Math.min(60, (WINDOW - span) >> 1));
  let start = Math.max(0, firstMatch - lead);
  if (start > 0) {
    const blank = text.slice(start, firstMatch).search(/\s/);
    start = blank < 0 ? firstMatch : start + blank;
  }
  // Each matched word is marked separately: blanks and punctuation inside a phrase are not matched words.
  const marked = matches.flatMap((match) => wordSpans(text, match));
  let passage = '';
  let nextMark = 0;
  // By hand: a pattern for the pieces would be half of the work of a search for a rare word.
  for (let at = start, end = start; at < text.length; at = end) {
    const kind = kindAt(text, at);
    end = pieceEnd(text, at, kind);
    while (nextMark < marked.length && marked[nextMark]!.end <= at) nextMark++;
    let piece: string;
    if (kind === 'space') piece = passage === '' || passage.endsWith(' ') ? '' : ' ';
    else {
      piece = text.slice(at, end);
      piece = kind === 'sign' ? (ESCAPES[piece] ?? piece) : piece;
      if (nextMark < marked.length && marked[nextMark]!.start <= at) piece = `<mark>${piece}</mark>`;
    }
    if (passage.length + piece.length > PASSAGE_LENGTH_MAX) break;
    passage += piece;
    if (at - start > 2 * PASSAGE_LENGTH_MAX) break;
  }
  return passage.trimEnd();
}

/** White space, a word, or a single other character. */
type Kind = 'space' | 'word' | 'sign';

function kindAt(text: string, at: number): Kind {
  const character = text.codePointAt(at)!;
  if (character < 0x80) {
    if (isAsciiWord(character)) return 'word';
    return character === 0x20 || (character >= 0x09 && character <= 0x0d) ? 'space' : 'sign';
  }
  const written = String.fromCodePoint(character);
  if (isWordCharacter(written)) return 'word';
  return /\s/.test(written) ? 'space' : 'sign';
}

function pieceEnd(text: string, start: number, kind: Kind): number {
  let end = start + lengthAt(text, start);
  if (kind === 'sign') return end;
  while (end < text.length && kindAt(text, end) === kind) end += lengthAt(text, end);
  return end;
}

function lengthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function wordSpans(text: string, match: Match): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const word of text.slice(match.start, match.end).matchAll(/[\p{L}\p{N}\p{Co}\p{M}]+/gu)) {
    spans.push({ start: match.start + word.index, end: match.start + word.index + word[0].length });
  }
  return spans;
}
