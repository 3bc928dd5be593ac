/** The state of an open lake: storage, identity, newest version. It also writes the files that are made from the log. */
import { FilinglakeError } from '../../core/index.ts';
import { DeltaLogs } from '../delta/delta-logs.ts';
import { READER_MEMORY_BYTES } from '../engine/duckdb.ts';
import { Engines } from '../engine/duckdb-instances.ts';
import {
  COMMITS_PER_SNAPSHOT,
  type CommitReader,
  EMPTY_LAKE,
  type LakeCommit,
  type LakeSnapshot,
  presentTables,
  RememberedCommits,
  readSnapshot,
  rollForward,
  snapshotFileOf,
} from '../log/log.ts';
import { hasLog } from '../log/preconditions.ts';
import { type Recent, readRecent, writeRecent } from '../log/recent.ts';
import { type LakeIdentity, makeLakeFile, readLakeFile } from '../storage/lake-file.ts';
import { deltaFolder, LAKE_SQL, LOG_FOLDER, STAGING_FOLDER, snapshotPath } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { TABLES, type TableDefinition } from '../tables/index.ts';
import { isLakeSqlOf, lakeSql } from '../views/lake-sql.ts';
import { namedDamage, refuseMissingParts } from './damage.ts';
import { openStorage } from './places.ts';

/** A lake with one of these errors can be read. */
const CAN_BE_READ: readonly string[] = ['lake-unwritable', 'lake-full', 'lake-damaged'];

export interface StateOptions {
  /** Creates the lake if it does not exist. */
  create?: boolean;
  /** Doesn't touch Delta logs and lake.sql: for a repair, which may find unreadable ones. */
  unmended?: boolean;
  /** The storage of the lake; default: the folder on disk. */
  storage?: LakeStorage;
  /** The lake's tables; others than TABLES only in tests of new columns. */
  tables?: readonly TableDefinition[];
  /** Memory limit of queries; the default suits a worker. */
  queryMemoryBytes?: number;
}

/** The state of the lake in a place. @throws as `openLake` */
export async function openState(place: string, options: StateOptions): Promise<LakeState> {
  const storage = options.storage ?? openStorage(place);
  const existing = await readLakeFile(storage);
  if (existing === null && !options.create) {
    throw new FilinglakeError('lake-missing', `there is no lake in ${storage.name}`);
  }
  const state = new LakeState(storage, existing ?? (await makeLakeFile(storage)), options);
  if (!options.unmended) await state.mend();
  return state;
}

export class LakeState {
  readonly storage: LakeStorage;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  readonly identity: LakeIdentity;
  readonly delta: DeltaLogs;
  readonly engines: Engines;
  /** Writes what else is made from the log. It fails only if the process must end. */
  afterCommit: (() => Promise<void>) | null = null;
  #remembered: RememberedCommits;
  #newest: LakeSnapshot | null = null;
  #whyUnwritable: FilinglakeError | null = null;
  /** A Delta log that could not be read when the lake was opened. */
  #deltaDamage: FilinglakeError | null = null;
  #unwritten: LakeSnapshot | null = null;
  #writing: Promise<void> | null = null;

  constructor(storage: LakeStorage, identity: LakeIdentity, options: StateOptions) {
    this.storage = storage;
    this.identity = identity;
    this.tables = new Map((options.tables ?? TABLES).map((table) => [table.name, table]));
    this.engines = new Engines(storage, options.queryMemoryBytes ?? READER_MEMORY_BYTES);
    this.#remembered = new RememberedCommits(storage);
    const connection = async () => (await this.engines.writer()).connect();
    this.delta = new DeltaLogs(storage, identity, connection, this.readCommit);
  }

  /**
   * Makes the files that a crash left undone after the last commit: Delta logs, lake.sql. If the place is not writable, or a Delta
   * log is damaged, reading continues without them: the lake's own log alone defines the lake.
   */
  async mend(): Promise<void> {
    const recent = await this.#recent();
    if (recent !== null) {
      this.#newest = recent.snapshot;
      if (recent.published === recent.snapshot.version) return;
    }
    const snapshot = await this.snapshot();
    try {
      await this.delta.level(presentTables(this.tables, snapshot).values(), snapshot);
      const sql = await this.storage.read(LAKE_SQL);
      if (sql === null || !isLakeSqlOf(sql, snapshot)) await this.#writeLakeSql(await this.snapshot());
    } catch (error) {
      if (!(error instanceof FilinglakeError) || !CAN_BE_READ.includes(error.code)) throw error;
      if (error.code === 'lake-damaged') this.#deltaDamage = error;
      else this.#whyUnwritable = error;
    }
  }

  /** A repair by another process may have ended the damage. @throws FilinglakeError `lake-damaged` */
  async refuseDeltaDamage(): Promise<void> {
    if (this.#deltaDamage === null) return;
    const snapshot = await this.snapshot();
    await this.delta.level(presentTables(this.tables, snapshot).values(), snapshot);
    this.#deltaDamage = null;
  }

  /** Why the lake can't be written, if that was noticed. */
  get unwritable(): FilinglakeError | null {
    return this.#whyUnwritable;
  }

  /**
   * Tests whether a run may begin: every part is there, the Delta logs show the newest version, and files can be written in every
   * folder that commits use. Otherwise the first commit would fail after its rows were fetched, or a run would add to a damaged lake.
   * @throws FilinglakeError `part-damaged`; `lake-unwritable`; `lake-damaged`: a Delta log cannot be continued
   */
  async proveWritable(): Promise<void> {
    await this.refuseDeltaDamage();
    const snapshot = await this.snapshot();
    const present = presentTables(this.tables, snapshot);
    await refuseMissingParts(this.storage, snapshot);
    await this.delta.level(present.values(), snapshot);
    const ofTables = [...present.keys()].flatMap((table) => [table, deltaFolder(table)]);
    await this.storage.proveWritable([LOG_FOLDER, STAGING_FOLDER, ...ofTables]);
  }

  /** Its identity, from lake.json: a new lake in the same folder has another one. */
  get id(): string {
    return this.identity.id;
  }

  /**
   * Whether the folder still has this lake. If its log isn't the one that was read before, someone restored an older copy, and the
   * memory of its versions is dropped.
   */
  async isStillThere(): Promise<boolean> {
    if (await hasLog(this.storage, this.id, this.#newest)) return true;
    return this.#isOlderCopy();
  }

  async #isOlderCopy(): Promise<boolean> {
    if (!(await hasLog(this.storage, this.id, null))) return false;
    this.#newest = null;
    this.#remembered = new RememberedCommits(this.storage);
    this.delta.forget();
    return true;
  }

  /** `isStillThere` and `snapshot` in one round trip. Null if the place has another lake or none. */
  async currentSnapshot(): Promise<LakeSnapshot | null> {
    const [isThere, snapshot] = await Promise.allSettled([
      hasLog(this.storage, this.id, this.#newest),
      this.#rolled(this.#newest),
    ]);
    if (isThere.status === 'rejected') throw isThere.reason;
    if (!isThere.value) return (await this.#isOlderCopy()) ? this.snapshot() : null;
    if (snapshot.status === 'rejected') throw snapshot.reason;
    this.#newest = snapshot.value;
    return snapshot.value;
  }

  readonly readCommit: CommitReader = (version) => this.#remembered.read(version);

  /** The newest version; -1 if nothing is committed. */
  async currentVersion(): Promise<number> {
    return (await this.snapshot()).version;
  }

  /** The lake at a version, default the newest. @throws FilinglakeError `lake-version-unknown` */
  async snapshot(version?: number): Promise<LakeSnapshot> {
    if (version !== undefined) return version === -1 ? EMPTY_LAKE : readSnapshot(this.storage, version);
    this.#newest = await this.#rolled(this.#newest);
    return this.#newest;
  }

  #rolled(from: LakeSnapshot | null): Promise<LakeSnapshot> {
    return from ? rollForward(this.storage, from, undefined, this.readCommit) : readSnapshot(this.storage);
  }

  /** Makes what derives from the log; after a crash the next caller does. @param commit that made the snapshot */
  async publish(committed: LakeSnapshot, commit?: LakeCommit): Promise<void> {
    if (commit) this.#remembered.keep(commit);
    let snapshot = committed;
    if (snapshot.version > (this.#newest?.version ?? -1)) this.#newest = snapshot;
    if (snapshot.version - snapshot.snapshotVersion >= COMMITS_PER_SNAPSHOT) {
      await putOnce(this.storage, snapshotPath(snapshot.version), snapshotFileOf(snapshot));
      snapshot = { ...snapshot, snapshotVersion: snapshot.version };
      this.#newest = snapshot;
    }
    const results = await Promise.allSettled([
      this.delta.level(presentTables(this.tables, snapshot).values(), snapshot),
      this.#writeLakeSql(snapshot),
    ]);
    const failed = results.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    await this.afterCommit?.();
    this.#writeRecent(snapshot);
  }

  /** On disk, reading the log itself is faster. */
  async #recent(): Promise<Recent | null> {
    return this.storage.localFolder === null ? readRecent(this.storage, this.id) : null;
  }

  /** Written in the background. Without it, opening a lake takes more requests. */
  #writeRecent(snapshot: LakeSnapshot): void {
    if (this.storage.localFolder !== null) return;
    this.#unwritten = snapshot;
    this.#writing ??= (async () => {
      for (let next = this.#unwritten; next !== null; next = this.#unwritten) {
        this.#unwritten = null;
        await writeRecent(this.storage, this.id, next, this.readCommit).catch(() => undefined);
      }
      this.#writing = null;
    })();
  }

  /** Two writers may write in the wrong order: afterwards, each checks whether there is a newer version. */
  async #writeLakeSql(snapshot: LakeSnapshot): Promise<void> {
    await this.storage.replace(
      LAKE_SQL,
      Buffer.from(lakeSql(presentTables(this.tables, snapshot).values(), snapshot, this.storage.readersPlace)),
    );
    const newest = await this.snapshot();
    if (newest.version > snapshot.version) await this.#writeLakeSql(newest);
  }

  refuseUnwritable(): void {
    if (this.#whyUnwritable) throw this.#whyUnwritable;
  }

  /** Throws the error, or one that names the damaged part that caused it. */
  async namingDamage(error: unknown, of?: LakeSnapshot): Promise<never> {
    const { storage, tables } = this;
    const reader = await this.engines.reader();
    throw await namedDamage(
      { storage, connect: () => reader.connect() },
      error,
      tables.keys(),
      () => of ?? this.snapshot(),
    );
  }

  place(names?: readonly string[]): { storage: LakeStorage; tables: Iterable<TableDefinition> } {
    const tables = [...this.tables.values()];
    return { storage: this.storage, tables: names ? tables.filter(({ name }) => names.includes(name)) : tables };
  }

  /** Frees the lake's memory. */
  async close(): Promise<void> {
    await this.#writing;
    await this.engines.close();
  }
}
