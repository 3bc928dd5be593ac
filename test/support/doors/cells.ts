/** One form of a relation for all doors: rows sorted, values as their type says, so that doors can be compared. */

/** What a door gave: names and types of the columns (null: the door has no types), and a row as a list of JSON values. */
export interface Given {
  readonly columns: readonly (readonly [name: string, type: string | null])[];
  readonly rows: readonly (readonly unknown[])[];
  /** Decimals are floating point here, as in pandas. */
  readonly floats?: boolean;
}

/** An answer of a door, or its error. */
export type Answer = Given | { readonly error: string };

/** Types of the same values: sums of whole numbers have one that other readers lack. */
function typeName(type: string): string {
  return type
    .replace(/^TIMESTAMP WITH TIME ZONE$/, 'TIMESTAMPTZ')
    .replace(/^HUGEINT$/, 'DECIMAL(38,0)')
    .replace(/^TIMESTAMP_[A-Z]+$/, 'TIMESTAMP')
    .replace(/^ENUM\(.*\)$/, 'VARCHAR');
}

const WHOLE = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$|^DECIMAL\(\d+,0\)$/;

function canonical(cell: unknown, type: string, floats: boolean): unknown {
  if (cell === null || cell === undefined) return null;
  if (floats && /^DECIMAL|^HUGEINT$/.test(type)) return String(Number(cell));
  if (WHOLE.test(type)) return String(cell).replace(/\.0$/, '');
  if (type.startsWith('DECIMAL') || type === 'DOUBLE' || type === 'FLOAT') return number(cell);
  if (type === 'DATE') return String(cell).slice(0, 10);
  if (type.startsWith('TIMESTAMP')) return moment(String(cell));
  if (type === 'BOOLEAN' || type === 'VARCHAR' || type === 'BLOB' || type.startsWith('ENUM')) return String(cell);
  // CSV has lists and structs as JSON.
  return nested(typeof cell === 'string' ? parsed(cell) : cell);
}

/** JSON with each number as its digits. */
export function parsed(json: string): unknown {
  return JSON.parse(json, (_, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? context!.source! : value,
  );
}

export const number = (cell: unknown) => {
  const text = String(cell);
  if (/[eE]/.test(text) || typeof cell === 'number') return String(Number(text));
  return text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
};
const moment = (text: string) =>
  text
    .replace(' ', 'T')
    .replace(/(\+00(:00)?|Z)$/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');

/** Lists and structs: of numbers only the value counts. */
function nested(cell: unknown): unknown {
  if (Array.isArray(cell)) return cell.map(nested);
  if (cell !== null && typeof cell === 'object')
    return Object.fromEntries(Object.entries(cell).map(([name, value]) => [name, nested(value)]));
  if (typeof cell === 'string' && /^\d{4}-\d\d-\d\d[ T]\d\d:/.test(cell)) return moment(cell);
  return typeof cell === 'number' || typeof cell === 'bigint' ? String(cell) : cell;
}

/** Why two doors differ, in a line; null: they do not. */
export function difference(ours: Given, theirs: Answer): string | null {
  if ('error' in theirs) return theirs.error.slice(0, 300);
  const names = (given: Given) => given.columns.map(([name]) => name).join(' ');
  // JSON names columns in its rows alone.
  const isBare = theirs.columns.length === 0 && theirs.rows.length === 0;
  if (!isBare && names(ours) !== names(theirs)) return `columns ${names(theirs)}, not ${names(ours)}`.slice(0, 400);
  for (const [i, [name, type]] of theirs.columns.entries())
    if (type !== null && typeName(type) !== typeName(ours.columns[i]![1]!))
      return `${name} is ${type}, not ${ours.columns[i]![1]}`;
  const [own, other] = [sorted(ours, ours, theirs.floats), sorted(theirs, ours, theirs.floats)];
  if (own.length !== other.length) return `${other.length} rows, not ${own.length}`;
  const first = own.findIndex((row, i) => row !== other[i]);
  return first < 0 ? null : `row ${other[first]!.slice(0, 300)}, not ${own[first]!.slice(0, 300)}`;
}

function sorted({ rows }: Given, { columns }: Given, floats = false): string[] {
  return rows.map((row) => JSON.stringify(row.map((cell, i) => canonical(cell, columns[i]![1]!, floats)))).sort();
}
