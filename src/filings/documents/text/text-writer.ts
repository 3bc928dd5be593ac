/** Writes lines as text: rows with tabs, marks of lists, positions of each line. */
import { decodeReferences } from './character-references.ts';
import { countBefore } from './count-before.ts';
import { type Line, positionOf } from './lines.ts';
import { scanMarkup } from './markup.ts';
import type { XmlLabel } from './xml-labels.ts';

/** Text with the positions of its source. */
export interface ReadableText {
  text: string;
  /**
   * Position in the source of the character at `index` of the text (UTF-16 units); for a blank between lines, that of the next
   * line.
   */
  sourceIndex(index: number): number;
  /** The beginning of the text of each of the document's lines; -1 for those that it lacks. Made at each call. */
  places(lines: readonly Line[]): Int32Array;
}

/** Symbols in their own cells, which belong to the number in the next cell or in the one before. */
export const LEADING = /^(?:(?:US|C|A)?[$\u20ac\u00a3\u00a5])?\s*\(?$/;
export const TRAILING = /^[)%\]]+(?:\(\d\))?$/;

/** Of `US$` */
const LEADING_LETTERS = 2;
/** Deeper typewritten lines begin here. */
const MAX_INDENT = 120;
const BLANKS = Array.from({ length: MAX_INDENT + 1 }, (_, count) => ' '.repeat(count));

export interface Cell {
  column: number;
  lines: Line[];
}

export class TextWriter {
  protected readonly source: string;
  private readonly pieces: string[] = [];
  protected length = 0;
  /** Start of each line in the text, in order. */
  private readonly starts: number[] = [];
  private readonly lines: Line[] = [];

  constructor(source: string) {
    this.source = source;
  }

  protected get endsBlank(): boolean {
    return /\s$/.test(this.pieces.at(-1) ?? ' ');
  }

  protected write(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  private put(line: Line): void {
    if (line.marker !== '' && !/^[\u2022\u00b7\u25cf\u25aa-]/.test(line.text)) this.write(`${line.marker} `);
    this.begin(line);
    this.write(line.typed ? typedText(this.source, line) : line.whole);
  }

  /** The next piece is the text of a line. */
  protected begin(line: Line): void {
    this.starts.push(this.length);
    this.lines.push(line);
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
      if (k > 0 && !isTrailing(line) && !isLeading(lines[k - 1]!)) this.write(' ');
      this.put(line);
    }
  }

  done(): ReadableText {
    const { source, starts, lines } = this;
    const text = this.pieces.join('');
    return {
      text,
      places: (all) => placesOf(all, lines, starts),
      sourceIndex(index) {
        const k = countBefore(starts, (start) => start <= index) - 1;
        if (k < 0) return lines[0]?.start ?? 0;
        const before = text.slice(starts[k]!, index).replace(/\s+/g, '').length;
        const inLine = /\S/.test(text.slice(index, starts[k + 1] ?? text.length));
        if (!inLine) return lines[k + 1]?.start ?? source.length;
        return positionOf(source, lines[k]!, before);
      },
    };
  }
}

/** A line of Markdown begins twice: with its mark, and with its text. */
function placesOf(all: readonly Line[], lines: readonly Line[], starts: readonly number[]): Int32Array {
  const places = new Int32Array(all.length).fill(-1);
  for (let i = 0, k = 0; i < all.length && k < lines.length; i++) {
    if (all[i] !== lines[k]) continue;
    places[i] = starts[k]!;
    while (lines[k] === all[i]) k++;
  }
  return places;
}

/** Cells of each row, symbols joined to their numbers. */
export function rowsOf(lines: readonly Line[]): Cell[][] {
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
    else if (last && (isTrailing(line) || (last.lines.length === 1 && isLeading(last.lines[0]!))))
      last.lines.push(line);
    else cells.push({ column: line.column, lines: [line] });
  }
  return rows;
}

function isLeading({ text, letters }: Line): boolean {
  return letters <= LEADING_LETTERS && LEADING.test(text);
}

function isTrailing({ text, letters }: Line): boolean {
  return letters === 0 && TRAILING.test(text);
}

/**
 * The column of the text for each column of the grid. Filers put symbols and spaces into separate columns: adjacent grid columns
 * become one if no row has text in both.
 */
export function alignColumns(rows: readonly Cell[][]): Map<number, number> {
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
  // The column of each row that has text in it.
  const last = new Int32Array(rows.length).fill(-1);
  let column = -1;
  for (const grid of [...used.keys()].sort((a, b) => a - b)) {
    const there = used.get(grid)!;
    if (column < 0 || there.some((r) => last[r] === column)) column++;
    for (const r of there) last[r] = column;
    columnOf.set(grid, column);
  }
  return columnOf;
}

/** What is not as it reads: tags, references, blanks of other kinds. */
const WRITTEN_OTHERWISE = /[<&\u00a0\r]/;

/** A typewritten line with its blanks and indentation. */
export function typedText(source: string, line: Line): string {
  let text = source.slice(line.start, line.end);
  if (WRITTEN_OTHERWISE.test(text)) {
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
  }
  return line.indent === 0 ? text : BLANKS[Math.min(line.indent, MAX_INDENT)] + text;
}
