/** Keys and their quotas for the main thread, which must never block. A timer waits for the lock of another process. A full disk is 503. */
import { FilinglakeError } from '../../core/index.ts';
import { type Admission, type CountedRequest, patiently, type Quotas, type UsageTicket } from '../accounts/index.ts';
import { ServiceProblem, unavailable } from '../answers/problem.ts';
import { isBusy, isWriteFailure } from '../catalog/index.ts';

/** The accounts, for requests. Throws ServiceProblem 503 if they can't be read or written. */
export interface AccountBook extends Pick<Quotas, 'find' | 'admit' | 'settle' | 'addWork'> {
  /** Admits a request and counts its answer with it. */
  count(request: CountedRequest, now: Date): Promise<Admission>;
}

interface Uncounted {
  request: CountedRequest;
  resolve: (admission: Admission | Promise<Admission>) => void;
  reject: (error: unknown) => void;
}

/** What a key has used: for /v2/usage. */
export type UsageBook = Pick<Quotas, 'usage'>;

const BATCH_EVERY_MS = 1_000;
const RETRY_AFTER_SECONDS = 5;

export class PatientQuotas implements AccountBook, UsageBook {
  readonly #quotas: Quotas;
  readonly #lockWaitMaxMs: number | undefined;
  readonly #timer: NodeJS.Timeout;
  #failure: string | null = null;
  #isWriting = false;
  #uncounted: Uncounted[] = [];
  /** Of this turn of the event loop: each look-up asks the database whether it has changed. Counting asks again. */
  readonly #found = new Map<string, ReturnType<Quotas['find']>>();

  /** @param quotas that never block the thread */
  constructor(quotas: Quotas, lockWaitMaxMs?: number) {
    this.#quotas = quotas;
    this.#lockWaitMaxMs = lockWaitMaxMs;
    this.#timer = setInterval(() => void this.writeBatch(), BATCH_EVERY_MS).unref();
  }

  /** Why accounts can't be written now; null: they can. */
  get failure(): string | null {
    return this.#failure;
  }

  timeOf(now: Date): Date {
    return this.#quotas.timeOf(now);
  }

  async missingPlans(): Promise<string[]> {
    return this.#quotas.missingPlans();
  }

  find(apiKeys: readonly string[]): ReturnType<Quotas['find']> {
    const asked = JSON.stringify(apiKeys);
    if (this.#found.size === 0) setImmediate(() => this.#found.clear());
    const found = this.#found.get(asked) ?? this.#lookUp(apiKeys);
    this.#found.set(asked, found);
    return found;
  }

  #lookUp(apiKeys: readonly string[]): ReturnType<Quotas['find']> {
    try {
      const found = this.#quotas.find(apiKeys);
      return found instanceof Promise ? found.catch((error) => Promise.reject(this.#problemOf(error))) : found;
    } catch (error) {
      throw this.#problemOf(error);
    }
  }

  admit(...given: Parameters<Quotas['admit']>): ReturnType<Quotas['admit']> {
    return this.#patiently(() => this.#quotas.admit(...given));
  }

  settle(...given: Parameters<Quotas['settle']>): ReturnType<Quotas['settle']> {
    return this.#patiently(() => this.#quotas.settle(...given));
  }

  addWork(ticket: UsageTicket, ms: number): void {
    this.#quotas.addWork(ticket, ms);
  }

  usage(...given: Parameters<Quotas['usage']>): ReturnType<Quotas['usage']> {
    return this.#patiently(() => this.#quotas.usage(...given));
  }

  /** Requests of one turn of the event loop share a transaction. Under load it is much of the work of a small request. */
  count(request: CountedRequest, now: Date): Promise<Admission> {
    return new Promise((resolve, reject) => {
      this.#uncounted.push({ request, resolve, reject });
      if (this.#uncounted.length === 1) setImmediate(() => this.#countTogether(now));
    });
  }

  #countTogether(now: Date): void {
    const all = this.#uncounted;
    this.#uncounted = [];
    void this.#countAll(all, now);
  }

  async #countAll(all: readonly Uncounted[], now: Date): Promise<void> {
    const requests = all.map(({ request }) => request);
    const attempt = () => this.#quotas.count(requests, now);
    try {
      const admissions = await (all.length === 1 ? this.#patiently(attempt) : attempt());
      this.#failure = null;
      // The plan of a key is unknown: to admit it alone throws, and says so.
      const refuse = async ({ apiKey }: CountedRequest) => this.admit(apiKey, now);
      for (const [i, { request, resolve }] of all.entries()) resolve(admissions[i] ?? refuse(request));
    } catch (error) {
      // Each waits alone for the lock: keys without limits write nothing now, and need none.
      if (all.length > 1 && isBusy(error)) for (const one of all) void this.#countAll([one], now);
      else for (const { reject } of all) reject(this.#problemOf(error));
    }
  }

  /** Stores the usage of keys without limits. If that is impossible now, the next call does it. */
  async writeBatch(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      await this.#quotas.writeBatch();
      this.#failure = null;
    } catch (error) {
      if (!isBusy(error)) this.#failure = (error as Error).message;
    } finally {
      this.#isWriting = false;
    }
  }

  /** Writes the remaining counts, and waits for a lock. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#patiently(() => this.#quotas.writeBatch());
    } catch {
      // Only counts of keys without limits are lost; /readyz reported the reason.
    }
    await this.#quotas.close();
  }

  /** The first try is synchronous: without a lock nothing is awaited. */
  #patiently<T>(attempt: () => T | Promise<T>): T | Promise<T> {
    const done = (result: T) => this.#done(result);
    const refuse = (failed: unknown) => Promise.reject(this.#problemOf(failed));
    try {
      const result = attempt();
      return result instanceof Promise ? result.then(done, refuse) : this.#done(result);
    } catch (error) {
      if (!isBusy(error)) throw this.#problemOf(error);
      return (patiently(attempt, this.#lockWaitMaxMs) as Promise<T>).then(done, refuse);
    }
  }

  #done<T>(result: T): T {
    this.#failure = null;
    return result;
  }

  #problemOf(error: unknown): unknown {
    if (isWriteFailure(error)) {
      this.#failure = (error as Error).message;
      return unavailable('the accounts can not be written', RETRY_AFTER_SECONDS);
    }
    if (isBusy(error)) return unavailable('the accounts are locked by another process', RETRY_AFTER_SECONDS);
    if (error instanceof FilinglakeError && error.code === 'accounts-unreachable') {
      this.#failure = error.message;
      return unavailable('the accounts can not be reached', RETRY_AFTER_SECONDS);
    }
    if (error instanceof FilinglakeError && error.code === 'accounts-busy') {
      this.#failure = 'accounts.db is locked by another process';
      return unavailable('the accounts are locked by another process', RETRY_AFTER_SECONDS);
    }
    if (error instanceof FilinglakeError && error.code === 'quota-plan-unknown') {
      return new ServiceProblem(503, 'the plan of this key is not set up on this service', {
        headers: { 'retry-after': String(60) },
        cause: error,
      });
    }
    return error;
  }
}
