/** A few threads that read the catalog, and the queues of their jobs. */
import { OPERATIONS, type Operation } from '../../filings/api/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import { CLIENT_LEFT, ServiceProblem, unavailable } from '../answers/problem.ts';
import { READER_OPERATIONS, type ReaderOperationName } from '../operations/index.ts';
import { type Lane, laneOf } from '../operations/work-limits.ts';
import { FairLine } from './fair-line.ts';
import { errorOfReply, type ReaderJob, type ReaderReply } from './messages.ts';
import { ReaderThread } from './reader-thread-handle.ts';
import { TimeUsed } from './time-used.ts';

/** The caller of a job: its key, for fair turns, and the signal that cancels it. */
export interface Caller {
  key: string;
  /** Aborted when the caller has disconnected */
  gone?: AbortSignal;
  /** Called when the job starts, and again if it starts in another lane */
  onStart?: () => void;
  /** Called with the thread time of the job, whatever became of it: also after its deadline, and if the caller has left */
  onWork?: (ms: number) => void;
}

/** Runs an operation: the pool, or in a test a function. */
export interface OperationRunner {
  run<Name extends ReaderOperationName>(job: ReaderJob<Name>, caller?: Caller): Promise<Outcome>;
}

interface ReaderPoolOptions {
  threads: number;
  /** The engine for full text, as Catalog.open takes it */
  fulltext?: string | undefined;
  /** Instead of each operation's own deadline */
  deadlineMs?: number;
  onLostThread?: (reason: string) => void;
  /** Whether a key's next job may start: not if too much of its earlier answers is unread */
  mayStart?: (key: string) => boolean;
}

interface Job {
  readonly key: string;
  readonly request: ReaderJob;
  readonly caller: Caller | null;
  lane: Lane;
  /** By performance.now() */
  readonly deadline: number;
  readonly limitMs: number;
  settled: boolean;
  /** By performance.now(), in its last lane */
  startedAt: number;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

/** Maximum length of a queue; further jobs are answered 503. Clients would give up before their turn. */
const MAX_WAITING = 1_000;
/** Limit for one key, if others wait too. */
const MAX_WAITING_OF_A_KEY = 500;
const RETRY_AFTER_SECONDS = 2;
/** How often deadlines are checked. */
const SWEEP_MS = 100;
/** Time for a cancelled job to end; then its thread is replaced. */
const GRACE_MS = 500;
/**
 * Each thread has one job. Long jobs (pages, searches, sections) leave threads free, so that a look-up of one record never waits behind
 * them. The keys take turns. A job is ended at its deadline, or if its caller has disconnected: SQLite stops at the next row. A thread
 * that doesn't stop is replaced.
 */
export class ReaderPool implements OperationRunner {
  readonly #catalogFolder: string;
  readonly #options: ReaderPoolOptions;
  readonly #threads: ReaderThread<Job>[] = [];
  /** Replaced threads that have not ended yet: they are inside one call of SQLite. */
  readonly #stuck = new Set<ReaderThread<Job>>();
  readonly #used = new TimeUsed();
  readonly #lines: Record<Lane, FairLine<Job>> = {
    short: new FairLine<Job>(this.#used),
    long: new FairLine<Job>(this.#used),
    large: new FairLine<Job>(this.#used),
  };
  /** The first key that had a job; null: several had */
  #onlyKey: string | null | undefined;
  readonly #sweep: NodeJS.Timeout;
  #isDispatchDue = false;
  #closed = false;
  #replaced = 0;

  private constructor(catalogFolder: string, options: ReaderPoolOptions) {
    this.#catalogFolder = catalogFolder;
    this.#options = options;
    this.#sweep = setInterval(() => this.#endLate(), SWEEP_MS).unref();
  }

  /** @throws the errors of opening the catalog: `catalog-missing` … */
  static async start(catalogFolder: string, options: ReaderPoolOptions): Promise<ReaderPool> {
    const pool = new ReaderPool(catalogFolder, options);
    try {
      const { threads } = options;
      await Promise.all(Array.from({ length: threads }, (_, k) => pool.#addThread(k >= keptForShort(threads))));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  /** For /metrics and /readyz. */
  state(): { threads: number; busy: number; stuck: number; replaced: number; waiting: Record<Lane, number> } {
    return {
      threads: this.#threads.length,
      busy: this.#jobs().length,
      stuck: this.#stuck.size,
      replaced: this.#replaced,
      waiting: { short: this.#lines.short.length, long: this.#lines.long.length, large: this.#lines.large.length },
    };
  }

  run<Name extends ReaderOperationName>(request: ReaderJob<Name>, caller: Caller | null = null): Promise<Outcome> {
    const key = caller?.key ?? '';
    const lines = Object.values(this.#lines);
    const waiting = lines.reduce((sum, line) => sum + line.length, 0);
    const tooMany = caller !== null && lines.reduce((sum, line) => sum + line.lengthOf(key), 0) >= MAX_WAITING_OF_A_KEY;
    if (this.#closed) return Promise.reject(unavailable('the service is shutting down', RETRY_AFTER_SECONDS));
    if (waiting >= MAX_WAITING || tooMany)
      return Promise.reject(unavailable('the catalog is busy', RETRY_AFTER_SECONDS));
    const operation = READER_OPERATIONS[request.operation];
    const operations: Readonly<Record<string, Operation>> = OPERATIONS;
    const defaultTo = operations[request.operation]?.defaultTo;
    const limitMs = this.#options.deadlineMs ?? operation.deadlineMs;
    return new Promise((resolve, reject) => {
      const job: Job = {
        key,
        caller,
        settled: false,
        startedAt: 0,
        resolve,
        reject,
        limitMs,
        request: { ...request, context: { ...request.context, limitMs } } as ReaderJob,
        lane: laneOf(operation.lane, defaultTo, request.parameters as { from?: number; to?: number }),
        deadline: performance.now() + limitMs,
      };
      this.#push(job);
      caller?.gone?.addEventListener('abort', () =>
        this.#cancel(job, new ServiceProblem(CLIENT_LEFT, 'the caller left')),
      );
      this.#dispatchTogether();
    });
  }

  /** Ends the pool: waiting and running jobs are answered 503. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    const error = () => unavailable('the service is shutting down', RETRY_AFTER_SECONDS);
    for (const line of Object.values(this.#lines)) for (const job of line.drain()) this.#settle(job, error());
    for (const job of this.#jobs()) this.#settle(job, error());
    await Promise.all([...this.#threads, ...this.#stuck].map((thread) => thread.end()));
  }

  /** Jobs that have a thread. */
  #jobs(): Job[] {
    return this.#threads.flatMap(({ job }) => job ?? []);
  }

  /** After all requests of this turn of the event loop. */
  #dispatchTogether(): void {
    if (this.#isDispatchDue) return;
    this.#isDispatchDue = true;
    setImmediate(() => this.#dispatch());
  }

  #dispatch(): void {
    this.#isDispatchDue = false;
    if (this.#closed) return;
    this.#startLong();
    this.#startShort();
  }

  /** Long jobs run on background threads, one on each. The only thread of a pool runs them if no short job waits. */
  #startLong(): void {
    const isOnly = this.#options.threads === 1;
    if (isOnly && this.#lines.short.length > 0) return;
    for (const thread of this.#threads) {
      if (thread.job !== null || (!isOnly && !thread.isBackground)) continue;
      const job = this.#longPlaces() > 0 ? this.#nextLong() : undefined;
      if (!job) return;
      start(thread, job);
    }
  }

  /** After the long jobs: background threads that are still free run short ones. */
  #startShort(): void {
    const threads = this.#threads.toSorted((a, b) => Number(a.isBackground) - Number(b.isBackground));
    for (const thread of threads) {
      if (thread.job !== null) continue;
      const job = this.#lines.short.take(this.#allowed(thread.isBackground));
      if (job !== undefined) start(thread, job);
    }
  }

  /** Keys whose next job may start. */
  #allowed(onBackground: boolean): (key: string) => boolean {
    const { mayStart = () => true } = this.#options;
    const crowding = onBackground ? this.#crowdingKey() : null;
    return (key) => mayStart(key) && key !== crowding;
  }

  /** Jobs of the long lanes that have a thread. */
  #runningLong(): Job[] {
    return this.#jobs().filter(({ lane }) => lane !== 'short');
  }

  #longPlaces(): number {
    const { threads } = this.#options;
    if (this.#stuck.size >= this.#threads.length) return 0;
    return Math.max(1, threads - keptForShort(threads)) - this.#runningLong().length;
  }

  #nextLong(): Job | undefined {
    const { long, large } = this.#lines;
    const allowed = this.#allowed(this.#options.threads > 1);
    const isLargeRunning = this.#runningLong().some(({ lane }) => lane === 'large');
    return (isLargeRunning ? undefined : large.take(allowed)) ?? long.take(allowed);
  }

  /**
   * The key that has all background threads but one, if there is another key: the last one is kept for others. Its short jobs count
   * too, for a search of another key waits behind them as long.
   */
  #crowdingKey(): string | null {
    if (this.#onlyKey !== null) return null;
    const background = this.#threads.filter(({ isBackground }) => isBackground);
    const keys = background.flatMap(({ job }) => job?.key ?? []);
    if (background.length < 2 || keys.length < background.length - 1) return null;
    return keys.every((key) => key === keys[0]) ? keys[0]! : null;
  }

  /** The result of `mayStart` may have changed. */
  wake(): void {
    this.#dispatch();
  }

  #addThread(isBackground: boolean): Promise<void> {
    const thread = new ReaderThread<Job>(
      { catalogFolder: this.#catalogFolder, fulltext: this.#options.fulltext },
      isBackground,
      {
        onReply: (job, reply, workMs) => {
          this.#reply(job, reply, workMs);
          this.#dispatch();
        },
        onLost: (error) => this.#lose(thread, error),
      },
    );
    return thread.ready.then(() => {
      if (this.#closed) return void thread.end();
      this.#threads.push(thread);
      this.#dispatch();
    });
  }

  #reply(job: Job, reply: ReaderReply, workMs: number): void {
    this.#charge(job, workMs);
    if (reply.kind === 'outcome') this.#settle(job, reply.outcome);
    else if (reply.kind === 'needs-lane') {
      job.lane = reply.lane;
      if (!job.settled) this.#push(job);
    } else if (reply.kind !== 'dropped') this.#settle(job, errorOfReply(reply));
  }

  #charge(job: Job, workMs: number): void {
    if (workMs === 0) return;
    this.#used.add(job.key, workMs);
    job.caller?.onWork?.(workMs);
  }

  #push(job: Job): void {
    if (this.#onlyKey !== job.key) this.#onlyKey = this.#onlyKey === undefined ? job.key : null;
    this.#lines[job.lane].push(job);
  }

  #settle(job: Job, result: Outcome | Error): void {
    if (job.settled) return;
    job.settled = true;
    if (result instanceof Error) job.reject(result);
    else job.resolve(result);
  }

  /** Cancels a job: removes it from its queue, or ends it on its thread. */
  #cancel(job: Job, error: ServiceProblem): void {
    if (job.settled) return;
    this.#settle(job, error);
    if (this.#lines[job.lane].remove(job)) return;
    const thread = this.#threads.find((one) => one.job === job);
    if (thread === undefined) return;
    thread.cancel();
    setTimeout(() => {
      if (thread.job === job && this.#threads.includes(thread)) this.#abandon(thread, job);
    }, GRACE_MS).unref();
  }

  #endLate(): void {
    const now = performance.now();
    const late = [...Object.values(this.#lines).flatMap((line) => [...line]), ...this.#jobs()];
    for (const job of late) if (now > job.deadline && !job.settled) this.#cancel(job, pastDeadline(job));
  }

  /** Replaces a thread that doesn't stop. JavaScript ends at once, a call of SQLite when it returns. */
  #abandon(thread: ReaderThread<Job>, job: Job): void {
    this.#options.onLostThread?.('a reader thread was replaced: its job could not be ended');
    this.#stuck.add(thread);
    void thread.end().then(() => {
      this.#stuck.delete(thread);
      // Its own time can't be asked for any more.
      this.#charge(job, performance.now() - job.startedAt);
      this.#dispatch();
    });
    this.#lose(thread, null);
  }

  /** @param error of its jobs */
  #lose(thread: ReaderThread<Job>, error: Error | null): void {
    const at = this.#threads.indexOf(thread);
    if (at < 0) return;
    this.#threads.splice(at, 1);
    if (error !== null && thread.job !== null) this.#settle(thread.job, error);
    if (this.#closed) return;
    this.#replaced++;
    // If the catalog can't be opened any more, each waiting job fails instead of waiting forever.
    this.#addThread(thread.isBackground).catch((cause: Error) => {
      if (this.#threads.length > 0) return;
      for (const line of Object.values(this.#lines)) for (const job of line.drain()) this.#settle(job, cause);
    });
  }
}

function start(thread: ReaderThread<Job>, job: Job): void {
  job.startedAt = performance.now();
  job.caller?.onStart?.();
  thread.start(job);
}

/** Threads that long jobs leave free. */
function keptForShort(threads: number): number {
  return Math.max(1, threads >> 2);
}

function pastDeadline({ request, limitMs }: Job): ServiceProblem {
  const seconds = Math.round(limitMs / 100) / 10;
  return unavailable(
    `${request.operation} ran past its limit of ${seconds} s; ask for less at once, or again later`,
    RETRY_AFTER_SECONDS,
  );
}
