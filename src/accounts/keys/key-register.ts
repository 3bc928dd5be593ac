/** Makes keys, replaces, lists and ends them. Their database is not the catalog's, so that an ingest never delays a request. */
import type { DatabaseSync } from 'node:sqlite';
import type { QuotaPlans } from '../../api/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { openAccountsDatabase, requireWritable } from '../schema.ts';
import { transaction } from '../transaction.ts';
import { hashOf, newApiKey, SHOWN_LENGTH } from './api-key.ts';
import { type KeyRow, METER } from './known-keys.ts';
import { monthOf, planIn, requirePlan } from './plan-of-month.ts';

interface CreatedKey {
  /** Shown only here: the database keeps only its hash. */
  api_key: string;
  prefix: string;
  plan: string;
  created_at: string;
}

interface KeySummary {
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

export class KeyRegister {
  readonly #db: DatabaseSync;
  readonly #plans: QuotaPlans;
  readonly #folder: string;

  private constructor(db: DatabaseSync, plans: QuotaPlans, folder: string) {
    this.#db = db;
    this.#plans = plans;
    this.#folder = folder;
  }

  /**
   * Opens `accounts.db` of the catalog folder; creates it if missing. Any number of processes may have it open.
   * @throws FilinglakeError `catalog-unwritable`, `catalog-unreadable`
   */
  static open(folder: string, plans: QuotaPlans): KeyRegister {
    return new KeyRegister(openAccountsDatabase(folder), plans, folder);
  }

  /** Makes a key. @throws FilinglakeError `quota-plan-unknown`, `catalog-unwritable` */
  createKey(plan: string, now: Date = new Date(), name: string | null = null): CreatedKey {
    requirePlan(this.#plans, plan);
    requireWritable(this.#db, this.#folder);
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
    requireWritable(this.#db, this.#folder);
    const { id, prefix: old } = this.#named(keyOrPrefix);
    const { apiKey, prefix, hash } = newApiKey();
    const createdAt = now.toISOString();
    const copied = transaction(this.#db, () => {
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
  revokeKey(keyOrPrefix: string): KeySummary {
    return this.#end(keyOrPrefix, 'revoked_at', new Date());
  }

  /**
   * Closes the key's account: requests with it get 403. If a user's account owns the key, all its keys are closed, and it gets no
   * others. @throws FilinglakeError `key-unknown`
   */
  closeAccount(keyOrPrefix: string, now: Date = new Date()): KeySummary {
    return this.#end(keyOrPrefix, 'closed_at', now);
  }

  /** Whether requests with the key are answered. */
  isActive(apiKey: string): boolean {
    const active = 'SELECT 1 FROM keys WHERE hash = ? AND revoked_at IS NULL AND closed_at IS NULL';
    return this.#db.prepare(active).get(hashOf(apiKey)) !== undefined;
  }

  close(): void {
    this.#db.close();
  }

  #end(keyOrPrefix: string, column: 'revoked_at' | 'closed_at', now: Date): KeySummary {
    const { id, prefix } = this.#named(keyOrPrefix);
    requireWritable(this.#db, this.#folder);
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
}
