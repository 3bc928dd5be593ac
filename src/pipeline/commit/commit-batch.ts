/** Commits everything that a batch fetched, all tables in one version of the lake. Null if it fetched nothing. */
import type { Batch, CommitResult, Lake, Replacement } from '../../lake/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { joinMetas, mergeReplacements, type SegmentMeta } from '../fetch/segment-sink.ts';
import type { CommitBatchRequest, Committed } from '../types.ts';
import { commitAndDrop } from './staging-cleanup.ts';

/**
 * @throws FilinglakeError `segment-missing`: a segment of the request is missing, and nothing is committed;
 * `batch-differs`: the lake has a batch of this id with other content, since another history of the workflow made it
 */
export async function commitBatch(dependencies: Dependencies, request: CommitBatchRequest): Promise<Committed | null> {
  const { run, batch_id, base_version } = request;
  const lake = await dependencies.lakes.at(run);
  const names = request.segments ?? (await segmentsOfAnyAttempt(lake, run.run_id, batch_id));
  const id = { run_id: run.run_id, batch_id, base_version };
  // An earlier attempt may have committed it already and deleted its staged files.
  if (names.length === 0) return lake.committedBatch(id);
  const batch = { ...id, segments: names.map((name) => ({ name })) };
  return commitAndDrop(dependencies, lake, batch, () => commitSealed(lake, batch));
}

/**
 * The segments to commit: those that an earlier attempt of the commit sealed, if there are any. A fetch that was taken for dead may
 * still seal more. Otherwise all that exist, including those of killed attempts.
 */
async function segmentsOfAnyAttempt(lake: Lake, runId: string, batchId: string): Promise<string[]> {
  const segments =
    (await lake.sealedBatch(runId, batchId))?.segments ?? (await lake.takeUpSegments(runId, batchId, joinMetas));
  return segments.map(({ name }) => name);
}

async function commitSealed(lake: Lake, batch: Batch): Promise<CommitResult> {
  const { run_id, batch_id, segments } = batch;
  const replace: Replacement[] = [];
  // By name, not from a listing of the folder: a listing may be out of date, or of another folder.
  const sealed = await lake.segments(
    run_id,
    batch_id,
    segments.map(({ name }) => name),
  );
  for (const { meta } of sealed) mergeReplacements(replace, (meta as SegmentMeta).replace);
  return lake.commitBatch({ ...batch, replace });
}
