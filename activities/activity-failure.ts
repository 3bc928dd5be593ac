/** An error of the engine in the form that a workflow reads. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { type ErrorCode, FilinglakeError } from '../src/core/index.ts';
import { messageOf, type Sent } from '../src/pipeline/index.ts';

/** Attempts after which an unexpected error counts as permanent. */
const UNFORESEEN_ATTEMPTS = 5;

/** Errors that another attempt may not have: other writers, the storage, or a worker with another version of the mapping. */
const PASSING: ReadonlySet<string> = new Set([
  'part-vanished',
  'lake-busy',
  'lake-unreachable',
  'mapping-differs',
] satisfies ErrorCode[]);

/** Other members that the workflow reads from a failure. */
export interface FailureDetails {
  exit_code: number;
  remedy: string | null;
  /** By all attempts of the activity */
  spent: Sent | null;
}

/** An error as the workflow sees it. This program's own errors are final: their origin has already retried. */
export function activityFailure(error: unknown, attempt: number, spent: Sent): unknown {
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (error instanceof FilinglakeError) {
    return ApplicationFailure.create({
      type: error.code,
      message: error.message,
      nonRetryable: !(PASSING.has(error.code) && attempt < UNFORESEEN_ATTEMPTS),
      details: [{ exit_code: error.exitCode, remedy: error.remedy, spent } satisfies FailureDetails],
    });
  }
  if (error instanceof Error && error.name === 'AbortError') return new CancelledFailure(error.message);
  return ApplicationFailure.create({
    type: 'error-unexpected' satisfies ErrorCode,
    message: messageOf(error),
    nonRetryable: attempt >= UNFORESEEN_ATTEMPTS,
    ...(error instanceof Error ? { cause: error } : {}),
  });
}
