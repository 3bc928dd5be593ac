/** Makes PDFs in a few threads. They have one short queue, and a time limit that counts from the request. */
import type { FastifyBaseLogger } from 'fastify';
import type { ParametersOf } from '../../filings/api/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import { CLIENT_LEFT, ServiceProblem, unavailable } from '../answers/problem.ts';
import type { ServiceLimits } from '../http/limits.ts';
import type { PdfJob, PdfMaker } from '../http/operation-route.ts';
import type { Caller } from '../readers/reader-pool.ts';
import { MadePdfs } from './made-pdfs.ts';
import { type LaneJob, PdfLane } from './pdf-lane.ts';
import { tooLongInLine } from './too-late.ts';

interface PdfRendererOptions extends Pick<ServiceLimits, 'pdfTimeoutMs' | 'pdfQueueLength' | 'pdfLanes'> {
  catalogFolder: string;
}

interface Waiting extends LaneJob {
  caller: Caller | undefined;
}

const RETRY_AFTER_SECONDS = 15;
/** The part of a PDF's time that it may wait in the queue. */
const LONGEST_WAIT = 0.5;

export class PdfRenderer implements PdfMaker {
  readonly #options: PdfRendererOptions;
  readonly #line: Waiting[] = [];
  readonly #failures = new FailedPdfs();
  readonly #lanes: readonly PdfLane[];
  /** Shared by all lanes: no content is printed twice */
  #made = new MadePdfs();
  /** Names of PDFs that a lane prints now, and the lanes that wait for the same */
  readonly #printing = new Map<string, { by: PdfLane; waiting: Set<PdfLane> }>();
  #closed = false;

  constructor(options: PdfRendererOptions, logger: FastifyBaseLogger) {
    this.#options = options;
    this.#lanes = Array.from(
      { length: options.pdfLanes },
      () =>
        new PdfLane(options.catalogFolder, {
          onFree: (lane) => {
            for (const { waiting } of this.#printing.values()) waiting.delete(lane);
            this.#next();
          },
          onFind: (lane, name) => this.#find(lane, name),
          onMade: (name, pdf) => {
            this.printed++;
            if (pdf) this.#made.add(name, pdf);
          },
          onIdle: () => {
            if (!this.#lanes.some((lane) => lane.warm)) this.#made = new MadePdfs();
          },
          onLate: () => logger.warn('a PDF exceeded its time limit; its thread is ended'),
        }),
    );
  }

  /** The state if it is known: a browser starts with the first PDF. */
  browserState: 'not tried' | 'ok' | 'none' = 'not tried';

  /** PDFs that a browser printed since the start; not those that were kept */
  printed = 0;

  /** Waiting PDFs, for /metrics. */
  get waiting(): number {
    return this.#line.length;
  }

  make(job: PdfJob, caller?: Caller): Promise<Outcome> {
    if (this.#closed) return Promise.reject(unavailable('the service is shutting down', RETRY_AFTER_SECONDS));
    const known = this.#failures.find(job.parameters);
    if (known) return Promise.reject(known);
    const isFull = this.#line.length >= this.#options.pdfQueueLength;
    if (isFull && !this.#lanes.some((lane) => lane.free)) {
      return Promise.reject(unavailable('too many PDFs are waiting to be made', RETRY_AFTER_SECONDS));
    }
    const { pdfTimeoutMs } = this.#options;
    return new Promise((resolve, reject) => {
      const onDone = (result: Outcome | Error) => {
        this.#note(job, result);
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      const waiting: Waiting = { job, caller, deadline: Date.now() + pdfTimeoutMs, onDone };
      this.#line.push(waiting);
      caller?.gone?.addEventListener('abort', () => this.#drop(waiting));
      this.#next();
      // If the queue doesn't move, a PDF waits only as long as there is time left to make it.
      setTimeout(() => {
        if (this.#leaveLine(waiting)) reject(tooLongInLine());
      }, pdfTimeoutMs * LONGEST_WAIT).unref();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = unavailable('the service is shutting down', RETRY_AFTER_SECONDS);
    for (const waiting of this.#line.splice(0)) waiting.onDone(error);
    await Promise.all(this.#lanes.map((lane) => lane.end(error)));
  }

  /** Remembers what failed, and whether there is a browser. */
  #note(job: PdfJob, result: Outcome | Error): void {
    if (!(result instanceof Error)) this.browserState = 'ok';
    else if (result instanceof ServiceProblem) {
      if (result.headers['retry-after'] === '3600') this.browserState = 'none';
      this.#failures.add(job.parameters, result);
    }
  }

  #leaveLine(waiting: Waiting): boolean {
    const at = this.#line.indexOf(waiting);
    if (at >= 0) this.#line.splice(at, 1);
    return at >= 0;
  }

  /** The caller has disconnected: the result is not needed. */
  #drop(waiting: Waiting): void {
    const left = new ServiceProblem(CLIENT_LEFT, 'the caller left');
    if (this.#leaveLine(waiting)) waiting.onDone(left);
    else void this.#lanes.find((lane) => lane.has(waiting))?.end(left);
  }

  #next(): void {
    this.#settlePrinting();
    if (this.#closed) return;
    for (const lane of this.#lanes) {
      if (!lane.free) continue;
      const waiting = this.#line.shift();
      if (!waiting) return;
      waiting.caller?.onStart?.();
      lane.start(waiting);
    }
  }

  /** Waits for a PDF that another lane prints now. */
  #find(lane: PdfLane, name: string): void {
    const made = this.#made.find(name);
    const printing = this.#printing.get(name);
    if (made) lane.give(name, made);
    else if (printing) printing.waiting.add(lane);
    else {
      this.#printing.set(name, { by: lane, waiting: new Set() });
      lane.give(name, null);
    }
  }

  /** Lanes that wait for a PDF get it when another lane has printed it. If that failed, or the PDF is too large to keep, the first of them prints it. */
  #settlePrinting(): void {
    for (const [name, { by, waiting }] of this.#printing) {
      if (!by.free) continue;
      this.#printing.delete(name);
      for (const lane of waiting) this.#find(lane, name);
    }
  }
}

/** How long a failure counts, by status, in milliseconds: a page stays too large, but a time-out may not repeat. */
const REMEMBERED_MS: Readonly<Record<number, number>> = { 422: 60 * 60_000, 504: 10 * 60_000 };
const FAILURES_MAX = 1_000;

/** PDFs that could not be made: a repeated request is refused at once, and delays no other. */
class FailedPdfs {
  readonly #failures = new Map<string, { problem: ServiceProblem; until: number }>();

  add(parameters: ParametersOf<'pdf'>, problem: ServiceProblem): void {
    const rememberedMs = REMEMBERED_MS[problem.status];
    if (rememberedMs === undefined) return;
    if (this.#failures.size >= FAILURES_MAX) this.#failures.delete(this.#failures.keys().next().value!);
    this.#failures.set(nameOf(parameters), { problem, until: Date.now() + rememberedMs });
  }

  find(parameters: ParametersOf<'pdf'>): ServiceProblem | null {
    const name = nameOf(parameters);
    const known = this.#failures.get(name);
    if (!known) return null;
    if (Date.now() <= known.until) return new ServiceProblem(known.problem.status, known.problem.message);
    this.#failures.delete(name);
    return null;
  }
}

function nameOf({ api_key: _, ...asked }: ParametersOf<'pdf'>): string {
  return JSON.stringify(Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1)));
}
