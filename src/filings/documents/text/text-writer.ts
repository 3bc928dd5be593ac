/** Writes lines as text: rows with tabs, marks of lists, positions of each line. */
import { decodeReferences } from '../../api/index.ts';
import type { Line } from '../lines/lines.ts';
import { scanMarkup } from '../lines/markup.ts';
import { type Cell, isLeading, isTrailing } from '../lines/rows.ts';
import { isItem, type Joint, type Paragraph, type TextBlock } from './paragraphs.ts';
import type { XmlLabel } from './xml-labels.ts';

/** Text with the places of its document's lines. */
export interface ReadableText {
  text: string;
  /** The beginning of the text of each of the document's lines; -1 for those that it lacks. Made at each call. */
  places(lines: readonly Line[]): Int32Array;
}

/** Deeper typewritten lines begin here. */
const MAX_INDENT = 120;
const BLANKS = Array.from({ length: MAX_INDENT + 1 }, (_, count) => ' '.repeat(count));

/** A list's mark is in the text. */
export const BULLETED = /^[\u2022\u00b7\u25cf\u25aa-]/;

export class TextWriter {
  protected readonly source: string;
  private readonly pieces: string[] = [];
  protected length = 0;
  /** Start of each line in the text, in order. */
  private readonly starts: number[] = [];
  private readonly lines: Line[] = [];
  /** The last block was an item of a list. */
  protected inList = false;

  constructor(source: string) {
    this.source = source;
  }

  protected write(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  private put(line: Line): void {
    if (line.marker !== '' && !BULLETED.test(line.text)) this.write(`${line.marker} `);
    this.begin(line);
    this.write(line.typed ? typedText(this.source, line) : line.whole);
  }

  /** The next piece is the text of a line. */
  protected begin(line: Line): void {
    this.starts.push(this.length);
    this.lines.push(line);
  }

  /** A line as filed. */
  line(line: Line, isApart: boolean = line.apart): void {
    if (this.length > 0) this.write(isApart ? '\n\n' : '\n');
    this.put(line);
  }

  block(block: TextBlock): void {
    if (block.kind === 'paragraph') this.paragraph(block);
    else if (block.kind === 'table') this.table(block.rows, block.columnOf, true);
    else for (const [k, line] of block.lines.entries()) this.line(line, k === 0 || line.apart);
    this.inList &&= block.kind === 'paragraph';
  }

  protected paragraph(paragraph: Paragraph): void {
    const { mark, lines } = paragraph;
    // A list that begins or ends in another one is apart.
    this.apart(isItem(paragraph) && (lines[0]!.marker === '' || !lines[0]!.apart));
    this.inList = isItem(paragraph);
    for (const line of mark) {
      this.put(line);
      this.write(' ');
    }
    if (lines[0]!.marker !== '' && !BULLETED.test(lines[0]!.text)) this.write(`${lines[0]!.marker} `);
    this.joined(paragraph, (text) => text);
  }

  /** Items of a list stand together. */
  protected apart(isItem = false): void {
    if (this.length > 0) this.write(isItem && this.inList ? '\n' : '\n\n');
    this.inList = isItem;
  }

  /** The lines of a paragraph. @param form of their text */
  protected joined(
    { lines, joints }: { lines: readonly Line[]; joints: readonly Joint[] },
    form: (text: string, place: number) => string,
  ): void {
    lines.forEach((line, k) => {
      const before = joints[k - 1];
      if (before !== undefined && before !== '-') this.write(before);
      this.begin(line);
      this.write(form(joints[k] === '-' ? line.whole.slice(0, -1) : line.whole, k));
    });
  }

  value(line: Line, { group, label }: XmlLabel): void {
    if (this.length > 0) this.write(group === '' ? '\n' : '\n\n');
    if (group !== '') this.write(`${group}\n`);
    if (label !== '') this.write(`${label}: `);
    this.put(line);
  }

  /** @param isBlock a blank line stands before it, and none in it */
  table(rows: readonly (readonly Cell[])[], columnOf: ReadonlyMap<number, number>, isBlock = false): void {
    for (const [k, row] of rows.entries()) {
      const isApart = isBlock ? k === 0 : row[0]!.lines[0]!.apart;
      if (row.length === 1) {
        for (const [n, line] of row[0]!.lines.entries()) this.line(line, n === 0 ? isApart : !isBlock && line.apart);
        continue;
      }
      if (this.length > 0) this.write(k === 0 && isApart ? '\n\n' : '\n');
      let column = 0;
      for (const cell of row) {
        for (const wanted = columnOf.get(cell.column) ?? column; column < wanted; column++) this.write('\t');
        this.cell(cell);
      }
    }
  }

  private cell({ lines }: Cell): void {
    lines.forEach((line, k) => {
      if (k > 0 && !isTrailing(line) && !isLeading(lines[k - 1]!)) this.write(' ');
      this.put(line);
    });
  }

  done(): ReadableText {
    return { text: this.pieces.join(''), places: (all) => placesOf(all, this.lines, this.starts) };
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
