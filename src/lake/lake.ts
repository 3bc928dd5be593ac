import { EXIT, FilinglakeError, nearestWord } from '../core/index.ts';
import { TABLES, type TableDefinition } from '../tables/index.ts';
import { commitManifest, findCommitted } from './commit/commit.ts';
import { hasLog, lakeReplaced } from './commit/preconditions.ts';
import { takeUpSegments } from './commit/salvage.ts';
import { SegmentWriter, type SegmentWriterOptions } from './commit/segment-writer.ts';
import {
  batchBase,
  type Replacement,
  readManifest,
  readSegment,
  type SegmentRef,
  sealedSegments,
  sealManifest,
  stagedFilePath,
} from './commit/staging.ts';
import type { LakeIdentity } from './delta/actions.ts';
import { DeltaLogs } from './delta/delta-logs.ts';
import { readDeltaState } from './delta/state.ts';
import {
  COMMITS_PER_SNAPSHOT,
  EMPTY_LAKE,
  type LakeCommit,
  type LakeSnapshot,
  readSnapshot,
  rememberingReader,
  rollForward,
  snapshotFileOf,
  tableState,
} from './log/log.ts';
import { mayOverlap } from './log/statistics.ts';
import { refuseVacuumed, versionAt } from './log/time-travel.ts';
import { type LakeVersionEntry, type LogEntry, logEntries, versionEntries } from './log/versions.ts';
import { connect, READER_MEMORY_BYTES } from './query/duckdb.ts';
import { refusalByEngine } from './query/duckdb-errors.ts';
import { Engines } from './query/duckdb-instances.ts';
import { lakeSql, lakeSqlVersion } from './query/lake-sql.ts';
import { copyQuery, createViews, type QueryResult, runQuery } from './query/query.ts';
import type { Cell } from './query/values.ts';
import { type LakeReport, lakeFigures } from './report/figures.ts';
import { packed, unpacked } from './storage/compressed-file.ts';
import { makeLakeFile, readLakeFile } from './storage/lake-file.ts';
import {
  batchFolder,
  deltaFolder,
  LAKE_SQL,
  LOG_FOLDER,
  runFolder,
  STAGING_FOLDER,
  snapshotPath,
} from './storage/layout.ts';
import { LocalStorage, SCRATCH_FOLDER } from './storage/local/local-storage.ts';
import { putOnce } from './storage/put-once.ts';
import type { LakeStorage } from './storage/storage.ts';
import { checkLake, type LakeCheckReport } from './upkeep/check.ts';
import { type CompactionOptions, type CompactionReport, compactLake } from './upkeep/compaction.ts';
import { smallParts, targetFor } from './upkeep/compaction-plan.ts';
import { namedDamage } from './upkeep/damage.ts';
import { type RepairReport, repairLake } from './upkeep/repair.ts';
import { type Removed, type VacuumOptions, type VacuumReport, vacuumLake } from './upkeep/vacuum.ts';

export interface OpenLakeOptions {
  /** Makes the lake where there is none. */
  create?: boolean;
  /** Leaves Delta logs and lake.sql as they are: for a repair, which may find some that can't be read. */
  unmended?: boolean;
  /** The place where it lies; default: the folder on disk. */
  storage?: LakeStorage;
  /** The tables that it has; others than TABLES only to test what happens when a column comes in. */
  tables?: readonly TableDefinition[];
  /** Memory that queries may take; default fits a worker. `terminalMemoryBytes()` for somebody who asks at a terminal. */
  queryMemoryBytes?: number;
  /** Others than the default only in tests. */
  staging?: SegmentWriterOptions;
}

interface QueryOptions {
  /** Version; default the newest */
  at?: number;
  tables?: readonly string[];
}

export interface Batch {
  run_id: string;
  /** Unique within the run. */
  batch_id: string;
  /** The version at which the batch was planned: what others brought since wins. */
  base_version: number;
  segments: readonly Pick<SegmentRef, 'name'>[];
  replace?: readonly Replacement[];
  /** Any JSON, kept with what is sealed: what the attempt has to say of it. */
  meta?: unknown;
}

export interface CommittedTable {
  /** Rows brought whose key the table didn't have. */
  rows_new: number;
  /** Rows brought in the place of rows with their key. */
  rows_replaced: number;
  /** Rows of the table after the commit. */
  rows_total: number;
  /** Bytes of Parquet of the new rows. */
  bytes: number;
  /** Rows taken out, those replaced included. */
  rows_removed: number;
  /** Rows of the batch left out: twice in it, or brought by another commit first. */
  rows_dropped: number;
  /** Of those: what another run had brought first. */
  rows_taken: number;
}

export interface CommitResult {
  version: number;
  tables: Record<string, CommittedTable>;
}

/**
 * Opens a lake.
 * @throws FilinglakeError `lake-missing` (and not `create`), `lake-newer`, `lake-damaged`, `lake-unreadable`, `lake-unwritable`
 */
export async function openLake(folder: string, options: OpenLakeOptions = {}): Promise<Lake> {
  const storage = options.storage ?? new LocalStorage(folder);
  const existing = await readLakeFile(storage);
  if (existing === null && !options.create) {
    throw new FilinglakeError('lake-missing', `there is no lake in ${storage.name}`, {
      remedy: 'Name the folder of a lake with --lake DIR; filinglake export makes one.',
    });
  }
  const lake = new Lake(storage, existing ?? (await makeLakeFile(storage)), options);
  if (!options.unmended) await lake.mend();
  return lake;
}

function refOf({ name, tables, meta }: SegmentRef): SegmentRef {
  return { name, tables, ...(meta === undefined ? {} : { meta }) };
}

export class Lake {
  readonly root: string;
  readonly storage: LakeStorage;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  readonly #identity: LakeIdentity;
  readonly #delta: DeltaLogs;
  #readCommit: (version: number) => Promise<LakeCommit | null>;
  #unwritable: FilinglakeError | null = null;
  #newest: LakeSnapshot | null = null;
  readonly #engines: Engines;
  readonly #staging: SegmentWriterOptions;
  /** Commits of one process follow each other: racing against oneself only costs. */
  #commits: Promise<unknown> = Promise.resolve();

  constructor(storage: LakeStorage, identity: LakeIdentity, options: OpenLakeOptions) {
    this.root = storage.name;
    this.storage = storage;
    this.#identity = identity;
    this.tables = new Map((options.tables ?? TABLES).map((table) => [table.name, table]));
    this.#engines = new Engines(storage, options.queryMemoryBytes ?? READER_MEMORY_BYTES);
    this.#staging = options.staging ?? {};
    this.#readCommit = rememberingReader(storage);
    this.#delta = new DeltaLogs(storage, identity, async () => connect(await this.#engines.writer()));
  }

  /**
   * Makes what a crash left undone behind the last commit: Delta logs, lake.sql. Where the place can't be written to,
   * reading goes on without: the log alone says what is in the lake.
   */
  async mend(): Promise<void> {
    const snapshot = await this.snapshot();
    try {
      await this.#delta.level(this.tables.values(), snapshot);
      const sql = await this.storage.read(LAKE_SQL);
      if (sql === null || lakeSqlVersion(sql) < snapshot.version) await this.#writeLakeSql();
    } catch (error) {
      if (!(error instanceof FilinglakeError) || !['lake-unwritable', 'lake-full'].includes(error.code)) throw error;
      this.#unwritable = error;
    }
  }

  /** Why the lake can't be written to, where that was seen. */
  get unwritable(): FilinglakeError | null {
    return this.#unwritable;
  }

  /**
   * Looks whether files can be put everywhere where commits put some: who finds out with the first commit has paid for its rows.
   * @throws FilinglakeError `lake-unwritable`
   */
  async proveWritable(): Promise<void> {
    const ofTables = [...this.tables.keys()].flatMap((table) => [table, deltaFolder(table)]);
    for (const folder of [LOG_FOLDER, STAGING_FOLDER, SCRATCH_FOLDER, ...ofTables]) {
      await this.storage.proveWritable(folder);
    }
  }

  /** Its identity, as lake.json has it: a lake made again in the same folder has another. */
  get id(): string {
    return this.#identity.id;
  }

  /**
   * Whether the folder still has this lake. What was remembered of its versions is forgotten if its log isn't the one that was
   * read before, since somebody put back an older copy.
   */
  async isStillThere(): Promise<boolean> {
    if (await hasLog(this.storage, this.id, this.#newest)) return true;
    if (!(await hasLog(this.storage, this.id, null))) return false;
    this.#newest = null;
    this.#readCommit = rememberingReader(this.storage);
    this.#delta.forget();
    return true;
  }

  /** The newest version; -1 where nothing was committed. */
  async currentVersion(): Promise<number> {
    return (await this.snapshot()).version;
  }

  /** The lake as of a version, default the newest. @throws FilinglakeError `lake-version-unknown` */
  async snapshot(version?: number): Promise<LakeSnapshot> {
    if (version !== undefined) return version === -1 ? EMPTY_LAKE : readSnapshot(this.storage, version);
    this.#newest = this.#newest ? await rollForward(this.storage, this.#newest) : await readSnapshot(this.storage);
    return this.#newest;
  }

  /** Opens the staging of one attempt at a batch. */
  openStaging(runId: string, batchId: string, attempt: number): SegmentWriter {
    return new SegmentWriter(this.storage, this.tables, { runId, batchId, attempt }, this.#staging);
  }

  /**
   * What earlier attempts at a batch delivered: their sealed segments, and what one that was killed had delivered and not sealed.
   * @param metaOf makes a segment's meta of what was given with its deliveries
   */
  async takeUpSegments(
    runId: string,
    batchId: string,
    metaOf: (metas: readonly unknown[]) => unknown,
  ): Promise<SegmentRef[]> {
    return (await takeUpSegments(this.storage, { runId, batchId }, metaOf)).map(refOf);
  }

  /** Segments that any attempt at the batch sealed, in order, with what was given to `seal`. */
  async sealedSegments(runId: string, batchId: string): Promise<SegmentRef[]> {
    const sealed = await sealedSegments(this.storage, runId, batchId);
    return sealed.map(refOf);
  }

  /** Named segments of a batch, with what was given to `seal`. @throws FilinglakeError `segment-missing` */
  async segments(runId: string, batchId: string, names: readonly string[]): Promise<SegmentRef[]> {
    const folder = batchFolder(runId, batchId);
    return Promise.all([...new Set(names)].map((name) => readSegment(this.storage, folder, name)));
  }

  /** The version that a batch is planned at: the newest one when this was first called for it. */
  async batchBase(runId: string, batchId: string): Promise<number> {
    const base_version = await this.currentVersion();
    return batchBase(this.storage, { run_id: runId, batch_id: batchId, base_version });
  }

  /** What a call of `commitBatch` has sealed, committed or not: another call commits this and nothing else. Null: nothing. */
  async sealedBatch(runId: string, batchId: string): Promise<Batch | null> {
    const manifest = await readManifest(this.storage, runId, batchId);
    return manifest && { ...manifest, segments: manifest.segments.map((name) => ({ name })) };
  }

  /** Keeps a file for the activities of a run. @returns false where the name is taken: the file stays as it was */
  async putStaged(runId: string, name: string, content: string | Uint8Array): Promise<boolean> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return putOnce(this.storage, stagedFilePath(runId, name), await packed(bytes));
  }

  /** A file of `putStaged`, or null. */
  async readStaged(runId: string, name: string): Promise<Buffer | null> {
    const bytes = await this.storage.read(stagedFilePath(runId, name));
    return bytes === null ? null : unpacked(bytes);
  }

  /** Empties a file of `putStaged`: its name stays taken, so that nobody puts it again. Nothing where there is none. */
  async emptyStaged(runId: string, name: string): Promise<void> {
    const path = stagedFilePath(runId, name);
    if (await this.storage.size(path)) await this.storage.replace(path, new Uint8Array());
  }

  /** Removes a file of `putStaged`. */
  async dropStaged(runId: string, name: string): Promise<void> {
    await this.storage.remove(stagedFilePath(runId, name));
  }

  /** Removes what is staged of a committed batch: a retry of its commit needs the log alone. */
  async dropBatch(runId: string, batchId: string): Promise<void> {
    await this.storage.removeFolder(batchFolder(runId, batchId));
  }

  /** Removes all that is staged for a run, committed or not. */
  async dropStaging(runId: string): Promise<void> {
    await this.storage.removeFolder(runFolder(runId));
  }

  /**
   * Commits a batch: all its tables or nothing. Safe to call again with the same `batch_id` and segments: it is committed
   * once, and every call gives the same version.
   * @throws FilinglakeError `lake-full`, `lake-unwritable`: nothing is harmed; `segment-missing`, `replacement-invalid`;
   * `batch-differs`: a batch of this id was sealed or committed with other segments, and nothing of this one is in the lake
   */
  commitBatch(batch: Batch): Promise<CommitResult> {
    const next = this.#commits.then(() => this.#commitBatch(batch).catch((error) => this.#namingDamage(error)));
    this.#commits = next.catch(() => undefined);
    return next;
  }

  /**
   * For work that each attempt does from the beginning, so that the content of any will do: commits what was sealed first under
   * this `batch_id`, else this.
   * @throws as `commitBatch`
   */
  async commitFirstSealed(batch: Batch): Promise<CommitResult> {
    const first = (await this.sealedBatch(batch.run_id, batch.batch_id)) ?? batch;
    try {
      return await this.commitBatch(first);
    } catch (error) {
      if (!isDifferent(error)) throw error;
      // Another attempt has sealed its own meanwhile, and perhaps committed it and dropped what was staged.
      const others = await this.sealedBatch(batch.run_id, batch.batch_id);
      if (others !== null) return this.commitBatch(others);
      const { segments: _, ...id } = batch;
      const committed = await this.committedBatch(id);
      if (committed === null) throw error;
      return committed;
    }
  }

  /**
   * What an earlier call of `commitBatch` committed of this batch, whatever its segments if none are given; null: nothing.
   * @throws FilinglakeError `batch-differs` if the lake has a batch of this id, made of other segments
   */
  async committedBatch(
    batch: Pick<Batch, 'run_id' | 'batch_id' | 'base_version'> & Partial<Pick<Batch, 'segments'>>,
  ): Promise<CommitResult | null> {
    const place = { storage: this.storage, readCommit: this.#readCommit };
    const segments = batch.segments?.map(({ name }) => name) ?? null;
    const earlier = await findCommitted(place, { ...batch, segments });
    if (earlier === null) return null;
    await this.#publish(await this.snapshot());
    return this.#result(earlier);
  }

  async #commitBatch(batch: Batch): Promise<CommitResult> {
    if (!(await this.isStillThere())) throw lakeReplaced(this.root);
    const earlier = await this.committedBatch(batch);
    if (earlier) return earlier;
    const manifest = await sealManifest(this.storage, {
      run_id: batch.run_id,
      batch_id: batch.batch_id,
      base_version: batch.base_version,
      segments: batch.segments.map((segment) => segment.name),
      replace: batch.replace ?? [],
      ...(batch.meta === undefined ? {} : { meta: batch.meta }),
    });
    const connection = await connect(await this.#engines.writer());
    const { storage, tables, id: lakeId } = this;
    const place = { storage, lakeId, tables, connection, readCommit: this.#readCommit };
    const { commit, snapshot } = await commitManifest(place, manifest, await this.snapshot());
    this.#newest = snapshot;
    await this.#publish(snapshot);
    return this.#result(commit);
  }

  /** Makes what is derived from the log: a crash before or within it is mended by the next who comes here. */
  async #publish(snapshot: LakeSnapshot): Promise<void> {
    if (snapshot.version - snapshot.snapshotVersion >= COMMITS_PER_SNAPSHOT) {
      await putOnce(this.storage, snapshotPath(snapshot.version), snapshotFileOf(snapshot));
      this.#newest = { ...snapshot, snapshotVersion: snapshot.version };
    }
    await this.#delta.level(this.tables.values(), snapshot);
    await this.#writeLakeSql();
  }

  /** Two committers may write in the wrong order: whoever wrote looks whether there is a newer version by now. */
  async #writeLakeSql(): Promise<void> {
    for (;;) {
      const snapshot = await this.snapshot();
      await this.storage.replace(LAKE_SQL, Buffer.from(lakeSql(this.tables.values(), snapshot)));
      if ((await this.currentVersion()) === snapshot.version) return;
    }
  }

  #result(commit: LakeCommit): CommitResult {
    const tables: CommitResult['tables'] = {};
    for (const [name, change] of Object.entries(commit.tables)) {
      const { rows_new, rows_replaced, rows_removed, rows_dropped, rows_taken = 0 } = change;
      const bytes = change.add.reduce((sum, part) => sum + (part.origin === 'new' ? part.bytes : 0), 0);
      const rows_total = commit.promises[name] ?? 0;
      tables[name] = { rows_new, rows_replaced, rows_total, bytes, rows_removed, rows_dropped, rows_taken };
    }
    return { version: commit.version, tables };
  }

  /**
   * Runs SQL over a version (default: the newest), with a view for every table; the rows come as they are read.
   * @param options.tables only these are there: DuckDB opens every part of a table to make its view
   * @throws FilinglakeError `sql-invalid` (exit 2), `lake-unreadable`, `lake-version-unknown`, `lake-version-vacuumed`
   */
  async stream(sql: string, options: QueryOptions = {}): Promise<QueryResult> {
    const place = this.#place(options.tables);
    const snapshot = await this.#snapshotFor(options);
    const named = (error: unknown) => this.#namingDamage(error, snapshot);
    const result = await runQuery(await this.#engines.reader(), place, snapshot, sql).catch(named);
    return {
      ...result,
      chunks: () => rethrown(result.chunks(), named),
      arrow: () => rethrown(result.arrow(), named),
      close: () => result.close(),
      [Symbol.asyncDispose]: () => result[Symbol.asyncDispose](),
    };
  }

  /**
   * Writes the rows of a SELECT to a Parquet file outside the lake.
   * @throws FilinglakeError `sql-invalid` (exit 2), `output-unwritable`, `lake-unreadable`, `lake-version-unknown`, `lake-version-vacuumed`
   */
  async writeParquet(sql: string, file: string, options: { at?: number } = {}): Promise<void> {
    await copyQuery(await this.#engines.reader(), this.#place(), await this.#snapshotFor(options), sql, file);
  }

  async #snapshotFor({ at }: { at?: number }): Promise<LakeSnapshot> {
    const snapshot = await this.snapshot(at);
    if (at !== undefined) await refuseVacuumed(this.storage, snapshot, await this.snapshot());
    return snapshot;
  }

  /** The version that was the newest at a time. @throws FilinglakeError `lake-version-unknown`: nothing was committed by then */
  async versionAt(time: Date): Promise<number> {
    return versionAt(this.#readCommit, await this.currentVersion(), time);
  }

  /** All rows of a query as objects: for results that fit into memory. */
  async query(sql: string, options: QueryOptions = {}): Promise<Record<string, Cell>[]> {
    await using result = await this.stream(sql, options);
    const names = result.columns.map((column) => column.name);
    const rows: Record<string, Cell>[] = [];
    for await (const chunk of result.chunks()) {
      for (const row of chunk) rows.push(Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])));
    }
    return rows;
  }

  /** Whether the newest version may have a row with one of the values in a column, by the statistics of its parts alone. */
  async mayHold(table: string, column: string, values: readonly string[]): Promise<boolean> {
    let [min, max] = [values[0] ?? '', values[0] ?? ''];
    for (const value of values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
    const { parts } = tableState(await this.snapshot(), table);
    return values.length > 0 && [...parts.values()].some(({ stats }) => mayOverlap(stats, column, min, max));
  }

  /** Figures about the newest version, for a report. */
  async report(): Promise<LakeReport> {
    const snapshot = await this.snapshot();
    const connection = await connect(await this.#engines.reader());
    try {
      await createViews(connection, this.#place(), snapshot);
      const { root, tables } = this;
      const superseded = await this.superseded();
      const place = { name: root, tables, connection, snapshot, readCommit: this.#readCommit, superseded };
      return await lakeFigures(place, new Date());
    } catch (error) {
      return await this.#namingDamage(refusalByEngine(this.root, error) ?? error, snapshot);
    } finally {
      connection.closeSync();
    }
  }

  /** Holds every table against the log. */
  async check(): Promise<LakeCheckReport> {
    const reader = await this.#engines.reader();
    return checkLake({ storage: this.storage, tables: this.tables, connect: () => connect(reader) });
  }

  /**
   * Writes small parts as larger ones, beside readers and writers: no row changes, and older versions stay readable.
   * @throws FilinglakeError `table-unknown` (exit 2), `lake-unwritable`, `lake-full`, `lake-newer`: nothing is harmed
   */
  async compact(options: CompactionOptions = {}): Promise<CompactionReport> {
    this.#refuseUnwritable();
    const names = [...this.tables.keys()];
    for (const name of options.tables ?? []) {
      if (this.tables.has(name)) continue;
      const near = nearestWord(name, names);
      throw new FilinglakeError('table-unknown', `the lake has no table '${name}'`, {
        exitCode: EXIT.usage,
        remedy: near ? `Did you mean '${near}'?` : 'filinglake schema lists the tables.',
      });
    }
    const own = options.memoryBytes === undefined ? null : await this.#engines.openWriter(options.memoryBytes, 2);
    const connection = await connect(own ?? (await this.#engines.writer()));
    try {
      return await compactLake(
        {
          storage: this.storage,
          lakeId: this.id,
          tables: this.tables,
          connection,
          snapshot: () => this.snapshot(),
          publish: async (snapshot) => {
            this.#newest = snapshot;
            await this.#publish(snapshot);
          },
        },
        options,
      );
    } catch (error) {
      return await this.#namingDamage(error);
    } finally {
      connection.closeSync();
      own?.closeSync();
    }
  }

  /** For each table, how many parts a compaction would write as fewer. */
  async smallParts(): Promise<Map<string, number>> {
    const { tables } = await this.snapshot();
    return new Map([...tables].map(([name, { parts, bytes }]) => [name, smallParts(parts.values(), targetFor(bytes))]));
  }

  /**
   * Removes parts that no version of the last seven days (`keepMs`) names, and what runs that are over and crashes left.
   * @throws FilinglakeError `lake-unwritable`, `lake-damaged`
   */
  async vacuum(options: VacuumOptions = {}): Promise<VacuumReport> {
    if (!options.dryRun) this.#refuseUnwritable();
    const connection = await connect(await this.#engines.reader());
    try {
      return await vacuumLake(
        {
          storage: this.storage,
          tables: this.tables.keys(),
          snapshot: () => this.snapshot(),
          readCommit: this.#readCommit,
          endedRuns: () => this.#endedRuns(),
          deltaFiles: async (table) => (await readDeltaState(this.storage, async () => connection, table)).files.keys(),
        },
        options,
      );
    } finally {
      connection.closeSync();
    }
  }

  /**
   * Drops parts that are missing or damaged from the newest version, and marks in coverage what they held, so that the next export
   * fetches it again. Makes Delta logs and lake.sql level. Reads every part to its end.
   * @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-newer`, `lake-busy`: nothing is harmed
   */
  async repair(options: { dryRun?: boolean } = {}): Promise<RepairReport> {
    if (!options.dryRun) this.#refuseUnwritable();
    const connection = await connect(await this.#engines.writer());
    const { storage, tables, id: lakeId } = this;
    try {
      return await repairLake(
        {
          ...{ storage, lakeId, tables, connection, readCommit: this.#readCommit, delta: this.#delta },
          snapshot: () => this.snapshot(),
          check: () => this.check(),
          publish: async (snapshot) => {
            this.#newest = snapshot;
            await this.#publish(snapshot);
          },
        },
        options.dryRun ?? false,
      );
    } finally {
      connection.closeSync();
    }
  }

  /** Throws the error, or one that names the damaged part that it came from. */
  async #namingDamage(error: unknown, of?: LakeSnapshot): Promise<never> {
    const { storage, tables } = this;
    const reader = await this.#engines.reader();
    throw await namedDamage(
      { storage, connect: () => connect(reader) },
      error,
      tables.keys(),
      () => of ?? this.snapshot(),
    );
  }

  /** What `vacuum` would free now. */
  async superseded(): Promise<Removed> {
    const { parts, scratch, staging } = await this.vacuum({ dryRun: true });
    const going = [...Object.values(parts), scratch, staging];
    return going.reduce((sum, one) => ({ files: sum.files + one.files, bytes: sum.bytes + one.bytes }));
  }

  async #endedRuns(): Promise<string[]> {
    if (!this.tables.has('export_runs')) return [];
    const rows = await this.query('SELECT run_id FROM export_runs WHERE ended_at IS NOT NULL');
    return rows.map(({ run_id }) => String(run_id));
  }

  #refuseUnwritable(): void {
    if (this.#unwritable) throw this.#unwritable;
  }

  /** What the newest versions brought, newest first. */
  async log(limit: number): Promise<LogEntry[]> {
    return logEntries(this.storage, await this.currentVersion(), limit, await this.#exportNames());
  }

  /** The newest versions with the Delta versions that belong to them, newest first. */
  async versions(limit: number): Promise<LakeVersionEntry[]> {
    const [snapshot, exports] = [await this.snapshot(), await this.#exportNames()];
    return versionEntries(this.storage, [...this.tables.keys()], snapshot, limit, exports);
  }

  async #exportNames(): Promise<ReadonlyMap<string, string>> {
    if (!this.tables.has('export_runs')) return new Map();
    const rows = await this.query('SELECT run_id, export FROM export_runs', { tables: ['export_runs'] });
    return new Map(rows.map(({ run_id, export: name }) => [String(run_id), String(name)]));
  }

  #place(names?: readonly string[]): { storage: LakeStorage; tables: Iterable<TableDefinition> } {
    const tables = [...this.tables.values()];
    return { storage: this.storage, tables: names ? tables.filter(({ name }) => names.includes(name)) : tables };
  }

  /** Frees what the lake holds in memory. */
  async close(): Promise<void> {
    await this.#commits;
    await this.#engines.close();
  }
}

function isDifferent(error: unknown): boolean {
  return error instanceof FilinglakeError && error.code === 'batch-differs';
}

async function* rethrown<T>(values: AsyncIterable<T>, rethrow: (error: unknown) => Promise<never>): AsyncGenerator<T> {
  try {
    yield* values;
  } catch (error) {
    await rethrow(error);
  }
}
