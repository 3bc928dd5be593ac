/** Links that work once, for a short time: they confirm an address, or log its owner in. */
import { atomically, get, type Operation, run } from './store/operation.ts';
import { hashOfToken, newToken } from './store/secrets.ts';

type LinkPurpose = 'confirm' | 'log-in';

export interface OneTimeLink {
  purpose: LinkPurpose;
  email: string;
  /** Hash of the password of a sign-up. The account gets it when the link is used */
  password: string | null;
}

const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = { confirm: 24 * 3_600_000, 'log-in': 30 * 60_000 };

export class OneTimeLinks {
  *make(purpose: LinkPurpose, email: string, password: string | null, now: Date): Operation<string> {
    const token = newToken();
    yield* atomically();
    yield* this.deleteExpired(now);
    yield* run(
      'INSERT INTO one_time_links VALUES (?, ?, ?, ?, ?)',
      ...([hashOfToken(token), purpose, email, password, now.getTime() + LIFETIME_MS[purpose]] as const),
    );
    return token;
  }

  /** Does not use the link up: mail programs open links to check them. */
  *look(token: string, now: Date): Operation<OneTimeLink | null> {
    const row = yield* get<OneTimeLink>(
      'SELECT purpose, email, password FROM one_time_links WHERE hash = ? AND expires_at > ?',
      ...([hashOfToken(token), now.getTime()] as const),
    );
    return row ?? null;
  }

  /** Uses it up: of two callers at once, one gets it. All older links of the address end with it. */
  *take(token: string, now: Date): Operation<OneTimeLink | null> {
    yield* atomically();
    const row = yield* get<OneTimeLink>(
      'DELETE FROM one_time_links WHERE hash = ? AND expires_at > ? RETURNING purpose, email, password',
      ...([hashOfToken(token), now.getTime()] as const),
    );
    if (row) yield* this.dropAll(row.email);
    return row ?? null;
  }

  *deleteExpired(now: Date): Operation<void> {
    yield* run('DELETE FROM one_time_links WHERE expires_at <= ?', now.getTime());
  }

  *dropAll(email: string): Operation<void> {
    yield* run('DELETE FROM one_time_links WHERE email = ?', email);
  }
}
