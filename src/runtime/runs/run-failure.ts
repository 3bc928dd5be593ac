/** A workflow's failure as a command reports it: code, message, remedy and exit code of the activity's error. */
import type { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, CancelledFailure, TerminatedFailure } from '@temporalio/common';
import { EXIT, type ExitCode, FilinglakeError, isErrorCode } from '../../core/index.ts';

export function failureOf(error: WorkflowFailedError, id: string): FilinglakeError {
  const cause = error.cause instanceof ActivityFailure ? error.cause.cause : error.cause;
  if (cause instanceof CancelledFailure || cause instanceof TerminatedFailure) {
    return new FilinglakeError('run-cancelled', `${id} was cancelled; the lake keeps what was committed`);
  }
  if (cause instanceof ApplicationFailure) {
    // A worker of another version may have other codes.
    const type = cause.type ?? '';
    const detail = (cause.details?.[0] ?? {}) as { exit_code?: ExitCode; remedy?: string | null };
    return new FilinglakeError(isErrorCode(type) ? type : 'run-failed', cause.message, {
      exitCode: detail.exit_code ?? EXIT.error,
      ...(detail.remedy ? { remedy: detail.remedy } : {}),
      cause,
    });
  }
  return new FilinglakeError('run-failed', `${id} failed: ${cause?.message ?? error.message}`, { cause: error });
}
