/** The keys of an account. All of them use the one quota of its plan. */

import { FilinglakeError } from '../core/index.ts';
import type { AccountsDatabase } from './database.ts';
import { newApiKey } from './keys/api-key.ts';
import { meterOf } from './keys/known-keys.ts';
import { monthOf } from './keys/plan-of-month.ts';
import { type MonthUsage, usageOfMeter } from './keys/usage-days.ts';

export interface AccountKey {
  /** The beginning of the key: enough to tell keys apart */
  prefix: string;
  name: string | null;
  created_at: string;
  revoked_at: string | null;
  /** Day of its last request, `YYYY-MM-DD` (UTC); null: never used */
  last_used: string | null;
}

export interface NewAccountKey extends AccountKey {
  /** Shown this once */
  api_key: string;
}

const KEYS_MAX = 10;
const NAME_MAX = 60;

export class AccountKeys {
  readonly #database: AccountsDatabase;

  constructor(database: AccountsDatabase) {
    this.#database = database;
  }

  /** Active keys, oldest first. */
  list(account: number): AccountKey[] {
    const rows = this.#database.db
      .prepare(
        `SELECT prefix, name, created_at, revoked_at, day AS last_used FROM keys LEFT JOIN key_uses ON key_uses.key = id
         WHERE account = ? AND revoked_at IS NULL ORDER BY id`,
      )
      .all(account);
    return rows.map((row) => ({ ...row }) as unknown as AccountKey);
  }

  /** @throws FilinglakeError `key-limit-reached`, `account-refused` */
  create(account: number, name: string, now: Date): NewAccountKey {
    return this.#database.transaction(() => {
      this.#requireOpen(account);
      if (this.list(account).length >= KEYS_MAX) {
        throw new FilinglakeError('key-limit-reached', `an account may have ${KEYS_MAX} keys`);
      }
      return this.#insert(account, shortName(name), now);
    });
  }

  /** A new key in place of an old one, which ends at once. @throws FilinglakeError `key-unknown`, `account-refused` */
  rotate(account: number, prefix: string, now: Date): NewAccountKey {
    return this.#database.transaction(() => {
      this.#requireOpen(account);
      const { name } = this.revoke(account, prefix, now);
      return this.#insert(account, name, now);
    });
  }

  /** @throws FilinglakeError `key-unknown`: the account has no such key, or not any more */
  revoke(account: number, prefix: string, now: Date): AccountKey {
    const [row] = this.#database.db
      .prepare(
        `UPDATE keys SET revoked_at = ? WHERE account = ? AND prefix = ? AND revoked_at IS NULL
         RETURNING prefix, name, created_at, revoked_at, (SELECT day FROM key_uses WHERE key = keys.id) AS last_used`,
      )
      .all(now.toISOString(), account, prefix) as unknown as AccountKey[];
    if (!row) {
      throw new FilinglakeError('key-unknown', `the account has no key that begins with ${prefix.slice(0, 11)}`, {
        remedy: 'Run `filinglake accounts show EMAIL` to list the keys of the account.',
      });
    }
    return { ...row };
  }

  /** Usage in the month of `now`, or another (`YYYY-MM`), by day and operation. */
  usage(account: number, now: Date, month: string = monthOf(now)): MonthUsage {
    return usageOfMeter(this.#database.db, meterOf(this.#database.db, account), month);
  }

  /** The operator closes an account by one of its keys. */
  #requireOpen(account: number): void {
    const closed = this.#database.db
      .prepare('SELECT 1 FROM keys WHERE account = ? AND closed_at IS NOT NULL')
      .get(account);
    if (closed) throw new FilinglakeError('account-refused', 'the operator has closed this account');
  }

  #insert(account: number, name: string | null, now: Date): NewAccountKey {
    const { apiKey, prefix, hash } = newApiKey();
    const created_at = now.toISOString();
    this.#database.db
      .prepare("INSERT INTO keys (hash, prefix, plan, created_at, name, account) VALUES (?, ?, '', ?, ?, ?)")
      .run(hash, prefix, created_at, name, account);
    return { api_key: apiKey, prefix, name, created_at, revoked_at: null, last_used: null };
  }
}

function shortName(name: string): string | null {
  const text = [...name.replace(/\p{Cc}/gu, ' ').trim()].slice(0, NAME_MAX).join('');
  return text === '' ? null : text;
}
