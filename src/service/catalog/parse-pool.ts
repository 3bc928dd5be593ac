/**
 * Worker threads that parse submissions while the writer writes. If a thread dies, only its current file fails. If a step passes
 * its time limit, its thread is ended, and the file is parsed again without that step.
 */
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ParsedFiling } from './parse-filing.ts';
import { StepBoard } from './parse-steps.ts';
import {
  PARSE_THREAD,
  type ParseFault,
  type ParseJob,
  type ParseResult,
  type ParseThreadData,
  parseOrRefuse,
} from './parse-worker.ts';

type Parsed = { filing: ParsedFiling } | { fault: ParseFault };

interface Waiting {
  request: ParseJob;
  resolve: (parsed: Parsed) => void;
}

interface Thread {
  worker: Worker;
  /** In the order they were sent: the first is the current one. */
  jobs: Waiting[];
  board: StepBoard;
  /** The step at the last check, and since when */
  seen: { count: number; since: number };
  /** Ended here for the step that took too long */
  tooLong: boolean;
}

/** A thread takes the process's compile cache from its environment only. Without it, its start takes four times the CPU. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: folder };
}

const THREADS_MAX = 4;
/** The current job and the next one, so that a thread never waits for the main thread. */
const JOBS_A_THREAD = 2;

/** For one step of one document: 40 MB of prose take 2 s, the slowest text known 9 s for each MB. */
const STEP_TIME_LIMIT_MS = 120_000;
/** How often the threads are checked within one time limit. */
const LOOKS_A_LIMIT = 20;

export class ParsePool {
  readonly #threads: Thread[] = [];
  readonly #queue: Waiting[] = [];
  readonly #threadsMax: number;
  readonly #stepTimeLimitMs: number;
  readonly #watch: NodeJS.Timeout | null;
  #nextJob = 1;
  #closed = false;

  /** @param threads 0: parses on the calling thread, without a time limit. Default: the processors minus one, from 1 to 4 */
  constructor(
    threads = Math.min(THREADS_MAX, Math.max(1, availableParallelism() - 1)),
    stepTimeLimitMs = STEP_TIME_LIMIT_MS,
  ) {
    this.#threadsMax = threads;
    this.#stepTimeLimitMs = stepTimeLimitMs;
    this.#watch = threads === 0 ? null : setInterval(() => this.#endSlow(), stepTimeLimitMs / LOOKS_A_LIMIT).unref();
  }

  parse(bytes: Buffer, sha256: Uint8Array): Promise<Parsed> {
    if (this.#threadsMax === 0) return Promise.resolve(parseOrRefuse(bytes, sha256));
    return new Promise((resolve) => {
      this.#queue.push({ request: { job: this.#nextJob++, bytes, sha256, leftOut: [] }, resolve });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#queue.length > 0) {
      let thread = this.#threads.find((candidate) => candidate.jobs.length === 0);
      if (!thread && this.#threads.length < this.#threadsMax) thread = this.#start();
      thread ??= this.#threads.find((candidate) => candidate.jobs.length < JOBS_A_THREAD);
      if (!thread) return;
      const next = this.#queue.shift()!;
      thread.jobs.push(next);
      // The bytes are shared, not transferred: if a thread dies, its unfinished jobs are sent again.
      thread.worker.postMessage(next.request);
    }
  }

  #start(): Thread {
    const board = new StepBoard();
    const worker = new Worker(new URL(`./parse-worker${extname(import.meta.filename)}`, import.meta.url), {
      workerData: { thread: PARSE_THREAD, board: board.memory } satisfies ParseThreadData,
      env: threadEnvironment(),
    });
    const thread: Thread = { worker, jobs: [], board, seen: { count: 0, since: Date.now() }, tooLong: false };
    this.#threads.push(thread);
    let reason: Error | null = null;
    worker.on('message', (result: ParseResult) => {
      const waiting = thread.jobs.shift()!;
      waiting.resolve(result.outcome === 'parsed' ? { filing: result.filing } : { fault: result.fault });
      this.#dispatch();
    });
    worker.on('error', (error: Error) => {
      reason = error;
    });
    worker.on('exit', () => {
      this.#threads.splice(this.#threads.indexOf(thread), 1);
      if (this.#closed) return;
      const [lost, ...others] = thread.jobs;
      this.#queue.unshift(...others);
      if (lost) this.#giveUp(lost, thread, reason);
      this.#dispatch();
    });
    return thread;
  }

  /** Parses the current file of an ended thread again, or reports it as failed. */
  #giveUp(lost: Waiting, thread: Thread, reason: Error | null): void {
    const { step } = thread.board.read();
    if (thread.tooLong && step.kind !== 'submission') {
      lost.request.leftOut.push(step);
      this.#queue.unshift(lost);
      return;
    }
    const why = thread.tooLong
      ? `it took longer than ${this.#stepTimeLimitMs / 1000} s`
      : (reason?.message ?? 'the thread ended');
    lost.resolve({ fault: { offset: null, message: `it could not be read: ${why}` } });
  }

  #endSlow(): void {
    for (const thread of this.#threads) {
      const { job, count } = thread.board.read();
      // The board shows another job: the result of this one is on its way.
      const isAtFirst = thread.jobs[0]?.request.job === job;
      if (!isAtFirst || count !== thread.seen.count) thread.seen = { count, since: Date.now() };
      else if (!thread.tooLong && Date.now() - thread.seen.since > this.#stepTimeLimitMs) {
        thread.tooLong = true;
        void thread.worker.terminate();
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#watch) clearInterval(this.#watch);
    await Promise.all(this.#threads.map((thread) => thread.worker.terminate()));
  }
}
