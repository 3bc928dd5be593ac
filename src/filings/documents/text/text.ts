/** The readable text of a document: tables keep rows and columns, lists keep their marks, invisible parts are left out. */
import { type DocumentLines, type Line, readLines } from '../lines/lines.ts';
import type { MarkupSink } from '../lines/markup.ts';
import { isWrapped, looksLikeHtml } from '../lines/media-type.ts';
import { pageFurniture } from '../lines/page-furniture.ts';
import { alignColumns, rowsOf } from '../lines/rows.ts';
import { writeMarkdown } from './markdown.ts';
import { textBlocks } from './paragraphs.ts';
import { type ReadableText, TextWriter } from './text-writer.ts';
import { xmlLabels } from './xml-labels.ts';

/** `markdown`: headings, lists and tables are marked. `lines`: the lines as filed. */
export type TextFormat = 'plain' | 'markdown' | 'lines';

/**
 * Readable text of a document: a line for each paragraph and a blank line between two, tabs between the cells of a table row, a line
 * `name: value` for the text of each XML element. Columns of typewritten text are as filed. Page numbers and running headers are left
 * out if they are certain.
 * @param mediaType as returned by `mediaType`
 */
export function readableText(text: string, mediaType: string, format: TextFormat = 'plain'): string {
  return textOf(readDocument(text, mediaType), format);
}

/**
 * The lines of a document: for `textOf`, and for functions that take the lines of a text that is read already.
 * @param mediaType as returned by `mediaType`
 * @param also gets the same tags and texts, if it is HTML
 */
export function readDocument(source: string, mediaType: string, also?: MarkupSink): DocumentLines {
  const markup =
    mediaType === 'application/xml'
      ? 'xml'
      : (mediaType === 'text/html' && !isWrapped(source)) || looksLikeHtml(source)
        ? 'html'
        : 'typed';
  return readLines(source, markup, markup === 'html' ? also : undefined);
}

/** As `readableText`. */
export function textOf(document: DocumentLines, format: TextFormat = 'plain'): string {
  return written(document, furnitureOf(document), format).text;
}

/** Page numbers and running headers, by the numbers of their lines. */
export function furnitureOf({ markup, lines }: DocumentLines, kept: ReadonlySet<number> = new Set()): Set<number> {
  return markup === 'xml' ? new Set() : pageFurniture(lines, kept);
}

/** The heading of a section is its first line. */
const SECTION: ReadonlyMap<number, string> = new Map([[0, '']]);

/** The text without some lines. @param tops headings of sections by their line numbers, for Markdown */
export function written(
  document: DocumentLines,
  left: ReadonlySet<number>,
  format: TextFormat = 'plain',
  tops: ReadonlyMap<number, string> = new Map(),
): ReadableText {
  const { source, markup, lines } = document;
  if (format === 'markdown') return writeMarkdown(document, left, tops).done();
  if (markup === 'xml') return writeValues(source, lines).done();
  if (format === 'lines') return writeLines(source, lines, left).done();
  const writer = new TextWriter(source);
  for (const block of textBlocks(document, left, new Map([...tops.keys()].map((line) => [line, line]))))
    writer.block(block);
  return writer.done();
}

/**
 * Readable texts of the sections of one document, each given as self-contained HTML, in their order. Page numbers, running headers
 * and links to the contents are found over all of them together: a section of a few lines doesn't show what its pages repeat. A
 * section's first line stays.
 */
export function sectionTexts(sections: readonly string[], format: TextFormat = 'plain'): string[] {
  return sectionReadings(sections, format).map(({ text }) => text);
}

/** A section's lines, those that its text leaves out, and the text. */
export interface SectionReading extends ReadableText {
  document: DocumentLines;
  left: ReadonlySet<number>;
}

/** As `sectionTexts`, with what the texts are made of. */
export function sectionReadings(sections: readonly string[], format: TextFormat = 'plain'): SectionReading[] {
  // Sections under a combined heading are the same text: read once.
  const distinct = [...new Set(sections)];
  const read = distinct.map((html) => readLines(html, 'html'));
  const lines: Line[] = [];
  const kept = new Set<number>();
  const starts: number[] = [];
  let tables = 0;
  let rows = 0;
  let pageEnded = false;
  for (const section of read) {
    starts.push(lines.length);
    kept.add(lines.length);
    // Tables and rows are numbered within a section. The numbers continue in the next, so that tables of two sections are never
    // joined.
    const [tablesBefore, rowsBefore] = [tables, rows];
    for (const [k, line] of section.lines.entries()) {
      tables = Math.max(tables, tablesBefore + line.table);
      rows = Math.max(rows, rowsBefore + line.row);
      lines.push({
        ...line,
        table: line.table === 0 ? 0 : tablesBefore + line.table,
        row: line.row === 0 ? 0 : rowsBefore + line.row,
        pageBreak: line.pageBreak || (k === 0 && pageEnded),
      });
    }
    pageEnded = section.breakBehind;
  }
  const furniture = pageFurniture(lines, kept);
  const readings = new Map<string, SectionReading>();
  for (const [k, html] of distinct.entries()) {
    const own = new Set<number>();
    for (let i = starts[k]!, end = starts[k + 1] ?? lines.length; i < end; i++)
      if (furniture.has(i)) own.add(i - starts[k]!);
    const document = read[k]!;
    readings.set(html, { document, left: own, ...written(document, own, format, SECTION) });
  }
  return sections.map((html) => readings.get(html)!);
}

function writeValues(source: string, lines: readonly Line[]): TextWriter {
  const writer = new TextWriter(source);
  const labels = xmlLabels(source, lines);
  for (const [i, line] of lines.entries()) writer.value(line, labels[i]!);
  return writer;
}

function writeLines(source: string, lines: readonly Line[], left: ReadonlySet<number>): TextWriter {
  const writer = new TextWriter(source);
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!;
    if (line.table === 0 || line.typed) {
      if (!left.has(i)) writer.line(line);
      i++;
      continue;
    }
    const rows: Line[] = [];
    const { table } = line;
    for (; i < lines.length && lines[i]!.table === table && !lines[i]!.typed; i++)
      if (!left.has(i)) rows.push(lines[i]!);
    const cells = rowsOf(rows);
    writer.table(cells, alignColumns(cells));
  }
  return writer;
}
