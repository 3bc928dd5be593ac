/** A few threads that read the catalog, and the line of jobs before them. */
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../answers/outcome.ts';
import { HEAVY_OPERATIONS, type ReaderOperationName } from '../operations/index.ts';
import { unavailable } from '../problem.ts';
import { threadFile } from '../thread-file.ts';
import { errorOfReply, type ReaderData, type ReaderJob, type ReaderReply } from './messages.ts';

/** Whoever runs an operation: the pool, or in a test a function. */
export interface OperationRunner {
  run<Name extends ReaderOperationName>(job: ReaderJob<Name>): Promise<Outcome>;
}

interface Waiting {
  job: ReaderJob;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  current: Waiting | null;
}

/** A line longer than this is answered 503: what waits longer than its client does is work for nobody. */
const MAX_WAITING = 1_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Each thread has at most one job. Pages and searches leave one thread free (where there are several), so that a look-up of one
 * record never waits behind them. A thread that dies fails its job and is replaced.
 */
export class ReaderPool implements OperationRunner {
  readonly #data: ReaderData;
  readonly #threads: Thread[] = [];
  readonly #line: Waiting[] = [];
  #closed = false;

  private constructor(data: ReaderData) {
    this.#data = data;
  }

  /** @throws whatever opening the catalog throws: `catalog-missing` … */
  static async start(catalogFolder: string, threads: number): Promise<ReaderPool> {
    const pool = new ReaderPool({ catalogFolder });
    try {
      await Promise.all(Array.from({ length: threads }, () => pool.#addThread()));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  run<Name extends ReaderOperationName>(job: ReaderJob<Name>): Promise<Outcome> {
    if (this.#closed || this.#line.length >= MAX_WAITING) {
      return Promise.reject(unavailable('the catalog is busy', RETRY_AFTER_SECONDS));
    }
    return new Promise((resolve, reject) => {
      this.#line.push({ job: job as ReaderJob, resolve, reject });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#line.splice(0)) waiting.reject(unavailable('shutting down', RETRY_AFTER_SECONDS));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    for (;;) {
      const free = this.#threads.filter((thread) => thread.current === null);
      const thread = free[0];
      if (!thread) return;
      const heavyAllowed = free.length > 1 || this.#threads.length === 1;
      const at = this.#line.findIndex(({ job }) => heavyAllowed || !HEAVY_OPERATIONS.has(job.operation));
      if (at < 0) return;
      const [waiting] = this.#line.splice(at, 1);
      thread.current = waiting!;
      thread.worker.postMessage(waiting!.job);
    }
  }

  #addThread(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(threadFile('readers/reader-thread'), { workerData: this.#data });
      const thread: Thread = { worker, current: null };
      worker.on('message', (reply: ReaderReply) => {
        if (reply.kind === 'ready') {
          this.#threads.push(thread);
          resolve();
        } else this.#settle(thread, reply);
        this.#dispatch();
      });
      worker.on('error', (error) => {
        reject(error);
        this.#lose(thread, error as Error);
      });
      worker.on('exit', () => this.#lose(thread, new Error('a reader thread ended')));
    });
  }

  #settle(thread: Thread, reply: Exclude<ReaderReply, { kind: 'ready' }>): void {
    const waiting = thread.current;
    thread.current = null;
    if (reply.kind === 'outcome') waiting?.resolve(reply.outcome);
    else waiting?.reject(errorOfReply(reply));
  }

  #lose(thread: Thread, error: Error): void {
    const at = this.#threads.indexOf(thread);
    if (at < 0) return;
    this.#threads.splice(at, 1);
    thread.current?.reject(error);
    thread.current = null;
    if (this.#closed) return;
    // A catalog that can't be opened any more fails each job that waits, instead of letting it wait for good.
    this.#addThread().catch((cause: Error) => {
      if (this.#threads.length === 0) for (const waiting of this.#line.splice(0)) waiting.reject(cause);
    });
  }
}
