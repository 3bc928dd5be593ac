/** The main thread's side of one reader thread. */
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import type { ReaderData, ReaderJob, ReaderReply, ReaderRequest } from './messages.ts';
import type { Lane } from './work-limits.ts';

export interface ThreadEvents<Job> {
  onReply: (job: Job, reply: Exclude<ReaderReply, { kind: 'ready' }>) => void;
  /** The thread ended without a request to do so */
  onLost: (error: Error) => void;
}

export class ReaderThread<Job> {
  /** Settled once the catalog is open, or can't be opened. */
  readonly ready: Promise<void>;
  /** Its current job; null: none */
  job: Job | null = null;
  /** Its work gives way to that of other threads */
  readonly isBackground: boolean;
  readonly #worker: Worker;
  readonly #unwanted = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #number = 0;
  #ending = false;

  constructor(catalogFolder: string, isBackground: boolean, events: ThreadEvents<Job>) {
    this.isBackground = isBackground;
    const data: ReaderData = {
      catalogFolder,
      isBackground,
      unwanted: this.#unwanted.buffer as unknown as SharedArrayBuffer,
    };
    this.#worker = new Worker(threadFile('readers/reader-thread'), { workerData: data });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    const lost = (error: Error) => {
      reject(error);
      if (!this.#ending) events.onLost(error);
    };
    this.#worker.on('message', (reply: ReaderReply) => {
      if (reply.kind === 'ready') return resolve();
      const { job } = this;
      this.job = null;
      if (job !== null && !this.#ending) events.onReply(job, reply);
    });
    this.#worker.on('error', (error) => lost(error as Error));
    this.#worker.on('exit', () => lost(new Error('a reader thread ended')));
  }

  start(job: Job, request: ReaderJob, lane: Lane): void {
    this.job = job;
    this.#number++;
    this.#worker.postMessage({ ...request, number: this.#number, lane } satisfies ReaderRequest);
  }

  /** Tells the catalog to end the job at its next row. */
  cancel(): void {
    Atomics.store(this.#unwanted, 0, this.#number);
  }

  /** Settled once the thread has ended. A call of SQLite must return first. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }
}
