/** The main thread's side of one reader thread. */
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import { JobMarks, MARKS } from './job-marks.ts';
import { type NumberedReply, READY, type ReaderData, type ReaderJob, type ReaderReply } from './messages.ts';
import type { Lane } from './work-limits.ts';

export interface ThreadEvents<Job> {
  onReply: (job: Job, reply: ReaderReply) => void;
  /** After the replies of one message */
  onReplies: () => void;
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
  readonly #marks = new JobMarks();
  /** Sent and unanswered, in order, by number */
  readonly #jobs = new Map<number, Job>();
  #lastNumber = 0;
  #lastAnswered = 0;
  /** When it began with the first of its jobs, by performance.now() */
  #since = 0;
  #ending = false;

  constructor(catalogFolder: string, isBackground: boolean, events: ThreadEvents<Job>) {
    this.isBackground = isBackground;
    const data: ReaderData = { catalogFolder, isBackground, marks: this.#marks.buffer };
    this.#worker = new Worker(threadFile('readers/reader-thread'), { workerData: data });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    const lost = (error: Error) => {
      reject(error);
      if (!this.#ending) events.onLost(error);
    };
    this.#worker.on('message', (replies: NumberedReply[] | typeof READY) => {
      if (replies === READY) return resolve();
      this.#since = performance.now();
      for (const { number, reply } of replies) {
        this.#lastAnswered = number;
        const job = this.#jobs.get(number);
        this.#jobs.delete(number);
        if (job !== undefined && !this.#ending) events.onReply(job, reply);
      }
      if (!this.#ending) events.onReplies();
    });
    this.#worker.on('error', (error) => lost(error as Error));
    this.#worker.on('exit', () => lost(new Error('a reader thread ended')));
  }

  /** Its jobs, in order. */
  get jobs(): Job[] {
    return [...this.#jobs.values()];
  }

  get size(): number {
    return this.#jobs.size;
  }

  /** The job that it works on, or works on next. */
  get first(): Job | undefined {
    return this.#jobs.values().next().value;
  }

  /** Messages that it can still take: those of jobs that were taken back count until it has seen them. */
  get room(): number {
    return MARKS - (this.#lastNumber - this.#lastAnswered);
  }

  /** How long it has worked on its first job, in milliseconds. */
  get workedMs(): number {
    return this.#jobs.size === 0 ? 0 : performance.now() - this.#since;
  }

  /** Sends jobs, in one message. They run one after the other. */
  start(jobs: readonly Job[]): void {
    if (this.#jobs.size === 0) this.#since = performance.now();
    const requests = jobs.map((job) => {
      const number = ++this.#lastNumber;
      this.#jobs.set(number, job);
      return { ...job.request, number, lane: job.lane };
    });
    this.#worker.postMessage(requests);
  }

  /** Ends the job at its next row. If it has not started, it never does. */
  cancel(job: Job): void {
    for (const [number, one] of this.#jobs) if (one === job) this.#marks.markUnwanted(number);
  }

  /** The jobs that it has not started: from now on they are no longer its own. */
  takeBack(): Job[] {
    const back: Job[] = [];
    for (const [number, job] of this.#jobs) {
      if (this.#marks.hasStarted(number)) continue;
      this.#marks.markUnwanted(number);
      // Started meanwhile: it is answered as dropped, or with its outcome.
      if (this.#marks.hasStarted(number)) continue;
      this.#jobs.delete(number);
      back.push(job);
    }
    return back;
  }

  /** Settled once the thread has ended. A call of SQLite must return first. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#worker.terminate();
  }
}
