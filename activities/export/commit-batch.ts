/** Commits what a batch fetched: all its tables in one version of the lake. */
import type { Replacement } from '../../src/lake/index.ts';
import type { Dependencies } from './dependencies.ts';
import { mergeReplacements, type SegmentMeta } from './sink.ts';
import type { CommitBatchRequest, Committed } from './types.ts';

export async function commitBatch({ lakes }: Dependencies, request: CommitBatchRequest): Promise<Committed> {
  const { run, batch_id, base_version, segments } = request;
  const lake = await lakes.at(run.lake);
  const named = new Set(segments);
  const replace: Replacement[] = [];
  for (const segment of await lake.sealedSegments(run.run_id, batch_id)) {
    if (named.has(segment.name)) mergeReplacements(replace, (segment.meta as SegmentMeta).replace);
  }
  return lake.commitBatch({
    run_id: run.run_id,
    batch_id,
    base_version,
    segments: segments.map((name) => ({ name })),
    replace,
  });
}
