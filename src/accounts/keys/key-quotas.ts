/** What the service asks of keys: which are known, and which requests their quotas admit. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { QuotaPlans } from '../../api/index.ts';
import { ACCOUNTS_FILE, databaseError } from '../../catalog/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { openAccountsDatabase, requireWritable } from '../schema.ts';
import type {
  Admission,
  CountedAnswer,
  CountedRequest,
  KnownKey,
  QuotaState,
  UsageRow,
  UsageTicket,
} from './admission.ts';
import { KnownKeys } from './known-keys.ts';
import { monthEnd, monthOf, planIn } from './plan-of-month.ts';
import { type MonthUsage, usageOfMeter } from './usage-days.ts';
import { type Limited, UsageMeter } from './usage-meter.ts';

export class KeyQuotas {
  readonly #folder: string;
  readonly #db: DatabaseSync;
  readonly #plans: QuotaPlans;
  readonly #known: KnownKeys;
  readonly #meter: UsageMeter;
  #month: { month: string; start: Date; end: Date } | null = null;

  private constructor(folder: string, db: DatabaseSync, plans: QuotaPlans) {
    this.#folder = folder;
    this.#db = db;
    this.#plans = plans;
    this.#known = new KnownKeys(db);
    this.#meter = new UsageMeter(db);
  }

  /**
   * Opens `accounts.db` of the catalog folder; creates it if missing. Any number of processes may have it open.
   * @param options.neverWait a lock of another process is an error at once (SQLITE_BUSY), for callers that may not block
   * @throws FilinglakeError `catalog-unwritable`, `catalog-unreadable`
   */
  static open(folder: string, plans: QuotaPlans, options: { neverWait?: boolean } = {}): KeyQuotas {
    const db = openAccountsDatabase(folder, options);
    try {
      return new KeyQuotas(folder, db, plans);
    } catch (cause) {
      db.close();
      throw databaseError(join(folder, ACCOUNTS_FILE), cause);
    }
  }

  /** Checks that the database can be written. @throws FilinglakeError `catalog-unwritable` */
  requireWritable(): void {
    requireWritable(this.#db, this.#folder);
  }

  /** Looks keys up, without a lock. Null: unknown or revoked. */
  find(apiKeys: readonly string[]): (KnownKey | null)[] {
    return this.#known.find(apiKeys).map((row) => row && { prefix: row.prefix, closed: row.closed_at !== null });
  }

  /**
   * Admits a request and counts it; its answer must be settled.
   * @throws FilinglakeError `quota-plan-unknown`
   */
  admit(apiKey: string | undefined, now: Date): Admission {
    const [admission] = this.count([{ apiKey: apiKey ?? '' }], now);
    if (admission) return admission;
    const [key] = this.#known.find([apiKey!]);
    throw planUnknown(planIn(monthOf(now), key!));
  }

  /**
   * Admits requests and counts them in their order, in one transaction: exact with many processes. A request is admitted while the
   * month's requests are not used up and its bytes are not yet at the limit: the answer that crosses it is given whole
   * (docs/api.md#quotas). A key without limits is counted with its answer, in a batch. An error of the transaction counts nothing.
   * @returns an admission for each; null: the plan of its key is unknown, and nothing was counted
   */
  count(requests: readonly CountedRequest[], now: Date): (Admission | null)[] {
    const { month } = this.#monthOf(now);
    const day = now.toISOString().slice(0, 10);
    const keys = this.#known.find(requests.map(({ apiKey }) => apiKey));
    const limited: Limited[] = [];
    const admissions = requests.map(({ answer }, index): Admission | null => {
      const key = keys[index]!;
      if (key === null) return { outcome: 'unknown' };
      if (key.closed_at !== null) return { outcome: 'closed' };
      const plan = planIn(month, key);
      const limits = this.#plans.plans[plan];
      if (!limits) return null;
      const { requests_per_month: requestsMax, bytes_per_month: bytesMax } = limits;
      const ticket = { keyId: key.meter, month, day, unlimited: requestsMax === null && bytesMax === null };
      if (!ticket.unlimited) limited.push({ index, plan, ticket, answer, requestsMax, bytesMax });
      return { outcome: 'admitted', ticket, quota: this.#quota(plan, { requests: 0, bytes: 0 }, now) };
    });
    if (limited.length > 0) {
      const decided = this.#meter.count(limited);
      for (const [i, { index, plan, ticket, requestsMax }] of limited.entries()) {
        const { admitted, used } = decided[i]!;
        const quota = this.#quota(plan, used, now);
        const limit = used.requests >= (requestsMax ?? Infinity) ? 'requests' : 'bytes';
        admissions[index] = admitted ? { outcome: 'admitted', ticket, quota } : { outcome: 'refused', limit, quota };
      }
    }
    for (const [i, { answer }] of requests.entries()) {
      const admission = admissions[i];
      if (answer && admission?.outcome === 'admitted' && admission.ticket.unlimited)
        this.#meter.settle(admission.ticket, { counted: true, ...answer });
    }
    return admissions;
  }

  /**
   * Ends an admitted request. `counted`: whether its status counts against the month (200, 304, 404, 422); if not, the request is given
   * back. `bytes`: of the uncompressed body, counted with it. Both go to the month and day in which the request was admitted.
   */
  settle(ticket: UsageTicket, answer: CountedAnswer): { requestsUsed: number; bytesUsed: number } {
    return this.#meter.settle(ticket, answer);
  }

  /** Writes the counts of keys without limits. Counts that can't be written now are kept for the next call. @throws SQLite's error */
  writeBatch(): void {
    this.#meter.writeBatch();
  }

  /** What a key has used of a month (`YYYY-MM`; default that of `now`). Counts nothing. Null: unknown or revoked. */
  usage(apiKey: string, now: Date, month: string = monthOf(now)): { quota: QuotaState; usage: MonthUsage } | null {
    const [key = null] = this.#known.find([apiKey]);
    if (key === null) return null;
    this.writeBatch();
    const usage = usageOfMeter(this.#db, key.meter, month);
    const current = this.#meter.used(key.meter, monthOf(now));
    return { quota: this.#quota(planIn(monthOf(now), key), current, now), usage };
  }

  /** Plans of keys that the plans file lacks. Requests with those keys fail. */
  missingPlans(): string[] {
    const rows = this.#db
      .prepare(
        `SELECT plan FROM keys WHERE revoked_at IS NULL AND account IS NULL
         UNION SELECT plan FROM accounts WHERE deleted_at IS NULL
         UNION SELECT next_plan FROM accounts WHERE deleted_at IS NULL AND next_plan IS NOT NULL`,
      )
      .all() as { plan: string }[];
    return rows.map(({ plan }) => plan).filter((plan) => !Object.hasOwn(this.#plans.plans, plan));
  }

  #quota(plan: string, used: UsageRow, now: Date): QuotaState {
    const limits = this.#limitsOf(plan);
    return {
      plan,
      requestsPerMonth: limits.requests_per_month,
      requestsUsed: used.requests,
      bytesPerMonth: limits.bytes_per_month,
      bytesUsed: used.bytes,
      resetAt: this.#monthOf(now).end,
    };
  }

  #monthOf(now: Date): { month: string; start: Date; end: Date } {
    const at = now.getTime();
    const known = this.#month;
    if (known && at >= known.start.getTime() && at < known.end.getTime()) return known;
    const end = monthEnd(now);
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    this.#month = { month: monthOf(now), start, end };
    return this.#month;
  }

  #limitsOf(plan: string): QuotaPlans['plans'][string] {
    const limits = this.#plans.plans[plan];
    if (limits) return limits;
    throw planUnknown(plan);
  }

  /** Counts that are not written yet are lost: write the batch first. */
  close(): void {
    this.#db.close();
  }
}

function planUnknown(plan: string): FilinglakeError {
  return new FilinglakeError('quota-plan-unknown', `a key has the plan '${plan}', which the plans file doesn't have`, {
    remedy: 'Add the plan to the plans file: config/plans.yaml, or the file that --plans names.',
  });
}
