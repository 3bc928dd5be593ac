/** Watches a run until it ends or stops: progress for people, events for scripts, the exit code for both. */
import type { WorkflowHandle } from '@temporalio/client';
import { EXIT, type ExitCode } from '../../core/index.ts';
import { type ExportProgress, stateText } from '../../export/index.ts';
import {
  commandNameOf,
  type ExportRunResult,
  type ExportRuns,
  exitOfResult,
  exitOfStandstill,
  type RunStatus,
  type WatchOptions,
  watchRun,
} from '../../export/runtime/index.ts';
import { NO_DISPLAY, openRunDisplay } from './run-display.ts';
import { leftText } from './run-table.ts';
import { printJson } from './terminal.ts';

interface FollowOptions extends WatchOptions {
  json: boolean;
  /** Whether known failures count for the exit code. */
  knownCount?: boolean;
}

/** A worker takes a step within moments; after this long without one, print a warning. */
const NO_WORKER_MS = 5_000;

interface Followed {
  exitCode: ExitCode;
  status: RunStatus;
  /** The lake's failures without the known ones. */
  failedNow: number;
}

/** @throws FilinglakeError the run's error; `temporal-unreachable` */
export async function followRun(runs: ExportRuns, handle: WorkflowHandle, options: FollowOptions): Promise<Followed> {
  const { json, worker } = options;
  const display = json ? NO_DISPLAY : openRunDisplay();
  const notes = new Notes((line) => display.note(line));
  const waiting = new WaitForWorker();
  const watching = watchRun(runs, handle, options);
  let lastEvent = '';
  let next = await watching.next();
  for (; !next.done; next = await watching.next()) {
    const status = next.value;
    const { state, progress: now } = status;
    if (state === 'completed') continue;
    if (state === 'failed' || state === 'cancelled') {
      if (json) printJson(doneEvent(status, now.last_commit?.version ?? -1));
      continue;
    }
    if (json) {
      const event = JSON.stringify({ event: 'progress', id: status.id, state, progress: now });
      if (event !== lastEvent) process.stdout.write(`${event}\n`);
      lastEvent = event;
    }
    // The end reports why it stopped.
    if (exitOfStandstill(now, options.wait, worker !== null) !== null || options.interrupted.aborted) continue;
    notes.state(now);
    // This command has its own worker, or starts one.
    if (status.worker?.refused) notes.otherVersion();
    else if (waiting.isLong(performance.now(), worker !== null || status.worker?.answers !== false)) notes.noWorker();
    display.show(status);
  }
  const { status, result, exitCode } = next.value;
  const { progress } = status;
  if (result === null) {
    const isStopped = exitCode !== EXIT.interrupted;
    display.finish(isStopped ? stateText(progress) : `left ${status.id} as it is: ${stateText(progress)}`);
    if (!json)
      for (const line of [leftText(progress), remedyOf(status)]) if (line) process.stderr.write(`       ${line}\n`);
    if (json) printJson(doneEvent(status, progress.last_commit?.version ?? -1));
    return { exitCode, status, failedNow: progress.failures };
  }
  const { missingText, summaryLine } = await import('./run-summary.ts');
  display.finish(summaryLine(status));
  if (json) printJson({ ...doneEvent(status, result.finished.lake_version), ...(await missingOf(result)) });
  else process.stderr.write(missingText(status, result.finished, options.knownCount));
  return { exitCode: exitOfResult(result, options.knownCount), status, failedNow: result.progress.failures };
}

/** How long a run has been without a worker, if other processes should work on it. */
export class WaitForWorker {
  #since: number | null = null;

  /** @param at milliseconds of any steady clock */
  isLong(at: number, isServed: boolean): boolean {
    if (isServed) this.#since = null;
    else this.#since ??= at;
    return this.#since !== null && at - this.#since > NO_WORKER_MS;
  }
}

function remedyOf({ id, progress }: RunStatus): string {
  const name = commandNameOf(id);
  if (progress.stopped_by === 'budget') {
    return `the fetched rows are in the lake; raise the budget in the definition and export again to continue`;
  }
  if (progress.stopped_by === 'crash' || progress.stopped_by === 'worker') {
    const what = {
      crash: "the worker's log and memory",
      worker: 'the credentials, the disk and the caches of its workers',
    };
    return `the run is kept: check ${what[progress.stopped_by]}, then continue with filinglake resume ${name}`;
  }
  if (progress.stopped_by === 'quota')
    return `the run is kept: with another key in FILINGLAKE_API_KEY, or a larger plan, filinglake export continues it now; filinglake cancel ${name} ends it`;
  if (progress.stopped_by === 'unreachable' && progress.filings_found === 0)
    return `if the address is wrong, correct service.base_url and export again; filinglake resume ${name} tries this one again`;
  return `the run is kept: filinglake resume ${name} continues it, filinglake cancel ${name} ends it`;
}

/** Prints each change of state once, above the progress line. */
class Notes {
  readonly #print: (line: string) => void;
  #last = 'running';
  #saidNoWorker = false;
  #saidOther = false;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Print this only once. */
  noWorker(): void {
    if (!this.#saidNoWorker)
      this.#print('no worker answers: it continues when filinglake worker, or up, runs with this key');
    this.#saidNoWorker = true;
  }

  otherVersion(): void {
    if (!this.#saidOther)
      this.#print(
        "its workers can't continue it: another version of filinglake has worked on it. Cancel it, and export again",
      );
    this.#saidOther = true;
  }

  state(progress: ExportProgress): void {
    const text = progress.stopped_by === null ? 'running' : stateText(progress);
    if (text !== this.#last) this.#print(text === 'running' ? 'continuing' : text);
    this.#last = text;
  }
}

/** The last line of `--json`; docs/reference/json-output.md documents each field. */
function doneEvent({ id, state, progress }: RunStatus, lake_version: number) {
  const { tables, requests, bytes, requests_pending, windows_left, failures, stopped_by, message, waiting_until } =
    progress;
  const { filings_deferred } = progress;
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
    filings_deferred,
    ...refreshedOf(progress),
    lake_version,
  };
}

function refreshedOf({ steps_refreshed, steps_unchanged }: ExportProgress) {
  return steps_refreshed ? { steps_refreshed, steps_unchanged } : {};
}

/** Further fields of a completed run's event. */
async function missingOf({ finished }: ExportRunResult) {
  const { sentencesOfWithout } = await import('../../lake/report/index.ts');
  const { absent, failed, known_failures, retryable, missing = [], without = [], edgar_days, older_mapping } = finished;
  const days = edgar_days === undefined ? {} : { edgar_days };
  const mapping = older_mapping ? { older_mapping } : {};
  return {
    absent,
    failed,
    known_failures,
    retryable,
    missing,
    without: sentencesOfWithout(without),
    ...mapping,
    ...days,
  };
}
