/**
 * A service of several processes over one catalog and one port. Quotas are counted in accounts.db, so they hold over all of them.
 * A process that dies is started again.
 */
import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { FilinglakeError, isErrorCode } from '../../core/index.ts';
import type { RunningService } from '../start.ts';
import { threadFile } from '../thread-file.ts';
import { countersOf, mergeMetrics } from './merge-metrics.ts';
import type { FromProcess, ProcessOptions, Started, ToProcess } from './messages.ts';

/** A process that died is started again after this. */
const RESTART_MS = 1_000;
/** After this, /metrics leaves out processes that have not answered. */
const METRICS_WAIT_MS = 1_500;
/**
 * For glibc, which otherwise raises these limits after the first large answer and then keeps the memory of all later ones. An operator
 * can set others. docs/guide/running-a-service.md has the figures.
 */
const MEMORY_SETTINGS = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

export interface ServiceProcesses extends Omit<RunningService, 'ownMetrics'> {
  reopenLog(): void;
}

/** @throws FilinglakeError as startService */
export async function startProcesses(count: number, options: ProcessOptions): Promise<ServiceProcesses> {
  // Node of a checkout strips types by itself, as it does for the threads.
  // Every process accepts from the one socket. If the first process accepted and handed over, a connection that it hands to a process
  // that is being killed would hang: Node closes it only when its receiver answers.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(threadFile('processes/serving-process')), args: [] });
  const processes = new Processes();
  try {
    // Node gives all processes that ask for the same port, or for any (0), the same socket.
    const [first] = await Promise.all(Array.from({ length: count }, () => processes.add(options)));
    processes.keep(options, first!.port);
    let closed: Promise<void> | null = null;
    return {
      ...first!,
      reopenLog: () => processes.tellAll({ kind: 'reopen-log' }),
      close: () => {
        closed ??= processes.close();
        return closed;
      },
    };
  } catch (error) {
    await processes.close();
    throw error;
  }
}

class Processes {
  readonly #workers = new Set<Worker>();
  readonly #metrics = new Map<number, { waiting: Set<Worker>; done: () => void }>();
  /** The last answer of each process */
  readonly #lastTexts = new Map<Worker, string>();
  /** Counters of processes that have ended */
  #ended = '';
  #lastNumber = 0;
  /** They listen */
  readonly #ready = new Set<Worker>();
  /** To replace those that died; null: not yet, or no longer */
  #restart: ProcessOptions | null = null;
  #port: number | null = null;

  add(options: ProcessOptions): Promise<Started> {
    const worker = cluster.fork({ ...MEMORY_SETTINGS, ...process.env });
    this.#workers.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<Started>();
    worker.on('message', (message: FromProcess) => {
      if (message.kind === 'started') {
        // Those that shared port 0 died while it started, and it got another one.
        if (this.#port !== null && message.port !== this.#port) return void worker.process.kill('SIGKILL');
        this.#ready.add(worker);
        resolve(message);
      } else if (message.kind === 'failed') reject(failureOf(message));
      else this.#answerMetrics(worker, message);
    });
    worker.once('exit', (code, signal) => {
      this.#workers.delete(worker);
      this.#ready.delete(worker);
      this.#ended = mergeMetrics([this.#ended, countersOf(this.#lastTexts.get(worker) ?? '')]);
      this.#lastTexts.delete(worker);
      reject(new Error(`a process of the service ended (${signal ?? code})`));
      // If it was the last one, this timer alone keeps the first process running.
      if (this.#restart) setTimeout(() => this.#again(), RESTART_MS);
    });
    tell(worker, { kind: 'start', options });
    return promise;
  }

  /** From now on those that die are started again, on this port. */
  keep(options: ProcessOptions, port: number): void {
    this.#restart = options.port === 0 ? options : { ...options, port, strictPort: true };
    this.#port = port;
  }

  #again(): void {
    if (this.#restart === null || this.#port === null) return;
    process.stderr.write('a process of the service ended, and is started again\n');
    // Nobody holds the socket of port 0 any more: 0 would now be another port.
    if (this.#ready.size === 0) this.#restart = { ...this.#restart, port: this.#port, strictPort: true };
    // If it fails, it exits, and the exit starts the next try.
    this.add(this.#restart).catch(() => undefined);
  }

  tellAll(message: ToProcess): void {
    for (const worker of this.#workers) tell(worker, message);
  }

  #answerMetrics(worker: Worker, message: Extract<FromProcess, { kind: 'metrics-wanted' | 'metrics' }>): void {
    if (message.kind === 'metrics') {
      this.#lastTexts.set(worker, message.text);
      const asked = this.#metrics.get(message.number);
      if (asked?.waiting.delete(worker) && asked.waiting.size === 0) asked.done();
      return;
    }
    // Two processes may use the same number, so each request gets a new one here.
    const number = ++this.#lastNumber;
    const done = () => {
      clearTimeout(timer);
      this.#metrics.delete(number);
      // A process that hangs, or has just died, counts with its last answer.
      tell(worker, { kind: 'all-metrics', number: message.number, texts: [...this.#lastTexts.values(), this.#ended] });
    };
    const timer = setTimeout(done, METRICS_WAIT_MS);
    this.#metrics.set(number, { waiting: new Set(this.#workers), done });
    this.tellAll({ kind: 'give-metrics', number });
  }

  /** Settled once every process has ended. */
  async close(): Promise<void> {
    this.#restart = null;
    const ended = [...this.#workers].map(
      (worker) => new Promise<void>((resolve) => void worker.once('exit', () => resolve())),
    );
    this.tellAll({ kind: 'close' });
    await Promise.all(ended);
  }
}

function tell(worker: Worker, message: ToProcess): void {
  // A process that is just ending takes no message; its exit is handled.
  if (worker.isConnected()) worker.send(message, () => undefined);
}

function failureOf({ code, message, remedy }: Extract<FromProcess, { kind: 'failed' }>): Error {
  if (!isErrorCode(code)) return new Error(message);
  return new FilinglakeError(code, message, remedy === null ? {} : { remedy });
}
