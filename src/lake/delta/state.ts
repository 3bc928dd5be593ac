/** Reads a table's Delta log: the last checkpoint, and the commits after it. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../../core/index.ts';
import { rowsOf } from '../engine/duckdb.ts';
import { damaged } from '../log/log.ts';
import { deltaCommitPath, deltaFolder, versionName } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { DELTA_APP, type DeltaAction, partsDigest } from './actions.ts';
import type { DeltaProtocol } from './schema.ts';

/** State of a Delta log in relation to the lake's. */
export interface DeltaPosition {
  /** The last Delta commit; -1 before the first. */
  readonly deltaVersion: number;
  /** Its lake version; -1 before the first commit of rows. */
  readonly lakeVersion: number;
  /** The live parts at that version, as `partsDigest`; null if only the whole log shows them, as after commits of other tools. */
  readonly lakeParts: string | null;
}

interface DeltaState extends Omit<DeltaPosition, 'lakeParts'> {
  /** Bytes of the live files, by path. */
  readonly files: ReadonlyMap<string, number>;
  readonly schemaString: string | null;
  readonly protocol: DeltaProtocol | null;
}

interface LogListing {
  commits: number[];
  checkpoints: number[];
  /** `_last_checkpoint` names a missing checkpoint, as in a copy made while the log grew. Delta readers refuse such a log. */
  misled: boolean;
}

/** In a bucket, a listing from the last checkpoint on is one request, not one for each 1,000 names. */
async function listLog(storage: LakeStorage, table: string): Promise<LogListing> {
  const hinted = await lastCheckpoint(storage, table);
  const after = storage.localFolder === null ? hinted : null;
  const recent = after === null ? null : listing(await storage.listNames(deltaFolder(table), versionName(after)));
  if (recent?.checkpoints.includes(after!)) return { ...recent, misled: false };
  const whole = listing(await storage.listNames(deltaFolder(table)));
  return { ...whole, misled: hinted !== null && !whole.checkpoints.includes(hinted) };
}

/** Delta's own hint, which may be missing or old. */
async function lastCheckpoint(storage: LakeStorage, table: string): Promise<number | null> {
  const bytes = await storage.read(hintPath(table));
  if (bytes === null) return null;
  try {
    const { version } = JSON.parse(bytes.toString('utf8')) as { version?: unknown };
    return Number.isSafeInteger(version) ? (version as number) : null;
  } catch {
    return null;
  }
}

function listing(names: readonly string[]): Omit<LogListing, 'misled'> {
  const numbered = (pattern: RegExp) => names.flatMap((name) => pattern.exec(name)?.[1] ?? []).map(Number);
  return { commits: numbered(/^(\d{20})\.json$/), checkpoints: numbered(/^(\d{20})\.checkpoint\.parquet$/) };
}

/**
 * The last Delta commit and what it says of the lake, from the newest files only.
 * @param connection for a log whose commits were deleted
 * @throws FilinglakeError `lake-damaged`: the log has a hole
 */
export async function deltaPosition(
  storage: LakeStorage,
  connection: () => Promise<DuckDBConnection>,
  table: string,
): Promise<DeltaPosition> {
  const { commits, checkpoints, misled } = await listLog(storage, table);
  const checkpoint = checkpoints.at(-1) ?? -1;
  refuseHoles(table, commits, checkpoint);
  // Without it, readers list the log.
  if (misled) await storage.remove(hintPath(table));
  const deltaVersion = Math.max(commits.at(-1) ?? -1, checkpoint);
  const present = new Set(commits);
  // Other tools (OPTIMIZE) commit without our transaction: ours is further back.
  for (let version = deltaVersion; version >= 0 && present.has(version); version--) {
    const actions = await readActions(storage, table, version);
    const lakeVersion = transactionOf(actions);
    const isLast = version === deltaVersion;
    if (lakeVersion !== null) return { deltaVersion, lakeVersion, lakeParts: isLast ? statedParts(actions) : null };
    const isEmpty = isLast && actions.every(({ add }) => !add);
    if (version === 0) return { deltaVersion, lakeVersion: -1, lakeParts: isEmpty ? partsDigest([]) : null };
  }
  if (checkpoint < 0) return { deltaVersion, lakeVersion: -1, lakeParts: null };
  const actions = await readCheckpoint(storage, await connection(), table, checkpoint);
  const lakeParts = deltaVersion === checkpoint ? partsDigest(actions.flatMap(({ add }) => add?.path ?? [])) : null;
  return { deltaVersion, lakeVersion: transactionOf(actions) ?? -1, lakeParts };
}

/** A copy that was made while the log grew may have a commit and not the one before it. */
function refuseHoles(table: string, commits: readonly number[], checkpoint: number): void {
  const after = commits.filter((version) => version > checkpoint);
  const hole = after.findIndex((version, i) => version !== checkpoint + 1 + i);
  if (hole >= 0) throw damaged(`${deltaCommitPath(table, checkpoint + 1 + hole)} is missing`, DELTA_REMEDY);
}

function statedParts(actions: readonly DeltaAction[]): string | null {
  const stated = actions.find(({ commitInfo }) => commitInfo)?.commitInfo?.operationParameters;
  return (stated as { lakeParts?: string } | undefined)?.lakeParts ?? null;
}

/** Replays a Delta log, from its last checkpoint if it has one. */
export async function readDeltaState(
  storage: LakeStorage,
  connection: () => Promise<DuckDBConnection>,
  table: string,
): Promise<DeltaState> {
  const { commits, checkpoints, misled } = await listLog(storage, table);
  const checkpoint = checkpoints.at(-1) ?? -1;
  if (misled) throw damaged(`${hintPath(table)} names a checkpoint that is missing`, DELTA_REMEDY);
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
  refuseHoles(table, commits, checkpoint);
  if (checkpoint >= 0) apply(await readCheckpoint(storage, await connection(), table, checkpoint));
  for (const version of commits) {
    if (version <= checkpoint) continue;
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

/** Names the last checkpoint. */
export function hintPath(table: string): string {
  return `${deltaFolder(table)}/_last_checkpoint`;
}

export function checkpointPath(table: string, deltaVersion: number): string {
  return `${deltaFolder(table)}/${versionName(deltaVersion)}.checkpoint.parquet`;
}
