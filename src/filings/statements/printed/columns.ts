/** The columns of a printed statement: where their numbers stand, and what is printed above each. */
import type { PageCell, PageRow } from '../../documents/index.ts';
import { daysApart, isOfPeriod, readDates } from './dates.ts';

export interface Column {
  from: number;
  to: number;
  /** Words above it, from top to bottom */
  words: string;
  /** Its numbers stand in no line. */
  readonly ragged?: boolean;
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
  /%|\bper ?cent|\bnotes?\b|\bchange|\bvariance|\bpro ?-?forma|\bpreviously reported|\bbudget|\badjustments?\b/i;

/** The columns of a table: those of its grid that no row has both of are one. */
function gridColumns(rows: readonly PageRow[]): Column[] {
  const cells = rows.flatMap((row, k) => row.cells.filter(isNumeric).map(({ from, to }) => ({ row: k, from, to })));
  cells.sort((a, b) => a.from - b.from || a.to - b.to);
  const found: (Column & { rows: Set<number> })[] = [];
  for (const { row, from, to } of cells) {
    const last = found.at(-1);
    if (last !== undefined && from <= last.to) {
      last.to = Math.max(last.to, to);
      last.rows.add(row);
    } else found.push({ from, to, words: '', rows: new Set([row]) });
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
  return joined.map(({ from, to }) => ({ from, to, words: '' }));
}

/** Right edges of typewritten numbers of one column differ by less. */
const EDGE = 4;
/** Share of rows that stand in columns; with fewer nothing but the order of numbers tells them. */
const ALIGNED = 0.8;

/** Typewritten columns: as many as most rows have numbers. Their right edges are those of most numbers. */
function typedColumns(rows: readonly PageRow[]): Column[] {
  const numbers = rows.map(({ cells }) => cells.filter(isNumeric));
  const counts = new Map<number, number>();
  for (const { length } of numbers) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [[n] = [0]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const full = numbers.filter(({ length }) => length === n);
  const middle = (all: number[]) => all.sort((a, b) => a - b)[all.length >> 1]!;
  const columns = Array.from({ length: n }, (_, k) => ({
    from: middle(full.map((cells) => cells[k]!.from)),
    to: middle(full.map((cells) => edgeOf(cells[k]!))),
    words: '',
  }));
  const aligned = full.filter((cells) => cells.every((cell, k) => Math.abs(edgeOf(cell) - columns[k]!.to) < EDGE));
  const isRagged = aligned.length < ALIGNED * full.length;
  return isRagged ? columns.map((column) => ({ ...column, ragged: true })) : columns;
}

export const columnsOf = (rows: readonly PageRow[], typed: boolean): Column[] =>
  typed ? typedColumns(rows) : gridColumns(rows);

/** The end of the digits of a typewritten number */
const edgeOf = ({ text, to }: PageCell): number => to - (/[)%*]+$/.exec(text)?.[0].length ?? 0);

/** The cell of a row for each column; undefined: it has none. Null: nobody can tell. */
export function cellsOf(row: PageRow, columns: readonly Column[]): (PageCell | undefined)[] | null {
  const cells = row.cells.filter(isNumeric);
  const byOrder = cells.length === columns.length ? cells : null;
  if (columns.some(({ ragged }) => ragged)) return byOrder;
  const found: (PageCell | undefined)[] = columns.map(() => undefined);
  const lost: PageCell[] = [];
  for (const cell of cells) {
    const at = row.typed ? edgeOf(cell) : cell.to;
    const k = columns.findIndex(({ from, to }) =>
      row.typed ? Math.abs(at - to) < EDGE : cell.from <= to && at >= from,
    );
    if (k < 0 || found[k] !== undefined) lost.push(cell);
    else found[k] = cell;
  }
  if (lost.length === 0) return found;
  if (byOrder !== null) return byOrder;
  // Numbers among the words, before all columns, are not of a column.
  const first = columns[0]!.from;
  return lost.every(({ to }) => to < first) ? found : null;
}

/** Characters between the middle of a typewritten column and a cell above it */
function distance(column: Column, { from, to }: PageCell): number {
  const middle = (column.from + column.to) / 2;
  return middle < from ? from - middle : middle > to ? middle - to : 0;
}

/** Whether a typewritten cell is above all columns: in their middle, or wider than one. */
function isAbove({ from, to }: PageCell, columns: readonly Column[]): boolean {
  const [left, right] = [columns[0]!.from, columns.at(-1)!.to];
  return (
    to - from > (right - left) / 2 ||
    Math.abs((from + to) / 2 - (left + right) / 2) <= (right - left) * 0.2 ||
    to < left
  );
}

/** A label that runs into the first column: its number is a cell. */
export function splitLabel(row: PageRow, columns: readonly Column[]): PageRow {
  const [label] = row.cells as readonly [PageCell];
  const found =
    row.typed && label.number === null ? /^(.*[a-z),:]) ?(\(?\$? ?[\d,]*\.?\d+\)?)$/i.exec(label.text) : null;
  if (found === null || Math.abs(edgeOf(label) - columns[0]!.to) >= EDGE || columns[0]!.ragged) return row;
  const [, words, number] = found as unknown as readonly [string, string, string];
  const digits = number.replace(/[^\d.,]/g, '');
  const end = label.end - (number.endsWith(')') ? 1 : 0);
  const cell = {
    ...label,
    text: number,
    from: label.to - number.length,
    number: `${number.startsWith('(') ? '-' : ''}${digits.replaceAll(',', '')}`.replace(/^(-?)\./, '$10.'),
    start: end - digits.length,
    end,
  };
  return { ...row, cells: [{ ...label, text: words, to: cell.from - 1 }, cell, ...row.cells.slice(1)] };
}

/** Typewritten words of one heading that more than a blank parts: `NINE  MONTHS` */
function joined(heads: readonly PageCell[], columns: number, typed: boolean): readonly PageCell[] {
  if (!typed || heads.length < 2 || columns % heads.length === 0) return heads;
  const found: PageCell[] = [];
  for (const head of heads) {
    const last = found.at(-1);
    if (last !== undefined && head.from - last.to <= 2)
      found[found.length - 1] = { ...last, text: `${last.text} ${head.text}`, to: head.to };
    else found.push(head);
  }
  return found;
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
  const own = cells.filter((cell) => !isLabel(cell));
  const apart = own.flatMap((cell) => daysApart(cell.text).map((text) => ({ ...cell, text })));
  const heads = apart.length === columns.length ? apart : joined(own, columns.length, typed);
  const [n, k] = [columns.length, heads.length];
  // `For the years ended December 31, 1995, 1994 and 1993` is above all columns, and none of them.
  if (k === 1 && n > 1) {
    const { dates, years } = readDates(heads[0]!.text);
    if (new Set([...dates, ...years]).size > 1) return cells.map(({ text }) => text).join(' ');
  }
  // Fewer days than columns: each is of the column whose edge it has, or nobody can tell whose any of them are.
  const isOver = ({ to }: PageCell) => columns.some((column) => Math.abs(to - column.to) < EDGE);
  const hasDay = ({ text }: PageCell) => readDates(text).days.length === 1 && readDates(text).lengths.length === 0;
  const areDays = typed && k > 1 && k < n && n % k !== 0 && heads.every(hasDay);
  const all = areDays && !heads.every(isOver) ? heads.map(({ text }) => text).join(' ') : null;
  for (const [c, column] of columns.entries()) {
    let head: PageCell | undefined;
    if (all !== null) column.words += ` ${all}`;
    else if (areDays) head = heads.find(({ to }) => Math.abs(to - column.to) < EDGE);
    else if (k === n) head = heads[c];
    else if (k > 1 && n % k === 0) head = heads[Math.floor((c * k) / n)];
    else if (typed) {
      const far = (cell: PageCell) => distance(column, cell);
      if (
        k !== 1 ||
        isAbove(heads[0]!, columns) ||
        columns.every((other) => far(heads[0]!) <= distance(other, heads[0]!))
      )
        head = heads.toSorted((a, b) => far(a) - far(b))[0];
    } else head = heads.findLast(({ from }) => from <= column.to);
    if (head !== undefined) column.words += ` ${head.text}`;
  }
  return label.map(({ text }) => text).join(' ');
}
