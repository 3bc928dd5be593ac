/** Pieces of a text for retrieval. They follow each other without gaps: joined, they are the text. */
import { type Heading, headingsOf } from '../headings/headings.ts';
import type { DocumentLines, Line } from '../text/lines.ts';
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
const LETTERS_A_TOKEN = 8;

/**
 * A simple count, near those of language models for English: a run of letters and digits is a token for each 8 characters begun, each
 * other visible character is one.
 */
export function countTokens(text: string, from = 0, to: number = text.length): number {
  let tokens = 0;
  let run = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 0x20;
    if ((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code > 0xbf) {
      if (run++ % LETTERS_A_TOKEN === 0) tokens++;
    } else {
      run = 0;
      if (code > 0x20 && code !== 0xa0) tokens++;
    }
  }
  return tokens;
}

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
  const borders = bordersOf(document.lines, places(), headings, text);
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
function bordersOf(
  lines: readonly Line[],
  places: ReadonlyMap<Line, number>,
  list: readonly Heading[],
  text: string,
): Border[] {
  const headings = new Map(list.map(({ line }, k) => [line, k]));
  const borders: Border[] = [{ at: 0, heading: null, kind: 'text' }];
  // A heading whose own lines are still to come, or whose next line is a heading too, is not cut from what follows.
  let bare = false;
  for (let i = 0; i < lines.length; ) {
    const at = places.get(lines[i]!);
    if (at === undefined) {
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
      const after = firstPlace(lines, places, end, text.length);
      if (countTokens(text, at, after) >= LEAST_TABLE) {
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

function firstPlace(lines: readonly Line[], places: ReadonlyMap<Line, number>, from: number, end: number): number {
  for (let i = from; i < lines.length; i++) {
    const at = places.get(lines[i]!);
    if (at !== undefined) return at;
  }
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
  const ends = { paragraph: 0, line: 0, sentence: 0, word: 0 };
  for (let i = start; i < to; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 0x20;
    if ((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code > 0xbf) {
      if (run++ % LETTERS_A_TOKEN === 0) tokens++;
    } else {
      run = 0;
      if (code > 0x20 && code !== 0xa0) tokens++;
      else if (i > start) {
        const before = text.charCodeAt(i - 1);
        ends.word = i + 1;
        if (code === 0x0a) {
          ends.line = i + 1;
          if (before === 0x0a) ends.paragraph = i + 1;
        } else if (before === 0x2e || before === 0x3f || before === 0x21) ends.sentence = i + 1;
      }
    }
    if (tokens > CHUNK_TOKENS) {
      const half = start + (i - start) / 2;
      const best = [ends.paragraph, ends.line, ends.sentence].find((end) => end > half);
      const end = best ?? (ends.word > start ? ends.word : whole(text, Math.max(i, start + 1)));
      return [end, countTokens(text, start, end)];
    }
  }
  return [to, tokens];
}

/** Not between the halves of a character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
