/** Compares a lake with the folder of a release: by digests, and row for row where these differ. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { FilinglakeError, quoteList, quoteNames } from '../../core/index.ts';
import { presentTables, tableState } from '../log/log.ts';
import type { LakeState } from '../state/state.ts';
import { selectReadable } from '../views/lake-sql.ts';
import { changesOf, prepareChanges, type TableChanges } from './changes.ts';
import { type LakeManifest, MANIFEST, type ReleasedTable } from './manifest.ts';
import { type DigestedColumn, digestRows } from './row-digest.ts';
import { digestOf } from './write-release.ts';

export interface TableComparison {
  /** Rows of the release, and of the lake. */
  readonly released: number;
  readonly found: number;
  /** Whether the rows are the same, by their digests. */
  readonly same: boolean;
  /** Rows of the release: the lake has the same; another one of its key; none of its key. Null: the folder lacks the files. */
  readonly equal: number | null;
  readonly changed: number | null;
  readonly withdrawn: number | null;
  /** Rows of the lake with a key that the release lacks. */
  readonly added: number | null;
}

export interface ComparedTable {
  readonly table: string;
  readonly comparison: TableComparison;
  /** The rows that differ, from the release to the lake. Null: none does, or the folder lacks the files. */
  readonly changes: TableChanges | null;
}

/**
 * One table after the other, in the order of the manifest: the changes of each can be read until the next is asked for. Only columns
 * with a digest are compared, and only tables that have one.
 * @param folder of the manifest
 * @throws FilinglakeError `lake-newer`; `release-unreadable`: rows in the folder are not those of the manifest
 */
export async function* compareWithRelease(
  lake: LakeState,
  manifest: LakeManifest,
  folder: string,
): AsyncGenerator<ComparedTable> {
  refuseUnknown(lake, manifest);
  const snapshot = await lake.snapshot();
  const present = presentTables(lake.tables, snapshot);
  const engine = await lake.engines.writer();
  for (const [name, released] of Object.entries(manifest.tables)) {
    const connection = await engine.connect();
    try {
      const table = present.get(name);
      const parts = tableState(snapshot, name).parts.values();
      const live = table && (await selectReadable(lake.storage, table, parts));
      const compared = await compareTable(connection, name, released, live ?? null, folder, lake.storage.name);
      if (compared !== null && compared.comparison.released + compared.comparison.found > 0) yield compared;
    } catch (error) {
      await lake.namingDamage(error, snapshot);
    } finally {
      connection.closeSync();
    }
  }
}

/** Rows of what this filinglake can't make would all count as withdrawn. */
function refuseUnknown({ tables }: LakeState, manifest: LakeManifest): void {
  for (const [name, { rows, columns, digest }] of Object.entries(manifest.tables)) {
    if (rows === 0 || digest === null) continue;
    const types = new Map(tables.get(name)?.columns.map((column) => [column.name, column.type]));
    const unknown = columns.find((one) => digest.columns.includes(one.name) && types.get(one.name) !== one.type);
    if (unknown === undefined) continue;
    const what = tables.has(name) ? `the column ${name}.${unknown.name} ${unknown.type}` : `the table ${name}`;
    throw new FilinglakeError('lake-newer', `the release ${manifest.name} has ${what}, which this filinglake lacks`);
  }
}

/** A difference between a damaged folder and its own manifest is none of the lake's. */
async function refuseChanged(
  connection: DuckDBConnection,
  name: string,
  { parts, digest }: ReleasedTable,
  columns: readonly DigestedColumn[],
  folder: string,
): Promise<void> {
  const found = await digestOf(connection, folder, parts, columns).catch((error: Error) => error);
  if (!(found instanceof Error) && found.sha256 === digest?.sha256) return;
  throw new FilinglakeError('release-unreadable', `the rows of ${name} in ${folder} are not those of ${MANIFEST}`, {
    remedy: `Run \`filinglake lake release verify ${folder}\`, and get the files again that it names.`,
    ...(found instanceof Error && { cause: found }),
  });
}

async function compareTable(
  connection: DuckDBConnection,
  name: string,
  released: ReleasedTable,
  live: string | null,
  folder: string,
  lake: string,
): Promise<ComparedTable | null> {
  if (released.digest === null) return null;
  const covered = new Set(released.digest.columns);
  const columns = released.columns.filter((column) => covered.has(column.name));
  const none = `SELECT ${columns.map((column) => `NULL::${column.type} AS "${column.name}"`).join(', ')} WHERE false`;
  const names = quoteNames(columns.map((column) => column.name));
  const fresh = live === null ? none : `SELECT ${names} FROM (${live})`;
  const digest = await digestRows(connection, `(${fresh})`, columns);
  const sizes = { released: released.rows, found: digest.rows };
  if (digest.rows === released.rows && digest.sha256 === released.digest.sha256) {
    const comparison = { ...sizes, same: true, equal: released.rows, changed: 0, withdrawn: 0, added: 0 };
    return { table: name, comparison, changes: null };
  }
  const files = released.parts.map(({ file }) => path.join(folder, file));
  if (!(await areThere(files))) {
    const comparison = { ...sizes, same: false, equal: null, changed: null, withdrawn: null, added: null };
    return { table: name, comparison, changes: null };
  }
  await refuseChanged(connection, name, released, columns, folder);
  const gone = files.length === 0 ? none : `SELECT ${names} FROM read_parquet(${quoteList(files)})`;
  const sql = await prepareChanges(connection, { columns, key: released.key }, gone, fresh);
  const counted = await connection.runAndReadAll(`SELECT _change_type, count(*) FROM (${sql}) GROUP BY 1`);
  const counts = new Map(counted.getRows().map(([type, n]) => [String(type), Number(n)]));
  const [changed, withdrawn] = [counts.get('update_preimage') ?? 0, counts.get('delete') ?? 0];
  const added = counts.get('insert') ?? 0;
  return {
    table: name,
    comparison: { ...sizes, same: false, equal: released.rows - changed - withdrawn, changed, withdrawn, added },
    changes: changesOf(connection, { name, columns }, sql, lake),
  };
}

async function areThere(files: readonly string[]): Promise<boolean> {
  const found = files.map((file) =>
    access(file).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).every(Boolean);
}
