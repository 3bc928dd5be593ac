/** The headings inside a document or a section, as an outline: level, place, and the heading above. */
import type { DocumentLines } from '../text/lines.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import type { TypographyReader } from './typography.ts';

export interface Heading {
  readonly text: string;
  /** 1 is the highest. */
  readonly level: number;
  /** Place in the list of the heading above it; null at the top. */
  readonly parent: number | null;
  /** Its first line, and the first line after what it heads: `lines.slice(line, endLine)` */
  readonly line: number;
  readonly endLine: number;
  /** The first line after the heading itself; the same line if its paragraph runs on in it. */
  readonly bodyLine: number;
  /** Positions in the source: of the heading, and of the first character after what it heads */
  readonly start: number;
  readonly end: number;
  /** Letters that it heads before the next heading of any level. */
  readonly letters: number;
  /** Headings that look alike have the same. */
  readonly look: string;
}

interface HeadingsOptions {
  /** Page numbers and running headers */
  left?: ReadonlySet<number>;
  /** Headings of sections, by the number of their line: they are at the top, whatever they look like. */
  tops?: ReadonlyMap<number, string>;
  /** If it was read with the lines */
  typography?: TypographyReader | undefined;
}

/** @returns in the order of the document */
export function headingsOf(
  document: DocumentLines,
  { left = new Set(), tops = new Map(), typography }: HeadingsOptions = {},
): Heading[] {
  const { lines, source } = document;
  const { candidates } = candidatesOf(document, left, typography);
  const marks = joined(candidates, tops, lines.length);
  const letters = new Float64Array(lines.length + 1);
  for (const [i, line] of lines.entries()) letters[i + 1] = letters[i]! + (left.has(i) ? 0 : line.letters);
  const stack: { place: number; prominence: number }[] = [];
  const outline = marks.map((mark, place) => {
    while (stack.length > 0 && stack.at(-1)!.prominence <= mark.prominence) stack.pop();
    const parent = stack.at(-1)?.place ?? null;
    stack.push({ place, prominence: mark.prominence });
    return { mark, parent, level: stack.length };
  });
  return outline.map(({ mark, parent, level }, place) => {
    let next = place + 1;
    const nearest = outline[next]?.mark.first ?? lines.length;
    while (next < outline.length && outline[next]!.level > level) next++;
    const endLine = outline[next]?.mark.first ?? lines.length;
    return {
      text: mark.text,
      level,
      parent,
      line: mark.first,
      endLine,
      look: mark.look,
      bodyLine: mark.runIn ? mark.first : mark.end,
      start: lines[mark.first]!.start,
      end: lines[endLine]?.start ?? source.length,
      letters: letters[nearest]! - letters[Math.min(nearest, mark.runIn ? mark.first : mark.end)]!,
    };
  });
}

type Mark = Pick<Candidate, 'first' | 'end' | 'text' | 'prominence' | 'look' | 'runIn'>;

/** Above all that a document can look like. */
const TOP = 1000;

function joined(candidates: readonly Candidate[], tops: ReadonlyMap<number, string>, end: number): Mark[] {
  const marks: Mark[] = [];
  for (const one of candidates) {
    if ([...range(one.first, one.end)].some((line) => tops.has(line))) continue;
    marks.push(one);
  }
  for (const [line, text] of tops) {
    const own = candidates.find(({ first, end }) => first <= line && line < end);
    const to = own && !own.runIn ? own.end : Math.min(end, line + 1);
    marks.push({ first: line, end: to, text, prominence: TOP, look: 'section', runIn: false });
  }
  return marks.sort((a, b) => a.first - b.first);
}

function* range(from: number, to: number): Generator<number> {
  for (let i = from; i < to; i++) yield i;
}
