/** Commits everything that batches fetched, all tables in one version of the lake. */
import { createHash } from 'node:crypto';
import type { Batch, CommitResult, Lake, Replacement } from '../../../lake/index.ts';
import type { JobContext } from '../job-context.ts';
import { joinMetas, mergeReplacements, type SegmentMeta } from '../staging/segment-sink.ts';
import { commitAndDrop, removeStaged } from '../staging/staging-cleanup.ts';
import type { CommitBatchesRequest, Committed } from '../types.ts';
import type { Dependencies } from '../worker/dependencies.ts';

/**
 * Commits fetched batches as one version. Null if they fetched nothing.
 * @throws FilinglakeError `staging-missing`: a segment of the request is missing, and nothing is committed;
 * `batch-differs`: the lake has a batch of this id with other content: its workflow was reset, or Temporal's database restored
 */
export async function commitBatches(
  dependencies: Dependencies,
  { run, base_version, batches }: CommitBatchesRequest,
): Promise<Committed | null> {
  const lake = await dependencies.lakes.at(run);
  const { run_id, term } = run;
  if (batches.length === 1) return commitSealedOf(dependencies, lake, { run_id, base_version, term, ...batches[0]! });
  const joins = (batches as NonNullable<Batch['joins']>).filter(({ segments }) => segments.length > 0);
  if (joins.length === 0) return null;
  // The same batches with the same segments have the same name in every attempt.
  const digest = createHash('sha256').update(JSON.stringify(joins)).digest('hex').slice(0, 16);
  const segments = joins.flatMap((one) => one.segments.map((name) => ({ name })));
  const batch: Batch = { run_id, batch_id: `join-${digest}`, base_version, segments, joins, term };
  const committed = await commitAndDrop(dependencies, lake, batch, () => commitSealed(lake, batch));
  const done = joins.map(({ batch_id }) => ({ batch: batch_id }));
  if (committed !== null) await removeStaged(dependencies, lake, run_id, done);
  return committed;
}

/** A batch of any run of a lake. @param segments null: all that any attempt has sealed. @throws as `commitBatches` */
export async function commitSealedOf(
  job: Pick<JobContext, 'log'>,
  lake: Lake,
  { segments, ...id }: Pick<Batch, 'run_id' | 'batch_id' | 'base_version' | 'term'> & { segments: string[] | null },
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
  const { run_id, batch_id, segments, joins } = batch;
  const replace: Replacement[] = [];
  for (const one of joins ?? [{ batch_id, segments: segments.map(({ name }) => name) }]) {
    // By name, not from a listing of the folder: a listing may be out of date, or of another folder.
    const sealed = await lake.segments(run_id, one.batch_id, one.segments);
    for (const { meta } of sealed) mergeReplacements(replace, (meta as SegmentMeta).replace);
  }
  return lake.commitBatch({ ...batch, replace });
}
