/** Cells of a table's rows, and the columns that readers see. */
import type { Line } from './line.ts';

/** Symbols in their own cells, which belong to the number in the next cell or in the one before. */
export const LEADING = /^(?:(?:US|C|A)?[$\u20ac\u00a3\u00a5])?\s*\(?$/;
export const TRAILING = /^[)%\]]+(?:\(\d\))?$/;

/** Of `US$` */
const LEADING_LETTERS = 2;
export interface Cell {
  column: number;
  lines: Line[];
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

export function isLeading({ text, letters }: Line): boolean {
  return letters <= LEADING_LETTERS && LEADING.test(text);
}

export function isTrailing({ text, letters }: Line): boolean {
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
