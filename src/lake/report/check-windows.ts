/** Checks exports' expectations against the lake: windows of lookups, and coverage that says `done`. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../../core/index.ts';
import { numberOf, rowsOf } from '../engine/duckdb.ts';
import { TABLE_GROUPS, tableNamed } from '../tables/index.ts';
import { type EntityQuery, isAnswerable, MatchingEntities } from './matching-entities.ts';
import { type DayRange, type FilingFilter, MatchingFilings } from './matching-filings.ts';

interface UnprovenWindow {
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

interface WindowProblem {
  readonly table: string;
  readonly message: string;
}

export const WINDOW_TABLES = [
  'export_windows',
  'export_runs',
  'export_failures',
  'filings',
  'parties',
  'entities',
  'coverage',
];

/** The filter of a window in `export_windows`, JSON, without its CIKs. */
interface WindowFilter extends FilingFilter {
  items?: string[];
  entity_query?: EntityQuery;
  entities?: EntityQuery | null;
}

export interface HeldWindows {
  report: WindowsReport;
  problems: WindowProblem[];
  /** Days of the windows not proven complete, `YYYY-MM-DD`; null: open. */
  unprovenDays: { from: string | null; to: string | null }[];
  /** Filings expected and found by all windows that rows can answer; expected is null if a service stated no count. */
  expected: number | null;
  found: number;
}

/**
 * Checks the windows of the newest completed run of each export. At least as many rows must match a window's filter as were found, minus
 * recorded failures, and minus filings that have left the filter since. Parts of a filter that rows can't answer are left out: then
 * there may be more rows, but never fewer. Time is linear in windows and rows; memory has a bound, because rows are counted first.
 * @param connection with a view of every table
 */
export async function holdWindows(connection: DuckDBConnection): Promise<HeldWindows> {
  await collectWindows(connection);
  const failures = await failuresByExport(connection);
  const short = new Map<number, ShortWindow>();
  const counts = { checked: 0, checked_in_part: 0 };
  const verdict = (window: Window, found: { rows: number; wider: number; failed: number; whole: boolean }) => {
    const { rows, wider, failed, whole } = found;
    const isExact = rows + failed >= window.found || wider === rows;
    counts[whole && isExact ? 'checked' : 'checked_in_part']++;
    if (wider + failed < window.found)
      short.set(window.n, { ...window, rows, failed, lacking: window.found - wider - failed });
  };
  await overFilings(connection, 'FROM filings', 'true', (window, matching) => {
    const { range, filter, byParties } = window;
    const rows = matching.count(filter, range, 'whole');
    // A filing belongs to every party in its header. If its filing_info failed, they are unknown.
    const failed = (failures.get(window.export)?.filing ?? 0) + (byParties ? failures.info : 0);
    const isShort = rows + failed < window.found;
    // A service may treat a form as a prefix, which includes its amendments.
    const wider = isShort ? matching.count(filter, range, 'begun') : rows;
    const { ciks: _, ...others } = filter.entity_query ?? {};
    const isAsked = Object.values(others).some((values) => values?.length) || (filter.items?.length ?? 0) > 0;
    verdict(window, { rows, wider, failed, whole: !isAsked && (byParties || !window.hasCiks) });
  });
  await overEntities(connection, (window, matching) => {
    const query = window.filter.entities ?? {};
    const rows = matching.count(query);
    const failed = failures.get(window.export)?.entities ?? 0;
    verdict(window, { rows, wider: rows, failed, whole: isAnswerable(query) });
  });
  await excuseMoved(connection, short);
  const problems = [...short.values()].sort((a, b) => a.n - b.n).map(problemOf);
  return { ...(await windowFigures(connection, counts)), problems };
}

interface Window {
  /** Place by run and name. */
  n: number;
  run_id: string;
  window: string;
  export: string;
  of: 'filings' | 'entities';
  filter: WindowFilter;
  range: DayRange;
  hasCiks: boolean;
  /** Whether rows are chosen by the CIKs of their parties. */
  byParties: boolean;
  expected: number | null;
  found: number;
}

interface ShortWindow extends Window {
  rows: number;
  failed: number;
  lacking: number;
}

function problemOf({ of, window, export: name, run_id, expected, found, rows, failed }: ShortWindow): WindowProblem {
  const service = expected === null ? '' : `the service counted ${expected}, `;
  const beside = failed > 0 ? ` beside ${failed} recorded failures` : '';
  const message = `window ${window} of ${name} (run ${run_id}): ${service}${found} were found, and ${of} has ${rows} such rows${beside}`;
  return { table: of, message };
}

const day = (date: string) => `(${date} - DATE '1970-01-01')::INTEGER`;

/** Temporary tables: the windows, and each list of CIKs once. A long definition is read once for each run. */
async function collectWindows(connection: DuckDBConnection): Promise<void> {
  // Ids of runs begin with their time. A retry has no windows.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE newest_runs AS
     SELECT run_id, export, started_at, coalesce(json_contains(TRY_CAST(definition AS JSON)->'$.tables', '"parties"'), false) AS has_parties
     FROM export_runs SEMI JOIN export_windows USING (run_id) WHERE state = 'completed'
     QUALIFY rank() OVER (PARTITION BY export ORDER BY run_id DESC) = 1`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE newest_windows AS
     SELECT row_number() OVER (ORDER BY run_id, "window") AS n, *, CASE WHEN by_parties THEN md5(ciks) ELSE '' END AS list
     FROM (SELECT *, of = 'entities' AND ciks IS NOT NULL OR of = 'filings' AND has_parties AND ciks IS NOT NULL AS by_parties
       FROM (SELECT run_id, "window", date_from, date_to, expected::DOUBLE AS expected, found::DOUBLE AS found, proven, has_parties,
           json_merge_patch(filter, CASE of WHEN 'entities' THEN '{"entities":{"ciks":null}}' ELSE '{"entity_query":{"ciks":null}}' END) AS filter,
           of, nullif(CASE of WHEN 'entities' THEN filter->'$.entities.ciks' ELSE filter->'$.entity_query.ciks' END, '[]')::VARCHAR AS ciks
         FROM (SELECT * EXCLUDE (filter), filter::JSON AS filter, CASE
             WHEN json_type(filter, '$.fulltext') IS NOT NULL OR json_type(filter, '$.accession_numbers') IS NOT NULL THEN 'neither'
             WHEN json_type(filter, '$.entities') IS NOT NULL THEN 'entities' ELSE 'filings' END AS of
           FROM (SELECT * REPLACE (coalesce(filter, '{}') AS filter) FROM export_windows JOIN newest_runs USING (run_id)))))`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE window_lists AS
     SELECT list, any_value(ciks) AS ciks, min(coalesce(${day('date_from')}, -2147483648)) AS day_from,
       max(coalesce(${day('date_to')}, 2147483647)) AS day_to
     FROM newest_windows WHERE list <> '' GROUP BY list`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE window_ciks AS
     SELECT DISTINCT list, ltrim(cik, '0') AS cik FROM (SELECT list, unnest(from_json(ciks, '["VARCHAR"]')) AS cik FROM window_lists)`,
  );
}

async function failuresByExport(connection: DuckDBConnection) {
  const rows = await rowsOf<{ export: string; filing: number; info: number; entities: number }>(
    connection,
    `SELECT export, count(*) FILTER (step = 'filing')::DOUBLE AS filing, count(*) FILTER (step = 'info')::DOUBLE AS info,
       count(*) FILTER (accession_number IS NULL)::DOUBLE AS entities FROM export_failures GROUP BY export`,
  );
  const failures = new Map(rows.map((row) => [row.export, row]));
  // `info` is the number for all exports.
  return { get: (name: string) => failures.get(name), info: rows.reduce((sum, { info }) => sum + info, 0) };
}

/** @param filings FROM and WHERE of the filings to count. @param condition on the windows */
async function overFilings(
  connection: DuckDBConnection,
  filings: string,
  condition: string,
  visit: (window: Window, matching: MatchingFilings) => void,
): Promise<void> {
  const counted = `SELECT accession_number, cik, ${day('filing_date')} AS day, upper(form_type) AS form ${filings}`;
  const ofLists = `SELECT list, accession_number FROM (${counted}) f JOIN window_ciks w ON w.cik = ltrim(f.cik, '0')
    UNION SELECT list, accession_number FROM parties p JOIN window_ciks w ON w.cik = ltrim(p.cik, '0')`;
  await overWindows(connection, {
    of: 'filings',
    condition,
    make: () => new MatchingFilings(),
    visit,
    groups: `SELECT '' AS list, day, form, count(*)::DOUBLE AS rows FROM (${counted}) GROUP BY ALL
      UNION ALL SELECT list, day, form, count(*) FROM (${ofLists}) JOIN (${counted}) USING (accession_number) JOIN window_lists USING (list)
      WHERE day IS NULL OR day BETWEEN day_from AND day_to GROUP BY ALL`,
    order: 'day NULLS FIRST',
    add: (matching, [, day, form, rows]) => matching.add(day as number | null, form as string | null, Number(rows)),
  });
}

async function overEntities(
  connection: DuckDBConnection,
  visit: (window: Window, matching: MatchingEntities) => void,
): Promise<void> {
  const values = ['sic', 'state_of_incorporation', 'entity_type'].map(
    (name) => `upper(coalesce(${name}, '')) AS ${name}`,
  );
  await overWindows(connection, {
    of: 'entities',
    condition: 'true',
    make: () => new MatchingEntities(),
    visit,
    groups: `SELECT '' AS list, ${values.join(', ')}, count(*)::DOUBLE AS rows FROM entities GROUP BY ALL
      UNION ALL SELECT list, ${values.join(', ')}, count(*) FROM entities e JOIN window_ciks w ON w.cik = ltrim(e.cik, '0') GROUP BY ALL`,
    order: 'list',
    add: (matching, [, sic, state, type, rows]) => matching.add([sic, state, type].map(String), Number(rows)),
  });
}

/** A list of CIKs, and its groups of rows. The empty one: windows that ask for no list. */
interface ListOfCiks {
  list: string;
  n: number;
}

/** A window as a query has it: its filter is JSON. */
type HeldRow = Omit<Window, 'of' | 'filter' | 'range'> & DayRange & { filter: string; list: string };

/** Groups of rows in memory at once; a single list may have more. */
const GROUPS_MAX = 500_000;

/** Visits the windows of a kind, each with the counted rows of its list. */
async function overWindows<M>(
  connection: DuckDBConnection,
  {
    of,
    condition,
    groups,
    order,
    make,
    add,
    visit,
  }: {
    of: Window['of'];
    condition: string;
    /** SELECT of a list, the columns that filters ask for, and a number of rows. */
    groups: string;
    order: string;
    make: () => M;
    add: (matching: M, group: readonly unknown[]) => void;
    visit: (window: Window, matching: M) => void;
  },
): Promise<void> {
  const windows = `newest_windows WHERE of = '${of}' AND ${condition}`;
  if ((await numberOf(connection, `SELECT count(*) FROM ${windows}`)) === 0) return;
  await connection.run(`CREATE OR REPLACE TEMP TABLE window_groups AS ${groups}`);
  const lists = await rowsOf<ListOfCiks>(
    connection,
    `SELECT list, coalesce(n, 0)::DOUBLE AS n FROM (SELECT DISTINCT list FROM ${windows})
     LEFT JOIN (SELECT list, count(*) AS n FROM window_groups GROUP BY list) USING (list) ORDER BY list`,
  );
  for (const [first, last] of stretches(lists)) {
    const among = `list BETWEEN ${quoteText(first)} AND ${quoteText(last)}`;
    const byList = new Map<string, M>();
    const matchingOf = (list: string): M => {
      const matching = byList.get(list) ?? make();
      byList.set(list, matching);
      return matching;
    };
    const counted = await connection.stream(`SELECT * FROM window_groups WHERE ${among} ORDER BY ${order}`);
    for await (const rows of counted.yieldRowsJson()) for (const row of rows) add(matchingOf(String(row[0])), row);
    const held = await connection.stream(
      `SELECT n::DOUBLE AS n, run_id, "window", r.export, ${day('date_from')} AS "from", ${day('date_to')} AS "to", filter, list,
         by_parties AS "byParties", ciks IS NOT NULL AS "hasCiks", expected, coalesce(found, 0) AS found
       FROM (SELECT * FROM ${windows} AND ${among}) JOIN newest_runs r USING (run_id)`,
    );
    for await (const rows of held.yieldRowObjectJson())
      for (const { from, to, filter, list, ...row } of rows as unknown as HeldRow[])
        visit({ ...row, of, filter: JSON.parse(filter), range: { from, to } }, matchingOf(list));
  }
}

/** First and last lists of stretches that fit in memory. */
function stretches(lists: readonly ListOfCiks[]): [string, string][] {
  const cut: [string, string][] = [];
  let room = 0;
  for (const { list, n } of lists) {
    room -= n;
    if (room >= 0 && cut.length > 0) cut.at(-1)![1] = list;
    else {
      cut.push([list, list]);
      room = GROUPS_MAX - n;
    }
  }
  return cut;
}

/**
 * Filings leave a filter if their row is replaced: by a run that had not ended when this one began, or by a later one. No more can have
 * left than such runs replaced, nor than there are rows of that time outside the filter. Parties of a filing change with its filing_info.
 * @param short windows that lack rows; those whose lack is explained are removed
 */
async function excuseMoved(connection: DuckDBConnection, short: Map<number, ShortWindow>): Promise<void> {
  const ofFilings = [...short.values()].filter(({ of }) => of === 'filings');
  for (const [run_id, windows] of Map.groupBy(ofFilings, ({ run_id }) => run_id)) {
    const run = quoteText(run_id);
    const [started] = await rowsOf<{ at: string | null }>(
      connection,
      `SELECT started_at::VARCHAR AS at FROM newest_runs WHERE run_id = ${run}`,
    );
    const at = started?.at ?? null;
    // Clocks of two machines may differ.
    const since = (time: string) =>
      at === null ? 'true' : `${time} >= ${quoteText(at)}::TIMESTAMPTZ - INTERVAL 1 HOUR`;
    const replaced = await numberOf(
      connection,
      `SELECT coalesce(sum(moved), 0) FROM export_windows w LEFT JOIN export_runs r USING (run_id)
       WHERE r.ended_at IS NULL OR ${since('r.ended_at')}`,
    );
    const left = new Map(windows.map(({ n }) => [n, 0]));
    const leaving = async (condition: string, atMost: number, byPartiesOnly: boolean) => {
      const filings = `FROM filings SEMI JOIN (SELECT accession_number FROM coverage c WHERE ${condition} AND ${since('c.fetched_at')}) USING (accession_number)`;
      const all = await numberOf(connection, `SELECT count(*) ${filings}`);
      if (all === 0) return;
      await overFilings(connection, filings, `run_id = ${run}`, ({ n, filter, range, byParties }, matching) => {
        const before = left.get(n);
        if (before === undefined || (byPartiesOnly && !byParties)) return;
        left.set(n, before + Math.min(atMost, all - matching.count(filter, range, 'begun')));
      });
    };
    if (replaced > 0) await leaving(`c.step = 'filing'`, replaced, false);
    if (windows.some(({ byParties }) => byParties))
      await leaving(`c.step = 'info' AND c.run_id <> ${run}`, Number.POSITIVE_INFINITY, true);
    for (const { n, lacking } of windows) if (left.get(n)! >= lacking) short.delete(n);
  }
}

async function windowFigures(
  connection: DuckDBConnection,
  counts: Pick<WindowsReport, 'checked' | 'checked_in_part'>,
): Promise<Omit<HeldWindows, 'problems'>> {
  const isUnproven = `(proven IS NOT true OR found < expected)`;
  const [sums] = await rowsOf<{ windows: number; not_checked: number; expected: number | null; found: number }>(
    connection,
    `SELECT count(*)::DOUBLE AS windows, count(*) FILTER (of = 'neither')::DOUBLE AS not_checked,
       CASE WHEN bool_or(of = 'filings' AND expected IS NULL) THEN NULL ELSE coalesce(sum(expected) FILTER (of = 'filings'), 0) END AS expected,
       coalesce(sum(found) FILTER (of = 'filings'), 0) AS found FROM newest_windows`,
  );
  const unproven = await rowsOf<UnprovenWindow>(
    connection,
    `SELECT export, run_id, "window", expected, coalesce(found, 0) AS found FROM newest_windows JOIN newest_runs USING (run_id)
     WHERE ${isUnproven} ORDER BY n`,
  );
  const unprovenDays = await rowsOf<HeldWindows['unprovenDays'][number]>(
    connection,
    `SELECT DISTINCT date_from::VARCHAR AS "from", date_to::VARCHAR AS "to" FROM newest_windows WHERE ${isUnproven} ORDER BY ALL`,
  );
  const { windows, not_checked, expected, found } = sums!;
  return { report: { windows, ...counts, not_checked, unproven }, unprovenDays, expected, found };
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
  return rowsOf<UnfinishedRun>(
    connection,
    `SELECT * FROM (SELECT export, run_id, state FROM export_runs QUALIFY row_number() OVER (PARTITION BY export ORDER BY run_id DESC) = 1)
       WHERE state IS DISTINCT FROM 'completed'
     ${hasWindows ? withoutRow : ''}
     ORDER BY run_id`,
  );
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

/** The table of each form in which every mapped filing has a row. 13F has two, for XML and text, and its table of holdings may come alone. */
function reportTables(): string[] {
  const groups = [...TABLE_GROUPS.values()].map((names) => names.filter((name) => tableNamed(name)!.key.length === 1));
  return groups.flatMap((names) => (names.length === 1 ? names : []));
}
