/** Commits what a batch fetched: all its tables in one version of the lake; null where it fetched nothing. */
import type { Batch, CommitResult, Lake, Replacement } from '../../src/lake/index.ts';
import { commitAndDrop } from './clear-away.ts';
import type { Dependencies } from './dependencies.ts';
import { mergeReplacements, type SegmentMeta } from './sink.ts';
import type { CommitBatchRequest, Committed } from './types.ts';

export async function commitBatch({ lakes }: Dependencies, request: CommitBatchRequest): Promise<Committed | null> {
  const { run, batch_id, base_version, segments } = request;
  const lake = await lakes.at(run.lake);
  const batch = { run_id: run.run_id, batch_id, base_version };
  return commitAndDrop(lake, batch, () => commitSealed(lake, batch, segments));
}

async function commitSealed(
  lake: Lake,
  batch: Pick<Batch, 'run_id' | 'batch_id' | 'base_version'>,
  segments: readonly string[] | null,
): Promise<CommitResult | null> {
  const sealed = await lake.sealedSegments(batch.run_id, batch.batch_id);
  const chosen = segments === null ? sealed : sealed.filter(({ name }) => segments.includes(name));
  if (chosen.length === 0) return null;
  const replace: Replacement[] = [];
  for (const { meta } of chosen) mergeReplacements(replace, (meta as SegmentMeta).replace);
  return lake.commitBatch({ ...batch, segments: chosen, replace });
}
