/** How often something may be tried: counted in the database, so that it holds over processes and restarts. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { FilinglakeError } from '../core/index.ts';
import type { AccountsDatabase } from './database.ts';

export interface AttemptLimit {
  /** `log-in`, `mail`, … */
  action: string;
  attempts: number;
  windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const LIMITS = {
  logInOfAccount: { action: 'log-in of account', attempts: 10, windowMs: 15 * MINUTE_MS },
  logInOfAddress: { action: 'log-in of address', attempts: 50, windowMs: 15 * MINUTE_MS },
  mailToAccount: { action: 'mail to account', attempts: 5, windowMs: HOUR_MS },
  mailOfAddress: { action: 'mail of address', attempts: 30, windowMs: HOUR_MS },
  pdf: { action: 'pdf', attempts: 20, windowMs: HOUR_MS },
  link: { action: 'link', attempts: 10, windowMs: HOUR_MS },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

export class Throttle {
  readonly #database: AccountsDatabase;

  constructor(database: AccountsDatabase) {
    this.#database = database;
  }

  /**
   * Counts an attempt, before it is made: so many at once are counted too. Stored is a hash of the subject.
   * @throws FilinglakeError `attempts-exceeded`, with the minutes to wait
   */
  count({ action, attempts, windowMs }: AttemptLimit, subject: string, now: Date): void {
    const at = now.getTime();
    const [row] = this.#database.db
      .prepare(
        `INSERT INTO attempts VALUES (:subject, 1, :end) ON CONFLICT DO UPDATE SET
           count = CASE WHEN expires_at <= :now THEN 1 ELSE count + 1 END,
           expires_at = CASE WHEN expires_at <= :now THEN :end ELSE expires_at END
         RETURNING count, expires_at`,
      )
      .all({ subject: nameOf(action, subject), now: at, end: at + windowMs }) as {
      count: number;
      expires_at: number;
    }[];
    if (row!.count === 1) this.#database.db.prepare('DELETE FROM attempts WHERE expires_at <= ?').run(at);
    if (row!.count <= attempts) return;
    const minutes = Math.max(1, Math.ceil((row!.expires_at - at) / MINUTE_MS));
    throw new FilinglakeError('attempts-exceeded', `too many attempts: try again in ${minutes} min`);
  }

  /** After a success. */
  forget({ action }: AttemptLimit, subject: string): void {
    this.#database.db.prepare('DELETE FROM attempts WHERE subject = ?').run(nameOf(action, subject));
  }
}

function nameOf(action: string, subject: string): string {
  return `${action} ${createHash('sha256').update(subject).digest('base64url')}`;
}

/** One house has many IPv6 addresses: the first 64 bits name it. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const first = head.split(':').filter((part) => part !== '');
  const last = tail.split(':').filter((part) => part !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
