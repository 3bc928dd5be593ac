/** The figures of a report on a lake: aggregated in DuckDB, a few thousand numbers for a lake of any size. */
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { numberOf, rowsOf } from '../../engine/duckdb.ts';
import type { Lake } from '../../lake.ts';
import { type LakeSnapshot, presentTables, tableState } from '../../log/log.ts';
import type { TableDefinition } from '../../tables/index.ts';
import type { Removed } from '../../upkeep/vacuum.ts';
import { holdWindows, type WindowsReport } from '../check-windows.ts';
import { type FilingsWithout, filingsWithout, WANTED_ROWS } from '../filings-without.ts';
import { type OlderRevisions, olderRevisions } from '../older-revisions.ts';
import { type CoverageFigures, coverageFigures } from './coverage.ts';
import { type DaysOfService, edgarDayFigures } from './edgar-days.ts';

interface TableFigures {
  table: string;
  rows: number;
  bytes: number;
  parts: number;
}

export interface FailureFigures {
  code: string;
  /** Operation of the service: filing_lookup, filing_info, filing_sections, document, entity_lookup. */
  operation: string;
  export: string;
  failures: number;
  first_at: string | null;
  last_at: string | null;
  examples: { subject: string; message: string }[];
}

interface RunFigures {
  run_id: string;
  export: string;
  service: string;
  state: string;
  started_at: string | null;
  ended_at: string | null;
  requests: number;
  bytes: number;
  /** From the run's definition; null if it sets no limit. */
  max_requests: number | null;
  max_bytes: number | null;
}

/** What the lake has of a year. Reports are 10-K, 10-Q, 20-F and 40-F. */
interface YearFigures {
  year: string;
  filings: number;
  companies: number;
  reports: number;
  with_sections: number;
}

/** What the lake has of a company: by the CIK of its filings, under the name of the newest. */
interface CompanyFigures {
  cik: string;
  name: string | null;
  filings: number;
  first: string;
  last: string;
  reports: number;
  with_sections: number;
}

/** Companies with an annual report of a fiscal year, and quarters with a report, by the calendar year that most of the last month is in. */
interface FiscalYearFigures {
  fiscal_year: number;
  companies: number;
  with_statements: number;
  /** Other companies: with annual reports of years before and after, and none of this year */
  skipped: number;
  quarters: number;
  quarters_with_statements: number;
}

export interface LakeReport {
  /** Folder or URL. */
  lake: string;
  name: string;
  made_at: string;
  version: number;
  committed_at: string | null;
  filings: number;
  rows: number;
  bytes: number;
  parts: number;
  first_filing: string | null;
  last_filing: string | null;
  tables: TableFigures[];
  /** The newest first */
  years: YearFigures[];
  /** Most filings first; `companies_in_all` includes those not listed. */
  companies: CompanyFigures[];
  companies_in_all: number;
  /** The newest first. Empty: no export wants statements */
  fiscal_years: FiscalYearFigures[];
  /** Files that a vacuum would delete: no version of the last seven days needs them. */
  superseded: Removed;
  coverage: CoverageFigures;
  /** Steps of an older revision than their filing. */
  older_revisions: OlderRevisions;
  /** Filings with rows of what their exports want of their documents, and without, by reason. */
  without: FilingsWithout[];
  /** By code, operation and export, most first; `failures_in_all` includes those not listed. */
  failures: FailureFigures[];
  failures_in_all: number;
  windows: WindowsReport;
  /** Filings expected and found by the newest windows; expected is null if a service stated no count. */
  expected: number | null;
  found: number;
  /** The newest, newest first; `runs_in_all` includes those not listed. */
  runs: RunFigures[];
  runs_in_all: number;
  /** Days of EDGAR, by service. Empty: no export has the table `edgar_days` */
  edgar_days: DaysOfService[];
}

const EDGAR_DAYS = 'edgar_days';

const FAILURE_KINDS_MAX = 40;
const EXAMPLES_MAX = 3;
const RUNS_MAX = 50;
const COMPANIES_MAX = 100;

interface ReportPlace {
  readonly name: string;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  /** With a view of every table without long texts. */
  readonly connection: DuckDBConnection;
  readonly snapshot: LakeSnapshot;
  readonly superseded: Removed;
}

/** Figures about the newest version of a lake. */
export async function lakeReport(lake: Lake): Promise<LakeReport> {
  const superseded = await lake.superseded();
  // Files of texts are most of a lake. No figure is in them, nor in tables of forms, and they may be far away.
  const narrow = [...lake.tables.values()]
    .filter(({ name, wide, onDemand }) => name === EDGAR_DAYS || (wide.length === 0 && !onDemand))
    .map(({ name }) => name);
  return lake.inspect(
    ({ connection, snapshot }) =>
      lakeFigures({ name: lake.root, tables: lake.tables, connection, snapshot, superseded }, new Date()),
    narrow,
  );
}

/** Reads the figures of one version of a lake. @param madeAt the time in the report */
async function lakeFigures(place: ReportPlace, madeAt: Date): Promise<LakeReport> {
  const { connection, snapshot, name } = place;
  const tables = [...presentTables(place.tables, snapshot).keys()].map((table) => {
    const { rows, bytes, parts } = tableState(snapshot, table);
    return { table, rows, bytes, parts: parts.size };
  });
  const sum = (of: (one: TableFigures) => number) => tables.reduce((total, one) => total + of(one), 0);
  const [span] = await rowsOf<{ first_filing: string | null; last_filing: string | null }>(
    connection,
    'SELECT min(filing_date) AS first_filing, max(filing_date) AS last_filing FROM filings',
  );
  const { report: windows, unprovenDays, expected, found } = await holdWindows(connection);
  const inAll = (name: string, table: string) => numberOf(connection, `SELECT count(${name}) FROM ${table}`);
  return {
    lake: name,
    name: path.basename(path.resolve(name)) || name,
    made_at: madeAt.toISOString(),
    version: snapshot.version,
    committed_at: snapshot.committed_at,
    filings: tableState(snapshot, 'filings').rows,
    rows: sum(({ rows }) => rows),
    bytes: sum(({ bytes }) => bytes),
    parts: sum(({ parts }) => parts),
    ...span!,
    tables,
    superseded: place.superseded,
    years: await yearFigures(connection),
    companies: await companyFigures(connection),
    companies_in_all: await inAll('DISTINCT cik', 'filings'),
    fiscal_years: await fiscalYearFigures(connection),
    coverage: await coverageFigures(connection, unprovenDays),
    older_revisions: await olderRevisions(connection),
    without: await filingsWithout((sql) => rowsOf(connection, sql)),
    failures: await failureFigures(connection),
    failures_in_all: await inAll('*', 'export_failures'),
    windows,
    expected,
    found,
    runs: await runFigures(connection),
    runs_in_all: await inAll('*', 'export_runs'),
    edgar_days: tables.some(({ table }) => table === EDGAR_DAYS) ? await edgarDayFigures(connection) : [],
  };
}

/** `2026-11-21 10:44:10.886+00` as ISO 8601. */
function isoOf(time: string | null): string | null {
  return time === null ? null : new Date(time.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString();
}

const OPERATION = `CASE WHEN step = 'filing' THEN 'filing_lookup' WHEN step = 'info' THEN 'filing_info'
  WHEN step = 'sections' THEN 'filing_sections' WHEN step LIKE 'document:%' THEN 'document'
  WHEN step LIKE 'entit%' THEN 'entity_lookup' ELSE step END`;

/** Filings with what the figures of sections are counted from. */
const REPORTS = `(SELECT *, regexp_matches(form_type, '^(10-?[KQ]|[24]0-F)') AS is_report FROM filings)`;
const COUNTS = `count(*)::DOUBLE AS filings, count(*) FILTER (is_report)::DOUBLE AS reports,
  count(*) FILTER (is_report AND accession_number IN (SELECT accession_number FROM sections))::DOUBLE AS with_sections`;

async function yearFigures(connection: DuckDBConnection): Promise<YearFigures[]> {
  return rowsOf<YearFigures>(
    connection,
    `SELECT coalesce(strftime(filing_date, '%Y'), '') AS year, count(DISTINCT cik)::DOUBLE AS companies, ${COUNTS}
     FROM ${REPORTS} GROUP BY 1 ORDER BY 1 DESC`,
  );
}

async function companyFigures(connection: DuckDBConnection): Promise<CompanyFigures[]> {
  return rowsOf<CompanyFigures>(
    connection,
    `SELECT cik, max_by(entity_name, (filing_date, accession_number)) AS name, coalesce(min(filing_date)::VARCHAR, '') AS first,
       coalesce(max(filing_date)::VARCHAR, '') AS last, ${COUNTS}
     FROM ${REPORTS} WHERE cik IS NOT NULL GROUP BY cik ORDER BY filings DESC, cik LIMIT ${COMPANIES_MAX}`,
  );
}

/** By coverage: tables of statements may be far away. */
async function fiscalYearFigures(connection: DuckDBConnection): Promise<FiscalYearFigures[]> {
  const rows = await rowsOf<FiscalYearFigures>(
    connection,
    `WITH wanted AS (SELECT accession_number, bool_or(reason IS NULL) AS has FROM (${WANTED_ROWS}) WHERE rows = 'statements' GROUP BY 1),
     -- A week into the next month still belongs to the last.
     reports AS (SELECT cik, report_date, year(report_date - 14) AS fiscal_year, form_type LIKE '%Q%' AS is_quarter, has
       FROM filings LEFT JOIN wanted USING (accession_number)
       WHERE removed_at IS NULL AND report_date IS NOT NULL AND regexp_matches(form_type, '^(10-?[KQ]|[24]0-F)')),
     years AS (SELECT DISTINCT cik, fiscal_year FROM reports WHERE NOT is_quarter),
     gaps AS (SELECT unnest(range(fiscal_year + 1, lead(fiscal_year) OVER (PARTITION BY cik ORDER BY fiscal_year))) AS fiscal_year FROM years)
     SELECT fiscal_year, count(DISTINCT cik) FILTER (NOT is_quarter)::DOUBLE AS companies,
       count(DISTINCT cik) FILTER (NOT is_quarter AND has)::DOUBLE AS with_statements, count(*) FILTER (is_quarter IS NULL)::DOUBLE AS skipped,
       count(DISTINCT (cik, report_date)) FILTER (is_quarter)::DOUBLE AS quarters,
       count(DISTINCT (cik, report_date)) FILTER (is_quarter AND has)::DOUBLE AS quarters_with_statements
     FROM (FROM reports UNION ALL BY NAME FROM gaps) WHERE EXISTS (FROM wanted) GROUP BY fiscal_year ORDER BY fiscal_year DESC`,
  );
  return rows.map((row) => ({ ...row, fiscal_year: Number(row.fiscal_year) }));
}

async function failureFigures(connection: DuckDBConnection): Promise<FailureFigures[]> {
  const rows = await rowsOf<FailureFigures>(
    connection,
    `SELECT coalesce(code, '') AS code, ${OPERATION} AS operation, export, count(*)::DOUBLE AS failures, min(failed_at) AS first_at, max(failed_at) AS last_at,
       (list({'subject': subject, 'message': left(coalesce(message, ''), 300)} ORDER BY failed_at DESC, subject))[:${EXAMPLES_MAX}] AS examples
     FROM export_failures GROUP BY ALL ORDER BY failures DESC, code, operation, export LIMIT ${FAILURE_KINDS_MAX}`,
  );
  return rows.map((row) => ({ ...row, first_at: isoOf(row.first_at), last_at: isoOf(row.last_at) }));
}

async function runFigures(connection: DuckDBConnection): Promise<RunFigures[]> {
  const rows = await rowsOf<Omit<RunFigures, keyof Budget> & { definition: string | null }>(
    connection,
    `SELECT run_id, export, coalesce(service, '') AS service, coalesce(state, '') AS state, started_at, ended_at,
       coalesce(requests, 0)::DOUBLE AS requests, coalesce(bytes, 0)::DOUBLE AS bytes, definition FROM export_runs
     ORDER BY started_at DESC NULLS LAST, run_id DESC LIMIT ${RUNS_MAX}`,
  );
  return rows.map(({ definition, ...row }) => {
    const { max_requests = null, max_bytes = null } = budgetOf(definition);
    return { ...row, started_at: isoOf(row.started_at), ended_at: isoOf(row.ended_at), max_requests, max_bytes };
  });
}

interface Budget {
  max_requests?: number | null;
  max_bytes?: number | null;
}

function budgetOf(definition: string | null): Budget {
  try {
    return (JSON.parse(definition ?? '') as { budget?: Budget }).budget ?? {};
  } catch {
    return {};
  }
}
