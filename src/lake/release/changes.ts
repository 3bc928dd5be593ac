/** What changed between two versions: rows added, removed and changed, with the names of Delta's change data feed. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { FilinglakeError, nearestWord, quoteName, quoteNames, quoteText } from '../../core/index.ts';
import { type LakeSnapshot, presentTables, tableState } from '../log/log.ts';
import { refuseVacuumed } from '../log/time-travel.ts';
import { cellsOf } from '../query/query.ts';
import type { Cell } from '../query/values.ts';
import type { LakeState } from '../state/state.ts';
import type { TableDefinition } from '../tables/index.ts';
import { selectReadable } from '../views/lake-sql.ts';
import { rowDigestSql } from './row-digest.ts';

/** `update_preimage` and `update_postimage` are a row before and after its change, one after the other. */
export type ChangeType = 'insert' | 'delete' | 'update_preimage' | 'update_postimage';

export interface TableChanges {
  readonly table: string;
  /** Names of the cells: `_change_type`, then the table's columns. */
  readonly columns: readonly string[];
  /** Rows in the order of their keys. */
  chunks(): AsyncIterable<Cell[][]>;
  /** Writes them to a Parquet file. @returns rows */
  writeParquet(file: string): Promise<number>;
}

/**
 * The changes of one table after the other: each can be read until the next is asked for. Compactions change nothing.
 * @param tables default: all
 * @throws FilinglakeError `lake-version-unknown`, `lake-version-vacuumed`, `table-unknown`
 */
export async function* tableChanges(
  lake: LakeState,
  { since, until, tables }: { since: number; until?: number; tables?: readonly string[] },
): AsyncGenerator<TableChanges> {
  const newest = await lake.snapshot();
  const [before, after] = [await lake.snapshot(since), until === undefined ? newest : await lake.snapshot(until)];
  for (const one of [before, after]) await refuseVacuumed(lake.storage, one, newest);
  const present = presentTables(lake.tables, after.version > before.version ? after : before);
  for (const name of tables ?? []) {
    if (lake.tables.has(name)) continue;
    const near = nearestWord(name, [...lake.tables.keys()]);
    throw new FilinglakeError(
      'table-unknown',
      `the lake has no table '${name}'`,
      near ? { remedy: `Did you mean '${near}'?` } : {},
    );
  }
  const engine = await lake.engines.writer();
  for (const table of present.values()) {
    if (tables !== undefined && !tables.includes(table.name)) continue;
    const connection = await engine.connect();
    try {
      const sql = await prepare(lake, connection, table, before, after).catch((error) =>
        lake.namingDamage(error, after),
      );
      if (sql !== null) yield changesOf(connection, table, sql, lake.storage.name);
    } finally {
      connection.closeSync();
    }
  }
}

/** Parts that both versions have hold the same rows. Null: no part differs. */
async function prepare(
  lake: LakeState,
  connection: DuckDBConnection,
  table: TableDefinition,
  before: LakeSnapshot,
  after: LakeSnapshot,
): Promise<string | null> {
  const [was, is] = [tableState(before, table.name).parts, tableState(after, table.name).parts];
  const gone = [...was.values()].filter(({ part }) => !is.has(part));
  const fresh = [...is.values()].filter(({ part }) => !was.has(part));
  if (gone.length + fresh.length === 0) return null;
  const [goneRows, freshRows] = [
    await selectReadable(lake.storage, table, gone),
    await selectReadable(lake.storage, table, fresh),
  ];
  return prepareChanges(connection, table, goneRows, freshRows);
}

/**
 * Compares two lists of rows as multisets: what both have, as often as both have it, did not change. Rows without key, and several
 * of one key, are compared like all others.
 * @param gone a SELECT of the rows before. @param fresh those after
 * @returns a SELECT of the changes; the connection has its temporary tables
 */
export async function prepareChanges(
  connection: DuckDBConnection,
  table: Pick<TableDefinition, 'columns' | 'key'>,
  gone: string,
  fresh: string,
): Promise<string> {
  const digest = rowDigestSql(table.columns);
  // Only digests of all rows are held; then the few rows that differ are read again.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE _differing AS SELECT _digest, sum(_n)::BIGINT AS _n FROM (
       SELECT ${digest} AS _digest, count(*) AS _n FROM (${fresh}) GROUP BY 1
       UNION ALL SELECT ${digest}, -count(*) FROM (${gone}) GROUP BY 1) GROUP BY 1 HAVING sum(_n) <> 0`,
  );
  const differing = (rows: string, sign: 1 | -1) =>
    `SELECT * EXCLUDE (_n, _nth), ${sign} AS _side FROM (
       SELECT r.*, _n, row_number() OVER (PARTITION BY r._digest) AS _nth FROM (SELECT *, ${digest} AS _digest FROM (${rows})) r
       JOIN _differing USING (_digest) WHERE _n * ${sign} > 0) WHERE _nth <= _n * ${sign}`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE _changes AS ${differing(gone, -1)} UNION ALL ${differing(fresh, 1)}`,
  );
  const key = quoteNames(table.key);
  return `SELECT CASE WHEN _side < 0 AND _nth <= _after THEN 'update_preimage' WHEN _side < 0 THEN 'delete'
       WHEN _nth <= _before THEN 'update_postimage' ELSE 'insert' END AS _change_type, ${quoteNames(table.columns.map(({ name }) => name))}
     FROM (SELECT *, row_number() OVER (PARTITION BY ${key}, _side ORDER BY _digest) AS _nth,
             count(*) FILTER (_side > 0) OVER (PARTITION BY ${key}) AS _after,
             count(*) FILTER (_side < 0) OVER (PARTITION BY ${key}) AS _before FROM _changes)
     ORDER BY ${table.key.map((name) => quoteName(name)).join(', ')}, _nth, _side`;
}

/** @param sql of `prepareChanges`, with the same connection */
export function changesOf(
  connection: DuckDBConnection,
  { name, columns }: Pick<TableDefinition, 'name' | 'columns'>,
  sql: string,
  lake: string,
): TableChanges {
  return {
    table: name,
    columns: ['_change_type', ...columns.map((column) => column.name)],
    async *chunks() {
      const result = await connection.stream(sql);
      for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
        yield cellsOf(chunk, lake);
      }
    },
    async writeParquet(file) {
      const done = await connection.runAndReadAll(
        `COPY (${sql}) TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd)`,
      );
      return Number(done.getRows()[0]?.[0] ?? 0);
    },
  };
}
