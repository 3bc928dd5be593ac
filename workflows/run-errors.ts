/** What the errors of a run's activities mean to it, and to whoever waits for it. */
import { ApplicationFailure } from '@temporalio/workflow';
import { applicationFailure } from './run-state.ts';

/** What it says where one operation of the service fails for everything; null where the error is another. */
export function failingOperation(error: unknown): string | null {
  const failure = applicationFailure(error);
  return failure?.type === 'operation-failing' ? failure.message : null;
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
