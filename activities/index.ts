/** The activities that a worker offers to its workflows. */
import { ApplicationFailure, Context, log } from '@temporalio/activity';
import { clearAway } from './export/clear-away.ts';
import { commitBatch } from './export/commit-batch.ts';
import type { Dependencies, WorkerDependencies } from './export/dependencies.ts';
import { activityFailure } from './export/failures.ts';
import { fetchBatch } from './export/fetch-batch.ts';
import { fetchEntities } from './export/fetch-entities.ts';
import { planWindows } from './export/plan-windows.ts';
import { startPulse } from './export/pulse.ts';
import { readWindows } from './export/read-windows.ts';
import { finishRun, leaveRun, openRun } from './export/run-ends.ts';
import { withSpentBefore } from './export/spent.ts';
import type { BlockBudgetRequest, Clearing, RunReference } from './export/types.ts';
import { compactTable, tablesToCompact } from './lake/compact-table.ts';

export { BudgetOffice } from './export/budget-office.ts';
export { Busy, Lakes, type WorkerDependencies } from './export/dependencies.ts';
export type { FailureDetails } from './export/failures.ts';
export { PagesReadLast, Plans } from './export/staged.ts';
export type * from './export/types.ts';
export { COMPACTION_BOX_MS } from './lake/compact-table.ts';
export { CompactionOffice, startCompaction } from './lake/compaction-office.ts';
export type * from './lake/types.ts';

export type LakeActivities = ReturnType<typeof createLakeActivities>;
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
  /** For those that commit: what the run needs no more goes; each commit adds a part to its tables, and somebody must see when they are too many. */
  const bindCommitting = <Request extends Clearing & { run: RunReference }, Result>(
    activity: (dependencies: Dependencies, request: Request) => Promise<Result>,
  ) =>
    bind(async (given: Dependencies, request: Request): Promise<Result> => {
      const result = await activity(given, request);
      const { lake, run_id } = request.run;
      const open = await given.lakes.at(request.run);
      await clearAway(open, run_id, request.unneeded ?? []);
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

/** Binds the activities about a lake alone. */
export function createLakeActivities(dependencies: WorkerDependencies) {
  const bind =
    <Request, Result>(activity: (dependencies: WorkerDependencies, request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      const { leaving, busy } = dependencies;
      if (leaving.aborted) throw ApplicationFailure.retryable('the worker is leaving', 'worker-leaving');
      const done = busy.enter();
      try {
        return await activity(dependencies, request);
      } catch (error) {
        throw activityFailure(error, Context.current().info.attempt, null);
      } finally {
        done();
      }
    };
  return { tablesToCompact: bind(tablesToCompact), compactTable: bind(compactTable) };
}
