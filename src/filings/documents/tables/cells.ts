/** The tables of an HTML document as cells: row, column, spans, text and number. */
import { decodeReferences } from '../../api/index.ts';
import { type MarkupSink, scanMarkup, type Tag } from '../lines/markup.ts';
import { LEADING, TRAILING } from '../lines/rows.ts';
import { hides, Visibility } from '../lines/visibility.ts';
import { parseNumber, scaleOf } from './numbers.ts';

export interface TableCell {
  /** Row and first column, from 1. Columns of the grid: spanned ones count. */
  row: number;
  column: number;
  rowspan: number;
  colspan: number;
  /** White space collapsed; a sign or bracket in a cell of its own is joined to its number. */
  text: string;
  /** Decimal, without scale: `(1,234)` is -1234. Null if the cell is not a number. */
  number: string | null;
  /** `$`, `%` or another sign beside the number */
  unit: string | null;
  /** Marks of footnotes beside the text: `(1)`, `*` */
  marks: string | null;
  /** UTF-16 position in the document of the first visible character */
  start_index: number;
}

export interface DocumentTable {
  /** From 1, in the order of the document */
  table: number;
  /** Power of ten by which its amounts are multiplied; null if no words say so. */
  scale: number | null;
  /** The words are in the table or just above it (`table`), or farther above, of another table (`above`). */
  scale_from: 'table' | 'above' | null;
  cells: TableCell[];
}

interface OpenCell {
  readonly row: number;
  readonly column: number;
  readonly rowspan: number;
  readonly colspan: number;
  pieces: string;
  marks: string;
  start: number;
}

interface OpenTable {
  readonly cells: OpenCell[];
  /** Text just above */
  readonly above: string;
  /** As text farther above says */
  readonly stated: number | null;
  row: number;
  column: number;
  cell: OpenCell | null;
  /** Rows that the cells of each column still span. */
  readonly spans: number[];
}

/** Tables in tables, at most: the cost of a page must not exceed its length. */
const MAX_DEPTH = 50;
const MAX_COLUMNS = 1_000;
const MAX_SPAN = 1_000;
/** Characters before a table in which its scale may stand. */
const ABOVE = 300;
const BREAKS: ReadonlySet<string> = new Set('br p div tr td th li table'.split(' '));

export function tablesOf(source: string): DocumentTable[] {
  const reader = new TableReader(source);
  scanMarkup(source, 0, source.length, false, reader);
  reader.finish();
  return reader.tables.map((cells, k) => ({ table: k + 1, ...cells }));
}

class TableReader implements MarkupSink {
  readonly tables: Omit<DocumentTable, 'table'>[] = [];
  readonly #source: string;
  readonly #visibility = new Visibility();
  readonly #open: OpenTable[] = [];
  /** Tables are listed in the order in which they begin. */
  readonly #begun: OpenTable[] = [];
  /** Scale that text outside tables has stated since the last table */
  #stated: number | null = null;
  #ignored = 0;
  #marking = 0;
  #above = '';

  constructor(source: string) {
    this.#source = source;
  }

  open(name: string, start: number, end: number, selfClosing: boolean, tag: Tag): void {
    if (this.#visibility.staysHidden(name, selfClosing)) return;
    const written = this.#source.slice(start, Math.min(end, start + 2_000));
    tag.memo ??= hides(name, written);
    if (this.#visibility.hidden || tag.memo) this.#visibility.openKnown(name, tag.memo as boolean, selfClosing);
    if (tag.memo) return;
    if (name === 'table') this.#begin();
    const table = this.#open.at(-1);
    if (table === undefined) return;
    if (name === 'tr') nextRow(table);
    else if (name === 'td' || name === 'th') nextCell(table, written);
    else if (name === 'sup' && !selfClosing) this.#marking++;
    if (BREAKS.has(name) && table.cell !== null) table.cell.pieces += ' ';
  }

  close(name: string): void {
    if (this.#visibility.hidden) {
      this.#visibility.close(name);
      return;
    }
    const table = this.#open.at(-1);
    if (table === undefined) return;
    if (name === 'table') {
      if (this.#ignored > 0) this.#ignored--;
      else this.#open.pop();
    } else if (name === 'td' || name === 'th') table.cell = null;
    else if (name === 'sup') this.#marking = Math.max(0, this.#marking - 1);
    else if (BREAKS.has(name) && table.cell !== null) table.cell.pieces += ' ';
  }

  text(start: number, end: number): void {
    if (this.#visibility.hidden) return;
    const text = decodeReferences(this.#source.slice(start, end));
    const table = this.#open.at(-1);
    if (table === undefined) {
      this.#above = `${this.#above} ${text}`.slice(-ABOVE);
      if (text.length < ABOVE) this.#stated = scaleOf(text) ?? this.#stated;
      return;
    }
    const { cell } = table;
    if (cell === null) return;
    if (this.#marking > 0 && MARKS.test(text.trim())) {
      cell.marks += text.trim();
      return;
    }
    if (cell.start < 0) {
      const blank = /^(?:\s|&nbsp;|&#160;|&#xa0;)*/i.exec(this.#source.slice(start, Math.min(end, start + 400)))![0]
        .length;
      if (start + blank < end) cell.start = start + blank;
    }
    cell.pieces += text;
  }

  finish(): void {
    let stated: number | null = null;
    for (const table of this.#begun) {
      const { cells, texts } = finished(table);
      const own = scaleOf(`${table.above} ${texts}`);
      stated = own ?? table.stated ?? stated;
      if (isLayout(cells)) continue;
      this.tables.push({ scale: stated, scale_from: stated === null ? null : own === null ? 'above' : 'table', cells });
    }
  }

  #begin(): void {
    if (this.#open.length >= MAX_DEPTH) {
      this.#ignored++;
      return;
    }
    const table: OpenTable = {
      cells: [],
      above: this.#above,
      stated: this.#stated,
      row: 0,
      column: 0,
      cell: null,
      spans: [],
    };
    this.#above = '';
    this.#stated = null;
    this.#open.push(table);
    this.#begun.push(table);
  }
}

function nextRow(table: OpenTable): void {
  table.row++;
  table.column = 0;
  table.cell = null;
  for (const [k, rows] of table.spans.entries()) if (rows > 0) table.spans[k] = rows - 1;
}

function nextCell(table: OpenTable, tag: string): void {
  if (table.row === 0) nextRow(table);
  while ((table.spans[table.column] ?? 0) > 0) table.column++;
  const colspan = Math.min(span(tag, COLSPAN), Math.max(1, MAX_COLUMNS - table.column));
  const rowspan = span(tag, ROWSPAN);
  const cell = { row: table.row, column: table.column + 1, rowspan, colspan, pieces: '', marks: '', start: -1 };
  if (rowspan > 1) for (let k = 0; k < colspan; k++) table.spans[table.column + k] = rowspan;
  for (let k = table.spans.length; k < table.column + colspan; k++) table.spans[k] = 0;
  table.column += colspan;
  table.cell = cell;
  table.cells.push(cell);
}

const COLSPAN = /\scolspan\s*=\s*["']?\s*(\d{1,4})/i;
const ROWSPAN = /\srowspan\s*=\s*["']?\s*(\d{1,4})/i;

function span(tag: string, stated: RegExp): number {
  const digits = stated.exec(tag)?.[1];
  return Math.min(MAX_SPAN, Math.max(1, Number(digits ?? 1)));
}

/** `(1)`, `(a)(b)`, `*`, `†` */
const MARKS = /^(?:\(?[\da-z]{1,2}\)?[,\s]*){1,4}$|^[*\u2020\u2021\u00a7]{1,4}$/i;

/** Cells with text, signs joined to their numbers; and the words among them. */
function finished({ cells }: OpenTable): { cells: TableCell[]; texts: string } {
  const found: TableCell[] = [];
  let texts = '';
  let sign: OpenCell | null = null;
  let last: { row: number; text: string; cell: OpenCell } | null = null;
  const put = (cell: OpenCell, text: string, to: number) => {
    const { row, column, rowspan, start } = cell;
    const parsed = parseNumber(text);
    const marks = `${cell.marks}${parsed?.marks ?? ''}` || null;
    found.push({
      row,
      column,
      rowspan,
      colspan: to - column + 1,
      text,
      number: parsed?.number ?? null,
      unit: parsed?.unit ?? null,
      marks,
      start_index: start,
    });
    if (parsed === null && texts.length < 600) texts += ` ${text}`;
  };
  for (const cell of cells) {
    const own = cell.pieces.replace(/[\s\u00a0\u200b]+/g, ' ').trim();
    if (own === '') continue;
    const end = cell.column + cell.colspan - 1;
    if (last !== null && last.row === cell.row && TRAILING.test(own) && /\d$/.test(last.text)) {
      const before = found.pop()!;
      put({ ...last.cell, marks: `${last.cell.marks}${cell.marks}` }, `${before.text}${own}`, end);
      last = { row: cell.row, text: `${before.text}${own}`, cell: last.cell };
      continue;
    }
    if (sign !== null && sign.row !== cell.row) {
      put(sign, sign.pieces.trim(), sign.column + sign.colspan - 1);
      sign = null;
    }
    if (LEADING.test(own) && own !== '') {
      if (sign !== null) put(sign, sign.pieces.trim(), sign.column + sign.colspan - 1);
      sign = { ...cell, pieces: own };
      last = null;
      continue;
    }
    const isJoined = sign !== null && /^[-\u2212\u2013\u2014(]?\s*[\d.]|^[\u2014\u2013-]+$/.test(own);
    if (sign !== null && !isJoined) put(sign, sign.pieces, sign.column + sign.colspan - 1);
    const from: OpenCell = isJoined ? { ...cell, column: sign!.column, start: sign!.start } : cell;
    const text = isJoined ? `${sign!.pieces}${own}` : own;
    put(from, text, end);
    last = { row: cell.row, text, cell: from };
    sign = null;
  }
  if (sign !== null) put(sign, sign.pieces, sign.column + sign.colspan - 1);
  readBrackets(found);
  return { cells: found, texts };
}

/** `(6)` in a column of numbers is -6; behind a number, or alone, it is the mark of a footnote. */
function readBrackets(cells: readonly TableCell[]): void {
  const columns = new Set<number>();
  for (const { number, column, colspan } of cells)
    if (number !== null) for (let k = 0; k < colspan; k++) columns.add(column + k);
  for (const [k, cell] of cells.entries()) {
    const digit = /^\((\d)\)$/.exec(cell.text)?.[1];
    if (digit === undefined || digit === '0' || !columns.has(cell.column)) continue;
    const before = cells[k - 1];
    const isBehind =
      before !== undefined &&
      before.row === cell.row &&
      before.number !== null &&
      before.column + before.colspan === cell.column;
    if (!isBehind) cell.number = `-${digit}`;
  }
}

const LIST_MARK = /^(?:[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6*\u2013-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])$/i;

/** Tables that only place text: one column, or marks of a list before it. */
function isLayout(cells: readonly TableCell[]): boolean {
  const rows = new Map<number, TableCell[]>();
  for (const cell of cells) {
    const row = rows.get(cell.row);
    if (row === undefined) rows.set(cell.row, [cell]);
    else row.push(cell);
  }
  return [...rows.values()].every(
    (row) => row.length < 2 || (row.length === 2 && LIST_MARK.test(row[0]!.text) && row[1]!.number === null),
  );
}
