/** The activity that follows EDGAR. Its worker passes the function that does the work, so that other workers don't load EDGAR's code. */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { NOTHING_SENT } from '../src/export/client/index.ts';
import { activityFailure } from './activity-failure.ts';

/** Sums of one run of the schedule. A filing counts once for each time. */
export interface FollowOutcome {
  looks: number;
  stored: number;
  corrected: number;
  withdrawn: number;
  /** Requests to EDGAR, tries included */
  requests: number;
  bytes: number;
  /** Why the last look was not complete; null if it was */
  problem: string | null;
}

interface FollowJob {
  /** Raised when the worker shuts down, or the run was cancelled: the look ends, and keeps what it has. */
  signal: AbortSignal;
  /** Sums up to now, for heartbeats. */
  report(outcome: FollowOutcome): void;
}

/** Follows EDGAR for a while, paced by the process's own clock. @throws FilinglakeError of the catalog, or of the agent */
export type FollowEdgar = (job: FollowJob) => Promise<FollowOutcome>;

export type FollowActivities = ReturnType<typeof createFollowActivities>;

const HEARTBEAT_MS = 2_000;

/** @param leaving raised when the worker shuts down */
export function createFollowActivities(follow: FollowEdgar, leaving: AbortSignal) {
  return {
    async followEdgar(): Promise<FollowOutcome> {
      const context = Context.current();
      if (leaving.aborted) throw ApplicationFailure.retryable('the worker is shutting down', 'worker-leaving');
      let outcome: FollowOutcome | undefined;
      const heartbeat = setInterval(() => context.heartbeat(outcome), HEARTBEAT_MS);
      const signal = AbortSignal.any([context.cancellationSignal, leaving]);
      try {
        return await follow({ signal, report: (sums) => (outcome = sums) });
      } catch (error) {
        throw activityFailure(error, context.info.attempt, NOTHING_SENT);
      } finally {
        clearInterval(heartbeat);
      }
    },
  };
}
