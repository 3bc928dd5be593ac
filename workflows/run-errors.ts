/** What the errors of a run's activities mean to it, and to whoever waits for it. */
import { ApplicationFailure } from '@temporalio/workflow';
import type { ErrorCode } from '../src/core/index.ts';
import { applicationFailure } from './run-state.ts';

/** What it says where one operation of the service fails for everything; null where the error is another. */
export function failingOperation(error: unknown): string | null {
  const failure = applicationFailure(error);
  return failure?.type === ('operation-failing' satisfies ErrorCode) ? failure.message : null;
}

/** A batch, a plan or a segment isn't what this history takes it for. */
const OVERTAKEN: ReadonlySet<string> = new Set([
  'batch-differs',
  'staging-missing',
  'segment-missing',
  'manifest-missing',
] satisfies ErrorCode[]);

/**
 * Whether the lake has more than the history knows: the workflow was reset, or Temporal's database is an older copy. What coverage says is right
 * all the same: a new plan is made from it.
 */
export function isOvertaken(error: unknown): boolean {
  return OVERTAKEN.has(applicationFailure(error)?.type ?? '');
}

/** Whether the pages of a window were dropped, since another history of this run was done with it: it must be read anew. */
export function arePagesMissing(error: unknown): boolean {
  return applicationFailure(error)?.type === ('pages-missing' satisfies ErrorCode);
}

export function rootMessage(error: unknown): string {
  return applicationFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}

/** What a run fails with is what its activity failed with: type, message and remedy. */
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
