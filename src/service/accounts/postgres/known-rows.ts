/** Rows of keys that a server has in memory. They hold as long as the database says that nothing has changed. */
import type pg from 'pg';
import { hashOf } from '../keys/api-key.ts';
import { KEY_ROWS, type KeyRow, KNOWN_KEYS_MAX } from '../keys/known-keys.ts';
import type { Connections } from './connections.ts';

/** Without a word from the database. Each second it is asked what has changed. */
const KNOWN_FOR_MS = 5_000;

export class KnownRows {
  readonly #connections: Connections;
  readonly #rows = new Map<string, KeyRow>();
  #change = -1;
  /** When the database was last asked for changes, by performance.now() */
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** @param change the number of the last one in the database */
  note(change: number): void {
    if (change !== this.#change) this.#rows.clear();
    this.#change = change;
    this.#askedAt = performance.now();
  }

  /** Null: one of the keys must be looked up. */
  of(apiKeys: readonly string[]): KeyRow[] | null {
    if (performance.now() - this.#askedAt > KNOWN_FOR_MS) return null;
    const rows = apiKeys.map((apiKey) => this.#rows.get(apiKey));
    return rows.every((row) => row !== undefined) ? rows : null;
  }

  /** Looks up keys that are not known, and remembers them. A revoked one is not among the results. */
  async read(client: pg.PoolClient, apiKeys: readonly string[]): Promise<Map<string, KeyRow>> {
    const found = new Map<string, KeyRow>();
    const missing = new Map<string, string>();
    for (const apiKey of apiKeys) {
      const known = this.#rows.get(apiKey);
      if (known) found.set(apiKey, known);
      else if (apiKey !== '') missing.set(hashOf(apiKey).toString('hex'), apiKey);
    }
    if (missing.size === 0) return found;
    const hashes = [...missing.keys()].map((hash) => Buffer.from(hash, 'hex'));
    const { rows } = await this.#connections.query(client, `${KEY_ROWS} WHERE hash = ANY(?)`, [hashes]);
    for (const row of rows as (KeyRow & { hash: Buffer })[]) {
      if (row.revoked_at !== null) continue;
      const apiKey = missing.get(row.hash.toString('hex'))!;
      found.set(apiKey, row);
      if (this.#rows.size < KNOWN_KEYS_MAX) this.#rows.set(apiKey, row);
    }
    return found;
  }
}
