/** The commit of a batch: first its parts, then one entry in the lake's log that makes them all visible at once. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { eachOf } from '../../core/bucket/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import {
  applyCommit,
  type CommitReader,
  commitsFrom,
  damaged,
  type LakeCommit,
  type LakeSnapshot,
  nextCommit,
  type Part,
  rollForward,
  type TableChange,
  type TableState,
  tableState,
} from '../log/log.ts';
import { putEntry, refuseNewer } from '../log/preconditions.ts';
import { batchFolder, commitPath, LOG_FOLDER, partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { type BuiltRows, buildRows, selectAll } from './built-rows.ts';
import {
  countReplaced,
  findTouched,
  loadReplacements,
  rewritePart,
  type TableReplacement,
  type TouchedPart,
} from './delete-rows.ts';
import {
  adoptAs,
  type BuiltPart,
  hasRepeatedKeys,
  namedPart,
  ROWS_OF_A_GROUP,
  type SegmentSource,
  segmentColumns,
  segmentPaths,
  segmentSource,
} from './parts.ts';
import {
  findRepeated,
  NOTHING_REPEATED,
  partsToCompare,
  type Repeated,
  refuseOutdated,
  selectWithout,
} from './repeated-rows.ts';
import { batchDiffers, type Manifest, readSegment, type SealedSegment, sameSegments } from './staging.ts';

/** Maximum number of lost races. Each one means that another commit succeeded, so this takes hundreds of writers. */
const RACES_MAX = 1000;
/** Parts from this size on are moved one at a time. */
const LARGE_PART_BYTES = 8 * 2 ** 20;

interface CommitPlace {
  readonly storage: LakeStorage;
  readonly lakeId: string;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  readonly connection: DuckDBConnection;
  readonly readCommit: CommitReader;
  /** The turn of the writer; undefined: it has none. */
  readonly term?: number | undefined;
}

/**
 * The commit of a batch in the log after its base version, or null.
 * @param batch `segments` null: any
 * @throws FilinglakeError `batch-differs` if the log has a batch of this id, made of other segments
 */
export async function findCommitted(
  place: Pick<CommitPlace, 'storage' | 'readCommit'>,
  batch: BatchToFind & { base_version: number },
  newest: number,
): Promise<LakeCommit | null> {
  const commits: LakeCommit[] = [];
  for await (const commit of commitsFrom(place.readCommit, batch.base_version + 1, newest)) commits.push(commit);
  return committedAmong(place.storage, commits, batch);
}

interface BatchToFind extends Pick<Manifest, 'run_id' | 'batch_id' | 'joins'> {
  /** Null: any */
  segments: readonly string[] | null;
}

/** @throws FilinglakeError `batch-differs`, also if only some of the batches that it joins are there, or in several commits */
function committedAmong(storage: LakeStorage, commits: readonly LakeCommit[], batch: BatchToFind): LakeCommit | null {
  if (batch.joins === undefined) return committedAlone(storage, commits, batch);
  const { run_id } = batch;
  const found = new Set(batch.joins.map((one) => committedAlone(storage, commits, { run_id, ...one })));
  const [first = null] = found;
  if (found.size <= 1) return first;
  // Committed as it is, it would write some of them twice.
  throw batchDiffers(
    storage,
    batch,
    [...found].flatMap((commit) => commit?.segments ?? []),
  );
}

/** A batch in its own commit, or in one that joins it to others. */
function committedAlone(
  storage: LakeStorage,
  commits: readonly LakeCommit[],
  batch: Omit<BatchToFind, 'joins'>,
): LakeCommit | null {
  const ofRun = commits.filter(({ run_id }) => run_id === batch.run_id);
  const ofId = ofRun.flatMap((commit) =>
    (commit.joins ?? [commit]).flatMap(({ batch_id, segments }) =>
      batch_id === batch.batch_id ? [{ commit, segments }] : [],
    ),
  );
  const same = ofId.find(
    ({ segments: theirs = [] }) => batch.segments === null || sameSegments(theirs, batch.segments),
  );
  if (same) return same.commit;
  if (ofId[0]) throw batchDiffers(storage, batch, ofId[0].segments ?? []);
  return null;
}

/**
 * Commits a sealed manifest. If another commit of its run takes the next version, this one reads it, drops the rows that it repeats,
 * and tries the version after it. A commit of another writer refuses it.
 * @param segments its segments, which DuckDB can read
 * @param from the newest version
 * @returns the commit (an existing one if the batch was committed before) and the lake after it
 */
export async function commitManifest(
  place: CommitPlace,
  manifest: Manifest,
  segments: readonly SealedSegment[],
  from: LakeSnapshot,
): Promise<{ commit: LakeCommit; snapshot: LakeSnapshot }> {
  const { storage } = place;
  const attempt = new CommitAttempt(place, manifest, segments);
  try {
    let snapshot = from;
    if (manifest.base_version > snapshot.version) {
      throw new FilinglakeError(
        'lake-replaced',
        `batch ${manifest.batch_id} was planned at version ${manifest.base_version}, but ${storage.name} is at ${snapshot.version}`,
      );
    }
    for (let race = 0; race < RACES_MAX; race++) {
      const since = await commitsBetween(place.readCommit, manifest.base_version, snapshot.version);
      const earlier = committedAmong(storage, since, manifest);
      if (earlier) {
        await storage.makeNamesDurable(LOG_FOLDER);
        return { commit: earlier, snapshot };
      }
      const commit = await attempt.prepare(snapshot, since);
      const after = applyCommit(snapshot, commit);
      const sent = () => {
        attempt.mayBeCommitted = true;
      };
      if (await putEntry({ storage, id: place.lakeId }, snapshot, commit, sent)) {
        attempt.committed(commit);
        return { commit, snapshot: after };
      }
      // Another commit's entry is there. If it can't be seen (yet), our own entry may be in the log after all.
      snapshot = await rollForward(storage, snapshot, undefined, place.readCommit);
      attempt.mayBeCommitted = snapshot.version < commit.version;
    }
    throw new FilinglakeError(
      'lake-busy',
      `batch ${manifest.batch_id} lost ${RACES_MAX} races for a version of ${storage.name}`,
    );
  } finally {
    await attempt.tidy();
  }
}

/** Paths of the parts in commits after a version. */
async function namedSince(readCommit: CommitPlace['readCommit'], base: number): Promise<Set<string>> {
  const named = new Set<string>();
  for await (const commit of commitsFrom(readCommit, base + 1)) {
    for (const [table, { add }] of Object.entries(commit.tables)) {
      for (const { part } of add) named.add(partPath(table, part));
    }
  }
  return named;
}

/** Segments of a batch, whose files DuckDB can read from then on. @throws FilinglakeError `staging-missing` */
export async function readableSegments(
  storage: LakeStorage,
  { run_id, batch_id, segments: names, joins }: Pick<Manifest, 'run_id' | 'batch_id' | 'segments' | 'joins'>,
): Promise<SealedSegment[]> {
  const segments = await Promise.all(
    (joins ?? [{ batch_id, segments: names }]).flatMap((one) => {
      const folder = batchFolder(run_id, one.batch_id);
      return one.segments.map((name) => readSegment(storage, folder, name));
    }),
  );
  await storage.makeReadable(segmentPaths(segments));
  return segments;
}

async function commitsBetween(
  readCommit: CommitPlace['readCommit'],
  base: number,
  newest: number,
): Promise<LakeCommit[]> {
  const commits: LakeCommit[] = [];
  for await (const commit of commitsFrom(readCommit, base + 1, newest, newest)) commits.push(commit);
  if (base + commits.length < newest) throw damaged(`${commitPath(base + 1 + commits.length)} is missing`);
  return commits;
}

/** The new rows of one table, for one state of the log. */
interface NewRows {
  built: BuiltRows | null;
  /** Rows of the segments that were left out. */
  dropped: number;
}

/** The commit of one manifest, over several races if necessary. Built files are kept from race to race. */
class CommitAttempt {
  readonly #place: CommitPlace;
  readonly #manifest: Manifest;
  readonly #segments: readonly SealedSegment[];
  /** Every row of the segments, by table, repeated ones included. */
  readonly #whole = new Map<string, { source: SegmentSource; built: BuiltRows | null; dropped: number }>();
  /** Rows of a table without the repeated ones: for one state of the log. */
  readonly #withoutRepeated: BuiltRows[] = [];
  /** The entries of built files: a file is moved into the lake once, however many races it takes part in. */
  readonly #entries = new Map<BuiltRows, Part[]>();
  /** Rewritten parts by the part that they replace. */
  readonly #rewritten = new Map<string, Part | null>();
  #adopted: { table: string; part: string }[] = [];
  /** Built parts that a commit will name, not yet in the lake's folder. */
  #unadopted: { path: string; built: BuiltPart }[] = [];
  /** The log entry was sent, and no answer came. It may be in the log, so none of its parts may be deleted. */
  mayBeCommitted = false;
  #loaded: Map<string, TableReplacement> | null = null;

  constructor(place: CommitPlace, manifest: Manifest, segments: readonly SealedSegment[]) {
    this.#place = place;
    this.#manifest = manifest;
    this.#segments = segments;
  }

  async prepare(snapshot: LakeSnapshot, since: readonly LakeCommit[]): Promise<LakeCommit> {
    const { storage, tables, connection } = this.#place;
    const { run_id, batch_id, segments, joins } = this.#manifest;
    refuseOutdated(since, run_id);
    refuseNewer(storage, tables, snapshot);
    this.#loaded ??= await loadReplacements(storage, connection, tables, this.#manifest.replace);
    for (const table of tables.values()) await this.#buildWhole(table);
    const changes: Record<string, TableChange> = {};
    const repeated = new Map<string, Repeated>();
    for (const table of tables.values()) {
      const live = tableState(snapshot, table.name);
      const replacement = this.#loaded.get(table.name);
      const parts = partsToCompare(table, live.parts.values(), since);
      const ours = this.#whole.get(table.name)!.built;
      const found = ours
        ? await findRepeated({ storage, connection }, table, ours, parts, {
            before: repeated,
            replaced: replacement?.conditions ?? [],
          })
        : NOTHING_REPEATED;
      repeated.set(table.name, found);
      const change = await this.#change(table, live, await this.#freshRows(table, found), replacement);
      if (change) changes[table.name] = change;
    }
    await this.#adopt();
    const { term } = this.#place;
    return nextCommit(snapshot, tables, changes, { run_id, batch_id, segments, term, ...(joins && { joins }) });
  }

  /** The lake owns these parts from now on. */
  committed(commit: LakeCommit): void {
    this.mayBeCommitted = false;
    const named = new Set(
      Object.entries(commit.tables).flatMap(([table, c]) => c.add.map((part) => partPath(table, part.part))),
    );
    this.#adopted = this.#adopted.filter(({ table, part }) => !named.has(partPath(table, part)));
  }

  /** Deletes files that no version names. Vacuum deletes what a crash leaves. */
  async tidy(): Promise<void> {
    const { storage, connection } = this.#place;
    const whole = [...this.#whole.values()].flatMap(({ built }) => built ?? []);
    await Promise.all([...whole, ...this.#withoutRepeated].map((rows) => rows.discard()));
    await Promise.all(this.#unadopted.map((one) => one.built.scratch.discard()));
    connection.closeSync();
    if (this.mayBeCommitted || this.#adopted.length === 0) return;
    // Never delete a file that the log names, even after an error.
    const named = await namedSince(this.#place.readCommit, this.#manifest.base_version).catch(() => null);
    if (named === null) return;
    const unnamed = this.#adopted.map(({ table, part }) => partPath(table, part)).filter((path) => !named.has(path));
    // A leftover file only costs space. Its error must not hide the first one.
    await Promise.all(unnamed.map((path) => storage.remove(path).catch(() => undefined)));
  }

  async #buildWhole(table: TableDefinition): Promise<void> {
    if (this.#whole.has(table.name)) return;
    const { storage, connection } = this.#place;
    const source = segmentSource(storage, this.#segments, table.name);
    if (source.rows === 0) {
      this.#whole.set(table.name, { source, built: null, dropped: 0 });
      return;
    }
    const hasLines = source.rows > source.wide.length;
    const { ascending } = source;
    const all = selectAll(table, source);
    const isSorted = ascending || source.rows <= ROWS_OF_A_GROUP;
    let built = await buildRows(storage, connection, table, all, { hasLines, isSorted });
    if (built.rows !== source.rows) {
      throw damaged(
        `segments of batch ${this.#manifest.batch_id} have ${built.rows} rows of ${table.name}, sealed with ${source.rows}`,
      );
    }
    if (!ascending && (await hasRepeatedKeys(connection, table, built.files))) {
      const once = await selectWithout(connection, table, source, segmentColumns(table), NOTHING_REPEATED);
      await built.discard();
      built = await buildRows(storage, connection, table, once, { hasLines });
    }
    this.#whole.set(table.name, { source, built, dropped: source.rows - built.rows });
  }

  /** The rows that the run has not written since. */
  async #freshRows(table: TableDefinition, repeated: Repeated): Promise<NewRows> {
    const { storage, connection } = this.#place;
    const whole = this.#whole.get(table.name)!;
    if (!whole.built || repeated.conditions.length === 0) return whole;
    const rest = await selectWithout(connection, table, whole.source, segmentColumns(table), repeated);
    const hasLines = whole.source.rows > whole.source.wide.length;
    const built = await buildRows(storage, connection, table, rest, { hasLines });
    this.#withoutRepeated.push(built);
    return { built, dropped: whole.source.rows - built.rows };
  }

  async #change(
    table: TableDefinition,
    live: TableState,
    fresh: NewRows,
    replacement: TableReplacement | undefined,
  ): Promise<TableChange | null> {
    const { storage, connection } = this.#place;
    const touched = replacement ? await findTouched(storage, connection, replacement, live.parts.values()) : [];
    let replaced = 0;
    if (replacement && touched.length > 0 && fresh.built && fresh.built.rows > 0) {
      replaced = await countReplaced(storage, connection, replacement, touched, fresh.built);
    }
    const add: Part[] = [];
    if (fresh.built && fresh.built.rows > 0) add.push(...this.#entriesOf(table, fresh.built));
    for (const one of touched) {
      const rewritten = await this.#rewrite(table, replacement!, one);
      if (rewritten) add.push(rewritten);
    }
    if (add.length === 0 && touched.length === 0 && fresh.dropped === 0) return null;
    const brought = fresh.built?.rows ?? 0;
    return {
      add,
      remove: touched.map(({ part }) => part.part),
      rows_new: brought - replaced,
      rows_replaced: replaced,
      rows_removed: touched.reduce((sum, { removedRows }) => sum + removedRows, 0),
      rows_dropped: fresh.dropped,
      columns: table.columns.length,
      previous: live.version,
    };
  }

  async #rewrite(table: TableDefinition, replacement: TableReplacement, touched: TouchedPart): Promise<Part | null> {
    const { storage, connection } = this.#place;
    const { part, removedRows } = touched;
    const path = partPath(table.name, part.part);
    const done = this.#rewritten.get(path);
    if (done !== undefined) return done;
    let rewritten: Part | null = null;
    if (removedRows < part.rows) {
      const built = await rewritePart(storage, connection, replacement, part);
      if (built.rows !== part.rows - removedRows) {
        await built.scratch.discard();
        throw damaged(`${path} has ${built.rows + removedRows} rows, the log says ${part.rows}`);
      }
      rewritten = this.#name(table, built, 'rewritten');
    }
    this.#rewritten.set(path, rewritten);
    return rewritten;
  }

  #entriesOf(table: TableDefinition, rows: BuiltRows): Part[] {
    const named =
      this.#entries.get(rows) ??
      rows.parts.filter((part) => part.rows > 0).map((part) => this.#name(table, part, 'new'));
    this.#entries.set(rows, named);
    return named;
  }

  #name(table: TableDefinition, built: BuiltPart, origin: Part['origin']): Part {
    const part = namedPart(table, built, origin);
    this.#adopted.push({ table: table.name, part: part.part });
    this.#unadopted.push({ path: partPath(table.name, part.part), built });
    return part;
  }

  /** Moves the named parts in: small ones together, large ones one after the other, since they fill the line and the memory. */
  async #adopt(): Promise<void> {
    const { storage } = this.#place;
    const adopt = async (one: { path: string; built: BuiltPart }) => {
      await adoptAs(storage, one.path, one.built);
      this.#unadopted = this.#unadopted.filter((other) => other !== one);
    };
    const { small = [], large = [] } = Object.groupBy(this.#unadopted, ({ built }) =>
      built.bytes < LARGE_PART_BYTES ? 'small' : 'large',
    );
    await eachOf(small, storage.requestsAtOnce, adopt);
    await eachOf(large, 1, adopt);
  }
}
