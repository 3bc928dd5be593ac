/**
 * Activities that survive the deaths of their workers, and workers that can't do them. After a number of attempts without progress,
 * the run pauses until someone resumes it.
 */
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import type { ExportActivities, FailedWorker, FailureDetails } from '../activities/index.ts';
import type { Heartbeat } from '../src/export/pipeline/index.ts';

/**
 * Attempts at one activity, unless a run sets another number. Temporal counts them. Other failures end sooner
 * (src/export/pipeline/failures/verdict.ts).
 */
export const ATTEMPTS_MAX = 20;

/** Temporal's limit is 400 bytes. */
const SUMMARY_MAX = 200;

export interface Crash {
  /** What was being done, and how often it was tried. */
  message: string;
  /** The usage in the last attempt's heartbeat. */
  heartbeat: Partial<Heartbeat>;
}

/** A worker that could not do an activity, perhaps for reasons of its own; or no worker took it. */
export interface Trouble {
  /** Null: nobody took the activity in time. */
  failed: { type: string; message: string; worker: FailedWorker } | null;
  /** The failure, if the run should end with it. */
  error: unknown;
}

/** What a run does if workers can't do an activity. */
export interface Troubles {
  /** The same activities, which a worker must take within a time. */
  within(ms: number): ExportActivities;
  /** @returns for how long the activity then waits for a worker that can do it. @throws if the run should end */
  met(trouble: Trouble): Promise<number>;
  /** The activity has succeeded. */
  over(): void;
}

/**
 * @param raw activities that Temporal tries `attempts` times each
 * @param crashed called when all attempts at an activity ended with the death of their worker. When it resolves, another round
 * starts
 * @param lost receives the usage of attempts whose activity is started again
 * @param troubles absent: the failure of a worker is the activity's
 */
export function lastingActivities(
  raw: ExportActivities,
  crashed: (crash: Crash) => Promise<void>,
  lost: (heartbeat: Partial<Heartbeat>) => void,
  attempts: number = ATTEMPTS_MAX,
  troubles?: Troubles,
): ExportActivities {
  const last = async (name: keyof ExportActivities, request: unknown) => {
    let steps = 0;
    let waitMs: number | null = null;
    for (;;) {
      const activities = waitMs === null ? raw : troubles!.within(waitMs);
      try {
        const result = await summarized(activities[name] as Activity, name, request);
        if (waitMs !== null) troubles!.over();
        return result;
      } catch (error) {
        const trouble = troubles && troubleOf(error);
        if (trouble) {
          lost(spentOf(error));
          waitMs = await troubles.met(trouble);
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
  if (!(error instanceof ActivityFailure)) return null;
  if (isLeaving(error)) return {};
  const { cause } = error;
  if (!(cause instanceof TimeoutFailure) || cause.timeoutType === 'SCHEDULE_TO_START') return null;
  const details = cause.lastHeartbeatDetails as unknown;
  return ((Array.isArray(details) ? details[0] : details) as Partial<Heartbeat> | null | undefined) ?? {};
}

/** Each attempt met a worker that was shutting down, or takes no activities any more: another worker will come. */
function isLeaving(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof ApplicationFailure &&
    (error.cause.type === 'worker-leaving' || error.cause.type === 'worker-unfit')
  );
}

function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof ActivityFailure)) return null;
  const { cause } = error;
  if (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START') return { failed: null, error };
  if (!(cause instanceof ApplicationFailure)) return null;
  const { worker } = (cause.details?.[0] ?? {}) as Partial<FailureDetails>;
  return worker ? { failed: { type: cause.type ?? '', message: cause.message, worker }, error } : null;
}

/** The usage that a failure states. */
function spentOf(error: unknown): Partial<Heartbeat> {
  const { cause } = error as ActivityFailure;
  const details = cause instanceof ApplicationFailure ? (cause.details?.[0] as Partial<FailureDetails>) : undefined;
  return details?.spent ?? {};
}

type Requests = { [Name in keyof ExportActivities]: Parameters<ExportActivities[Name]>[0] };

const DOING: { [Name in keyof ExportActivities]?: (request: Requests[Name]) => string } = {
  openRun: () => 'it opened the lake',
  readWindows: ({ unread }) => `it read window ${unread[0]?.id}`,
  planWindows: ({ windows }) => `it planned window ${windows.map(({ window }) => window).join(', ')}`,
  fetchBatch: ({ pass, window, batch_id }) => `it fetched ${pass} of window ${window} (batch ${batch_id})`,
  commitBatch: ({ batch_id }) => `it committed batch ${batch_id}`,
  commitBatches: ({ batches }) => `it committed ${batches.length} batches from ${batches[0]?.batch_id} on`,
  fetchEntities: ({ window }) => `it fetched the entities of window ${window}`,
  finishRun: () => 'it recorded the end of the run',
};

function doing(name: keyof ExportActivities, request: unknown): string {
  const describe = DOING[name] as ((request: unknown) => string) | undefined;
  return describe?.(request) ?? `it ran ${name}`;
}
