/** Links that work once, for a short time: they confirm an address, or log its owner in. */
import type { AccountsDatabase } from './database.ts';
import { hashOfToken, newToken } from './secrets.ts';

type LinkPurpose = 'confirm' | 'log-in';

export interface OneTimeLink {
  purpose: LinkPurpose;
  email: string;
  /** Hash of the password of a sign-up. The account gets it when the link is used */
  password: string | null;
}

const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = { confirm: 24 * 3_600_000, 'log-in': 30 * 60_000 };

export class OneTimeLinks {
  readonly #database: AccountsDatabase;

  constructor(database: AccountsDatabase) {
    this.#database = database;
  }

  make(purpose: LinkPurpose, email: string, password: string | null, now: Date): string {
    const token = newToken();
    const { db } = this.#database;
    this.#database.transaction(() => {
      this.deleteExpired(now);
      db.prepare('INSERT INTO one_time_links VALUES (?, ?, ?, ?, ?)').run(
        ...([hashOfToken(token), purpose, email, password, now.getTime() + LIFETIME_MS[purpose]] as const),
      );
    });
    return token;
  }

  /** Does not use the link up: mail programs open links to check them. */
  look(token: string, now: Date): OneTimeLink | null {
    const row = this.#database.db
      .prepare('SELECT purpose, email, password FROM one_time_links WHERE hash = ? AND expires_at > ?')
      .get(hashOfToken(token), now.getTime());
    return (row as unknown as OneTimeLink | undefined) ?? null;
  }

  /** Uses it up: of two callers at once, one gets it. All older links of the address end with it. */
  take(token: string, now: Date): OneTimeLink | null {
    const { db } = this.#database;
    return this.#database.transaction(() => {
      const [row] = db
        .prepare('DELETE FROM one_time_links WHERE hash = ? AND expires_at > ? RETURNING purpose, email, password')
        .all(hashOfToken(token), now.getTime()) as unknown as OneTimeLink[];
      if (row) this.dropAll(row.email);
      return row ?? null;
    });
  }

  deleteExpired(now: Date): void {
    this.#database.db.prepare('DELETE FROM one_time_links WHERE expires_at <= ?').run(now.getTime());
  }

  dropAll(email: string): void {
    this.#database.db.prepare('DELETE FROM one_time_links WHERE email = ?').run(email);
  }
}
