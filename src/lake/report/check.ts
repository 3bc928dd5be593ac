/** The check of a lake including the exports' records: windows, planned steps and coverage against the rows. */
import { counted } from '../../core/index.ts';
import { rowsOf } from '../engine/duckdb.ts';
import type { Lake } from '../lake.ts';
import type { AuditPlace, LakeCheckReport as LakeFilesReport } from '../upkeep/check.ts';
import {
  COVERAGE_WITHOUT_ROWS,
  holdWindows,
  type UnfinishedRun,
  unfinishedRuns,
  WINDOW_TABLES,
  type WindowsReport,
} from './check-windows.ts';
import { lackingSteps, type PendingSteps, STEP_TABLES } from './expected-steps.ts';
import { type FilingsWithout, filingsWithout, mayCount } from './filings-without.ts';
import { type FailureCounts, failureCounts } from './known-failures.ts';
import { type OlderRevisions, olderRevisions } from './older-revisions.ts';

export interface LakeCheckReport extends LakeFilesReport {
  /** The services' counts, against the rows; null if the lake has no tables for that. */
  readonly windows: WindowsReport | null;
  /** Steps of an older revision than their filing: no fault. Null if the lake has no table for that, or it can't be read. */
  readonly older_revisions: OlderRevisions | null;
  /** Steps that runs planned and that are not fetched, of runs that have not completed: no fault. Null as above. */
  readonly pending: readonly PendingSteps[] | null;
  /** The newest run of each export, if it has not completed: no fault. Null as above. */
  readonly unfinished: readonly UnfinishedRun[] | null;
  /** Filings with and without rows of what exports want of their documents, and why: no fault. Null as above. */
  readonly without: readonly FilingsWithout[] | null;
  readonly failures: number;
  /** Those failures that a completed run has reported, in the service's own data. */
  readonly known_failures: number;
  readonly verdict: Verdict;
}

/**
 * `complete`: everything that the exports want is there. `known-failures`: everything but known failures. `incomplete`: undamaged, but a
 * run has not completed, a window is not proven complete, or a request failed that may succeed. `wrong`: there are problems. `empty`:
 * nothing was ever committed, or no filing and no company was found.
 */
type Verdict = 'empty' | 'complete' | 'known-failures' | 'incomplete' | 'wrong';

/** Checks everything, and continues after a problem. @throws FilinglakeError only if nothing can be read at all */
export async function checkLake(lake: Lake): Promise<LakeCheckReport> {
  let windows: WindowsReport | null = null;
  let older_revisions: OlderRevisions | null = null;
  let pending: readonly PendingSteps[] | null = null;
  let unfinished: readonly UnfinishedRun[] | null = null;
  let without: readonly FilingsWithout[] | null = null;
  let counts: FailureCounts = { failures: 0, known_failures: 0 };
  const report = await lake.check(async (place) => {
    await auditCoverage(place);
    windows = await auditWindows(place);
    pending = await auditSteps(place);
    older_revisions = await ofTable(place, 'coverage', olderRevisions);
    unfinished = await ofTable(place, 'export_runs', (connection) =>
      unfinishedRuns(connection, place.tables.has('export_windows')),
    );
    if (mayCount(place.tables))
      without = await ofTable(place, 'coverage', (connection) => filingsWithout((sql) => rowsOf(connection, sql)));
    counts = (await ofTable(place, 'export_failures', failureCounts)) ?? counts;
  });
  const { unnamed, scratch, ...before } = report;
  const found = { windows, older_revisions, pending, unfinished, without, ...counts };
  return { ...before, verdict: verdictOf(report, found), ...found, unnamed, scratch };
}

/** Without rows in these, nothing was found. */
const HELD = ['filings', 'entities', 'edgar_days'];

function verdictOf(
  { ok, version, tables }: LakeFilesReport,
  found: Pick<LakeCheckReport, 'windows' | 'pending' | 'unfinished' | 'failures' | 'known_failures'>,
): Verdict {
  if (!ok) return 'wrong';
  if (version < 0) return 'empty';
  const { windows, pending, unfinished, failures, known_failures } = found;
  const open = [...(windows?.unproven ?? []), ...(pending ?? []), ...(unfinished ?? [])];
  if (open.length > 0 || failures > known_failures) return 'incomplete';
  if (failures > 0) return 'known-failures';
  return HELD.some((name) => (tables[name]?.rows ?? 0) > 0) ? 'complete' : 'empty';
}

async function auditWindows({ connection, tables, problem, reading }: AuditPlace): Promise<WindowsReport | null> {
  if (!WINDOW_TABLES.every((name) => tables.has(name))) return null;
  let report: WindowsReport | null = null;
  await reading('export_windows', async () => {
    const held = await holdWindows(connection);
    for (const { table, message } of held.problems) problem('window-short', table, message);
    report = held.report;
  });
  return report;
}

async function auditSteps({
  connection,
  tables,
  problem,
  reading,
}: AuditPlace): Promise<readonly PendingSteps[] | null> {
  if (!STEP_TABLES.every((name) => tables.has(name))) return null;
  let pending: readonly PendingSteps[] | null = null;
  await reading('export_plans', async () => {
    const lacking = await lackingSteps(connection);
    for (const { export: name, run_id, pass, steps, examples } of lacking.missing) {
      const what = `${counted(steps, 'step')} of ${pass}`;
      problem(
        'steps-missing',
        'coverage',
        `run ${run_id} of ${name} completed, and the lake lacks ${what} that it planned: ${examples.join(', ')}. Run the export again`,
      );
    }
    pending = lacking.pending;
  });
  return pending;
}

/** Null if the lake has no such table, or it can't be read. */
async function ofTable<T>(
  { connection, tables, reading }: AuditPlace,
  table: string,
  read: (connection: AuditPlace['connection']) => Promise<T>,
): Promise<T | null> {
  if (!tables.has(table)) return null;
  let found: T | null = null;
  await reading(table, async () => {
    found = await read(connection);
  });
  return found;
}

async function auditCoverage({ tables, offenders, reading }: AuditPlace): Promise<void> {
  for (const { what, needs, select } of COVERAGE_WITHOUT_ROWS) {
    if (![needs, 'coverage', 'export_failures'].every((name) => tables.has(name))) continue;
    await reading('coverage', () =>
      offenders(
        select,
        (count, examples) => `coverage has ${count} ${what} as done, and ${needs} lacks them: ${examples}`,
        'coverage-without-rows',
        needs,
      ),
    );
  }
}
