/** Fetches a stretch of a work list for some seconds into sealed segments. A later attempt continues after them. */
import { requestsOfAll } from '../../selectors/index.ts';
import type { Pass } from '../../steps/index.ts';
import { dayOfRun, filingsFetchedWithInfo } from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import { listedIn } from '../coverage/listed-sections.ts';
import { FailureLog } from '../failures/failure-log.ts';
import { probeRequests } from '../failures/probe-requests.ts';
import { verdictOf } from '../failures/verdict.ts';
import { joinMetas, type SegmentMeta, SegmentSink } from '../staging/segment-sink.ts';
import { type Stretch, WorkQueue } from '../staging/work-list.ts';
import type { BatchFetched, FetchBatchRequest } from '../types.ts';
import type { Dependencies } from '../worker/dependencies.ts';
import { RequestBudget } from '../worker/request-budget.ts';
import { FilingFetcher } from './fetch-filing.ts';
import { DocumentSizes } from './too-large.ts';

/** @throws FilinglakeError `batch-differs` before any request: the lake has a batch of this id; errors of the client */
export async function fetchBatch(dependencies: Dependencies, request: FetchBatchRequest): Promise<BatchFetched> {
  const { lakes, plans, heartbeat, attempt, signal, leaving, batchMs } = dependencies;
  const { run, window, plan, pass, batch_id, from, to, record_refusals } = request;
  const { definition } = run;
  const lake = await lakes.at(run);
  const { stretches, numbers, base_version } = await plans.read(lake, run.run_id, window, plan);

  const earlier = await lake.takeUpSegments(run.run_id, batch_id, joinMetas);
  // Checked before any request: after a reset, the run may have committed a batch of this name that its history does not know.
  if (earlier.length === 0) await lake.committedBatch({ run_id: run.run_id, batch_id, base_version, segments: [] });
  const done = new Set(earlier.flatMap((segment) => (segment.meta as SegmentMeta).done));
  const read = (stretch: Stretch) => plans.stretch(lake, run.run_id, window, stretch);
  const queue = new WorkQueue(stretches, from, definition, pass, read, to);
  const expected = await queue.requests();
  const requestBudget = RequestBudget.of(dependencies, lake, { run, work: batch_id, expected });
  const sink = new SegmentSink(lake.openStaging(run.run_id, batch_id, attempt));
  const abort = new AbortController();
  const client = await requestBudget.client(dependencies, AbortSignal.any([signal, abort.signal]));
  const log = new FailureLog(lake, run);
  const fetcher = new FilingFetcher({
    definition,
    client,
    sink,
    requestBudget,
    log,
    pass,
    recordsRefusals: record_refusals,
    done,
    lastPending: () => queue.last(),
    probes: (operation) => probeRequests(lake, operation),
    sizes: new DocumentSizes(lake, definition, numbers),
    listed: listedIn(lake, numbers),
    isFetchedWithInfo: filingsFetchedWithInfo(lake, run.run_id, numbers),
    stored: async (number) => (await filingsInLake(lake, [number])).get(number) ?? null,
    today: dayOfRun(run),
  });
  heartbeat.report(() => ({ filings: fetcher.filings, pass, steps: fetcher.steps }));

  try {
    const next = await fetchLines({
      queue,
      pass,
      connections: definition.service.connections,
      requestBudget,
      fetcher,
      abort,
      leaving,
      batchMs,
    });
    await sink.seal();
    await requestBudget.settle();
    const segments = [...earlier, ...sink.sealed];
    const { failures, refreshed, unchanged } = joinMetas(segments.map(({ meta }) => meta));
    const { filings, steps } = fetcher;
    const again = refreshed === undefined ? {} : { refreshed, unchanged: unchanged ?? 0 };
    const outcome = await requestBudget.outcome(lake);
    return {
      batch_id,
      next,
      segments: segments.map(({ name }) => name),
      filings,
      steps,
      failures,
      ...again,
      ...outcome,
    };
  } finally {
    abort.abort();
    await client.close();
    await sink.close();
  }
}

/**
 * Takes filings in order, one for each connection, until the time is up. At least one: batches are named by their first lines.
 * Returns the first line not taken, or null.
 */
async function fetchLines(work: {
  queue: WorkQueue;
  pass: Pass;
  connections: number;
  requestBudget: RequestBudget;
  fetcher: FilingFetcher;
  abort: AbortController;
  leaving: AbortSignal;
  batchMs: number;
}): Promise<number | null> {
  const { queue, pass, connections, requestBudget, fetcher, abort, leaving, batchMs } = work;
  const until = performance.now() + batchMs;
  let broken: { error: unknown } | null = null;
  const lane = async () => {
    const isInTime = () => queue.isUntouched || (!leaving.aborted && performance.now() < until);
    while (!requestBudget.stop && !broken && isInTime()) {
      try {
        const line = await queue.take();
        if (line === null) return;
        if (pass === 'whole') await requestBudget.whole(requestsOfAll(line.steps), () => fetcher.fetch(line));
        else await fetcher.fetch(line);
      } catch (error) {
        requestBudget.refused(error);
        if (verdictOf(error) === 'stopped') return;
        broken ??= { error };
        // One lane failed: the others end too, since their results are void or not needed.
        abort.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  if (!broken) {
    await fetcher.settleSuspects().catch((error: unknown) => {
      broken = { error };
    });
  }
  if (broken) {
    await fetcher.keepWhatIsDone();
    throw (broken as { error: unknown }).error;
  }
  return queue.next();
}
