/** Commits what a batch fetched: all its tables in one version of the lake; null where it fetched nothing. */
import { log } from '@temporalio/activity';
import type { Batch, Lake, Replacement } from '../../src/lake/index.ts';
import type { Dependencies } from './dependencies.ts';
import { mergeReplacements, type SegmentMeta } from './sink.ts';
import type { CommitBatchRequest, Committed } from './types.ts';

export async function commitBatch({ lakes }: Dependencies, request: CommitBatchRequest): Promise<Committed | null> {
  const { run, batch_id, base_version, segments } = request;
  const lake = await lakes.at(run.lake);
  const batch = { run_id: run.run_id, batch_id, base_version };
  const committed =
    (await lake.committedBatch(batch)) ??
    (await commitSealed(lake, batch, segments).catch(async (error: unknown) => {
      // An attempt that was given up for dead may have committed it meanwhile, and removed what this one was reading.
      const others = await lake.committedBatch(batch);
      if (others === null) throw error;
      return others;
    }));
  if (committed === null) return null;
  // Rows of text are many times their Parquet: kept until the run's end, they would fill the disk.
  await lake.dropBatch(run.run_id, batch_id).catch((error: unknown) => {
    log.warn('what is staged of a committed batch stays until the run ends', { batch_id, error: String(error) });
  });
  return committed;
}

async function commitSealed(
  lake: Lake,
  batch: Pick<Batch, 'run_id' | 'batch_id' | 'base_version'>,
  segments: readonly string[] | null,
): Promise<Committed | null> {
  const sealed = await lake.sealedSegments(batch.run_id, batch.batch_id);
  const chosen = segments === null ? sealed : sealed.filter(({ name }) => segments.includes(name));
  if (chosen.length === 0) return null;
  const replace: Replacement[] = [];
  for (const { meta } of chosen) mergeReplacements(replace, (meta as SegmentMeta).replace);
  return lake.commitBatch({ ...batch, segments: chosen, replace });
}
