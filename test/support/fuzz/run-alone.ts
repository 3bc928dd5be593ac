/** The real export workflow with the real activities, without a server: a run in this process, whose worker can die at a file operation. */
import './without-temporal.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as realSleep } from 'node:timers/promises';
import { asyncLocalStorage as activityContext, Context } from '@temporalio/activity';
import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/common';
import type { ExportActivities } from '../../../activities/index.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import type { WorkerDependencies } from '../../../src/export/pipeline/index.ts';
import { nodeFileOperations } from '../../../src/lake/storage/local/file-operations.ts';
import type { ExportRunResult } from '../../../workflows/export.ts';
import { skipTime } from './without-temporal.ts';
import { type Host, host, NextHistory } from './workflow-shim.ts';

const { createExportActivities } = await import('../../../activities/index.ts');
const { Busy, Lakes, PagesReadLast, PlansReadLast, SentByRuns } = await import('../../../src/export/pipeline/index.ts');
const { exportWorkflow } = await import('../../../workflows/export.ts');
const { exitOfResult } = await import('../../../src/export/runtime/runs/watch-run.ts');

/** The worker dies in the nth call of an activity, before or after a file operation of that call. */
export interface Kill {
  activity: string;
  nth: number;
  operation: number;
  after: boolean;
}

export interface RunOptions {
  run_id: string;
  kills?: readonly Kill[];
  /** Activities after which a new history begins; null: never. */
  history?: number | null;
  batchMs?: number;
  /** Batches that are fetched at the same time. */
  fetchers?: number;
  /** Workers that take turns. */
  workers?: number;
  /** Only retries failures. */
  only?: 'failures' | undefined;
}

export interface Ended {
  /** Of the command: 0 or 3; 1 and others: it failed, with `error`. */
  exit: number;
  error: string | null;
  result: ExportRunResult | null;
  /** Kills that happened. */
  killed: number;
}

/** Of one process: what it does after its death has no effect. */
interface Life {
  isDead: boolean;
  operations: number;
  kill: Kill | undefined;
  died: (error: Error) => void;
}

const lives = new AsyncLocalStorage<Life>();

class Died extends Error {}

/** Every operation on a file counts, and is refused to the dead. */
function countFileOperations(): void {
  const operations = nodeFileOperations as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const [name, run] of Object.entries(operations)) {
    operations[name] = (...given) => {
      const life = lives.getStore();
      if (life === undefined) return run(...given);
      if (life.isDead) throw new Died('the worker was killed before');
      const isLast = life.kill !== undefined && ++life.operations === life.kill.operation;
      if (!isLast) return run(...given);
      const died = new Died(`the worker was killed at ${name}`);
      if (!life.kill!.after) return end(life, died);
      const done = run(...given);
      return done instanceof Promise ? done.then(() => end(life, died)) : end(life, died);
    };
  }
}
countFileOperations();

function end(life: Life, error: Died): never {
  life.died(error);
  throw error;
}

const quiet = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, log() {} };
/** A run that gets nowhere. */
const ACTIVITIES_MAX = 3_000;
const RETRY_MS = 500;
const LOOK_MS = 20;

/** Runs that are not over, in this process. */
const active = new Set<string>();

/** A worker's process. */
class WorkerAlone {
  readonly activities: ExportActivities;
  readonly #dependencies: WorkerDependencies;
  readonly #lives = new Set<Life>();
  readonly #leaving = new AbortController();
  readonly cancelling = new AbortController();

  constructor(batchMs: number, fetchers: number) {
    this.#dependencies = {
      apiKey: 'key',
      addressOf: async (baseUrl) => baseUrl,
      budget: {
        reserve: async (_run, _batch, requests) => {
          const life = lives.getStore();
          if (life?.isDead) throw new Died('the worker was killed before');
          return { granted: requests, retry_at: null, reason: null };
        },
        settle: async () => {},
        block: async () => {},
        unblock: async () => {},
        leave: async () => {},
      },
      // An earlier run has ended, or was given up by all.
      runs: { server: async () => 'alone', isOver: async (_workflow, run_id) => !active.has(run_id) },
      compactParts: 0,
      compactionBoxMs: 1_000,
      lakes: new Lakes(),
      pages: new PagesReadLast(),
      plans: new PlansReadLast(),
      sent: new SentByRuns(),
      batchMs,
      leaving: this.#leaving.signal,
      busy: new Busy(),
      fetchers: async () => fetchers,
    };
    this.activities = createExportActivities(this.#dependencies);
  }

  begin(life: Life): void {
    this.#lives.add(life);
  }

  ended(life: Life): void {
    this.#lives.delete(life);
  }

  /** All that it does dies with it. */
  kill(error: Error): void {
    for (const life of this.#lives) {
      life.isDead = true;
      life.died(error);
    }
    this.cancelling.abort(error);
  }

  async close(): Promise<void> {
    await this.#dependencies.busy.untilIdle();
    this.#dependencies.sent.closeAll();
    await this.#dependencies.lakes.close();
  }
}

/** A run of an export, in as many histories and by as many workers as it takes. */
export async function runAlone(definition: ExportDefinition, lake: string, options: RunOptions): Promise<Ended> {
  const { run_id, kills = [], history = null, batchMs = 7_000, fetchers = 1, only } = options;
  const newWorker = () => new WorkerAlone(batchMs, fetchers);
  const workers = Array.from({ length: options.workers ?? 1 }, newWorker);
  const living = [...workers];
  const calls = new Map<string, number>();
  let activities = 0;
  let inHistory = 0;
  let killed = 0;

  /** One attempt, by the present worker. */
  async function attempt(activity: string, request: unknown, number: number, kill: Kill | undefined): Promise<unknown> {
    const turn = activities % living.length;
    const worker = living[turn]!;
    const death = Promise.withResolvers<never>();
    death.promise.catch(() => {});
    let isKilled = false;
    const life: Life = {
      isDead: false,
      operations: 0,
      kill,
      died(error) {
        death.reject(error);
        if (isKilled || life.isDead) return;
        isKilled = true;
        killed++;
        worker.kill(error);
        living[turn] = newWorker();
        workers.push(living[turn]);
      },
    };
    worker.begin(life);
    const info = { attempt: number, heartbeatDetails: undefined, activityType: activity };
    const signal = worker.cancelling.signal;
    const context = new Context(
      info as never,
      death.promise,
      signal,
      () => {},
      undefined,
      quiet,
      {} as never,
      {} as never,
    );
    const call = worker.activities[activity as keyof ExportActivities] as (request: unknown) => Promise<unknown>;
    try {
      const work = lives.run(life, () => activityContext.run(context, () => call(copyOf(request))));
      work.catch(() => {});
      return copyOf(await Promise.race([work, death.promise]));
    } finally {
      worker.ended(life);
    }
  }

  async function call(activity: string, request: unknown, attempts: number): Promise<unknown> {
    const nth = (calls.get(activity) ?? 0) + 1;
    calls.set(activity, nth);
    inHistory++;
    if (++activities > ACTIVITIES_MAX) throw ApplicationFailure.nonRetryable('the run gets nowhere', 'endless');
    const own = kills.find((kill) => kill.activity === activity && kill.nth === nth);
    for (let number = 1; ; number++) {
      try {
        return await attempt(activity, request, number, number === 1 ? own : undefined);
      } catch (error) {
        const isDeath = error instanceof Died || (error instanceof Error && error.cause instanceof Died);
        const failure = isDeath ? new TimeoutFailure('heartbeat', undefined, 'HEARTBEAT' as never) : error;
        const isFinal = error instanceof ApplicationFailure && error.nonRetryable === true;
        if (isFinal || error instanceof CancelledFailure || number >= attempts)
          throw new ActivityFailure('activity failed', activity, '1', 'MAXIMUM_ATTEMPTS_REACHED', '', failure as Error);
        skipTime(RETRY_MS);
      }
    }
  }

  active.add(run_id);
  const workflowId = `export/${definition.name}`;
  const started_at = new Date().toISOString();
  let input: unknown = { run_id, definition, lake, started_at, by_person: true, ...(only && { only }) };
  try {
    for (;;) {
      inHistory = 0;
      const of: Host = {
        info: {
          workflowId,
          runId: run_id,
          taskQueue: 'alone',
          startTime: new Date(started_at),
          typedSearchAttributes: { get: () => undefined } as never,
          get continueAsNewSuggested() {
            return history !== null && inHistory >= history;
          },
        },
        call,
        async wait(ms) {
          if (ms === null) throw new CancelledFailure('the run waits for a person');
          skipTime(ms);
          if (++activities > ACTIVITIES_MAX) throw ApplicationFailure.nonRetryable('the run gets nowhere', 'endless');
        },
        async sleep(ms) {
          // A run beside this one lives in real time: skipped, the time would take its turn from it.
          if (active.size > 1) await realSleep(LOOK_MS);
          else skipTime(ms);
        },
      };
      try {
        const result = copyOf(await host.run(of, () => exportWorkflow(copyOf(input) as never))) as ExportRunResult;
        return { exit: exitOfResult(result), error: null, result, killed };
      } catch (error) {
        if (!(error instanceof NextHistory)) throw error;
        input = error.input;
      }
    }
  } catch (error) {
    const { type, message } = error as ApplicationFailure;
    return { exit: 1, error: `${type ?? (error as Error).name}: ${message}`, result: null, killed };
  } finally {
    active.delete(run_id);
    for (const worker of workers) await worker.close();
  }
}

/** Temporal passes JSON. */
function copyOf<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}
