/** Keys for the service: which are known, and which requests their quotas admit. Counts usage exactly for keys with limits, in batches for others. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { QuotaPlans } from '../../../filings/api/index.ts';
import { ACCOUNTS_FILE, databaseError } from '../../catalog/index.ts';
import { SqliteStatements } from '../store/database.ts';
import { openAccountsDatabase, requireWritable } from '../store/schema.ts';
import { transaction } from '../store/transaction.ts';
import type { Admission, CountedAnswer, CountedRequest, KnownKey, UsageRow, UsageTicket } from './admission.ts';
import { add, type Batch, Counting, NOTHING_USED, PLANS_IN_USE, planUnknown } from './counting.ts';
import { KeyUses } from './key-uses.ts';
import { KnownKeys } from './known-keys.ts';
import { monthOf, planIn } from './plan-of-month.ts';
import type { KeyUsage, Quotas } from './quotas.ts';
import { RequestRates } from './request-rates.ts';
import { usageOfMeter } from './usage-days.ts';
import { WorkMeter } from './work-meter.ts';

const AND_COUNT = 'ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, bytes = bytes + excluded.bytes';
const ADD_MONTH = `INSERT INTO usage VALUES (?, ?, ?, ?) ${AND_COUNT}`;
const ADD_DAY = `INSERT INTO usage_days VALUES (?, ?, ?, ?, ?) ${AND_COUNT}`;
const ADD_BYTES = 'UPDATE usage SET bytes = bytes + ? WHERE key = ? AND month = ? RETURNING requests, bytes';
const TAKE_BACK = 'UPDATE usage SET requests = requests - 1 WHERE key = ? AND month = ? RETURNING requests, bytes';
const ADD_WORK = 'INSERT INTO work VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ms = ms + excluded.ms';
const SET_USE = 'INSERT INTO key_uses VALUES (?, ?) ON CONFLICT DO UPDATE SET day = max(day, excluded.day)';

export class KeyQuotas implements Quotas {
  readonly #folder: string;
  readonly #db: DatabaseSync;
  readonly #plans: QuotaPlans;
  readonly #known: KnownKeys;
  readonly #statements: SqliteStatements;
  readonly #counting: Counting;
  readonly #work = new WorkMeter();
  readonly #uses = new KeyUses();
  readonly #rates = new RequestRates();
  /** Counts of keys without limits that are not written yet */
  #batch: Batch = new Map();

  private constructor(folder: string, db: DatabaseSync, plans: QuotaPlans) {
    this.#folder = folder;
    this.#db = db;
    this.#plans = plans;
    this.#statements = new SqliteStatements(db);
    this.#known = new KnownKeys(this.#statements);
    this.#counting = new Counting(plans);
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

  /** Admits a request and counts it; its answer must be settled. @throws FilinglakeError `quota-plan-unknown` */
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
    const { month } = this.#counting.monthOf(now);
    const keys = this.#known.find(requests.map(({ apiKey }) => apiKey));
    const usage = {
      uses: this.#uses,
      rates: this.#rates,
      usageOf: (meter: number) => this.#usageOf(meter, month),
      workOf: (meter: number) => this.#workSeconds(meter, month),
    };
    const decide = () => {
      const { admissions, counted } = this.#counting.decide(requests, keys, now, usage, new Map());
      this.#write(counted);
      return admissions;
    };
    const isLimited = keys.some((key) => this.#counting.isLimited(key, month));
    const admissions = isLimited ? transaction(this.#db, decide) : decide();
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
          this.#statements.prepare(ADD_DAY).run(keyId, day, operation, 1, bytes);
          return this.#statements.prepare(ADD_BYTES).all(bytes, keyId, month);
        })
      : this.#statements.prepare(TAKE_BACK).all(keyId, month)) as unknown as UsageRow[];
    return { requestsUsed: row?.requests ?? 0, bytesUsed: row?.bytes ?? 0 };
  }

  /** Adds thread time to what the key of an admitted request has used of its month. Written in a batch. */
  addWork({ keyId, month }: UsageTicket, ms: number): void {
    this.#work.add(keyId, month, ms);
  }

  /** Writes counts, thread times, last uses. What fails is kept for the next call. @throws SQLite's error */
  writeBatch(): void {
    if (this.#batch.size + this.#work.unwritten.size + this.#uses.unwritten.size === 0) return;
    const [work, uses] = [this.#work.unwritten, this.#uses.unwritten];
    transaction(this.#db, () => {
      this.#write(this.#batch);
      for (const { meter, month, ms } of work.values())
        this.#statements.prepare(ADD_WORK).run(meter, month, Math.ceil(ms));
      for (const [key, day] of uses) this.#statements.prepare(SET_USE).run(key, day);
    });
    this.#batch = new Map();
    this.#work.take();
    this.#uses.written(uses);
  }

  /** What a key has used of a month (`YYYY-MM`; default that of `now`). Counts nothing. Null: unknown or revoked. */
  usage(apiKey: string, now: Date, month: string = monthOf(now)): KeyUsage | null {
    const [key = null] = this.#known.find([apiKey]);
    if (key === null) return null;
    this.writeBatch();
    const usage = this.#statements.run(() => usageOfMeter(key.meter, month));
    const current = this.#usageOf(key.meter, monthOf(now));
    const work = this.#workSeconds(key.meter, monthOf(now));
    return { quota: this.#counting.quota(planIn(monthOf(now), key), current, work, now), usage };
  }

  /** One machine has one clock. */
  timeOf(now: Date): Date {
    return now;
  }

  /** Plans of keys that the plans file lacks. Requests with those keys fail. */
  missingPlans(): string[] {
    const rows = this.#statements.prepare(PLANS_IN_USE).all() as { plan: string }[];
    return rows.map(({ plan }) => plan).filter((plan) => !Object.hasOwn(this.#plans.plans, plan));
  }

  #workSeconds(meter: number, month: string): number {
    const row = this.#statements.prepare('SELECT ms FROM work WHERE meter = ? AND month = ?').get(meter, month);
    const { ms } = (row as { ms: number } | undefined) ?? { ms: 0 };
    return (ms + this.#work.ms(meter, month)) / 1_000;
  }

  #usageOf(meter: number, month: string): UsageRow {
    const used = this.#statements.prepare('SELECT requests, bytes FROM usage WHERE key = ? AND month = ?');
    return (used.get(meter, month) as UsageRow | undefined) ?? NOTHING_USED;
  }

  #write(batch: Batch): void {
    for (const { keyId, month, day, operation, requests, bytes } of batch.values()) {
      this.#statements.prepare(ADD_MONTH).run(keyId, month, requests, bytes);
      if (operation !== undefined) this.#statements.prepare(ADD_DAY).run(keyId, day, operation, requests, bytes);
    }
  }

  /** Counts that are not written yet are lost: write the batch first. */
  close(): void {
    this.#db.close();
  }
}
