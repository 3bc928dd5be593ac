/** Any number of rows as a table. On a terminal the first rows set the widths, and the rest stream. */
import { cellJson, delimited, type QueryResult } from '../../lake/index.ts';
import { colours } from './colours.ts';

/** Rows that are read before the first is printed. */
const MEASURED_ROWS = 500;
/** No cell is cut to less than the id of a document, the longest key: columns that don't fit then are named below. */
const NARROWEST = 24;

type Chunk = QueryResult extends { chunks(): AsyncIterable<infer Rows> } ? Rows : never;

/**
 * @param columnsOnScreen width of the terminal; wide cells are cut to fit, and the last columns left out. Null (a pipe, a file): a tab between the cells, no cuts
 * and no padding, since one long text would pad every row to its length
 */
export async function* tableText(result: QueryResult, columnsOnScreen: number | null): AsyncIterable<string> {
  const names = result.columns.map(({ name }) => name);
  if (names.join() === 'explain_key,explain_value') return yield* plans(result);
  // Cells without tabs or line ends.
  if (columnsOnScreen === null) return yield* delimited(result, '\t', cellText);
  const rightAligned = result.columns.map(({ type }) => /INT$|^(INTEGER$|DOUBLE|FLOAT|DECIMAL)/.test(type));
  let widths: number[] | null = null;
  let waiting: string[][] = [];
  const line = (cells: readonly string[], at: readonly number[]) =>
    at
      .map((width, i) => fitted(cells[i]!, width, rightAligned[i]!))
      .join('  ')
      .trimEnd();
  const start = (): string => {
    widths = columnWidths(names, waiting, columnsOnScreen);
    const rows = waiting.map((cells) => line(cells, widths!));
    waiting = [];
    return `${[colours.bold(line(names, widths)), ...rows].join('\n')}\n`;
  };
  for await (const rows of result.chunks()) {
    const cells = cellsOf(rows);
    if (widths !== null) yield `${cells.map((row) => line(row, widths!)).join('\n')}\n`;
    else {
      waiting.push(...cells);
      if (waiting.length >= MEASURED_ROWS) yield start();
    }
  }
  if (widths === null) yield start();
  const hidden = names.slice(widths!.length);
  if (hidden.length > 0)
    yield colours.dim(`${widths!.length} of ${names.length} columns fit here: not ${hidden.join(', ')}\n`);
}

function cellsOf(rows: Chunk): string[][] {
  return rows.map((row) => row.map(cellText));
}

function cellText(cell: Chunk[number][number]): string {
  return oneLine(plainText(cell));
}

/** Texts unchanged, the rest as JSON. */
function plainText(cell: Chunk[number][number]): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? cellJson(cell) : String(cell);
}

/** A query plan has many lines: they stay. */
async function* plans(result: QueryResult): AsyncIterable<string> {
  for await (const rows of result.chunks()) yield rows.map(([, plan]) => `${plainText(plan ?? null)}\n`).join('');
}

/** A section of a 10-K becomes one line, and no control character reaches the terminal. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, ' ↵ ').replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

/** Widths of the columns that fit, at least of the first. */
function columnWidths(names: readonly string[], rows: readonly string[][], screen: number): number[] {
  const widths = names.map((name, i) => rows.reduce((most, row) => Math.max(most, row[i]!.length), name.length));
  const over = () => total(widths) + 2 * (widths.length - 1) - screen;
  // The widest column is cut first.
  for (;;) {
    const widest = widths.indexOf(Math.max(...widths));
    const least = Math.max(NARROWEST, ...widths.filter((_, i) => i !== widest));
    if (over() <= 0) return widths;
    if (widths[widest]! > NARROWEST)
      widths[widest] = Math.max(NARROWEST, Math.min(widths[widest]! - 1, Math.max(least, widths[widest]! - over())));
    else if (widths.length > 1) widths.pop();
    else return [screen];
  }
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

function fitted(cell: string, width: number, rightAligned: boolean): string {
  const shown = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell;
  return rightAligned ? shown.padStart(width) : shown.padEnd(width);
}
