/** Log-ins that last: a random token in a cookie, its hash in the database. */
import { isBusy } from '../catalog/index.ts';
import type { AccountsDatabase } from './database.ts';
import { hashOfToken, newToken } from './secrets.ts';

const DAY_MS = 86_400_000;
/** A session ends after this time without a request. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
const SESSION_MAX_MS = 90 * DAY_MS;
/** After a log-in by a link, a new password needs no old one for this time. A user who has forgotten it logs in by a link. */
const FRESH_LINK_MS = 15 * 60_000;
/** A session's last use is noted at most this often. */
const NOTED_EVERY_MS = 3_600_000;

export class Sessions {
  readonly #database: AccountsDatabase;

  constructor(database: AccountsDatabase) {
    this.#database = database;
  }

  /** Each log-in gets a new token: one that somebody planted in the browser before is worth nothing. */
  start(account: number, now: Date, { byLink = false } = {}): string {
    const token = newToken();
    const at = now.getTime();
    const { db } = this.#database;
    this.#database.transaction(() => {
      db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?)').run(hashOfToken(token), account, at, at);
      if (byLink) db.prepare('INSERT INTO link_sessions VALUES (?, ?)').run(hashOfToken(token), at + FRESH_LINK_MS);
      this.deleteExpired(now);
    });
    return token;
  }

  deleteExpired(now: Date): void {
    this.#database.db
      .prepare('DELETE FROM sessions WHERE seen_at < ? OR created_at < ?')
      .run(now.getTime() - SESSION_IDLE_MS, now.getTime() - SESSION_MAX_MS);
    this.#database.db.prepare('DELETE FROM link_sessions WHERE expires_at <= ?').run(now.getTime());
  }

  /** Whether the session began with a one-time link a short time ago. */
  isFromFreshLink(token: string, now: Date): boolean {
    const { db } = this.#database;
    const hash = hashOfToken(token);
    const row = db.prepare('SELECT 1 FROM link_sessions WHERE hash = ? AND expires_at > ?').get(hash, now.getTime());
    return row !== undefined;
  }

  /** The account's number; null: no such session, or it has ended. */
  find(token: string, now: Date): number | null {
    const at = now.getTime();
    const { db } = this.#database;
    const hash = hashOfToken(token);
    const row = db.prepare('SELECT account, created_at, seen_at FROM sessions WHERE hash = ?').get(hash) as
      | { account: number; created_at: number; seen_at: number }
      | undefined;
    if (!row || row.seen_at < at - SESSION_IDLE_MS || row.created_at < at - SESSION_MAX_MS) return null;
    if (row.seen_at < at - NOTED_EVERY_MS) this.#note(hash, at);
    return row.account;
  }

  /** If another process has the lock, the next request notes it. */
  #note(hash: Buffer, at: number): void {
    try {
      this.#database.db.prepare('UPDATE sessions SET seen_at = ? WHERE hash = ?').run(at, hash);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  end(token: string): void {
    this.#database.db.prepare('DELETE FROM sessions WHERE hash = ?').run(hashOfToken(token));
  }

  endAll(account: number): void {
    this.#database.db.prepare('DELETE FROM sessions WHERE account = ?').run(account);
  }
}
