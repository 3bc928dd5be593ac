/** The columns of a printed statement: where their numbers stand, and what is printed above each. */
import type { PageCell, PageRow } from '../../documents/index.ts';
import { isOfPeriod } from './dates.ts';

export interface Column {
  from: number;
  to: number;
  /** Words above it, from top to bottom */
  words: string;
}

const isNumeric = ({ number, dash }: PageCell): boolean => number !== null || dash;

/** A year, or a day of a month, which headings have. */
export const isYear = ({ number, text }: PageCell): boolean => number !== null && /^(?:19[5-9]|20[0-4])\d$/.test(text);
const isDay = ({ text }: PageCell): boolean => /^\d{1,2},?$/.test(text);

export function isData({ cells }: PageRow): boolean {
  const numbers = cells.filter(({ number }) => number !== null);
  if (numbers.length === 0) return cells.length > 1 && cells.slice(1).every(({ dash }) => dash);
  if (numbers.every(isYear)) return false;
  return !(numbers.length === cells.length && numbers.every((cell) => isYear(cell) || isDay(cell)));
}

/** A row of headings: its cells say periods, or are in a row with those that do. */
export function isHeading(row: PageRow): boolean {
  return !isData(row) && row.cells.some((cell) => isYear(cell) || isOfPeriod(cell.text));
}

/** Columns of other things than amounts of a period. */
export const OF_OTHERS =
  /%|\bper ?cent|\bnotes?\b|\bchange|\bvariance|\bpro ?-?forma|\bpreviously reported|\bpredecessor|\bsuccessor|\bbudget|\bparent\b|\bguarantor|\beliminations?\b|\badjustments?\b/i;

/** Right edges of typewritten numbers of one column differ by less. */
const EDGE = 3;

export function columnsOf(rows: readonly PageRow[], typed: boolean): Column[] {
  const edges = rows.flatMap(({ cells }, row) =>
    cells.filter(isNumeric).map((cell) => ({
      row,
      from: typed ? edgeOf(cell) : cell.from,
      to: typed ? edgeOf(cell) : cell.to,
      left: cell.from,
    })),
  );
  edges.sort((a, b) => a.from - b.from || a.to - b.to);
  const found: (Column & { rows: Set<number>; left: number })[] = [];
  for (const { row, from, to, left } of edges) {
    const last = found.at(-1);
    if (last !== undefined && (typed ? from - last.to < EDGE : from <= last.to)) {
      last.to = Math.max(last.to, to);
      last.left = Math.min(last.left, left);
      last.rows.add(row);
    } else found.push({ from, to, left, words: '', rows: new Set([row]) });
  }
  const most = Math.max(0, ...found.map((column) => column.rows.size));
  const joined: typeof found = [];
  for (const column of found) {
    if (column.rows.size * 5 < most) continue;
    const last = joined.at(-1);
    if (last?.rows.isDisjointFrom(column.rows)) {
      last.to = column.to;
      last.rows = last.rows.union(column.rows);
    } else joined.push(column);
  }
  return joined.map(({ from, to, left }) => ({ from: typed ? left : from, to, words: '' }));
}

/** The end of the digits of a typewritten number */
const edgeOf = ({ text, to }: PageCell): number => to - (/[)%*]+$/.exec(text)?.[0].length ?? 0);

/** The cell of a row for each column; undefined: it has none. Null: nobody can tell. */
export function cellsOf(row: PageRow, columns: readonly Column[]): (PageCell | undefined)[] | null {
  const cells = row.cells.filter(isNumeric);
  const found: (PageCell | undefined)[] = columns.map(() => undefined);
  let lost = 0;
  for (const cell of cells) {
    const at = row.typed ? edgeOf(cell) : cell.to;
    const k = columns.findIndex(({ from, to }) =>
      row.typed ? Math.abs(at - to) < EDGE || (at <= to && cell.from >= from) : cell.from <= to && at >= from,
    );
    if (k < 0 || found[k] !== undefined) lost++;
    else found[k] = cell;
  }
  if (lost === 0) return found;
  if (cells.length === columns.length) return cells;
  // Numbers among the words, before all columns, are not of a column.
  return cells.slice(0, lost).every((cell) => !found.includes(cell)) ? found : null;
}

/** Puts the words of a row of headings above the columns. @returns words beside them, or above all */
export function putHeadings({ cells, typed }: PageRow, columns: readonly Column[], labelTo: number): string {
  const [first] = columns;
  if (first === undefined) return '';
  // A cell that spans rows shifts the years of the next one into the place of words.
  const isShifted = cells.length === columns.length && cells.every((cell) => isYear(cell) || isOfPeriod(cell.text));
  const isLabel = (cell: PageCell) =>
    !isShifted &&
    (typed ? cell.to <= first.from - 1 && cell.from <= labelTo : cell.from <= labelTo) &&
    cell.from < first.from;
  const label = cells.filter(isLabel);
  const heads = cells.filter((cell) => !isLabel(cell));
  const [n, k] = [columns.length, heads.length];
  for (const [c, column] of columns.entries()) {
    let head: PageCell | undefined;
    if (k === n) head = heads[c];
    else if (k === 1) head = heads[0];
    else if (k > 1 && n % k === 0) head = heads[Math.floor((c * k) / n)];
    else if (typed) {
      const middle = (column.from + column.to) / 2;
      const far = ({ from, to }: PageCell) => (middle < from ? from - middle : middle > to ? middle - to : 0);
      head = heads.toSorted((a, b) => far(a) - far(b))[0];
    } else head = heads.findLast(({ from }) => from <= column.to);
    if (head !== undefined) column.words += ` ${head.text}`;
  }
  return label.map(({ text }) => text).join(' ');
}
