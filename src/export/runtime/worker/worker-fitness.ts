/**
 * Whether this worker takes activities. After a failure that may be its own (credentials, disk, network) it stops polling for them,
 * until it can use the lake again. It still runs workflows: they decide what becomes of their runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActivitySlotInfo, CustomSlotSupplier, SlotPermit } from '#temporal-worker';
import type { Logger } from '../../../core/environment/index.ts';
import type { FitnessPort } from '../../pipeline/index.ts';

/** Between two tests of the lake: at first, and at most. */
const TEST_MS = 2_000;
const TEST_MS_MAX = 20_000;
/** A failure within this time after a good test: the test missed the reason, so the next one waits longer. */
const RELAPSE_MS = 120_000;

export interface FitnessOptions {
  /** Process and host. */
  id: string;
  /** Other workers that take activities of the same key. */
  others: () => Promise<string[]>;
  /** The next activity opens the lake with new credentials. */
  reopen: (place: string) => void;
  log: Pick<Logger, 'warn' | 'info'>;
  /** @throws if the lake can't be used. Default: opens it again, and writes a file. */
  test?: (place: string) => Promise<void>;
  testMs?: number;
}

export interface WorkerProblem {
  lake: string;
  message: string;
  /** ISO */
  since: string;
}

export class WorkerFitness implements FitnessPort {
  readonly #options: FitnessOptions;
  readonly #problems = new Map<string, WorkerProblem>();
  /** By lake: the last wait between two tests, and when the last one succeeded. */
  readonly #tests = new Map<string, { waitMs: number; fitAt: number }>();
  readonly #closing = new AbortController();
  #fit = Promise.withResolvers<void>();

  constructor(options: FitnessOptions) {
    this.#options = options;
    this.#fit.resolve();
  }

  isUnfit(): boolean {
    return this.#problems.size > 0;
  }

  /** Empty: it takes activities. */
  get problems(): WorkerProblem[] {
    return [...this.#problems.values()];
  }

  async failed(error: Error, place: string): Promise<{ id: string; others: string[] }> {
    const { id, others, reopen, log } = this.#options;
    if (!this.#problems.has(place)) {
      if (this.#problems.size === 0) this.#fit = Promise.withResolvers();
      const problem = { lake: place, message: error.message, since: new Date().toISOString() };
      this.#problems.set(place, problem);
      log.warn({ worker: id, ...problem }, 'the worker takes no activities until it can use the lake');
      reopen(place);
      void this.#untilFit(place);
    }
    return { id, others: await others().catch(() => []) };
  }

  /** Waits until the worker takes activities. @throws the reason of the signal */
  async whenFit(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    aborted.promise.catch(() => {});
    try {
      while (this.isUnfit()) await Promise.race([this.#fit.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  close(): void {
    this.#closing.abort();
  }

  async #untilFit(place: string): Promise<void> {
    const { id, log, test = useLake, testMs = TEST_MS } = this.#options;
    const before = this.#tests.get(place);
    const isRelapse = before !== undefined && performance.now() - before.fitAt < RELAPSE_MS;
    let waitMs = isRelapse ? Math.min(TEST_MS_MAX, before.waitMs * 2) : testMs;
    for (;;) {
      await sleep(waitMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
      if (this.#closing.signal.aborted) return;
      try {
        await test(place);
        break;
      } catch (error) {
        this.#problems.get(place)!.message = error instanceof Error ? error.message : String(error);
        waitMs = Math.min(TEST_MS_MAX, waitMs * 2);
      }
    }
    this.#tests.set(place, { waitMs, fitAt: performance.now() });
    this.#problems.delete(place);
    log.info({ worker: id, lake: place }, 'the worker takes activities again');
    if (this.#problems.size === 0) this.#fit.resolve();
  }
}

async function useLake(place: string): Promise<void> {
  const { openLakeIfThere, openStorage } = await import('../../../lake/index.ts');
  await using lake = await openLakeIfThere(place);
  if (lake === null) return openStorage(place).proveFit();
  if (lake.unwritable) throw lake.unwritable;
  await lake.proveWritable();
}

/** Slots for activities, of which an unfit worker hands out none: it doesn't poll then. */
export function slotsOfFit(fitness: WorkerFitness, slots: number): CustomSlotSupplier<ActivitySlotInfo> {
  let used = 0;
  const waiting: (() => void)[] = [];
  const take = (): SlotPermit => {
    used++;
    return {};
  };
  return {
    type: 'custom',
    async reserveSlot(_, signal) {
      for (;;) {
        await fitness.whenFit(signal);
        if (used < slots) return take();
        signal.throwIfAborted();
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        });
      }
    },
    tryReserveSlot: () => (used < slots && !fitness.isUnfit() ? take() : null),
    markSlotUsed: () => {},
    releaseSlot() {
      used--;
      for (const wake of waiting.splice(0)) wake();
    },
  };
}
