/** Parts of a version that are missing, or differ from the log. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { counted, type ErrorCode, FilinglakeError, quoteText } from '../../core/index.ts';
import { numberOf, rowsOf } from '../engine/duckdb.ts';
import { refusalByEngine } from '../engine/duckdb-errors.ts';
import { type LakeSnapshot, type LivePart, type TableState, tableState } from '../log/log.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage, StoredFile } from '../storage/storage.ts';

export interface DamagedPart {
  readonly table: string;
  readonly part: LivePart;
  /** Its damage, as the end of a sentence: `is missing`. */
  readonly reason: string;
}

interface DamagePlace {
  readonly storage: LakeStorage;
  readonly connection: DuckDBConnection;
}

interface MissingPart extends DamagedPart {
  readonly code: 'part-missing' | 'part-size';
}

/** Parts of a table that are missing or have another size. @param files of its folder */
export function missingParts(table: string, { parts }: TableState, files: readonly StoredFile[]): MissingPart[] {
  const sizes = new Map(files.map(({ name, bytes }) => [name, bytes]));
  return [...parts.values()].flatMap((part): MissingPart[] => {
    const bytes = sizes.get(part.part);
    if (bytes === part.bytes) return [];
    if (bytes === undefined) return [{ table, part, code: 'part-missing', reason: 'is missing' }];
    const reason = `has ${counted(bytes, 'byte')}, and the log says ${part.bytes}`;
    return [{ table, part, code: 'part-size', reason }];
  });
}

/**
 * Refuses a lake with a hole before anything is built on it: one listing of each table's folder.
 * @throws FilinglakeError `part-damaged`, which names a part that is missing or has another size
 */
export async function refuseMissingParts(storage: LakeStorage, { tables }: LakeSnapshot): Promise<void> {
  const filled = [...tables].filter(([, { parts }]) => parts.size > 0);
  const found = await Promise.all(
    filled.map(async ([table, state]) => missingParts(table, state, await storage.list(table))),
  );
  const [first, ...more] = found.flat();
  if (first) throw partDamaged(first, more.length);
}

/**
 * Checks every part of the tables.
 * @param deep whether each is read to its end; else its size and its row count
 * @throws FilinglakeError `lake-unreadable`: the system refuses to open a file, which is not damage
 */
export async function damagedParts(
  place: DamagePlace,
  snapshot: LakeSnapshot,
  tables: Iterable<string>,
  deep: boolean,
): Promise<DamagedPart[]> {
  const damaged: DamagedPart[] = [];
  for (const table of tables) {
    const state = tableState(snapshot, table);
    if (state.parts.size === 0) continue;
    const missing = missingParts(table, state, await place.storage.list(table));
    damaged.push(...missing);
    const gone = new Set(missing.map(({ part }) => part));
    for (const part of state.parts.values()) {
      const reason = gone.has(part) ? null : await damageOf(place, table, part, deep);
      if (reason !== null) damaged.push({ table, part, reason });
    }
  }
  return damaged;
}

/** The damage of a part that is there. */
async function damageOf(
  { storage, connection }: DamagePlace,
  table: string,
  part: LivePart,
  deep: boolean,
): Promise<string | null> {
  const path = partPath(table, part.part);
  await storage.makeReadable([path]);
  const file = quoteText(storage.url(path));
  try {
    const rows = await numberOf(connection, `SELECT num_rows FROM parquet_file_metadata(${file})`);
    if (rows !== part.rows) return `has ${counted(rows, 'row')}, and the log says ${part.rows}`;
    if (deep) await rowsOf(connection, `SELECT bit_xor(hash(t)) FROM read_parquet(${file}) t`);
    return null;
  } catch (error) {
    const refused = refusalByEngine(storage.name, error);
    if (refused !== null) throw refused;
    return `can't be read (${(error as Error).message.split('\n')[0]})`;
  }
}

/** The error that names a damaged part. @param more number of other damaged parts */
function partDamaged({ table, part, reason }: DamagedPart, more: number, cause?: unknown): FilinglakeError {
  const others = more === 0 ? '' : `, and so ${more === 1 ? 'is' : 'are'} ${counted(more, 'other part')}`;
  return new FilinglakeError('part-damaged', `part ${partPath(table, part.part)} ${reason}${others}`, { cause });
}

/**
 * The error to throw: one that names a damaged part of the version if that was the cause; else the error itself.
 * Checks sizes first, and reads parts to their end only if DuckDB reports a broken file without its name.
 */
export async function namedDamage(
  { storage, connect }: Pick<DamagePlace, 'storage'> & { connect: () => Promise<DuckDBConnection> },
  error: unknown,
  tables: Iterable<string>,
  snapshotOf: () => LakeSnapshot | Promise<LakeSnapshot>,
): Promise<unknown> {
  if (!mayBeDamage(error)) return error;
  const names = [...tables];
  const connection = await connect();
  try {
    const snapshot = await snapshotOf();
    const place = { storage, connection };
    let damaged = await damagedParts(place, snapshot, names, false);
    if (damaged.length === 0) damaged = saidToBe(error, snapshot);
    if (damaged.length === 0 && isBrokenFile(error)) damaged = await damagedParts(place, snapshot, names, true);
    return damaged[0] ? partDamaged(damaged[0], damaged.length - 1, error) : error;
  } catch {
    return error;
  } finally {
    connection.closeSync();
  }
}

const MAY_BE_DAMAGE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'lake-unreadable',
  'lake-damaged',
  'lake-unwritable',
  'part-failed',
  'sql-invalid',
]);

function mayBeDamage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof FilinglakeError && !MAY_BE_DAMAGE.has(error.code)) return false;
  return PART_NAME.test(error.message) || isBrokenFile(error);
}

const PART_NAME = /part-[0-9a-f-]{36}\.zstd\.parquet/;

/** DuckDB's words for a broken file. */
function isBrokenFile({ message }: Error): boolean {
  return /\bInvalid Error\b|magic bytes|TProtocolException|thrift|ZSTD|decompress|No files found|Failed to read|corrupt/i.test(
    message,
  );
}

/** The part that an error names. A store that refuses to hand it out has not damaged it. */
function saidToBe(error: Error, { tables }: LakeSnapshot): DamagedPart[] {
  if (error instanceof FilinglakeError && error.code === 'lake-unreadable') return [];
  const name = PART_NAME.exec(error.message)?.[0] ?? '';
  return [...tables].flatMap(([table, { parts }]) => {
    const part = parts.get(name);
    return part ? [{ table, part, reason: "can't be read" }] : [];
  });
}
