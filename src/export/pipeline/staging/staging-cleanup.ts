/** Staged files are deleted as soon as no activity needs them: a long run would keep gigabytes until its end. */
import type { Batch, CommitResult, Lake } from '../../../lake/index.ts';
import type { JobContext } from '../job-context.ts';
import type { Unneeded } from '../types.ts';
import { dropStagedWindow } from './staged-files.ts';

/** Deletes the files that the workflow lists. Only the workflow knows that no activity that needs them is retried. */
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
    log.warn('staged files that are no longer needed stay until the run ends', { error: String(error) });
  }
}

/** Commits a batch, then deletes its staged files. @throws `batch-differs`: the lake has one of other segments */
export async function commitAndDrop(
  job: Pick<JobContext, 'log'>,
  lake: Lake,
  batch: Pick<Batch, 'run_id' | 'batch_id' | 'base_version' | 'segments' | 'joins'>,
  commit: () => Promise<CommitResult | null>,
): Promise<CommitResult | null> {
  const committed =
    (await lake.committedBatch(batch)) ??
    (await commit().catch(async (error: unknown) => {
      // An attempt that was taken for dead may have committed it meanwhile, and deleted the files that this one was reading.
      const others = await lake.committedBatch(batch);
      if (others === null) throw error;
      return others;
    }));
  if (committed !== null) await removeStaged(job, lake, batch.run_id, [{ batch: batch.batch_id }]);
  return committed;
}
