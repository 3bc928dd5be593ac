/** Fetches what a stretch of a work list owes in one pass, for some seconds, into sealed segments. A later attempt goes on from what is sealed. */
import { Context } from '@temporalio/activity';
import { type ExportDefinition, type Pass, stepsInPass } from '../../src/export/index.ts';
import type { WorkLine } from './coverage.ts';
import type { Dependencies } from './dependencies.ts';
import { FailureLog } from './failure-log.ts';
import { verdictOf } from './failures.ts';
import { FilingFetcher } from './fetch-filing.ts';
import { Gate } from './gate.ts';
import { hadBefore } from './had-before.ts';
import { joinMetas, type SegmentMeta, Sink } from './sink.ts';
import { DocumentSizes } from './too-large.ts';
import type { BatchFetched, FetchBatchRequest } from './types.ts';

/** @throws FilinglakeError `batch-differs`: the lake has a batch of this id already, and nothing was sent; what the client throws */
export async function fetchBatch(dependencies: Dependencies, request: FetchBatchRequest): Promise<BatchFetched> {
  const { apiKey, budget, lakes, plans, pulse, leaving, batchMs } = dependencies;
  const { run, window, plan, pass, batch_id, from, insistent } = request;
  const { definition } = run;
  const context = Context.current();
  const { attempt } = context.info;
  const lake = await lakes.at(run);
  const { lines, base_version } = await plans.read(lake, run.run_id, window, plan);

  const earlier = await lake.takeUpSegments(run.run_id, batch_id, joinMetas);
  // Before a request is sent: after a reset, another history of this run may have committed a batch of this name.
  if (earlier.length === 0) await lake.committedBatch({ run_id: run.run_id, batch_id, base_version, segments: [] });
  const done = new Set(earlier.flatMap((segment) => (segment.meta as SegmentMeta).done));
  const queue = new WorkQueue(lines, from, definition, pass);
  const expected = queue.requests();
  const gate = new Gate({ run, budget, holder: `${batch_id}/${attempt}`, expected });
  const sink = new Sink(lake.openStaging(run.run_id, batch_id, attempt));
  const abort = new AbortController();
  const signal = AbortSignal.any([context.cancellationSignal, abort.signal]);
  const client = gate.client(apiKey, signal);
  const log = new FailureLog(lake, run);
  const fetcher = new FilingFetcher({
    definition,
    client,
    sink,
    gate,
    log,
    pass,
    insistent,
    done,
    unasked: () => queue.last(),
    had: (operation) => hadBefore(lake, operation),
    sizes: new DocumentSizes(lake, definition),
  });
  pulse.tell(() => ({ ...gate.spent, filings: fetcher.filings, pass, steps: fetcher.steps }));

  try {
    const next = await fetchLines({
      queue,
      connections: definition.service.connections,
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

/** Takes filings in order, as many at a time as there are connections, until the time is up; gives the first line not taken, or null. */
async function fetchLines(work: {
  queue: WorkQueue;
  connections: number;
  gate: Gate;
  fetcher: FilingFetcher;
  abort: AbortController;
  leaving: AbortSignal;
  batchMs: number;
}): Promise<number | null> {
  const { queue, connections, gate, fetcher, abort, leaving, batchMs } = work;
  const until = performance.now() + batchMs;
  let broken: { error: unknown } | null = null;
  const lane = async () => {
    while (!gate.stop && !broken && !leaving.aborted && (performance.now() < until || queue.isUntouched)) {
      const line = queue.take();
      if (line === null) return;
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
  return queue.next < queue.length ? queue.next : null;
}

/** The filings of a work list that take part in a pass, from a line on. */
class WorkQueue {
  readonly #lines: readonly WorkLine[];
  readonly #from: number;
  readonly #definition: ExportDefinition;
  readonly #pass: Pass;
  /** The first line that was not taken. */
  next: number;

  constructor(lines: readonly WorkLine[], from: number, definition: ExportDefinition, pass: Pass) {
    this.#lines = lines;
    this.#from = from;
    this.#definition = definition;
    this.#pass = pass;
    this.next = this.#nextFrom(from);
  }

  get length(): number {
    return this.#lines.length;
  }

  get isUntouched(): boolean {
    return this.next === this.#nextFrom(this.#from);
  }

  take(): WorkLine | null {
    const line = this.#lines[this.next] ?? null;
    this.next = this.#nextFrom(this.next + 1);
    return line;
  }

  /** The last one, where it was not taken yet. */
  last(): WorkLine | null {
    const at = this.#lines.findLastIndex((line) => this.#stepsOf(line) !== null);
    return at >= this.next ? this.#lines[at]! : null;
  }

  /** Requests that the filings not taken yet will need. */
  requests(): number {
    let requests = 0;
    for (let at = this.next; at < this.#lines.length; at++) requests += this.#stepsOf(this.#lines[at]!)?.length ?? 0;
    return requests;
  }

  #nextFrom(at: number): number {
    let next = at;
    while (next < this.#lines.length && this.#stepsOf(this.#lines[next]!) === null) next++;
    return Math.min(next, this.#lines.length);
  }

  #stepsOf(line: WorkLine) {
    return stepsInPass(this.#definition, line, this.#pass);
  }
}
