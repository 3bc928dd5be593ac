/** One thread that makes PDFs, one at a time, with a browser of its own. It starts with its first job. */
import { Worker } from 'node:worker_threads';
import type { Outcome } from '../answers/outcome.ts';
import type { PdfJob } from '../http/operation-route.ts';
import { errorOfReply } from '../readers/messages.ts';
import { threadFile } from '../readers/thread-file.ts';
import type { MadePdf } from './made-pdfs.ts';
import type { PdfReply, PdfRequest, PdfThreadData } from './pdf-messages.ts';
import { tooLate, tooMuchMemory } from './too-late.ts';

/** After a deadline the thread has this time to report it. Then it is ended. */
const GRACE_MS = 5_000;
/** Idle time after which the thread ends, with its browser. */
const IDLE_MS = 5 * 60_000;
/** Limit of the thread's heap: pdf-lib holds the whole file in objects. */
const MAX_HEAP_MB = 2_048;

export interface LaneJob {
  job: PdfJob;
  /** Milliseconds since the epoch */
  deadline: number;
  onDone: (result: Outcome | Error) => void;
}

interface LaneEvents {
  onFree: (lane: PdfLane) => void;
  /** The thread asks whether a PDF was made before. The answer goes to `give`. */
  onFind: (lane: PdfLane, name: string) => void;
  /** @param pdf null: too large to be kept */
  onMade: (name: string, pdf: MadePdf | null) => void;
  /** Its thread has ended after its idle time */
  onIdle: () => void;
  onLate: () => void;
}

export class PdfLane {
  readonly #catalogFolder: string;
  readonly #events: LaneEvents;
  #worker: Worker | null = null;
  #current: LaneJob | null = null;
  #ending = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(catalogFolder: string, events: LaneEvents) {
    this.#catalogFolder = catalogFolder;
    this.#events = events;
  }

  get free(): boolean {
    return this.#current === null && !this.#ending;
  }

  /** Its thread runs */
  get warm(): boolean {
    return this.#worker !== null;
  }

  start(job: LaneJob): void {
    clearTimeout(this.#watch);
    this.#current = job;
    this.#worker ??= this.#newWorker();
    this.#tell({ kind: 'make', job: job.job, deadline: job.deadline });
    this.#watch = setTimeout(
      () => {
        this.#events.onLate();
        void this.end(tooLate());
      },
      Math.max(0, job.deadline - Date.now()) + GRACE_MS,
    );
  }

  /** The answer to `onFind`. Null: it must be made. */
  give(name: string, pdf: MadePdf | null): void {
    this.#tell({ kind: 'known', name, pdf });
  }

  has(job: LaneJob): boolean {
    return this.#current === job;
  }

  /** Ends the thread. Its current job fails with `error`. If the thread can't close the browser, the browser ends with its pipe. */
  async end(error: Error | null): Promise<void> {
    clearTimeout(this.#watch);
    const worker = this.#worker;
    this.#worker = null;
    if (worker) this.#ending = true;
    const job = this.#take();
    if (error !== null) job?.onDone(error);
    if (worker) {
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      worker.postMessage({ kind: 'close' } satisfies PdfRequest);
      const patience = setTimeout(() => void worker.terminate(), GRACE_MS);
      await ended;
      clearTimeout(patience);
      this.#ending = false;
    }
    this.#events.onFree(this);
  }

  #tell(request: PdfRequest): void {
    this.#worker?.postMessage(request);
  }

  #take(): LaneJob | null {
    const job = this.#current;
    this.#current = null;
    return job;
  }

  #newWorker(): Worker {
    const data: PdfThreadData = { catalogFolder: this.#catalogFolder };
    const worker = new Worker(threadFile('pdf/pdf-thread'), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on('message', (reply: PdfReply) => {
      if (this.#worker === worker) this.#read(reply);
    });
    worker.on('error', (error) => this.#lost(worker, error as Error & { code?: string }));
    worker.on('exit', () => this.#lost(worker, new Error('the PDF thread ended')));
    return worker;
  }

  #read(reply: PdfReply): void {
    if (reply.kind === 'find') this.#events.onFind(this, reply.name);
    else if (reply.kind === 'made') this.#events.onMade(reply.name, reply.pdf);
    else if (reply.kind === 'outcome') this.#done(reply.outcome);
    else if (reply.kind === 'problem' || reply.kind === 'failure') this.#done(errorOfReply(reply));
  }

  #done(result: Outcome | Error): void {
    clearTimeout(this.#watch);
    this.#take()?.onDone(result);
    this.#events.onFree(this);
    if (this.#current !== null) return;
    this.#watch = setTimeout(() => {
      void this.end(null);
      this.#events.onIdle();
    }, IDLE_MS).unref();
  }

  /** The thread died: out of memory, or by an error. Its job fails, and the next gets a new thread. */
  #lost(worker: Worker, error: Error & { code?: string }): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    clearTimeout(this.#watch);
    this.#take()?.onDone(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : error);
    this.#events.onFree(this);
  }
}
