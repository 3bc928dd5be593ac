/** Whether a worker works on a run, and the time of its last sign of life. */
import type { WorkflowExecutionDescription } from '@temporalio/client';
import { millisecondsOf } from '../temporal/pollers.ts';

export interface RunWorker {
  /** A worker answers, or has shown activity recently: it may be too busy to answer. */
  answers: boolean;
  /** ISO: last sign of life of a worker; null if unknown. */
  last_seen: string | null;
  /** Workers take its steps and can't continue it: a worker of another version was there before. */
  refused: boolean;
}

/** Heartbeats come each second, and clocks differ a little. */
const FRESH_MS = 10_000;
/** A worker that dies in a step, or is slow, repeats it once or twice. */
const REFUSED_ATTEMPTS = 4;

/**
 * @param answered whether a worker answered just now
 * @param polledAt when workers of its queue last polled, in milliseconds; null: unknown
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
