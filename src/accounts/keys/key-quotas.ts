/** What the service asks of keys: which are known, and which requests their quotas admit. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { QuotaPlans } from '../../api/index.ts';
import { ACCOUNTS_FILE, databaseError } from '../../catalog/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { openAccountsDatabase, requireWritable } from '../schema.ts';
import type {
  Admission,
  AnsweredRequest,
  CountedAnswer,
  KnownKey,
  QuotaState,
  UsageRow,
  UsageTicket,
} from './admission.ts';
import { type KeyRow, KnownKeys } from './known-keys.ts';
import { monthEnd, monthOf, planIn } from './plan-of-month.ts';
import { type MonthUsage, usageOfMeter } from './usage-days.ts';
import { type Limited, UsageMeter } from './usage-meter.ts';

export class KeyQuotas {
  readonly #folder: string;
  readonly #db: DatabaseSync;
  readonly #plans: QuotaPlans;
  readonly #known: KnownKeys;
  readonly #meter: UsageMeter;
  /** The last result of `find`: the same request is admitted next */
  #found: { apiKey: string; row: KeyRow } | null = null;
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

  /** Looks a key up, without a lock. Null: unknown or revoked. */
  find(apiKey: string): KnownKey | null {
    const row = this.#known.find(apiKey);
    this.#found = row && { apiKey, row };
    return row === null ? null : { prefix: row.prefix, closed: row.closed_at !== null };
  }

  /** The same for each of the keys, with one look at the database. */
  findAll(apiKeys: readonly string[]): (KnownKey | null)[] {
    this.#known.forgetChanged();
    return apiKeys.map((apiKey) => {
      const row = this.#known.read(apiKey);
      return row === null ? null : { prefix: row.prefix, closed: row.closed_at !== null };
    });
  }

  /**
   * Admits a request and counts it in one statement, which is exact with many processes. Otherwise says why not. A request is
   * admitted while the month's requests are not used up and its bytes are not yet at the limit (docs/api.md#quotas). Every
   * admitted request must be settled. A key without limits is counted when it is settled: nothing is written here.
   */
  admit(apiKey: string | undefined, now: Date): Admission {
    const found = this.#found;
    this.#found = null;
    const key = found !== null && found.apiKey === apiKey ? found.row : this.#known.find(apiKey ?? '');
    if (key === null) return { outcome: 'unknown' };
    if (key.closed_at !== null) return { outcome: 'closed' };
    const { month } = this.#monthOf(now);
    const plan = planIn(month, key);
    const limits = this.#limitsOf(plan);
    const keyId = key.meter;
    const day = now.toISOString().slice(0, 10);
    const requests = limits.requests_per_month ?? Number.MAX_SAFE_INTEGER;
    const bytes = limits.bytes_per_month ?? Number.MAX_SAFE_INTEGER;
    if (limits.requests_per_month === null && limits.bytes_per_month === null) {
      const ticket = { keyId, month, day, unlimited: true };
      return { outcome: 'admitted', ticket, quota: this.#quota(plan, { requests: 0, bytes: 0 }, now) };
    }
    const counted = this.#meter.countWithin(keyId, month, { requests, bytes });
    if (counted) {
      const ticket = { keyId, month, day, unlimited: false };
      return { outcome: 'admitted', ticket, quota: this.#quota(plan, counted, now) };
    }
    const used = this.#meter.used(keyId, month);
    const limit = used.requests >= requests ? 'requests' : 'bytes';
    return { outcome: 'refused', limit, quota: this.#quota(plan, used, now) };
  }

  /**
   * Admits and counts requests whose answers are at hand, in their order, in one transaction. None needs `settle`. An error of the
   * transaction counts nothing.
   * @returns an admission for each; null: the plan of its key is unknown, and nothing was counted
   */
  countAll(requests: readonly AnsweredRequest[], now: Date): (Admission | null)[] {
    this.#known.forgetChanged();
    const { month } = this.#monthOf(now);
    const day = now.toISOString().slice(0, 10);
    const limited = new Map<number, Limited[]>();
    const unlimited: { ticket: UsageTicket; request: AnsweredRequest }[] = [];
    const admissions = requests.map((request, index): Admission | null => {
      const key = this.#known.read(request.apiKey);
      if (key === null) return { outcome: 'unknown' };
      if (key.closed_at !== null) return { outcome: 'closed' };
      const plan = planIn(month, key);
      const limits = this.#plans.plans[plan];
      if (!limits) return null;
      const { requests_per_month: requestsMax, bytes_per_month: bytesMax } = limits;
      const ticket = { keyId: key.meter, month, day, unlimited: requestsMax === null && bytesMax === null };
      if (ticket.unlimited) {
        unlimited.push({ ticket, request });
        return { outcome: 'admitted', ticket, quota: this.#quota(plan, { requests: 0, bytes: 0 }, now) };
      }
      const one: Limited = { index, plan, ticket, request, requestsMax, bytesMax, bytes: request.bytes };
      const ofMeter = limited.get(key.meter);
      if (ofMeter) ofMeter.push(one);
      else limited.set(key.meter, [one]);
      return null;
    });
    if (limited.size > 0) {
      const decided = this.#meter.countAll(limited.values());
      for (const [{ index, plan, ticket, requestsMax }, { admitted, used }] of decided) {
        const quota = this.#quota(plan, used, now);
        const limit = used.requests >= (requestsMax ?? Infinity) ? 'requests' : 'bytes';
        admissions[index] = admitted ? { outcome: 'admitted', ticket, quota } : { outcome: 'refused', limit, quota };
      }
    }
    for (const { ticket, request } of unlimited) this.#meter.addToBatch(ticket, { counted: true, ...request });
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
    const key = this.#known.find(apiKey);
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
    throw new FilinglakeError('quota-plan-unknown', `a key has the plan '${plan}', which the plans file doesn't have`, {
      remedy: 'Add the plan to the plans file: config/plans.yaml, or the file that --plans names.',
    });
  }

  /** Counts that are not written yet are lost: write the batch first. */
  close(): void {
    this.#db.close();
  }
}
