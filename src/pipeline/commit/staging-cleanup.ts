/** What is staged of a run goes as soon as nothing of the run can need it any more: kept until the end, it would be gigabytes of a long one. */
import type { Batch, CommitResult, Lake } from '../../lake/index.ts';
import type { JobContext } from '../job-context.ts';
import { dropStagedWindow } from '../plan/staged-files.ts';
import type { Unneeded } from '../types.ts';

/** What the workflow says is not needed: it alone knows that no activity which needs it will be tried again. */
export async function removeStaged(
  { log }: Pick<JobContext, 'log'>,
  lake: Lake,
  runId: string,
  unneeded: readonly Unneeded[],
): Promise<void> {
  try {
    for (const one of unneeded) {
      if ('batch' in one) await lake.dropBatch(runId, one.batch);
      else await dropStagedWindow(lake, runId, one);
    }
  } catch (error) {
    log.warn('what is staged and not needed stays until the run ends', { error: String(error) });
  }
}

/**
 * Commits a batch, and drops what is staged of it: a retry needs the log alone.
 * @throws FilinglakeError `batch-differs` if the lake has a batch of this id, made of other segments
 */
export async function commitAndDrop(
  job: Pick<JobContext, 'log'>,
  lake: Lake,
  batch: Pick<Batch, 'run_id' | 'batch_id' | 'base_version' | 'segments'>,
  commit: () => Promise<CommitResult | null>,
): Promise<CommitResult | null> {
  const committed =
    (await lake.committedBatch(batch)) ??
    (await commit().catch(async (error: unknown) => {
      // An attempt that was given up for dead may have committed it meanwhile, and removed what this one was reading.
      const others = await lake.committedBatch(batch);
      if (others === null) throw error;
      return others;
    }));
  if (committed !== null) await removeStaged(job, lake, batch.run_id, [{ batch: batch.batch_id }]);
  return committed;
}
