/** The main thread's side of one reader thread. */
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import {
  JOBS_AT_ONCE,
  type NumberedReply,
  READY,
  type ReaderData,
  type ReaderJob,
  type ReaderReply,
} from './messages.ts';
import type { Lane } from './work-limits.ts';

interface ThreadEvents<Job> {
  onReply: (job: Job, reply: ReaderReply, workMs: number) => void;
  /** After the replies of a message: the thread may be free again */
  onReplies: () => void;
  /** The thread ended without a request to do so */
  onLost: (error: Error) => void;
}

/** A job as its thread needs it. */
export interface ThreadJob {
  readonly request: ReaderJob;
  readonly lane: Lane;
  readonly sliceMs: number;
}

export class ReaderThread<Job extends ThreadJob> {
  /** Settled once the catalog is open, or can't be opened. */
  readonly ready: Promise<void>;
  /** Its work gives way to that of other threads */
  readonly isBackground: boolean;
  readonly #worker: Worker;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(JOBS_AT_ONCE * Int32Array.BYTES_PER_ELEMENT));
  /** Sent and unanswered, by number */
  readonly #jobs = new Map<number, Job>();
  /** Number of the last job, from 1 */
  #number = 0;
  #ending = false;

  constructor(
    catalog: Pick<ReaderData, 'catalogFolder' | 'fulltext'>,
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
    this.#worker.on('message', (replies: NumberedReply[] | typeof READY) => {
      if (replies === READY) return resolve();
      for (const { number, reply, workMs = 0 } of replies) {
        const job = this.#jobs.get(number);
        this.#jobs.delete(number);
        if (job !== undefined && !this.#ending) events.onReply(job, reply, workMs);
      }
      if (!this.#ending) events.onReplies();
    });
    this.#worker.on('error', (error) => lost(error as Error));
    this.#worker.on('exit', () => lost(new Error('a reader thread ended')));
  }

  get isFree(): boolean {
    return this.#jobs.size === 0;
  }

  /** The jobs that it works on, or works on next. */
  get jobs(): Job[] {
    return [...this.#jobs.values()];
  }

  /** Sends jobs to a free thread, at most `JOBS_AT_ONCE`. They run one after the other. */
  start(jobs: readonly Job[]): void {
    const requests = jobs.map((job) => {
      this.#jobs.set(++this.#number, job);
      return { ...job.request, number: this.#number, lane: job.lane, sliceMs: job.sliceMs };
    });
    this.#worker.postMessage(requests);
  }

  /** Ends the job at its next row. If it has not started, it never does. */
  cancel(job: Job): void {
    for (const [number, one] of this.#jobs)
      if (one === job) Atomics.store(this.#cancelled, number % JOBS_AT_ONCE, number | 0);
  }

  /** Settled once the thread has ended. A call of SQLite must return first. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }
}
