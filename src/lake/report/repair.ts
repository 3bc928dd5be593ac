/** Repair of a lake whose rows come from exports: coverage of lost rows is dropped, so that the next export fetches them again. */
import { quoteName, quoteText } from '../../core/index.ts';
import { numberOf, rowsOf } from '../engine/duckdb.ts';
import type { Lake } from '../lake.ts';
import type { LivePart } from '../log/log.ts';
import type { DamagedPart } from '../state/damage.ts';
import { namesFrom, TABLES, type Table, type TableDefinition, tablesFrom } from '../tables/index.ts';
import type { LossPlace, Marked, RepairReport } from '../upkeep/repair.ts';
import { checkLake } from './check.ts';
import { COVERAGE_WITHOUT_ROWS } from './check-windows.ts';

/** New rows of coverage: existing ones that state less now, and lost ones. */
const REPAIRED_COVERAGE = 'repaired_coverage';
/** Entities to delete from all their tables: `cik`. */
const LOST_ENTITIES = 'lost_entities';
/** Tables of an entity; the first one has its own row. */
const ENTITY_TABLES: readonly string[] = namesFrom('entity');

const MARKS = 'coverage_marks';
const DOCUMENTS = `c.step LIKE 'document:%'`;

/**
 * Drops missing or damaged parts from the newest version, together with their coverage. Brings Delta logs and lake.sql up to date. Reads
 * every part to its end.
 * @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-newer`, `plan-outdated`: nothing is damaged
 */
export function repairLake(lake: Lake, options: { dryRun?: boolean; term?: number } = {}): Promise<RepairReport> {
  return lake.repair({ ...options, mark: markCoverage, check: () => checkLake(lake) });
}

/**
 * The rows of coverage stay, as failed: so the next export replaces the rows that are left. Without them it would write these a second
 * time. A filing is fetched rather too often: an 8-K without exhibits looks like one whose exhibits were lost.
 */
async function markCoverage(place: LossPlace): Promise<Marked> {
  const { connection, tables, lost } = place;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${LOST_ENTITIES} (cik VARCHAR)`);
  if (ENTITY_TABLES.every((name) => tables.has(name))) await markEntities(place);
  const entities = await numberOf(connection, `SELECT count(DISTINCT cik) FROM ${LOST_ENTITIES}`);
  const corrections: Marked['corrections'] = Object.fromEntries(
    ENTITY_TABLES.map((name) => [name, { among: LOST_ENTITIES, key: ['cik'], rows: null }]),
  );
  const coverage = tables.get('coverage');
  if (!coverage) return { again: { filings: 0, steps: {}, entities }, corrections };
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${MARKS} (accession_number VARCHAR, step VARCHAR, word VARCHAR)`);
  for (const table of TABLES) {
    const parts = lost.filter((one) => one.table === table.name);
    if (parts.length > 0) for (const step of stepsOf(table)) await markSteps(place, table, parts, step);
  }
  await markWithoutRows(place);
  const ofCoverage = lost.filter(({ table }) => table === 'coverage');
  if (ofCoverage.length > 0) await markUncovered(place, ofCoverage);
  await connection.run(repairedCoverage(coverage));
  const counts = await rowsOf(
    connection,
    `SELECT CASE WHEN step LIKE 'document:%' THEN 'document' ELSE step END AS kind, count(*)::DOUBLE AS n,
       (SELECT count(DISTINCT accession_number) FROM ${REPAIRED_COVERAGE})::DOUBLE AS filings
     FROM ${REPAIRED_COVERAGE} GROUP BY kind ORDER BY kind`,
  );
  const steps = Object.fromEntries(counts.map(({ kind, n }) => [String(kind), Number(n)]));
  const among = { among: REPAIRED_COVERAGE, key: ['accession_number', 'step'], rows: `FROM ${REPAIRED_COVERAGE}` };
  return {
    again: { filings: Number(counts[0]?.filings ?? 0), steps, entities },
    corrections: { ...corrections, coverage: among },
  };
}

/** Conditions on coverage `c` of the steps whose rows a table has. None for entities and the tables of runs: they have no coverage. */
function stepsOf({ name, sources, group }: Table): string[] {
  const asked = `list_contains(list_transform(string_split(c.selector, ','), lambda w: split_part(w, ':', 1)), '${name}')`;
  return sources.flatMap((source) => {
    if (source === 'lookup') return [`c.step = 'filing' AND ${asked}`];
    if (source === 'info') return [`c.step = 'info' AND ${asked}`];
    // No selector names the tables of what mappings leave out: they come with every form's.
    if (source === 'forms') return [group === undefined ? `c.step = 'forms'` : `c.step = 'forms' AND ${asked}`];
    if (source === 'sections') return [`c.step = 'sections'`];
    return source === 'document' ? [DOCUMENTS] : [];
  });
}

/** Steps that coverage has as done, that may have had rows in the lost parts, and that have none now. */
async function markSteps(
  { connection, tables }: LossPlace,
  { name, forms, group, key, wide }: Table,
  lost: readonly DamagedPart[],
  step: string,
): Promise<void> {
  // A very long row has a part of its own: rows of the same step that are left show nothing.
  const isSplit = wide.length > 0 && key.length > 1;
  const same = step === DOCUMENTS ? 't.document_id = substr(c.step, 10)' : 't.accession_number = c.accession_number';
  const left = `SELECT 1 FROM ${quoteName(name)} t WHERE ${!isSplit} AND ${same}`;
  const form =
    forms === undefined || group === undefined || !tables.has('filings')
      ? 'true'
      : `NOT EXISTS (SELECT 1 FROM filings f WHERE f.accession_number = c.accession_number
           AND NOT regexp_matches(upper(f.form_type), '${forms.pattern}'))`;
  await connection.run(
    `INSERT INTO ${MARKS} SELECT c.accession_number, c.step, '${name}' FROM coverage c
     WHERE c.status = 'done' AND ${step} AND ${form} AND ${inRanges(lost, 'accession_number', 'c.')} AND NOT EXISTS (${left})`,
  );
}

/** SQL: whether a column is between its smallest and largest value of one of the parts, as the log has them. */
function inRanges(lost: readonly DamagedPart[], column: string, prefix = ''): string {
  const inRange = ({ stats: { minValues, maxValues } }: LivePart) => {
    const [min, max] = [minValues[column], maxValues[column]];
    if (min === undefined || max === undefined) return 'true';
    return `${prefix}${column} BETWEEN ${quoteText(String(min))} AND ${quoteText(String(max))}`;
  };
  return `(${lost.map(({ part }) => inRange(part)).join(' OR ')})`;
}

/** Steps that coverage has as done without rows, for any reason. */
async function markWithoutRows({ connection, tables }: LossPlace): Promise<void> {
  for (const { needs, select } of COVERAGE_WITHOUT_ROWS) {
    if (![needs, 'coverage', 'export_failures'].every((name) => tables.has(name))) continue;
    await connection.run(
      needs !== 'document_contents'
        ? `INSERT INTO ${MARKS} SELECT accession_number, '${needs === 'filings' ? 'filing' : 'forms'}', '${needs}' FROM (${select})`
        : `INSERT INTO ${MARKS} SELECT c.accession_number, c.step, NULL FROM coverage c
           JOIN (${select}) d ON c.step = 'document:' || d.document_id`,
    );
  }
}

/** Rows whose coverage was lost get a new one. */
async function markUncovered({ connection, tables }: LossPlace, lost: readonly DamagedPart[]): Promise<void> {
  const mark = (table: string, step: string, besides = 'true') =>
    tables.has(table)
      ? connection.run(
          `INSERT INTO ${MARKS} SELECT DISTINCT accession_number, ${step} AS s, NULL FROM ${table} t
           WHERE ${inRanges(lost, 'accession_number')} AND ${besides} AND NOT EXISTS
             (SELECT 1 FROM coverage c WHERE c.accession_number = t.accession_number AND c.step = ${step})`,
        )
      : undefined;
  await mark('filings', `'filing'`);
  for (const { name, sources } of tablesFrom('info')) if (!sources.includes('lookup')) await mark(name, `'info'`);
  // Documents of the lookup have no coverage of filing_info.
  await mark(
    'documents',
    `'info'`,
    `NOT EXISTS (SELECT 1 FROM coverage f WHERE f.accession_number = t.accession_number AND f.step = 'filing'
       AND list_contains(string_split(f.selector, ','), 'documents'))`,
  );
  for (const { name } of tablesFrom('sections')) await mark(name, `'sections'`);
  for (const { name } of tablesFrom('forms')) await mark(name, `'forms'`);
  for (const { name } of tablesFrom('document')) await mark(name, `'document:' || t.document_id`);
}

/** Each run reads the lookup anyway: the coverage of a listing states fewer tables. Any other step becomes failed. */
function repairedCoverage(coverage: TableDefinition): string {
  const values: Readonly<Record<string, string>> = {
    accession_number: 'm.accession_number',
    step: 'm.step',
    selector: `coalesce(CASE WHEN m.step = 'filing' THEN array_to_string(
      list_filter(string_split(c.selector, ','), lambda w: NOT list_contains(m.words, split_part(w, ':', 1))), ',') ELSE c.selector END, '')`,
    revision: `coalesce(c.revision, '')`,
    status: `CASE WHEN m.step = 'filing' THEN 'done' ELSE 'failed' END`,
    fetched_at: 'coalesce(c.fetched_at, now())',
  };
  const columns = coverage.columns.map(({ name }) => `${values[name] ?? `c.${quoteName(name)}`} AS ${quoteName(name)}`);
  return `CREATE OR REPLACE TEMP TABLE ${REPAIRED_COVERAGE} AS
    SELECT ${columns.join(', ')} FROM (SELECT accession_number, step, list(word) AS words FROM ${MARKS} GROUP BY ALL) m
    LEFT JOIN coverage c ON m.accession_number = c.accession_number AND m.step = c.step`;
}

/** Entities don't say which request fetched them: those that may lack something are deleted, and fetched as new. */
async function markEntities({ connection, lost }: LossPlace): Promise<void> {
  const [entities = '', ...others] = ENTITY_TABLES;
  const insert = (from: string, lacks: string, where: string) =>
    connection.run(
      `INSERT INTO ${LOST_ENTITIES} SELECT DISTINCT cik FROM ${from} WHERE cik NOT IN (SELECT cik FROM ${lacks}) AND ${where}`,
    );
  for (const table of others) {
    if (lost.some((one) => one.table === entities)) await insert(table, entities, 'true');
    const parts = lost.filter((one) => one.table === table);
    if (parts.length > 0) await insert(entities, table, inRanges(parts, 'cik'));
  }
}
