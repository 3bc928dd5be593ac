/**
 * Finds rows that a batch must leave out. If a key occurs twice in the batch, the later row wins, since an attempt may repeat rows
 * at a segment's edge. A filing that another run has written or claimed since the batch was planned belongs to that run.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type LakeCommit, outdated, type Part } from '../log/log.ts';
import { mayOverlap } from '../log/statistics.ts';
import { numberOf, rowsOf } from '../query/duckdb.ts';
import { quoteList, quoteName, quoteNames } from '../query/quoting.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { type BuiltRows, isNoWideRow, type Selection } from './built-rows.ts';
import { readSegments, type SegmentSource } from './parts.ts';
import { ORDINAL, SOURCE } from './rows.ts';

/** Name of the temporary table of filings that have passed to another run. */
const PASSED = 'passed_filings';

/** Temporary tables of one commit on one connection are named after their content. */
const takenName = (table: string) => `taken_${table}`;
export const goneName = (table: string, n: number) => `gone_${table}_${n}`;

/**
 * A part that may have the same keys: another commit wrote it since the batch was planned, or it is live and the plan didn't read
 * it.
 */
interface ForeignPart {
  readonly part: Part;
  readonly sameRun: boolean;
}

/** Whether coverage lists the rows of the table. Then the plan has read it, at its base version. */
function isCovered({ unit, columns }: TableDefinition): boolean {
  return unit !== null && columns.some(({ name }) => name === 'accession_number');
}

/**
 * Live parts of tables without coverage: windows, runs, failures, entities. If a run's history was reset, it may write their rows a
 * second time, with a later base version.
 */
export function unplannedParts(
  table: TableDefinition,
  live: Iterable<Part>,
  since: readonly ForeignPart[],
): ForeignPart[] {
  if (isCovered(table)) return [];
  const known = new Set(since.map(({ part }) => part.part));
  return [...live].filter(({ part }) => !known.has(part)).map((part) => ({ part, sameRun: true }));
}

/** New rows by table in the commits after the batch's base version. Rewritten parts have no new rows. */
export function partsSince(commits: readonly LakeCommit[], runId: string): Map<string, ForeignPart[]> {
  const parts = new Map<string, ForeignPart[]>();
  for (const commit of commits) {
    for (const [table, change] of Object.entries(commit.tables)) {
      const brought = change.add.filter((part) => part.origin === 'new');
      const list = parts.get(table) ?? [];
      list.push(...brought.map((part) => ({ part, sameRun: commit.run_id === runId })));
      parts.set(table, list);
    }
  }
  return parts;
}

/** The other commits' parts whose statistics overlap ours in the given columns, as DuckDB reads them. */
async function overlapping(
  storage: LakeStorage,
  table: TableDefinition,
  ours: BuiltRows,
  foreign: readonly ForeignPart[],
  columns: readonly string[],
): Promise<string[]> {
  const near = foreign.filter(({ part }) =>
    columns.every((column) => {
      const range = ours.rangeOf(column);
      return range === null || mayOverlap(part.stats, column, range.min, range.max);
    }),
  );
  return pathsThatExist(storage, table, near);
}

/** Paths that DuckDB can read. */
async function pathsThatExist(
  storage: LakeStorage,
  table: TableDefinition,
  parts: readonly ForeignPart[],
): Promise<string[]> {
  const paths: string[] = [];
  for (const { part } of parts) {
    const path = partPath(table.name, part.part);
    // Compaction followed by vacuum may have deleted it. A batch that old was planned again anyway.
    if ((await storage.size(path)) !== null) paths.push(path);
  }
  await storage.makeReadable(paths);
  return paths.map((path) => storage.url(path));
}

/** SQL: whether a row of the table says that its run has written or claimed the row's filing; null if no row does. */
function sayingWhose({ role, claims }: TableDefinition): string | null {
  return claims ?? (role === 'coverage' ? 'true' : null);
}

/**
 * Finds filings of ours that another run has written or claimed since the batch was planned. They have passed to that run: none of
 * our rows about them may be committed. Their steps stay out of coverage, so a later plan finds them pending.
 * @returns their number; they are in the temporary table PASSED
 * @throws FilinglakeError `plan-outdated` if a part that may name some of them is gone
 */
export async function findPassed(
  {
    storage,
    connection,
    tables,
  }: { storage: LakeStorage; connection: DuckDBConnection; tables: Iterable<TableDefinition> },
  oursOf: (table: string) => BuiltRows | null,
  foreign: ReadonlyMap<string, readonly ForeignPart[]>,
): Promise<number> {
  const saying = [...tables].flatMap((table) => {
    const condition = sayingWhose(table);
    return condition === null ? [] : [{ table, condition, ours: oursOf(table.name) }];
  });
  const others = (table: string) => (foreign.get(table) ?? []).filter((part) => !part.sameRun);
  if (saying.every(({ table }) => others(table.name).length === 0)) return 0;
  await connection.run(`CREATE TEMP TABLE IF NOT EXISTS ${PASSED} (accession_number VARCHAR)`);
  const numbersOf = (files: readonly string[], condition: string) =>
    `SELECT accession_number FROM read_parquet(${quoteList(files)}) WHERE ${condition}`;
  const built = saying.flatMap(({ ours, condition }) => (ours === null ? [] : [{ ours, condition }]));
  const ours = built.map((one) => numbersOf(one.ours.files, one.condition)).join(' UNION ');
  for (const { table, condition } of saying) {
    const near = others(table.name).filter(({ part }) =>
      built.some((one) => {
        const range = one.ours.rangeOf('accession_number');
        return range === null || mayOverlap(part.stats, 'accession_number', range.min, range.max);
      }),
    );
    if (near.length === 0) continue;
    const paths = await pathsThatExist(storage, table, near);
    if (paths.length < near.length) throw outdated('parts that others have written since are deleted');
    await connection.run(
      `INSERT INTO ${PASSED} SELECT DISTINCT accession_number FROM (${ours})
       WHERE accession_number IN (${numbersOf(paths, condition)})
         AND accession_number NOT IN (SELECT accession_number FROM ${PASSED})`,
    );
  }
  return numberOf(connection, `SELECT count(*) FROM ${PASSED}`);
}

/** SQL: whether the filing of a row has passed to another run. @param filing its accession number */
export function hasPassed(filing: string): string {
  return `${filing} IN (SELECT accession_number FROM ${PASSED})`;
}

/** The rows to leave out of a table's new part, as conditions on a row `ours`. */
export interface Exclusions {
  readonly conditions: readonly string[];
  /** How many of our rows they leave out. */
  readonly rows: number;
  /** Digest of their keys: the same in each race if the same rows are left out. */
  readonly digest: string;
  /** Those of the rows that another run has written. */
  readonly taken: number;
  readonly units: TakenUnits;
}

/** Temporary tables with our units that the lake has already; null without such units. */
export interface TakenUnits {
  readonly byOthers: string | null;
  readonly byThisRun: string | null;
}

const NOTHING_TAKEN: TakenUnits = { byOthers: null, byThisRun: null };

export const NO_EXCLUSIONS: Exclusions = { conditions: [], rows: 0, digest: '', taken: 0, units: NOTHING_TAKEN };

interface TakenPlace {
  storage: LakeStorage;
  connection: DuckDBConnection;
  /** From `findPassed`. */
  passed: number;
  /** Rows left out of the tables before this one. */
  takenBefore: ReadonlyMap<string, TakenUnits>;
}

/**
 * Finds rows of this table that other commits wrote since the batch was planned. All rows of a filing that has passed to another
 * run are left out. In tables without coverage, another run's rows win for their whole unit, such as all tables of an entity. Rows of
 * the same run win only for their keys, since a filing's steps are committed one by one.
 * @param replaced conditions under which our row replaces an existing one on purpose
 */
export async function findTaken(
  { storage, connection, passed, takenBefore }: TakenPlace,
  table: TableDefinition,
  ours: BuiltRows,
  foreign: readonly ForeignPart[],
  replaced: readonly string[],
): Promise<Exclusions> {
  const ourRows = `read_parquet(${quoteList(ours.files)}) ours`;
  const notReplaced = replaced.map((condition) => `NOT (${condition})`).join(' AND ') || 'true';
  const unit = table.unit ?? table.key;
  const takenBy = async (parts: readonly ForeignPart[], columns: readonly string[], suffix: 'unit' | 'key') => {
    const paths = await overlapping(storage, table, ours, parts, columns);
    if (paths.length === 0) return null;
    const name = quoteName(`${takenName(table.name)}_${suffix}`);
    const same = columns.map((column) => `theirs.${quoteName(column)} = ours.${quoteName(column)}`).join(' AND ');
    const taken = await numberOf(
      connection,
      `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT DISTINCT ${quoteNames(columns, 'ours.')} FROM ${ourRows}
       SEMI JOIN (SELECT ${quoteNames(columns)} FROM read_parquet(${quoteList(paths)})) theirs ON ${same}
       WHERE ${notReplaced}`,
    );
    return taken > 0 ? name : null;
  };
  const ownColumns = isCovered(table) ? table.key : unit;
  const units: TakenUnits = {
    byOthers: isCovered(table)
      ? null
      : await takenBy(
          foreign.filter((part) => !part.sameRun),
          unit,
          'unit',
        ),
    byThisRun: await takenBy(
      foreign.filter((part) => part.sameRun),
      ownColumns,
      'key',
    ),
  };
  const left = (columns: readonly string[], name: string | null) =>
    name === null ? [] : [`(${isAmong(columns, name)} AND ${notReplaced})`];
  const byOthers = left(unit, units.byOthers);
  const byThisRun = left(ownColumns, units.byThisRun);
  if (!isCovered(table) && table.unit !== null) {
    // The lake's entity may have no tickers: ours would be mixed with its name.
    const parents = table.references.filter(({ columns }) => columns.join() === unit.join());
    for (const { table: parent } of parents) {
      byOthers.push(...left(unit, takenBefore.get(parent)?.byOthers ?? null));
      byThisRun.push(...left(unit, takenBefore.get(parent)?.byThisRun ?? null));
    }
  }
  if (passed > 0 && table.columns.some(({ name }) => name === 'accession_number'))
    byOthers.push(hasPassed('ours.accession_number'));
  const conditions = [...byOthers, ...byThisRun];
  if (conditions.length === 0) return NO_EXCLUSIONS;
  const taken =
    byOthers.length === 0
      ? 0
      : await numberOf(connection, `SELECT count(*) FROM ${ourRows} WHERE ${byOthers.join(' OR ')}`);
  const [all] = await rowsOf(
    connection,
    `SELECT count(*)::INT AS n, bit_xor(hash(${quoteNames(table.key)}))::VARCHAR AS digest FROM ${ourRows} WHERE ${conditions.join(' OR ')}`,
  );
  return { conditions, rows: Number(all!.n), digest: String(all!.digest ?? ''), taken, units };
}

/** SQL: whether the columns of the row `ours` are in a temporary table. */
export function isAmong(columns: readonly string[], temporaryTable: string): string {
  const same = columns.map((column) => `t.${quoteName(column)} = ours.${quoteName(column)}`).join(' AND ');
  return `EXISTS (SELECT 1 FROM ${temporaryTable} t WHERE ${same})`;
}

/**
 * Selects a table's rows from the segments: without the excluded ones, and only the last row of each key.
 * The rows to drop are found first, by file and ordinal. The select itself then streams, so that row groups stay small.
 */
export async function selectWithout(
  connection: DuckDBConnection,
  table: TableDefinition,
  source: SegmentSource,
  columns: string,
  exclusions: Exclusions,
): Promise<Selection> {
  const losers = quoteName(`losers_${table.name}`);
  const wanted = [...new Set([...table.key, ...replaceableColumns(table)])];
  const excluded = exclusions.conditions.length > 0 ? exclusions.conditions.join(' OR ') : 'false';
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${losers} AS
     SELECT ${SOURCE}, ${ORDINAL} FROM (
       SELECT *, row_number() OVER (
         PARTITION BY ${quoteNames(table.key)}
         ORDER BY list_position(${quoteList(source.files)}, ${SOURCE}) DESC, ${ORDINAL} DESC) AS place
       FROM (SELECT ${SOURCE}, ${ORDINAL}, ${quoteNames(wanted)} FROM ${readSegments(table, source)})
     ) ours WHERE place > 1 OR ${excluded}`,
  );
  const select = `SELECT ${columns} FROM ${readSegments(table, source)} ours
    ANTI JOIN ${losers} l ON l.${SOURCE} = ours.${SOURCE} AND l.${ORDINAL} = ours.${ORDINAL}
    WHERE ${isNoWideRow(source)}`;
  if (source.wide.length === 0) return { select, wide: [] };
  const lost = await rowsOf(connection, `SELECT ${SOURCE} AS file, ${ORDINAL}::INTEGER AS ordinal FROM ${losers}`);
  const isLost = new Set(lost.map(({ file, ordinal }) => `${ordinal} ${file}`));
  return { select, wide: source.wide.filter(({ lines, row }) => !isLost.has(`${row.ordinal} ${lines}`)) };
}

/** Columns by which rows can be replaced: the key, and what the row belongs to. */
export function replaceableColumns(table: TableDefinition): string[] {
  return table.columns
    .map((column) => column.name)
    .filter(
      (name) =>
        table.key.includes(name) ||
        table.unit?.includes(name) ||
        ['accession_number', 'document_id', 'cik', 'run_id', 'export'].includes(name),
    );
}
