/** Repair: removes lost parts together with their coverage, in one version. Nothing else changes. */
import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { FilinglakeError } from '../../core/index.ts';
import type { TableDefinition } from '../../tables/index.ts';
import { adoptPart, buildPart, partColumns } from '../commit/parts.ts';
import { refuseNewer, refuseReplaced, refuseVanished } from '../commit/preconditions.ts';
import { SOURCE } from '../commit/rows.ts';
import {
  applyCommit,
  type LakeCommit,
  type LakeSnapshot,
  type LivePart,
  nextCommit,
  type Part,
  presentTables,
  REPAIR_RUN,
  type TableChange,
  tableState,
} from '../log/log.ts';
import { rowsOf } from '../query/duckdb.ts';
import { selectReadable } from '../query/lake-sql.ts';
import { quoteList, quoteName, quoteText } from '../query/quoting.ts';
import type { LakeState } from '../state.ts';
import { commitPath, deltaFolder, partPath } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { LakeCheckReport, LakeProblem } from './check.ts';
import { type DamagedPart, damagedParts } from './damage.ts';

const RACES_MAX = 20;

/** Findings of a check that a repair corrects. */
const MENDED: ReadonlySet<string> = new Set([
  ...['part-missing', 'part-size', 'part-rows', 'part-unreadable'],
  ...['delta-behind', 'delta-differs', 'delta-unreadable', 'lake-sql-behind'],
]);
/** A finding that follows from lost parts. */
const FOLLOWING = 'reference-broken';

/** Changes of other rows that lost rows require. The room that writes these rows defines them. */
export interface LossPolicy {
  /** Findings of audits that it corrects itself. */
  readonly mends: readonly string[];
  /** Findings of audits that follow from lost parts. */
  readonly following: readonly string[];
  /** Prepares the corrections, as tables of the connection. */
  mark(place: LossPlace): Promise<Marked>;
  /** Rows to delete from a table's sound parts, and rows to add, both as SQL; null if the table needs none. */
  correctionOf(table: string): Correction | null;
}

interface Correction {
  /** Table of the rows to delete: `t`. */
  readonly among: string;
  /** Condition on a row `ours` of a part. */
  readonly same: string;
  /** SELECT of the rows to add. */
  readonly rows: string | null;
}

export interface LossPlace {
  readonly storage: LakeStorage;
  /** With a view of every table, over its sound parts. */
  readonly connection: DuckDBConnection;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  readonly snapshot: LakeSnapshot;
  readonly readCommit: (version: number) => Promise<LakeCommit | null>;
  readonly lost: readonly DamagedPart[];
}

export interface Marked {
  /** Filings with something to fetch again. */
  readonly filings: number;
  /** Their steps by kind: `filing` (costs no request), `info`, `sections`, `document`. */
  readonly steps: Readonly<Record<string, number>>;
  /** Entities that are deleted, to be fetched again. */
  readonly entities: number;
}

export interface RepairOptions {
  /** Only reports what it would do. */
  dryRun?: boolean;
  policy: LossPolicy;
  /** The check whose findings it repairs. */
  check: () => Promise<LakeCheckReport>;
}

interface RepairPlace {
  readonly lake: LakeState;
  readonly policy: LossPolicy;
  readonly connection: DuckDBConnection;
}

interface LostPart {
  readonly table: string;
  readonly part: string;
  readonly rows: number;
  /** `is missing`, `has 3 bytes, and the log says 20188`, … */
  readonly reason: string;
}

export interface RepairReport {
  readonly lake: string;
  /** After it; unchanged in a dry run, or if there was nothing to do. */
  readonly version: number;
  readonly dry_run: boolean;
  /** Parts removed from the lake's newest version. Their files stay until a vacuum. */
  readonly lost: readonly LostPart[];
  /** What the next export fetches again. */
  readonly again: Marked;
  /** Tables whose Delta logs are updated from the lake's log. */
  readonly delta: readonly string[];
  readonly lake_sql: boolean;
  /** Remaining findings of `lake check`: those that the next export corrects, and those that no repair can. */
  readonly left: readonly LakeProblem[];
}

/**
 * Corrects the findings of a check: removes missing or damaged parts from the newest version, with the corrections of a policy, and
 * brings Delta logs and lake.sql up to date. Reads every part to its end.
 * @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-newer`, `lake-busy`: nothing is damaged
 */
export async function repairLake(
  lake: LakeState,
  { dryRun = false, policy, check }: RepairOptions,
): Promise<RepairReport> {
  if (!dryRun) lake.refuseUnwritable();
  const { storage } = lake;
  const { problems } = await check();
  const connection = await (await lake.engines.writer()).connect();
  const { lost, again } = await repairParts({ lake, policy, connection }, dryRun).finally(() => connection.closeSync());
  const has = (...codes: string[]) => problems.filter(({ code }) => codes.includes(code));
  const unlevel = has('delta-behind', 'delta-differs', 'delta-unreadable').flatMap(({ table }) => table ?? []);
  const delta = [...new Set(unlevel)];
  if (!dryRun) await levelLogs(lake, delta, new Set(has('delta-unreadable').map(({ table }) => table)));
  const { mends, following } = policy;
  const isLeft = ({ code }: LakeProblem) =>
    !MENDED.has(code) && !mends.includes(code) && !(lost.length > 0 && [FOLLOWING, ...following].includes(code));
  const left = dryRun ? problems.filter(isLeft) : (await check()).problems;
  const { version } = await lake.snapshot();
  const lakeSqlBehind = has('lake-sql-behind').length > 0;
  return { lake: storage.name, version, dry_run: dryRun, lost, again, delta, lake_sql: lakeSqlBehind, left };
}

/** A Delta log that can't be read is rewritten: its versions start at 0. */
async function levelLogs(
  lake: LakeState,
  names: readonly string[],
  unreadable: ReadonlySet<string | null>,
): Promise<void> {
  const { storage, tables, delta } = lake;
  const newest = await lake.snapshot();
  delta.forget();
  for (const name of names) {
    if (unreadable.has(name)) await storage.removeFolder(deltaFolder(name));
    await delta.realign(tables.get(name)!, newest);
  }
  await lake.publish(newest);
}

/** Removes lost parts and marks their rows. @returns null in `version` if there was nothing to commit */
async function repairParts(
  place: RepairPlace,
  dryRun: boolean,
): Promise<{ lost: LostPart[]; again: Marked; version: number | null }> {
  for (let race = 0; race < RACES_MAX; race++) {
    const { storage, tables } = place.lake;
    const snapshot = await place.lake.snapshot();
    refuseNewer(storage, tables, snapshot);
    const damaged = await damagedParts({ storage, connection: place.connection }, snapshot, tables.keys(), true);
    const again = await viewSound(place, snapshot, damaged);
    const lost = damaged.map(({ table, part, reason }) => ({ table, part: part.part, rows: part.rows, reason }));
    const isSound = damaged.length === 0 && again.filings === 0 && again.entities === 0;
    if (dryRun || isSound) return { lost, again, version: null };
    const version = await commitRepair(place, snapshot, damaged);
    if (version !== null) return { lost, again, version };
  }
  throw new FilinglakeError(
    'lake-busy',
    `the repair lost ${RACES_MAX} races for a version of ${place.lake.storage.name}`,
    {
      remedy: 'Run the command again when no export writes to this lake.',
    },
  );
}

async function viewSound(place: RepairPlace, snapshot: LakeSnapshot, lost: readonly DamagedPart[]): Promise<Marked> {
  const { lake, connection } = place;
  const { storage, readCommit } = lake;
  const tables = presentTables(lake.tables, snapshot);
  for (const table of tables.values()) {
    const select = await selectReadable(storage, table, soundParts(snapshot, table.name, lost));
    await connection.run(`CREATE OR REPLACE TEMP VIEW ${quoteName(table.name)} AS ${select}`);
  }
  return place.policy.mark({ storage, connection, tables, snapshot, readCommit, lost });
}

function soundParts(snapshot: LakeSnapshot, table: string, lost: readonly DamagedPart[]): LivePart[] {
  const gone = new Set(lost.map(({ part }) => part.part));
  return [...tableState(snapshot, table).parts.values()].filter(({ part }) => !gone.has(part));
}

/** @returns null: another commit was first */
async function commitRepair(
  place: RepairPlace,
  snapshot: LakeSnapshot,
  lost: readonly DamagedPart[],
): Promise<number | null> {
  const { storage, tables, identity } = place.lake;
  const adopted: string[] = [];
  const changes: Record<string, TableChange> = {};
  let isNamed = false;
  try {
    for (const table of tables.values()) {
      const change = await changeOf(place, snapshot, table, lost, adopted);
      if (change !== null) changes[table.name] = change;
    }
    const ids = { run_id: REPAIR_RUN, batch_id: `${REPAIR_RUN}-${randomUUID()}` };
    const commit = nextCommit(snapshot, tables, changes, ids);
    const after = applyCommit(snapshot, commit);
    await refuseVanished(storage, commit);
    await refuseReplaced(storage, identity.id, snapshot);
    isNamed = true;
    isNamed = await putOnce(storage, commitPath(commit.version), Buffer.from(`${JSON.stringify(commit)}\n`));
    if (!isNamed) return null;
    await place.lake.publish(after, commit);
    return commit.version;
  } finally {
    if (!isNamed) await Promise.all(adopted.map((path) => storage.remove(path).catch(() => undefined)));
  }
}

async function changeOf(
  place: RepairPlace,
  snapshot: LakeSnapshot,
  table: TableDefinition,
  lost: readonly DamagedPart[],
  adopted: string[],
): Promise<TableChange | null> {
  const { lake, connection } = place;
  const { storage } = lake;
  const live = tableState(snapshot, table.name);
  const remove = lost.filter((one) => one.table === table.name).map(({ part }) => part.part);
  let rowsRemoved = lost.reduce((sum, one) => sum + (one.table === table.name ? one.part.rows : 0), 0);
  const add: Part[] = [];
  const put = async (select: string, origin: Part['origin']) => {
    const built = await buildPart(storage, connection, table, select);
    try {
      const part = await adoptPart(storage, table, built, origin);
      adopted.push(partPath(table.name, part.part));
      add.push(part);
    } catch (error) {
      await built.scratch.discard();
      throw error;
    }
  };
  const correction = place.policy.correctionOf(table.name);
  let taken = 0;
  let brought = 0;
  if (correction !== null) {
    const sound = new Map(
      soundParts(snapshot, table.name, lost).map((part) => [storage.url(partPath(table.name, part.part)), part]),
    );
    const isTaken = `EXISTS (SELECT 1 FROM ${correction.among} t WHERE ${correction.same})`;
    const touched =
      sound.size === 0
        ? []
        : await rowsOf(
            connection,
            `SELECT ${SOURCE}, count(*)::INT AS n FROM read_parquet(${quoteList([...sound.keys()])}, filename = '${SOURCE}') ours
             WHERE ${isTaken} GROUP BY ${SOURCE}`,
          );
    for (const row of touched) {
      const part = sound.get(String(row[SOURCE]))!;
      taken += Number(row.n);
      remove.push(part.part);
      if (Number(row.n) === part.rows) continue;
      await put(
        `SELECT ${partColumns(table, part.columns)} FROM read_parquet(${quoteText(String(row[SOURCE]))}) ours WHERE NOT ${isTaken}`,
        'rewritten',
      );
    }
    if (correction.rows !== null) {
      const [count] = await rowsOf(connection, `SELECT count(*)::INT AS n FROM (${correction.rows})`);
      brought = Number(count!.n);
      // As new rows: a run that is active meanwhile must not write the same ones.
      if (brought > 0) await put(correction.rows, 'new');
    }
  }
  if (add.length === 0 && remove.length === 0) return null;
  rowsRemoved += taken;
  const replaced = Math.min(taken, brought);
  return {
    add,
    remove,
    rows_new: brought - replaced,
    rows_replaced: replaced,
    rows_removed: rowsRemoved,
    rows_dropped: 0,
    columns: table.columns.length,
    previous: live.version,
  };
}
