/**
 * A document as the lines that a reader sees: paragraphs, table cells, lines of typewritten pages. Each has its position in the
 * source, its table row and its typography. Everything that looks for headings uses these lines, never markup.
 */
import { readReference } from '../../api/index.ts';
import type { Line, Markup } from './line.ts';
import { LineReader } from './line-reader.ts';
import { type MarkupSink, scanMarkup } from './markup.ts';
import { looksLikeHtml } from './media-type.ts';
import { isBlank, withUnits } from './units.ts';
import { Visibility } from './visibility.ts';

export type { Line } from './line.ts';
export { BOLD, CENTER, ITALIC, LINK, UNDERLINE } from './tag-meaning.ts';

export interface DocumentLines {
  source: string;
  markup: Markup;
  html: boolean;
  lines: Line[];
  /** Letters in the lines before each, and in all of them; the first unit of each, as `withUnits` has it. Faster to search than lines. */
  letters: readonly number[];
  firsts: readonly number[];
  /** A page ends after the last line. */
  breakBehind: boolean;
  /** Links within the document: the line at which each begins, and the name of its aim. */
  links: readonly { line: number; to: string }[];
  /** By name: the line at which an aim stands, or the next one. */
  anchors: ReadonlyMap<string, number>;
}

/** Whether two lines are in different cells of one table row. */
export function besides(a: Line, b: Line): boolean {
  return a.row !== 0 && a.row === b.row && a.cell !== b.cell;
}

/** The kind of a document of which nothing but its text is known. */
function markupOf(source: string): Markup {
  return looksLikeHtml(source) ? 'html' : 'typed';
}

/** The lines of a document as `readLines` finds them. Those that the caller has are used if they were read in the same way. */
export function linesOf(source: string, known: DocumentLines | null = null): DocumentLines {
  const markup = markupOf(source);
  return known !== null && known.source === source && known.markup === markup ? known : readLines(source, markup);
}

/** Splits a document into lines by its kind, stated or detected. @param also gets the same tags and texts */
export function readLines(source: string, markup: Markup = markupOf(source), also?: MarkupSink): DocumentLines {
  const { lines, letters, firsts, pageEnded, links, anchors } = withUnits(source, (units) =>
    new LineReader(source, units, markup, also).read(),
  );
  return { source, markup, html: markup !== 'typed', lines, letters, firsts, breakBehind: pageEnded, links, anchors };
}

/** Position in the source of the visible, non-blank character number `count` (from 0) of a line. */
export function positionOf(source: string, line: Line, count: number): number {
  let left = count;
  let position = -1;
  const visibility = new Visibility();
  scanMarkup(source, line.start, line.end, line.plain, {
    open: (name, start, end, selfClosing) => visibility.open(name, source.slice(start, end), selfClosing),
    close: (name) => visibility.close(name),
    text(start, end) {
      if (visibility.hidden) return;
      for (let i = start; i < end && position < 0; i++) {
        const reference = source.charCodeAt(i) === 0x26 ? readReference(source, i) : null;
        if (!isBlank((reference?.value ?? source).charCodeAt(reference ? 0 : i))) {
          if (left === 0) position = i;
          left--;
        }
        if (reference) i = reference.end - 1;
      }
    },
  });
  return position < 0 ? line.start : position;
}
