/** Whether a worker works on a run, and the time of its last sign of life. */
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

/** The worker of an active run. */
export interface RunWorker {
  /** A worker answers, or has shown activity recently: it may be too busy to answer. */
  answers: boolean;
  /** ISO: last sign of life of a worker; null if unknown. */
  last_seen: string | null;
  /** Workers take its steps and can't continue it: a worker of another version was there before. */
  refused: boolean;
}

interface Moment {
  seconds?: { toString(): string } | null;
  nanos?: number | null;
}

/** Temporal's number for the queue of workflow tasks. */
const WORKFLOW_QUEUE = 1;
/** Heartbeats come each second, and clocks differ a little. */
const FRESH_MS = 10_000;
/** A worker that dies in a step, or is slow, repeats it once or twice. */
const REFUSED_ATTEMPTS = 4;

/**
 * When the workers of a queue last polled, in milliseconds; empty: none within five minutes, or all have shut down.
 * Null if the server doesn't answer, or doesn't permit the question.
 */
export async function pollersOf(client: Client, taskQueue: string): Promise<number[] | null> {
  const description = client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_QUEUE,
  });
  const pollers = await description.then(({ pollers: told }) => told ?? []).catch(() => null);
  return pollers === null ? null : pollers.flatMap(({ lastAccessTime }) => millisecondsOf(lastAccessTime) ?? []);
}

/**
 * @param answered whether a worker answered just now
 * @param polledAt from `pollersOf`
 * @param lastCommit ISO, of the run
 */
export function runWorker(
  { raw }: WorkflowExecutionDescription,
  answered: boolean,
  polledAt: readonly number[] | null,
  lastCommit: string | null,
): RunWorker {
  const now = Date.now();
  if (answered) return { answers: true, last_seen: new Date(now).toISOString(), refused: false };
  const beats = (raw.pendingActivities ?? []).flatMap(
    ({ lastHeartbeatTime }) => millisecondsOf(lastHeartbeatTime) ?? [],
  );
  const seen = Math.max(...beats, ...(polledAt ?? []), lastCommit === null ? 0 : Date.parse(lastCommit), 0);
  return {
    answers: polledAt?.length !== 0 && beats.some((at) => now - at < FRESH_MS),
    last_seen: seen === 0 ? null : new Date(seen).toISOString(),
    refused: polledAt?.length !== 0 && (raw.pendingWorkflowTask?.attempt ?? 0) >= REFUSED_ATTEMPTS,
  };
}

/** @returns null for no time or a zero time: Temporal has 0 if an activity hasn't begun */
export function millisecondsOf(moment: Moment | null | undefined): number | null {
  const ms = Number(moment?.seconds ?? 0) * 1_000 + Math.floor((moment?.nanos ?? 0) / 1_000_000);
  return ms > 0 ? ms : null;
}
