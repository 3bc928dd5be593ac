/** Counts and bounds of a part's columns, as Iceberg's manifests have them (specification, appendix D): readers skip parts by them. */
import type { PartStatistics, StatisticValue } from '../../log/statistics.ts';
import type { ColumnType, TableDefinition } from '../../tables/index.ts';
import type { AvroValue } from './avro.ts';

interface PerColumn<Value extends AvroValue> {
  readonly [field: string]: AvroValue;
  /** The column's id. */
  readonly key: number;
  readonly value: Value;
}

/** Members of a manifest's entry. A column without bounds can hold anything. */
export function columnMetrics({ columns }: TableDefinition, rows: number, stats: PartStatistics) {
  const value_counts: PerColumn<number>[] = [];
  const null_value_counts: PerColumn<number>[] = [];
  const lower_bounds: PerColumn<Uint8Array>[] = [];
  const upper_bounds: PerColumn<Uint8Array>[] = [];
  for (const [i, { name, type }] of columns.entries()) {
    const key = i + 1;
    const nulls = stats.nullCount[name];
    if (nulls !== undefined) {
      value_counts.push({ key, value: rows });
      null_value_counts.push({ key, value: nulls });
    }
    const [min, max] = [stats.minValues[name], stats.maxValues[name]];
    if (min === undefined || max === undefined) continue;
    const [lower, upper] = [boundOf(type, min), boundOf(type, max)];
    if (lower === null || upper === null) continue;
    lower_bounds.push({ key, value: lower });
    upper_bounds.push({ key, value: upper });
  }
  return { value_counts, null_value_counts, lower_bounds, upper_bounds };
}

const DAY_MS = 86_400_000;

/** Little-endian; days and microseconds since 1970. The log's times are rounded outwards to milliseconds. */
function boundOf(type: ColumnType, value: StatisticValue): Buffer | null {
  switch (type) {
    case 'VARCHAR':
      return Buffer.from(String(value));
    case 'INTEGER':
      return int(Number(value));
    case 'BIGINT':
      return long(BigInt(value));
    case 'DATE':
      return int(Date.parse(`${value}T00:00:00Z`) / DAY_MS);
    case 'TIMESTAMP':
      return long(BigInt(Date.parse(`${value}Z`)) * 1000n);
    case 'TIMESTAMPTZ':
      return long(BigInt(Date.parse(String(value))) * 1000n);
    // The log has no bounds of these.
    case 'DECIMAL(38,12)':
    case 'DOUBLE':
    case 'BOOLEAN':
    case 'BLOB':
      return null;
  }
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function long(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
