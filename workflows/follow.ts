/**
 * One run of the schedule that follows EDGAR: a single activity, on the queue of the workers that follow. The activity decides what
 * is due, by the clock of its process.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { FollowActivities, FollowOutcome } from '../activities/index.ts';

export interface FollowInput {
  /** Task queue of the workers that follow EDGAR into this catalog */
  queue: string;
}

export async function followWorkflow({ queue }: FollowInput): Promise<FollowOutcome> {
  const { followEdgar } = proxyActivities<FollowActivities>({
    taskQueue: queue,
    // A first look after a long pause fetches days of filings.
    startToCloseTimeout: '7 days',
    // An index of a quarter keeps the process busy for some seconds.
    heartbeatTimeout: '1 minute',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  });
  return followEdgar();
}
