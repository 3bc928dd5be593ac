/** Keys for the service: which are known, and which requests their quotas admit. Counts usage exactly for keys with limits, in batches for others. */
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { QuotaPlans } from '../../api/index.ts';
import { ACCOUNTS_FILE, databaseError } from '../../catalog/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { SqliteStatements } from '../database.ts';
import { openAccountsDatabase, requireWritable } from '../schema.ts';
import { transaction } from '../transaction.ts';
import type {
  Admission,
  CountedAnswer,
  CountedRequest,
  KnownKey,
  QuotaLimit,
  QuotaState,
  UsageRow,
  UsageTicket,
} from './admission.ts';
import { KeyUses } from './key-uses.ts';
import { type KeyRow, KnownKeys } from './known-keys.ts';
import { monthEnd, monthOf, planIn } from './plan-of-month.ts';
import { RequestRates } from './request-rates.ts';
import { type MonthUsage, usageOfMeter } from './usage-days.ts';
import { WorkMeter } from './work-meter.ts';

type Limits = QuotaPlans['plans'][string];

const NOTHING_USED: UsageRow = { requests: 0, bytes: 0 };

export class KeyQuotas {
  readonly #folder: string;
  readonly #db: DatabaseSync;
  readonly #plans: QuotaPlans;
  readonly #known: KnownKeys;
  readonly #statements: SqliteStatements;
  readonly #used: StatementSync;
  readonly #takeBack: StatementSync;
  readonly #addBytes: StatementSync;
  readonly #addMonth: StatementSync;
  readonly #addDay: StatementSync;
  readonly #work: WorkMeter;
  readonly #uses: KeyUses;
  readonly #rates = new RequestRates();
  /** Counts of keys without limits that are not written yet */
  #batch: Batch = new Map();
  #month: { month: string; start: Date; end: Date } | null = null;

  private constructor(folder: string, db: DatabaseSync, plans: QuotaPlans) {
    this.#folder = folder;
    this.#db = db;
    this.#plans = plans;
    this.#known = new KnownKeys(db);
    this.#statements = new SqliteStatements(db);
    this.#work = new WorkMeter(db);
    this.#uses = new KeyUses(db);
    this.#used = db.prepare('SELECT requests, bytes FROM usage WHERE key = ? AND month = ?');
    this.#takeBack = db.prepare(
      'UPDATE usage SET requests = requests - 1 WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addBytes = db.prepare(
      'UPDATE usage SET bytes = bytes + ? WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addMonth = db.prepare(
      `INSERT INTO usage VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, bytes = bytes + excluded.bytes`,
    );
    this.#addDay = db.prepare(
      `INSERT INTO usage_days VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, bytes = bytes + excluded.bytes`,
    );
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
   * Admits requests and counts them in their order, in one transaction: no other process can count between the check of a limit and the
   * count. A request is admitted while the month's requests are not used up and its bytes are not yet at the limit: the answer that
   * crosses it is given whole (docs/api.md#quotas). A key without limits is counted with its answer, in a batch. An error of the
   * transaction counts nothing.
   * @returns an admission for each; null: the plan of its key is unknown, and nothing was counted
   */
  count(requests: readonly CountedRequest[], now: Date): (Admission | null)[] {
    const { month } = this.#monthOf(now);
    const day = now.toISOString().slice(0, 10);
    const keys = this.#known.find(requests.map(({ apiKey }) => apiKey));
    const decide = () => {
      const counted: Batch = new Map();
      const meters = new Map<number, UsageRow>();
      const admissions = requests.map(({ answer }, i): Admission | null => {
        const key = keys[i]!;
        if (key === null) return { outcome: 'unknown' };
        if (key.closed_at !== null) return { outcome: 'closed' };
        const plan = planIn(month, key);
        const limits = this.#plans.plans[plan];
        if (!limits) return null;
        this.#uses.note(key.id, day);
        const ticket = { keyId: key.meter, month, day, unlimited: isUnlimited(limits) };
        const work = limits.work_seconds_per_month === undefined ? 0 : this.#work.seconds(key.meter, month);
        const isTooOften = !this.#rates.take(key.meter, limits.requests_per_second, now);
        if (ticket.unlimited) {
          const quota = this.#quota(plan, NOTHING_USED, work, now);
          const limit = isTooOften ? 'rate' : limitReached(limits, NOTHING_USED, work);
          return limit === null ? { outcome: 'admitted', ticket, quota } : { outcome: 'refused', limit, quota };
        }
        let used = meters.get(key.meter) ?? this.#usageOf(key.meter, month);
        const limit = isTooOften ? 'rate' : limitReached(limits, used, work);
        if (limit === null) {
          used = { requests: used.requests + 1, bytes: used.bytes + (answer?.bytes ?? 0) };
          add(counted, ticket, answer);
        }
        meters.set(key.meter, used);
        const quota = this.#quota(plan, used, work, now);
        return limit === null ? { outcome: 'admitted', ticket, quota } : { outcome: 'refused', limit, quota };
      });
      this.#write(counted);
      return admissions;
    };
    const admissions = keys.some((key) => this.#isLimited(key, month)) ? transaction(this.#db, decide) : decide();
    for (const [i, { answer }] of requests.entries()) {
      const admission = admissions[i];
      if (answer && admission?.outcome === 'admitted' && admission.ticket.unlimited)
        add(this.#batch, admission.ticket, answer);
    }
    return admissions;
  }

  /**
   * Ends an admitted request. `counted`: whether its status counts against the month (200, 304, 404, 422); if not, the request is given
   * back. `bytes`: of the uncompressed body, counted with it. Both go to the month and day in which the request was admitted.
   */
  settle(ticket: UsageTicket, answer: CountedAnswer): { requestsUsed: number; bytesUsed: number } {
    const { bytes, operation = '' } = answer;
    const { keyId, month, day } = ticket;
    if (ticket.unlimited) {
      if (answer.counted) add(this.#batch, ticket, { bytes, operation });
      return { requestsUsed: 0, bytesUsed: 0 };
    }
    const [row] = (answer.counted
      ? transaction(this.#db, () => {
          this.#addDay.run(keyId, day, operation, 1, bytes);
          return this.#addBytes.all(bytes, keyId, month);
        })
      : this.#takeBack.all(keyId, month)) as unknown as UsageRow[];
    return { requestsUsed: row?.requests ?? 0, bytesUsed: row?.bytes ?? 0 };
  }

  /** Adds thread time to what the key of an admitted request has used of its month. Written in a batch. */
  addWork({ keyId, month }: UsageTicket, ms: number): void {
    this.#work.add(keyId, month, ms);
  }

  /**
   * Writes the counts of keys without limits, thread times and last uses. What can't be written now is kept for the next call.
   * @throws SQLite's error
   */
  writeBatch(): void {
    if (this.#batch.size + this.#work.unwritten + this.#uses.unwritten === 0) return;
    transaction(this.#db, () => {
      this.#write(this.#batch);
      this.#work.write();
      this.#uses.write();
    });
    this.#batch = new Map();
    this.#work.written();
    this.#uses.written();
  }

  /** What a key has used of a month (`YYYY-MM`; default that of `now`). Counts nothing. Null: unknown or revoked. */
  usage(apiKey: string, now: Date, month: string = monthOf(now)): { quota: QuotaState; usage: MonthUsage } | null {
    const [key = null] = this.#known.find([apiKey]);
    if (key === null) return null;
    this.writeBatch();
    const usage = this.#statements.run(() => usageOfMeter(key.meter, month));
    const current = this.#usageOf(key.meter, monthOf(now));
    const work = this.#work.seconds(key.meter, monthOf(now));
    return { quota: this.#quota(planIn(monthOf(now), key), current, work, now), usage };
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

  #isLimited(key: KeyRow | null, month: string): boolean {
    const limits = key && key.closed_at === null ? this.#plans.plans[planIn(month, key)] : undefined;
    return limits !== undefined && !isUnlimited(limits);
  }

  #usageOf(meter: number, month: string): UsageRow {
    return (this.#used.get(meter, month) as UsageRow | undefined) ?? NOTHING_USED;
  }

  #write(batch: Batch): void {
    for (const { keyId, month, day, operation, requests, bytes } of batch.values()) {
      this.#addMonth.run(keyId, month, requests, bytes);
      if (operation !== undefined) this.#addDay.run(keyId, day, operation, requests, bytes);
    }
  }

  #quota(plan: string, used: UsageRow, workSecondsUsed: number, now: Date): QuotaState {
    const limits = this.#limitsOf(plan);
    return {
      plan,
      requestsPerMonth: limits.requests_per_month,
      requestsUsed: used.requests,
      bytesPerMonth: limits.bytes_per_month,
      bytesUsed: used.bytes,
      workSecondsPerMonth: limits.work_seconds_per_month ?? null,
      workSecondsUsed,
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

  #limitsOf(plan: string): Limits {
    const limits = this.#plans.plans[plan];
    if (limits) return limits;
    throw planUnknown(plan);
  }

  /** Counts that are not written yet are lost: write the batch first. */
  close(): void {
    this.#db.close();
  }
}

/** Requests by meter, day and operation. Undefined: not answered yet, so that only their month counts them. */
type Batch = Map<string, UsageRow & { keyId: number; month: string; day: string; operation: string | undefined }>;

function add(batch: Batch, { keyId, month, day }: UsageTicket, answer: CountedRequest['answer']): void {
  const { operation, bytes = 0 } = answer ?? {};
  const name = `${keyId} ${day} ${operation}`;
  const row = batch.get(name);
  if (row) {
    row.requests++;
    row.bytes += bytes;
  } else batch.set(name, { keyId, month, day, operation, requests: 1, bytes });
}

function isUnlimited({ requests_per_month, bytes_per_month }: Limits): boolean {
  return requests_per_month === null && bytes_per_month === null;
}

function limitReached(limits: Limits, used: UsageRow, workSeconds: number): QuotaLimit | null {
  if (workSeconds >= (limits.work_seconds_per_month ?? Infinity)) return 'work';
  if (used.requests >= (limits.requests_per_month ?? Infinity)) return 'requests';
  return used.bytes >= (limits.bytes_per_month ?? Infinity) ? 'bytes' : null;
}

function planUnknown(plan: string): FilinglakeError {
  return new FilinglakeError('quota-plan-unknown', `a key has the plan '${plan}', which the plans file doesn't have`, {
    remedy: 'Add the plan to the plans file: config/plans.yaml, or the file that --plans names.',
  });
}
