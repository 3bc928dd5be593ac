/** An error of the engine as a workflow reads it. */
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { type ErrorCode, FilinglakeError } from '../src/core/index.ts';
import { messageOf, type Spent } from '../src/pipeline/index.ts';

/** Attempts after which an error that nobody foresaw counts as permanent. */
const UNFORESEEN_ATTEMPTS = 5;

/** What another writer of the lake caused: the next attempt looks at the lake anew. */
const PASSING: ReadonlySet<string> = new Set(['part-vanished', 'lake-busy'] satisfies ErrorCode[]);

/** What else the workflow reads of a failure. */
export interface FailureDetails {
  exit_code: number;
  remedy: string | null;
  /** By all attempts of the activity; null where it sends no requests */
  spent: Spent | null;
}

/** An error as the workflow is to see it. Errors of ours are final: what can be retried was retried where it arose. */
export function activityFailure(error: unknown, attempt: number, spent: Spent | null): unknown {
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
