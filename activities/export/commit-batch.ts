/** Commits what a batch fetched: all its tables in one version of the lake; null where it fetched nothing. */
import { log } from '@temporalio/activity';
import type { Replacement } from '../../src/lake/index.ts';
import type { Dependencies } from './dependencies.ts';
import { mergeReplacements, type SegmentMeta } from './sink.ts';
import type { CommitBatchRequest, Committed } from './types.ts';

export async function commitBatch(
  { lakes, compactions }: Dependencies,
  request: CommitBatchRequest,
): Promise<Committed | null> {
  const { run, batch_id, base_version, segments } = request;
  const lake = await lakes.at(run.lake);
  const sealed = await lake.sealedSegments(run.run_id, batch_id);
  const chosen = segments === null ? sealed : sealed.filter(({ name }) => segments.includes(name));
  if (chosen.length === 0) return null;
  const replace: Replacement[] = [];
  for (const { meta } of chosen) mergeReplacements(replace, (meta as SegmentMeta).replace);
  const committed = await lake.commitBatch({
    run_id: run.run_id,
    batch_id,
    base_version,
    segments: chosen,
    replace,
  });
  const notStarted = await compactions.startIfDue(lake, run.lake);
  if (notStarted !== null) log.warn('no compaction could be started', { error: notStarted });
  return committed;
}
