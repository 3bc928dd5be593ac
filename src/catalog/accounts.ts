/** API keys and what each has used of its month. A database of its own, so that ingest never holds up admission. */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { EXIT, FilinglakeError, nearestWord, type Plans } from '../contract/index.ts';
import { ACCOUNTS_FILE, databaseError, isFileThere } from './database-file.ts';
import { makeFolder } from './folder.ts';

const BUSY_TIMEOUT_MS = 10_000;
const KEY_PREFIX = 'fl_';
/** Characters of a key that lists show: enough to tell keys apart, far too few to guess one. */
const SHOWN_LENGTH = KEY_PREFIX.length + 8;

export interface CreatedKey {
  /** Shown this once: only its hash is kept. */
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
  /** Of the month (UTC) that was asked for. */
  requests: number;
  bytes: number;
}

/** What a key may use in a month, and has used. null: no limit. */
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
  readonly keyId: number;
  readonly month: string;
}

export type Admission =
  /** No such key, or it was revoked: 401. */
  | { outcome: 'unknown' }
  /** The account was closed: 403. */
  | { outcome: 'closed' }
  /** The month's requests or bytes are used up: 429. */
  | { outcome: 'refused'; limit: 'requests' | 'bytes'; quota: QuotaState }
  | { outcome: 'admitted'; ticket: UsageTicket; quota: QuotaState };

const TABLES = `
CREATE TABLE IF NOT EXISTS keys (
  id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, prefix TEXT NOT NULL UNIQUE, plan TEXT NOT NULL,
  created_at TEXT NOT NULL, revoked_at TEXT, closed_at TEXT
);
CREATE TABLE IF NOT EXISTS usage (
  key INTEGER NOT NULL, month TEXT NOT NULL, requests INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (key, month)
) WITHOUT ROWID;
`;

interface KeyRow {
  id: number;
  plan: string;
  revoked_at: string | null;
  closed_at: string | null;
}
interface UsageRow {
  requests: number;
  bytes: number;
}

export class Accounts {
  readonly #file: string;
  readonly #db: DatabaseSync;
  readonly #plans: Plans;
  readonly #keyByHash: StatementSync;
  readonly #usage: StatementSync;
  readonly #countRequest: StatementSync;
  readonly #takeBack: StatementSync;
  readonly #addBytes: StatementSync;

  private constructor(file: string, db: DatabaseSync, plans: Plans) {
    this.#file = file;
    this.#db = db;
    this.#plans = plans;
    this.#keyByHash = db.prepare('SELECT id, plan, revoked_at, closed_at FROM keys WHERE hash = ?');
    this.#usage = db.prepare('SELECT requests, bytes FROM usage WHERE key = ? AND month = ?');
    this.#countRequest = db.prepare(
      'INSERT INTO usage VALUES (?, ?, 1, 0) ON CONFLICT DO UPDATE SET requests = requests + 1 RETURNING requests, bytes',
    );
    this.#takeBack = db.prepare(
      'UPDATE usage SET requests = requests - 1 WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
    this.#addBytes = db.prepare(
      'UPDATE usage SET bytes = bytes + ? WHERE key = ? AND month = ? RETURNING requests, bytes',
    );
  }

  /**
   * Opens `accounts.db` of the catalog folder, making it where there is none. Any number of processes may have it open.
   * @throws FilinglakeError `catalog-unwritable`, `catalog-unreadable`
   */
  static open(folder: string, plans: Plans): Accounts {
    makeFolder(folder);
    const file = join(folder, ACCOUNTS_FILE);
    isFileThere(file);
    let db: DatabaseSync | null = null;
    try {
      db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
      // NORMAL: a killed process loses nothing; only a power cut may forget the last moments of usage, and nothing is torn.
      db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL');
      db.exec(TABLES);
      return new Accounts(file, db, plans);
    } catch (cause) {
      db?.close();
      throw databaseError(file, cause);
    }
  }

  /** For who is about to write: opening alone tells nothing of a file that may only be read. @throws FilinglakeError `catalog-unwritable` */
  requireWritable(): void {
    try {
      // SQLite makes a reader of a transaction on what may only be read; a change, though of nothing, is refused.
      this.#transaction(() => this.#db.exec('UPDATE keys SET plan = plan WHERE 0'));
    } catch (error) {
      throw databaseError(this.#file, error);
    }
  }

  /** Makes a key. @throws FilinglakeError `unknown-plan`, `catalog-unwritable` */
  createKey(plan: string, now: Date = new Date()): CreatedKey {
    const names = Object.keys(this.#plans.plans);
    if (!names.includes(plan)) {
      const near = nearestWord(plan, names);
      throw new FilinglakeError(
        'unknown-plan',
        `there is no plan '${plan}'${near ? `; did you mean '${near}'?` : ''}`,
        {
          exitCode: EXIT.usage,
          remedy: `plans: ${names.join(', ')}`,
        },
      );
    }
    this.requireWritable();
    const apiKey = `${KEY_PREFIX}${randomBytes(30).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y')}`;
    const prefix = apiKey.slice(0, SHOWN_LENGTH);
    const createdAt = now.toISOString();
    this.#db
      .prepare('INSERT INTO keys (hash, prefix, plan, created_at) VALUES (?, ?, ?, ?)')
      .run(hashOf(apiKey), prefix, plan, createdAt);
    return { api_key: apiKey, prefix, plan, created_at: createdAt };
  }

  /** All keys, oldest first, with what each has used in the month of `now`. */
  listKeys(now: Date = new Date()): KeySummary[] {
    const rows = this.#db
      .prepare(
        `SELECT prefix, plan, created_at, revoked_at, closed_at, ifnull(requests, 0) AS requests, ifnull(bytes, 0) AS bytes
         FROM keys LEFT JOIN usage ON usage.key = keys.id AND usage.month = ? ORDER BY keys.id`,
      )
      .all(monthOf(now));
    return rows.map((row) => ({ ...row }) as unknown as KeySummary);
  }

  /** From now on the key is unknown (401). Takes the whole key or the prefix that `listKeys` shows. @throws FilinglakeError `unknown-key`, `catalog-unwritable` */
  revokeKey(keyOrPrefix: string, now: Date = new Date()): KeySummary {
    return this.#end(keyOrPrefix, 'revoked_at', now);
  }

  /** Closes the key's account: from now on it is refused with 403. @throws FilinglakeError `unknown-key` */
  closeAccount(keyOrPrefix: string, now: Date = new Date()): KeySummary {
    return this.#end(keyOrPrefix, 'closed_at', now);
  }

  #end(keyOrPrefix: string, column: 'revoked_at' | 'closed_at', now: Date): KeySummary {
    const prefix = keyOrPrefix.slice(0, SHOWN_LENGTH);
    const whole = keyOrPrefix.length > SHOWN_LENGTH;
    const row = this.#db.prepare('SELECT id, hash FROM keys WHERE prefix = ?').get(prefix) as
      | { id: number; hash: Uint8Array }
      | undefined;
    if (!row || (whole && !Buffer.from(row.hash).equals(hashOf(keyOrPrefix)))) {
      throw new FilinglakeError('unknown-key', `there is no key that begins with ${prefix}`, {
        remedy: 'filinglake keys list --catalog DIR shows the keys',
      });
    }
    this.requireWritable();
    this.#db.prepare(`UPDATE keys SET ${column} = ifnull(${column}, ?) WHERE id = ?`).run(now.toISOString(), row.id);
    return this.listKeys(now).find((key) => key.prefix === prefix)!;
  }

  /**
   * Admits a request and counts it, in one transaction (exact also over many processes), or says why not. A request is admitted
   * while the month's requests are not used up and its bytes are not yet at the limit (CONTRACT 3). Every admitted request must be settled.
   */
  admit(apiKey: string | undefined, now: Date): Admission {
    if (apiKey === undefined || apiKey === '') return { outcome: 'unknown' };
    const hash = hashOf(apiKey);
    const month = monthOf(now);
    return this.#transaction((): Admission => {
      const key = this.#keyByHash.get(hash) as KeyRow | undefined;
      if (!key || key.revoked_at !== null) return { outcome: 'unknown' };
      if (key.closed_at !== null) return { outcome: 'closed' };
      const used = (this.#usage.get(key.id, month) as UsageRow | undefined) ?? { requests: 0, bytes: 0 };
      const quota = this.#quota(key.plan, used, now);
      if (quota.requestsPerMonth !== null && used.requests >= quota.requestsPerMonth) {
        return { outcome: 'refused', limit: 'requests', quota };
      }
      if (quota.bytesPerMonth !== null && used.bytes >= quota.bytesPerMonth) {
        return { outcome: 'refused', limit: 'bytes', quota };
      }
      const counted = this.#countRequest.get(key.id, month) as unknown as UsageRow;
      return { outcome: 'admitted', ticket: { keyId: key.id, month }, quota: this.#quota(key.plan, counted, now) };
    });
  }

  /**
   * Ends an admitted request. `counted`: whether its status counts against the month (200, 304, 404, 422); if not, the request is given
   * back. `bytes`: of the uncompressed body, counted with it. Both go to the month in which the request was admitted.
   */
  settle(
    ticket: UsageTicket,
    answer: { counted: boolean; bytes: number },
  ): { requestsUsed: number; bytesUsed: number } {
    const row = (
      answer.counted
        ? this.#addBytes.get(answer.bytes, ticket.keyId, ticket.month)
        : this.#takeBack.get(ticket.keyId, ticket.month)
    ) as UsageRow | undefined;
    return { requestsUsed: row?.requests ?? 0, bytesUsed: row?.bytes ?? 0 };
  }

  #quota(plan: string, used: UsageRow, now: Date): QuotaState {
    const limits = this.#plans.plans[plan];
    if (!limits) {
      throw new FilinglakeError('unknown-plan', `a key has the plan '${plan}', which the plans file doesn't have`, {
        remedy: 'add the plan to the plans file (config/plans.yaml, or what --plans names)',
      });
    }
    return {
      plan,
      requestsPerMonth: limits.requests_per_month,
      requestsUsed: used.requests,
      bytesPerMonth: limits.bytes_per_month,
      bytesUsed: used.bytes,
      resetAt: monthEnd(now),
    };
  }

  #transaction<T>(body: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      // A COMMIT that failed for want of room has rolled back already; another error would hide why.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }
}

function hashOf(apiKey: string): Buffer {
  return createHash('sha256').update(apiKey).digest();
}

/** The calendar month in UTC, `YYYY-MM`. */
function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** The first instant of the calendar month after `now`, UTC. */
export function monthEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
