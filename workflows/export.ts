/**
 * One export run. First every window of the selection is read and its new filings are committed: one request returns up to 10,000
 * of them. Then the pending steps are fetched pass by pass, the cheap ones first, in time-boxed batches. Each batch is committed
 * while the next one is fetched. Rows never pass through the workflow, and continue-as-new keeps its state small.
 */
import { CancellationScope, ContinueAsNew, isCancellation, log } from '@temporalio/workflow';
import type { RunFinished } from '../src/export/pipeline/index.ts';
import type { ExportProgress } from '../src/export/run/index.ts';
import { PASSES } from '../src/export/steps/index.ts';
import { ExportRun } from './export-run.ts';
import { PassFetcher } from './pass-fetcher.ts';
import { asRunFailure, rootMessage } from './run-errors.ts';
import type { ExportRunInput } from './run-input.ts';
import { activities } from './run-state.ts';
import { WindowReader } from './window-reader.ts';

export type { ExportRunInput } from './run-input.ts';

export interface ExportRunResult {
  progress: ExportProgress;
  finished: RunFinished;
}

export async function exportWorkflow(input: ExportRunInput): Promise<ExportRunResult> {
  const run = new ExportRun(input);
  try {
    return await toEnd(run);
  } catch (error) {
    // Not the end: the run continues in a new history, with all its staged files.
    if (error instanceof ContinueAsNew) throw error;
    await CancellationScope.nonCancellable(() => end(run, isCancellation(error) ? 'cancelled' : 'failed', error));
    throw asRunFailure(error);
  }
}

async function toEnd(run: ExportRun): Promise<ExportRunResult> {
  const { state, progress, input } = run;
  const reader = new WindowReader(run);
  state.setState('running');
  if (!input.carried) {
    state.holdToLake((await state.activities.openRun(run.reference())).lake_id);
    state.troubles.waitForLake(true);
  }
  if (state.turn === null) await state.takeTurn();
  const fetcher = new PassFetcher(run);
  await reader.readAll();
  await fetcher.fetchAll();
  await reader.fetchFilers();
  const { requests, bytes } = progress;
  const { started_at } = input;
  const finished = await state.inTurn(() =>
    state.activities.finishRun({
      run: run.reference(),
      state: 'completed',
      started_at,
      requests,
      bytes,
      fetched_steps: PASSES.reduce((sum, pass) => sum + progress.steps[pass].done, 0),
      ...(progress.steps_refreshed ? refreshOf(progress) : {}),
    }),
  );
  Object.assign(progress, finished.spent);
  await end(run, 'completed', null);
  return { progress, finished };
}

/** The run has ended: reports it, and returns the unused budget. */
async function end(run: ExportRun, state: 'completed' | 'failed' | 'cancelled', error: unknown): Promise<void> {
  // The commit in the background still needs its staged files, and counts.
  await run.committing.catch(() => {});
  run.state.setState(state, { message: error === null || isCancellation(error) ? null : rootMessage(error) });
  if (state === 'completed') return;
  try {
    const left = await activities.leaveRun({ ...run.reference(), state });
    for (const committed of left) run.committed(committed);
    if (left.length > 0) run.state.remember();
  } catch (leaving) {
    // The run fails with its own error, not with an error of the clean-up.
    log.warn('the run could not be cleaned up', { error: String(leaving) });
  }
}

function refreshOf({ steps_refreshed = 0, steps_unchanged = 0 }: ExportProgress) {
  return { steps_refreshed, steps_unchanged };
}
