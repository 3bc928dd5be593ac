/** Statistics of a part by column: rows, smallest and largest value, nulls. The lake's log and Delta's have the same JSON. */
import type { ColumnType, TableDefinition } from '../tables/index.ts';

export type StatisticValue = string | number;

/** Delta's `stats`: values as in Delta's protocol (dates YYYY-MM-DD, times to the millisecond). */
export interface PartStatistics {
  readonly numRecords: number;
  readonly minValues: Readonly<Record<string, StatisticValue>>;
  readonly maxValues: Readonly<Record<string, StatisticValue>>;
  readonly nullCount: Readonly<Record<string, number>>;
}

/** Longer values are left out: a truncated maximum would have to be rounded up, and nobody filters by long text. */
const MAX_TEXT_CHARACTERS = 64;

/** One column of DuckDB's `RETURN_STATS`. */
export interface RawColumnStatistics {
  min?: string;
  max?: string;
  null_count?: string;
}

/** @param raw by column name, without quotes */
export function partStatistics(
  table: TableDefinition,
  rows: number,
  raw: ReadonlyMap<string, RawColumnStatistics>,
): PartStatistics {
  const minValues: Record<string, StatisticValue> = {};
  const maxValues: Record<string, StatisticValue> = {};
  const nullCount: Record<string, number> = {};
  for (const { name, type } of table.columns) {
    const column = raw.get(name);
    if (column?.null_count !== undefined) nullCount[name] = Number(column.null_count);
    if (table.wide.includes(name) || column?.min === undefined || column.max === undefined) continue;
    const min = statisticValue(type, column.min, 'down');
    const max = statisticValue(type, column.max, 'up');
    if (min === null || max === null) continue;
    minValues[name] = min;
    maxValues[name] = max;
  }
  return { numRecords: rows, minValues, maxValues, nullCount };
}

function statisticValue(type: ColumnType, raw: string, rounding: 'down' | 'up'): StatisticValue | null {
  switch (type) {
    case 'VARCHAR':
      return raw.length <= MAX_TEXT_CHARACTERS ? raw : null;
    case 'INTEGER':
    case 'BIGINT':
      return Number.isSafeInteger(Number(raw)) ? Number(raw) : null;
    case 'DATE':
      // DuckDB writes other years as 0001-12-31 (BC) and 12024-01-01, which Delta readers can't parse as dates.
      return /^\d{4}-\d{2}-\d{2}$/.test(raw) ? raw : null;
    case 'TIMESTAMP':
      return milliseconds(`${raw.replace(' ', 'T')}Z`, rounding)?.slice(0, -1) ?? null;
    case 'TIMESTAMPTZ':
      return milliseconds(raw.replace(' ', 'T').replace(/[+-]00$/, 'Z'), rounding);
    // Statistics are JSON, whose numbers readers take for doubles: a rounded bound would hide rows. Nobody prunes by amounts.
    case 'DECIMAL(38,12)':
    case 'DOUBLE':
    case 'BOOLEAN':
    case 'BLOB':
      return null;
  }
}

/** Delta's statistics have milliseconds only: finer values are rounded outwards. */
function milliseconds(iso: string, rounding: 'down' | 'up'): string | null {
  const finer = /\.\d{3}\d*[1-9]\d*Z$/.test(iso);
  if (!/^\d{4}-/.test(iso) || / \(BC\)/.test(iso)) return null;
  const time = Date.parse(iso.replace(/(\.\d{3})\d+Z$/, '$1Z'));
  if (Number.isNaN(time)) return null;
  return new Date(time + (finer && rounding === 'up' ? 1 : 0)).toISOString();
}

/** Whether a part may hold a row whose `column` is between the two values, both included. Compared by code points, as DuckDB and Delta do. */
export function mayOverlap(stats: PartStatistics, column: string, min: StatisticValue, max: StatisticValue): boolean {
  const low = stats.minValues[column];
  const high = stats.maxValues[column];
  if (low === undefined || high === undefined) return stats.nullCount[column] !== stats.numRecords;
  return !isLess(max, low) && !isLess(high, min);
}

/** By code points, as DuckDB and Delta compare. */
export function isLess(a: StatisticValue, b: StatisticValue): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b))) < 0;
}
