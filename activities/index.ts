/** The activities that a worker offers to its workflows. Each calls the engine with the attempt's data from Temporal. */
import { ApplicationFailure, Context, log } from '@temporalio/activity';
import {
  type BlockBudgetRequest,
  type Clearing,
  commitBatch,
  compactTable,
  type Dependencies,
  fetchBatch,
  fetchEntities,
  finishRemap,
  finishRun,
  leaveRun,
  openRun,
  planRemap,
  planWindows,
  RequestCounter,
  type RunReference,
  readWindows,
  remapStretch,
  removeStaged,
  tablesToCompact,
  type WorkerDependencies,
} from '../src/pipeline/index.ts';
import { activityFailure } from './activity-failure.ts';
import { sentBefore, startHeartbeat } from './heartbeat.ts';

export type { FailureDetails } from './activity-failure.ts';
export { BudgetClient } from './budget-client.ts';
export { CompactionClient, startCompaction } from './compaction-client.ts';
export {
  createFollowActivities,
  type FollowActivities,
  type FollowEdgar,
  type FollowOutcome,
} from './follow-activities.ts';
export type { StartedLakeWorkflow } from './lake-workflow.ts';
export { remapQueueOf, startRemap } from './remap-client.ts';
export { RunsClient } from './runs-client.ts';

export type LakeActivities = ReturnType<typeof createLakeActivities>;
export type RemapActivities = ReturnType<typeof createRemapActivities>;
export type ExportActivities = ReturnType<typeof createExportActivities>;

type EngineCall<Request, Result> = (dependencies: Dependencies, request: Request) => Promise<Result>;

/** Wraps engine calls as activities: heartbeats, and errors in the form that the workflow reads. */
function binder(dependencies: WorkerDependencies) {
  return <Request, Result>(call: EngineCall<Request, Result>) =>
    async (request: Request): Promise<Result> => {
      const context = Context.current();
      if (dependencies.leaving.aborted)
        throw ApplicationFailure.retryable('the worker is shutting down', 'worker-leaving');
      const { attempt } = context.info;
      const requests = new RequestCounter(sentBefore(context.info.heartbeatDetails));
      const heartbeat = startHeartbeat(context, requests);
      const done = dependencies.busy.enter();
      const job = { attempt, signal: context.cancellationSignal, log, heartbeat, requests };
      try {
        return await call({ ...dependencies, ...job }, request);
      } catch (error) {
        throw activityFailure(error, attempt, requests.total);
      } finally {
        heartbeat.stop();
        done();
      }
    };
}

export function createExportActivities(dependencies: WorkerDependencies) {
  const bind = binder(dependencies);
  /** For those that commit: deletes staged files that the run no longer needs, and starts a compaction if one is due. */
  const bindCommitting = <Request extends Clearing & { run: RunReference }, Result>(
    call: EngineCall<Request, Result>,
  ) =>
    bind(async (given: Dependencies, request: Request): Promise<Result> => {
      const result = await call(given, request);
      const { lake, run_id } = request.run;
      const open = await given.lakes.at(request.run);
      await removeStaged(given, open, run_id, request.unneeded ?? []);
      const notStarted = await given.compactions.startIfDue(open, lake);
      if (notStarted !== null) log.warn('no compaction could be started', { error: notStarted });
      return result;
    });
  return {
    openRun: bind(openRun),
    readWindows: bind(readWindows),
    planWindows: bindCommitting(planWindows),
    fetchEntities: bindCommitting(fetchEntities),
    fetchBatch: bind(fetchBatch),
    commitBatch: bindCommitting(commitBatch),
    finishRun: bind(finishRun),
    blockBudget: bind(async ({ budget }: Dependencies, { run, until, limit }: BlockBudgetRequest) =>
      budget.block(run, until, limit),
    ),
    unblockBudget: bind(async ({ budget }: Dependencies, run: RunReference) => budget.unblock(run)),
    leaveRun: bind(leaveRun),
  };
}

export function createLakeActivities(dependencies: WorkerDependencies) {
  const bind = binder(dependencies);
  return { tablesToCompact: bind(tablesToCompact), compactTable: bind(compactTable) };
}

/** On a queue of their own: a worker takes one at a time, so that others find the rest. */
export function createRemapActivities(dependencies: WorkerDependencies) {
  const bind = binder(dependencies);
  return { planRemap: bind(planRemap), remapStretch: bind(remapStretch), finishRemap: bind(finishRemap) };
}
