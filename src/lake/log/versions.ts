/** The lake's history: the changes of each version, and its Delta versions. */
import { deltaFolder } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { type LakeCommit, type LakeSnapshot, REPAIR_RUN, readCommit, readSnapshot, tableState } from './log.ts';

/** Names of exports by their ended runs. */
type ExportNames = ReadonlyMap<string, string>;

export interface LogEntry {
  version: number;
  committed_at: string;
  run_id: string;
  /** The export of the run; null: a compaction, or a run that has not ended */
  export: string | null;
  batch_id: string;
  tables: Record<
    string,
    { rows_new: number; rows_replaced: number; rows_removed: number; rows_dropped: number; bytes: number }
  >;
}

/** The newest `limit` versions, newest first. */
export async function logEntries(
  storage: LakeStorage,
  newest: number,
  limit: number,
  exports: ExportNames,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (let version = newest; version >= 0 && entries.length < limit; version--) {
    const commit = await readCommit(storage, version);
    if (commit === null) break;
    entries.push(entryOf(commit, exports));
  }
  return entries;
}

/** Rows that repairs took out of each table, from a version back to a time. Rows that they put in their place are not lost. */
export async function rowsLost(storage: LakeStorage, version: number, since: Date): Promise<Map<string, number>> {
  const lost = new Map<string, number>();
  for (let at = version; at >= 0; at--) {
    const commit = await readCommit(storage, at);
    if (commit === null || Date.parse(commit.committed_at) < since.getTime()) break;
    if (commit.run_id !== REPAIR_RUN) continue;
    for (const [name, { rows_removed, rows_replaced }] of Object.entries(commit.tables))
      if (rows_removed > rows_replaced) lost.set(name, (lost.get(name) ?? 0) + rows_removed - rows_replaced);
  }
  return lost;
}

function entryOf({ version, committed_at, run_id, batch_id, tables }: LakeCommit, exports: ExportNames): LogEntry {
  const changes = Object.entries(tables).map(([name, change]) => {
    const { rows_new, rows_replaced, rows_removed, rows_dropped } = change;
    const bytes = change.add.reduce((sum, part) => sum + part.bytes, 0);
    return [name, { rows_new, rows_replaced, rows_removed, rows_dropped, bytes }] as const;
  });
  const name = exports.get(run_id) ?? null;
  return { version, committed_at, run_id, export: name, batch_id, tables: Object.fromEntries(changes) };
}

export interface LakeVersionEntry {
  version: number;
  committed_at: string;
  run_id: string;
  /** As in a LogEntry. */
  export: string | null;
  /** The Delta version of each table that shows this version of the lake. */
  delta: Record<string, number>;
}

/** The newest `limit` versions, newest first. All tables at their Delta versions show one state of the lake. */
export async function versionEntries(
  storage: LakeStorage,
  tables: readonly string[],
  newest: LakeSnapshot,
  limit: number,
  exports: ExportNames,
): Promise<LakeVersionEntry[]> {
  const oldest = Math.max(0, newest.version - limit + 1);
  const before = oldest > 0 ? await readSnapshot(storage, oldest) : null;
  const perTable = await Promise.all(
    tables.map(async (table) => {
      const from = before ? tableState(before, table).version : -1;
      return [table, await deltaVersions(storage, table, from)] as const;
    }),
  );
  const entries: LakeVersionEntry[] = [];
  for (let version = newest.version; version >= oldest; version--) {
    const commit = await readCommit(storage, version);
    if (commit === null) break;
    const delta = perTable.map(([table, versions]) => {
      const at = versions.findLast((one) => one.lakeVersion <= version);
      return [table, at?.deltaVersion ?? 0] as const;
    });
    const { committed_at, run_id } = commit;
    const name = exports.get(run_id) ?? null;
    entries.push({ version, committed_at, run_id, export: name, delta: Object.fromEntries(delta) });
  }
  return entries;
}

/** Delta commits of a table from the one of lake version `from` on, ascending. */
async function deltaVersions(
  storage: LakeStorage,
  table: string,
  from: number,
): Promise<{ deltaVersion: number; lakeVersion: number }[]> {
  const names = (await storage.listNames(deltaFolder(table))).filter((name) => /^\d{20}\.json$/.test(name));
  const found: { deltaVersion: number; lakeVersion: number }[] = [];
  for (const name of names.reverse()) {
    const lakeVersion = (await statedLakeVersion(storage, table, name.slice(0, 20))) ?? -1;
    found.unshift({ deltaVersion: Number(name.slice(0, 20)), lakeVersion });
    if (lakeVersion <= from) break;
  }
  return found;
}

/**
 * The Delta version of each table that shows the lake at a snapshot; null if none does, as after a repair that wrote the Delta log
 * again. The logs' lake versions only grow, so a few commits of each are read.
 */
export async function deltaVersionsAt(
  storage: LakeStorage,
  tables: Iterable<string>,
  snapshot: LakeSnapshot,
): Promise<Record<string, number | null>> {
  const found: Record<string, number | null> = {};
  for (const table of tables) found[table] = await deltaVersionOf(storage, table, tableState(snapshot, table).version);
  return found;
}

async function deltaVersionOf(storage: LakeStorage, table: string, lakeVersion: number): Promise<number | null> {
  const numbers = (await storage.listNames(deltaFolder(table))).flatMap(
    (name) => /^(\d{20})\.json$/.exec(name)?.[1] ?? [],
  );
  let [first, last] = [0, numbers.length - 1];
  let found: number | null = null;
  while (first <= last) {
    const middle = (first + last) >> 1;
    // A commit of another tool has none: the one before it decides.
    let at = middle;
    let its = await statedLakeVersion(storage, table, numbers[at]!);
    while (its === null && at > first) its = await statedLakeVersion(storage, table, numbers[--at]!);
    if (its === null || its <= lakeVersion) {
      if (its === lakeVersion) found = Number(numbers[at]);
      first = middle + 1;
    } else last = at - 1;
  }
  return found;
}

/** -1: the creation of the table. */
async function statedLakeVersion(storage: LakeStorage, table: string, name: string): Promise<number | null> {
  const text = (await storage.read(`${deltaFolder(table)}/${name}.json`))?.toString('utf8') ?? '';
  const stated = /"txn":\{"appId":"filinglake","version":(\d+)/.exec(text)?.[1];
  return stated === undefined ? (/"CREATE TABLE"/.test(text) ? -1 : null) : Number(stated);
}
