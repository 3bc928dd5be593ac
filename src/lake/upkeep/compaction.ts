/** Compaction: small parts of a table written as fewer, larger ones. No row changes, so that no reader or writer need wait. */
import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableDefinition } from '../../tables/index.ts';
import { adoptPart, buildPart } from '../commit/parts.ts';
import { refuseNewer, refuseReplaced, refuseVanished } from '../commit/preconditions.ts';
import {
  applyCommit,
  damaged,
  type LakeCommit,
  type LakeSnapshot,
  type LivePart,
  LOG_FORMAT,
  type Part,
  rollForward,
  type TableChange,
  tableState,
} from '../log/log.ts';
import { selectTable } from '../query/lake-sql.ts';
import { quoteText } from '../query/quoting.ts';
import { commitPath, partPath } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { planGroups, smallParts, targetFor } from './compaction-plan.ts';

/** The run that compactions stand under in the lake's log. */
export const COMPACTION_RUN = 'compaction';
/** Bytes of parts that are compacted between two commits: what is lost, at most, when a process is killed. */
const COMMIT_BYTES = 1000 * 10 ** 6;
/** How often parts that others removed under our hands are planned anew, before they are left for another day. */
const PASSES_MAX = 3;

export interface CompactionPlace {
  readonly storage: LakeStorage;
  readonly lakeId: string;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  readonly connection: DuckDBConnection;
  readonly snapshot: () => Promise<LakeSnapshot>;
  /** Tells of a commit that was made, so that what is derived from the log follows. */
  readonly publish: (snapshot: LakeSnapshot) => Promise<void>;
}

export interface CompactionOptions {
  /** Default: all. */
  tables?: readonly string[];
  /** How large a part shall be, in bytes. Default: 128 MB, up to 1 GB in tables beyond 51 GB. */
  targetBytes?: number;
  /** A table with fewer small parts than this is left as it is. Default: 2. */
  smallest?: number;
  /** After this time nothing more is begun: what was written is committed, and the report says that there is more to do. */
  boxMs?: number;
  /** Ends it at once: the part that is being written is dropped, those before it are committed. */
  signal?: AbortSignal;
  /** Memory for a DuckDB of its own, so that commits of the same process keep theirs; where a part needs more, theirs is used. Default: theirs. */
  memoryBytes?: number;
  /** Called behind each part that was written, with bytes of the parts that it was made of. */
  onProgress?: (done: { bytes: number; of: number; table: string }) => void;
}

export interface CompactedTable {
  /** Live parts before and after: those left alone included. */
  parts_before: number;
  parts_after: number;
  bytes_before: number;
  bytes_after: number;
  /** Parts that were written, and those that they stand for now. */
  written: number;
  replaced: number;
}

export interface CompactionReport {
  lake: string;
  /** After it; as before it where there was nothing to do. */
  version: number;
  commits: number;
  tables: Record<string, CompactedTable>;
  /** Groups of parts that a writer changed each time they were being compacted: they are as they were. */
  groups_lost: number;
  /** False where it was ended, by time or signal, before it had looked at all. */
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
 * Compacts the small parts of a lake's tables. Parts that another commit removed meanwhile are left out and planned anew.
 * @throws FilinglakeError `lake-newer`, `lake-full`, `lake-unwritable`: what was committed before is unharmed and complete
 */
export async function compactLake(place: CompactionPlace, options: CompactionOptions): Promise<CompactionReport> {
  const chosen = [...place.tables.values()].filter(({ name }) => options.tables?.includes(name) ?? true);
  const before = await place.snapshot();
  refuseNewer(place.storage, place.tables, before);
  const counts = new Map(chosen.map(({ name }) => [name, { written: 0, replaced: 0 }]));
  let commits = 0;
  let unbegun = 0;
  let lost: TableDefinition[] = chosen;
  let groupsLost = 0;
  const end = endOf(place.connection, options);
  for (let pass = 0; pass < PASSES_MAX && lost.length > 0 && (pass === 0 || !end.reached()); pass++) {
    const snapshot = await place.snapshot();
    const groups = lost.flatMap((table) => {
      const { parts, bytes } = tableState(snapshot, table.name);
      const target = options.targetBytes ?? targetFor(bytes);
      if (smallParts(parts.values(), target) < (options.smallest ?? 0)) return [];
      return planGroups(parts.values(), target).map((sources) => ({ table, sources }));
    });
    const result = await compactGroups(place, groups, end, options.onProgress);
    commits += result.commits;
    for (const { table, sources } of result.committed) {
      const count = counts.get(table.name)!;
      count.written++;
      count.replaced += sources.length;
    }
    lost = [...new Set(result.lost.map(({ table }) => table))];
    groupsLost = result.lost.length;
    unbegun = result.unbegun;
  }
  end.stopListening();
  const after = await place.snapshot();
  const tables = chosen.map(({ name }) => {
    const [was, is] = [tableState(before, name), tableState(after, name)];
    const sizes = { parts_before: was.parts.size, parts_after: is.parts.size };
    return [name, { ...sizes, bytes_before: was.bytes, bytes_after: is.bytes, ...counts.get(name)! }] as const;
  });
  return {
    lake: place.storage.name,
    version: after.version,
    commits,
    tables: Object.fromEntries(tables),
    groups_lost: groupsLost,
    whole: unbegun === 0 && !options.signal?.aborted,
  };
}

/** When no further group is to be begun. */
interface End {
  reached(): boolean;
  /** Whether it was a signal: the group at hand is then dropped, and its error is none. */
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

/** Writes the groups and commits them, some at a time; says how many were not begun before the end came. */
async function compactGroups(
  place: CompactionPlace,
  groups: readonly Group[],
  end: End,
  onProgress: CompactionOptions['onProgress'],
): Promise<{ commits: number; committed: Group[]; lost: Group[]; unbegun: number }> {
  const of = groups.reduce((sum, { sources }) => sum + bytesOf(sources), 0);
  const committed: Group[] = [];
  const lost: Group[] = [];
  let commits = 0;
  let bytes = 0;
  let begun = 0;
  let round = new CompactionRound(place);
  try {
    for (const group of groups) {
      if (end.signalled()) break;
      begun++;
      const outcome = await round.write(group, end);
      if (outcome === 'written') {
        bytes += bytesOf(group.sources);
        onProgress?.({ bytes, of, table: group.table.name });
      } else if (outcome === 'taken') lost.push(group);
      else begun--;
      const last = begun === groups.length || end.reached();
      if (round.sourceBytes < COMMIT_BYTES && !last) continue;
      const result = await round.commit();
      if (result.committed.length > 0) commits++;
      committed.push(...result.committed);
      lost.push(...result.lost);
      round = new CompactionRound(place);
      if (last) break;
    }
  } finally {
    await round.tidy();
  }
  return { commits, committed, lost, unbegun: groups.length - begun };
}

/** Groups that are written one after another, and become visible by one entry in the lake's log. */
class CompactionRound {
  readonly #place: CompactionPlace;
  #written: WrittenGroup[] = [];
  sourceBytes = 0;
  /** The entry was put, and no answer came: it may be in the log, so that no part that it names may go. */
  #mayBeCommitted = false;

  constructor(place: CompactionPlace) {
    this.#place = place;
  }

  /** @returns `taken` where another commit, and a vacuum behind it, took one of the parts already; `ended` by a signal */
  async write(group: Group, end: End): Promise<'written' | 'taken' | 'ended'> {
    const { storage, connection, snapshot } = this.#place;
    const { table, sources } = group;
    // What DuckDB reads at once never crosses a row group, so that those of wide tables stay small without a sort.
    const select = selectTable(table, sources, (path) => quoteText(storage.url(path)));
    let built: Awaited<ReturnType<typeof buildPart>>;
    try {
      built = await buildPart(storage, connection, table, select);
    } catch (error) {
      if (end.signalled()) return 'ended';
      if (isLive(await snapshot(), group)) throw error;
      return 'taken';
    }
    const rows = rowsOf(sources);
    if (built.rows !== rows) {
      await built.scratch.discard();
      throw damaged(`${sources.length} parts of ${table.name} have ${built.rows} rows, the log says ${rows}`);
    }
    try {
      const part = await adoptPart(storage, table, built, 'rewritten');
      this.#written.push({ ...group, part });
      this.sourceBytes += bytesOf(sources);
    } catch (error) {
      await built.scratch.discard();
      throw error;
    }
    return 'written';
  }

  /** Commits the groups of which every part is live still. Each race is lost to one commit more, that of another. */
  async commit(): Promise<{ committed: Group[]; lost: Group[] }> {
    const { storage, tables, publish } = this.#place;
    const batch_id = `${COMPACTION_RUN}-${randomUUID()}`;
    for (let snapshot = await this.#place.snapshot(); ; snapshot = await rollForward(storage, snapshot)) {
      const live = this.#written.filter((group) => isLive(snapshot, group));
      if (live.length === 0) return this.#settled([]);
      refuseNewer(storage, tables, snapshot);
      const commit = compactionCommit(snapshot, tables, live, batch_id);
      const after = applyCommit(snapshot, commit);
      await refuseVanished(storage, commit);
      await refuseReplaced(storage, this.#place.lakeId, snapshot);
      this.#mayBeCommitted = true;
      const won = await putOnce(storage, commitPath(commit.version), Buffer.from(`${JSON.stringify(commit)}\n`));
      if (!won) {
        // Another's entry is there. Where it can't be seen (yet), ours may have been put after all.
        this.#mayBeCommitted = (await rollForward(storage, snapshot)).version < commit.version;
        continue;
      }
      this.#mayBeCommitted = false;
      const settled = await this.#settled(live);
      await publish(after);
      return settled;
    }
  }

  async #settled(committed: readonly WrittenGroup[]): Promise<{ committed: Group[]; lost: Group[] }> {
    const lost = this.#written.filter((group) => !committed.includes(group));
    this.#written = lost;
    await this.tidy();
    return { committed: [...committed], lost };
  }

  /** Removes the parts that no version names. */
  async tidy(): Promise<void> {
    if (this.#mayBeCommitted) return;
    const written = this.#written.map(({ table, part }) => partPath(table.name, part.part));
    this.#written = [];
    if (written.length === 0) return;
    // Whatever was answered: what the log names isn't removed.
    const { storage, snapshot } = this.#place;
    const live = await snapshot().catch(() => null);
    if (live === null) return;
    const named = new Set(
      [...live.tables].flatMap(([table, { parts }]) => [...parts.keys()].map((part) => partPath(table, part))),
    );
    const paths = written.filter((path) => !named.has(path));
    // A file left behind costs room until the next vacuum; the error that brought us here must not be hidden by another.
    await Promise.all(paths.map((path) => storage.remove(path).catch(() => undefined)));
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
  batch_id: string,
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
  const now = new Date().toISOString();
  return {
    format: LOG_FORMAT,
    version: snapshot.version + 1,
    committed_at: snapshot.committed_at !== null && snapshot.committed_at > now ? snapshot.committed_at : now,
    run_id: COMPACTION_RUN,
    batch_id,
    tables: changes,
    promises: Object.fromEntries([...tables.keys()].map((name) => [name, tableState(snapshot, name).rows])),
  };
}

function rowsOf(parts: readonly LivePart[]): number {
  return parts.reduce((sum, part) => sum + part.rows, 0);
}

function bytesOf(parts: readonly LivePart[]): number {
  return parts.reduce((sum, part) => sum + part.bytes, 0);
}
