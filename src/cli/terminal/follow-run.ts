/** Watching a run to its end, or to where it stands still: progress for people, events for scripts, the exit code for both. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, type WorkflowHandle } from '@temporalio/client';
import { EXIT, type ExitCode, FilinglakeError } from '../../core/index.ts';
import { type ExportProgress, stateText } from '../../export/index.ts';
import {
  commandNameOf,
  type ExportRunResult,
  type ExportRuns,
  type RunningWorker,
  type RunStatus,
} from '../../runtime/index.ts';
import { NO_DISPLAY, openRunDisplay } from './run-display.ts';
import { missingText, summaryLine } from './run-summary.ts';
import { leftText } from './run-table.ts';
import { printJson } from './terminal.ts';

export interface FollowOptions {
  json: boolean;
  /** Whether to wait where the month's quota is used up, and where somebody paused the run. */
  wait: boolean;
  /** Whether failures count for the exit code that an earlier run has met too, and that lie in the service's own data. */
  knownCount?: boolean;
  /** Ends the watching, not the run: Ctrl-C. */
  interrupted: AbortSignal;
  worker: RunningWorker | null;
}

const POLL_MS = 500;
/** A server that was killed is back within seconds; longer than this it is away. */
const SERVER_AWAY_MS = 60_000;
/** A worker takes a step within moments; after this long without one, somebody should know. */
const NO_WORKER_MS = 5_000;

export interface Followed {
  exitCode: ExitCode;
  status: RunStatus;
  /** Of the failures that the lake records those that this run met itself. */
  failedNow: number;
}

/** @throws FilinglakeError what the run failed with; `temporal-unreachable` */
export async function followRun(runs: ExportRuns, handle: WorkflowHandle, options: FollowOptions): Promise<Followed> {
  const { json, wait, interrupted, worker } = options;
  const display = json ? NO_DISPLAY : openRunDisplay();
  const notes = new Notes((line) => display.note(line));
  let workerFailed: { error: unknown } | null = null;
  worker?.ended.catch((error: unknown) => {
    workerFailed = { error };
  });
  let lastEvent = '';
  let awaySince: number | null = null;
  const waiting = new WaitForWorker();
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
      display.finish(summaryLine(ended));
      if (json) printJson({ ...doneEvent(ended, result.finished.lake_version), ...missingOf(result) });
      else process.stderr.write(missingText(ended, result.finished, options.knownCount));
      const { windows_unproven, filings_deferred } = result.progress;
      const { failures, known_failures } = result.finished;
      const counted = options.knownCount ? failures : failures - known_failures;
      const isMissing = (result.finished.missing ?? []).length > 0;
      const whole = counted === 0 && windows_unproven === 0 && filings_deferred === 0 && !isMissing;
      const exitCode = whole ? EXIT.complete : EXIT.finishedWithFailures;
      return { exitCode, status: ended, failedNow: result.progress.failures };
    }
    if (json) {
      const event = JSON.stringify({ event: 'progress', id: status.id, state, progress: now });
      if (event !== lastEvent) process.stdout.write(`${event}\n`);
      lastEvent = event;
    }
    const stop = exitOfStandstill(now, wait);
    if (stop !== null || interrupted.aborted) {
      display.finish(stop === null ? `left ${status.id} as it is: ${stateText(now)}` : stateText(now));
      if (!json)
        for (const line of [leftText(now), remedyOf(status)]) if (line) process.stderr.write(`       ${line}\n`);
      if (json) printJson(doneEvent(status, now.last_commit?.version ?? -1));
      return { exitCode: stop ?? EXIT.interrupted, status, failedNow: now.failures };
    }
    notes.state(now);
    // A worker of this command's own is there, or coming.
    if (waiting.isLong(performance.now(), worker !== null || status.worker?.answers !== false)) notes.noWorker();
    display.show(status);
    await sleep(POLL_MS, undefined, { signal: interrupted }).catch(() => {});
  }
}

/** How long nobody has worked on a run that others are to work on. */
export class WaitForWorker {
  #since: number | null = null;

  /** @param at milliseconds of any steady clock */
  isLong(at: number, isServed: boolean): boolean {
    if (isServed) this.#since = null;
    else this.#since ??= at;
    return this.#since !== null && at - this.#since > NO_WORKER_MS;
  }
}

/** The exit code with which a run that stands still is left; null where it is to be waited for. */
export function exitOfStandstill(
  { stopped_by, patient_until = null }: Pick<ExportProgress, 'stopped_by' | 'patient_until'>,
  wait: boolean,
): ExitCode | null {
  if (stopped_by === 'unreachable') return patient_until === null ? EXIT.unreachable : null;
  if (stopped_by === 'crash') return EXIT.error;
  if (stopped_by === 'budget') return EXIT.stoppedByQuota;
  if ((stopped_by === 'quota' || stopped_by === 'pause') && !wait) return EXIT.stoppedByQuota;
  return null;
}

function remedyOf({ id, progress }: RunStatus): string {
  const name = commandNameOf(id);
  if (progress.stopped_by === 'budget') {
    return `what was fetched is in the lake; raise the budget in the definition and export again to continue`;
  }
  if (progress.stopped_by === 'crash') {
    return `the run is kept: check the worker's log and memory, then continue with filinglake resume ${name}`;
  }
  return `the run is kept: filinglake resume ${name} continues it, filinglake cancel ${name} ends it`;
}

/** Says each change of state once, above the progress line. */
class Notes {
  readonly #say: (line: string) => void;
  #last = 'running';
  #saidNoWorker = false;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Once: who waits for a worker knows it then. */
  noWorker(): void {
    if (!this.#saidNoWorker)
      this.#say('no worker answers: it continues when filinglake worker, or up, runs with this key');
    this.#saidNoWorker = true;
  }

  state(progress: ExportProgress): void {
    const text = progress.stopped_by === null ? 'running' : stateText(progress);
    if (text !== this.#last) this.#say(text === 'running' ? 'continuing' : text);
    this.#last = text;
  }
}

/** With every table of the lake, also those that this run wrote nothing to. */
function wholeProgress({ progress, finished }: ExportRunResult): ExportProgress {
  const untouched = Object.entries(finished.tables).map(([name, { rows_total }]) => [
    name,
    { rows_new: 0, rows_replaced: 0, bytes: 0, ...progress.tables[name], rows_total },
  ]);
  return { ...progress, failures: finished.failures, tables: Object.fromEntries(untouched) };
}

/** The last line of `--json`; docs/reference/json-output.md has it field by field. */
function doneEvent({ id, state, progress }: RunStatus, lake_version: number) {
  const { tables, requests, bytes, requests_pending, windows_left, failures, stopped_by, message, waiting_until } =
    progress;
  const { rows_conflicted, filings_deferred } = progress;
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
    requests_pending,
    windows_left,
    failures,
    rows_conflicted,
    filings_deferred,
    lake_version,
  };
}

/** What a completed run's event has besides. */
function missingOf({ finished }: ExportRunResult) {
  const { absent, without_sections, failed, known_failures, retryable, missing = [] } = finished;
  return { absent, without_sections, failed, known_failures, retryable, missing };
}

function serverAway(cause: ServiceError): FilinglakeError {
  return new FilinglakeError('temporal-unreachable', `Temporal doesn't answer: ${cause.message}`, {
    exitCode: EXIT.unreachable,
    remedy: 'the run is kept in its database: filinglake status, or the same export again, when it is back',
    cause,
  });
}
