/** Converts values of DuckDB to JSON: exact numbers, ISO 8601 times, bytes as base64. */
import { DuckDBBlobValue, DuckDBTypeId, type DuckDBValueConverter, JsonDuckDBValueConverter } from '@duckdb/node-api';

/** The type of a cell: JSON, or bigint for whole numbers that a double can't hold. */
export type Cell = Filled | null;
type Filled = string | number | boolean | bigint | Cell[] | { [name: string]: Cell };

type Convert = DuckDBValueConverter<Filled>;

const whole: Convert = (value) => {
  const exact = value as bigint;
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
};
/** `2024-01-02 03:04:05+00` → `2024-01-02T03:04:05Z` (sessions run in UTC). */
const time: Convert = (value) => String(value).replace(' ', 'T').replace(/\+00$/, 'Z');
const base64: Convert = (value) =>
  value instanceof DuckDBBlobValue ? Buffer.from(value.bytes).toString('base64') : String(value);

/** As a number if fifteen digits hold it, else as text. */
const decimal: Convert = (value) => {
  const text = String(value);
  return text.replace(/\D/g, '').replace(/^0+/, '').length <= 15 ? Number(text) : text;
};

const SPECIAL = new Map<DuckDBTypeId, Convert>([
  [DuckDBTypeId.BIGINT, whole],
  [DuckDBTypeId.UBIGINT, whole],
  [DuckDBTypeId.HUGEINT, whole],
  [DuckDBTypeId.UHUGEINT, whole],
  [DuckDBTypeId.TIMESTAMP, time],
  [DuckDBTypeId.TIMESTAMP_S, time],
  [DuckDBTypeId.TIMESTAMP_MS, time],
  [DuckDBTypeId.TIMESTAMP_NS, time],
  [DuckDBTypeId.TIMESTAMP_TZ, time],
  [DuckDBTypeId.DECIMAL, decimal],
  [DuckDBTypeId.BLOB, base64],
]);

/** Nested values use this converter too, so that a list of whole numbers is exact. */
export const cellConverter: Convert = (value, type, converter) => {
  if (value === null) return null;
  const special = SPECIAL.get(type.typeId);
  if (special) return special(value, type, converter);
  return (JsonDuckDBValueConverter as unknown as Convert)(value, type, converter);
};

/** JSON text of a cell; bigints as digits. */
export function cellJson(cell: Cell): string {
  return JSON.stringify(cell, (_, value: unknown) => (typeof value === 'bigint' ? rawJson(String(value)) : value));
}

function rawJson(digits: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);
}
