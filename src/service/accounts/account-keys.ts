/** The keys of an account. All of them use the one quota of its plan. */
import { FilinglakeError } from '../../core/index.ts';
import { newApiKey } from './keys/api-key.ts';
import { meterOf } from './keys/known-keys.ts';
import { monthOf } from './keys/plan-of-month.ts';
import { type MonthUsage, usageOfMeter } from './keys/usage-days.ts';
import { all, atomically, get, type Operation, run } from './store/operation.ts';

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
  /** Active keys, oldest first. */
  *list(account: number): Operation<AccountKey[]> {
    return yield* all<AccountKey>(
      `SELECT prefix, name, created_at, revoked_at, day AS last_used FROM keys LEFT JOIN key_uses ON key_uses.key = id
       WHERE account = ? AND revoked_at IS NULL ORDER BY id`,
      account,
    );
  }

  /** @throws FilinglakeError `key-limit-reached`, `account-refused` */
  *create(account: number, name: string, now: Date): Operation<NewAccountKey> {
    yield* atomically();
    yield* this.#requireOpen(account);
    if ((yield* this.list(account)).length >= KEYS_MAX) {
      throw new FilinglakeError('key-limit-reached', `an account may have ${KEYS_MAX} keys`);
    }
    return yield* this.#insert(account, shortName(name), now);
  }

  /** A new key in place of an old one, which ends at once. @throws FilinglakeError `key-unknown`, `account-refused` */
  *rotate(account: number, prefix: string, now: Date): Operation<NewAccountKey> {
    yield* atomically();
    yield* this.#requireOpen(account);
    const { name } = yield* this.revoke(account, prefix, now);
    return yield* this.#insert(account, name, now);
  }

  /** @throws FilinglakeError `key-unknown`: the account has no such key, or not any more */
  *revoke(account: number, prefix: string, now: Date): Operation<AccountKey> {
    const row = yield* get<AccountKey>(
      `UPDATE keys SET revoked_at = ? WHERE account = ? AND prefix = ? AND revoked_at IS NULL
       RETURNING prefix, name, created_at, revoked_at, (SELECT day FROM key_uses WHERE key = keys.id) AS last_used`,
      ...([now.toISOString(), account, prefix] as const),
    );
    if (!row) {
      throw new FilinglakeError('key-unknown', `the account has no key that begins with ${prefix.slice(0, 11)}`, {
        remedy: 'Run `filinglake accounts list EMAIL` to list the keys of the account.',
      });
    }
    return row;
  }

  /** Usage in the month of `now`, or another (`YYYY-MM`), by day and operation. */
  *usage(account: number, now: Date, month: string = monthOf(now)): Operation<MonthUsage> {
    return yield* usageOfMeter(yield* meterOf(account), month);
  }

  /** The operator closes an account by one of its keys. */
  *#requireOpen(account: number): Operation<void> {
    const closed = yield* get('SELECT 1 FROM keys WHERE account = ? AND closed_at IS NOT NULL', account);
    if (closed) throw new FilinglakeError('account-refused', 'the operator has closed this account');
  }

  *#insert(account: number, name: string | null, now: Date): Operation<NewAccountKey> {
    const { apiKey, prefix, hash } = newApiKey();
    const created_at = now.toISOString();
    yield* run(
      "INSERT INTO keys (hash, prefix, plan, created_at, name, account) VALUES (?, ?, '', ?, ?, ?)",
      ...([hash, prefix, created_at, name, account] as const),
    );
    return { api_key: apiKey, prefix, name, created_at, revoked_at: null, last_used: null };
  }
}

function shortName(name: string): string | null {
  const text = [...name.replace(/\p{Cc}/gu, ' ').trim()].slice(0, NAME_MAX).join('');
  return text === '' ? null : text;
}
