/** An open lake: its storage, its identity, its newest version, and the files made from its log. */
import { FilinglakeError } from '../core/index.ts';
import { TABLES, type TableDefinition } from '../tables/index.ts';
import { hasLog } from './commit/preconditions.ts';
import type { SegmentWriterOptions } from './commit/segment-writer.ts';
import type { LakeIdentity } from './delta/actions.ts';
import { DeltaLogs } from './delta/delta-logs.ts';
import {
  COMMITS_PER_SNAPSHOT,
  EMPTY_LAKE,
  type LakeCommit,
  type LakeSnapshot,
  readSnapshot,
  rememberingReader,
  rollForward,
  snapshotFileOf,
} from './log/log.ts';
import { presentTables } from './log/present-tables.ts';
import { connect, READER_MEMORY_BYTES } from './query/duckdb.ts';
import { Engines } from './query/duckdb-instances.ts';
import { lakeSql, lakeSqlVersion } from './query/lake-sql.ts';
import { deltaFolder, LAKE_SQL, LOG_FOLDER, STAGING_FOLDER, snapshotPath } from './storage/layout.ts';
import { putOnce } from './storage/put-once.ts';
import type { LakeStorage } from './storage/storage.ts';
import { namedDamage } from './upkeep/damage.ts';

export interface OpenLakeOptions {
  /** Creates the lake if it does not exist. */
  create?: boolean;
  /** Doesn't touch Delta logs and lake.sql: for a repair, which may find unreadable ones. */
  unmended?: boolean;
  /** The storage of the lake; default: the folder on disk. */
  storage?: LakeStorage;
  /** The lake's tables; others than TABLES only in tests of new columns. */
  tables?: readonly TableDefinition[];
  /** Memory limit of queries; the default suits a worker. `terminalMemoryBytes()` is for a person at a terminal. */
  queryMemoryBytes?: number;
  /** Others than the default only in tests. */
  staging?: SegmentWriterOptions;
}

export class OpenedLake {
  readonly root: string;
  readonly storage: LakeStorage;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  protected readonly identity: LakeIdentity;
  protected readonly delta: DeltaLogs;
  protected readCommit: (version: number) => Promise<LakeCommit | null>;
  protected whyUnwritable: FilinglakeError | null = null;
  protected newest: LakeSnapshot | null = null;
  protected readonly engines: Engines;
  protected readonly staging: SegmentWriterOptions;
  /** Commits of one process run one after the other: a race against oneself only costs time. */
  protected commits: Promise<unknown> = Promise.resolve();

  constructor(storage: LakeStorage, identity: LakeIdentity, options: OpenLakeOptions) {
    this.root = storage.name;
    this.storage = storage;
    this.identity = identity;
    this.tables = new Map((options.tables ?? TABLES).map((table) => [table.name, table]));
    this.engines = new Engines(storage, options.queryMemoryBytes ?? READER_MEMORY_BYTES);
    this.staging = options.staging ?? {};
    this.readCommit = rememberingReader(storage);
    this.delta = new DeltaLogs(storage, identity, async () => connect(await this.engines.writer()));
  }

  /**
   * Makes the files that a crash left undone after the last commit: Delta logs, lake.sql. If the place is not writable, reading
   * continues without them: the log alone defines the lake.
   */
  async mend(): Promise<void> {
    const snapshot = await this.snapshot();
    try {
      await this.delta.level(presentTables(this.tables, snapshot).values(), snapshot);
      const sql = await this.storage.read(LAKE_SQL);
      if (sql === null || lakeSqlVersion(sql) < snapshot.version) await this.#writeLakeSql();
    } catch (error) {
      if (!(error instanceof FilinglakeError) || !['lake-unwritable', 'lake-full'].includes(error.code)) throw error;
      this.whyUnwritable = error;
    }
  }

  /** Why the lake can't be written, if that was noticed. */
  get unwritable(): FilinglakeError | null {
    return this.whyUnwritable;
  }

  /**
   * Tests whether files can be written in every folder that commits use. Otherwise the first commit would fail after its rows were
   * paid for.
   * @throws FilinglakeError `lake-unwritable`
   */
  async proveWritable(): Promise<void> {
    const present = presentTables(this.tables, await this.snapshot());
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
    if (await hasLog(this.storage, this.id, this.newest)) return true;
    if (!(await hasLog(this.storage, this.id, null))) return false;
    this.newest = null;
    this.readCommit = rememberingReader(this.storage);
    this.delta.forget();
    return true;
  }

  /** The newest version; -1 if nothing is committed. */
  async currentVersion(): Promise<number> {
    return (await this.snapshot()).version;
  }

  /** The lake at a version, default the newest. @throws FilinglakeError `lake-version-unknown` */
  async snapshot(version?: number): Promise<LakeSnapshot> {
    if (version !== undefined) return version === -1 ? EMPTY_LAKE : readSnapshot(this.storage, version);
    this.newest = this.newest ? await rollForward(this.storage, this.newest) : await readSnapshot(this.storage);
    return this.newest;
  }

  /** Makes the files that are derived from the log. If a crash prevents it, the next caller does it. */
  protected async publish(snapshot: LakeSnapshot): Promise<void> {
    if (snapshot.version - snapshot.snapshotVersion >= COMMITS_PER_SNAPSHOT) {
      await putOnce(this.storage, snapshotPath(snapshot.version), snapshotFileOf(snapshot));
      this.newest = { ...snapshot, snapshotVersion: snapshot.version };
    }
    await this.delta.level(presentTables(this.tables, snapshot).values(), snapshot);
    await this.#writeLakeSql();
  }

  /** Two writers may write in the wrong order: afterwards, each checks whether there is a newer version. */
  async #writeLakeSql(): Promise<void> {
    for (;;) {
      const snapshot = await this.snapshot();
      await this.storage.replace(
        LAKE_SQL,
        Buffer.from(lakeSql(presentTables(this.tables, snapshot).values(), snapshot, this.storage.readersPlace)),
      );
      if ((await this.currentVersion()) === snapshot.version) return;
    }
  }

  protected refuseUnwritable(): void {
    if (this.whyUnwritable) throw this.whyUnwritable;
  }

  /** Throws the error, or one that names the damaged part behind it. */
  protected async namingDamage(error: unknown, of?: LakeSnapshot): Promise<never> {
    const { storage, tables } = this;
    const reader = await this.engines.reader();
    throw await namedDamage(
      { storage, connect: () => connect(reader) },
      error,
      tables.keys(),
      () => of ?? this.snapshot(),
    );
  }

  protected place(names?: readonly string[]): { storage: LakeStorage; tables: Iterable<TableDefinition> } {
    const tables = [...this.tables.values()];
    return { storage: this.storage, tables: names ? tables.filter(({ name }) => names.includes(name)) : tables };
  }

  /** Frees the lake's memory. */
  async close(): Promise<void> {
    await this.commits;
    await this.engines.close();
  }
}
