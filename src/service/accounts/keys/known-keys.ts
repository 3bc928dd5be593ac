/** Keys by their secret: read from the database once, until another connection changes it. */
import type { SqliteStatements } from '../store/database.ts';
import { get, type Operation } from '../store/operation.ts';
import { hashOf } from './api-key.ts';

/** Keys that are remembered between changes of the database. */
export const KNOWN_KEYS_MAX = 10_000;

export interface KeyRow {
  id: number;
  /** Its usage counts under this number. All keys of an account share one, and a key has that of the key that it replaced */
  meter: number;
  prefix: string;
  plan: string;
  /** A later plan of its account, and the first month (`YYYY-MM`) in which it holds */
  next_plan: string | null;
  next_from: string | null;
  revoked_at: string | null;
  closed_at: string | null;
}
/**
 * The meter of an account: its usage counts there. Accounts of one mailbox share one as long as they have the plan of their sign-up.
 * The numbers are negative, so that no key has the same.
 */
const ACCOUNT_METER =
  'CASE WHEN accounts.meter IS NOT NULL AND accounts.plan = accounts.meter_plan THEN -accounts.meter ELSE -accounts.id END';
export const METER = `CASE WHEN keys.account IS NULL THEN coalesce(keys.meter, keys.id) ELSE coalesce(${ACCOUNT_METER}, -keys.account) END`;

/** The meter of an account, whether it is deleted or not. */
export function* meterOf(account: number): Operation<number> {
  const row = yield* get<{ meter: number }>(`SELECT ${ACCOUNT_METER} AS meter FROM accounts WHERE id = ?`, account);
  return row?.meter ?? -account;
}

export const KEY_ROWS = `SELECT keys.id, hash, ${METER} AS meter, prefix, coalesce(accounts.plan, keys.plan) AS plan, next_plan, next_from,
  revoked_at, closed_at FROM keys LEFT JOIN accounts ON accounts.id = keys.account`;

const BY_HASH = `${KEY_ROWS} WHERE hash = ?`;

export class KnownKeys {
  readonly #statements: SqliteStatements;
  readonly #known = new Map<string, KeyRow>();
  #version = -1;

  constructor(statements: SqliteStatements) {
    this.#statements = statements;
  }

  /** Each of the keys; null: unknown or revoked. Remembered keys are valid until another connection changes the database. */
  find(apiKeys: readonly string[]): (KeyRow | null)[] {
    const version = (this.#statements.prepare('PRAGMA data_version').get() as { data_version: number }).data_version;
    if (version !== this.#version) this.#known.clear();
    this.#version = version;
    return apiKeys.map((apiKey) => this.#read(apiKey));
  }

  #read(apiKey: string): KeyRow | null {
    const known = this.#known.get(apiKey);
    if (known) return known;
    if (apiKey === '') return null;
    const row = this.#statements.prepare(BY_HASH).get(hashOf(apiKey)) as KeyRow | undefined;
    if (!row || row.revoked_at !== null) return null;
    if (this.#known.size < KNOWN_KEYS_MAX) this.#known.set(apiKey, row);
    return row;
  }
}
