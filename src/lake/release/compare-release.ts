/** Compares a lake with the folder of a release: by digests, and row for row where these differ. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { presentTables, tableState } from '../log/log.ts';
import { selectReadable } from '../query/lake-sql.ts';
import { quoteList, quoteNames } from '../query/quoting.ts';
import type { LakeState } from '../state.ts';
import { prepareChanges } from './changes.ts';
import type { LakeManifest, ReleasedTable } from './manifest.ts';
import { digestRows } from './row-digest.ts';

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

/**
 * Only columns with a digest are compared, and only tables that have one.
 * @param folder of the manifest. @param version default: the newest
 */
export async function compareWithRelease(
  lake: LakeState,
  manifest: LakeManifest,
  folder: string,
  version?: number,
): Promise<Record<string, TableComparison>> {
  const snapshot = await lake.snapshot(version);
  const present = presentTables(lake.tables, snapshot);
  const compared: Record<string, TableComparison> = {};
  const connection = await (await lake.engines.writer()).connect();
  try {
    for (const [name, released] of Object.entries(manifest.tables)) {
      const table = present.get(name);
      const parts = tableState(snapshot, name).parts.values();
      const live = table && (await selectReadable(lake.storage, table, parts));
      const one = await compareTable(connection, released, live ?? null, folder);
      if (one !== null && one.released + one.found > 0) compared[name] = one;
    }
  } catch (error) {
    return await lake.namingDamage(error, snapshot);
  } finally {
    connection.closeSync();
  }
  return compared;
}

async function compareTable(
  connection: DuckDBConnection,
  released: ReleasedTable,
  live: string | null,
  folder: string,
): Promise<TableComparison | null> {
  if (released.digest === null) return null;
  const covered = new Set(released.digest.columns);
  const columns = released.columns.filter(({ name }) => covered.has(name));
  const none = `SELECT ${columns.map(({ name, type }) => `NULL::${type} AS "${name}"`).join(', ')} WHERE false`;
  const names = quoteNames(columns.map(({ name }) => name));
  const fresh = live === null ? none : `SELECT ${names} FROM (${live})`;
  const digest = await digestRows(connection, `(${fresh})`, columns);
  const sizes = { released: released.rows, found: digest.rows };
  if (digest.rows === released.rows && digest.sha256 === released.digest.sha256) {
    return { ...sizes, same: true, equal: released.rows, changed: 0, withdrawn: 0, added: 0 };
  }
  const files = released.parts.map(({ file }) => path.join(folder, file));
  const isThere = (
    await Promise.all(
      files.map((file) =>
        access(file).then(
          () => true,
          () => false,
        ),
      ),
    )
  ).every(Boolean);
  if (!isThere) return { ...sizes, same: false, equal: null, changed: null, withdrawn: null, added: null };
  const gone = files.length === 0 ? none : `SELECT ${names} FROM read_parquet(${quoteList(files)})`;
  const sql = await prepareChanges(connection, { columns, key: released.key }, gone, fresh);
  const counted = await connection.runAndReadAll(`SELECT _change_type, count(*) FROM (${sql}) GROUP BY 1`);
  const counts = new Map(counted.getRows().map(([type, n]) => [String(type), Number(n)]));
  const [changed, withdrawn] = [counts.get('update_preimage') ?? 0, counts.get('delete') ?? 0];
  const added = counts.get('insert') ?? 0;
  return { ...sizes, same: false, equal: released.rows - changed - withdrawn, changed, withdrawn, added };
}
