/** Workers that poll a queue, as Temporal knows them. */
import type { Client } from '@temporalio/client';

interface Poller {
  /** Process and host */
  id: string;
  /** When it polled last, in milliseconds. */
  at: number;
}

interface Moment {
  seconds?: { toString(): string } | null;
  nanos?: number | null;
}

/** Temporal's numbers for the queues of workflow tasks and of activities. */
const QUEUES = { workflows: 1, activities: 2 } as const;
/** A process that polled longer ago has probably ended. Temporal remembers it for five minutes. */
const ALIVE_MS = 90_000;
/** Workers that come should get work soon. */
const COUNTED_FOR_MS = 5_000;

/** Empty: none polled within five minutes, or all have shut down. Null: the server does not answer or permit it. */
export async function pollersOf(
  { workflowService, options }: Pick<Client, 'workflowService' | 'options'>,
  taskQueue: string,
  of: keyof typeof QUEUES,
): Promise<Poller[] | null> {
  const { namespace } = options;
  const asked = { namespace, taskQueue: { name: taskQueue }, taskQueueType: QUEUES[of] };
  const told = await workflowService.describeTaskQueue(asked).catch(() => null);
  return (
    told && (told.pollers ?? []).map((one) => ({ id: one.identity ?? '', at: millisecondsOf(one.lastAccessTime) ?? 0 }))
  );
}

export async function workersOf(client: Client, taskQueue: string): Promise<string[]> {
  const pollers = (await pollersOf(client, taskQueue, 'activities')) ?? [];
  return [...new Set(pollers.filter(isAlive).map(({ id }) => id))];
}

/** null: Temporal does not say */
export async function hasWorkers(client: Client, taskQueue: string): Promise<boolean | null> {
  return (await pollersOf(client, taskQueue, 'activities'))?.some(isAlive) ?? null;
}

const isAlive = ({ at }: Poller): boolean => Date.now() - at < ALIVE_MS;

/** How many workers take activities from the queue, counted now and then: at least this one. */
export function workerCount(client: Client, taskQueue: string): () => Promise<number> {
  let counted = Promise.resolve(1);
  let countedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - countedAt > COUNTED_FOR_MS) {
      countedAt = performance.now();
      counted = workersOf(client, taskQueue).then((ids) => Math.max(1, ids.length));
    }
    return counted;
  };
}

/** @returns null for no time or a zero time: Temporal has 0 if an activity hasn't begun */
export function millisecondsOf(moment: Moment | null | undefined): number | null {
  const ms = Number(moment?.seconds ?? 0) * 1_000 + Math.floor((moment?.nanos ?? 0) / 1_000_000);
  return ms > 0 ? ms : null;
}
