/** API keys, and the usage of each in a month. They have a database of their own, so that an ingest never delays a request. */
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { QuotaPlans } from '../api/index.ts';
import { FilinglakeError } from '../core/index.ts';
import { openAccountsDatabase } from './accounts-database.ts';
import { hashOf, newApiKey, SHOWN_LENGTH } from './api-key.ts';
import { countInOrder, type Decided } from './count-in-order.ts';
import { ACCOUNTS_FILE, databaseError } from './database-file.ts';
import { monthEnd, monthOf, planIn, requirePlan } from './plan-of-month.ts';
import { type MonthUsage, usageOfMeter } from './usage-days.ts';

/** Keys that are remembered between changes of the database. */
const KNOWN_KEYS_MAX = 10_000;

export interface CreatedKey {
  /** Shown only here: the database keeps only its hash. */
  api_key: string;
  prefix: string;
  plan: string;
  created_at: string;
}

export interface KeySummary {
  prefix: string;
  plan: string;
  created_at: string;
  revoked_at: string | null;
  closed_at: string | null;
  name: string | null;
  /** E-mail address of its account; null: the operator made the key */
  account: string | null;
  /** Usage in the requested month (UTC), of all keys of the account, and of keys that this one replaced. */
  requests: number;
  bytes: number;
}

/** The limits of a key in a month, and its usage. null: no limit. */
export interface QuotaState {
  plan: string;
  requestsPerMonth: number | null;
  requestsUsed: number;
  bytesPerMonth: number | null;
  bytesUsed: number;
  /** First instant of the next calendar month, UTC */
  resetAt: Date;
}

/** Names one admitted request until it is settled. */
export interface UsageTicket {
  /** The meter of its key */
  readonly keyId: number;
  readonly month: string;
  /** `YYYY-MM-DD`, UTC */
  readonly day: string;
  /** The plan has no limit: the request is counted when it is settled, in a batch */
  readonly unlimited: boolean;
}

/** An answer as it is counted. */
export interface CountedAnswer {
  counted: boolean;
  bytes: number;
  /** Of the usage by day; absent: unknown */
  operation?: string;
}

/** A request whose answer is at hand. */
export interface AnsweredRequest {
  apiKey: string;
  bytes: number;
  operation: string;
}

/** A request of a key with limits, while it is counted. */
interface Limited {
  /** Among all that are counted */
  index: number;
  plan: string;
  ticket: UsageTicket;
  request: AnsweredRequest;
  requestsMax: number | null;
  bytesMax: number | null;
  bytes: number;
}

/** The state of a key, read without counting a request. */
export interface KnownKey {
  prefix: string;
  closed: boolean;
}

export type Admission =
  /** No such key, or it was revoked: 401. */
  | { outcome: 'unknown' }
  /** The account was closed: 403. */
  | { outcome: 'closed' }
  /** The month's requests or bytes are used up: 429. */
  | { outcome: 'refused'; limit: 'requests' | 'bytes'; quota: QuotaState }
  | { outcome: 'admitted'; ticket: UsageTicket; quota: QuotaState };

interface KeyRow {
  id: number;
  /** Under which its usage counts: all keys of an account share one, and so does a key with what it replaced */
  meter: number;
  prefix: string;
  plan: string;
  /** A later plan of its account, and the first month (`YYYY-MM`) in which it holds */
  next_plan: string | null;
  next_from: string | null;
  revoked_at: string | null;
  closed_at: string | null;
}
/** The meter of a key: its usage counts there. Numbers of accounts are negative, so that no key has the same. */
const METER = 'CASE WHEN keys.account IS NULL THEN ifnull(keys.meter, keys.id) ELSE -keys.account END';

interface UsageRow {
  requests: number;
  bytes: number;
}

export class Accounts {
  readonly #file: string;
  readonly #db: DatabaseSync;
  readonly #plans: QuotaPlans;
  readonly #keyByHash: StatementSync;
  readonly #dataVersion: StatementSync;
  readonly #usage: StatementSync;
  readonly #admitWithin: StatementSync;
  readonly #takeBack: StatementSync;
  readonly #addBytes: StatementSync;
  readonly #addBatch: StatementSync;
  readonly #addDay: StatementSync;
  readonly #known = new Map<string, KeyRow>();
  /** The last result of `find`: the same request is admitted next */
  #found: { apiKey: string; row: KeyRow } | null = null;
  #knownVersion = -1;
  #month: { month: string; start: Date; end: Date } | null = null;
  /** Counts of keys without limits that are not written yet */
  #batch = new Map<string, UsageRow & { keyId: number; month: string; day: string; operation: string }>();

  private constructor(file: string, db: DatabaseSync, plans: QuotaPlans) {
    this.#file = file;
    this.#db = db;
    this.#plans = plans;
    this.#keyByHash = db.prepare(
      `SELECT keys.id, ${METER} AS meter, prefix, ifnull(accounts.plan, keys.plan) AS plan, next_plan, next_from, revoked_at, closed_at
       FROM keys LEFT JOIN accounts ON accounts.id = keys.account WHERE hash = ?`,
    );
    this.#dataVersion = db.prepare('PRAGMA data_version');
    this.#usage = db.prepare('SELECT requests, bytes FROM usage WHERE key = ? AND month = ?');
    // One statement, so that no other process can count between the check of the limit and the count.
    this.#admitWithin = db.prepare(
      `INSERT INTO usage VALUES (:key, :month, 1, 0)
       ON CONFLICT DO UPDATE SET requests = requests + 1
       WHERE requests < :requests AND bytes < :bytes
       RETURNING requests, bytes`,
    );
    this.#takeBack = db.prepare(
      'UPDATE usage SET requests = requests - 1 WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addBytes = db.prepare(
      'UPDATE usage SET bytes = bytes + ? WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addBatch = db.prepare(
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
  static open(folder: string, plans: QuotaPlans, options: { neverWait?: boolean } = {}): Accounts {
    const file = join(folder, ACCOUNTS_FILE);
    const db = openAccountsDatabase(folder, options);
    try {
      return new Accounts(file, db, plans);
    } catch (cause) {
      db.close();
      throw databaseError(file, cause);
    }
  }

  /** Checks that the database can be written: a read-only file opens too. @throws FilinglakeError `catalog-unwritable` */
  requireWritable(): void {
    try {
      // On a read-only file SQLite begins a transaction as a reader. It refuses a change, even one of no rows.
      this.#transaction(() => this.#db.exec('UPDATE keys SET plan = plan WHERE 0'));
    } catch (error) {
      throw databaseError(this.#file, error);
    }
  }

  /** Makes a key. @throws FilinglakeError `quota-plan-unknown`, `catalog-unwritable` */
  createKey(plan: string, now: Date = new Date(), name: string | null = null): CreatedKey {
    requirePlan(this.#plans, plan);
    this.requireWritable();
    const { apiKey, prefix, hash } = newApiKey();
    const createdAt = now.toISOString();
    this.#db
      .prepare('INSERT INTO keys (hash, prefix, plan, created_at, name) VALUES (?, ?, ?, ?, ?)')
      .run(hash, prefix, plan, createdAt, name);
    return { api_key: apiKey, prefix, plan, created_at: createdAt };
  }

  /**
   * Replaces a key by a new one and revokes it, in one transaction. Plan, name and usage of the month are those of the old key.
   * @throws FilinglakeError `key-unknown` (also if it is revoked), `catalog-unwritable`
   */
  rotateKey(keyOrPrefix: string, now: Date = new Date()): CreatedKey {
    this.#known.clear();
    this.requireWritable();
    const { id, prefix: old } = this.#named(keyOrPrefix);
    const { apiKey, prefix, hash } = newApiKey();
    const createdAt = now.toISOString();
    const copied = this.#transaction(() => {
      const { changes } = this.#db
        .prepare(
          `INSERT INTO keys (hash, prefix, plan, created_at, name, account, meter)
           SELECT ?, ?, plan, ?, name, account, ifnull(meter, id) FROM keys WHERE id = ? AND revoked_at IS NULL AND closed_at IS NULL`,
        )
        .run(hash, prefix, createdAt, id);
      this.#db.prepare('UPDATE keys SET revoked_at = ifnull(revoked_at, ?) WHERE id = ?').run(createdAt, id);
      return changes;
    });
    if (copied === 0) throw new FilinglakeError('key-unknown', `the key ${old} was revoked or closed before`);
    const { plan } = this.listKeys(now).find((key) => key.prefix === prefix)!;
    return { api_key: apiKey, prefix, plan, created_at: createdAt };
  }

  /** All keys, oldest first, with what each has used in the month of `now`. */
  listKeys(now: Date = new Date()): KeySummary[] {
    const rows = this.#db
      .prepare(
        `SELECT prefix, ifnull(accounts.plan, keys.plan) AS plan, next_plan, next_from, keys.created_at, revoked_at, closed_at, name,
           email AS account, ifnull(requests, 0) AS requests, ifnull(bytes, 0) AS bytes
         FROM keys LEFT JOIN accounts ON accounts.id = keys.account
         LEFT JOIN usage ON usage.key = ${METER} AND usage.month = ? ORDER BY keys.id`,
      )
      .all(monthOf(now)) as unknown as (KeySummary & Pick<KeyRow, 'next_plan' | 'next_from'>)[];
    return rows.map(({ next_plan, next_from, ...row }) => ({
      ...row,
      plan: planIn(monthOf(now), { plan: row.plan, next_plan, next_from }),
    }));
  }

  /**
   * Revokes a key: requests with it get 401. Takes the whole key or the prefix that `listKeys` shows. @throws FilinglakeError
   * `key-unknown`, `catalog-unwritable`
   */
  revokeKey(keyOrPrefix: string, now: Date = new Date()): KeySummary {
    return this.#end(keyOrPrefix, 'revoked_at', now);
  }

  /**
   * Closes the key's account: requests with it get 403. If a user's account owns the key, all its keys are closed, and it gets no
   * others. @throws FilinglakeError `key-unknown`
   */
  closeAccount(keyOrPrefix: string, now: Date = new Date()): KeySummary {
    return this.#end(keyOrPrefix, 'closed_at', now);
  }

  #end(keyOrPrefix: string, column: 'revoked_at' | 'closed_at', now: Date): KeySummary {
    this.#known.clear();
    const { id, prefix } = this.#named(keyOrPrefix);
    this.requireWritable();
    const which = column === 'closed_at' ? 'id = ?1 OR account = (SELECT account FROM keys WHERE id = ?1)' : 'id = ?1';
    this.#db.prepare(`UPDATE keys SET ${column} = ifnull(${column}, ?2) WHERE ${which}`).run(id, now.toISOString());
    return this.listKeys(now).find((key) => key.prefix === prefix)!;
  }

  #named(keyOrPrefix: string): { id: number; prefix: string } {
    const prefix = keyOrPrefix.slice(0, SHOWN_LENGTH);
    const whole = keyOrPrefix.length > SHOWN_LENGTH;
    const row = this.#db.prepare('SELECT id, hash FROM keys WHERE prefix = ?').get(prefix) as
      | { id: number; hash: Uint8Array }
      | undefined;
    if (!row || (whole && !Buffer.from(row.hash).equals(hashOf(keyOrPrefix)))) {
      throw new FilinglakeError('key-unknown', `there is no key that begins with ${prefix}`);
    }
    return { id: row.id, prefix };
  }

  /** Looks a key up, without a lock. Null: unknown or revoked. */
  find(apiKey: string): KnownKey | null {
    const row = this.#keyOf(apiKey);
    this.#found = row && { apiKey, row };
    return row === null ? null : { prefix: row.prefix, closed: row.closed_at !== null };
  }

  /** The same for each of the keys, with one look at the database. */
  findAll(apiKeys: readonly string[]): (KnownKey | null)[] {
    this.#forgetChanged();
    return apiKeys.map((apiKey) => {
      const row = this.#knownOrRead(apiKey);
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
    const key = found !== null && found.apiKey === apiKey ? found.row : this.#keyOf(apiKey ?? '');
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
    const room = requests > 0 && bytes > 0;
    // `all`, not `get`: it ends the statement here, and with it an error of the commit.
    const [counted] = room
      ? (this.#admitWithin.all({ key: keyId, month, requests, bytes }) as unknown as UsageRow[])
      : [];
    if (counted) {
      const ticket = { keyId, month, day, unlimited: false };
      return { outcome: 'admitted', ticket, quota: this.#quota(plan, counted, now) };
    }
    const used = (this.#usage.get(keyId, month) as UsageRow | undefined) ?? { requests: 0, bytes: 0 };
    const limit = used.requests >= requests ? 'requests' : 'bytes';
    return { outcome: 'refused', limit, quota: this.#quota(plan, used, now) };
  }

  /**
   * Admits and counts requests whose answers are at hand, in their order, in one transaction. None needs `settle`. An error of the
   * transaction counts nothing.
   * @returns an admission for each; null: the plan of its key is unknown, and nothing was counted
   */
  countAll(requests: readonly AnsweredRequest[], now: Date): (Admission | null)[] {
    this.#forgetChanged();
    const { month } = this.#monthOf(now);
    const day = now.toISOString().slice(0, 10);
    const limited = new Map<number, Limited[]>();
    const unlimited: { ticket: UsageTicket; request: AnsweredRequest }[] = [];
    const admissions = requests.map((request, index): Admission | null => {
      const key = this.#knownOrRead(request.apiKey);
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
      const decided = this.#transaction(() => [...limited.values()].flatMap((ofMeter) => this.#countMeter(ofMeter)));
      for (const [{ index, plan, ticket, requestsMax }, { admitted, used }] of decided) {
        const quota = this.#quota(plan, used, now);
        const limit = used.requests >= (requestsMax ?? Infinity) ? 'requests' : 'bytes';
        admissions[index] = admitted ? { outcome: 'admitted', ticket, quota } : { outcome: 'refused', limit, quota };
      }
    }
    for (const { ticket, request } of unlimited) this.#addToBatch(ticket, { counted: true, ...request });
    return admissions;
  }

  /** Within a transaction, so that no other process can count between the check of the limit and the count. */
  #countMeter(ofMeter: readonly Limited[]): [Limited, Decided][] {
    const { keyId, month, day } = ofMeter[0]!.ticket;
    const before = (this.#usage.get(keyId, month) as UsageRow | undefined) ?? { requests: 0, bytes: 0 };
    const decided = countInOrder(before, ofMeter).map((one, i): [Limited, Decided] => [ofMeter[i]!, one]);
    const byOperation = new Map<string, UsageRow>();
    for (const [{ request }, { admitted }] of decided) {
      if (!admitted) continue;
      const { requests, bytes } = byOperation.get(request.operation) ?? { requests: 0, bytes: 0 };
      byOperation.set(request.operation, { requests: requests + 1, bytes: bytes + request.bytes });
    }
    if (byOperation.size > 0) {
      const { used } = decided.at(-1)![1];
      this.#addBatch.run(keyId, month, used.requests - before.requests, used.bytes - before.bytes);
    }
    for (const [operation, { requests, bytes }] of byOperation)
      this.#addDay.run(keyId, day, operation, requests, bytes);
    return decided;
  }

  /**
   * Ends an admitted request. `counted`: whether its status counts against the month (200, 304, 404, 422); if not, the request is given
   * back. `bytes`: of the uncompressed body, counted with it. Both go to the month and day in which the request was admitted.
   */
  settle(ticket: UsageTicket, answer: CountedAnswer): { requestsUsed: number; bytesUsed: number } {
    if (ticket.unlimited) {
      if (answer.counted) this.#addToBatch(ticket, answer);
      return { requestsUsed: 0, bytesUsed: 0 };
    }
    const { keyId, month, day } = ticket;
    const [row] = (answer.counted
      ? this.#transaction(() => {
          this.#addDay.run(keyId, day, answer.operation ?? '', 1, answer.bytes);
          return this.#addBytes.all(answer.bytes, keyId, month);
        })
      : this.#takeBack.all(keyId, month)) as unknown as UsageRow[];
    return { requestsUsed: row?.requests ?? 0, bytesUsed: row?.bytes ?? 0 };
  }

  #addToBatch({ keyId, month, day }: UsageTicket, { bytes, operation = '' }: CountedAnswer): void {
    const name = `${keyId} ${day} ${operation}`;
    const row = this.#batch.get(name);
    if (row) {
      row.requests++;
      row.bytes += bytes;
    } else this.#batch.set(name, { keyId, month, day, operation, requests: 1, bytes });
  }

  /**
   * Writes the counts of keys without limits. Counts that can't be written now are kept for the next call. @throws SQLite's error
   */
  writeBatch(): void {
    if (this.#batch.size === 0) return;
    this.#transaction(() => {
      for (const { keyId, month, day, operation, requests, bytes } of this.#batch.values()) {
        this.#addBatch.run(keyId, month, requests, bytes);
        this.#addDay.run(keyId, day, operation, requests, bytes);
      }
    });
    this.#batch = new Map();
  }

  /** What a key has used of a month (`YYYY-MM`; default that of `now`). Counts nothing. Null: unknown or revoked. */
  usage(apiKey: string, now: Date, month: string = monthOf(now)): { quota: QuotaState; usage: MonthUsage } | null {
    const key = this.#keyOf(apiKey);
    if (key === null) return null;
    this.writeBatch();
    const usage = usageOfMeter(this.#db, key.meter, month);
    const current = this.#usage.get(key.meter, monthOf(now)) as UsageRow | undefined;
    return { quota: this.#quota(planIn(monthOf(now), key), current ?? { requests: 0, bytes: 0 }, now), usage };
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

  #keyOf(apiKey: string): KeyRow | null {
    this.#forgetChanged();
    return this.#knownOrRead(apiKey);
  }

  /** Cached keys are valid until another process changes the database. */
  #forgetChanged(): void {
    const version = (this.#dataVersion.get() as { data_version: number }).data_version;
    if (version !== this.#knownVersion) this.#known.clear();
    this.#knownVersion = version;
  }

  #knownOrRead(apiKey: string): KeyRow | null {
    const known = this.#known.get(apiKey);
    if (known) return known;
    const row = apiKey === '' ? undefined : (this.#keyByHash.get(hashOf(apiKey)) as KeyRow | undefined);
    if (!row || row.revoked_at !== null) return null;
    if (this.#known.size < KNOWN_KEYS_MAX) this.#known.set(apiKey, row);
    return row;
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

  #transaction<T>(body: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      // A COMMIT that failed on a full disk has rolled back already. A second error would hide the first.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** Counts that are not written yet are lost: write the batch first. */
  close(): void {
    this.#db.close();
  }
}
