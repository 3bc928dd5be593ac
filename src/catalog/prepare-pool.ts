/** Worker threads that prepare submissions while the writer writes. A thread that dies costs the file it was at, and no other. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PreparedFiling } from './prepare.ts';
import {
  PREPARE_THREAD,
  type PrepareFault,
  type PrepareJob,
  type PrepareResult,
  prepareOrRefuse,
} from './prepare-worker.ts';

export type Prepared = { filing: PreparedFiling } | { fault: PrepareFault };

interface Waiting {
  request: PrepareJob;
  resolve: (prepared: Prepared) => void;
}

interface Thread {
  worker: Worker;
  /** In the order they were sent: the first is the one it is at. */
  jobs: Waiting[];
}

/** A job beyond the one at hand, so that a thread never waits for the main thread's turn. */
const JOBS_A_THREAD = 2;

export class PreparePool {
  readonly #threads: Thread[] = [];
  readonly #queue: Waiting[] = [];
  readonly #threadsMax: number;
  #nextJob = 1;
  #closed = false;

  /** @param threads 0: prepares on the calling thread */
  constructor(threads: number) {
    this.#threadsMax = threads;
  }

  prepare(bytes: Buffer, sha256: Uint8Array): Promise<Prepared> {
    if (this.#threadsMax === 0) return Promise.resolve(prepareOrRefuse(bytes, sha256));
    return new Promise((resolve) => {
      this.#queue.push({ request: { job: this.#nextJob++, bytes, sha256 }, resolve });
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
      // Copied, not transferred: after a thread's death the jobs it had not come to are sent again.
      thread.worker.postMessage(next.request);
    }
  }

  #start(): Thread {
    const worker = new Worker(new URL(`./prepare-worker${extname(import.meta.filename)}`, import.meta.url), {
      workerData: PREPARE_THREAD,
    });
    const thread: Thread = { worker, jobs: [] };
    this.#threads.push(thread);
    let reason: Error | null = null;
    worker.on('message', (result: PrepareResult) => {
      const waiting = thread.jobs.shift()!;
      waiting.resolve(result.outcome === 'prepared' ? { filing: result.filing } : { fault: result.fault });
      this.#dispatch();
    });
    worker.on('error', (error: Error) => {
      reason = error;
    });
    worker.on('exit', () => {
      this.#threads.splice(this.#threads.indexOf(thread), 1);
      if (this.#closed) return;
      const [lost, ...others] = thread.jobs;
      lost?.resolve({
        fault: { offset: null, message: `it could not be read: ${reason?.message ?? 'the thread ended'}` },
      });
      this.#queue.unshift(...others);
      this.#dispatch();
    });
    return thread;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map((thread) => thread.worker.terminate()));
  }
}
