/** Starts a workflow for a lake: at most one for each id, started by any process. */
import { type WorkflowClient, WorkflowExecutionAlreadyStartedError, type WorkflowHandle } from '@temporalio/client';

/** State of a pending activity that a worker has begun. */
const STARTED = 2;

interface LakeWorkflow {
  type: string;
  workflowId: string;
  taskQueue: string;
  input: { lake: string };
  /** Shown in lists of runs without a worker, beside the lake. */
  memo?: Record<string, string>;
}

export interface StartedLakeWorkflow {
  handle: WorkflowHandle;
  /** It was active already. */
  attached: boolean;
  /** The queue of the active one. */
  taskQueue: string;
  /** The active one has another place: another name of this lake, or a copy of it. Null: the same place. */
  elsewhere: string | null;
}

/**
 * Starts it, or finds the active one. An active one on the queue of another key is replaced if no worker works on it. The lake
 * itself shows what is done, so nothing is lost.
 */
export async function startLakeWorkflow(
  client: WorkflowClient,
  { type, workflowId, taskQueue, input, memo: more = {} }: LakeWorkflow,
): Promise<StartedLakeWorkflow> {
  const start = (workflowIdConflictPolicy: 'FAIL' | 'TERMINATE_EXISTING') =>
    client.start(type, {
      workflowId,
      taskQueue,
      args: [input],
      memo: { ...more, lake: input.lake },
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowIdConflictPolicy,
    });
  try {
    return { handle: await start('FAIL'), attached: false, taskQueue, elsewhere: null };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const handle = client.getHandle(workflowId);
    const { taskQueue: other, raw, memo } = await handle.describe();
    const place = String(memo?.lake ?? input.lake);
    const worked = (raw.pendingActivities ?? []).some(({ state }) => state === STARTED);
    if (other === taskQueue || worked)
      return { handle, attached: true, taskQueue: other, elsewhere: place === input.lake ? null : place };
    return { handle: await start('TERMINATE_EXISTING'), attached: false, taskQueue, elsewhere: null };
  }
}
