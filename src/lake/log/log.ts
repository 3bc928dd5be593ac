/** The lake's log: one sealed file for each commit over all tables. It is the truth; Delta logs and lake.sql are made from it. */
import { FilinglakeError } from '../../core/index.ts';
import { commitPath, LOG_FOLDER, snapshotPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import type { PartStatistics } from './statistics.ts';

export const LOG_FORMAT = 1;
/** A reader replays at most about this many commits after a snapshot. */
export const COMMITS_PER_SNAPSHOT = 50;
/** The run id of repairs. */
export const REPAIR_RUN = 'repair';
/** How long a removed part stays for readers of an older version, and for vacuums of other tools. */
const TOMBSTONE_MS = 7 * 24 * 3600 * 1000;

/** A Parquet file of a table. */
export interface Part {
  /** File name within the table's folder. */
  readonly part: string;
  readonly rows: number;
  readonly bytes: number;
  /** How many of the table's columns it has, from the first on. */
  readonly columns: number;
  readonly stats: PartStatistics;
  /** `new`: rows of this commit; `rewritten`: remaining rows of removed parts. */
  readonly origin: 'new' | 'rewritten';
  /** Bytes of the values of its widest row, if compactions skip the part because of it. */
  readonly widest?: number;
}

export interface TableChange {
  readonly add: readonly Part[];
  readonly remove: readonly string[];
  /** Added rows with a key that the table lacked. */
  readonly rows_new: number;
  /** Added rows that replace rows with the same key. */
  readonly rows_replaced: number;
  /** Deleted rows, including replaced ones. */
  readonly rows_removed: number;
  /** Rows of the batch left out: a repeated key. */
  readonly rows_dropped: number;
  /** Number of columns of the table. */
  readonly columns: number;
  /** The previous lake version that changed this table; -1 for the first. */
  readonly previous: number;
}

/** Whether a change only rewrites rows that stay the same. A batch removes parts only to delete rows. */
export function isCompaction({ add, remove, rows_removed }: TableChange): boolean {
  return remove.length > 0 && rows_removed === 0 && add.every(({ origin }) => origin === 'rewritten');
}

export interface LakeCommit {
  readonly format: number;
  readonly version: number;
  /** ISO 8601, UTC; never before that of the previous version. */
  readonly committed_at: string;
  /** The turn of its writer. */
  readonly term: number;
  readonly run_id: string;
  readonly batch_id: string;
  /** Names of its segments: they distinguish two batches of one id. Absent: a compaction. */
  readonly segments?: readonly string[];
  /** The batches that it joins. Absent: it is one batch. */
  readonly joins?: readonly { readonly batch_id: string; readonly segments: readonly string[] }[];
  readonly tables: Readonly<Record<string, TableChange>>;
  /** Rows of every table after this commit. */
  readonly promises: Readonly<Record<string, number>>;
}

export interface LivePart extends Part {
  readonly version: number;
}

export interface TableState {
  readonly parts: ReadonlyMap<string, LivePart>;
  readonly rows: number;
  readonly bytes: number;
  /** The last lake version that changed this table; -1 before the first. */
  readonly version: number;
  /** The table's columns at that version. */
  readonly columns: number;
  /** Parts removed within the last seven days: for Delta checkpoints, and for vacuum. */
  readonly removed: readonly RemovedPart[];
}

export interface RemovedPart {
  readonly part: string;
  readonly bytes: number;
  readonly version: number;
  readonly removed_at: string;
}

/** A lake at one version. It never changes: a commit makes another one. */
export interface LakeSnapshot {
  /** -1: nothing is committed yet. */
  readonly version: number;
  readonly committed_at: string | null;
  /** The latest turn that has written. */
  readonly term: number;
  readonly tables: ReadonlyMap<string, TableState>;
  /** Newest version that has a snapshot file at or below this one; -1 without one. */
  readonly snapshotVersion: number;
}

const EMPTY_TABLE: TableState = { parts: new Map(), rows: 0, bytes: 0, version: -1, columns: 0, removed: [] };

export const EMPTY_LAKE: LakeSnapshot = {
  version: -1,
  committed_at: null,
  term: 0,
  tables: new Map(),
  snapshotVersion: -1,
};

export function tableState(snapshot: LakeSnapshot, table: string): TableState {
  return snapshot.tables.get(table) ?? EMPTY_TABLE;
}

/** Which tables a version of a lake has: of those that are made on demand, the ones that were written to. */
export function presentTables(
  tables: ReadonlyMap<string, TableDefinition>,
  snapshot: LakeSnapshot,
): ReadonlyMap<string, TableDefinition> {
  return new Map([...tables].filter(([name, { onDemand }]) => !onDemand || snapshot.tables.has(name)));
}

/** The lake after a commit. Throws `lake-damaged` if the commit contradicts the log so far. */
export function applyCommit(snapshot: LakeSnapshot, commit: LakeCommit): LakeSnapshot {
  const where = `lake version ${commit.version}`;
  if (commit.version !== snapshot.version + 1) {
    throw damaged(`${where} follows version ${snapshot.version} in the lake's log`);
  }
  const tables = new Map(snapshot.tables);
  const keepFrom = Date.parse(commit.committed_at) - TOMBSTONE_MS;
  for (const [name, change] of Object.entries(commit.tables)) {
    const before = tableState(snapshot, name);
    if (change.previous !== before.version) {
      throw damaged(
        `${where} says that version ${change.previous} changed ${name} last, but version ${before.version} did`,
      );
    }
    const parts = new Map(before.parts);
    const removed: RemovedPart[] = [];
    let { rows, bytes } = before;
    for (const part of change.remove) {
      const live = parts.get(part);
      if (!live) throw damaged(`${where} removes ${name}/${part}, which is not in the lake`);
      parts.delete(part);
      removed.push({ part, bytes: live.bytes, version: commit.version, removed_at: commit.committed_at });
      rows -= live.rows;
      bytes -= live.bytes;
    }
    for (const part of change.add) {
      if (parts.has(part.part)) throw damaged(`${where} adds ${name}/${part.part} a second time`);
      parts.set(part.part, { ...part, version: commit.version });
      rows += part.rows;
      bytes += part.bytes;
    }
    if (rows !== (commit.promises[name] ?? 0)) {
      throw damaged(`${where} states ${commit.promises[name]} rows of ${name}, but its parts have ${rows}`);
    }
    const kept = removedSince(before.removed, keepFrom);
    const all = removed.length > 0 ? [...kept, ...removed] : kept;
    tables.set(name, { parts, rows, bytes, version: commit.version, columns: change.columns, removed: all });
  }
  return {
    version: commit.version,
    committed_at: commit.committed_at,
    term: commit.term,
    tables,
    snapshotVersion: snapshot.snapshotVersion,
  };
}

/**
 * The commit after a snapshot. Its time is never before that of the previous version.
 * @param ids `term` absent: a writer without a turn
 * @throws FilinglakeError `plan-outdated`: a later turn has written. Who slept through the loss of its turn can't write
 */
export function nextCommit(
  snapshot: LakeSnapshot,
  known: ReadonlyMap<string, TableDefinition>,
  tables: Readonly<Record<string, TableChange>>,
  {
    term = snapshot.term,
    ...ids
  }: Pick<LakeCommit, 'run_id' | 'batch_id' | 'segments' | 'joins'> & {
    term?: number | undefined;
  },
): LakeCommit {
  if (term < snapshot.term) {
    throw outdated(
      `turn ${term} of ${ids.run_id} is over: turn ${snapshot.term} has written version ${snapshot.version}`,
    );
  }
  const now = new Date().toISOString();
  const committed_at = snapshot.committed_at !== null && snapshot.committed_at > now ? snapshot.committed_at : now;
  const promises: Record<string, number> = {};
  for (const [name, { onDemand }] of known) {
    const change = tables[name];
    if (!change && onDemand && !snapshot.tables.has(name)) continue;
    const { rows, parts } = tableState(snapshot, name);
    const added = change?.add.reduce((sum, part) => sum + part.rows, 0) ?? 0;
    const removed = change?.remove.reduce((sum, part) => sum + parts.get(part)!.rows, 0) ?? 0;
    promises[name] = rows + added - removed;
  }
  return { format: LOG_FORMAT, version: snapshot.version + 1, committed_at, term, ...ids, tables, promises };
}

/** Sorted by removal: the expired ones are first. After thousands of commits there are tens of thousands. */
function removedSince(removed: readonly RemovedPart[], keepFrom: number): readonly RemovedPart[] {
  const first = removed.findIndex((part) => Date.parse(part.removed_at) >= keepFrom);
  if (first === -1) return [];
  return first === 0 ? removed : removed.slice(first);
}

export async function readCommit(storage: LakeStorage, version: number): Promise<LakeCommit | null> {
  const path = commitPath(version);
  const bytes = await storage.read(path);
  if (bytes === null) return null;
  return readable<LakeCommit>(bytes, path);
}

/** Commits never change, so the last ones read are kept. */
const REMEMBERED_COMMITS = 1000;

export type CommitReader = (version: number) => Promise<LakeCommit | null>;

/** `readCommit` with a memory: a run reads the commits since its base version with every batch. */
export class RememberedCommits {
  readonly #storage: LakeStorage;
  readonly #commits = new Map<number, LakeCommit>();

  constructor(storage: LakeStorage) {
    this.#storage = storage;
  }

  readonly read: CommitReader = async (version) => {
    const known = this.#commits.get(version);
    if (known) return known;
    const commit = await readCommit(this.#storage, version);
    if (commit) this.keep(commit);
    return commit;
  };

  /** A commit of this process, or one that was read. */
  keep(commit: LakeCommit): void {
    this.#commits.set(commit.version, commit);
    if (this.#commits.size > REMEMBERED_COMMITS) this.#commits.delete(this.#commits.keys().next().value!);
  }
}

/** Commits read at the same time, if there are many. */
const READ_AHEAD_MAX = 16;

/**
 * Commits of the versions from `first` on, in order, up to the first that does not exist. Several are read at a time: in a bucket
 * each takes a round trip.
 * @param known the last version that is known to exist: commits up to there are read ahead from the beginning
 */
export async function* commitsFrom(
  read: CommitReader,
  first: number,
  upTo = Number.POSITIVE_INFINITY,
  known = -1,
): AsyncGenerator<LakeCommit> {
  for (let version = first, ahead = 1; version <= upTo; ahead = Math.min(ahead * 4, READ_AHEAD_MAX)) {
    const wanted = Math.min(Math.max(ahead, known - version + 1), READ_AHEAD_MAX, upTo - version + 1);
    const commits = await Promise.all(Array.from({ length: wanted }, (_, i) => read(version + i)));
    for (const commit of commits) {
      if (commit === null) return;
      yield commit;
    }
    version += wanted;
  }
}

/** Rolls a snapshot forward to the newest version, or to `upTo` if given. @param known as in `commitsFrom` */
export async function rollForward(
  storage: LakeStorage,
  from: LakeSnapshot,
  upTo?: number,
  read: CommitReader = (version) => readCommit(storage, version),
  known?: number,
): Promise<LakeSnapshot> {
  let snapshot = from;
  for await (const commit of commitsFrom(read, from.version + 1, upTo, known)) snapshot = applyCommit(snapshot, commit);
  return snapshot;
}

/**
 * Reads the lake at a version (default: the newest), from the last snapshot file before it and the commits after that.
 * @throws FilinglakeError `lake-damaged`: a commit is missing and later ones exist. Without this error, an older version would pass
 * for the newest.
 */
export async function readSnapshot(storage: LakeStorage, version?: number): Promise<LakeSnapshot> {
  const names = await storage.listNames(LOG_FOLDER);
  const start = versionsAmong(names, SNAPSHOT_NAME).findLast((at) => version === undefined || at <= version);
  const from = start === undefined ? EMPTY_LAKE : await readSnapshotFile(storage, start);
  // The listed files existed before the reading began.
  const last = versionsAmong(names, COMMIT_NAME).at(-1) ?? -1;
  const snapshot = await rollForward(storage, from, version, undefined, last);
  if (snapshot.version < Math.min(last, version ?? last))
    throw damaged(`${commitPath(snapshot.version + 1)} is missing, and commits up to ${last} are there`);
  if (version !== undefined && snapshot.version !== version) {
    throw new FilinglakeError('lake-version-unknown', `the lake ${storage.name} has no version ${version}`, {
      remedy: `Ask for a version up to ${(await readSnapshot(storage)).version}. Run \`filinglake lake log\` to list them.`,
    });
  }
  return snapshot;
}

const SNAPSHOT_NAME = /^(\d{20})\.snapshot\.json$/;
export const COMMIT_NAME = /^(\d{20})\.json$/;

/** Versions that have a file of this kind, ascending. */
export function versionsAmong(names: readonly string[], kind: RegExp): number[] {
  return names.flatMap((name) => kind.exec(name)?.[1] ?? []).map(Number);
}

interface SnapshotFile {
  format: number;
  version: number;
  committed_at: string | null;
  term: number;
  tables: Record<string, { version: number; columns: number; parts: LivePart[]; removed: RemovedPart[] }>;
}

export function snapshotFileOf(snapshot: LakeSnapshot): Buffer {
  const tables: SnapshotFile['tables'] = {};
  for (const [name, table] of snapshot.tables) {
    tables[name] = {
      version: table.version,
      columns: table.columns,
      parts: [...table.parts.values()],
      removed: [...table.removed],
    };
  }
  const { version, committed_at, term } = snapshot;
  return Buffer.from(
    JSON.stringify({ format: LOG_FORMAT, version, committed_at, term, tables } satisfies SnapshotFile),
  );
}

export async function readSnapshotFile(storage: LakeStorage, version: number): Promise<LakeSnapshot> {
  const path = snapshotPath(version);
  const bytes = await storage.read(path);
  if (bytes === null) throw damaged(`${path} is missing`);
  const file = readable<SnapshotFile>(bytes, path);
  const tables = new Map<string, TableState>();
  for (const [name, table] of Object.entries(file.tables)) {
    const parts = new Map(table.parts.map((part) => [part.part, part]));
    let rows = 0;
    let size = 0;
    for (const part of table.parts) {
      rows += part.rows;
      size += part.bytes;
    }
    tables.set(name, {
      parts,
      rows,
      bytes: size,
      version: table.version,
      columns: table.columns,
      removed: table.removed,
    });
  }
  return { version: file.version, committed_at: file.committed_at, term: file.term, tables, snapshotVersion: version };
}

export function readable<T extends { format: number }>(bytes: Buffer, path: string): T {
  let value: T;
  try {
    value = JSON.parse(bytes.toString('utf8')) as T;
  } catch (cause) {
    throw new FilinglakeError('lake-damaged', `${path} is not JSON`, { cause });
  }
  if (value.format !== LOG_FORMAT) {
    throw new FilinglakeError('lake-newer', `${path} has format ${value.format}, this filinglake reads ${LOG_FORMAT}`);
  }
  return value;
}

export function outdated(reason: string): FilinglakeError {
  return new FilinglakeError('plan-outdated', `the plan is out of date: ${reason}`);
}

export function damaged(message: string, remedy?: string): FilinglakeError {
  return new FilinglakeError('lake-damaged', message, remedy === undefined ? {} : { remedy });
}
