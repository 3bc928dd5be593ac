/**
 * The usage of deleted accounts, until their month ends: a new account of the same address does not get a second month. Addresses
 * are stored as their HMAC, under a secret that is deleted with the month.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { AccountsDatabase } from './database.ts';
import { monthOf } from './keys/plan-of-month.ts';

const SECRET_BYTES = 32;

export class Departed {
  readonly #database: AccountsDatabase;

  constructor(database: AccountsDatabase) {
    this.#database = database;
  }

  /** Keeps what the account has used in the month of `now`. */
  note(account: number, email: string, now: Date): void {
    const { db } = this.#database;
    this.#database.transaction(() => {
      this.deleteEarlier(now);
      const used = db
        .prepare('SELECT requests, bytes FROM usage WHERE key = ? AND month = ?')
        .get(-account, monthOf(now));
      if (!used) return;
      db.prepare('INSERT OR REPLACE INTO departed VALUES (?, ?, ?, ?)').run(
        ...([this.#hash(email, now), monthOf(now), used.requests as number, used.bytes as number] as const),
      );
    });
  }

  /** Gives a new account what its address has used in this month. */
  take(account: number, email: string, now: Date): void {
    const { db } = this.#database;
    this.#database.transaction(() => {
      this.deleteEarlier(now);
      const [used] = db
        .prepare('DELETE FROM departed WHERE address = ? AND month = ? RETURNING requests, bytes')
        .all(this.#hash(email, now), monthOf(now));
      if (!used) return;
      db.prepare('INSERT INTO usage VALUES (?, ?, ?, ?)').run(
        ...([-account, monthOf(now), used.requests as number, used.bytes as number] as const),
      );
    });
  }

  deleteEarlier(now: Date): void {
    for (const table of ['departed', 'month_secrets']) {
      this.#database.db.prepare(`DELETE FROM ${table} WHERE month < ?`).run(monthOf(now));
    }
  }

  #hash(email: string, now: Date): Buffer {
    const { db } = this.#database;
    const month = monthOf(now);
    db.prepare('INSERT INTO month_secrets VALUES (?, ?) ON CONFLICT DO NOTHING').run(month, randomBytes(SECRET_BYTES));
    const { secret } = db.prepare('SELECT secret FROM month_secrets WHERE month = ?').get(month) as {
      secret: Uint8Array;
    };
    return createHmac('sha256', secret).update(email).digest();
  }
}
