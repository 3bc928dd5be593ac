/**
 * A service of several processes over one catalog and one port. Quotas are counted in accounts.db, so they hold over all of them.
 * A process that dies is started again.
 */
import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { FilinglakeError, isErrorCode } from '../../core/index.ts';
import type { RunningService } from '../start.ts';
import { threadFile } from '../thread-file.ts';
import type { FromProcess, ProcessOptions, Started, ToProcess } from './messages.ts';

/** A process that died is started again after this. */
const RESTART_MS = 1_000;
/** Beyond, /metrics goes without the processes that have not answered. */
const METRICS_WAIT_MS = 1_500;

export interface ServiceProcesses extends Omit<RunningService, 'ownMetrics'> {
  reopenLog(): void;
}

/** @throws FilinglakeError as startService */
export async function startProcesses(count: number, options: ProcessOptions): Promise<ServiceProcesses> {
  // Node of a checkout strips types by itself, as it does for the threads.
  cluster.setupPrimary({ exec: fileURLToPath(threadFile('processes/serving-process')), args: [] });
  const processes = new Processes();
  try {
    // Node gives all processes that ask for the same port, or for any (0), the same socket.
    const [first] = await Promise.all(Array.from({ length: count }, () => processes.add(options)));
    processes.keep(options);
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
  readonly #metrics = new Map<string, { texts: string[]; left: number; done: () => void }>();
  #lastNumber = 0;
  /** To replace those that died; null: not yet, or no longer */
  #restart: ProcessOptions | null = null;

  add(options: ProcessOptions): Promise<Started> {
    const worker = cluster.fork();
    this.#workers.add(worker);
    const { promise, resolve, reject } = Promise.withResolvers<Started>();
    worker.on('message', (message: FromProcess) => {
      if (message.kind === 'started') resolve(message);
      else if (message.kind === 'failed') reject(failureOf(message));
      else this.#answerMetrics(worker, message);
    });
    worker.once('exit', (code, signal) => {
      this.#workers.delete(worker);
      reject(new Error(`a process of the service ended (${signal ?? code})`));
      const restart = this.#restart;
      if (restart) setTimeout(() => this.#again(restart), RESTART_MS).unref();
    });
    tell(worker, { kind: 'start', options });
    return promise;
  }

  /** From now on those that die are started again. */
  keep(options: ProcessOptions): void {
    this.#restart = options;
  }

  #again(options: ProcessOptions): void {
    if (this.#restart === null) return;
    process.stderr.write('a process of the service ended, and is started again\n');
    // If it fails, it exits, and the exit starts the next try.
    this.add(options).catch(() => undefined);
  }

  tellAll(message: ToProcess): void {
    for (const worker of this.#workers) tell(worker, message);
  }

  #answerMetrics(worker: Worker, message: Extract<FromProcess, { kind: 'metrics-wanted' | 'metrics' }>): void {
    if (message.kind === 'metrics') {
      const asked = this.#metrics.get(String(message.number));
      if (!asked) return;
      asked.texts.push(message.text);
      if (--asked.left === 0) asked.done();
      return;
    }
    // Numbers of different processes may be the same: they are asked under one of ours.
    const number = ++this.#lastNumber;
    const asked = {
      texts: [] as string[],
      left: this.#workers.size,
      done: () => {
        clearTimeout(timer);
        this.#metrics.delete(String(number));
        tell(worker, { kind: 'all-metrics', number: message.number, texts: asked.texts });
      },
    };
    const timer = setTimeout(asked.done, METRICS_WAIT_MS);
    this.#metrics.set(String(number), asked);
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
