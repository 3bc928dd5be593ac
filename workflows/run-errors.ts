/** What errors of activities mean for their run, and for callers that wait for it. */
import { ApplicationFailure } from '@temporalio/workflow';
import type { ErrorCode } from '../src/core/index.ts';
import { applicationFailure } from './run-state.ts';

/** The message if one operation of the service fails for everything; null for other errors. */
export function failingOperation(error: unknown): string | null {
  const failure = applicationFailure(error);
  return failure?.type === ('operation-failing' satisfies ErrorCode) ? failure.message : null;
}

/** A batch, a plan or a segment doesn't match this history, or another run has written its filings. */
const OVERTAKEN: ReadonlySet<string> = new Set([
  'batch-differs',
  'staging-missing',
  'segment-missing',
  'manifest-missing',
  'plan-outdated',
] satisfies ErrorCode[]);

/**
 * Whether the lake has more than the history knows: of another run, or of this one if the workflow was reset or Temporal's database is
 * an older copy. Coverage is still correct: a new plan is made from it.
 */
export function isOvertaken(error: unknown): boolean {
  return OVERTAKEN.has(applicationFailure(error)?.type ?? '');
}

/** Failures of a lake in use that another attempt may not have. */
const PASSING: ReadonlySet<string> = new Set(['lake-unreachable', 'lake-busy', 'part-vanished'] satisfies ErrorCode[]);

/** Whether the lake may accept the same work later. */
export function mayPass(error: unknown): boolean {
  return PASSING.has(applicationFailure(error)?.type ?? '');
}

/**
 * Whether the pages of a window were deleted because another history of this run was finished with them. The window must be read
 * again.
 */
export function arePagesMissing(error: unknown): boolean {
  return applicationFailure(error)?.type === ('pages-missing' satisfies ErrorCode);
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
