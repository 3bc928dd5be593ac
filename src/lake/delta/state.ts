/** Reads a table's Delta log: the last checkpoint, and the commits after it. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { damaged } from '../log/log.ts';
import { rowsOf } from '../query/duckdb.ts';
import { quoteText } from '../query/quoting.ts';
import { deltaCommitPath, deltaFolder, versionName } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { DELTA_APP, type DeltaAction } from './actions.ts';
import type { DeltaProtocol } from './schema.ts';

/** State of a Delta log in relation to the lake's. */
export interface DeltaPosition {
  /** The last Delta commit; -1: none. */
  readonly deltaVersion: number;
  /** Its lake version; -1: none yet. */
  readonly lakeVersion: number;
  /** Another tool has written Delta commits after that. */
  readonly foreign: boolean;
}

export interface DeltaState extends Omit<DeltaPosition, 'foreign'> {
  /** Bytes of the live files, by path. */
  readonly files: ReadonlyMap<string, number>;
  readonly schemaString: string | null;
  readonly protocol: DeltaProtocol | null;
}

interface LogListing {
  commits: number[];
  checkpoints: number[];
}

async function listLog(storage: LakeStorage, table: string): Promise<LogListing> {
  const after = storage.localFolder === null ? await lastCheckpoint(storage, table) : null;
  const recent = after === null ? null : listing(await storage.listNames(deltaFolder(table), versionName(after)));
  if (recent?.checkpoints.includes(after!)) return recent;
  return listing(await storage.listNames(deltaFolder(table)));
}

/** Delta's own hint, which may be missing or old. In a bucket, a listing from there on is one request, not one for each 1,000. */
async function lastCheckpoint(storage: LakeStorage, table: string): Promise<number | null> {
  const bytes = await storage.read(`${deltaFolder(table)}/_last_checkpoint`);
  if (bytes === null) return null;
  try {
    const { version } = JSON.parse(bytes.toString('utf8')) as { version?: unknown };
    return Number.isSafeInteger(version) ? (version as number) : null;
  } catch {
    return null;
  }
}

function listing(names: readonly string[]): LogListing {
  const numbered = (pattern: RegExp) => names.flatMap((name) => pattern.exec(name)?.[1] ?? []).map(Number);
  return { commits: numbered(/^(\d{20})\.json$/), checkpoints: numbered(/^(\d{20})\.checkpoint\.parquet$/) };
}

/**
 * The last Delta commit and its lake version, from the newest files only. @param connection for a log whose commits were deleted
 */
export async function deltaPosition(
  storage: LakeStorage,
  connection: () => Promise<DuckDBConnection>,
  table: string,
): Promise<DeltaPosition> {
  const { commits, checkpoints } = await listLog(storage, table);
  const deltaVersion = Math.max(commits.at(-1) ?? -1, checkpoints.at(-1) ?? -1);
  const present = new Set(commits);
  // Other tools (OPTIMIZE) commit without our transaction: ours is further back.
  for (let version = deltaVersion; version >= 0 && present.has(version); version--) {
    const lakeVersion = transactionOf(await readActions(storage, table, version));
    const foreign = version !== deltaVersion;
    if (lakeVersion !== null) return { deltaVersion, lakeVersion, foreign };
    if (version === 0) return { deltaVersion, lakeVersion: -1, foreign };
  }
  const checkpoint = checkpoints.at(-1);
  if (deltaVersion < 0 || checkpoint === undefined) return { deltaVersion, lakeVersion: -1, foreign: false };
  const actions = await readCheckpoint(storage, await connection(), table, checkpoint);
  return { deltaVersion, lakeVersion: transactionOf(actions) ?? -1, foreign: deltaVersion !== checkpoint };
}

/** Replays a Delta log, from its last checkpoint if it has one. */
export async function readDeltaState(
  storage: LakeStorage,
  connection: () => Promise<DuckDBConnection>,
  table: string,
): Promise<DeltaState> {
  const { commits, checkpoints } = await listLog(storage, table);
  const checkpoint = checkpoints.at(-1) ?? -1;
  const files = new Map<string, number>();
  let schemaString: string | null = null;
  let known: DeltaProtocol | null = null;
  let lakeVersion = -1;
  let deltaVersion = checkpoint;
  const apply = (actions: readonly DeltaAction[]) => {
    for (const { add, remove, metaData, protocol } of actions) {
      if (add) files.set(add.path, add.size);
      if (remove) files.delete(remove.path);
      if (metaData) schemaString = metaData.schemaString;
      if (protocol) known = protocol;
    }
    lakeVersion = transactionOf(actions) ?? lakeVersion;
  };
  if (checkpoint >= 0) apply(await readCheckpoint(storage, await connection(), table, checkpoint));
  for (const version of commits) {
    if (version <= checkpoint) continue;
    if (version !== deltaVersion + 1)
      throw damaged(`${deltaCommitPath(table, deltaVersion + 1)} is missing`, DELTA_REMEDY);
    apply(await readActions(storage, table, version));
    deltaVersion = version;
  }
  return { deltaVersion, lakeVersion, files, schemaString, protocol: known };
}

/** No row is lost: the lake's own log has them all. */
const DELTA_REMEDY = "Run `filinglake lake repair`. It writes the table's Delta log again, from the lake's own log.";

function transactionOf(actions: readonly DeltaAction[]): number | null {
  const transactions = actions.filter(({ txn }) => txn?.appId === DELTA_APP);
  return transactions.at(-1)?.txn?.version ?? null;
}

export async function readActions(storage: LakeStorage, table: string, deltaVersion: number): Promise<DeltaAction[]> {
  const path = deltaCommitPath(table, deltaVersion);
  const bytes = await storage.read(path);
  if (bytes === null) throw damaged(`${path} is missing`, DELTA_REMEDY);
  try {
    const lines = bytes.toString('utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as DeltaAction);
  } catch {
    throw damaged(`${path} is not JSON`, DELTA_REMEDY);
  }
}

async function readCheckpoint(
  storage: LakeStorage,
  connection: DuckDBConnection,
  table: string,
  deltaVersion: number,
): Promise<DeltaAction[]> {
  const path = checkpointPath(table, deltaVersion);
  await storage.makeReadable([path]);
  const file = storage.url(path);
  const rows = await rowsOf(
    connection,
    `SELECT to_json({txn: txn, add: {path: add.path, size: add.size}, remove: {path: remove.path},
       metaData: {schemaString: metaData.schemaString}, protocol: protocol}) AS action FROM read_parquet(${quoteText(file)})`,
  );
  return rows.map((row) => {
    const action = JSON.parse(String(row.action)) as DeltaAction;
    // A null struct is read as a struct of nulls.
    return {
      ...(action.txn ? { txn: action.txn } : {}),
      ...(action.add?.path ? { add: action.add } : {}),
      ...(action.remove?.path ? { remove: action.remove } : {}),
      ...(action.metaData?.schemaString ? { metaData: action.metaData } : {}),
      ...(action.protocol?.minReaderVersion ? { protocol: action.protocol } : {}),
    };
  });
}

export function checkpointPath(table: string, deltaVersion: number): string {
  return `${deltaFolder(table)}/${versionName(deltaVersion)}.checkpoint.parquet`;
}
