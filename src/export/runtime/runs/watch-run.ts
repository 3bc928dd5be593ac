/** Watches a run until it ends, or waits for something that the watcher doesn't wait for. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceError, WorkflowHandle } from '@temporalio/client';
import { EXIT, type ExitCode, FilinglakeError } from '../../../core/index.ts';
import type { ExportProgress } from '../../run/index.ts';
import type { RunningWorker } from '../worker/worker.ts';
import type { ExportRunResult, ExportRuns, RunStatus } from './export-runs.ts';

export interface WatchOptions {
  /** Whether to wait if the month's quota is used up, or a person paused the run. */
  wait: boolean;
  /** Ends the watching, not the run: Ctrl-C. */
  interrupted: AbortSignal;
  /** The worker of this process: its failure ends the watching. */
  worker: RunningWorker | null;
}

/** How the watching ended: with a completed run and its result, or with a run that is kept (`result` null). */
export interface Watched {
  status: RunStatus;
  result: ExportRunResult | null;
  /** 0 or 3 for a completed run, with known failures counted. */
  exitCode: ExitCode;
}

/** Each look costs the run a step of its workflow: 20 ms of CPU. A worker of this process tells when the run is about to end. */
const POLL_MS = 500;
const POLL_AT_END_MS = 25;
/** A killed server is back within seconds; after this time it counts as unreachable. */
const SERVER_AWAY_MS = 60_000;

/** A run's status, of a young one more often; of an ended one, once. @throws FilinglakeError the run's; `temporal-unreachable` */
export async function* watchRun(
  runs: ExportRuns,
  handle: WorkflowHandle,
  { wait, interrupted, worker }: WatchOptions,
): AsyncGenerator<RunStatus, Watched> {
  let workerFailed: { error: unknown } | null = null;
  worker?.ended.catch((error: unknown) => {
    workerFailed = { error };
  });
  let awaySince: number | null = null;
  for (;;) {
    const lastStep = worker?.lastStep();
    if (workerFailed) throw (workerFailed as { error: unknown }).error;
    let status: RunStatus;
    const askedAt = Date.now();
    try {
      // A server that is stopped, or a stranger at its port, never answers.
      status = await handle.client.withDeadline(askedAt + SERVER_AWAY_MS, () => runs.status(handle));
      awaySince = null;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      awaySince ??= askedAt;
      if (interrupted.aborted || Date.now() - awaySince >= SERVER_AWAY_MS) throw serverAway(error);
      await sleep(POLL_MS);
      continue;
    }
    yield status;
    const { state, progress } = status;
    if (state === 'completed' || state === 'failed' || state === 'cancelled') {
      const result = await runs.result(handle);
      return { status: { ...status, progress: completeProgress(result) }, result, exitCode: exitOfResult(result) };
    }
    const stop = exitOfStandstill(progress, wait, worker !== null);
    if (stop !== null || interrupted.aborted) return { status, result: null, exitCode: stop ?? EXIT.interrupted };
    const signal = lastStep ? AbortSignal.any([interrupted, lastStep]) : interrupted;
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    if (lastStep?.aborted) await sleep(POLL_AT_END_MS);
  }
}

/** @param knownCount whether known failures count too */
export function exitOfResult({ progress, finished }: ExportRunResult, knownCount = false): ExitCode {
  const failures = knownCount ? finished.failures : finished.failures - finished.known_failures;
  const isMissing = finished.missing.length > 0 || finished.unverified !== undefined;
  const isComplete = failures === 0 && progress.windows_unproven === 0 && progress.filings_deferred === 0 && !isMissing;
  return isComplete ? EXIT.complete : EXIT.finishedWithFailures;
}

/**
 * The exit code for a run that waits; null if the watcher waits too.
 * @param isOwn the watcher's worker is the run's, or one of them: its owner should see at once that it can't use the lake
 */
export function exitOfStandstill(
  { stopped_by, patient_until = null }: Pick<ExportProgress, 'stopped_by' | 'patient_until'>,
  wait: boolean,
  isOwn: boolean,
): ExitCode | null {
  if (stopped_by === 'worker') return isOwn || patient_until === null ? EXIT.error : null;
  if (stopped_by === 'unreachable' || stopped_by === 'lake') return patient_until === null ? EXIT.unreachable : null;
  if (stopped_by === 'crash') return EXIT.error;
  if (stopped_by === 'budget') return EXIT.stoppedByQuota;
  if ((stopped_by === 'quota' || stopped_by === 'pause') && !wait) return EXIT.stoppedByQuota;
  return null;
}

/** With every table of the lake, including those without new rows. */
function completeProgress({ progress, finished }: ExportRunResult): ExportProgress {
  const tables = Object.entries(finished.tables).map(([name, { rows_total }]) => [
    name,
    { rows_new: 0, rows_replaced: 0, bytes: 0, ...progress.tables[name], rows_total },
  ]);
  return { ...progress, failures: finished.failures, tables: Object.fromEntries(tables) };
}

/** By its name: Temporal's client loads with the first connection. */
function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError';
}

function serverAway(cause: ServiceError): FilinglakeError {
  return new FilinglakeError('temporal-unreachable', `Temporal doesn't answer: ${cause.message}`, {
    remedy:
      'Start Temporal again. The run is kept in its database: `filinglake status` shows it, the same export continues it.',
    cause,
  });
}
