/**
 * Finds rows that a batch must leave out. If a key occurs twice in the batch, the later row wins, since an attempt may repeat rows
 * at a segment's edge. A key that the run has written since the batch was planned stays as it is.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteList, quoteName, quoteNames } from '../../core/index.ts';
import { numberOf, rowsOf } from '../engine/duckdb.ts';
import { type LakeCommit, outdated, type Part } from '../log/log.ts';
import { mayOverlap } from '../log/statistics.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { type BuiltRows, isNoWideRow, type Selection } from './built-rows.ts';
import { readSegments, type SegmentSource } from './parts.ts';
import { ORDINAL, SOURCE } from './rows.ts';

/** Temporary tables of one commit on one connection are named after their content. */
const repeatedName = (table: string) => quoteName(`repeated_${table}`);
export const goneName = (table: string, n: number) => `gone_${table}_${n}`;

/** @param since commits after the version of the plan: it holds if none wrote its rows @throws `plan-outdated` */
export function refuseOutdated(since: readonly LakeCommit[], runId: string): void {
  const other = since.find(
    ({ run_id, tables }) =>
      run_id !== runId && Object.values(tables).some((one) => one.rows_new > 0 || one.rows_removed > 0),
  );
  if (other) throw outdated(`${other.run_id} has written version ${other.version} since it was made`);
}

/** Whether coverage lists the rows of the table. Then the plan has read it, at its base version. */
function isCovered({ unit, columns }: TableDefinition): boolean {
  return unit !== null && columns.some(({ name }) => name === 'accession_number');
}

/**
 * Parts that may have the same keys: of commits since the batch was planned, and live ones that the plan didn't read. Windows, runs,
 * failures and entities have no coverage. If a run's history was reset, it may write their rows a second time, with a later base version.
 */
export function partsToCompare(table: TableDefinition, live: Iterable<Part>, since: readonly LakeCommit[]): Part[] {
  const brought = since.flatMap(({ tables }) => tables[table.name]?.add.filter(({ origin }) => origin === 'new') ?? []);
  if (isCovered(table)) return brought;
  const known = new Set(brought.map(({ part }) => part));
  return [...brought, ...[...live].filter(({ part }) => !known.has(part))];
}

/** Parts whose statistics overlap our rows in the given columns, as DuckDB reads them. */
async function overlapping(
  storage: LakeStorage,
  table: TableDefinition,
  ours: BuiltRows,
  parts: readonly Part[],
  columns: readonly string[],
): Promise<string[]> {
  const near = parts.filter((part) =>
    columns.every((column) => {
      const range = ours.rangeOf(column);
      return range === null || mayOverlap(part.stats, column, range.min, range.max);
    }),
  );
  const paths: string[] = [];
  for (const { part } of near) {
    const path = partPath(table.name, part);
    // Compaction followed by vacuum may have deleted it. A batch that old was planned again anyway.
    if ((await storage.size(path)) !== null) paths.push(path);
  }
  await storage.makeReadable(paths);
  return paths.map((path) => storage.url(path));
}

/** Rows to leave out of a table's new part. */
export interface Repeated {
  /** Conditions on a row `ours`. */
  readonly conditions: readonly string[];
  /** Temporary table with the repeated values; null: there are none. */
  readonly values: string | null;
}

export const NOTHING_REPEATED: Repeated = { conditions: [], values: null };

/**
 * Finds rows of this table whose key was written since the batch was planned. In tables without coverage the rows of a unit belong
 * together, such as all tables of an entity.
 * @param before what was found in the tables before this one
 * @param replaced conditions under which our row replaces an existing one on purpose
 */
export async function findRepeated(
  { storage, connection }: { storage: LakeStorage; connection: DuckDBConnection },
  table: TableDefinition,
  ours: BuiltRows,
  parts: readonly Part[],
  { before, replaced }: { before: ReadonlyMap<string, Repeated>; replaced: readonly string[] },
): Promise<Repeated> {
  const unit = table.unit ?? table.key;
  const columns = isCovered(table) ? table.key : unit;
  const notReplaced = replaced.map((condition) => `NOT (${condition})`).join(' AND ') || 'true';
  const paths = await overlapping(storage, table, ours, parts, columns);
  const name = repeatedName(table.name);
  const same = columns.map((column) => `theirs.${quoteName(column)} = ours.${quoteName(column)}`).join(' AND ');
  const repeated =
    paths.length === 0
      ? 0
      : await numberOf(
          connection,
          `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT DISTINCT ${quoteNames(columns, 'ours.')}
           FROM read_parquet(${quoteList(ours.files)}) ours
           SEMI JOIN (SELECT ${quoteNames(columns)} FROM read_parquet(${quoteList(paths)})) theirs ON ${same}
           WHERE ${notReplaced}`,
        );
  const values = repeated > 0 ? name : null;
  // The lake's entity may have no tickers: ours would be mixed with its name.
  const isPartOfUnit = !isCovered(table) && table.unit !== null;
  const parents = table.references.filter((reference) => isPartOfUnit && reference.columns.join() === unit.join());
  const named = [values, ...parents.map((parent) => before.get(parent.table)?.values ?? null)];
  const conditions = named.flatMap((one) => (one === null ? [] : [`(${isAmong(columns, one)} AND ${notReplaced})`]));
  return { conditions, values };
}

/** SQL: whether the columns of the row `ours` are in a temporary table. */
export function isAmong(columns: readonly string[], temporaryTable: string): string {
  const same = columns.map((column) => `t.${quoteName(column)} = ours.${quoteName(column)}`).join(' AND ');
  return `EXISTS (SELECT 1 FROM ${temporaryTable} t WHERE ${same})`;
}

/**
 * Selects a table's rows from the segments: without the repeated ones, and only the last row of each key.
 * The rows to drop are found first, by file and ordinal. The select itself then streams, so that row groups stay small.
 */
export async function selectWithout(
  connection: DuckDBConnection,
  table: TableDefinition,
  source: SegmentSource,
  columns: string,
  { conditions }: Repeated,
): Promise<Selection> {
  const losers = quoteName(`losers_${table.name}`);
  const wanted = [...new Set([...table.key, ...replaceableColumns(table)])];
  const excluded = conditions.length > 0 ? conditions.join(' OR ') : 'false';
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${losers} AS
     SELECT ${SOURCE}, ${ORDINAL} FROM (
       SELECT *, row_number() OVER (
         PARTITION BY ${quoteNames(table.key)}
         ORDER BY list_position(${quoteList(source.files)}, ${SOURCE}) DESC, ${ORDINAL} DESC) AS place
       FROM (SELECT ${SOURCE}, ${ORDINAL}, ${quoteNames(wanted)} FROM ${readSegments(table, source)})
     ) ours WHERE place > 1 OR ${excluded}`,
  );
  const select = `SELECT ${columns} FROM ${readSegments(table, source)} ours
    ANTI JOIN ${losers} l ON l.${SOURCE} = ours.${SOURCE} AND l.${ORDINAL} = ours.${ORDINAL}
    WHERE ${isNoWideRow(source)}`;
  if (source.wide.length === 0) return { select, wide: [] };
  const lost = await rowsOf(connection, `SELECT ${SOURCE} AS file, ${ORDINAL}::INTEGER AS ordinal FROM ${losers}`);
  const isLost = new Set(lost.map(({ file, ordinal }) => `${ordinal} ${file}`));
  return { select, wide: source.wide.filter(({ lines, row }) => !isLost.has(`${row.ordinal} ${lines}`)) };
}

/** Columns by which rows can be replaced: the key, and what the row belongs to. */
export function replaceableColumns(table: TableDefinition): string[] {
  return table.columns
    .map((column) => column.name)
    .filter(
      (name) =>
        table.key.includes(name) ||
        table.unit?.includes(name) ||
        ['accession_number', 'document_id', 'cik', 'run_id', 'export'].includes(name),
    );
}
