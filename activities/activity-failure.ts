/** An error of the engine in the form that a workflow reads. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { type ErrorCode, FilinglakeError } from '../src/core/index.ts';
import type { Sent } from '../src/export/client/index.ts';
import { messageOf } from '../src/export/pipeline/index.ts';

/** Attempts after which an unexpected error counts as permanent. */
const UNFORESEEN_ATTEMPTS = 5;

/** Errors that another attempt may not have: other writers, or the storage. */
const PASSING: ReadonlySet<string> = new Set(['part-vanished', 'lake-busy', 'lake-unreachable'] satisfies ErrorCode[]);

/** Errors that another worker may not have: its credentials, its disk and its network may be others. */
const OF_A_WORKER: ReadonlySet<string> = new Set([
  'lake-unreadable',
  'lake-unwritable',
  'lake-full',
  'lake-unreachable',
] satisfies ErrorCode[]);
/** The same from the operating system, such as of a cache that can't be written. */
const OF_A_DISK: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EMFILE']);

/** A worker that can't do an activity, and those that may. */
export interface FailedWorker {
  /** Process and host: `4711@node-3` */
  id: string;
  /** Other workers that take activities. */
  others: string[];
}

/** Other members that the workflow reads from a failure. */
export interface FailureDetails {
  exit_code: number;
  remedy: string | null;
  /** By all attempts of the activity */
  spent: Sent | null;
  /** The failure may be of this worker alone: the workflow tries another one. */
  worker?: FailedWorker;
}

/** Whether the error may be of this worker alone. */
export function isOfAWorker(error: unknown): error is Error {
  if (error instanceof FilinglakeError) return OF_A_WORKER.has(error.code);
  return error instanceof Error && OF_A_DISK.has((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * An error as the workflow sees it. This program's own errors are final: their origin has already retried.
 * @param worker whose failure it may be: another attempt is then the workflow's decision
 */
export function activityFailure(error: unknown, attempt: number, spent: Sent, worker?: FailedWorker): unknown {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (error instanceof FilinglakeError) {
    return ApplicationFailure.create({
      type: error.code,
      message: error.message,
      nonRetryable: worker !== undefined || !(PASSING.has(error.code) && attempt < UNFORESEEN_ATTEMPTS),
      details: [detailsOf(error, spent, worker)],
    });
  }
  if (worker !== undefined) {
    const ofDisk = new FilinglakeError('lake-unwritable', `a file of the worker can't be written: ${messageOf(error)}`);
    return activityFailure(ofDisk, attempt, spent, worker);
  }
  if (error instanceof Error && error.name === 'AbortError') return new CancelledFailure(error.message);
  return ApplicationFailure.create({
    type: 'error-unexpected' satisfies ErrorCode,
    message: messageOf(error),
    nonRetryable: attempt >= UNFORESEEN_ATTEMPTS,
    ...(error instanceof Error ? { cause: error } : {}),
  });
}

function detailsOf({ exitCode, remedy }: FilinglakeError, spent: Sent, worker?: FailedWorker): FailureDetails {
  return { exit_code: exitCode, remedy, spent, ...(worker && { worker }) };
}
