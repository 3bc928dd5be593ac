/** An open lake: its state, reader, writer and upkeep. */
import { FilinglakeError } from '../core/index.ts';
import type { SegmentWriterOptions } from './commit/segment-writer.ts';
import { type Batch, type CommitResult, LakeWriter } from './commit/writer.ts';
import { followCommits, followingCommits, type IcebergReport, writeIceberg } from './faces/iceberg/iceberg.ts';
import { type LakeSnapshot, presentTables, tableState } from './log/log.ts';
import { lakeReplaced } from './log/preconditions.ts';
import { deltaVersionsAt } from './log/versions.ts';
import { LakeReader } from './query/reader.ts';
import { type TableChanges, tableChanges } from './release/changes.ts';
import { type ComparedTable, compareWithRelease } from './release/compare-release.ts';
import type { LakeManifest } from './release/manifest.ts';
import { deleteRelease, listReleases, makeRelease, type Release, releaseNamed } from './release/releases.ts';
import { type WriteOptions, writeReleasedTables } from './release/write-release.ts';
import { type LakeState, openState, type StateOptions } from './state/state.ts';
import { Turns } from './state/turns.ts';
import { partPath } from './storage/layout.ts';
import type { LakeStorage } from './storage/storage.ts';
import { type Audit, checkLake, type LakeCheckReport } from './upkeep/check.ts';
import { type CompactionOptions, type CompactionReport, compactLake } from './upkeep/compaction.ts';
import { smallParts, targetFor } from './upkeep/compaction-plan.ts';
import { type RepairOptions, type RepairReport, repairLake } from './upkeep/repair.ts';
import { type Removed, type VacuumOptions, type VacuumReport, vacuumLake } from './upkeep/vacuum.ts';

export interface OpenLakeOptions extends StateOptions {
  /** Others than the default only in tests. */
  staging?: SegmentWriterOptions;
}

/**
 * Opens a lake.
 * @param place a folder, or a URL: `./lake`, `file:///data/lake`
 * @throws FilinglakeError `lake-missing` (without `create`), `lake-newer`, `lake-damaged`, `lake-unreadable`, `lake-unwritable`
 */
export async function openLake(place: string, options: OpenLakeOptions = {}): Promise<Lake> {
  return new Lake(await openState(place, options), options);
}

/** The lake in a place; null without one. @throws as `openLake` */
export async function openLakeIfThere(place: string, options: OpenLakeOptions = {}): Promise<Lake | null> {
  try {
    return await openLake(place, options);
  } catch (error) {
    if (error instanceof FilinglakeError && error.code === 'lake-missing') return null;
    throw error;
  }
}

/** The interface of an open lake. Each part documents its methods. */
export class Lake implements AsyncDisposable {
  readonly #state: LakeState;
  readonly #reader: LakeReader;
  readonly #writer: LakeWriter;
  readonly turns: Turns;

  constructor(state: LakeState, { staging = {} }: OpenLakeOptions) {
    this.#state = state;
    state.afterCommit = followingCommits(state);
    this.#reader = new LakeReader(state);
    this.#writer = new LakeWriter(state, staging);
    this.turns = new Turns(state);
  }

  get storage(): LakeStorage {
    return this.#state.storage;
  }

  /** Its folder or URL. */
  get root(): string {
    return this.#state.storage.name;
  }

  /** From lake.json: a new lake in the same folder has another one. */
  get id(): string {
    return this.#state.identity.id;
  }

  get tables(): LakeState['tables'] {
    return this.#state.tables;
  }

  /** Why the lake can't be written, if that was noticed. */
  get unwritable(): FilinglakeError | null {
    return this.#state.unwritable;
  }

  /** The tables that a version has: of those that are made on demand, the written ones. */
  presentTables(snapshot: LakeSnapshot): LakeState['tables'] {
    return presentTables(this.tables, snapshot);
  }

  /** The parts of a table in a version, by the names that the column `filename` has for them. */
  partUrls(table: string, snapshot: LakeSnapshot): Map<string, string> {
    const parts = tableState(snapshot, table).parts.keys();
    return new Map(parts.map((part) => [this.storage.url(partPath(table, part)), part]));
  }

  /** @throws FilinglakeError `lake-replaced`: it is another lake, or an older copy */
  async refuseOther({
    id = this.id,
    version = -1,
  }: {
    id?: string | undefined;
    version?: number | undefined;
  }): Promise<void> {
    if (id !== this.id || (await this.currentVersion()) < version) throw lakeReplaced(this.root);
  }

  snapshot: LakeState['snapshot'] = (...call) => this.#state.snapshot(...call);
  currentVersion: LakeState['currentVersion'] = (...call) => this.#state.currentVersion(...call);
  isStillThere: LakeState['isStillThere'] = (...call) => this.#state.isStillThere(...call);
  proveWritable: LakeState['proveWritable'] = (...call) => this.#state.proveWritable(...call);

  stream: LakeReader['stream'] = (...call) => this.#reader.stream(...call);
  session: LakeReader['session'] = (...call) => this.#reader.session(...call);
  keep: LakeReader['keep'] = (...call) => this.#reader.keep(...call);
  query: LakeReader['query'] = (...call) => this.#reader.query(...call);
  writeParquet: LakeReader['writeParquet'] = (...call) => this.#reader.writeParquet(...call);
  inspect: LakeReader['inspect'] = (...call) => this.#reader.inspect(...call);
  versionAt: LakeReader['versionAt'] = (...call) => this.#reader.versionAt(...call);
  versions: LakeReader['versions'] = (...call) => this.#reader.versions(...call);
  log: LakeReader['log'] = (...call) => this.#reader.log(...call);
  rowsLost: LakeReader['rowsLost'] = (...call) => this.#reader.rowsLost(...call);
  mayHold: LakeReader['mayHold'] = (...call) => this.#reader.mayHold(...call);

  openStaging: LakeWriter['openStaging'] = (...call) => this.#writer.openStaging(...call);
  takeUpSegments: LakeWriter['takeUpSegments'] = (...call) => this.#writer.takeUpSegments(...call);
  sealedSegments: LakeWriter['sealedSegments'] = (...call) => this.#writer.sealedSegments(...call);
  segments: LakeWriter['segments'] = (...call) => this.#writer.segments(...call);
  batchBase: LakeWriter['batchBase'] = (...call) => this.#writer.batchBase(...call);
  sealedBatch: LakeWriter['sealedBatch'] = (...call) => this.#writer.sealedBatch(...call);
  putStaged: LakeWriter['putStaged'] = (...call) => this.#writer.putStaged(...call);
  readStaged: LakeWriter['readStaged'] = (...call) => this.#writer.readStaged(...call);
  stagedNames: LakeWriter['stagedNames'] = (...call) => this.#writer.stagedNames(...call);
  emptyStaged: LakeWriter['emptyStaged'] = (...call) => this.#writer.emptyStaged(...call);
  dropStaged: LakeWriter['dropStaged'] = (...call) => this.#writer.dropStaged(...call);
  openTally: LakeWriter['openTally'] = (...call) => this.#writer.openTally(...call);
  tallies: LakeWriter['tallies'] = (...call) => this.#writer.tallies(...call);
  dropBatch: LakeWriter['dropBatch'] = (...call) => this.#writer.dropBatch(...call);
  stagedRuns: LakeWriter['stagedRuns'] = (...call) => this.#writer.stagedRuns(...call);
  stagedBatches: LakeWriter['stagedBatches'] = (...call) => this.#writer.stagedBatches(...call);
  dropStaging: LakeWriter['dropStaging'] = (...call) => this.#writer.dropStaging(...call);
  commitBatch: LakeWriter['commitBatch'] = (...call) => this.#writer.commitBatch(...call);
  committedBatch: LakeWriter['committedBatch'] = (...call) => this.#writer.committedBatch(...call);

  /**
   * Commits the content that was sealed first under this `batch_id`, or this one. For work that each attempt does from the
   * beginning: the content of any attempt will do.
   * @throws as `commitBatch`
   */
  async commitFirstSealed(batch: Batch): Promise<CommitResult> {
    const { term } = batch;
    const first = (await this.sealedBatch(batch.run_id, batch.batch_id)) ?? batch;
    try {
      return await this.commitBatch({ ...first, term });
    } catch (error) {
      if (!isDifferent(error)) throw error;
      // Another attempt has sealed its content meanwhile, and may have committed it and deleted its staged files.
      const others = await this.sealedBatch(batch.run_id, batch.batch_id);
      if (others !== null) return this.commitBatch({ ...others, term });
      const { segments: _, ...id } = batch;
      const committed = await this.committedBatch(id);
      if (committed === null) throw error;
      return committed;
    }
  }

  check(audit: Audit | null = null): Promise<LakeCheckReport> {
    return checkLake(this.#state, audit);
  }

  compact(options?: CompactionOptions): Promise<CompactionReport> {
    return compactLake(this.#state, options);
  }

  /** For each table, how many parts a compaction would merge. */
  async smallParts(): Promise<Map<string, number>> {
    const { tables } = await this.snapshot();
    return new Map([...tables].map(([name, { parts, bytes }]) => [name, smallParts(parts.values(), targetFor(bytes))]));
  }

  vacuum(options?: VacuumOptions): Promise<VacuumReport> {
    return vacuumLake(this.#state, this.#reader, options);
  }

  /** Gives a version a name; default: the newest. A vacuum then keeps its parts. @throws as `makeRelease` */
  makeRelease(request: Parameters<typeof makeRelease>[1]): Promise<Release> {
    return makeRelease(this.#state, request);
  }

  releases(): Promise<Release[]> {
    return listReleases(this.storage);
  }

  /** @throws FilinglakeError `release-unknown` (exit 2) */
  release(name: string): Promise<Release> {
    return releaseNamed(this.storage, name);
  }

  /** Writes Iceberg's metadata over the parts. @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-damaged` */
  writeIceberg(): Promise<IcebergReport> {
    return writeIceberg(this.#state);
  }

  /** Whether each commit from now on writes Iceberg's metadata too. A lake that is open elsewhere sees it when it is opened again. */
  followWithIceberg(follow: boolean): Promise<void> {
    return followCommits(this.storage, follow);
  }

  /** The changes of one table after the other between two versions. @throws as `tableChanges` */
  changes(range: Parameters<typeof tableChanges>[1]): AsyncGenerator<TableChanges> {
    return tableChanges(this.#state, range);
  }

  /** Compares the lake with a release, row for row, one table after the other. @param folder of the manifest */
  compareWithRelease(manifest: LakeManifest, folder: string): AsyncGenerator<ComparedTable> {
    return compareWithRelease(this.#state, manifest, folder);
  }

  /** Writes the tables of a release into a folder. @throws as `writeReleasedTables` */
  writeReleasedTables(
    release: { name: string; version: number },
    folder: string,
    options?: WriteOptions,
  ): Promise<LakeManifest> {
    return writeReleasedTables(this.#state, release, folder, options);
  }

  /** The Delta version of each table at a version of the lake. @throws FilinglakeError `lake-version-unknown` */
  async deltaVersions(version: number): Promise<Record<string, number | null>> {
    const snapshot = await this.snapshot(version);
    return deltaVersionsAt(this.storage, this.presentTables(snapshot).keys(), snapshot);
  }

  deleteRelease(name: string): Promise<Release> {
    return deleteRelease(this.#state, name);
  }

  repair(options: RepairOptions): Promise<RepairReport> {
    return repairLake(this.#state, options);
  }

  /** How much `vacuum` would free now. */
  async superseded(): Promise<Removed> {
    const { parts, scratch, staging } = await this.vacuum({ dryRun: true });
    const going = [...Object.values(parts), scratch, staging];
    return going.reduce((sum, one) => ({ files: sum.files + one.files, bytes: sum.bytes + one.bytes }));
  }

  /** Frees the lake's memory. */
  async close(): Promise<void> {
    await this.#writer.settled();
    await this.#state.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function isDifferent(error: unknown): boolean {
  return error instanceof FilinglakeError && error.code === 'batch-differs';
}
