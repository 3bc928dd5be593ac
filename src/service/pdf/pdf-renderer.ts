/** Makes PDFs in a thread that starts with the first one. It has a short queue and a time limit. */
import { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import type { Outcome } from '../answers/outcome.ts';
import type { PdfJob, PdfMaker } from '../http/operation-route.ts';
import { CLIENT_LEFT, ServiceProblem, unavailable } from '../problem.ts';
import { errorOfReply, type ReaderReply } from '../readers/messages.ts';
import type { Caller } from '../readers/reader-pool.ts';
import { threadFile } from '../thread-file.ts';
import { FailedPdfs } from './failed-pdfs.ts';
import type { PdfRequest, PdfThreadData } from './pdf-messages.ts';
import { tooLate, tooLongInLine, tooMuchMemory } from './too-late.ts';

export interface PdfRendererOptions {
  catalogFolder: string;
  pdfTimeoutMs: number;
  pdfQueueLength: number;
}

interface Waiting {
  job: PdfJob;
  caller: Caller | undefined;
  arrivedAt: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

const RETRY_AFTER_SECONDS = 15;
/** After a deadline the thread has this time to report it. Then it is ended. */
const GRACE_MS = 5_000;
/** The part of a PDF's time that it may wait in the queue. */
const LONGEST_WAIT = 0.5;
/** Idle time after which the thread ends, with its browser and the PDFs that it keeps. */
const IDLE_MS = 5 * 60_000;
/** Limit of the thread's heap: pdf-lib holds the whole file in objects. */
const MAX_HEAP_MB = 2_048;

export class PdfRenderer implements PdfMaker {
  readonly #options: PdfRendererOptions;
  readonly #logger: FastifyBaseLogger;
  readonly #line: Waiting[] = [];
  readonly #failures = new FailedPdfs();
  #worker: Worker | null = null;
  #current: Waiting | null = null;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: PdfRendererOptions, logger: FastifyBaseLogger) {
    this.#options = options;
    this.#logger = logger;
  }

  /** The state if it is known: a browser starts with the first PDF. */
  browserState: 'not tried' | 'ok' | 'none' = 'not tried';

  /** Waiting PDFs, for /metrics. */
  get waiting(): number {
    return this.#line.length;
  }

  make(job: PdfJob, caller?: Caller): Promise<Outcome> {
    if (this.#closed) return Promise.reject(unavailable('the service is shutting down', RETRY_AFTER_SECONDS));
    const known = this.#failures.find(job.parameters);
    if (known) return Promise.reject(known);
    if (this.#current !== null && this.#line.length >= this.#options.pdfQueueLength) {
      return Promise.reject(unavailable('too many PDFs are waiting to be made', RETRY_AFTER_SECONDS));
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { job, caller, arrivedAt: Date.now(), resolve, reject };
      this.#line.push(waiting);
      caller?.gone?.addEventListener('abort', () => this.#drop(waiting));
      this.#next();
      // If the queue doesn't move, a PDF waits only as long as there is time left to make it.
      setTimeout(() => {
        if (this.#leaveLine(waiting)) waiting.reject(tooLongInLine());
      }, this.#options.pdfTimeoutMs * LONGEST_WAIT).unref();
    });
  }

  #leaveLine(waiting: Waiting): boolean {
    const at = this.#line.indexOf(waiting);
    if (at >= 0) this.#line.splice(at, 1);
    return at >= 0;
  }

  /** The caller has disconnected: the result is not needed. */
  #drop(waiting: Waiting): void {
    const left = new ServiceProblem(CLIENT_LEFT, 'the caller left');
    if (this.#leaveLine(waiting)) waiting.reject(left);
    else if (this.#current === waiting) void this.#end(left).then(() => this.#next());
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = unavailable('the service is shutting down', RETRY_AFTER_SECONDS);
    for (const waiting of this.#line.splice(0)) waiting.reject(error);
    await this.#end(error);
  }

  #next(): void {
    clearTimeout(this.#watch);
    if (this.#current !== null) return;
    const waiting = this.#line.shift();
    if (!waiting) {
      this.#watch = setTimeout(() => void this.#end(null), IDLE_MS).unref();
      return;
    }
    this.#current = waiting;
    waiting.caller?.onStart?.();
    this.#worker ??= this.#start();
    const deadline = waiting.arrivedAt + this.#options.pdfTimeoutMs;
    const request: PdfRequest = { kind: 'make', job: waiting.job, deadline };
    this.#worker.postMessage(request);
    this.#watch = setTimeout(
      () => {
        this.#logger.warn('a PDF exceeded its time limit; its thread is ended');
        const late = tooLate();
        this.#failures.add(waiting.job.parameters, late);
        void this.#end(late).then(() => this.#next());
      },
      Math.max(0, deadline - Date.now()) + GRACE_MS,
    );
  }

  #start(): Worker {
    const data: PdfThreadData = { catalogFolder: this.#options.catalogFolder };
    const worker = new Worker(threadFile('pdf/pdf-thread'), {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on('message', (reply: ReaderReply) => {
      if (reply.kind === 'ready') return;
      const waiting = this.#current;
      this.#current = null;
      if (reply.kind === 'outcome') {
        this.browserState = 'ok';
        waiting?.resolve(reply.outcome);
      }
      if (waiting && (reply.kind === 'problem' || reply.kind === 'failure')) {
        const error = errorOfReply(reply);
        if (error instanceof ServiceProblem && error.headers['retry-after'] === '3600') this.browserState = 'none';
        if (error instanceof ServiceProblem) this.#failures.add(waiting.job.parameters, error);
        waiting.reject(error);
      }
      this.#next();
    });
    worker.on('error', (error) => this.#lost(worker, error as Error & { code?: string }));
    worker.on('exit', () => this.#lost(worker, new Error('the PDF thread ended')));
    return worker;
  }

  /** The thread died: out of memory, or by an error. Its job fails, and the next gets a new thread. */
  #lost(worker: Worker, error: Error & { code?: string }): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const waiting = this.#current;
    this.#current = null;
    if (waiting) {
      const tooMuch = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory() : null;
      if (tooMuch) this.#failures.add(waiting.job.parameters, tooMuch);
      waiting.reject(tooMuch ?? error);
    }
    this.#next();
  }

  /** Ends the thread. Its current job fails with `error`. If the thread can't close the browser, the browser ends with its pipe. */
  async #end(error: Error | null): Promise<void> {
    clearTimeout(this.#watch);
    const worker = this.#worker;
    this.#worker = null;
    const waiting = this.#current;
    this.#current = null;
    if (error !== null) waiting?.reject(error);
    if (!worker) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'close' } satisfies PdfRequest);
    const patience = setTimeout(() => void worker.terminate(), GRACE_MS);
    await ended;
    clearTimeout(patience);
  }
}
