/** What errors of activities mean for their run, and for callers that wait for it. */
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import type { FailureDetails } from '../activities/index.ts';
import type { ErrorCode } from '../src/core/index.ts';

/** The failure that an activity ended with, or null for any other error. */
export function applicationFailure(error: unknown): ApplicationFailure | null {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : null;
}

/** The usage that a failure states. */
export function spentOf(error: unknown): FailureDetails['spent'] | undefined {
  return (applicationFailure(error)?.details?.[0] as Partial<FailureDetails> | undefined)?.spent;
}

/** The message if one operation of the service fails for everything; null for other errors. */
export function failingOperation(error: unknown): string | null {
  const failure = applicationFailure(error);
  return failure?.type === ('operation-failing' satisfies ErrorCode) ? failure.message : null;
}

/** Whether another writer has had the lake since a plan was made. */
export function isOutdated(error: unknown): boolean {
  return applicationFailure(error)?.type === ('plan-outdated' satisfies ErrorCode);
}

/** Failures of a lake in use that another attempt may not have. */
const PASSING: ReadonlySet<string> = new Set(['lake-unreachable', 'lake-busy', 'part-vanished'] satisfies ErrorCode[]);

/** Whether the lake may accept the same work later. */
export function mayPass(error: unknown): boolean {
  return PASSING.has(applicationFailure(error)?.type ?? '');
}

export function tooManyWindows(windows: number): ApplicationFailure {
  const message = `${windows} parts of the lookup have missing filings: more than a run can continue with`;
  return ApplicationFailure.nonRetryable(message, 'windows-too-many' satisfies ErrorCode);
}

export function rootMessage(error: unknown): string {
  return applicationFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}

/** A run fails with the failure of its activity: type, message and remedy. */
export function asRunFailure(error: unknown): unknown {
  const failure = applicationFailure(error);
  if (!failure) return error;
  const { type, message, details } = failure;
  return ApplicationFailure.create({
    message,
    nonRetryable: true,
    ...(type ? { type } : {}),
    ...(details ? { details } : {}),
  });
}
