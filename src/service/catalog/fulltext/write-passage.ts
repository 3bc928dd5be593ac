/** A passage of a text, cut to length, escaped, and marked. */
import type { Match } from './matches.ts';
import { isAsciiWord, isWordCharacter } from './words.ts';

/** Characters of a passage in all, marks and escapes included. */
export const PASSAGE_LENGTH_MAX = 300;
/** Source characters that a passage spans before it is cut to length. */
export const WINDOW = 240;
/** Source characters before the first match, at most */
export const LEAD_MAX = 60;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Words around the first match. @param part more text may follow: null then means that the passage needs it */
export function writePassage(text: string, matches: readonly Match[], part: boolean): string | null {
  const firstMatch = matches[0]!.start;
  const span = matches.at(-1)!.end - firstMatch;
  const lead = Math.max(0, Math.min(LEAD_MAX, (WINDOW - span) >> 1));
  let start = Math.max(0, firstMatch - lead);
  if (start > 0) {
    const blank = text.slice(start, firstMatch).search(/\s/);
    start = blank < 0 ? firstMatch : start + blank;
  }
  // Each matched word is marked separately: blanks and punctuation inside a phrase are not matched words.
  const marked = matches.flatMap((match) => wordSpans(text, match));
  let passage = '';
  let endsBlank = true;
  let nextMark = 0;
  // Without a pattern, which would be half of the work of a search for a rare word.
  for (let at = start, end = start; at < text.length; at = end) {
    const kind = kindAt(text, at);
    end = pieceEnd(text, at, kind);
    if (part && end >= text.length) return null;
    let piece: string;
    if (kind === SPACE) piece = endsBlank ? '' : ' ';
    else {
      piece = text.slice(at, end);
      if (kind === SIGN) piece = ESCAPES[piece] ?? piece;
      while (nextMark < marked.length && marked[nextMark]!.end <= at) nextMark++;
      if (nextMark < marked.length && marked[nextMark]!.start <= at) piece = `<mark>${piece}</mark>`;
    }
    if (passage.length + piece.length > PASSAGE_LENGTH_MAX) break;
    passage += piece;
    endsBlank = kind === SPACE;
    if (at - start > 2 * PASSAGE_LENGTH_MAX) break;
  }
  return passage.trimEnd();
}

/** White space, a word, or a single other character. */
type Kind = typeof SPACE | typeof WORD | typeof SIGN;
const SPACE = 0;
const WORD = 1;
const SIGN = 2;

const ASCII_KINDS = Array.from({ length: 0x80 }, (_, unit): Kind => {
  if (isAsciiWord(unit)) return WORD;
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) ? SPACE : SIGN;
});

function kindAt(text: string, at: number): Kind {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return ASCII_KINDS[unit]!;
  const written = String.fromCodePoint(text.codePointAt(at)!);
  if (isWordCharacter(written)) return WORD;
  return /\s/.test(written) ? SPACE : SIGN;
}

function pieceEnd(text: string, start: number, kind: Kind): number {
  let end = start + lengthAt(text, start);
  if (kind === SIGN) return end;
  for (;;) {
    while (ASCII_KINDS[text.charCodeAt(end)] === kind) end++;
    if (end >= text.length || kindAt(text, end) !== kind) return end;
    end += lengthAt(text, end);
  }
}

function lengthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

function wordSpans(text: string, match: Match): { start: number; end: number }[] {
  const written = text.slice(match.start, match.end);
  if (/^[A-Za-z0-9]+$/.test(written)) return [match];
  const spans: { start: number; end: number }[] = [];
  for (const word of written.matchAll(/[\p{L}\p{N}\p{Co}\p{M}]+/gu)) {
    spans.push({ start: match.start + word.index, end: match.start + word.index + word[0].length });
  }
  return spans;
}
