/** Highlights: the passages of a text that show the matched words best, cut and marked (docs/api.md#fulltext_search). FTS5's snippet() has nothing to cut from in a contentless table. */
import { isAscii } from 'node:buffer';
import { type Match, TermFinder } from './matches.ts';
import type { MarkedTerm } from './query-tree.ts';
import { LEAD_MAX, WINDOW, writePassage } from './write-passage.ts';

export { PASSAGE_LENGTH_MAX } from './write-passage.ts';

const PASSAGES_MAX = 3;
/** Bytes after a match that are decoded first. Nearly all passages end before. */
const DECODED_BYTES = 2_048;
/** UTF-8 of a UTF-16 code unit has at most three bytes. */
const UNIT_BYTES_MAX = 3;

/** A compiled query: finds its words in texts. */
export class PassageFinder {
  readonly #terms: TermFinder;

  /** @param marked the query's terms, folded */
  constructor(marked: readonly MarkedTerm[]) {
    // Longest first: an alternation takes the first that fits, and a phrase says more than its first word.
    this.#terms = new TermFinder(
      [...marked].sort((a, b) => b.words.length - a.words.length || b.words[0]!.length - a.words[0]!.length),
    );
  }

  /** Up to 3 passages in the order of the text; each escaped, its matched words between `<mark>` and `</mark>`. */
  passages(text: string): string[] {
    return this.#ofText(text, false);
  }

  /** The same of a text in UTF-8. Only what is shown is decoded, if that is possible. */
  passagesOfBytes(bytes: Buffer): string[] {
    const ascii = isAscii(bytes);
    const matches = this.#terms.inBytes(bytes, ascii);
    if (matches === null) return this.#ofText(decode(bytes, ascii), ascii);
    return chooseWindows(matches).map((window) => passageOfBytes(bytes, ascii, window));
  }

  #ofText(text: string, ascii: boolean): string[] {
    return chooseWindows(this.#terms.inText(text, ascii)).map((window) => writePassage(text, window, false)!);
  }
}

/** Decodes UTF-8. @param ascii the bytes are known to be ASCII: nothing to decode */
export function decode(bytes: Buffer, ascii = isAscii(bytes)): string {
  return bytes.toString(ascii ? 'latin1' : 'utf8');
}

function passageOfBytes(bytes: Buffer, ascii: boolean, matches: readonly (Match & { at: number })[]): string {
  const first = matches[0]!;
  // One more than the lead: the passage must see that it does not begin at the beginning of the text.
  let from = Math.max(0, first.at - UNIT_BYTES_MAX * (LEAD_MAX + 1));
  while (from > 0 && (bytes[from]! & 0xc0) === 0x80) from--;
  let to = first.at + DECODED_BYTES;
  while (to < bytes.length && (bytes[to]! & 0xc0) === 0x80) to++;
  for (;;) {
    const text = decode(bytes.subarray(from, to), ascii);
    const shift = first.start - (ascii ? first.at - from : bytes.toString('utf8', from, first.at).length);
    const shifted = matches.map((match) => ({ ...match, start: match.start - shift, end: match.end - shift }));
    const passage = writePassage(text, shifted, to < bytes.length);
    if (passage !== null) return passage;
    to = bytes.length;
  }
}

/** Windows with the most different terms, then the most matches, then the earliest; none overlaps another. In the order of the text */
function chooseWindows<M extends Match>(matches: readonly M[]): M[][] {
  const { ends, weights } = weighWindows(matches);
  const chosen: number[] = [];
  while (chosen.length < PASSAGES_MAX) {
    let best = -1;
    for (let i = 0; i < matches.length; i++) {
      if (best >= 0 && weights[i]! <= weights[best]!) continue;
      if (chosen.some((other) => Math.abs(matches[i]!.start - matches[other]!.start) < WINDOW)) continue;
      best = i;
    }
    if (best < 0) break;
    chosen.push(best);
  }
  return chosen.sort((a, b) => a - b).map((first) => matches.slice(first, ends[first]));
}

/** For the window that begins at each match: the index after its last match, and how much it shows. */
function weighWindows(matches: readonly Match[]): { ends: number[]; weights: number[] } {
  const ends: number[] = [];
  const weights: number[] = [];
  const termCounts = new Map<number, number>();
  let end = 0;
  for (const [first, { start, term }] of matches.entries()) {
    for (; end < matches.length && matches[end]!.end <= start + WINDOW; end++) {
      termCounts.set(matches[end]!.term, (termCounts.get(matches[end]!.term) ?? 0) + 1);
    }
    weights.push(termCounts.size * 1_000 + Math.min(Math.max(1, end - first), 999));
    if (end === first) {
      // A single phrase longer than a window is shown by its beginning.
      end++;
    } else if (termCounts.get(term) === 1) termCounts.delete(term);
    else termCounts.set(term, termCounts.get(term)! - 1);
    ends.push(end);
  }
  return { ends, weights };
}
