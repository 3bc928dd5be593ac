/** The main thread's side of PDF making: a thread that starts with the first PDF, a short line before it, a limit on its time. */
import { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import type { Outcome } from '../answers/outcome.ts';
import type { PdfJob, PdfMaker } from '../http/operation-route.ts';
import { unavailable } from '../problem.ts';
import { errorOfReply, type ReaderReply } from '../readers/messages.ts';
import { threadFile } from '../thread-file.ts';
import type { PdfRequest, PdfThreadData } from './pdf-messages.ts';
import { tooLate } from './too-late.ts';

export interface PdfRendererOptions {
  catalogFolder: string;
  pdfTimeoutMs: number;
  pdfQueueLength: number;
}

interface Waiting {
  job: PdfJob;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

const RETRY_AFTER_SECONDS = 15;
/** Past its deadline the thread is given this long to say so itself, then ended. */
const GRACE_MS = 5_000;
/** Without work for so long the thread goes, and the browser with it. */
const IDLE_MS = 5 * 60_000;
/** Of the thread's own heap: pdf-lib holds the whole file in objects. */
const MAX_HEAP_MB = 2_048;

export class PdfRenderer implements PdfMaker {
  readonly #options: PdfRendererOptions;
  readonly #logger: FastifyBaseLogger;
  readonly #line: Waiting[] = [];
  #worker: Worker | null = null;
  #current: Waiting | null = null;
  #watch: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: PdfRendererOptions, logger: FastifyBaseLogger) {
    this.#options = options;
    this.#logger = logger;
  }

  make(job: PdfJob): Promise<Outcome> {
    if (this.#closed) return Promise.reject(unavailable('the service is shutting down', RETRY_AFTER_SECONDS));
    if (this.#current !== null && this.#line.length >= this.#options.pdfQueueLength) {
      return Promise.reject(unavailable('too many PDFs are waiting to be made', RETRY_AFTER_SECONDS));
    }
    return new Promise((resolve, reject) => {
      this.#line.push({ job, resolve, reject });
      this.#next();
    });
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
    this.#worker ??= this.#start();
    const { pdfTimeoutMs } = this.#options;
    const request: PdfRequest = { kind: 'make', job: waiting.job, deadline: Date.now() + pdfTimeoutMs };
    this.#worker.postMessage(request);
    this.#watch = setTimeout(() => {
      this.#logger.warn('a PDF ran past its time; its thread is ended');
      void this.#end(tooLate()).then(() => this.#next());
    }, pdfTimeoutMs + GRACE_MS);
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
      if (reply.kind === 'outcome') waiting?.resolve(reply.outcome);
      else waiting?.reject(errorOfReply(reply));
      this.#next();
    });
    worker.on('error', (error) => this.#lost(worker, error as Error));
    worker.on('exit', () => this.#lost(worker, new Error('the PDF thread ended')));
    return worker;
  }

  /** The thread died by itself: out of memory, a fault of its own. Its job fails, the next gets a new thread. */
  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const waiting = this.#current;
    this.#current = null;
    waiting?.reject(error);
    this.#next();
  }

  /** Ends the thread; what it was making fails with `error`. The browser goes with its pipe, should the thread not get to close it. */
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
