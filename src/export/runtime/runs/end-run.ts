/** Ends a run: by a request, so that it cleans up; or by termination if no worker receives the request. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';

const END_POLL_MS = 250;

export interface EndOptions {
  /** The run is terminated after this time without a heartbeat of its worker. */
  silenceMs: number;
  /** The run is terminated after this time, even if heartbeats arrive. */
  mostMs: number;
  /** Progress messages: what takes time, or fails. */
  onMessage: (line: string) => void;
}

/** What to clean up if the run itself could not. */
export interface LeftBehind {
  run_id: string;
  /** Absolute folder or URL */
  lake: string;
  /** Workflow id of its budget. */
  budget: string;
}

/** @param leftBehind null if the run had not begun */
export async function endRun(
  client: Client,
  handle: WorkflowHandle,
  leftBehind: (description: WorkflowExecutionDescription) => LeftBehind | null,
  { silenceMs, mostMs, onMessage }: EndOptions,
): Promise<void> {
  const began = Date.now();
  let heardAt = began;
  let lastBeat: string | null = null;
  let said = false;
  for (;;) {
    const description = await handle.describe();
    if (description.status.name !== 'RUNNING') return;
    if (lastBeat === null) await handle.cancel();
    const beat = newestBeat(description);
    const now = Date.now();
    // Compares heartbeats with each other, not with our clock: the worker's may differ.
    if (beat !== lastBeat) heardAt = now;
    lastBeat = beat;
    if (now - heardAt > silenceMs || now - began > mostMs) {
      await handle.terminate('cancelled while no worker ran');
      await putInOrder(client, leftBehind(description), onMessage);
      return;
    }
    if (!said && now - began > silenceMs) {
      onMessage(`its worker finishes its current batch; waiting up to ${Math.ceil(mostMs / 60_000)} min`);
      said = true;
    }
    await sleep(END_POLL_MS);
  }
}

/** Time of the last heartbeat of the active activities; '' if there are none. */
function newestBeat({ raw }: WorkflowExecutionDescription): string {
  const beats = (raw.pendingActivities ?? []).map(({ activityId, attempt, lastHeartbeatTime: at }) =>
    at ? `${activityId}/${attempt}/${at.seconds}.${at.nanos}` : '',
  );
  return beats.sort().join(' ').trim();
}

/** The last step of a terminated run: releases its budget, commits its sealed answers, and records its end. */
async function putInOrder(client: Client, left: LeftBehind | null, onMessage: (line: string) => void): Promise<void> {
  if (left === null) return;
  try {
    // A signal waits until a worker serves the budget again. Without a budget there is nothing to release.
    await client.workflow.getHandle(left.budget).signal('left', { run_id: left.run_id });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'WorkflowNotFoundError')) throw error;
  }
  try {
    // Loaded only here: a run that ends by itself needs no lake.
    const { openLake } = await import('../../../lake/index.ts');
    const { endRunForIt } = await import('../../pipeline/index.ts');
    const lake = await openLake(left.lake);
    const log = { warn: onMessage };
    await endRunForIt({ log }, lake, { run_id: left.run_id, state: 'cancelled' }).finally(() => lake.close());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onMessage(`its fetched answers stay in ${left.lake}, and the next export takes them up: ${reason}`);
  }
}
