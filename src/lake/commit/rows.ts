/** Checks rows against their table, and writes them as lines of NDJSON. */
import { FilinglakeError, nearestWord } from '../../core/index.ts';
import type { ColumnDefinition, ColumnType, TableDefinition } from '../tables/index.ts';

/** A row as plain JSON: dates `YYYY-MM-DD`, times ISO 8601, decimals and whole numbers beyond 2^53 as text, bytes as base64. A missing member is null. */
export type Row = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A member that no table has: the position of a row in its segment. It shows which of two rows with one key is the later. */
export const ORDINAL = '_n';
/** The file that a row was read from. The name `filename` is taken by a column of documents. */
export const SOURCE = '_file';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d{1,6})?$/;
const TIMESTAMPTZ = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}(:?\d{2})?)$/;
const INTEGER_MAX = 2 ** 31 - 1;
/** 26 digits before the point, 12 after it. DuckDB silently rounds longer numbers. */
const DECIMAL = /^-?\d{1,26}(\.\d{1,12})?$/;
const BIGINT_MAX = 2n ** 63n - 1n;

/**
 * One line of NDJSON, without its line end. Members without a value are left out: every reader of it names its columns.
 * @throws FilinglakeError `row-invalid`: an unknown member, a key without a value, a value of another type
 */
export function rowLine(table: TableDefinition, row: Row, ordinal: number): string {
  const narrow = table.wide.length === 0;
  let line = `{"${ORDINAL}":${ordinal}`;
  let members = 0;
  for (const column of writtenColumns(table)) {
    const { name, type } = column;
    const value = row[name];
    if (value === null || value === undefined) {
      if (column.isKey) throw invalid(table, row, `${name} is part of the key, and has no value`);
      if (value === null || name in row) members++;
      continue;
    }
    members++;
    if (value !== column.last) {
      if (!fits(type, value)) throw invalid(table, row, `${name} can't hold ${shown(value)} as ${type}`);
      // Long texts are joined before conversion: afterwards they would be copied.
      if (!narrow) continue;
      column.last = value;
      column.lastText = column.prefix + (typeof value === 'string' ? quoted(value) : String(value));
    }
    line += column.lastText;
  }
  for (const _ in row) members--;
  if (members !== 0) throw unknownMember(table, row);
  if (narrow) return `${line}}`;
  const json = JSON.stringify({ [ORDINAL]: ordinal, ...row });
  // JSON.stringify writes half a surrogate pair (text cut inside one) as an escape that DuckDB refuses.
  return json.includes('\\ud') ? JSON.stringify({ [ORDINAL]: ordinal, ...withoutHalfPairs(row) }) : json;
}

interface WrittenColumn {
  name: string;
  type: ColumnType;
  /** Text before the value. */
  prefix: string;
  isKey: boolean;
  /** The last value and its text, since days, form types and others often repeat. Only for narrow tables. */
  last: unknown;
  lastText: string;
}

const written = new WeakMap<TableDefinition, WrittenColumn[]>();

function writtenColumns(table: TableDefinition): WrittenColumn[] {
  let columns = written.get(table);
  if (!columns) {
    columns = table.columns.map(({ name, type }) => ({
      name,
      type,
      prefix: `,${JSON.stringify(name)}:`,
      isKey: table.key.includes(name),
      last: undefined,
      lastText: '',
    }));
    written.set(table, columns);
  }
  return columns;
}

/** Characters that JSON must escape, and surrogates, whose halves DuckDB refuses even as escapes. */
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

function quoted(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text.toWellFormed()) : `"${text}"`;
}

function fits(type: ColumnType, value: string | number | boolean): boolean {
  switch (type) {
    case 'VARCHAR':
    case 'BLOB':
      return typeof value === 'string';
    case 'INTEGER':
      return Number.isInteger(value) && Math.abs(value as number) <= INTEGER_MAX;
    case 'BIGINT':
      return Number.isSafeInteger(value) || isLongText(value);
    case 'DOUBLE':
      return Number.isFinite(value);
    case 'DECIMAL(38,12)':
      return typeof value === 'string' && DECIMAL.test(value);
    case 'BOOLEAN':
      return typeof value === 'boolean';
    case 'DATE':
      return typeof value === 'string' && DATE.test(value) && isDay(value);
    case 'TIMESTAMP':
      return typeof value === 'string' && TIMESTAMP.test(value) && isTime(value);
    case 'TIMESTAMPTZ':
      return typeof value === 'string' && TIMESTAMPTZ.test(value) && isTime(value);
  }
}

/** A whole number that a double can't hold comes as text. */
function isLongText(value: unknown): boolean {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  const exact = BigInt(value);
  return !Number.isSafeInteger(Number(exact)) && exact <= BIGINT_MAX && exact >= -BIGINT_MAX - 1n;
}

/** Date.parse reads 31 February as 2 March. */
function isDay(text: string): boolean {
  const day = Number(text.slice(8, 10));
  if (day > 28) {
    const time = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
    return !Number.isNaN(time) && new Date(time).getUTCDate() === day;
  }
  const month = Number(text.slice(5, 7));
  return day >= 1 && month >= 1 && month <= 12;
}

function isTime(text: string): boolean {
  return text.slice(11, 13) < '24' && text[14]! < '6' && text[17]! < '6' && isDay(text);
}

function withoutHalfPairs(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return Object.fromEntries(entries) as Row;
}

function unknownMember(table: TableDefinition, row: Row): FilinglakeError {
  const names = table.columns.map((column: ColumnDefinition) => column.name);
  const unknown = Object.keys(row).find((name) => !names.includes(name)) ?? '?';
  const near = nearestWord(unknown, names);
  return invalid(table, row, `it has no column ${unknown}${near ? `; did you mean ${near}?` : ''}`);
}

function invalid(table: TableDefinition, row: Row, message: string): FilinglakeError {
  const key = table.key.map((name) => `${name} ${shown(row[name])}`).join(', ');
  return new FilinglakeError('row-invalid', `a row of ${table.name} (${key}) can't be stored: ${message}`);
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 80 ? `${json.slice(0, 77)}...` : json;
}
