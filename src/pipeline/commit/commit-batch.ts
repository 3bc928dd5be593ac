/** Commits everything that a batch fetched, all tables in one version of the lake. Null if it fetched nothing. */
import type { Batch, CommitResult, Lake, Replacement } from '../../lake/index.ts';
import type { Dependencies } from '../dependencies.ts';
import { joinMetas, mergeReplacements, type SegmentMeta } from '../fetch/segment-sink.ts';
import type { JobContext } from '../job-context.ts';
import type { CommitBatchRequest, Committed } from '../types.ts';
import { commitAndDrop } from './staging-cleanup.ts';

/**
 * @throws FilinglakeError `segment-missing`: a segment of the request is missing, and nothing is committed;
 * `batch-differs`: the lake has a batch of this id with other content, since another history of the workflow made it
 */
export async function commitBatch(dependencies: Dependencies, request: CommitBatchRequest): Promise<Committed | null> {
  const { run, batch_id, base_version, segments } = request;
  const lake = await dependencies.lakes.at(run);
  return commitSealedOf(dependencies, lake, { run_id: run.run_id, batch_id, base_version, segments });
}

/** The same for any run of a lake. @param segments null: all that any attempt has sealed. @throws as `commitBatch` */
export async function commitSealedOf(
  job: Pick<JobContext, 'log'>,
  lake: Lake,
  { segments, ...id }: Pick<Batch, 'run_id' | 'batch_id' | 'base_version'> & Pick<CommitBatchRequest, 'segments'>,
): Promise<CommitResult | null> {
  const names = segments ?? (await segmentsOfAnyAttempt(lake, id.run_id, id.batch_id));
  // An earlier attempt may have committed it already and deleted its staged files.
  if (names.length === 0) return lake.committedBatch(id);
  const batch = { ...id, segments: names.map((name) => ({ name })) };
  return commitAndDrop(job, lake, batch, () => commitSealed(lake, batch));
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
