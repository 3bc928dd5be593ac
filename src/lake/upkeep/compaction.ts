/** Compaction: merges small parts of a table into fewer, larger ones. No row changes, so readers need not wait. */
import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { FilinglakeError, nearestWord } from '../../core/index.ts';
import { adoptPart, buildPart } from '../commit/parts.ts';
import {
  applyCommit,
  damaged,
  type LakeCommit,
  type LakeSnapshot,
  type LivePart,
  nextCommit,
  type Part,
  presentTables,
  rollForward,
  type TableChange,
  tableState,
} from '../log/log.ts';
import { putEntry, refuseNewer } from '../log/preconditions.ts';
import type { LakeState } from '../state/state.ts';
import { partPath } from '../storage/layout.ts';
import type { TableDefinition } from '../tables/index.ts';
import { selectReadable } from '../views/lake-sql.ts';
import { planGroups, smallParts, targetFor } from './compaction-plan.ts';

/** The run id of compactions in the lake's log. */
const COMPACTION_RUN = 'compaction';
/** Bytes of parts that are compacted between two commits: the maximum that a kill loses. */
const COMMIT_BYTES = 1000 * 10 ** 6;

interface CompactionPlace {
  readonly lake: LakeState;
  readonly term: number | undefined;
  readonly connection: DuckDBConnection;
}

export interface CompactionOptions {
  /** Default: all. */
  tables?: readonly string[];
  /** Target bytes of a part. Default: 128 MB, up to 1 GB in tables beyond 51 GB. */
  targetBytes?: number;
  /** A table with fewer small parts than this is skipped. Default: 2. */
  smallest?: number;
  /** Nothing more is started after this time. Written parts are committed, and the report says that there is more to do. */
  boxMs?: number;
  /** Ends it at once: the part that is being written is dropped, the earlier ones are committed. */
  signal?: AbortSignal;
  /**
   * Memory limit of a separate DuckDB, so that commits of the same process keep theirs. A part that needs more uses the DuckDB of
   * commits. Default: only that one.
   */
  memoryBytes?: number;
  /** The turn of the writer. Absent: it has none. */
  term?: number | undefined;
  /** Called after each written part, with the bytes of the parts that it replaces. */
  onProgress?: (done: { bytes: number; of: number; table: string }) => void;
}

interface CompactedTable {
  /** Live parts before and after, skipped ones included. */
  parts_before: number;
  parts_after: number;
  bytes_before: number;
  bytes_after: number;
  /** Parts that were written, and the number of parts that they replace. */
  written: number;
  replaced: number;
}

export interface CompactionReport {
  lake: string;
  /** After it; unchanged if there was nothing to do. */
  version: number;
  commits: number;
  tables: Record<string, CompactedTable>;
  /** False if time or a signal ended it before all parts were examined. */
  whole: boolean;
}

interface Group {
  readonly table: TableDefinition;
  readonly sources: readonly LivePart[];
}

interface WrittenGroup extends Group {
  readonly part: Part;
}

/**
 * Merges small parts into larger ones, while others read: no row changes, and older versions stay readable. A group of parts of
 * which a batch of the same turn has removed one stays as it is, until the next compaction.
 * @throws FilinglakeError `table-unknown` (exit 2), `lake-newer`, `lake-full`, `lake-unwritable`: earlier commits are complete and
 * undamaged
 */
export async function compactLake(lake: LakeState, options: CompactionOptions = {}): Promise<CompactionReport> {
  lake.refuseUnwritable();
  await lake.refuseDeltaDamage();
  const names = [...lake.tables.keys()];
  for (const name of options.tables ?? []) {
    if (lake.tables.has(name)) continue;
    const near = nearestWord(name, names);
    throw new FilinglakeError('table-unknown', `the lake has no table '${name}'`, {
      ...(near && { remedy: `Did you mean '${near}'?` }),
    });
  }
  const own = options.memoryBytes === undefined ? null : await lake.engines.openWriter(options.memoryBytes, 2);
  const connection = await (own ?? (await lake.engines.writer())).connect();
  try {
    return await compactTables({ lake, connection, term: options.term }, options);
  } catch (error) {
    return await lake.namingDamage(error);
  } finally {
    connection.closeSync();
    own?.closeSync();
  }
}

async function compactTables(place: CompactionPlace, options: CompactionOptions): Promise<CompactionReport> {
  const { lake } = place;
  const before = await lake.snapshot();
  const chosen = [...presentTables(lake.tables, before).values()].filter(
    ({ name }) => options.tables?.includes(name) ?? true,
  );
  refuseNewer(lake.storage, lake.tables, before);
  const counts = new Map(chosen.map(({ name }) => [name, { written: 0, replaced: 0 }]));
  const end = endOf(place.connection, options);
  const groups = chosen.flatMap((table) => {
    const { parts, bytes } = tableState(before, table.name);
    const target = options.targetBytes ?? targetFor(bytes);
    if (smallParts(parts.values(), target) < (options.smallest ?? 0)) return [];
    return planGroups(parts.values(), target).map((sources) => ({ table, sources }));
  });
  const { commits, committed, unbegun } = await compactGroups(place, groups, end, options.onProgress);
  for (const { table, sources } of committed) {
    const count = counts.get(table.name)!;
    count.written++;
    count.replaced += sources.length;
  }
  end.stopListening();
  const after = await lake.snapshot();
  const tables = chosen.map(({ name }) => {
    const [was, is] = [tableState(before, name), tableState(after, name)];
    const sizes = { parts_before: was.parts.size, parts_after: is.parts.size };
    return [name, { ...sizes, bytes_before: was.bytes, bytes_after: is.bytes, ...counts.get(name)! }] as const;
  });
  return {
    lake: lake.storage.name,
    version: after.version,
    commits,
    tables: Object.fromEntries(tables),
    whole: unbegun === 0 && !options.signal?.aborted,
  };
}

/** When no further group may be started. */
interface End {
  reached(): boolean;
  /** Whether a signal ended it: the current group is dropped, and its error ignored. */
  signalled(): boolean;
  stopListening(): void;
}

function endOf(connection: DuckDBConnection, { boxMs = Number.POSITIVE_INFINITY, signal }: CompactionOptions): End {
  const startedAt = performance.now();
  const interrupt = () => connection.interrupt();
  signal?.addEventListener('abort', interrupt);
  return {
    reached: () => signal?.aborted === true || performance.now() - startedAt >= boxMs,
    signalled: () => signal?.aborted === true,
    stopListening: () => signal?.removeEventListener('abort', interrupt),
  };
}

/** Writes the groups and commits them, some at a time. Returns how many were not started before the end. */
async function compactGroups(
  place: CompactionPlace,
  groups: readonly Group[],
  end: End,
  onProgress: CompactionOptions['onProgress'],
): Promise<{ commits: number; committed: Group[]; unbegun: number }> {
  const of = groups.reduce((sum, { sources }) => sum + bytesOf(sources), 0);
  const committed: Group[] = [];
  let commits = 0;
  let bytes = 0;
  let begun = 0;
  let round = new CompactionRound(place);
  try {
    for (const group of groups) {
      if (end.signalled()) break;
      begun++;
      if (await round.write(group, end)) {
        bytes += bytesOf(group.sources);
        onProgress?.({ bytes, of, table: group.table.name });
      } else begun--;
      const last = begun === groups.length || end.reached();
      if (round.sourceBytes < COMMIT_BYTES && !last) continue;
      const written = await round.commit();
      if (written.length > 0) commits++;
      committed.push(...written);
      await round.tidy();
      round = new CompactionRound(place);
      if (last) break;
    }
  } finally {
    await round.tidy();
  }
  return { commits, committed, unbegun: groups.length - begun };
}

/** Groups that are written one after the other, and become visible by one entry in the lake's log. */
class CompactionRound {
  readonly #place: CompactionPlace;
  #written: WrittenGroup[] = [];
  sourceBytes = 0;
  /** The entry was put, and no answer came. It may be in the log, so none of its parts may be deleted. */
  #mayBeCommitted = false;

  constructor(place: CompactionPlace) {
    this.#place = place;
  }

  /** @returns false: it was ended by a signal */
  async write(group: Group, end: End): Promise<boolean> {
    const { lake, connection } = this.#place;
    const { storage } = lake;
    const { table, sources } = group;
    // DuckDB's reads never cross a row group, so row groups of wide tables stay small without a sort.
    // Only tables of small rows are clustered.
    let built: Awaited<ReturnType<typeof buildPart>>;
    try {
      const select = await selectReadable(storage, table, sources);
      built = await buildPart(storage, connection, table, select, 'cluster');
    } catch (error) {
      if (end.signalled()) return false;
      throw error;
    }
    const rows = rowsOf(sources);
    if (built.rows !== rows) {
      await built.scratch.discard();
      throw damaged(`${sources.length} parts of ${table.name} have ${built.rows} rows, the log says ${rows}`);
    }
    this.#written.push({ ...group, part: await adoptPart(storage, table, built, 'rewritten') });
    this.sourceBytes += bytesOf(sources);
    return true;
  }

  /** Commits the groups whose parts are all still live. A lost race means that another commit succeeded. */
  async commit(): Promise<WrittenGroup[]> {
    const { storage, tables } = this.#place.lake;
    const batch_id = `${COMPACTION_RUN}-${randomUUID()}`;
    for (let snapshot = await this.#place.lake.snapshot(); ; snapshot = await rollForward(storage, snapshot)) {
      const live = this.#written.filter((group) => isLive(snapshot, group));
      if (live.length === 0) return live;
      refuseNewer(storage, tables, snapshot);
      const commit = compactionCommit(snapshot, tables, live, { batch_id, term: this.#place.term });
      const after = applyCommit(snapshot, commit);
      const won = await putEntry(this.#place.lake, snapshot, commit, () => {
        this.#mayBeCommitted = true;
      });
      if (!won) {
        // Another commit's entry is there. If it can't be seen (yet), our own entry may be in the log after all.
        this.#mayBeCommitted = (await rollForward(storage, snapshot)).version < commit.version;
        continue;
      }
      this.#mayBeCommitted = false;
      this.#written = this.#written.filter((group) => !live.includes(group));
      await this.#place.lake.publish(after, commit);
      return live;
    }
  }

  /** Deletes the parts that no version names. */
  async tidy(): Promise<void> {
    if (this.#mayBeCommitted) return;
    const written = this.#written.map(({ table, part }) => partPath(table.name, part.part));
    this.#written = [];
    if (written.length === 0) return;
    // Never delete a file that the log names, even after an error.
    const { lake } = this.#place;
    const live = await lake.snapshot().catch(() => null);
    if (live === null) return;
    const named = new Set(
      [...live.tables].flatMap(([table, { parts }]) => [...parts.keys()].map((part) => partPath(table, part))),
    );
    const paths = written.filter((path) => !named.has(path));
    // A leftover file only costs space until the next vacuum. Its error must not hide the first one.
    await Promise.all(paths.map((path) => lake.storage.remove(path).catch(() => undefined)));
  }
}

function isLive(snapshot: LakeSnapshot, { table, sources }: Group): boolean {
  const { parts } = tableState(snapshot, table.name);
  return sources.every(({ part }) => parts.has(part));
}

function compactionCommit(
  snapshot: LakeSnapshot,
  tables: ReadonlyMap<string, TableDefinition>,
  groups: readonly WrittenGroup[],
  ids: { batch_id: string; term: number | undefined },
): LakeCommit {
  const changes: Record<string, TableChange> = {};
  for (const table of new Set(groups.map((group) => group.table))) {
    const ofTable = groups.filter((group) => group.table === table);
    changes[table.name] = {
      add: ofTable.map(({ part }) => part),
      remove: ofTable.flatMap(({ sources }) => sources.map(({ part }) => part)),
      rows_new: 0,
      rows_replaced: 0,
      rows_removed: 0,
      rows_dropped: 0,
      columns: table.columns.length,
      previous: tableState(snapshot, table.name).version,
    };
  }
  return nextCommit(snapshot, tables, changes, { run_id: COMPACTION_RUN, ...ids });
}

function rowsOf(parts: readonly LivePart[]): number {
  return parts.reduce((sum, part) => sum + part.rows, 0);
}

function bytesOf(parts: readonly LivePart[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}
