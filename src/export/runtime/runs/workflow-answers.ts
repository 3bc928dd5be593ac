/** What a workflow says: the answer to a query, a heartbeat of an activity, its result or its failure. */
import {
  type Client,
  defaultPayloadConverter,
  type WorkflowExecutionDescription,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import { ActivityFailure, ApplicationFailure, CancelledFailure, TerminatedFailure } from '@temporalio/common';
import { EXIT, type ExitCode, FilinglakeError, isErrorCode } from '../../../core/index.ts';

/** A query needs a worker. */
const QUERY_TIMEOUT_MS = 2_000;

type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

/** @returns null if no worker answers in time, or the workflow has just ended */
export async function answerOf<Answer>(client: Client, handle: WorkflowHandle, query: string): Promise<Answer | null> {
  try {
    return await client.withDeadline(Date.now() + QUERY_TIMEOUT_MS, () => handle.query<Answer>(query));
  } catch {
    return null;
  }
}

/** The last heartbeat of an activity; null before the first one. */
export function beatOf<Beat>({ heartbeatDetails }: PendingActivity): Beat | null {
  const payload = heartbeatDetails?.payloads?.[0];
  return payload ? defaultPayloadConverter.fromPayload<Beat | null>(payload) : null;
}

/** The result of a workflow. @throws FilinglakeError with the code, message, remedy and exit code of its failure */
export async function resultOf<Result>(handle: WorkflowHandle): Promise<Result> {
  try {
    return (await handle.result()) as Result;
  } catch (error) {
    throw error instanceof WorkflowFailedError ? failureOf(error, handle.workflowId) : error;
  }
}

function failureOf(error: WorkflowFailedError, id: string): FilinglakeError {
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
