/**
 * Finds rows that a batch must leave out. If a key occurs twice in the batch, the later row wins, since an attempt may repeat rows
 * at a segment's edge. If another commit wrote the key since the batch was planned, that row wins.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableDefinition } from '../../tables/index.ts';
import type { LakeCommit, Part } from '../log/log.ts';
import { mayOverlap } from '../log/statistics.ts';
import { numberOf, rowsOf } from '../query/duckdb.ts';
import { quoteList, quoteName, quoteNames } from '../query/quoting.ts';
import { partPath } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import { type BuiltRows, isNoWideRow, type Selection } from './built-rows.ts';
import { readSegments, type SegmentSource } from './parts.ts';
import { ORDINAL, SOURCE } from './rows.ts';

/** Name of the temporary table of filings that another run wrote in another revision. */
export const OTHER_REVISION = 'other_revision';

/** Name of the temporary table of steps that another run wrote, with the status that it gave them. */
export const TAKEN_STEPS = 'taken_steps';

/** Temporary tables of one commit on one connection are named after their content. */
export const takenName = (table: string) => `taken_${table}`;
export const goneName = (table: string, n: number) => `gone_${table}_${n}`;

/**
 * A part that may have the same keys: another commit wrote it since the batch was planned, or it is live and the plan didn't read
 * it.
 */
export interface ForeignPart {
  readonly part: Part;
  readonly sameRun: boolean;
}

/** Whether coverage lists the rows of the table. Then the plan has read it, at its base version. */
export function isCovered({ unit, columns }: TableDefinition): boolean {
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
export async function pathsThatExist(
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

/**
 * Finds filings that another run wrote in another revision since the batch was planned. None of our rows about them may be
 * committed, or a filing's tables would have two revisions. Their steps stay out of coverage, so the next run requests them.
 * @returns their number; they are in the temporary table OTHER_REVISION
 */
export async function findOtherRevisions(
  storage: LakeStorage,
  connection: DuckDBConnection,
  coverage: TableDefinition,
  ours: BuiltRows | undefined,
  foreign: readonly ForeignPart[],
): Promise<number> {
  await connection.run(`CREATE TEMP TABLE IF NOT EXISTS ${OTHER_REVISION} (accession_number VARCHAR)`);
  const others = foreign.filter((part) => !part.sameRun);
  if (!ours || others.length === 0) return 0;
  const paths = await overlapping(storage, coverage, ours, others, ['accession_number']);
  if (paths.length === 0) return 0;
  await connection.run(
    `INSERT INTO ${OTHER_REVISION}
     SELECT DISTINCT ours.accession_number
     FROM read_parquet(${quoteList(ours.files)}) ours
     JOIN read_parquet(${quoteList(paths)}) theirs ON theirs.accession_number = ours.accession_number
     WHERE theirs.revision <> ours.revision
       AND ours.accession_number NOT IN (SELECT accession_number FROM ${OTHER_REVISION})`,
  );
  return numberOf(connection, `SELECT count(*) FROM ${OTHER_REVISION}`);
}

/**
 * Finds steps of filings that another run wrote since the batch was planned, among steps whose rows are of one commit. Half of its
 * rows and half of ours would be rows of two mappings.
 * @returns their number; they are in the temporary table TAKEN_STEPS
 */
export async function findTakenSteps(
  storage: LakeStorage,
  connection: DuckDBConnection,
  { coverage, wholeSteps }: { coverage: TableDefinition; wholeSteps: readonly string[] },
  ours: BuiltRows | undefined,
  foreign: readonly ForeignPart[],
): Promise<number> {
  await connection.run(
    `CREATE TEMP TABLE IF NOT EXISTS ${TAKEN_STEPS} (accession_number VARCHAR, step VARCHAR, status VARCHAR)`,
  );
  const others = foreign.filter((part) => !part.sameRun);
  if (!ours || others.length === 0 || wholeSteps.length === 0) return 0;
  const paths = await overlapping(storage, coverage, ours, others, ['accession_number']);
  if (paths.length === 0) return 0;
  await connection.run(
    `INSERT INTO ${TAKEN_STEPS}
     SELECT DISTINCT ours.accession_number, ours.step, theirs.status
     FROM read_parquet(${quoteList(ours.files)}) ours
     JOIN read_parquet(${quoteList(paths)}) theirs ON theirs.accession_number = ours.accession_number AND theirs.step = ours.step
     WHERE ours.step IN (SELECT unnest(${quoteList(wholeSteps)}))
       AND NOT EXISTS (SELECT 1 FROM ${TAKEN_STEPS} t
         WHERE t.accession_number = ours.accession_number AND t.step = ours.step AND t.status = theirs.status)`,
  );
  return numberOf(connection, `SELECT count(*) FROM ${TAKEN_STEPS}`);
}

/** SQL: whether the row `ours` of a table is of a step in TAKEN_STEPS; null: the table is of no such step. */
function isOfTakenStep({ wholeStep }: TableDefinition): string | null {
  if (wholeStep === undefined) return null;
  return `EXISTS (SELECT 1 FROM ${TAKEN_STEPS} t WHERE t.accession_number = ours.accession_number AND t.step = '${wholeStep}')`;
}

/** The rows to leave out of a table's new part, as conditions on a row `ours`. */
export interface Exclusions {
  readonly conditions: readonly string[];
  /** How many of our rows they leave out. */
  readonly rows: number;
  /** Digest of their keys: the same in each race if the same rows are left out. */
  readonly digest: string;
  /** Of those rows: the ones that another run has written. */
  readonly taken: number;
  readonly units: TakenUnits;
}

/** Temporary tables with our units that the lake has already in the same revision; null: none. */
export interface TakenUnits {
  readonly byOthers: string | null;
  readonly byThisRun: string | null;
  /** The table's own, if it has one. */
  readonly laterStep?: string;
}

const NOTHING_TAKEN: TakenUnits = { byOthers: null, byThisRun: null };

export const NO_EXCLUSIONS: Exclusions = { conditions: [], rows: 0, digest: '', taken: 0, units: NOTHING_TAKEN };

/**
 * The coverage rows of a step that lost to the step before it. `documents` come from the lookup or from filing_info. If another
 * run's documents came from one, ours from the other are left out, and coverage must not call our step done.
 */
export function takenByStep(
  { role }: TableDefinition,
  takenBefore: ReadonlyMap<string, TakenUnits>,
): { condition: string; units: string } | null {
  if (role !== 'coverage') return null;
  for (const { byOthers: units, laterStep } of takenBefore.values()) {
    if (units === null || laterStep === undefined) continue;
    return { units, condition: `(ours.step = '${laterStep}' AND ${isAmong(['accession_number'], units)})` };
  }
  return null;
}

interface TakenPlace {
  storage: LakeStorage;
  connection: DuckDBConnection;
  /** From `findOtherRevisions`. */
  otherRevisions: number;
  /** From `findTakenSteps`. */
  takenSteps: number;
  /** Rows left out of the tables before this one. */
  takenBefore: ReadonlyMap<string, TakenUnits>;
}

/**
 * Finds rows of this table that other commits wrote since the batch was planned. Another run's rows win for their whole unit (all
 * sections of a filing, all tables of an entity). Rows of the same run win only for their keys, since a filing's steps are
 * committed one by one.
 * @param replaced conditions under which our row replaces an existing one on purpose
 */
export async function findTaken(
  { storage, connection, otherRevisions, takenSteps, takenBefore }: TakenPlace,
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
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${name} AS SELECT DISTINCT ${quoteNames(columns, 'ours.')} FROM ${ourRows}
       SEMI JOIN (SELECT ${quoteNames(columns)} FROM read_parquet(${quoteList(paths)})) theirs ON ${same}
       WHERE ${notReplaced}`,
    );
    return (await numberOf(connection, `SELECT count(*) FROM ${name}`)) > 0 ? name : null;
  };
  const ownColumns = isCovered(table) ? table.key : unit;
  const units: TakenUnits = {
    byOthers: await takenBy(
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
  if (otherRevisions > 0 && isCovered(table)) {
    const affected = await numberOf(
      connection,
      `SELECT count(*) FROM ${ourRows} WHERE accession_number IN (SELECT accession_number FROM ${OTHER_REVISION})`,
    );
    if (affected > 0) byOthers.push(isAmong(['accession_number'], OTHER_REVISION));
  }
  const ofTakenStep = isOfTakenStep(table);
  if (takenSteps > 0 && ofTakenStep !== null) byOthers.push(ofTakenStep);
  const byStep = takenByStep(table, takenBefore);
  if (byStep !== null) byOthers.push(byStep.condition);
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
