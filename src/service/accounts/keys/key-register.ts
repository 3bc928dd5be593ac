/** Makes keys, replaces, lists and ends them. Their database is not the catalog's, so that an ingest never delays a request. */
import { FilinglakeError } from '../../../core/index.ts';
import type { QuotaPlans } from '../../../filings/api/index.ts';
import { AccountsFile } from '../store/database.ts';
import { all, atomically, get, type Operation, run, running, type Synchronous } from '../store/operation.ts';
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

/** With its own connection to `accounts.db`. */
export type KeyRegister = Synchronous<KeyOperations> & { close(): void };

export const KeyRegister = {
  /** Opens or creates `accounts.db`, for any number of processes. @throws `catalog-unwritable`, `catalog-unreadable` */
  open(folder: string, plans: QuotaPlans): KeyRegister {
    const file = AccountsFile.open(folder);
    const keys = running<KeyOperations, Synchronous<KeyOperations>>(new KeyOperations(plans), (work) =>
      file.runNow(work),
    );
    return Object.assign(keys, { close: () => file.closeNow() });
  },
};

export class KeyOperations {
  readonly #plans: QuotaPlans;
  readonly #clock: () => Date;

  constructor(plans: QuotaPlans, clock = () => new Date()) {
    [this.#plans, this.#clock] = [plans, clock];
  }

  /** Makes a key. @throws FilinglakeError `quota-plan-unknown`, `catalog-unwritable` */
  *createKey(plan: string, now: Date = this.#clock(), name: string | null = null): Operation<CreatedKey> {
    requirePlan(this.#plans, plan);
    const { apiKey, prefix, hash } = newApiKey();
    const createdAt = now.toISOString();
    yield* run(
      'INSERT INTO keys (hash, prefix, plan, created_at, name) VALUES (?, ?, ?, ?, ?)',
      ...([hash, prefix, plan, createdAt, name] as const),
    );
    return { api_key: apiKey, prefix, plan, created_at: createdAt };
  }

  /**
   * Replaces a key by a new one and revokes it, in one transaction. Plan, name and usage of the month are those of the old key.
   * @throws FilinglakeError `key-unknown` (also if it is revoked), `catalog-unwritable`
   */
  *rotateKey(keyOrPrefix: string, now: Date = this.#clock()): Operation<CreatedKey> {
    yield* atomically();
    const { id, prefix: old } = yield* this.#named(keyOrPrefix);
    const { apiKey, prefix, hash } = newApiKey();
    const createdAt = now.toISOString();
    const copied = yield* run(
      `INSERT INTO keys (hash, prefix, plan, created_at, name, account, meter)
       SELECT ?, ?, plan, ?, name, account, coalesce(meter, id) FROM keys WHERE id = ? AND revoked_at IS NULL AND closed_at IS NULL`,
      ...([hash, prefix, createdAt, id] as const),
    );
    if (copied === 0) throw new FilinglakeError('key-unknown', `the key ${old} was revoked or closed before`);
    yield* run('UPDATE keys SET revoked_at = ? WHERE id = ?', createdAt, id);
    const { plan } = (yield* this.listKeys(now)).find((key) => key.prefix === prefix)!;
    return { api_key: apiKey, prefix, plan, created_at: createdAt };
  }

  /** All keys, oldest first, with what each has used in the month of `now`. */
  *listKeys(now: Date = this.#clock()): Operation<KeySummary[]> {
    const rows = yield* all<KeySummary & Pick<KeyRow, 'next_plan' | 'next_from'>>(
      `SELECT prefix, coalesce(accounts.plan, keys.plan) AS plan, next_plan, next_from, keys.created_at, revoked_at, closed_at, name,
         email AS account, coalesce(requests, 0) AS requests, coalesce(bytes, 0) AS bytes
       FROM keys LEFT JOIN accounts ON accounts.id = keys.account
       LEFT JOIN usage ON usage.key = ${METER} AND usage.month = ? ORDER BY keys.id`,
      monthOf(now),
    );
    return rows.map(({ next_plan, next_from, ...row }) => ({
      ...row,
      plan: planIn(monthOf(now), { plan: row.plan, next_plan, next_from }),
    }));
  }

  /** Revokes a key, given whole or by its prefix: 401 from now on. @throws `key-unknown`, `catalog-unwritable` */
  *revokeKey(keyOrPrefix: string): Operation<KeySummary> {
    return yield* this.#end(keyOrPrefix, 'revoked_at', this.#clock());
  }

  /** Closes the account of a key, with all keys of a user: requests get 403. @throws FilinglakeError `key-unknown` */
  *closeAccount(keyOrPrefix: string, now: Date = this.#clock()): Operation<KeySummary> {
    return yield* this.#end(keyOrPrefix, 'closed_at', now);
  }

  /** Whether requests with the key are answered. */
  *isActive(apiKey: string): Operation<boolean> {
    const active = 'SELECT 1 FROM keys WHERE hash = ? AND revoked_at IS NULL AND closed_at IS NULL';
    return (yield* get(active, hashOf(apiKey))) !== undefined;
  }

  *#end(keyOrPrefix: string, column: 'revoked_at' | 'closed_at', now: Date): Operation<KeySummary> {
    const { id, prefix } = yield* this.#named(keyOrPrefix);
    const end = `UPDATE keys SET ${column} = coalesce(${column}, ?) WHERE id = ?`;
    if (column === 'revoked_at') yield* run(end, now.toISOString(), id);
    else yield* run(`${end} OR account = (SELECT account FROM keys WHERE id = ?)`, now.toISOString(), id, id);
    return (yield* this.listKeys(now)).find((key) => key.prefix === prefix)!;
  }

  *#named(keyOrPrefix: string): Operation<{ id: number; prefix: string }> {
    const prefix = keyOrPrefix.slice(0, SHOWN_LENGTH);
    const whole = keyOrPrefix.length > SHOWN_LENGTH;
    const row = yield* get<{ id: number; hash: Uint8Array }>('SELECT id, hash FROM keys WHERE prefix = ?', prefix);
    if (!row || (whole && !Buffer.from(row.hash).equals(hashOf(keyOrPrefix)))) {
      throw new FilinglakeError('key-unknown', `there is no key that begins with ${prefix}`);
    }
    return { id: row.id, prefix };
  }
}
