/** The readable text of a document: tables keep rows and columns, lists keep their marks, invisible parts are left out. */

import { pageFurniture } from '../sections/page-furniture.ts';
import { decodeReferences } from './character-references.ts';
import { type DocumentLines, type Line, lineText, positionOf, readLines } from './lines.ts';
import { scanMarkup } from './markup.ts';
import { looksLikeHtml } from './media-type.ts';
import { type XmlLabel, xmlLabels } from './xml-labels.ts';

/** Text with the positions of its source. */
interface ReadableText {
  text: string;
  /**
   * Position in the source of the character at `index` of the text (UTF-16 units); for a blank between lines, that of the next
   * line.
   */
  sourceIndex(index: number): number;
}

/**
 * Readable text of a document: a line for each paragraph, tabs between the cells of a table row, a line `name: value` for the text of
 * each XML element. Typewritten text is unchanged, but without its SGML tags. Page numbers and running headers are left out if they
 * are certain.
 * @param mediaType as returned by `mediaType`
 */
export function readableText(text: string, mediaType: string): string {
  return readText(text, mediaType).text;
}

/** As `readableText`, with positions in the source. */
export function readText(source: string, mediaType: string): ReadableText {
  return write(readDocument(source, mediaType));
}

/**
 * The lines of a document: for `textOf`, and for functions that take the lines of a text that is read already.
 * @param mediaType as returned by `mediaType`
 */
export function readDocument(source: string, mediaType: string): DocumentLines {
  const markup =
    mediaType === 'application/xml' ? 'xml' : mediaType === 'text/html' || looksLikeHtml(source) ? 'html' : 'typed';
  return readLines(source, markup);
}

/** As `readableText`. */
export function textOf(document: DocumentLines): string {
  return write(document).text;
}

function write({ source, markup, lines }: DocumentLines): ReadableText {
  return (markup === 'xml' ? writeValues(source, lines) : writeLines(source, lines, pageFurniture(lines))).done();
}

/**
 * Readable texts of the sections of one document, each given as self-contained HTML, in their order. Page numbers, running headers
 * and links to the contents are found over all of them together: a section of a few lines doesn't show what its pages repeat. A
 * section's first line stays.
 */
export function sectionTexts(sections: readonly string[]): string[] {
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
  const texts = new Map<string, string>();
  for (const [k, html] of distinct.entries()) {
    const own = new Set<number>();
    for (let i = starts[k]!, end = starts[k + 1] ?? lines.length; i < end; i++)
      if (furniture.has(i)) own.add(i - starts[k]!);
    texts.set(html, writeLines(html, read[k]!.lines, own).done().text);
  }
  return sections.map((html) => texts.get(html)!);
}

/** The same with all text, to measure what `sectionTexts` leaves out. */
export function wholeText(html: string): string {
  return writeLines(html, readLines(html, 'html').lines, new Set()).done().text;
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
    writer.table(rows);
  }
  return writer;
}

/** Symbols in their own cells, which belong to the number in the next cell or in the one before. */
const LEADING = /^(?:(?:US|C|A)?[$\u20ac\u00a3\u00a5])?\s*\(?$/;
const TRAILING = /^[)%\]]+(?:\(\d\))?$/;

interface Cell {
  column: number;
  lines: Line[];
}

class TextWriter {
  private readonly source: string;
  private readonly pieces: string[] = [];
  private length = 0;
  /** Start of each line in the text, in order. */
  private readonly starts: number[] = [];
  private readonly lines: Line[] = [];

  constructor(source: string) {
    this.source = source;
  }

  private write(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  private put(line: Line): void {
    if (line.marker !== '' && !/^[\u2022\u00b7\u25cf\u25aa-]/.test(line.text)) this.write(`${line.marker} `);
    this.starts.push(this.length);
    this.lines.push(line);
    this.write(line.typed ? typedText(this.source, line) : lineText(this.source, line));
  }

  line(line: Line): void {
    if (this.length > 0) this.write(line.apart ? '\n\n' : '\n');
    this.put(line);
  }

  value(line: Line, { group, label }: XmlLabel): void {
    if (this.length > 0) this.write(group === '' ? '\n' : '\n\n');
    if (group !== '') this.write(`${group}\n`);
    if (label !== '') this.write(`${label}: `);
    this.put(line);
  }

  table(lines: readonly Line[]): void {
    const rows = rowsOf(lines);
    const columnOf = alignColumns(rows);
    for (const [k, row] of rows.entries()) {
      if (row.length === 1) {
        for (const line of row[0]!.lines) this.line(line);
        continue;
      }
      if (this.length > 0) this.write(k === 0 && row[0]!.lines[0]!.apart ? '\n\n' : '\n');
      let column = 0;
      for (const cell of row) {
        for (const wanted = columnOf.get(cell.column) ?? column; column < wanted; column++) this.write('\t');
        this.cell(cell);
      }
    }
  }

  private cell({ lines }: Cell): void {
    for (const [k, line] of lines.entries()) {
      if (k > 0 && !TRAILING.test(line.text) && !LEADING.test(lines[k - 1]!.text)) this.write(' ');
      this.put(line);
    }
  }

  done(): ReadableText {
    const { source, starts, lines } = this;
    const text = this.pieces.join('');
    return {
      text,
      sourceIndex(index) {
        let low = 0;
        let high = starts.length;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (starts[middle]! <= index) low = middle + 1;
          else high = middle;
        }
        const k = low - 1;
        if (k < 0) return lines[0]?.start ?? 0;
        const before = text.slice(starts[k]!, index).replace(/\s+/g, '').length;
        const inLine = /\S/.test(text.slice(index, starts[k + 1] ?? text.length));
        if (!inLine) return lines[k + 1]?.start ?? source.length;
        return positionOf(source, lines[k]!, before);
      },
    };
  }
}

/** Cells of each row, symbols joined to their numbers. */
function rowsOf(lines: readonly Line[]): Cell[][] {
  const rows: Cell[][] = [];
  let row = -1;
  for (const line of lines) {
    if (line.row !== row) {
      rows.push([]);
      row = line.row;
    }
    const cells = rows.at(-1)!;
    const last = cells.at(-1);
    if (last && last.lines.at(-1)!.cell === line.cell) last.lines.push(line);
    else if (last && (TRAILING.test(line.text) || isLeading(last))) last.lines.push(line);
    else cells.push({ column: line.column, lines: [line] });
  }
  return rows;
}

function isLeading(cell: Cell): boolean {
  return cell.lines.length === 1 && LEADING.test(cell.lines[0]!.text);
}

/**
 * The column of the text for each column of the grid. Filers put symbols and spaces into separate columns: adjacent grid columns
 * become one if no row has text in both.
 */
function alignColumns(rows: readonly Cell[][]): Map<number, number> {
  const used = new Map<number, number[]>();
  for (const [r, row] of rows.entries()) {
    if (row.length < 2) continue;
    for (const cell of row) {
      const there = used.get(cell.column);
      if (there) there.push(r);
      else used.set(cell.column, [r]);
    }
  }
  const columnOf = new Map<number, number>();
  let current = new Set<number>();
  let column = -1;
  for (const grid of [...used.keys()].sort((a, b) => a - b)) {
    const there = used.get(grid)!;
    if (column < 0 || there.some((r) => current.has(r))) {
      column++;
      current = new Set();
    }
    for (const r of there) current.add(r);
    columnOf.set(grid, column);
  }
  return columnOf;
}

/** A typewritten line with its blanks and indentation. */
function typedText(source: string, line: Line): string {
  let text = source.slice(line.start, line.end);
  if (text.includes('<')) {
    const pieces: string[] = [];
    scanMarkup(source, line.start, line.end, line.plain, {
      text: (start, end) => pieces.push(source.slice(start, end)),
      open() {},
      close() {},
    });
    text = pieces.join('');
  }
  text = decodeReferences(text)
    .replace(/[\u00a0\r]/g, ' ')
    .trimEnd();
  return line.indent === 0 ? text : ' '.repeat(Math.min(line.indent, 120)) + text;
}
