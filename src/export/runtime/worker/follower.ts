/**
 * Follows EDGAR as a schedule of Temporal: a run an hour long, the next one as soon as it has ended. The schedule's times only start
 * runs. The process decides by its own clock what is due.
 */
import { createHash } from 'node:crypto';
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { FollowEdgar } from '../../../../activities/index.ts';
import type { FollowInput } from '../../../../workflows/index.ts';
import { clientOf } from '../temporal/large-payloads.ts';
import { FOLLOW_PREFIX } from '../temporal/run-names.ts';
import type { TemporalSession } from '../temporal/server.ts';
import { taskQueueOf } from './worker.ts';

export interface FollowerOptions {
  /** Absolute folder */
  catalog: string;
  /** The catalog's key: its workers run the workflow. */
  apiKey: string;
  /** Interval of the schedule, at least a second. Skipped while a run is active. */
  intervalMs: number;
  follow: FollowEdgar;
}

interface RunningFollower {
  scheduleId: string;
  /** Resolves when it ends; rejects if it failed. */
  ended: Promise<void>;
  /** Ends the current look, which keeps its downloads. The schedule stays, and waits for the next follower. */
  stop(): Promise<void>;
}

const WORKFLOW_TYPE = 'followWorkflow';
/** Times that were missed are not caught up: a look reads everything since the last one. */
const CATCHUP_WINDOW = '10 seconds';
/** Time for the current look to store its downloads after a stop. */
const LEAVE_MS = 30_000;
const FORCE_MS = 5_000;

/** Id of the schedule that follows EDGAR into a catalog, from its folder. Its runs have the id, followed by their time. */
export function followIdOf(catalog: string): string {
  return `${FOLLOW_PREFIX}${createHash('sha256').update(catalog).digest('hex').slice(0, 12)}`;
}

/** Starts a worker that follows EDGAR, and creates its schedule or updates the existing one. */
export async function startFollower(session: TemporalSession, options: FollowerOptions): Promise<RunningFollower> {
  const { catalog, follow } = options;
  const { Worker } = await import('#temporal-worker');
  const { createFollowActivities } = await import('../../../../activities/index.ts');
  const scheduleId = followIdOf(catalog);
  const queue = `filinglake/${scheduleId}`;
  const leaving = new AbortController();
  const connection = await session.connectWorker();
  try {
    const worker = await Worker.create({
      connection,
      namespace: session.namespace,
      taskQueue: queue,
      activities: createFollowActivities(follow, leaving.signal),
      // A second run of the same catalog would only wait for the first.
      maxConcurrentActivityTaskExecutions: 1,
      shutdownGraceTime: LEAVE_MS,
      shutdownForceTime: LEAVE_MS + FORCE_MS,
    });
    const ended = worker.run().finally(() => connection.close());
    ended.catch(() => {});
    const stop = async () => {
      leaving.abort();
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    };
    await makeSchedule(session, { ...options, scheduleId, queue }).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { scheduleId, ended, stop };
  } catch (error) {
    await connection.close().catch(() => {});
    throw error;
  }
}

interface FollowSchedule extends FollowerOptions {
  scheduleId: string;
  queue: string;
}

async function makeSchedule(session: TemporalSession, schedule: FollowSchedule): Promise<void> {
  const { catalog, apiKey, intervalMs, scheduleId, queue } = schedule;
  const client = await clientOf(session);
  const spec = { intervals: [{ every: intervalMs }] };
  const policies = { overlap: ScheduleOverlapPolicy.SKIP, pauseOnFailure: false, catchupWindow: CATCHUP_WINDOW };
  const action = {
    type: 'startWorkflow' as const,
    workflowType: WORKFLOW_TYPE,
    workflowId: scheduleId,
    taskQueue: taskQueueOf(apiKey),
    args: [{ queue } satisfies FollowInput],
    memo: { catalog },
  };
  const handle = client.schedule.getHandle(scheduleId);
  try {
    const memo = { catalog, interval_ms: intervalMs };
    await client.schedule.create({ scheduleId, spec, action, policies, memo });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await handle.update((before) => ({ ...before, spec, policies, action: { ...before.action, ...action } }) as never);
  }
  // The first run begins now. Not by `triggerImmediately`: that starts one beside a run that is active.
  await handle.trigger(ScheduleOverlapPolicy.SKIP);
}
