/** Repair: removes lost parts together with their coverage, in one version. Nothing else changes. */
import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteList, quoteName, quoteText } from '../../core/index.ts';
import { adoptPart, buildPart } from '../commit/parts.ts';
import { SOURCE } from '../commit/rows.ts';
import { rowsOf } from '../engine/duckdb.ts';
import {
  applyCommit,
  type LakeSnapshot,
  type LivePart,
  nextCommit,
  outdated,
  type Part,
  presentTables,
  REPAIR_RUN,
  type TableChange,
  tableState,
} from '../log/log.ts';
import { putEntry, refuseNewer } from '../log/preconditions.ts';
import { type DamagedPart, damagedParts } from '../state/damage.ts';
import type { LakeState } from '../state/state.ts';
import { deltaFolder, partPath } from '../storage/layout.ts';
import type { TableDefinition } from '../tables/index.ts';
import { partColumns, selectReadable } from '../views/lake-sql.ts';
import type { LakeCheckReport, LakeProblem } from './check.ts';

/** Findings of a check that a repair corrects. */
const MENDED: ReadonlySet<string> = new Set([
  'part-missing',
  'part-size',
  'part-rows',
  'part-unreadable',
  'coverage-without-rows',
  'delta-behind',
  'delta-differs',
  'delta-unreadable',
  'lake-sql-behind',
]);
/** Findings that follow from lost parts. */
const FOLLOWING: ReadonlySet<string> = new Set(['reference-broken', 'window-short']);

export interface LossPlace {
  /** With a view of every table, over its sound parts. */
  readonly connection: DuckDBConnection;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  readonly lost: readonly DamagedPart[];
}

/** Changes of other rows that lost rows require. The room that writes these rows makes them. */
export interface Marked {
  readonly again: FetchedAgain;
  /** By table */
  readonly corrections: Readonly<Record<string, Correction>>;
}

interface Correction {
  /** Table of the connection with the keys of the rows to delete. */
  readonly among: string;
  readonly key: readonly string[];
  /** Query of the rows to add. */
  readonly rows: string | null;
}

interface FetchedAgain {
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
  mark: (place: LossPlace) => Promise<Marked>;
  /** The turn of the writer. Absent: it has none. */
  term?: number | undefined;
  /** The check whose findings it repairs. */
  check: () => Promise<LakeCheckReport>;
}

interface RepairPlace {
  readonly lake: LakeState;
  readonly mark: RepairOptions['mark'];
  readonly term: number | undefined;
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
  readonly again: FetchedAgain;
  /** Tables whose Delta logs are updated from the lake's log. */
  readonly delta: readonly string[];
  readonly lake_sql: boolean;
  /** Remaining findings of `lake check`: those that the next export corrects, and those that no repair can. */
  readonly left: readonly LakeProblem[];
}

/**
 * Corrects the findings of a check: removes missing or damaged parts from the newest version, corrects the rows that follow from it, and
 * brings Delta logs and lake.sql up to date. Reads every part to its end.
 * @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-newer`, `plan-outdated`: nothing is damaged
 */
export async function repairLake(
  lake: LakeState,
  { dryRun = false, mark, check, term }: RepairOptions,
): Promise<RepairReport> {
  if (!dryRun) lake.refuseUnwritable();
  const { storage } = lake;
  const { problems } = await check();
  const connection = await (await lake.engines.writer()).connect();
  const { lost, again } = await repairParts({ lake, mark, term, connection }, dryRun).finally(() =>
    connection.closeSync(),
  );
  const has = (...codes: string[]) => problems.filter(({ code }) => codes.includes(code));
  const unlevel = has('delta-behind', 'delta-differs', 'delta-unreadable').flatMap(({ table }) => table ?? []);
  const delta = [...new Set(unlevel)];
  if (!dryRun) await levelLogs(lake, delta, new Set(has('delta-unreadable').map(({ table }) => table)));
  const isLeft = ({ code }: LakeProblem) => !MENDED.has(code) && !(lost.length > 0 && FOLLOWING.has(code));
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

async function repairParts(place: RepairPlace, dryRun: boolean): Promise<{ lost: LostPart[]; again: FetchedAgain }> {
  const { storage, tables } = place.lake;
  const snapshot = await place.lake.snapshot();
  refuseNewer(storage, tables, snapshot);
  const damaged = await damagedParts({ storage, connection: place.connection }, snapshot, tables.keys(), true);
  const { again, corrections } = await viewSound(place, snapshot, damaged);
  const lost = damaged.map(({ table, part, reason }) => ({ table, part: part.part, rows: part.rows, reason }));
  const isSound = damaged.length === 0 && again.filings === 0 && again.entities === 0;
  if (!dryRun && !isSound) await commitRepair(place, snapshot, damaged, corrections);
  return { lost, again };
}

async function viewSound(place: RepairPlace, snapshot: LakeSnapshot, lost: readonly DamagedPart[]): Promise<Marked> {
  const { lake, connection } = place;
  const tables = presentTables(lake.tables, snapshot);
  for (const table of tables.values()) {
    const select = await selectReadable(lake.storage, table, soundParts(snapshot, table.name, lost));
    await connection.run(`CREATE OR REPLACE TEMP VIEW ${quoteName(table.name)} AS ${select}`);
  }
  return place.mark({ connection, tables, lost });
}

function soundParts(snapshot: LakeSnapshot, table: string, lost: readonly DamagedPart[]): LivePart[] {
  const gone = new Set(lost.map(({ part }) => part.part));
  return [...tableState(snapshot, table).parts.values()].filter(({ part }) => !gone.has(part));
}

/** @throws FilinglakeError `plan-outdated`: another commit was first */
async function commitRepair(
  place: RepairPlace,
  snapshot: LakeSnapshot,
  lost: readonly DamagedPart[],
  corrections: Marked['corrections'],
): Promise<void> {
  const { storage, tables } = place.lake;
  const adopted: string[] = [];
  const changes: Record<string, TableChange> = {};
  let isNamed = false;
  try {
    for (const table of tables.values()) {
      const change = await changeOf(place, snapshot, table, lost, corrections[table.name] ?? null, adopted);
      if (change !== null) changes[table.name] = change;
    }
    const ids = { run_id: REPAIR_RUN, batch_id: `${REPAIR_RUN}-${randomUUID()}`, term: place.term };
    const commit = nextCommit(snapshot, tables, changes, ids);
    const after = applyCommit(snapshot, commit);
    isNamed = await putEntry(place.lake, snapshot, commit, () => {
      isNamed = true;
    });
    if (!isNamed) throw outdated(`another writer has put version ${commit.version}`);
    await place.lake.publish(after, commit);
  } finally {
    if (!isNamed) await Promise.all(adopted.map((path) => storage.remove(path).catch(() => undefined)));
  }
}

async function changeOf(
  place: RepairPlace,
  snapshot: LakeSnapshot,
  table: TableDefinition,
  lost: readonly DamagedPart[],
  correction: Correction | null,
  adopted: string[],
): Promise<TableChange | null> {
  const { connection } = place;
  const { storage } = place.lake;
  const live = tableState(snapshot, table.name);
  const remove = lost.filter((one) => one.table === table.name).map(({ part }) => part.part);
  let rowsRemoved = lost.reduce((sum, one) => sum + (one.table === table.name ? one.part.rows : 0), 0);
  const add: Part[] = [];
  const put = async (select: string, origin: Part['origin']) => {
    const built = await buildPart(storage, connection, table, select);
    const part = await adoptPart(storage, table, built, origin);
    adopted.push(partPath(table.name, part.part));
    add.push(part);
  };
  let taken = 0;
  let brought = 0;
  if (correction !== null) {
    const sound = new Map(
      soundParts(snapshot, table.name, lost).map((part) => [storage.url(partPath(table.name, part.part)), part]),
    );
    const same = correction.key.map((column) => `t.${column} = ours.${column}`).join(' AND ');
    const isTaken = `EXISTS (SELECT 1 FROM ${correction.among} t WHERE ${same})`;
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
