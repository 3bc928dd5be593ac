/** How a run is ended by a command: by request, in its own order; and where no worker hears it, by force. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';

const END_POLL_MS = 250;

export interface EndOptions {
  /** So long a run may take without a sign of life of the worker that it is on. */
  silenceMs: number;
  /** And so long with. */
  mostMs: number;
  /** What takes its time, or can't be done. */
  onMessage: (line: string) => void;
}

/** What of a run is to be put in order where the run itself couldn't. */
export interface LeftBehind {
  run_id: string;
  /** Absolute folder */
  lake: string;
  /** Workflow id of the budget that it drew on. */
  budget: string;
}

/** @param leftBehind null where the run had not begun when it was described */
export async function endRun(
  client: Client,
  handle: WorkflowHandle,
  leftBehind: (description: WorkflowExecutionDescription) => LeftBehind | null,
  { silenceMs, mostMs, onMessage }: EndOptions,
): Promise<void> {
  await handle.cancel();
  const began = Date.now();
  let heardAt = began;
  let lastBeat = '';
  let said = false;
  for (;;) {
    const description = await handle.describe();
    if (description.status.name !== 'RUNNING') return;
    const beat = newestBeat(description);
    const now = Date.now();
    // Whether it changes, not how old it is: the worker's clock may differ from ours.
    if (beat !== lastBeat) heardAt = now;
    lastBeat = beat;
    if (now - heardAt > silenceMs || now - began > mostMs) {
      await handle.terminate('cancelled while no worker ran');
      await putInOrder(client, leftBehind(description), onMessage);
      return;
    }
    if (!said && now - began > silenceMs) {
      onMessage(`its worker ends what it was doing; waiting for it, up to ${Math.ceil(mostMs / 60_000)} min`);
      said = true;
    }
    await sleep(END_POLL_MS);
  }
}

/** When the activities that go on were last heard of; '' where none goes on. */
function newestBeat({ raw }: WorkflowExecutionDescription): string {
  const beats = (raw.pendingActivities ?? []).map(({ activityId, attempt, lastHeartbeatTime: at }) =>
    at ? `${activityId}/${attempt}/${at.seconds}.${at.nanos}` : '',
  );
  return beats.sort().join(' ').trim();
}

/** What a run does at its end otherwise: its staging goes, and the budget forgets it. */
async function putInOrder(client: Client, left: LeftBehind | null, onMessage: (line: string) => void): Promise<void> {
  if (left === null) return;
  try {
    // A signal waits until a worker serves the budget again; where there is no such budget, nothing is held.
    await client.workflow.getHandle(left.budget).signal('left', { run_id: left.run_id });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'WorkflowNotFoundError')) throw error;
  }
  try {
    // Loaded only here: a command that ends a run in order needs no lake.
    const { openLake } = await import('../../lake/index.ts');
    const lake = await openLake(left.lake);
    await lake.dropStaging(left.run_id).finally(() => lake.close());
  } catch (error) {
    onMessage(`its staged files stay in ${left.lake}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
