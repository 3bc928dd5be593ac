/** A few threads that read the catalog, and the queues of their jobs. */
import { OPERATIONS, type Operation } from '../../api/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import { READER_OPERATIONS, type ReaderOperationName } from '../operations/index.ts';
import { CLIENT_LEFT, ServiceProblem, unavailable } from '../problem.ts';
import { FairLine } from './fair-line.ts';
import { errorOfReply, type ReaderJob, type ReaderReply } from './messages.ts';
import { ReaderThread } from './reader-thread-handle.ts';
import { type Lane, laneOf } from './work-limits.ts';

/** The caller of a job: its key, for fair turns, and the signal that cancels it. */
export interface Caller {
  key: string;
  /** Aborted when the caller has disconnected */
  gone?: AbortSignal;
  /** Called when the job starts, and again if it starts in another lane */
  onStart?: () => void;
}

/** Runs an operation: the pool, or in a test a function. */
export interface OperationRunner {
  run<Name extends ReaderOperationName>(job: ReaderJob<Name>, caller?: Caller): Promise<Outcome>;
}

export interface ReaderPoolOptions {
  threads: number;
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
  thread: ReaderThread<Job> | null;
  settled: boolean;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

/** Maximum length of a queue; further jobs are answered 503. Clients would give up before their turn. */
const MAX_WAITING = 1_000;
/** Of one key, if others wait too. */
const MAX_WAITING_OF_A_KEY = 500;
const RETRY_AFTER_SECONDS = 2;
/** How often deadlines are checked. */
const SWEEP_MS = 100;
/** Time for a cancelled job to end; then its thread is replaced. */
const GRACE_MS = 500;
/** Short jobs that a thread has at once. Then it needs no round trip through the main thread for each. */
const SHORT_AT_ONCE = 8;
/** A background thread gets short jobs only if the others have this many. */
const SHORT_BEFORE_BACKGROUND = 4;
/** Short jobs that wait in a thread for longer than this behind another one are given to other threads. */
const STUCK_BEHIND_MS = 10;

/**
 * A thread has one long job, or a few short ones. Long jobs (pages, searches, sections) leave threads free, so that a look-up of one
 * record never waits behind them. The keys take turns. A job is ended at its deadline, or if its caller has disconnected: SQLite
 * stops at the next row. A thread that doesn't stop is replaced.
 */
export class ReaderPool implements OperationRunner {
  readonly #catalogFolder: string;
  readonly #options: ReaderPoolOptions;
  readonly #threads: ReaderThread<Job>[] = [];
  /** Replaced threads that have not ended yet: they are inside one call of SQLite. */
  readonly #stuck = new Set<ReaderThread<Job>>();
  readonly #lines: Record<Lane, FairLine<Job>> = {
    short: new FairLine<Job>(),
    long: new FairLine<Job>(),
    large: new FairLine<Job>(),
  };
  /** Jobs of the long lanes that have a thread. */
  readonly #running = new Set<Job>();
  readonly #sweep: NodeJS.Timeout;
  #stuckBehind: NodeJS.Timeout | null = null;
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
      busy: this.#threads.filter((thread) => thread.size > 0).length,
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
    const { defaultTo }: Operation = OPERATIONS[request.operation];
    const limitMs = this.#options.deadlineMs ?? operation.deadlineMs;
    return new Promise((resolve, reject) => {
      const job: Job = {
        ...{ key, request: request as ReaderJob, caller, thread: null, settled: false, resolve, reject, limitMs },
        lane: laneOf(operation.lane, defaultTo, request.parameters as { from?: number; to?: number }),
        deadline: performance.now() + limitMs,
      };
      this.#lines[job.lane].push(job);
      caller?.gone?.addEventListener('abort', () =>
        this.#give(job, new ServiceProblem(CLIENT_LEFT, 'the caller left')),
      );
      this.#dispatchTogether();
    });
  }

  /** Ends the pool: waiting and running jobs are answered 503. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweep);
    if (this.#stuckBehind) clearTimeout(this.#stuckBehind);
    const error = () => unavailable('the service is shutting down', RETRY_AFTER_SECONDS);
    for (const line of Object.values(this.#lines)) for (const job of line.drain()) this.#settle(job, error());
    for (const thread of this.#threads) for (const job of thread.jobs) this.#settle(job, error());
    await Promise.all([...this.#threads, ...this.#stuck].map((thread) => thread.end()));
  }

  /** The requests of one turn of the event loop share a message: it costs as much as a small look-up. */
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
    if (this.#stuckBehind || !this.#threads.some((thread) => thread.size > 1)) return;
    this.#stuckBehind = setTimeout(() => this.#moveStuck(), STUCK_BEHIND_MS).unref();
  }

  /** Long jobs run on background threads, one on each. The only thread of a pool runs them if no short job waits. */
  #startLong(): void {
    const isOnly = this.#options.threads === 1;
    if (isOnly && this.#lines.short.length > 0) return;
    for (const thread of this.#threads) {
      if (thread.size > 0 || thread.room === 0 || (!isOnly && !thread.isBackground)) continue;
      const job = this.#longPlaces() > 0 ? this.#nextLong() : undefined;
      if (!job) return;
      this.#running.add(job);
      this.#start(thread, [job]);
    }
  }

  /** All that fit, in one message for each thread. */
  #startShort(): void {
    const { short, long, large } = this.#lines;
    const withBackground = long.length + large.length === 0 || this.#longPlaces() <= 0;
    const batches = new Map<ReaderThread<Job>, Job[]>();
    while (short.length > 0) {
      const thread = this.#threadForShort((one) => batches.get(one)?.length ?? 0, withBackground);
      const job = thread && short.take(this.#options.mayStart);
      if (!job) break;
      const batch = batches.get(thread);
      if (batch) batch.push(job);
      else batches.set(thread, [job]);
    }
    for (const [thread, jobs] of batches) this.#start(thread, jobs);
  }

  #start(thread: ReaderThread<Job>, jobs: readonly Job[]): void {
    for (const job of jobs) {
      job.thread = thread;
      job.caller?.onStart?.();
    }
    thread.start(jobs);
  }

  #longPlaces(): number {
    const { threads } = this.#options;
    if (this.#stuck.size >= this.#threads.length) return 0;
    return Math.max(1, threads - keptForShort(threads)) - this.#running.size;
  }

  #nextLong(): Job | undefined {
    const { mayStart = () => true, threads } = this.#options;
    const { long, large } = this.#lines;
    const running = [...this.#running];
    const places = Math.max(1, threads - keptForShort(threads));
    // The last thread is kept for another key than the one that uses all others.
    const [first] = running;
    const alone = places > 2 && running.length === places - 1 && running.every(({ key }) => key === first!.key);
    const allowed = (key: string) => mayStart(key) && !(alone && key === first!.key);
    const isLargeRunning = running.some(({ lane }) => lane === 'large');
    return (isLargeRunning ? undefined : large.take(allowed)) ?? long.take(allowed);
  }

  /** The thread with the fewest short jobs; a background thread only if the others have several. @param more jobs that a thread is about to get */
  #threadForShort(more: (thread: ReaderThread<Job>) => number, withBackground: boolean): ReaderThread<Job> | undefined {
    let best: ReaderThread<Job> | undefined;
    let least = SHORT_AT_ONCE;
    for (const thread of this.#threads) {
      if (thread.isBackground && !withBackground) continue;
      const load = thread.size + more(thread) + (thread.isBackground ? SHORT_BEFORE_BACKGROUND : 0);
      const { first, workedMs } = thread;
      const isFree = first === undefined || (first.lane === 'short' && workedMs < STUCK_BEHIND_MS);
      if (!isFree || load >= least || thread.room <= more(thread)) continue;
      [best, least] = [thread, load];
    }
    return best;
  }

  /** Short jobs behind one that takes long go back to their line, for other threads. */
  #moveStuck(): void {
    this.#stuckBehind = null;
    for (const thread of this.#threads) {
      if (thread.size < 2 || thread.workedMs < STUCK_BEHIND_MS) continue;
      for (const job of thread.takeBack()) this.#putBack(job);
    }
    this.#dispatch();
  }

  #putBack(job: Job): void {
    job.thread = null;
    this.#running.delete(job);
    if (!job.settled) this.#lines[job.lane].push(job);
  }

  /** The result of `mayStart` may have changed. */
  wake(): void {
    this.#dispatch();
  }

  #addThread(isBackground: boolean): Promise<void> {
    const thread = new ReaderThread<Job>(this.#catalogFolder, isBackground, {
      onReply: (job, reply) => this.#reply(job, reply),
      onReplies: () => this.#dispatch(),
      onLost: (error) => this.#lose(thread, error),
    });
    return thread.ready.then(() => {
      if (this.#closed) return void thread.end();
      this.#threads.push(thread);
      this.#dispatch();
    });
  }

  #reply(job: Job, reply: ReaderReply): void {
    job.thread = null;
    this.#running.delete(job);
    if (reply.kind === 'outcome') this.#settle(job, reply.outcome);
    else if (reply.kind === 'dropped') this.#putBack(job);
    else if (reply.kind !== 'needs-lane') this.#settle(job, errorOfReply(reply));
    else {
      job.lane = reply.lane;
      this.#putBack(job);
    }
  }

  #settle(job: Job, result: Outcome | Error): void {
    if (job.settled) return;
    job.settled = true;
    if (result instanceof Error) job.reject(result);
    else job.resolve(result);
  }

  /** Cancels a job: removes it from its queue, or ends it on its thread. */
  #give(job: Job, error: ServiceProblem): void {
    if (job.settled) return;
    this.#settle(job, error);
    if (this.#lines[job.lane].remove(job) || job.thread === null) return;
    const { thread } = job;
    thread.cancel(job);
    this.#abandonIfStuck(thread, job);
  }

  /** A cancelled job may wait behind another one: its thread is stuck only if the job is its first. */
  #abandonIfStuck(thread: ReaderThread<Job>, job: Job): void {
    setTimeout(() => {
      if (job.thread !== thread || !this.#threads.includes(thread)) return;
      if (thread.first === job && thread.workedMs >= GRACE_MS / 2) this.#abandon(thread);
      else this.#abandonIfStuck(thread, job);
    }, GRACE_MS).unref();
  }

  #endLate(): void {
    const now = performance.now();
    const late = [
      ...Object.values(this.#lines).flatMap((line) => [...line]),
      ...this.#threads.flatMap(({ jobs }) => jobs),
    ];
    for (const job of late) if (now > job.deadline && !job.settled) this.#give(job, pastDeadline(job));
  }

  /** Replaces a thread that doesn't stop. JavaScript ends at once, a call of SQLite when it returns. */
  #abandon(thread: ReaderThread<Job>): void {
    this.#options.onLostThread?.('a reader thread was replaced: its job could not be ended');
    this.#stuck.add(thread);
    void thread.end().then(() => {
      this.#stuck.delete(thread);
      this.#dispatch();
    });
    this.#lose(thread, new Error('a reader thread was replaced'));
  }

  #lose(thread: ReaderThread<Job>, error: Error): void {
    const at = this.#threads.indexOf(thread);
    if (at < 0) return;
    this.#threads.splice(at, 1);
    const back = thread.takeBack();
    const [lost, ...answered] = thread.jobs.reverse();
    if (lost) this.#running.delete(lost);
    // The last one that started is the one that ran. The answers of those before it were not sent.
    if (lost) this.#settle(lost, error);
    if (this.#closed) return;
    for (const job of [...answered.reverse(), ...back]) this.#putBack(job);
    this.#replaced++;
    // If the catalog can't be opened any more, each waiting job fails instead of waiting forever.
    this.#addThread(thread.isBackground).catch((cause: Error) => {
      if (this.#threads.length > 0) return;
      for (const line of Object.values(this.#lines)) for (const job of line.drain()) this.#settle(job, cause);
    });
  }
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
