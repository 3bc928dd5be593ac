/** Writes the tables of a version into a folder: its parts as they are, with their SHA-256, and the digests of their rows. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { FilinglakeError, quoteList } from '../../core/index.ts';
import { buildPart } from '../commit/parts.ts';
import { damaged, type LakeSnapshot, type LivePart, presentTables, tableState } from '../log/log.ts';
import { refuseVacuumed } from '../log/time-travel.ts';
import { refuseMissingParts } from '../state/damage.ts';
import type { LakeState } from '../state/state.ts';
import { partPath } from '../storage/layout.ts';
import type { TableDefinition } from '../tables/index.ts';
import { selectReadable } from '../views/lake-sql.ts';
import {
  digestedColumns,
  type LakeManifest,
  leftOut,
  MANIFEST_FORMAT,
  type ReleasedPart,
  type ReleasedTable,
  releaseDigest,
} from './manifest.ts';
import { DIGEST_METHOD, digestOfNoRows, digestRows } from './row-digest.ts';

export interface WriteOptions {
  /** Called with bytes of parts that are written, and of all. */
  onProgress?: (bytes: number, of: number, table: string) => void;
}

/** @param folder on this disk, new or empty @throws `lake-version-unknown`, `lake-version-vacuumed` and others */
export async function writeReleasedTables(
  lake: LakeState,
  { name, version }: { name: string; version: number },
  folder: string,
  { onProgress }: WriteOptions = {},
): Promise<LakeManifest> {
  const snapshot = await lake.snapshot(version);
  await refuseVacuumed(lake.storage, snapshot, await lake.snapshot());
  await refuseMissingParts(lake.storage, snapshot);
  const present = presentTables(lake.tables, snapshot);
  refuseUnknown(lake, snapshot);
  const of = [...snapshot.tables.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const tables: Record<string, ReleasedTable> = {};
  const connection = await (await lake.engines.writer()).connect();
  try {
    for (const table of present.values()) {
      tables[table.name] = await writeTable(lake, connection, table, snapshot, folder, ({ bytes }) => {
        done += bytes;
        onProgress?.(done, of, table.name);
      });
    }
  } catch (error) {
    return await lake.namingDamage(error, snapshot);
  } finally {
    connection.closeSync();
  }
  return {
    format: MANIFEST_FORMAT,
    name,
    lake: { id: lake.id, version: snapshot.version, committed_at: snapshot.committed_at },
    method: DIGEST_METHOD,
    digest: releaseDigest(tables),
    tables,
  };
}

/** A newer filinglake has written tables or columns that this one would leave out. */
function refuseUnknown(lake: LakeState, snapshot: LakeSnapshot): void {
  for (const [name, { parts, columns }] of snapshot.tables) {
    if (parts.size === 0 || columns <= (lake.tables.get(name)?.columns.length ?? -1)) continue;
    throw new FilinglakeError('lake-newer', `${name} in ${lake.storage.name} was written by a newer filinglake`);
  }
}

async function writeTable(
  lake: LakeState,
  connection: DuckDBConnection,
  table: TableDefinition,
  snapshot: LakeSnapshot,
  folder: string,
  written: (part: LivePart) => void,
): Promise<ReleasedTable> {
  const { parts: live, rows } = tableState(snapshot, table.name);
  const parts: ReleasedPart[] = [];
  if (live.size > 0) await mkdir(path.join(folder, 'tables', table.name), { recursive: true });
  for (const part of live.values()) {
    const file = `tables/${table.name}/${String(parts.length + 1).padStart(4, '0')}.parquet`;
    const target = path.join(folder, file);
    if (part.columns < table.columns.length) await rewrite(lake, connection, table, part, target);
    else await copy(lake, table.name, part, target);
    parts.push({ file, rows: part.rows, bytes: (await stat(target)).size, sha256: await sha256OfFile(target) });
    written(part);
  }
  const columns = digestedColumns(table);
  const digested = await digestOf(connection, folder, parts, columns ?? []);
  if (digested.rows !== rows)
    throw damaged(`the parts of ${table.name} have ${digested.rows} rows, the log says ${rows}`);
  return {
    meaning: table.meaning,
    key: table.key,
    columns: table.columns.map(({ name, type, meaning }) => ({ name, type, meaning })),
    rows,
    digest: columns && { sha256: digested.sha256, columns: columns.map(({ name }) => name) },
    left_out: leftOut(table),
    parts,
  };
}

/** The rows of the parts in a folder. @param columns none: the rows are only counted */
export async function digestOf(
  connection: DuckDBConnection,
  folder: string,
  parts: readonly ReleasedPart[],
  columns: Parameters<typeof digestRows>[2],
): Promise<{ rows: number; sha256: string }> {
  if (parts.length === 0) return digestOfNoRows(columns);
  const files = quoteList(parts.map(({ file }) => path.join(folder, file)));
  return digestRows(connection, `read_parquet(${files})`, columns);
}

async function copy({ storage }: LakeState, table: string, part: LivePart, target: string): Promise<void> {
  const source = partPath(table, part.part);
  if (storage.localFolder === null) {
    const bytes = await storage.read(source);
    if (bytes === null) throw damaged(`${source} is missing`);
    await writing(target, () => writeFile(target, bytes));
  } else {
    // A vacuum may delete the part if the release was deleted. An open one stays.
    await using file = await open(storage.url(source)).catch((cause: Error) => {
      throw damaged(`${source} is missing: ${cause.message}`);
    });
    await writing(target, () => pipeline(file.createReadStream({ autoClose: false }), createWriteStream(target)));
  }
  await synced(target);
}

/** A part from before a column was added lacks it: all files of a table have the same columns. */
async function rewrite(
  lake: LakeState,
  connection: DuckDBConnection,
  table: TableDefinition,
  part: LivePart,
  target: string,
): Promise<void> {
  const built = await buildPart(lake.storage, connection, table, await selectReadable(lake.storage, table, [part]));
  try {
    if (built.rows !== part.rows) throw damaged(`${partPath(table.name, part.part)} has ${built.rows} rows`);
    await writing(target, () => pipeline(createReadStream(built.scratch.localPath), createWriteStream(target)));
    await synced(target);
  } finally {
    await built.scratch.discard();
  }
}

async function synced(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writing(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    throw new FilinglakeError('output-unwritable', `${file} can't be written: ${(cause as Error).message}`, { cause });
  }
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
