/** A batch's new rows of one table, in files that no version names yet: one, or more if values have many megabytes. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../../core/index.ts';
import { isLess, type PartStatistics, type StatisticValue } from '../log/statistics.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { withRoom } from './memory-room.ts';
import {
  type BuiltPart,
  buildOnce,
  buildPart,
  readSegments,
  type SegmentSource,
  segmentColumns,
  type WideSource,
} from './parts.ts';
import { ORDINAL, SOURCE } from './rows.ts';
import { bytesOfWideRow, selectWideRow } from './wide-rows.ts';

/** Wide rows share a part up to this many bytes: rewriting or merging such parts needs as much memory. */
const WIDE_PART_BYTES = 64 * 2 ** 20;
/** Compactions skip a part with a row larger than this. */
const WIDEST_COMPACTED_BYTES = 32 * 2 ** 20;

/** The rows to write: those in lines, and those with values in separate files. */
export interface Selection {
  /** SQL: all columns of the rows in lines. */
  readonly select: string;
  readonly wide: readonly WideSource[];
}

export class BuiltRows {
  readonly parts: readonly BuiltPart[];
  readonly rows: number;

  constructor(parts: readonly BuiltPart[]) {
    this.parts = parts;
    this.rows = parts.reduce((sum, part) => sum + part.rows, 0);
  }

  /** Paths that DuckDB can read. */
  get files(): string[] {
    return this.parts.map(({ file }) => file);
  }

  /** Smallest and largest value of a column; null: unknown. */
  rangeOf(column: string): { min: StatisticValue; max: StatisticValue } | null {
    let range: { min: StatisticValue; max: StatisticValue } | null = null;
    for (const { rows, stats } of this.parts) {
      if (rows === 0) continue;
      const one = rangeIn(stats, column);
      if (one === null) return null;
      range = range === null ? one : { min: lesser(range.min, one.min), max: greater(range.max, one.max) };
    }
    return range;
  }

  async discard(): Promise<void> {
    await Promise.all(this.parts.map(({ scratch }) => scratch.discard()));
  }
}

export function selectAll(table: TableDefinition, source: SegmentSource): Selection {
  return {
    select: `SELECT ${segmentColumns(table)} FROM ${readSegments(table, source)} ours WHERE ${isNoWideRow(source)}`,
    wide: source.wide,
  };
}

/** SQL: whether `ours` is a row without values in separate files. */
export function isNoWideRow({ wide }: SegmentSource): string {
  const byFile = new Map<string, number[]>();
  for (const { lines, row } of wide) byFile.set(lines, [...(byFile.get(lines) ?? []), row.ordinal]);
  const conditions = [...byFile].map(
    ([file, ordinals]) => `(ours.${SOURCE} = ${quoteText(file)} AND ours.${ORDINAL} IN (${ordinals.join(', ')}))`,
  );
  return conditions.length === 0 ? 'true' : `NOT (${conditions.join(' OR ')})`;
}

/** @param hasLines whether there may be rows without separate files */
export async function buildRows(
  storage: LakeStorage,
  connection: DuckDBConnection,
  table: TableDefinition,
  { select, wide }: Selection,
  { hasLines, isSorted = false }: { hasLines: boolean; isSorted?: boolean },
): Promise<BuiltRows> {
  const parts: BuiltPart[] = [];
  try {
    if (hasLines) parts.push(await buildPart(storage, connection, table, select, isSorted ? 'enough' : null));
    for (const group of groupsOf(wide)) parts.push(await buildWide(storage, connection, table, group));
    return new BuiltRows(parts);
  } catch (error) {
    await new BuiltRows(parts).discard();
    throw error;
  }
}

async function buildWide(
  storage: LakeStorage,
  connection: DuckDBConnection,
  table: TableDefinition,
  rows: readonly WideSource[],
): Promise<BuiltPart> {
  const select = rows.map(({ row, url }) => selectWideRow(table, row, url)).join('\nUNION ALL\n');
  const widest = Math.max(...rows.map(({ row }) => bytesOfWideRow(row)));
  const built =
    widest > WIDE_PART_BYTES
      ? await withRoom(connection, () => buildOnce(storage, connection, table, select))
      : await buildPart(storage, connection, table, select);
  return widest > WIDEST_COMPACTED_BYTES ? { ...built, widest } : built;
}

function groupsOf(wide: readonly WideSource[]): WideSource[][] {
  const groups: WideSource[][] = [];
  let left = 0;
  for (const one of wide) {
    const bytes = bytesOfWideRow(one.row);
    if (bytes > left) {
      groups.push([]);
      left = WIDE_PART_BYTES;
    }
    groups.at(-1)!.push(one);
    left -= bytes;
  }
  return groups;
}

function rangeIn({ minValues, maxValues }: PartStatistics, column: string) {
  const [min, max] = [minValues[column], maxValues[column]];
  return min === undefined || max === undefined ? null : { min, max };
}

function lesser(a: StatisticValue, b: StatisticValue): StatisticValue {
  return isLess(b, a) ? b : a;
}

function greater(a: StatisticValue, b: StatisticValue): StatisticValue {
  return isLess(a, b) ? b : a;
}
