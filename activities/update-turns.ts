/**
 * Updates that a process sends to a workflow, one at a time. Temporal admits ten updates of a workflow at a time, and one more aborts
 * all of them. So only a few processes may send updates; if there are more, they send signals.
 */
import type { WorkflowClient } from '@temporalio/client';

/** Processes that may send updates. With one in flight each, they stay below Temporal's limit. */
const FEW = 8;
const COUNTED_FOR_MS = 20_000;
/** Temporal's `TASK_QUEUE_TYPE_WORKFLOW`. */
const WORKFLOW_QUEUE = 1;
/** A process that polled longer ago has probably ended. Temporal remembers it for five minutes. */
const ALIVE_MS = 90_000;

export class UpdateTurns {
  readonly #processes: () => Promise<number>;
  /** By workflow id. */
  readonly #last = new Map<string, Promise<unknown>>();
  #count: Promise<number> | null = null;
  #countedAt = Number.NEGATIVE_INFINITY;

  /** @param processes how many may send updates to the same workflow */
  constructor(processes: () => Promise<number>) {
    this.#processes = processes;
  }

  /** Waits for the earlier calls for the same workflow. */
  take<Result>(workflowId: string, call: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(workflowId) ?? Promise.resolve();
    const turn = before.then(call, call);
    this.#last.set(workflowId, turn);
    return turn;
  }

  async areMany(): Promise<boolean> {
    if (this.#count === null || performance.now() - this.#countedAt > COUNTED_FOR_MS) {
      this.#countedAt = performance.now();
      // Not every account of a cluster may read this.
      this.#count = this.#processes().catch(() => 1);
    }
    return (await this.#count) > FEW;
  }
}

/** Workers that poll the queue. */
export async function pollersOf({ workflowService, options }: WorkflowClient, taskQueue: string): Promise<number> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_QUEUE,
  });
  const alive = (pollers ?? []).filter(
    ({ lastAccessTime: at }) => Date.now() - Number(at?.seconds ?? 0) * 1000 < ALIVE_MS,
  );
  return new Set(alive.map(({ identity }) => identity)).size;
}
