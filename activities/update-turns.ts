/**
 * Updates that a process sends to a workflow, one at a time. Temporal admits ten updates of a workflow at a time, and one more aborts
 * all of them. So only a few processes may send updates; if there are more, they send signals.
 */
import type { WorkflowClient } from '@temporalio/client';

/** Processes that may send updates. With one in flight each, they stay below Temporal's limit. */
const FEW = 8;
const COUNTED_FOR_MS = 20_000;
/** Workers that come should get work soon. */
const FETCHERS_FOR_MS = 5_000;
/** Temporal's `TASK_QUEUE_TYPE_WORKFLOW` and `TASK_QUEUE_TYPE_ACTIVITY`. */
const WORKFLOW_QUEUE = 1;
const ACTIVITY_QUEUE = 2;
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

/** How many workers poll the queue. */
export async function pollersOf(client: WorkflowClient, taskQueue: string): Promise<number> {
  return (await aliveOn(client, taskQueue, WORKFLOW_QUEUE)).length;
}

/** The workers that poll the queue for activities: processes and hosts. */
export function activityPollersOf(client: WorkflowClient, taskQueue: string): Promise<string[]> {
  return aliveOn(client, taskQueue, ACTIVITY_QUEUE);
}

/** How many workers poll a queue for activities, counted now and then. */
export class Fetchers {
  readonly #count: () => Promise<string[]>;
  #counted: Promise<number> | null = null;
  #countedAt = Number.NEGATIVE_INFINITY;

  constructor(client: WorkflowClient, queue: string) {
    this.#count = () => activityPollersOf(client, queue);
  }

  /** At least this one. */
  count(): Promise<number> {
    if (this.#counted === null || performance.now() - this.#countedAt > FETCHERS_FOR_MS) {
      this.#countedAt = performance.now();
      this.#counted = this.#count().then(
        (ids) => Math.max(1, ids.length),
        () => 1,
      );
    }
    return this.#counted;
  }
}

async function aliveOn(
  { workflowService, options }: WorkflowClient,
  taskQueue: string,
  taskQueueType: number,
): Promise<string[]> {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType,
  });
  const alive = (pollers ?? []).filter(
    ({ lastAccessTime: at }) => Date.now() - Number(at?.seconds ?? 0) * 1000 < ALIVE_MS,
  );
  return [...new Set(alive.flatMap(({ identity }) => identity ?? []))];
}
