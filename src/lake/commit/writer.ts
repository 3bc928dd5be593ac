/** Writes a lake: staged rows of attempts, and commits of batches, all tables or nothing. */
import type { LakeCommit, LakeSnapshot } from '../log/log.ts';
import { lakeReplaced } from '../log/preconditions.ts';
import type { LakeState } from '../state/state.ts';
import { packed, unpacked } from '../storage/compressed-file.ts';
import { batchFolder, LOG_FOLDER, runFolder, STAGING_FOLDER } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { commitManifest, findCommitted, readableSegments } from './commit.ts';
import { takeUpSegments } from './salvage.ts';
import { SegmentWriter, type SegmentWriterOptions } from './segment-writer.ts';
import {
  batchBase,
  type JoinedBatch,
  type Replacement,
  readManifest,
  readSegment,
  type SegmentRef,
  sealedSegments,
  sealManifest,
  stagedFilePath,
  stagedFilesFolder,
} from './staging.ts';
import { readTallies, Tally } from './tally.ts';

export interface Batch {
  run_id: string;
  /** Unique within the run. */
  batch_id: string;
  /** The version at which the batch was planned. If another writer has changed rows since, the batch is refused. */
  base_version: number;
  segments: readonly Pick<SegmentRef, 'name'>[];
  /** The batches of one base version that it joins, if it joins several: each has its own staging. `segments` has those of all. */
  joins?: readonly JoinedBatch[];
  replace?: readonly Replacement[];
  /** The turn of the writer. Absent: it has none. */
  term?: number | undefined;
  /** Any JSON, stored with the manifest: the state of the attempt. */
  meta?: unknown;
}

interface CommittedTable {
  /** Added rows with a key that the table lacked. */
  rows_new: number;
  /** Added rows that replace rows with their key. */
  rows_replaced: number;
  /** Rows of the table after the commit. */
  rows_total: number;
  /** Bytes of Parquet of the new rows. */
  bytes: number;
  /** Deleted rows, including replaced ones. */
  rows_removed: number;
  /** Rows of the batch left out: a repeated key. */
  rows_dropped: number;
}

export interface CommitResult {
  version: number;
  tables: Record<string, CommittedTable>;
}

function refOf({ name, tables, meta }: SegmentRef): SegmentRef {
  return { name, tables, ...(meta === undefined ? {} : { meta }) };
}

export class LakeWriter {
  readonly #state: LakeState;
  readonly #storage: LakeStorage;
  readonly #staging: SegmentWriterOptions;
  /** Commits of one process run one after the other: a race against oneself only costs time. */
  #commits: Promise<unknown> = Promise.resolve();

  constructor(state: LakeState, staging: SegmentWriterOptions) {
    this.#state = state;
    this.#storage = state.storage;
    this.#staging = staging;
  }

  /** Resolves when the commits of this process have ended. */
  async settled(): Promise<void> {
    await this.#commits;
  }

  openStaging(runId: string, batchId: string, attempt: number): SegmentWriter {
    return new SegmentWriter(this.#storage, this.#state.tables, { runId, batchId, attempt }, this.#staging);
  }

  /**
   * The rows of earlier attempts at a batch: their sealed segments, and the unsealed rows of a killed one.
   * @param metaOf makes a segment's meta from the metas of its row batches
   */
  async takeUpSegments(
    runId: string,
    batchId: string,
    metaOf: (metas: readonly unknown[]) => unknown,
  ): Promise<SegmentRef[]> {
    return (await takeUpSegments(this.#storage, { runId, batchId }, metaOf)).map(refOf);
  }

  /** Segments that any attempt at the batch sealed, in order, with their metas. */
  async sealedSegments(runId: string, batchId: string): Promise<SegmentRef[]> {
    const sealed = await sealedSegments(this.#storage, runId, batchId);
    return sealed.map(refOf);
  }

  /** Named segments of a batch, with their metas. @throws FilinglakeError `staging-missing` */
  async segments(runId: string, batchId: string, names: readonly string[]): Promise<SegmentRef[]> {
    const folder = batchFolder(runId, batchId);
    return Promise.all([...new Set(names)].map((name) => readSegment(this.#storage, folder, name)));
  }

  /** The version at which a batch is planned: the newest one at the first call. */
  async batchBase(runId: string, batchId: string): Promise<number> {
    const base_version = await this.#state.currentVersion();
    return batchBase(this.#storage, { run_id: runId, batch_id: batchId, base_version });
  }

  /** The content that a call of `commitBatch` has sealed, committed or not: another call commits the same. Null: nothing. */
  async sealedBatch(runId: string, batchId: string): Promise<Batch | null> {
    const manifest = await readManifest(this.#storage, runId, batchId);
    return manifest && { ...manifest, segments: manifest.segments.map((name) => ({ name })) };
  }

  /** Stores a file for the activities of a run. @returns false if the name is taken: the file stays unchanged */
  async putStaged(runId: string, name: string, content: string | Uint8Array): Promise<boolean> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return putOnce(this.#storage, stagedFilePath(runId, name), await packed(bytes));
  }

  /** A file of `putStaged`, or null. */
  async readStaged(runId: string, name: string): Promise<Buffer | null> {
    const bytes = await this.#storage.read(stagedFilePath(runId, name));
    return bytes === null ? null : unpacked(bytes);
  }

  /** Names of the files of `putStaged` that begin with a text. */
  async stagedNames(runId: string, start: string): Promise<string[]> {
    const names = await this.#storage.listNames(stagedFilesFolder(runId));
    return names.map(decodeURIComponent).filter((name) => name.startsWith(start));
  }

  /** Empties a file of `putStaged`. Its name stays taken, so that nobody writes it again. Does nothing if it does not exist. */
  async emptyStaged(runId: string, name: string): Promise<void> {
    const path = stagedFilePath(runId, name);
    if (await this.#storage.size(path)) await this.#storage.replace(path, new Uint8Array());
  }

  /** Deletes a file of `putStaged`. */
  async dropStaged(runId: string, name: string): Promise<void> {
    await this.#storage.remove(stagedFilePath(runId, name));
  }

  /** Opens a tally of a run: numbers that this process counts up. A killed process loses none of them. */
  openTally(runId: string): Tally {
    return new Tally(this.#storage, runId);
  }

  tallies(runId: string): Promise<number[][]> {
    return readTallies(this.#storage, runId);
  }

  /** Deletes the staged files of a committed batch: a retry of its commit needs only the log. */
  async dropBatch(runId: string, batchId: string): Promise<void> {
    await this.#storage.removeFolder(batchFolder(runId, batchId));
  }

  async stagedRuns(): Promise<string[]> {
    return (await this.#storage.listFolders(STAGING_FOLDER)).map(decodeURIComponent);
  }

  async stagedBatches(runId: string): Promise<string[]> {
    const folders = await this.#storage.listFolders(runFolder(runId));
    return folders.filter((name) => !name.startsWith('+')).map(decodeURIComponent);
  }

  /** Deletes all staged files of a run, committed or not. */
  async dropStaging(runId: string): Promise<void> {
    await this.#storage.removeFolder(runFolder(runId));
  }

  /**
   * Commits a batch: all its tables or nothing. Safe to repeat with the same `batch_id` and segments: it is committed once, and
   * every call returns the same version.
   * @throws FilinglakeError `lake-full`, `lake-unwritable`: nothing is damaged; `staging-missing`, `row-invalid`;
   * `batch-differs`: a batch of this id was sealed or committed with other segments, and none of this one is in the lake.
   * `plan-outdated`: another writer has had the lake since the batch was planned, and nothing is committed
   */
  commitBatch(batch: Batch): Promise<CommitResult> {
    const next = this.#commits.then(() => this.#commitBatch(batch).catch((error) => this.#state.namingDamage(error)));
    this.#commits = next.catch(() => undefined);
    return next;
  }

  /**
   * The earlier commit of this batch, with any segments if none are given; null if it is not committed.
   * @throws FilinglakeError `batch-differs` if the lake has a batch of this id, made of other segments
   */
  async committedBatch(
    batch: Pick<Batch, 'run_id' | 'batch_id' | 'base_version'> & Partial<Pick<Batch, 'segments' | 'joins'>>,
  ): Promise<CommitResult | null> {
    return this.#committedBy(await this.#state.snapshot(), batch);
  }

  async #committedBy(
    snapshot: LakeSnapshot,
    batch: Pick<Batch, 'run_id' | 'batch_id' | 'base_version'> & Partial<Pick<Batch, 'segments' | 'joins'>>,
  ): Promise<CommitResult | null> {
    const place = this.#state;
    const segments = batch.segments?.map(({ name }) => name) ?? null;
    const earlier = await findCommitted(place, { ...batch, segments }, snapshot.version);
    if (earlier === null) return null;
    // The attempt that wrote it may have ended before its sync, or the sync failed.
    await this.#storage.makeNamesDurable(LOG_FOLDER);
    await this.#state.publish(snapshot);
    return resultOf(earlier);
  }

  async #commitBatch(batch: Batch): Promise<CommitResult> {
    const { storage, tables, readCommit, identity } = this.#state;
    const newest = await this.#state.currentSnapshot();
    if (newest === null) throw lakeReplaced(storage.name);
    const earlier = await this.#committedBy(newest, batch);
    if (earlier) return earlier;
    const names = batch.segments.map((segment) => segment.name);
    const [sealed, segments] = await Promise.allSettled([
      sealManifest(storage, {
        run_id: batch.run_id,
        batch_id: batch.batch_id,
        base_version: batch.base_version,
        segments: names,
        replace: batch.replace ?? [],
        ...(batch.joins ? { joins: batch.joins } : {}),
        ...(batch.meta === undefined ? {} : { meta: batch.meta }),
      }),
      readableSegments(storage, { ...batch, segments: names }),
    ]);
    if (sealed.status === 'rejected') throw sealed.reason;
    if (segments.status === 'rejected') throw segments.reason;
    const byName = new Map(segments.value.map((segment) => [segment.name, segment]));
    const ordered = sealed.value.segments.map((name) => byName.get(name)!);
    const connection = await (await this.#state.engines.writer()).connect();
    const place = { storage, lakeId: identity.id, tables, connection, readCommit, term: batch.term };
    const { commit, snapshot } = await commitManifest(place, sealed.value, ordered, newest);
    await this.#state.publish(snapshot, commit);
    return resultOf(commit);
  }
}

function resultOf(commit: LakeCommit): CommitResult {
  const tables: CommitResult['tables'] = {};
  for (const [name, change] of Object.entries(commit.tables)) {
    const { rows_new, rows_replaced, rows_removed, rows_dropped } = change;
    const bytes = change.add.reduce((sum, part) => sum + (part.origin === 'new' ? part.bytes : 0), 0);
    const rows_total = commit.promises[name] ?? 0;
    tables[name] = { rows_new, rows_replaced, rows_total, bytes, rows_removed, rows_dropped };
  }
  return { version: commit.version, tables };
}
