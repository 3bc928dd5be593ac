/** Watching a run to its end, or to where it stands still: progress for people, events for scripts, the exit code for both. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, type WorkflowHandle } from '@temporalio/client';
import { EXIT, type ExitCode, FilinglakeError } from '../contract/index.ts';
import { type ExportProgress, stateText } from '../export/index.ts';
import type { ExportRunResult, ExportRuns, RunningWorker, RunStatus } from '../runtime/index.ts';
import { formatBytes, formatCount, formatDuration, formatTable, openProgress, printJson } from './terminal.ts';

export interface FollowOptions {
  json: boolean;
  /** Whether to wait where the month's quota is used up, and where somebody paused the run. */
  wait: boolean;
  /** Ends the watching, not the run: Ctrl-C. */
  interrupted: AbortSignal;
  worker: RunningWorker | null;
}

const POLL_MS = 500;
/** A server that was killed is back within seconds; longer than this it is away. */
const SERVER_AWAY_MS = 60_000;

export interface Followed {
  exitCode: ExitCode;
  status: RunStatus;
}

/** @throws FilinglakeError what the run failed with; `temporal-unreachable` */
export async function followRun(runs: ExportRuns, handle: WorkflowHandle, options: FollowOptions): Promise<Followed> {
  const { json, wait, interrupted, worker } = options;
  const progress = openProgress({ label: 'exporting', unit: 'filings', silent: json });
  const notes = new Notes(json ? null : (line) => progress.note(line));
  let workerFailed: { error: unknown } | null = null;
  worker?.ended.catch((error: unknown) => {
    workerFailed = { error };
  });
  let lastEvent = '';
  let awaySince: number | null = null;
  for (;;) {
    if (workerFailed) throw (workerFailed as { error: unknown }).error;
    let status: RunStatus;
    try {
      status = await runs.status(handle);
      awaySince = null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      awaySince ??= Date.now();
      if (interrupted.aborted || Date.now() - awaySince > SERVER_AWAY_MS) throw serverAway(error);
      await sleep(POLL_MS);
      continue;
    }
    const { state, progress: now } = status;
    if (state === 'completed' || state === 'failed' || state === 'cancelled') {
      if (json && state !== 'completed') printJson(doneEvent(status, now.last_commit?.version ?? -1));
      const result = await runs.result(handle);
      const ended: RunStatus = { ...status, progress: wholeProgress(result) };
      progress.finish(summaryLine(ended));
      if (json) printJson(doneEvent(ended, result.finished.lake_version));
      const whole = result.finished.failures === 0 && result.progress.windows_unproven === 0;
      return { exitCode: whole ? EXIT.complete : EXIT.finishedWithFailures, status: ended };
    }
    if (json) {
      const event = JSON.stringify({ event: 'progress', id: status.id, state, progress: now });
      if (event !== lastEvent) process.stdout.write(`${event}\n`);
      lastEvent = event;
    }
    const stop = exitOfStandstill(now, wait);
    if (stop !== null || interrupted.aborted) {
      progress.finish(stop === null ? `left ${status.id} as it is: ${stateText(now)}` : stateText(now));
      if (!json) process.stderr.write(`       ${remedyOf(status)}\n`);
      if (json) printJson(doneEvent(status, now.last_commit?.version ?? -1));
      return { exitCode: stop ?? EXIT.interrupted, status };
    }
    notes.state(now);
    progress.update(now.filings_known + now.filings_fetched, detail(now), now.filings_found || undefined);
    await sleep(POLL_MS, undefined, { signal: interrupted }).catch(() => {});
  }
}

/** The exit code with which a run that stands still is left; null where it is to be waited for. */
function exitOfStandstill({ stopped_by }: ExportProgress, wait: boolean): ExitCode | null {
  if (stopped_by === 'unreachable') return EXIT.unreachable;
  if (stopped_by === 'budget') return EXIT.stoppedByQuota;
  if ((stopped_by === 'quota' || stopped_by === 'pause') && !wait) return EXIT.stoppedByQuota;
  return null;
}

function remedyOf({ name, progress }: RunStatus): string {
  if (progress.stopped_by === 'budget') {
    return `what was fetched is in the lake; raise budget in the definition and export again, and it goes on where it stopped`;
  }
  return `the run is kept: filinglake resume ${name} goes on with it, filinglake cancel ${name} ends it`;
}

/** Says each change of state once, above the progress line. */
class Notes {
  readonly #say: ((line: string) => void) | null;
  #last = 'running';

  constructor(say: ((line: string) => void) | null) {
    this.#say = say;
  }

  state(progress: ExportProgress): void {
    const text = progress.stopped_by === null ? 'running' : stateText(progress);
    if (text !== this.#last) this.#say?.(text === 'running' ? 'going on' : text);
    this.#last = text;
  }
}

function detail(progress: ExportProgress): string {
  const parts = [`${formatCount(progress.requests)} requests`, formatBytes(progress.bytes)];
  if (progress.retries > 0) parts.push(`${formatCount(progress.retries)} retried`);
  if (progress.failures > 0) parts.push(`${formatCount(progress.failures)} failed`);
  const left = progress.quota?.requests_left;
  if (left !== null && left !== undefined) parts.push(`${formatCount(left)} of the quota left`);
  if (progress.last_commit) parts.push(`version ${progress.last_commit.version}`);
  return parts.join(' · ');
}

function summaryLine({ id, progress }: RunStatus): string {
  const { filings_found, filings_known, requests, bytes, working_ms, failures, windows_unproven } = progress;
  const parts = [
    `${id} completed`,
    `${formatCount(filings_found)} filings found, ${formatCount(filings_known)} of them known`,
    `${formatCount(requests)} requests, ${formatBytes(bytes)} in ${formatDuration(working_ms / 1000)}`,
  ];
  if (failures > 0) parts.push(`${formatCount(failures)} failures: SELECT * FROM export_failures`);
  if (windows_unproven > 0)
    parts.push(`${formatCount(windows_unproven)} windows not proven whole: SELECT * FROM export_windows`);
  return parts.join(' · ');
}

/** With every table of the lake, also those that this run wrote nothing to. */
function wholeProgress({ progress, finished }: ExportRunResult): ExportProgress {
  const untouched = Object.entries(finished.tables).map(([name, { rows_total }]) => [
    name,
    { rows_new: 0, rows_replaced: 0, bytes: 0, ...progress.tables[name], rows_total },
  ]);
  return { ...progress, failures: finished.failures, tables: Object.fromEntries(untouched) };
}

/** The last line of `--json`; docs/json-output.md has it field by field. */
function doneEvent({ id, state, progress }: RunStatus, lake_version: number) {
  const { tables, requests, bytes, failures, stopped_by, message, waiting_until } = progress;
  return {
    event: 'done',
    id,
    state,
    stopped_by,
    message,
    waiting_until,
    tables,
    requests,
    bytes,
    failures,
    lake_version,
  };
}

/** What a run wrote, table by table. */
export function tablesText({ tables }: ExportProgress): string {
  const rows = Object.entries(tables)
    .filter(([, { rows_new, rows_replaced }]) => rows_new + rows_replaced > 0)
    .map(([table, { rows_new, rows_replaced, rows_total, bytes }]) => ({
      table,
      new: formatCount(rows_new),
      replaced: formatCount(rows_replaced),
      'in all': formatCount(rows_total),
      written: formatBytes(bytes),
    }));
  return rows.length === 0 ? 'nothing was new\n' : formatTable(rows, ['table', 'new', 'replaced', 'in all', 'written']);
}

function serverAway(cause: ServiceError): FilinglakeError {
  return new FilinglakeError('temporal-unreachable', `Temporal doesn't answer: ${cause.message}`, {
    exitCode: EXIT.unreachable,
    remedy: 'the run is kept in its database: filinglake status, or the same export again, when it is back',
    cause,
  });
}
