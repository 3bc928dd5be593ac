/** Fetches what a stretch of a work list owes, for some seconds, into sealed segments. A later attempt goes on from what is sealed. */
import { Context } from '@temporalio/activity';
import type { WorkLine } from './coverage.ts';
import type { Dependencies } from './dependencies.ts';
import { verdictOf } from './failures.ts';
import { FilingFetcher } from './fetch-filing.ts';
import { Gate } from './gate.ts';
import { type SegmentMeta, Sink } from './sink.ts';
import type { BatchFetched, FetchBatchRequest } from './types.ts';

export async function fetchBatch(dependencies: Dependencies, request: FetchBatchRequest): Promise<BatchFetched> {
  const { apiKey, budget, lakes, plans, pulse, leaving, batchMs } = dependencies;
  const { run, window, plan, batch_id, from } = request;
  const context = Context.current();
  const { attempt } = context.info;
  const lake = await lakes.at(run.lake);
  const { lines } = await plans.read(lake, run.run_id, window, plan);

  const earlier = await lake.sealedSegments(run.run_id, batch_id);
  const done = new Set(earlier.flatMap((segment) => (segment.meta as SegmentMeta).done));
  const expected = lines.slice(from).reduce((sum, line) => sum + line.steps.length, 0);
  const gate = new Gate({ run, budget, holder: `${batch_id}/${attempt}`, expected });
  const sink = new Sink(lake.openStaging(run.run_id, batch_id, attempt));
  const abort = new AbortController();
  const signal = AbortSignal.any([context.cancellationSignal, abort.signal]);
  const client = gate.client(apiKey, signal);
  const fetcher = new FilingFetcher({ definition: run.definition, client, sink, gate, done });
  pulse.tell(() => ({ ...gate.spent, filings: fetcher.filings }));

  try {
    const next = await fetchLines({
      lines,
      from,
      connections: run.definition.service.connections,
      gate,
      fetcher,
      abort,
      leaving,
      batchMs,
    });
    await sink.seal();
    await gate.settle();
    const segments = [...earlier, ...sink.sealed];
    const failures = segments.reduce((sum, segment) => sum + (segment.meta as SegmentMeta).failures, 0);
    const { filings, steps } = fetcher;
    const { spent, quota, stop } = gate;
    return { batch_id, next, segments: segments.map(({ name }) => name), filings, steps, failures, spent, quota, stop };
  } finally {
    abort.abort();
    await client.close();
    await sink.close();
  }
}

/** Takes lines in order, as many at a time as there are connections, until the time is up; gives the first line not taken. */
async function fetchLines(work: {
  lines: readonly WorkLine[];
  from: number;
  connections: number;
  gate: Gate;
  fetcher: FilingFetcher;
  abort: AbortController;
  leaving: AbortSignal;
  batchMs: number;
}): Promise<number> {
  const { lines, from, connections, gate, fetcher, abort, leaving, batchMs } = work;
  const until = performance.now() + batchMs;
  let next = from;
  let broken: { error: unknown } | null = null;
  const lane = async () => {
    while (
      next < lines.length &&
      !gate.stop &&
      !broken &&
      !leaving.aborted &&
      (performance.now() < until || next === from)
    ) {
      const line = lines[next++]!;
      try {
        await fetcher.fetch(line);
      } catch (error) {
        gate.refused(error);
        if (verdictOf(error) === 'stopped') return;
        broken ??= { error };
        // What the other lanes wait for won't come either, or doesn't matter any more.
        abort.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(connections, lines.length - from) }, lane));
  if (!broken) {
    await fetcher.settleSuspects().catch((error: unknown) => {
      broken = { error };
    });
  }
  if (broken) {
    await fetcher.keepWhatIsDone();
    throw (broken as { error: unknown }).error;
  }
  return next;
}
