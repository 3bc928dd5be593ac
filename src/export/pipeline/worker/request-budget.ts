/**
 * Every request of an activity passes here. Requests are reserved from the run's budget before they are sent. If the service states
 * its remaining quota, a run uses a month's quota up without refusals.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lake } from '../../../lake/index.ts';
import {
  BudgetReachedError,
  countsAgainstMonth,
  FilingClient,
  firstOfNextMonth,
  type Quota,
  QuotaExceededError,
  type RequestCounter,
  type RequestEvent,
  ServiceHabits,
} from '../../client/index.ts';
import type { BudgetReason, BudgetReply } from '../../run/index.ts';
import type { BudgetPort } from '../ports.ts';
import { sentOfRun } from '../sent-by-runs.ts';
import type { Outcome, QuotaSeen, RunReference, Stop } from '../types.ts';
import type { Dependencies } from './dependencies.ts';

export interface RequestBudgetOptions {
  run: RunReference;
  budget: BudgetPort;
  /** Counts what passes. */
  requests: RequestCounter;
  /** What the reservations are for. */
  holder: string;
  /** Estimate of the requests that the work needs. */
  expected: number;
  /** The work sends few requests, of which each takes long: one after the other if the run has a budget of its own. */
  inSequence?: boolean;
  /** Habits of the run's service; absent if they are unknown. */
  habits?: ServiceHabits;
  now?: () => Date;
}

/**
 * Requests reserved at a time. Every lane waits for the two updates of the budget, 10 ms or more each. If the run has a budget of
 * its own, a crash may waste this many, so that run reserves fewer.
 */
const RESERVED_AT_A_TIME = 1_000;
const RESERVED_AT_A_TIME_OF_A_BUDGET = 200;
/** For sequential work, whose lookups take long enough each. A crash wastes no more of a budget. */
const RESERVED_IN_SEQUENCE = 4;
/** Extra requests reserved once the estimate is used up, instead of one by one. */
const RESERVED_BEYOND = 50;
const HELD_WAITS_MAX = 30;
const HELD_WAIT_MS = 1_000;

const REASONS: Record<BudgetReason, string> = {
  max_requests: 'budget.max_requests is reached',
  max_bytes: 'budget.max_bytes is reached',
  quota: "the month's requests are used up",
  reserve: "the month's requests are used up, but for budget.reserve",
  held: 'other runs have reserved the rest of the quota',
};

/** Whether work in sequence sends one request at a time: what the run's own budget pays for is then whole before its end. */
export function isPaidForAlone({ budget }: RunReference['definition']): boolean {
  return budget.max_requests !== null || budget.max_bytes !== null;
}

export class RequestBudget {
  quota: QuotaSeen | null = null;
  stop: Stop | null = null;
  readonly #options: RequestBudgetOptions;
  readonly #now: () => Date;
  readonly #habits: ServiceHabits;
  /** The name of this attempt's reservations. Those of a dead attempt count as spent, since nobody knows how many it sent. */
  readonly #holder: string;
  #granted = 0;
  #reservations = 0;
  #reserving: Promise<void> | null = null;
  #inFlight = 0;
  /** Requests of the filings that have begun and not ended. */
  #promised = 0;
  /** The run's own budget has granted less than was asked for: the grant is its rest. */
  #isLastGrant = false;
  /** Whether the service has answered, or is known to have plenty of quota left. */
  #isQuotaKnown = false;
  /** Since the last reservation. */
  #admitted = false;
  /** Requests left by the service's count; null if it states none, or has no limit. */
  #left: number | null = null;
  readonly #waiting: (() => void)[] = [];

  constructor(options: RequestBudgetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#habits = options.habits ?? new ServiceHabits();
    this.#holder = `${options.holder}/${randomUUID()}`;
  }

  /** The budget of an attempt at an activity. @param work its purpose, unique within the run */
  static of(
    { attempt, budget, requests, sent }: Dependencies,
    lake: Lake,
    { work, ...options }: { work: string } & Pick<RequestBudgetOptions, 'run' | 'expected' | 'inSequence'>,
  ): RequestBudget {
    const ofRun = sent.of(lake, options.run.run_id);
    requests.alsoTo((more) => ofRun.add(more));
    return new RequestBudget({ ...options, budget, requests, habits: ofRun.habits, holder: `${work}/${attempt}` });
  }

  /** A client that reserves each request here. */
  async client(
    { apiKey, addressOf }: Pick<Dependencies, 'apiKey' | 'addressOf'>,
    signal: AbortSignal,
  ): Promise<FilingClient> {
    const { base_url, method, key, connections } = this.#options.run.definition.service;
    return new FilingClient({
      baseUrl: await addressOf(base_url),
      apiKey,
      ...(key && { key }),
      habits: this.#habits,
      method,
      connections,
      signal,
      beforeRequest: () => this.enter(),
      onRequest: (event) => this.#leave(event),
    });
  }

  /** Waits until a request may be sent. @throws BudgetReachedError with `stop`: the budget, or the month's quota */
  async enter(): Promise<void> {
    for (;;) {
      if (this.stop) throw new BudgetReachedError(this.stop.message);
      // If the quota is unknown before the first answer, one request goes alone, so that at most one is refused.
      const alone = !this.#isQuotaKnown && this.#inFlight > 0;
      const noneLeft = this.#left !== null && this.#left - this.#inFlight <= 0;
      if (noneLeft && this.#inFlight === 0) this.#quotaUsedUp();
      else if (alone || noneLeft) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      else if (this.#granted <= 0) await this.#reserve();
      else break;
    }
    this.#options.requests.sent();
    this.#granted--;
    this.#inFlight++;
  }

  /** Fetches a filing; the last requests are left to filings that have begun. @param requests that it needs */
  async whole(requests: number, fetch: () => Promise<void>): Promise<void> {
    const maySuffice = () => this.#isQuotaKnown && this.#promised + requests <= this.#remaining;
    while (!this.stop && this.#promised > 0 && !maySuffice())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#promised += requests;
    try {
      await fetch();
    } finally {
      this.#promised -= requests;
      this.#wake();
    }
  }

  get #remaining(): number {
    return Math.min(
      this.#left ?? Number.POSITIVE_INFINITY,
      this.#isLastGrant ? this.#granted : Number.POSITIVE_INFINITY,
    );
  }

  /** Reports a request's error: a refusal for the month's quota ends the reserving. */
  refused(error: unknown): void {
    if (error instanceof QuotaExceededError && !this.stop) {
      const { limit, retryAt, message } = error;
      this.stop = { kind: 'quota', limit, retry_at: retryAt.toISOString(), message };
      this.#wake();
    }
  }

  /** What the attempt reports. */
  async outcome(lake: Lake): Promise<Outcome> {
    const { requests, run } = this.#options;
    const run_spent = await sentOfRun(lake, run.run_id);
    return { spent: requests.total, run_spent, quota: this.quota, stop: this.stop };
  }

  /** Returns unused reservations. Call it once, at the end. */
  async settle(): Promise<void> {
    await this.#settle(0);
  }

  #leave(event: RequestEvent): void {
    this.#inFlight--;
    if (event.status !== null) this.#isQuotaKnown = true;
    if (countsAgainstMonth(event.status)) this.#admitted = true;
    if (event.quota) this.#readQuota(event.quota);
    this.#wake();
    // Last: connections that wait for an answer continue, even if this can't be counted on disk.
    this.#options.requests.answered(event);
  }

  #readQuota({ requests, bytes }: Quota): void {
    const resetSeconds = requests?.resetSeconds ?? bytes?.resetSeconds ?? null;
    this.quota = {
      requests_left: requests?.remaining ?? null,
      bytes_left: bytes?.remaining ?? null,
      resets_at: resetSeconds === null ? null : new Date(this.#now().getTime() + resetSeconds * 1000).toISOString(),
    };
    // Answers may arrive out of order: the smallest number is the latest. A new month starts with a new activity.
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
      retry_at: this.quota?.resets_at ?? firstOfNextMonth(this.#now()).toISOString(),
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
    const { run, expected, inSequence = false, requests } = this.#options;
    const { max_requests, max_bytes } = run.definition.budget;
    // Bytes are known only after they arrive: at most one round of requests is sent between two checks of the budget.
    if (max_bytes !== null) return inSequence ? 1 : run.definition.service.connections;
    const mostOfBudget = inSequence ? RESERVED_IN_SEQUENCE : RESERVED_AT_A_TIME_OF_A_BUDGET;
    const most = max_requests === null ? RESERVED_AT_A_TIME : mostOfBudget;
    const least = this.#reservations === 0 ? 1 : RESERVED_BEYOND;
    return Math.min(most, Math.max(least, expected - requests.own.requests));
  }

  /** Settles the requests spent since the last time, and reserves more. */
  async #settle(wanted: number): Promise<void> {
    const { run, budget, requests: counter } = this.#options;
    const { requests, bytes, retries } = counter.unsettled;
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
      counter.settled({ requests, bytes, retries });
      this.#granted = 0;
    }
    if (wanted === 0) return;
    const reply = await this.#askForGrant(wanted);
    this.#granted = reply.granted;
    this.#isLastGrant = run.definition.budget.max_requests !== null && reply.granted < wanted;
    if (reply.is_plenty) this.#isQuotaKnown = true;
    if (reply.granted > 0) return;
    const message = REASONS[reply.reason ?? 'quota'];
    this.stop =
      reply.retry_at === null
        ? { kind: 'budget', message }
        : { kind: 'quota', limit: 'requests', retry_at: reply.retry_at, message };
    this.#wake();
  }

  /** Other batches may return unused requests within seconds: a short wait is better than a stop. */
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
