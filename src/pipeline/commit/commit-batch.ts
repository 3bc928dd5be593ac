/** Commits what a batch fetched: all its tables in one version of the lake; null if it fetched nothing. */
import type { Batch, CommitResult, Lake, Replacement } from '../../lake/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { joinMetas, mergeReplacements, type SegmentMeta } from '../fetch/segment-sink.ts';
import type { CommitBatchRequest, Committed } from '../types.ts';
import { commitAndDrop } from './staging-cleanup.ts';

/**
 * @throws FilinglakeError `segment-missing`: one that the request names isn't there, and nothing is committed;
 * `batch-differs`: the lake has a batch of this id with other content, since the workflow's history isn't the one that made it
 */
export async function commitBatch(dependencies: Dependencies, request: CommitBatchRequest): Promise<Committed | null> {
  const { run, batch_id, base_version } = request;
  const lake = await dependencies.lakes.at(run);
  const names = request.segments ?? (await segmentsOfAnyAttempt(lake, run.run_id, batch_id));
  const id = { run_id: run.run_id, batch_id, base_version };
  // An attempt before this one may have committed it, and dropped what was staged.
  if (names.length === 0) return lake.committedBatch(id);
  const batch = { ...id, segments: names.map((name) => ({ name })) };
  return commitAndDrop(dependencies, lake, batch, () => commitSealed(lake, batch));
}

/**
 * What an attempt at the commit has sealed already counts: a fetch that was given up for dead may seal more behind it. Else all that
 * there is, also what a killed attempt had delivered.
 */
async function segmentsOfAnyAttempt(lake: Lake, runId: string, batchId: string): Promise<string[]> {
  const segments =
    (await lake.sealedBatch(runId, batchId))?.segments ?? (await lake.takeUpSegments(runId, batchId, joinMetas));
  return segments.map(({ name }) => name);
}

async function commitSealed(lake: Lake, batch: Batch): Promise<CommitResult> {
  const { run_id, batch_id, segments } = batch;
  const replace: Replacement[] = [];
  // By name, not from a list of the folder: a list may be an old one, or that of another folder.
  const sealed = await lake.segments(
    run_id,
    batch_id,
    segments.map(({ name }) => name),
  );
  for (const { meta } of sealed) mergeReplacements(replace, (meta as SegmentMeta).replace);
  return lake.commitBatch({ ...batch, replace });
}
