/**
 * Activities that survive the deaths of their workers, and workers that can't do them. After a number of attempts without progress,
 * the run pauses until someone resumes it.
 */
import { ActivityFailure, TimeoutFailure } from '@temporalio/common';
import type { ExportActivities, FailureDetails } from '../activities/index.ts';
import type { Heartbeat } from '../src/export/pipeline/index.ts';
import type { LakeTroubles, Trouble } from './lake-troubles.ts';
import { applicationFailure, spentOf } from './run-errors.ts';

/** Attempts at one activity, by Temporal's count. Other failures end sooner (…/pipeline/failures/verdict.ts). */
export const ATTEMPTS_MAX = 20;

/** Temporal's limit is 400 bytes. */
const SUMMARY_MAX = 200;

export interface Crash {
  /** What was being done, and how often it was tried. */
  message: string;
  /** The usage in the last attempt's heartbeat. */
  heartbeat: Partial<Heartbeat>;
}

export interface Lasting {
  /** Activities that Temporal tries `attempts` times each. */
  raw: ExportActivities;
  attempts: number;
  /** Called when all attempts at an activity ended with the death of their worker. When it resolves, another round starts. */
  crashed: (crash: Crash) => Promise<void>;
  /** Receives the usage of attempts whose activity is started again. */
  lost: (heartbeat: Partial<Heartbeat>) => void;
  /** Workers that can't use the lake. */
  troubles: LakeTroubles;
}

export function lastingActivities({ raw, attempts, crashed, lost, troubles }: Lasting): ExportActivities {
  const last = async (name: keyof ExportActivities, request: unknown) => {
    let steps = 0;
    let waitMs: number | null = null;
    for (;;) {
      const activities = waitMs === null ? raw : troubles.within(waitMs);
      try {
        const result = await summarized(activities[name] as Activity, name, request);
        if (waitMs !== null) troubles.over();
        return result;
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble) {
          lost(spentOf(error) ?? {});
          waitMs = await troubles.met(trouble, error);
          continue;
        }
        const heartbeat = deathOf(error);
        if (heartbeat === null) throw error;
        lost(heartbeat);
        const { steps: done = 0 } = heartbeat;
        const isAhead = isLeaving(error) || done > steps;
        steps = Math.max(steps, done);
        if (isAhead) continue;
        const message = `the worker stopped answering ${attempts} times in a row while ${doing(name, request)}`;
        await crashed({ message, heartbeat });
      }
    }
  };
  const names = new Map<string | symbol, (request: unknown) => Promise<unknown>>();
  return new Proxy({} as ExportActivities, {
    get(_, name) {
      const known = names.get(name) ?? ((request: unknown) => last(name as keyof ExportActivities, request));
      names.set(name, known);
      return known;
    },
  });
}

/** As `proxyActivities` makes them. */
interface Activity {
  (request: unknown): Promise<unknown>;
  executeWithOptions?(options: { summary: string }, args: [unknown]): Promise<unknown>;
}

/** Temporal's UI shows the summary beside the name of the activity. */
function summarized(activity: Activity, name: keyof ExportActivities, request: unknown): Promise<unknown> {
  const summary = doing(name, request).replace(/^it /, '').slice(0, SUMMARY_MAX);
  return activity.executeWithOptions?.({ summary }, [request]) ?? activity(request);
}

/** The last heartbeat of an activity whose attempts ended with their workers; null: it ended in another way. */
function deathOf(error: unknown): Partial<Heartbeat> | null {
  if (isLeaving(error)) return {};
  const cause = timeoutOf(error);
  if (!cause || cause.timeoutType === 'SCHEDULE_TO_START') return null;
  const details = cause.lastHeartbeatDetails as unknown;
  return ((Array.isArray(details) ? details[0] : details) as Partial<Heartbeat> | null | undefined) ?? {};
}

function timeoutOf(error: unknown): TimeoutFailure | null {
  return error instanceof ActivityFailure && error.cause instanceof TimeoutFailure ? error.cause : null;
}

/** Each attempt met a worker that was shutting down, or takes no activities any more: another worker will come. */
function isLeaving(error: unknown): boolean {
  return ['worker-leaving', 'worker-unfit'].includes(applicationFailure(error)?.type ?? '');
}

function troubleOf(error: unknown): Trouble | null {
  if (timeoutOf(error)?.timeoutType === 'SCHEDULE_TO_START') return 'nobody';
  const failure = applicationFailure(error);
  const { worker } = (failure?.details?.[0] ?? {}) as Partial<FailureDetails>;
  return failure && worker ? { type: failure.type ?? '', message: failure.message, worker } : null;
}

const DOING: { [Name in keyof ExportActivities]?: (request: Parameters<ExportActivities[Name]>[0]) => string } = {
  openRun: () => 'it opened the lake',
  readWindows: ({ unread }) => `it read window ${unread[0]?.id}`,
  planWindows: ({ windows }) => `it planned window ${windows.map(({ window }) => window).join(', ')}`,
  fetchBatch: ({ pass, window, batch_id }) => `it fetched ${pass} of window ${window} (batch ${batch_id})`,
  commitBatches: ({ batches }) => `it committed ${batches.map(({ batch_id }) => batch_id).join(', ')}`,
  fetchEntities: ({ window }) => `it fetched the entities of window ${window}`,
  finishRun: () => 'it recorded the end of the run',
};

function doing(name: keyof ExportActivities, request: unknown): string {
  const describe = DOING[name] as ((request: unknown) => string) | undefined;
  return describe?.(request) ?? `it ran ${name}`;
}
