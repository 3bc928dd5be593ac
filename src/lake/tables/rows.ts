/** Converts records of /v2 to rows of tables: columns by name, dates and times as text, bytes as base64. */
import { isCalendarDate } from '../../filings/api/index.ts';
import type { FormTableName } from './form-tables.ts';
import { type ExportTable, tableNamed, tablesFrom } from './lists.ts';
import type { AddRow, ColumnType, RecordOf, Row, RowViolation, Table } from './table.ts';

/** Rows of forms come from several documents: src/export/pipeline/fetch/form-rows.ts. */
export type RowsByTable = Partial<Record<Exclude<ExportTable, FormTableName>, Row[]>>;

export interface RowsResult {
  /** Every table of the source has a list, even an empty one. An empty list still replaces the rows of an older revision. */
  rows: RowsByTable;
  violations: RowViolation[];
}

/** A record's rows in all tables of its request. A misfit value becomes null, and is reported. @param without tables */
export function rowsOf<S extends keyof RecordOf>(
  source: S,
  record: RecordOf[S],
  without: readonly ExportTable[] = [],
): RowsResult {
  const rows: Record<string, Row[]> = {};
  const violations: RowViolation[] = [];
  for (const table of tablesFrom(source)) {
    const own: Row[] = [];
    rows[table.name] = own;
    const make = table.rows?.[source] as ((record: RecordOf[S], add: AddRow) => void) | undefined;
    if (make && !(without as readonly string[]).includes(table.name)) make(record, adding(table, own, violations));
  }
  return { rows, violations };
}

function adding(table: Table, rows: Row[], violations: RowViolation[]): AddRow {
  const keys = new Set<unknown>();
  const add = (path: string, row: Row) => {
    for (const { name, fits } of checksOf(table)) {
      const value = row[name] ?? null;
      if (value !== null && !fits(value)) {
        violations.push({ path: path === '' ? name : `${path}.${name}`, value });
        row[name] = null;
      }
    }
    const key = keyOf(table, row);
    if (keys.has(key)) {
      violations.push({ path, value: `a second row for ${key}` });
      return;
    }
    keys.add(key);
    rows.push(row);
  };
  return Object.assign(add, { violation: (violation: RowViolation) => void violations.push(violation) });
}

/** What distinguishes a row from the others of its record. */
function keyOf({ key }: Table, row: Row): unknown {
  const own = key.length === 1 ? key : key.filter((name) => name !== 'accession_number' && name !== 'cik');
  return own.length === 1 ? row[own[0]!] : own.map((name) => row[name]).join(' ');
}

interface Check {
  readonly name: string;
  readonly fits: (value: string | number | boolean) => boolean;
}

export const INTEGER_MAX = 2 ** 31 - 1;
const DATE = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const isInteger = (value: unknown): boolean => Number.isInteger(value) && Math.abs(value as number) <= INTEGER_MAX;
/** Only days from the 29th on need the calendar, which takes ten times as long as the rest of a row. */
const isDate = (value: unknown): boolean =>
  typeof value === 'string' && DATE.test(value) && (value.slice(8) <= '28' || isCalendarDate(value));
const isDateTime = (value: unknown): boolean =>
  typeof value === 'string' && DATE_TIME.test(value) && isDate(value.slice(0, 10));

const DECIMAL = /^-?\d{1,26}(\.\d{1,12})?$/;
const isDecimal = (value: unknown): boolean => typeof value === 'string' && DECIMAL.test(value);
const BIGINT_MAX = 2n ** 63n - 1n;
/** Rows of forms have numbers beyond 2^53 as text. */
const isLong = (value: unknown): boolean =>
  Number.isSafeInteger(value) ||
  (typeof value === 'string' &&
    /^-?\d{1,19}$/.test(value) &&
    BigInt(value) <= BIGINT_MAX &&
    BigInt(value) >= -BIGINT_MAX);

const FITS: Partial<Record<ColumnType, Check['fits']>> = {
  INTEGER: isInteger,
  BIGINT: Number.isSafeInteger,
  'DECIMAL(38,12)': isDecimal,
  DATE: isDate,
  TIMESTAMP: isDateTime,
};

/** What of a row of a form its table can't hold; null: it holds all. Mappings make only what fits: anything else is a fault of theirs. */
export function formRowMisfit(name: string, row: Row): RowViolation | null {
  const table = tableNamed(name);
  if (table === undefined) return { path: name, value: 'no table' };
  for (const column of table.key) if ((row[column] ?? null) === null) return { path: column, value: null };
  for (const { name: column, type } of table.columns) {
    const value = row[column] ?? null;
    if (value === null) continue;
    const fits = type === 'BIGINT' ? isLong : FITS[type];
    if (fits !== undefined && !fits(value)) return { path: column, value };
  }
  return null;
}

const checks = new WeakMap<Table, readonly Check[]>();

function checksOf(table: Table): readonly Check[] {
  let found = checks.get(table);
  if (!found) {
    found = table.columns.flatMap(({ name, type }) => (FITS[type] ? [{ name, fits: FITS[type] }] : []));
    checks.set(table, found);
  }
  return found;
}
