/** Checks exports' expectations against the lake: windows of lookups, and coverage that says `done`. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { type JsonRow, numberOf, quoteText, rowsOf } from '../lake/index.ts';
import { TABLE_GROUPS, tableNamed } from '../tables/index.ts';

export interface UnprovenWindow {
  readonly export: string;
  readonly run_id: string;
  readonly window: string;
  /** Filings that the service counted, and that were found; null if the service stated no count. */
  readonly expected: number | null;
  readonly found: number;
}

export interface WindowsReport {
  /** Windows of the newest completed run of each export. Others are tallies of a past moment. */
  readonly windows: number;
  /** Checked against the rows that match the window's whole filter. */
  readonly checked: number;
  /** Checked against the rows that match a part of the filter: the lake may lack their tickers, names or items. */
  readonly checked_in_part: number;
  /** Full-text searches and lists of numbers: rows can't show their expected result. */
  readonly not_checked: number;
  readonly unproven: readonly UnprovenWindow[];
}

export interface WindowProblem {
  readonly table: string;
  readonly message: string;
}

interface Run {
  readonly export: string;
  readonly run_id: string;
  readonly started_at: string;
  readonly tables: readonly string[];
}

/** The filter of a window in `export_windows`, JSON. */
interface WindowFilter {
  form_types?: string[];
  excluded_form_types?: string[];
  exclude_amendments?: boolean;
  items?: string[];
  entity_query?: EntityQuery;
  entities?: EntityQuery | null;
  fulltext?: unknown;
  accession_numbers?: unknown;
}
type EntityQuery = Record<string, string[] | undefined>;

/** Tables that the check of windows needs. */
export const WINDOW_TABLES = [
  'export_windows',
  'export_runs',
  'export_failures',
  'filings',
  'parties',
  'entities',
  'coverage',
];

/**
 * Checks the windows of the newest completed run of each export. At least as many rows must match a window's filter as were found, minus
 * recorded failures, and minus filings that have left the filter since. Parts of a filter that rows can't answer are left out: then
 * there may be more rows, but never fewer.
 * @param connection with a view of every table
 * @returns also the filings expected and found by all of those windows; expected is null if a service stated no count
 */
export async function holdWindows(
  connection: DuckDBConnection,
): Promise<{ report: WindowsReport; problems: WindowProblem[]; expected: number | null; found: number }> {
  // Ids of runs begin with their time. A retry has no windows.
  const windows = await rowsOf(
    connection,
    `SELECT w.run_id, "window", date_from, date_to, filter, expected::DOUBLE AS expected, found::DOUBLE AS found, proven,
       r.export, r.definition, r.started_at::VARCHAR AS started_at
     FROM export_windows w JOIN export_runs r ON r.run_id = w.run_id AND r.state = 'completed'
     QUALIFY rank() OVER (PARTITION BY r.export ORDER BY w.run_id DESC) = 1
     ORDER BY w.run_id, "window"`,
  );
  // There are many windows, each with its days and forms.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE filings_by_day AS
     SELECT filing_date, upper(form_type) AS form_type, count(*) AS n FROM filings GROUP BY ALL`,
  );
  const problems: WindowProblem[] = [];
  const unproven: UnprovenWindow[] = [];
  const sums: { expected: number | null; found: number } = { expected: 0, found: 0 };
  const counts = { checked: 0, checked_in_part: 0, not_checked: 0 };
  for (const row of windows) {
    const { export: of, run_id, started_at } = row;
    const run: Run = {
      ...{ export: String(of), run_id: String(run_id), started_at: String(started_at ?? '') },
      tables: tablesOf(row.definition),
    };
    const found = Number(row.found ?? 0);
    const expected = row.expected === null || row.expected === undefined ? null : Number(row.expected);
    const name = { export: run.export, run_id: run.run_id, window: String(row.window) };
    if (row.proven !== true || (expected !== null && found < expected)) unproven.push({ ...name, expected, found });
    const holding = holdingOf(row, run);
    if (holding === null) {
      counts.not_checked++;
      continue;
    }
    if (holding.table === 'filings') {
      sums.expected = sums.expected === null || expected === null ? null : sums.expected + expected;
      sums.found += found;
    }
    const rows = await numberOf(connection, holding.count);
    const failed = rows < found ? await numberOf(connection, holding.failures) : 0;
    const short = rows + failed < found;
    const wider = short && holding.wider !== null ? await numberOf(connection, holding.wider) : rows;
    counts[holding.whole && (!short || wider === rows) ? 'checked' : 'checked_in_part']++;
    if (wider + failed >= found) continue;
    if (wider + failed + (await numberOf(connection, holding.left)) >= found) continue;
    const service = expected === null ? '' : `the service counted ${expected}, `;
    problems.push({
      table: holding.table,
      message: `window ${name.window} of ${name.export} (run ${name.run_id}): ${service}${found} were found, and ${holding.table} has ${rows} such rows${failed > 0 ? ` beside ${failed} recorded failures` : ''}`,
    });
  }
  return { report: { windows: windows.length, ...counts, unproven }, problems, ...sums };
}

export interface UnfinishedRun {
  /** Null if the run has no row in `export_runs`: it is active, or it never ended. */
  readonly export: string | null;
  readonly run_id: string;
  readonly state: string | null;
}

/**
 * The newest run of each export, if it has not completed: its windows are not the measure of anything. A run without a row counts if it
 * read windows after the last completed run began.
 */
export async function unfinishedRuns(connection: DuckDBConnection, hasWindows: boolean): Promise<UnfinishedRun[]> {
  const withoutRow = `UNION ALL SELECT DISTINCT NULL, run_id, NULL FROM export_windows w ANTI JOIN export_runs r USING (run_id)
       WHERE run_id > (SELECT coalesce(max(run_id), '') FROM export_runs WHERE state = 'completed')`;
  const rows = await rowsOf(
    connection,
    `SELECT * FROM (SELECT export, run_id, state FROM export_runs QUALIFY row_number() OVER (PARTITION BY export ORDER BY run_id DESC) = 1)
       WHERE state IS DISTINCT FROM 'completed'
     ${hasWindows ? withoutRow : ''}
     ORDER BY run_id`,
  );
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  return rows.map(({ export: name, run_id, state }) => ({
    ...{ export: text(name), run_id: String(run_id), state: text(state) },
  }));
}

interface Holding {
  table: 'filings' | 'entities';
  /** SQL that counts the rows, and the failures that excuse missing ones. */
  count: string;
  failures: string;
  /** SQL that counts at most the rows that matched when the window was read, and no longer do. */
  left: string;
  /** SQL that counts them for a service that treats a form as a prefix, which includes its amendments; null: the same. */
  wider: string | null;
  /** Whether the rows match the whole filter. */
  whole: boolean;
}

function holdingOf(row: JsonRow, run: Run): Holding | null {
  const filter = JSON.parse(String(row.filter ?? '{}')) as WindowFilter;
  if (filter.fulltext !== undefined || filter.accession_numbers !== undefined) return null;
  const ofExport = `export = ${quoteText(run.export)}`;
  if ('entities' in filter) {
    const { conditions, whole } = entityConditions(filter.entities ?? {});
    return {
      table: 'entities',
      count: `SELECT count(*) FROM entities WHERE ${conditions.join(' AND ')}`,
      failures: `SELECT count(*) FROM export_failures WHERE ${ofExport} AND accession_number IS NULL`,
      left: 'SELECT 0',
      wider: null,
      whole,
    };
  }
  const { ciks, ...others } = filter.entity_query ?? {};
  const askedOthers = Object.values(others).some((values) => (values?.length ?? 0) > 0);
  const byParties = ciks !== undefined && run.tables.includes('parties');
  const whole = !askedOthers && (filter.items?.length ?? 0) === 0 && (ciks === undefined || byParties);
  const failures = [`${ofExport} AND step = 'filing'`];
  // A filing belongs to every party in its header. If its filing_info failed, they are unknown.
  if (byParties) failures.push(`step = 'info'`);
  const counting = (forms: 'whole' | 'begun') => countOf(filingConditions(row, filter, forms), byParties ? ciks : null);
  const wider = filter.form_types?.length ? counting('begun') : null;
  const left = leftSince(
    run,
    filingConditions(row, filter, wider === null ? 'whole' : 'begun'),
    byParties ? ciks : null,
  );
  return { table: 'filings', count: counting('whole'), failures: failuresOf(failures), left, wider, whole };
}

function countOf(conditions: readonly string[], ciks: readonly string[] | null): string {
  if (ciks === null) return `SELECT coalesce(sum(n), 0) FROM filings_by_day WHERE ${conditions.join(' AND ')}`;
  return `SELECT count(*) FROM (${matching(conditions, ciks)})`;
}

/** SELECT of the filings that match. */
function matching(conditions: readonly string[], ciks: readonly string[] | null): string {
  const filings = `SELECT accession_number FROM (SELECT * REPLACE (upper(form_type) AS form_type) FROM filings) WHERE ${conditions.join(' AND ')}`;
  if (ciks === null) return filings;
  const among = `ltrim(cik, '0') IN (${textList(ciks.map((cik) => cik.replace(/^0+/, '')))})`;
  return `${filings} AND (${among} OR accession_number IN (SELECT accession_number FROM parties WHERE ${among}))`;
}

/**
 * Filings leave a filter if their row is replaced: by a run that had not ended when this one began, or by a later one. No more can have
 * left than such runs replaced, nor than there are rows of that time outside the filter. Parties of a filing change with its filing_info.
 */
function leftSince({ run_id, started_at }: Run, conditions: readonly string[], ciks: readonly string[] | null): string {
  // Clocks of two machines may differ.
  const since = (time: string) =>
    started_at === '' ? 'true' : `${time} >= ${quoteText(started_at)}::TIMESTAMPTZ - INTERVAL 1 HOUR`;
  const outside = (step: string) => `SELECT count(*) FROM filings JOIN coverage c USING (accession_number)
    WHERE c.step = '${step}' AND ${since('c.fetched_at')} AND accession_number NOT IN (${matching(conditions, ciks)})`;
  const replaced = `SELECT coalesce(sum(moved), 0) FROM export_windows w LEFT JOIN export_runs r USING (run_id)
    WHERE r.ended_at IS NULL OR ${since('r.ended_at')}`;
  const moved = `SELECT least((${outside('filing')}), (${replaced}))`;
  return ciks === null ? moved : `${moved} + (${outside('info')} AND c.run_id <> ${quoteText(run_id)})`;
}

function failuresOf(conditions: readonly string[]): string {
  return `SELECT count(*) FROM export_failures WHERE ${conditions.map((one) => `(${one})`).join(' OR ')}`;
}

/** A record may lack the filtered member and still have been found: the service knew its value. */
function filingConditions(row: JsonRow, filter: WindowFilter, forms: 'whole' | 'begun'): string[] {
  const conditions = ['true'];
  const given = (column: string, condition: string) => conditions.push(`(${column} IS NULL OR ${condition})`);
  const upper = (forms: readonly string[]) => textList(forms.map((form) => form.toUpperCase()));
  if (row.date_from) given('filing_date', `filing_date >= ${quoteText(String(row.date_from))}`);
  if (row.date_to) given('filing_date', `filing_date <= ${quoteText(String(row.date_to))}`);
  if (filter.form_types?.length) {
    const begun = filter.form_types
      .map((form) => `starts_with(form_type, ${quoteText(form.toUpperCase())})`)
      .join(' OR ');
    given('form_type', forms === 'whole' ? `form_type IN (${upper(filter.form_types)})` : `(${begun})`);
  }
  if (filter.excluded_form_types?.length) given('form_type', `form_type NOT IN (${upper(filter.excluded_form_types)})`);
  if (filter.exclude_amendments) given('form_type', `form_type NOT LIKE '%/A'`);
  return conditions;
}

const ENTITY_COLUMNS: Readonly<Record<string, string>> = {
  sics: 'sic',
  states: 'state_of_incorporation',
  entity_types: 'entity_type',
  ciks: `ltrim(cik, '0')`,
};

function entityConditions(query: EntityQuery): { conditions: string[]; whole: boolean } {
  const conditions = ['true'];
  let whole = true;
  for (const [name, values] of Object.entries(query)) {
    if (!values?.length) continue;
    const column = ENTITY_COLUMNS[name];
    if (column === undefined) whole = false;
    else {
      const asked = name === 'ciks' ? values.map((cik) => cik.replace(/^0+/, '')) : values;
      conditions.push(
        `(${column} IS NULL OR ${column} = '' OR upper(${column}) IN (${textList(asked.map((one) => one.toUpperCase()))}))`,
      );
    }
  }
  return { conditions, whole };
}

function textList(values: readonly string[]): string {
  return values.map(quoteText).join(', ');
}

function tablesOf(definition: unknown): string[] {
  try {
    const { tables } = JSON.parse(String(definition)) as { tables?: unknown };
    return Array.isArray(tables) ? tables.map(String) : [];
  } catch {
    return [];
  }
}

/** SELECTs of steps that coverage calls `done` although they have no rows, and no failure explains it. */
export const COVERAGE_WITHOUT_ROWS: readonly { what: string; needs: string; select: string }[] = [
  {
    what: 'lookups of filings',
    needs: 'filings',
    select: `SELECT c.accession_number FROM coverage c
      ANTI JOIN filings f ON f.accession_number = c.accession_number
      ANTI JOIN export_failures e ON e.step = 'filing' AND e.subject = c.accession_number
      WHERE c.status = 'done' AND c.step = 'filing' AND list_contains(string_split(c.selector, ','), 'filings')`,
  },
  {
    what: 'contents of documents',
    needs: 'document_contents',
    select: `SELECT substr(c.step, 10) AS document_id FROM coverage c
      ANTI JOIN document_contents d ON d.document_id = substr(c.step, 10)
      ANTI JOIN export_failures e ON e.step = c.step AND e.subject = substr(c.step, 10)
      WHERE c.status = 'done' AND c.step LIKE 'document:%'`,
  },
  ...reportTables().map((needs) => ({
    what: `forms of ${needs}`,
    needs,
    select: `SELECT c.accession_number FROM coverage c ANTI JOIN ${needs} r ON r.accession_number = c.accession_number
      WHERE c.status = 'done' AND c.step = 'forms' AND list_contains(string_split(c.selector, ','), '${needs}')`,
  })),
];

/** Of forms the table that every mapped filing has a row in. 13F has two, of XML and of text, and a table of holdings may come alone. */
function reportTables(): string[] {
  const groups = [...TABLE_GROUPS.values()].map((names) => names.filter((name) => tableNamed(name)!.key.length === 1));
  return groups.flatMap((names) => (names.length === 1 ? names : []));
}
