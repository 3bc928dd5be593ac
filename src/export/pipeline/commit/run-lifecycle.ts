/** The ends of a run. The start proves that the lake is writable. The end records the run and deletes staged files. */
import { counted, FilinglakeError, quoteText } from '../../../core/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { COUNTED_TABLES, filingsWithout } from '../../../lake/report/index.ts';
import { FORM_TABLES } from '../../../lake/tables/index.ts';
import { UNSTORABLE } from '../failures/failure-log.ts';
import { isKnown } from '../failures/recorded-failures.ts';
import { reportedBy } from '../failures/reported-failures.ts';
import { edgarDaysRead, edgarDaysRows, stageEdgarDays } from '../lookup/edgar-days.ts';
import { unknownValues } from '../lookup/read-list.ts';
import { missingOfRun, passRows } from '../plan/planned-steps.ts';
import { filingsOfNewerMapping, filingsOfOlderMapping } from '../remap/mapping-version.ts';
import { sentOfRun } from '../sent-by-runs.ts';
import type {
  Committed,
  FinishRunRequest,
  LeaveRunRequest,
  OpenedRun,
  RunFinished,
  RunReference,
  StepKind,
} from '../types.ts';
import type { Dependencies } from '../worker/dependencies.ts';
import { refuseOtherFormat } from './document-formats.ts';
import { endRunForIt, finishBatch, stageRun } from './ended-runs.ts';

/** @throws FilinglakeError `lake-unwritable`, `lake-newer`, `format-differs` */
export async function openRun(dependencies: Dependencies, run: RunReference): Promise<OpenedRun> {
  const lake = await dependencies.lakes.openOrMake(run);
  // Checked before any request is spent.
  await lake.proveWritable();
  await refuseNewerMapping(lake, run);
  await refuseOtherFormat(lake, run.definition);
  await stageRun(lake, run, await dependencies.runs.server());
  await stageEdgarDays(dependencies, lake, run);
  return { lake_version: await lake.currentVersion(), lake_id: lake.id };
}

/** This release would replace rows that a newer one made of the same filing. @throws FilinglakeError `lake-newer` */
async function refuseNewerMapping(lake: Lake, { definition }: RunReference): Promise<void> {
  const ofForms: ReadonlySet<string> = new Set(FORM_TABLES);
  if (!definition.tables.some((table) => ofForms.has(table))) return;
  const filings = await filingsOfNewerMapping(lake);
  if (filings === 0) return;
  throw new FilinglakeError(
    'lake-newer',
    `a newer filinglake made the tables of forms of ${counted(filings, 'filing')} in ${lake.root}`,
    { remedy: 'Update filinglake. Exports of other tables and reading work.' },
  );
}

export async function finishRun(
  { budget, lakes, attempt, sent }: Dependencies,
  request: FinishRunRequest,
): Promise<RunFinished> {
  const { run } = request;
  const lake = await lakes.at(run);
  // Open the lake before asking whether the run is recorded: a later commit of another attempt is then found.
  const base_version = await lake.currentVersion();
  if ((await recordedSpending(lake, run.run_id)) === null) await record(lake, request, base_version, attempt);
  const spent = (await recordedSpending(lake, run.run_id))!;
  await budget.leave(run);
  const snapshot = await lake.snapshot();
  const missing = {
    ...(await missingOf(lake, run)),
    missing: await missingOfRun(lake, run),
    without: await filingsWithout((sql) => lake.query(sql, { tables: COUNTED_TABLES })),
    ...(await unverifiedOf(lake, request)),
    ...(await unknownOf(lake, run)),
  };
  const older_mapping = await filingsOfOlderMapping(lake);
  const edgar_days = await edgarDaysRead(lake, run);
  sent.forget(lake, run.run_id);
  if (run.term !== undefined) await lake.turns.end(run.term);
  // Must come last: an attempt that dies earlier is repeated and needs the staged files.
  await lake.dropStaging(run.run_id);
  return {
    lake_version: snapshot.version,
    spent,
    tables: Object.fromEntries(
      [...lake.presentTables(snapshot).keys()].map((table) => {
        const { rows = 0, bytes = 0 } = snapshot.tables.get(table) ?? {};
        return [table, { rows_total: rows, bytes }];
      }),
    ),
    ...missing,
    ...(older_mapping > 0 ? { older_mapping } : {}),
    ...(edgar_days === null ? {} : { edgar_days }),
  };
}

/** A run whose rows of `export_plans` are gone was compared with nothing. */
async function unverifiedOf(
  lake: Lake,
  { run, fetched_steps = 0 }: FinishRunRequest,
): Promise<Pick<RunFinished, 'unverified'>> {
  if (fetched_steps === 0) return {};
  const [row] = await lake.query(`SELECT 1 FROM export_plans WHERE run_id = ${quoteText(run.run_id)} LIMIT 1`);
  return row ? {} : { unverified: fetched_steps };
}

/** What this attempt, or an earlier one, has recorded of the run; null: nothing yet. */
async function recordedSpending(lake: Lake, runId: string): Promise<RunFinished['spent'] | null> {
  const [row] = await lake.query(`SELECT requests, bytes FROM export_runs WHERE run_id = ${quoteText(runId)}`);
  return row ? { requests: Number(row.requests), bytes: Number(row.bytes) } : null;
}

async function record(lake: Lake, request: FinishRunRequest, base_version: number, attempt: number): Promise<void> {
  const { run, state, started_at } = request;
  const batch_id = finishBatch(run.term);
  const counted = await sentOfRun(lake, run.run_id);
  const { rows, replace } = await reportedBy(lake, run);
  const days = await edgarDaysRows(lake, run);
  const writer = lake.openStaging(run.run_id, batch_id, attempt);
  for (const [table, ofDays] of Object.entries(days.rows)) for (const row of ofDays) writer.append(table, row);
  for (const row of rows) writer.append('export_failures', row);
  for (const row of await passRows(lake, run)) writer.append('export_passes', row);
  for (const row of await unknownRows(lake, run)) writer.append('export_unknown', row);
  writer.append('export_runs', {
    run_id: run.run_id,
    export: run.definition.name,
    definition: JSON.stringify(run.definition),
    service: run.definition.service.base_url,
    state,
    started_at,
    ended_at: new Date().toISOString(),
    // The larger: heartbeats lack what was sent before a kill, and the files what was sent before a power cut.
    requests: Math.max(request.requests, counted.requests),
    bytes: Math.max(request.bytes, counted.bytes),
    steps_refreshed: request.steps_refreshed ?? 0,
    steps_unchanged: request.steps_unchanged ?? 0,
  });
  const sealed = await writer.seal();
  await lake.commitFirstSealed({
    run_id: run.run_id,
    batch_id,
    term: run.term,
    base_version,
    segments: sealed ? [sealed] : [],
    replace: [...replace, ...days.replace],
  });
}

/** Values of the run's file of companies that stand for no company of the service. */
async function unknownRows(lake: Lake, run: RunReference) {
  const { kind, values } = await unknownValues(lake, run);
  return values.map((one) => ({ run_id: run.run_id, kind, export: run.definition.name, ...one }));
}

/** Values of the list that the summary names. */
const UNKNOWN_NAMED = 10;

async function unknownOf(lake: Lake, { run_id, definition }: RunReference): Promise<Pick<RunFinished, 'unknown'>> {
  if (definition.select.entity_lists === undefined) return {};
  const rows = await lake.query(
    `SELECT kind, count(*) AS n, list_slice(array_agg(value ORDER BY value), 1, ${UNKNOWN_NAMED}) AS some
     FROM export_unknown WHERE run_id = ${quoteText(run_id)} GROUP BY kind`,
  );
  if (rows.length === 0) return {};
  const [{ kind, n, some }] = rows as [{ kind: string; n: number | bigint; some: unknown }];
  return { unknown: { kind: String(kind), count: Number(n), some: [...(some as Iterable<unknown>)].map(String) } };
}

/** Failure groups in the summary. `export_failures` has them all. */
const GROUPS_MAX = 20;

/** What the lake lacks of the export, and why. */
async function missingOf(
  lake: Lake,
  { run_id, definition }: RunReference,
): Promise<Pick<RunFinished, 'failures' | 'known_failures' | 'retryable' | 'failed' | 'absent'>> {
  const kind = `CASE WHEN step LIKE 'document:%' THEN 'document' ELSE step END`;
  const ofRun = `run_id = ${quoteText(run_id)}`;
  // The record of a filing that the lake has is read again only by a lookup.
  const isOfLookup = `(step = 'filing' AND accession_number IN (SELECT accession_number FROM coverage WHERE step = 'filing'))`;
  const isRetryable = `code <> '${UNSTORABLE}' AND NOT coalesce(${isOfLookup}, false) AND (accession_number IS NOT NULL OR step = 'entity' AND cik = subject AND cik SIMILAR TO '[0-9]+')`;
  const number = (condition: string) => `count(*) FILTER (WHERE ${condition})`;
  const failed = await rowsAbout(
    lake,
    ['export_failures', 'export', definition.name],
    `SELECT ${kind} AS kind, code, count(*) AS n, sum(count(*)) OVER () AS in_all,
       min(subject) AS subject, arg_min(message, subject) AS message,
       ${number(isKnown(run_id))} AS known, sum(known) OVER () AS known_in_all,
       ${number(isRetryable)} AS retryable, sum(retryable) OVER () AS retryable_in_all
     FROM export_failures WHERE export = ${quoteText(definition.name)}
     GROUP BY ALL ORDER BY n DESC, kind, code LIMIT ${GROUPS_MAX}`,
  );
  const absent = await rowsAbout(
    lake,
    ['coverage', 'run_id', run_id],
    `SELECT ${kind} AS kind, count(*) AS n FROM coverage
     WHERE status = 'absent' AND ${ofRun} GROUP BY ALL ORDER BY n DESC, kind`,
  );
  return {
    failures: Number(failed[0]?.in_all ?? 0),
    known_failures: Number(failed[0]?.known_in_all ?? 0),
    retryable: Number(failed[0]?.retryable_in_all ?? 0),
    failed: failed.map((row) => ({
      step: String(row.kind) as StepKind,
      code: String(row.code),
      count: Number(row.n),
      subject: String(row.subject),
      message: String(row.message),
      known: Number(row.known),
    })),
    absent: absent.map((row) => ({ step: String(row.kind) as StepKind, count: Number(row.n) })),
  };
}

/** The rows of a query about one value of a column; none if no part of the table may hold it. */
async function rowsAbout(lake: Lake, [table, column, value]: [string, string, string], sql: string) {
  return (await lake.mayHold(table, column, [value])) ? lake.query(sql) : [];
}

/** A run that ends without completing: returns its unused budget, commits its sealed answers, and records its end. @returns its commits */
export async function leaveRun(
  { budget, lakes, sent, log }: Dependencies,
  { state, ...run }: LeaveRunRequest,
): Promise<Committed[]> {
  await budget.leave(run);
  const lake = await lakes.at(run).catch((error: unknown) => {
    // If the lake is gone or was replaced, it has nothing of this run.
    if (error instanceof FilinglakeError && ['lake-missing', 'lake-replaced'].includes(error.code)) return null;
    throw error;
  });
  if (!lake) return [];
  sent.forget(lake, run.run_id);
  try {
    return await endRunForIt({ log }, lake, { run_id: run.run_id, state });
  } catch (error) {
    log.warn('sealed answers stay in the staging folder until the next run of this lake', { error: String(error) });
    return [];
  }
}
