/**
 * The usage of deleted accounts, until their month ends: a new account of the same mailbox does not get a second month. Mailboxes
 * are stored as their HMAC, under a secret that is deleted with the month.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { AccountsDatabase } from './database.ts';
import { mailboxOf } from './email.ts';
import { meterOf } from './keys/known-keys.ts';
import { monthOf } from './keys/plan-of-month.ts';
import { usageOfMeter } from './keys/usage-days.ts';

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
      const meter = meterOf(db, account);
      const goesOn = db
        .prepare('SELECT 1 FROM accounts WHERE id <> ? AND ifnull(meter, id) = ? AND deleted_at IS NULL')
        .get(account, -meter);
      const { requests, bytes, work_seconds } = usageOfMeter(db, meter, monthOf(now));
      // Another account counts there.
      if (goesOn !== undefined || requests + work_seconds === 0) return;
      db.prepare('INSERT OR REPLACE INTO departed (address, month, requests, bytes, ms) VALUES (?, ?, ?, ?, ?)').run(
        ...([this.#hash(email, now), monthOf(now), requests, bytes, Math.round(work_seconds * 1_000)] as const),
      );
    });
  }

  /** Gives a new account what its mailbox has used in this month. */
  take(account: number, email: string, now: Date): void {
    const { db } = this.#database;
    this.#database.transaction(() => {
      this.deleteEarlier(now);
      const [used] = db
        .prepare('DELETE FROM departed WHERE address = ? AND month = ? RETURNING requests, bytes, ifnull(ms, 0) AS ms')
        .all(this.#hash(email, now), monthOf(now)) as { requests: number; bytes: number; ms: number }[];
      if (!used) return;
      db.prepare('INSERT INTO usage VALUES (?, ?, ?, ?)').run(-account, monthOf(now), used.requests, used.bytes);
      db.prepare('INSERT INTO work VALUES (?, ?, ?)').run(-account, monthOf(now), used.ms);
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
    const { name, domain } = mailboxOf(email);
    return createHmac('sha256', secret).update(`${name}@${domain}`).digest();
  }
}
