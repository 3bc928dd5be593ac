/** The main thread's side of one reader thread. */
import { Worker } from 'node:worker_threads';
import type { Lane } from '../operations/work-limits.ts';
import { type MeasuredReply, READY, type ReaderData, type ReaderJob, type ReaderReply } from './messages.ts';
import { threadFile } from './thread-file.ts';

interface ThreadEvents<Job> {
  /** The thread is free again */
  onReply: (job: Job, reply: ReaderReply, workMs: number) => void;
  /** The thread ended without a request to do so */
  onLost: (error: Error) => void;
}

/** A job as its thread needs it. */
export interface ThreadJob {
  readonly request: ReaderJob;
  readonly lane: Lane;
}

export class ReaderThread<Job extends ThreadJob> {
  /** Settled once the catalog is open, or can't be opened. */
  readonly ready: Promise<void>;
  /** Its work gives way to that of other threads */
  readonly isBackground: boolean;
  readonly #worker: Worker;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #job: Job | null = null;
  /** Of the last job, from 1 */
  #number = 0;
  #ending = false;

  constructor(
    catalog: Pick<ReaderData, 'catalogFolder' | 'fulltext' | 'shortMs'>,
    isBackground: boolean,
    events: ThreadEvents<Job>,
  ) {
    this.isBackground = isBackground;
    const data: ReaderData = { ...catalog, isBackground, cancelled: this.#cancelled };
    this.#worker = new Worker(threadFile('readers/reader-thread'), { workerData: data });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    const lost = (error: Error) => {
      reject(error);
      if (!this.#ending) events.onLost(error);
    };
    this.#worker.on('message', (message: MeasuredReply | typeof READY) => {
      if (message === READY) return resolve();
      const job = this.#job;
      this.#job = null;
      if (job !== null && !this.#ending) events.onReply(job, message.reply, message.workMs);
    });
    this.#worker.on('error', (error) => lost(error as Error));
    this.#worker.on('exit', () => lost(new Error('a reader thread ended')));
  }

  /** The one that it works on; null: it is free. */
  get job(): Job | null {
    return this.#job;
  }

  /** Sends a job to a free thread. */
  start(job: Job): void {
    this.#job = job;
    this.#worker.postMessage({ ...job.request, number: ++this.#number, lane: job.lane });
  }

  /** Ends its job at the next row. If it has not started, it never does. */
  cancel(): void {
    Atomics.store(this.#cancelled, 0, this.#number | 0);
  }

  /** Settled once the thread has ended. A call of SQLite must return first. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }
}
