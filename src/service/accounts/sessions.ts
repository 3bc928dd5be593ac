/** Log-ins that last: a random token in a cookie, its hash in the database. */
import { isBusy } from '../catalog/index.ts';
import { atomically, get, type Operation, run } from './store/operation.ts';
import { hashOfToken, newToken } from './store/secrets.ts';

const DAY_MS = 86_400_000;
/** A session ends after this time without a request. */
export const SESSION_IDLE_MS = 14 * DAY_MS;
const SESSION_MAX_MS = 90 * DAY_MS;
/** After a log-in by a link, a new password needs no old one for this time. A user who has forgotten it logs in by a link. */
const FRESH_LINK_MS = 15 * 60_000;
/** A session's last use is noted at most this often. */
const NOTED_EVERY_MS = 3_600_000;

export class Sessions {
  /** Each log-in gets a new token: one that somebody planted in the browser before is worth nothing. */
  *start(account: number, now: Date, { byLink = false } = {}): Operation<string> {
    const token = newToken();
    const at = now.getTime();
    yield* atomically();
    yield* run('INSERT INTO sessions VALUES (?, ?, ?, ?)', hashOfToken(token), account, at, at);
    if (byLink) yield* run('INSERT INTO link_sessions VALUES (?, ?)', hashOfToken(token), at + FRESH_LINK_MS);
    yield* this.deleteExpired(now);
    return token;
  }

  *deleteExpired(now: Date): Operation<void> {
    yield* run(
      'DELETE FROM sessions WHERE seen_at < ? OR created_at < ?',
      ...([now.getTime() - SESSION_IDLE_MS, now.getTime() - SESSION_MAX_MS] as const),
    );
    yield* run('DELETE FROM link_sessions WHERE expires_at <= ?', now.getTime());
  }

  /** Whether the session began with a one-time link a short time ago. */
  *isFromFreshLink(token: string, now: Date): Operation<boolean> {
    const hash = hashOfToken(token);
    const row = yield* get('SELECT 1 FROM link_sessions WHERE hash = ? AND expires_at > ?', hash, now.getTime());
    return row !== undefined;
  }

  /** The account's number; null: no such session, or it has ended. */
  *find(token: string, now: Date): Operation<number | null> {
    const at = now.getTime();
    const hash = hashOfToken(token);
    const row = yield* get<{ account: number; created_at: number; seen_at: number }>(
      'SELECT account, created_at, seen_at FROM sessions WHERE hash = ?',
      hash,
    );
    if (!row || row.seen_at < at - SESSION_IDLE_MS || row.created_at < at - SESSION_MAX_MS) return null;
    if (row.seen_at < at - NOTED_EVERY_MS) yield* this.#note(hash, at);
    return row.account;
  }

  /** If another process has the lock, the next request notes it. */
  *#note(hash: Buffer, at: number): Operation<void> {
    try {
      yield* run('UPDATE sessions SET seen_at = ? WHERE hash = ?', at, hash);
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  *end(token: string): Operation<void> {
    yield* run('DELETE FROM sessions WHERE hash = ?', hashOfToken(token));
  }

  *endAll(account: number): Operation<void> {
    yield* run('DELETE FROM sessions WHERE account = ?', account);
  }
}
