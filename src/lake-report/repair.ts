/** Repair of a lake whose rows come from exports: after parts were lost, coverage makes the next export fetch their rows again. */

import type { DuckDBConnection } from '@duckdb/node-api';
import {
  type DamagedPart,
  type Lake,
  type LivePart,
  type LossPlace,
  type LossPolicy,
  type Marked,
  numberOf,
  partPath,
  quoteList,
  quoteName,
  quoteText,
  type RepairReport,
  rowsOf,
  selectReadable,
  tableState,
} from '../lake/index.ts';
import { namesFrom, TABLES, type Table, type TableDefinition, tableNamed, tablesFrom } from '../tables/index.ts';
import { checkLake } from './check.ts';
import { COVERAGE_WITHOUT_ROWS } from './check-windows.ts';

/** New rows of coverage: existing ones that state less now, and lost ones. */
const REPAIRED_COVERAGE = 'repaired_coverage';
/** Entities to delete from all their tables: `cik`. */
const LOST_ENTITIES = 'lost_entities';
/** Tables of an entity; the first one has its own row. */
const ENTITY_TABLES: readonly string[] = namesFrom('entity');

const MARKS = 'coverage_marks';

/** Steps whose rows a table has. `word`: the table's word in their selectors; null: they have no other table. */
interface CoveredBy {
  readonly step: string;
  readonly word: string | null;
}

/** Empty for entities and for the tables of runs: coverage is about filings. */
function stepsOf(table: Table): CoveredBy[] {
  const { name, sources } = table;
  return sources.flatMap((source): CoveredBy[] => {
    if (source === 'lookup') return [{ step: `c.step = 'filing'`, word: name }];
    if (source === 'info') return [{ step: `c.step = 'info'`, word: name }];
    if (source === 'forms') return [{ step: `c.step = 'forms'`, word: isOfAnyForm(table) ? null : name }];
    if (source === 'sections') return [{ step: `c.step = 'sections'`, word: null }];
    return source === 'document' ? [{ step: `c.step LIKE 'document:%'`, word: null }] : [];
  });
}

/** Tables of what mappings leave out: they come with every form's, and no selector names them. */
function isOfAnyForm({ sources, group }: Table): boolean {
  return sources.includes('forms') && group === undefined;
}

/**
 * Removes missing or damaged parts from the newest version, and marks their rows in coverage, so that the next export fetches them
 * again. Brings Delta logs and lake.sql up to date. Reads every part to its end.
 * @throws FilinglakeError `lake-unwritable`, `lake-full`, `lake-newer`, `lake-busy`: nothing is damaged
 */
export function repairLake(lake: Lake, options: { dryRun?: boolean } = {}): Promise<RepairReport> {
  return lake.repair({ ...options, policy: LOSS_POLICY, check: () => checkLake(lake) });
}

const LOSS_POLICY: LossPolicy = {
  mends: ['coverage-without-rows'],
  following: ['window-short'],
  mark: markCoverage,
  correctionOf(name) {
    if (name === 'coverage') {
      const same = 't.accession_number = ours.accession_number AND t.step = ours.step';
      return { among: REPAIRED_COVERAGE, same, rows: `SELECT * FROM ${REPAIRED_COVERAGE}` };
    }
    return ENTITY_TABLES.includes(name) ? { among: LOST_ENTITIES, same: 't.cik = ours.cik', rows: null } : null;
  },
};

/** Makes the temporary tables REPAIRED_COVERAGE and LOST_ENTITIES. */
async function markCoverage(place: LossPlace): Promise<Marked> {
  const { connection, tables } = place;
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${LOST_ENTITIES} (cik VARCHAR)`);
  if (ENTITY_TABLES.every((name) => tables.has(name))) await markEntities(place);
  const entities = await numberOf(connection, `SELECT count(DISTINCT cik) FROM ${LOST_ENTITIES}`);
  const coverage = tables.get('coverage');
  if (!coverage) return { filings: 0, steps: {}, entities };
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${MARKS} (accession_number VARCHAR, step VARCHAR, word VARCHAR, is_lost BOOLEAN)`,
  );
  for (const table of TABLES) {
    const lost = place.lost.filter((one) => one.table === table.name);
    if (lost.length > 0) for (const covered of stepsOf(table)) await markSteps(place, table.name, lost, covered);
  }
  await markWithoutRows(place);
  const ofCoverage = place.lost.filter(({ table }) => table === 'coverage');
  if (ofCoverage.length > 0) await markUncovered(place, ofCoverage);
  await makeRows(connection, coverage);
  const counts = await rowsOf(
    connection,
    `SELECT CASE WHEN step LIKE 'document:%' THEN 'document' ELSE step END AS kind, count(*)::DOUBLE AS n,
       (SELECT count(DISTINCT accession_number) FROM ${REPAIRED_COVERAGE})::DOUBLE AS filings
     FROM ${REPAIRED_COVERAGE} GROUP BY kind ORDER BY kind`,
  );
  return {
    filings: Number(counts[0]?.filings ?? 0),
    steps: Object.fromEntries(counts.map(({ kind, n }) => [String(kind), Number(n)])),
    entities,
  };
}

/** Steps that coverage has as done, that may have had rows in the lost parts, and that have none now. */
async function markSteps(
  place: LossPlace,
  table: string,
  lost: readonly DamagedPart[],
  { step, word }: CoveredBy,
): Promise<void> {
  const { connection, tables } = place;
  const concerned: string[] = [];
  for (const { part } of lost) {
    const brought = await broughtWith(place, part, 'coverage');
    const same = `b.accession_number = c.accession_number AND b.step = c.step`;
    const exact = brought === null ? 'true' : `EXISTS (SELECT 1 FROM ${brought} b WHERE ${same})`;
    concerned.push(`(${inRange(part, 'accession_number', 'c.accession_number')} AND ${exact})`);
  }
  const left =
    step === `c.step LIKE 'document:%'`
      ? `SELECT 1 FROM ${quoteName(table)} t WHERE t.document_id = substr(c.step, 10)`
      : `SELECT 1 FROM (${await wholeRowsLeft(place, table, lost)}) t WHERE t.accession_number = c.accession_number`;
  const descriptor = tableNamed(table)!;
  const forms = isOfAnyForm(descriptor) ? undefined : descriptor.forms?.pattern;
  const form =
    forms === undefined || !tables.has('filings')
      ? 'true'
      : `NOT EXISTS (SELECT 1 FROM filings f WHERE f.accession_number = c.accession_number
           AND NOT regexp_matches(upper(f.form_type), '${forms}'))`;
  const asked =
    word === null
      ? 'true'
      : `list_contains(list_transform(string_split(c.selector, ','), lambda w: split_part(w, ':', 1)), '${word}')`;
  await connection.run(
    `INSERT INTO ${MARKS} SELECT c.accession_number, c.step, ${word === null ? 'NULL' : quoteText(word)}, false
     FROM coverage c WHERE c.status = 'done' AND ${step} AND ${asked} AND ${form}
     AND (${concerned.join(' OR ')}) AND NOT EXISTS (${left})`,
  );
}

/**
 * Rows that show whether a filing has all of its rows in a table. Very long sections are in separate parts: the filing's other
 * sections may be lost while these remain, or the other way round.
 */
async function wholeRowsLeft(
  { storage, tables, snapshot, lost: all }: LossPlace,
  name: string,
  lost: readonly DamagedPart[],
): Promise<string> {
  const table = tables.get(name)!;
  if (table.wide.length === 0) return `SELECT accession_number FROM ${quoteName(name)}`;
  const versions = new Set(lost.map(({ part }) => part.version));
  const gone = new Set(all.map(({ part }) => part.part));
  const parts = [...tableState(snapshot, name).parts.values()].filter(
    (part) => !gone.has(part.part) && !versions.has(part.version) && !isOfOneFiling(part),
  );
  return selectReadable(storage, table, parts);
}

function isOfOneFiling({ stats }: LivePart): boolean {
  const { accession_number: min } = stats.minValues;
  return min !== undefined && min === stats.maxValues.accession_number;
}

/** Rows of another table from the same commit as a part, as a FROM item; null: unknown by now. */
async function broughtWith(place: LossPlace, part: LivePart, table: string): Promise<string | null> {
  if (part.origin !== 'new') return null;
  const change = (await place.readCommit(part.version))?.tables[table];
  const added = change?.add.filter(({ origin }) => origin === 'new') ?? [];
  if (added.length === 0) return null;
  const broken = new Set(place.lost.map((one) => one.part.part));
  for (const { part: name } of added) {
    // Compacted since, and perhaps deleted by a vacuum.
    if (broken.has(name) || (await place.storage.size(partPath(table, name))) === null) return null;
  }
  const paths = added.map(({ part: name }) => partPath(table, name));
  await place.storage.makeReadable(paths);
  return `read_parquet(${quoteList(paths.map((path) => place.storage.url(path)))})`;
}

/** SQL: whether a value is between the smallest and largest of a part's column, as the log has them. */
function inRange({ stats }: LivePart, column: string, value: string): string {
  const [min, max] = [stats.minValues[column], stats.maxValues[column]];
  if (min === undefined || max === undefined) return 'true';
  return `${value} BETWEEN ${quoteText(String(min))} AND ${quoteText(String(max))}`;
}

/** Steps that coverage has as done without rows, for any reason. */
async function markWithoutRows({ connection, tables }: LossPlace): Promise<void> {
  for (const { needs, select } of COVERAGE_WITHOUT_ROWS) {
    if (![needs, 'coverage', 'export_failures'].every((name) => tables.has(name))) continue;
    await connection.run(
      needs !== 'document_contents'
        ? `INSERT INTO ${MARKS} SELECT accession_number, '${needs === 'filings' ? 'filing' : 'forms'}', '${needs}', false FROM (${select})`
        : `INSERT INTO ${MARKS} SELECT c.accession_number, c.step, NULL, false FROM coverage c
           JOIN (${select}) d ON c.step = 'document:' || d.document_id`,
    );
  }
}

/** Rows whose coverage was lost get a new one that marks them as pending, so that they are replaced then. */
async function markUncovered({ connection, tables }: LossPlace, lost: readonly DamagedPart[]): Promise<void> {
  const range = `(${lost.map(({ part }) => inRange(part, 'accession_number', 'accession_number')).join(' OR ')})`;
  const mark = (table: string, step: string, besides = 'true') =>
    tables.has(table)
      ? connection.run(
          `INSERT INTO ${MARKS} SELECT DISTINCT accession_number, ${step} AS s, NULL, true FROM ${table} t
           WHERE ${range} AND ${besides} AND NOT EXISTS
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

/** The coverage of a listing states fewer tables, since each run reads the lookup anyway. Any other step becomes failed. */
async function makeRows(connection: DuckDBConnection, coverage: TableDefinition): Promise<void> {
  const said: Readonly<Record<string, string>> = {
    selector: `array_to_string(list_filter(string_split(c.selector, ','), lambda w: NOT list_contains(m.words, split_part(w, ':', 1))), ',')`,
    status: `CASE WHEN m.failed THEN 'failed' ELSE c.status END`,
  };
  const lost: Readonly<Record<string, string>> = {
    accession_number: 'm.accession_number',
    step: 'm.step',
    selector: `''`,
    revision: `''`,
    status: `CASE WHEN m.step = 'filing' THEN 'done' ELSE 'failed' END`,
    fetched_at: 'now()',
  };
  const columns = (values: (name: string, type: string) => string) =>
    coverage.columns.map(({ name, type }) => `${values(name, type)} AS ${quoteName(name)}`).join(', ');
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE ${REPAIRED_COVERAGE} AS
     WITH marks AS (
       SELECT accession_number, step, bool_or(word IS NULL) AS failed, coalesce(list(word) FILTER (word IS NOT NULL), []) AS words,
         bool_or(is_lost) AS is_lost FROM ${MARKS} GROUP BY ALL)
     SELECT ${columns((name) => said[name] ?? `c.${quoteName(name)}`)} FROM coverage c
     JOIN marks m ON m.accession_number = c.accession_number AND m.step = c.step
     UNION ALL
     SELECT ${columns((name, type) => lost[name] ?? `NULL::${type}`)} FROM marks m WHERE is_lost`,
  );
}

/**
 * Nothing records for which request entities were fetched: those that may lack something are deleted, and the next export fetches
 * them as new.
 */
async function markEntities(place: LossPlace): Promise<void> {
  const { connection, lost } = place;
  const [entities = '', ...others] = ENTITY_TABLES;
  for (const table of others) {
    // Without the entity's own row.
    if (lost.some((one) => one.table === entities))
      await connection.run(
        `INSERT INTO ${LOST_ENTITIES} SELECT DISTINCT cik FROM ${table} WHERE cik NOT IN (SELECT cik FROM ${entities})`,
      );
    for (const { part } of lost.filter((one) => one.table === table)) {
      const brought = await broughtWith(place, part, entities);
      const exact = brought === null ? 'true' : `cik IN (SELECT cik FROM ${brought})`;
      await connection.run(
        `INSERT INTO ${LOST_ENTITIES} SELECT cik FROM ${entities}
         WHERE ${inRange(part, 'cik', 'cik')} AND ${exact} AND cik NOT IN (SELECT cik FROM ${table})`,
      );
    }
  }
}
