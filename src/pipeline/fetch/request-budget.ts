/**
 * The requestBudget that every request of an activity passes: reserves from the run's budget before anything is sent, and sees to it
 * that a month's quota ends without refusals where the service states what is left.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BudgetReachedError,
  FilingClient,
  type Quota,
  QuotaExceededError,
  type RequestEvent,
} from '../../client/index.ts';
import type { BudgetReason, BudgetReply } from '../../export/index.ts';
import type { BudgetPort } from '../ports.ts';
import type { QuotaSeen, RunReference, Spent, Stop } from '../types.ts';

export interface RequestBudgetOptions {
  run: RunReference;
  budget: BudgetPort;
  /** What the reservations are for. */
  holder: string;
  /** Requests that the work will take, about. */
  expected: number;
  /** The work sends one request after the other, not as many as there are connections. */
  inSequence?: boolean;
  now?: () => Date;
}

/**
 * Requests reserved at a time. All lanes wait for the two updates of the budget that this takes, 10 ms each or more; of a run's
 * own budget a crash leaves at most this many unused, so that one which has none reserves more.
 */
const RESERVED_AT_A_TIME = 1_000;
const RESERVED_AT_A_TIME_OF_A_BUDGET = 200;
/** Of work in sequence, whose lookups take long enough each: a crash leaves no more of a budget unused. */
const RESERVED_IN_SEQUENCE = 4;
/** Requests reserved beyond those expected, once they are used up: not one by one. */
const RESERVED_BEYOND = 50;
const HELD_WAITS_MAX = 30;
const HELD_WAIT_MS = 1_000;

/** What a service of this family counts against the month. */
const COUNTED: ReadonlySet<number> = new Set([200, 304, 404, 422]);

const REASONS: Record<BudgetReason, string> = {
  max_requests: 'budget.max_requests is reached',
  max_bytes: 'budget.max_bytes is reached',
  quota: "the month's requests are used up",
  reserve: "the month's requests are used up, but for budget.reserve",
  held: 'other runs have reserved the rest of the quota',
};

export class RequestBudget {
  readonly spent: Spent = { requests: 0, bytes: 0, retries: 0 };
  quota: QuotaSeen | null = null;
  stop: Stop | null = null;
  readonly #options: RequestBudgetOptions;
  readonly #now: () => Date;
  /** Names this attempt's reservations, and no other's: those of a dead attempt are spent, since nobody knows how far it came. */
  readonly #holder: string;
  #granted = 0;
  #reservations = 0;
  #settledRequests = 0;
  #settledBytes = 0;
  #reserving: Promise<void> | null = null;
  #inFlight = 0;
  #answered = false;
  /** Since what was reserved last. */
  #admitted = false;
  /** Requests that may still be sent by the service's word: null where it doesn't say, or has no limit. */
  #left: number | null = null;
  readonly #waiting: (() => void)[] = [];

  constructor(options: RequestBudgetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#holder = `${options.holder}/${randomUUID()}`;
  }

  /** A client whose requests pass this requestBudget. */
  client(apiKey: string, signal: AbortSignal): FilingClient {
    const { base_url, method, connections } = this.#options.run.definition.service;
    return new FilingClient({
      baseUrl: base_url,
      apiKey,
      method,
      connections,
      signal,
      beforeRequest: () => this.enter(),
      onRequest: (event) => this.#leave(event),
    });
  }

  /**
   * Waits until one more request may be sent.
   * @throws BudgetReachedError once the budget, or the month's quota, leaves nothing: `stop` says which
   */
  async enter(): Promise<void> {
    for (;;) {
      if (this.stop) throw new BudgetReachedError(this.stop.message);
      // Before the first answer nothing is known of the quota: one request goes alone, so that at most one is refused.
      const alone = !this.#answered && this.#inFlight > 0;
      const noneLeft = this.#left !== null && this.#left - this.#inFlight <= 0;
      if (noneLeft && this.#inFlight === 0) this.#quotaUsedUp();
      else if (alone || noneLeft) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else if (this.#granted <= 0) await this.#reserve();
      else break;
    }
    this.#granted--;
    this.#inFlight++;
    this.spent.requests++;
  }

  /** Tells an error of a request: a refusal for the month's quota closes the requestBudget. */
  refused(error: unknown): void {
    if (error instanceof QuotaExceededError && !this.stop) {
      const { limit, retryAt, message } = error;
      this.stop = { kind: 'quota', limit, retry_at: retryAt.toISOString(), message };
      this.#wake();
    }
  }

  /** Gives back what was reserved and not used. To be called once, at the end. */
  async settle(): Promise<void> {
    await this.#settle(0);
  }

  #leave(event: RequestEvent): void {
    this.#inFlight--;
    if (event.attempt > 1) this.spent.retries++;
    this.spent.bytes += event.bytes;
    if (event.status !== null) this.#answered = true;
    if (event.status !== null && COUNTED.has(event.status)) this.#admitted = true;
    if (event.quota) this.#readQuota(event.quota);
    this.#wake();
  }

  #readQuota({ requests, bytes }: Quota): void {
    const resetSeconds = requests?.resetSeconds ?? bytes?.resetSeconds ?? null;
    this.quota = {
      requests_left: requests?.remaining ?? null,
      bytes_left: bytes?.remaining ?? null,
      resets_at: resetSeconds === null ? null : new Date(this.#now().getTime() + resetSeconds * 1000).toISOString(),
    };
    // Answers overtake each other: the smallest number said is the latest. A new month begins with a new activity.
    const said = bytes?.remaining === 0 ? 0 : (requests?.remaining ?? null);
    if (said !== null) {
      const usable = Math.max(0, said - this.#options.run.definition.budget.reserve);
      this.#left = this.#left === null ? usable : Math.min(this.#left, usable);
    }
  }

  #quotaUsedUp(): void {
    const bytesGone = this.quota?.bytes_left === 0;
    const { reserve } = this.#options.run.definition.budget;
    const kept = this.quota?.requests_left ?? 0;
    this.stop = {
      kind: 'quota',
      limit: bytesGone ? 'bytes' : 'requests',
      retry_at: this.quota?.resets_at ?? firstOfNextMonth(this.#now()),
      message: bytesGone
        ? "the month's bytes are used up"
        : `the month's requests are used up${reserve > 0 && kept > 0 ? `, but for the ${kept} held in reserve` : ''}`,
    };
    this.#wake();
  }

  async #reserve(): Promise<void> {
    this.#reserving ??= this.#settle(this.#wanted()).finally(() => {
      this.#reserving = null;
    });
    await this.#reserving;
  }

  #wanted(): number {
    const { run, expected, inSequence = false } = this.#options;
    const { max_requests, max_bytes } = run.definition.budget;
    // Bytes are known only when they have come: between two looks at the budget no more than one round of requests is sent.
    if (max_bytes !== null) return inSequence ? 1 : run.definition.service.connections;
    const mostOfBudget = inSequence ? RESERVED_IN_SEQUENCE : RESERVED_AT_A_TIME_OF_A_BUDGET;
    const most = max_requests === null ? RESERVED_AT_A_TIME : mostOfBudget;
    const least = this.#reservations === 0 ? 1 : RESERVED_BEYOND;
    return Math.min(most, Math.max(least, expected - this.spent.requests));
  }

  /** Settles what was spent since the last time, and reserves anew. */
  async #settle(wanted: number): Promise<void> {
    const { run, budget } = this.#options;
    const requests = this.spent.requests - this.#settledRequests;
    const bytes = this.spent.bytes - this.#settledBytes;
    if (this.#reservations > 0) {
      const batch_id = `${this.#holder}/${this.#reservations}`;
      await budget.settle(run, {
        batch_id,
        requests,
        bytes,
        requests_left: this.quota?.requests_left ?? null,
        resets_at: this.quota?.resets_at ?? null,
        admitted: this.#admitted,
      });
      this.#admitted = false;
      this.#settledRequests += requests;
      this.#settledBytes += bytes;
      this.#granted = 0;
    }
    if (wanted === 0) return;
    const reply = await this.#askForGrant(wanted);
    this.#granted = reply.granted;
    if (reply.granted > 0) return;
    const message = REASONS[reply.reason ?? 'quota'];
    this.stop =
      reply.retry_at === null
        ? { kind: 'budget', message }
        : { kind: 'quota', limit: 'requests', retry_at: reply.retry_at, message };
    this.#wake();
  }

  /** What other batches hold may come back within seconds: worth a short wait, not a stop. */
  async #askForGrant(wanted: number): Promise<BudgetReply> {
    const { run, budget } = this.#options;
    for (let waits = 0; ; waits++) {
      this.#reservations++;
      const reply = await budget.reserve(run, `${this.#holder}/${this.#reservations}`, wanted);
      if (reply.reason !== 'held' || reply.granted > 0 || waits >= HELD_WAITS_MAX) return reply;
      await sleep(Math.max(0, Date.parse(reply.retry_at ?? '') - this.#now().getTime()) || HELD_WAIT_MS);
    }
  }

  #wake(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}

function firstOfNextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}
