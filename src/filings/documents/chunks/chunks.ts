/** Pieces of a text for retrieval. They follow each other without gaps: joined, they are the text. */
import type { Heading } from '../headings/candidates.ts';
import { headingsOf } from '../headings/headings.ts';
import type { DocumentLines, Line } from '../lines/lines.ts';
import type { ReadableText } from '../text/text-writer.ts';

export interface Chunk {
  /** From 1 */
  position: number;
  /** UTF-16 positions in the text */
  start_index: number;
  end_index: number;
  /** As `countTokens` */
  tokens: number;
  kind: 'text' | 'table';
  /** The headings above, the highest first. */
  headings: string[];
}

/** Tokens of a chunk at most, unless a single word has more. */
export const CHUNK_TOKENS = 400;
/** A table with fewer places text only. */
const LEAST_TABLE = 24;
/** Characters of a table that mostly show that it has enough. */
const SHORT_TABLE = 500;
const LETTERS_A_TOKEN = 8;

/** Near the tokens of language models: one for each 8 characters of a run begun, one for any other visible one. */
export function countTokens(text: string, from = 0, to: number = text.length): number {
  let tokens = 0;
  let run = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 0x100 ? KINDS[code]! : IN_WORD;
    if (kind === IN_WORD) {
      if (run++ % LETTERS_A_TOKEN === 0) tokens++;
    } else {
      run = 0;
      tokens += kind;
    }
  }
  return tokens;
}

/** What a character is to the count: blank, a token of its own, or a part of a word. */
const BLANK = 0;
const ALONE = 1;
const IN_WORD = 2;
const KINDS = Uint8Array.from({ length: 0x100 }, (_, code) => {
  if (code <= 0x20 || code === 0xa0) return BLANK;
  return code > 0xbf || /[a-z0-9]/i.test(String.fromCharCode(code)) ? IN_WORD : ALONE;
});

interface Border {
  at: number;
  /** Place of the heading that begins here, or null */
  heading: number | null;
  kind: Chunk['kind'];
}

/** @param headings of the document, if they are known */
export function chunksOf(
  document: DocumentLines,
  { text, places }: Pick<ReadableText, 'text' | 'places'>,
  left: ReadonlySet<number>,
  headings: readonly Heading[] = headingsOf(document, { left }),
): Chunk[] {
  const borders = bordersOf(document.lines, places(document.lines), headings, text);
  const chunks: Chunk[] = [];
  const paths = headings.map(({ parent }, k) => ({ parent, text: headings[k]!.text }));
  let above: number | null = null;
  for (const [k, { at, heading, kind }] of borders.entries()) {
    if (heading !== null) above = heading;
    const end = borders[k + 1]?.at ?? text.length;
    const path: string[] = [];
    for (let place = above; place !== null; place = paths[place]!.parent) path.unshift(paths[place]!.text);
    for (const piece of pieces(text, at, end))
      chunks.push({ position: chunks.length + 1, ...piece, kind, headings: path });
  }
  return chunks;
}

/** The beginnings of chunks: headings, and both ends of tables. The first is 0. */
function bordersOf(lines: readonly Line[], places: Int32Array, list: readonly Heading[], text: string): Border[] {
  const headings = new Map(list.map(({ line }, k) => [line, k]));
  const borders: Border[] = [{ at: 0, heading: null, kind: 'text' }];
  // A heading whose own lines are still to come, or whose next line is a heading too, is not cut from what follows.
  let bare = false;
  for (let i = 0; i < lines.length; ) {
    const at = places[i]!;
    if (at < 0) {
      i++;
      continue;
    }
    const heading = headings.get(i) ?? null;
    if (heading !== null) {
      const last = borders.at(-1)!;
      if (bare || at === last.at) Object.assign(last, { heading });
      else borders.push({ at: markBefore(text, at), heading, kind: 'text' });
      // The paragraph of a heading may begin in its line.
      bare = list[heading]!.bodyLine > i;
      i = Math.max(i + 1, list[heading]!.bodyLine);
      continue;
    }
    const { table, typed } = lines[i]!;
    const end = table === 0 || typed ? i + 1 : endOfTable(lines, i, headings);
    if (end > i + 1) {
      const after = places.subarray(end).find((place) => place >= 0) ?? text.length;
      if ([at + SHORT_TABLE, after].some((end) => countTokens(text, at, Math.min(after, end)) >= LEAST_TABLE)) {
        const from = markBefore(text, at);
        if (!bare && from > borders.at(-1)!.at) borders.push({ at: from, heading: null, kind: 'table' });
        else borders.at(-1)!.kind = 'table';
        if (after < text.length) borders.push({ at: markBefore(text, after), heading: null, kind: 'text' });
      }
    }
    bare = false;
    i = end;
  }
  return borders.filter(({ at }, k) => k === 0 || at > borders[k - 1]!.at);
}

function endOfTable(lines: readonly Line[], from: number, headings: ReadonlyMap<number, number>): number {
  let end = from + 1;
  while (end < lines.length && lines[end]!.table === lines[from]!.table && !headings.has(end)) end++;
  return end;
}

/** The beginning of the line of text that a place is in: marks of lists, headings and tables stand before it. */
function markBefore(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Cuts a stretch at its best places so that each piece is short enough: between paragraphs, lines, sentences, words. */
function* pieces(
  text: string,
  from: number,
  to: number,
): Generator<Pick<Chunk, 'start_index' | 'end_index' | 'tokens'>> {
  let start = from;
  while (start < to) {
    const [end, tokens] = fitting(text, start, to);
    yield { start_index: start, end_index: end, tokens };
    start = end;
  }
}

/** The end of the longest piece from `start` with at most `CHUNK_TOKENS`, and its tokens. */
function fitting(text: string, start: number, to: number): [end: number, tokens: number] {
  let tokens = 0;
  let run = 0;
  for (let i = start; i < to; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 0x100 ? KINDS[code]! : IN_WORD;
    if (kind === IN_WORD) {
      if (run++ % LETTERS_A_TOKEN !== 0) continue;
    } else {
      run = 0;
      if (kind === BLANK) continue;
    }
    tokens++;
    if (tokens <= CHUNK_TOKENS) continue;
    const end = bestEnd(text, start, i);
    return [end, tokens - countTokens(text, end, i + 1)];
  }
  return [to, tokens];
}

/** The place of a cut before `limit`: after the last paragraph, line or sentence of the second half, or after the last word. */
function bestEnd(text: string, start: number, limit: number): number {
  const half = start + (limit - start) / 2;
  let [line, sentence, word] = [0, 0, 0];
  for (let i = limit - 1; i > start && (i + 1 > half || word === 0); i--) {
    const code = text.charCodeAt(i);
    if (code > 0xa0 || KINDS[code] !== BLANK) continue;
    word ||= i + 1;
    if (i + 1 <= half) break;
    const before = text.charCodeAt(i - 1);
    if (code !== 0x0a) {
      if ((before === 0x2e && !isInitial(text, i - 2)) || before === 0x3f || before === 0x21) sentence ||= i + 1;
    } else if (before === 0x0a) return i + 1;
    else line ||= i + 1;
  }
  return line || sentence || word || whole(text, Math.max(limit, start + 1));
}

/** A capital alone before a full stop, as in `U.S.`: no sentence ends there. */
function isInitial(text: string, at: number): boolean {
  return /^[A-Z]$/.test(text[at] ?? '') && !/^[A-Za-z]$/.test(text[at - 1] ?? '');
}

/** Not between the halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
