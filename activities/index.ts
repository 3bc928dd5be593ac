/** The activities that a worker offers to the export workflow. */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { commitBatch } from './export/commit-batch.ts';
import type { Dependencies, WorkerDependencies } from './export/dependencies.ts';
import { activityFailure } from './export/failures.ts';
import { fetchBatch } from './export/fetch-batch.ts';
import { fetchEntities } from './export/fetch-entities.ts';
import { planWindow } from './export/plan-window.ts';
import { startPulse } from './export/pulse.ts';
import { readWindow } from './export/read-window.ts';
import { finishRun, leaveRun, openRun } from './export/run-ends.ts';
import { withSpentBefore } from './export/spent.ts';
import type { BlockBudgetRequest, RunReference } from './export/types.ts';

export { BudgetOffice } from './export/budget-office.ts';
export { Busy, Lakes, type WorkerDependencies } from './export/dependencies.ts';
export type { FailureDetails } from './export/failures.ts';
export { Plans } from './export/staged.ts';
export type * from './export/types.ts';

export type ExportActivities = ReturnType<typeof createExportActivities>;

/** Binds the activities to what they work with; each turns its errors into what the workflow reads. */
export function createExportActivities(dependencies: WorkerDependencies) {
  const bind =
    <Request, Result>(activity: (dependencies: Dependencies, request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      const context = Context.current();
      if (dependencies.leaving.aborted) throw ApplicationFailure.retryable('the worker is leaving', 'worker-leaving');
      const pulse = startPulse(context);
      const done = dependencies.busy.enter();
      try {
        return withSpentBefore(await activity({ ...dependencies, pulse }, request), pulse.before);
      } catch (error) {
        throw activityFailure(error, context.info.attempt, pulse.spent());
      } finally {
        pulse.stop();
        done();
      }
    };
  return {
    openRun: bind(openRun),
    readWindow: bind(readWindow),
    planWindow: bind(planWindow),
    fetchEntities: bind(fetchEntities),
    fetchBatch: bind(fetchBatch),
    commitBatch: bind(commitBatch),
    finishRun: bind(finishRun),
    blockBudget: bind(async ({ budget }: Dependencies, { run, until, limit }: BlockBudgetRequest) =>
      budget.block(run, until, limit),
    ),
    unblockBudget: bind(async ({ budget }: Dependencies, run: RunReference) => budget.unblock(run)),
    leaveRun: bind(leaveRun),
  };
}
