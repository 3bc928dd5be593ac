/** The activities that a worker offers to its workflows. Each calls the engine with the attempt's data from Temporal. */
import { ApplicationFailure, Context, log } from '@temporalio/activity';
import { FilinglakeError } from '../src/core/index.ts';
import { RequestCounter } from '../src/export/client/index.ts';
import {
  type BlockBudgetRequest,
  type Clearing,
  commitBatches,
  compactIfDue,
  type Dependencies,
  endTurn,
  fetchBatch,
  fetchEntities,
  finishRun,
  leaveRun,
  openRun,
  planWindows,
  type RunReference,
  readWindows,
  removeStaged,
  takeTurn,
  type WorkerDependencies,
} from '../src/export/pipeline/index.ts';
import { SIGN_MS } from '../src/lake/index.ts';
import { activityFailure, isOfAWorker } from './activity-failure.ts';
import { sentBefore, startHeartbeat } from './heartbeat.ts';

export type { FailedWorker, FailureDetails } from './activity-failure.ts';
export { BudgetClient } from './budget-client.ts';
export { RunsClient } from './runs-client.ts';

export type ExportActivities = ReturnType<typeof createExportActivities>;

type EngineCall<Request, Result> = (dependencies: Dependencies, request: Request) => Promise<Result>;

/** Before another worker takes the activity from one that can't do it. */
const HAND_OVER = '200 milliseconds';

/** Wraps engine calls as activities: heartbeats, and errors in the form that the workflow reads. */
function binder(dependencies: WorkerDependencies) {
  const { fitness } = dependencies;
  return <Request, Result>(call: EngineCall<Request, Result>) =>
    async (request: Request): Promise<Result> => {
      const context = Context.current();
      if (dependencies.leaving.aborted)
        throw ApplicationFailure.retryable('the worker is shutting down', 'worker-leaving');
      // It was polling when it failed.
      if (fitness?.isUnfit()) {
        const message = 'the worker takes no activities now';
        throw ApplicationFailure.create({ message, type: 'worker-unfit', nextRetryDelay: HAND_OVER });
      }
      const { attempt } = context.info;
      const requests = new RequestCounter(sentBefore(context.info.heartbeatDetails));
      const heartbeat = startHeartbeat(context, requests);
      const done = dependencies.busy.enter();
      const job = { attempt, signal: context.cancellationSignal, log, heartbeat, requests };
      const sign = () => signOfLife(dependencies, request).catch(() => null);
      const signs = setInterval(() => void sign(), SIGN_MS);
      try {
        await sign();
        return await call({ ...dependencies, ...job }, request);
      } catch (error) {
        const worker = fitness && isOfAWorker(error) ? await fitness.failed(error, placeOf(request)) : undefined;
        throw activityFailure(error, attempt, requests.total, worker);
      } finally {
        clearInterval(signs);
        heartbeat.stop();
        done();
      }
    };
}

/** Shows that the run of an activity lives. @returns whether it still has the lake, and others wait; null: it has no turn */
async function signOfLife({ lakes }: Pick<Dependencies, 'lakes'>, request: unknown) {
  const { run } = request as { run?: RunReference };
  return run?.term === undefined ? null : (await lakes.at(run)).turns.sign(run.term);
}

/**
 * Work that is only for the one who has the lake. Adds whether others wait for it, and how many workers may fetch at the same time: with
 * the next step, the workflow starts as many fetches.
 */
function withTurn<Request, Result extends object>(call: EngineCall<Request, Result>) {
  return async (
    dependencies: Dependencies,
    request: Request,
  ): Promise<Result & { workers?: number; wanted?: true }> => {
    if ((await signOfLife(dependencies, request)) === 'lost')
      throw new FilinglakeError('plan-outdated', 'the plan is out of date: the run has lost its turn');
    const result = await call(dependencies, request);
    const workers = await dependencies.fetchers?.();
    const isWanted = (await signOfLife(dependencies, request)) === 'wanted';
    return { ...result, ...(workers !== undefined && { workers }), ...(isWanted && { wanted: true }) };
  };
}

/** The queue of batches that are fetched beside others. Each worker takes one at a time from it, so that all have some. */
export function fetchQueueOf(taskQueue: string): string {
  return `${taskQueue}/fetch`;
}

/** The lake that an activity of a run works on. */
function placeOf(request: unknown): string {
  const { run, lake } = request as { run?: RunReference; lake?: string };
  return run?.lake ?? lake!;
}

export function createExportActivities(dependencies: WorkerDependencies) {
  const bind = binder(dependencies);
  /** For those that commit: deletes staged files that the run no longer needs, and compacts the lake if that is due. */
  const bindCommitting = <Request extends Clearing & { run: RunReference }, Result>(
    call: EngineCall<Request, Result>,
  ) =>
    bind(async (given: Dependencies, request: Request): Promise<Result> => {
      const result = await call(given, request);
      const lake = await given.lakes.at(request.run);
      await removeStaged(given, lake, request.run.run_id, request.unneeded ?? []);
      await compactIfDue(given, lake, request.run.term);
      return result;
    });
  return {
    openRun: bind(openRun),
    readWindows: bind(readWindows),
    planWindows: bindCommitting(withTurn(planWindows)),
    fetchEntities: bindCommitting(withTurn(fetchEntities)),
    fetchBatch: bind(withTurn(fetchBatch)),
    commitBatches: bindCommitting(commitBatches),
    finishRun: bind(finishRun),
    blockBudget: bind(async ({ budget }: Dependencies, { run, until, limit }: BlockBudgetRequest) =>
      budget.block(run, until, limit),
    ),
    unblockBudget: bind(async ({ budget }: Dependencies, run: RunReference) => budget.unblock(run)),
    leaveRun: bind(leaveRun),
    takeTurn: bind(takeTurn),
    endTurn: bind(endTurn),
  };
}
