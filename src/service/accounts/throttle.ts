/** How often something may be tried: counted in the database, so that it holds over processes and restarts. */
import { createHash } from 'node:crypto';
import { FilinglakeError } from '../../core/index.ts';
import { get, type Operation, run } from './store/operation.ts';

/** What is limited: an address, a network, or both together. */
export type Subject = string | readonly [email: string, network: string];

export interface AttemptLimit {
  /** `log-in`, `mail`, … */
  action: string;
  attempts: number;
  windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const LIMITS = {
  /** Counted per network, so that others can't lock the owner out */
  logInToAccount: { action: 'log-in to account', attempts: 10, windowMs: 15 * MINUTE_MS },
  /** From all networks together from which the account has never logged in */
  logInFromStrangers: { action: 'log-in from strangers', attempts: 50, windowMs: 15 * MINUTE_MS },
  logInOfNetwork: { action: 'log-in of network', attempts: 50, windowMs: 15 * MINUTE_MS },
  oldPassword: { action: 'old password', attempts: 10, windowMs: 15 * MINUTE_MS },
  mailToAccount: { action: 'mail to account', attempts: 5, windowMs: HOUR_MS },
  mailFromStrangers: { action: 'mail from strangers', attempts: 10, windowMs: HOUR_MS },
  mailOfNetwork: { action: 'mail of network', attempts: 30, windowMs: HOUR_MS },
  pdf: { action: 'pdf', attempts: 20, windowMs: HOUR_MS },
  link: { action: 'link', attempts: 10, windowMs: HOUR_MS },
} as const satisfies Readonly<Record<string, AttemptLimit>>;

/** A network stays known to an account for this time after a log-in. */
const KNOWN_MS = 90 * 24 * HOUR_MS;
const KNOWN = 'known network';

export class Throttle {
  /**
   * Counts an attempt before it is made, so that simultaneous attempts count too. The database has only hashes of the subject's parts.
   * @throws FilinglakeError `attempts-exceeded`, with the minutes to wait
   */
  *count({ action, attempts, windowMs }: AttemptLimit, subject: Subject, now: Date): Operation<void> {
    const at = now.getTime();
    const row = yield* get<{ count: number; expires_at: number }>(
      `INSERT INTO attempts VALUES (?, 1, ?) ON CONFLICT (subject) DO UPDATE SET
         count = CASE WHEN attempts.expires_at <= ? THEN 1 ELSE attempts.count + 1 END,
         expires_at = CASE WHEN attempts.expires_at <= ? THEN excluded.expires_at ELSE attempts.expires_at END
       RETURNING count, expires_at`,
      ...([nameOf(action, subject), at + windowMs, at, at] as const),
    );
    if (row!.count === 1) yield* this.deleteExpired(now);
    if (row!.count <= attempts) return;
    const minutes = Math.max(1, Math.ceil((row!.expires_at - at) / MINUTE_MS));
    throw new FilinglakeError('attempts-exceeded', `too many attempts: try again in ${minutes} min`);
  }

  /** After a success. */
  *forget({ action }: AttemptLimit, subject: Subject): Operation<void> {
    yield* run('DELETE FROM attempts WHERE subject = ?', nameOf(action, subject));
  }

  /** Remembers a network from which the account has logged in. */
  *remember(email: string, network: string, now: Date): Operation<void> {
    yield* run(
      'INSERT INTO attempts VALUES (?, 0, ?) ON CONFLICT (subject) DO UPDATE SET expires_at = excluded.expires_at',
      ...([nameOf(KNOWN, [email, network]), now.getTime() + KNOWN_MS] as const),
    );
  }

  *isKnown(email: string, network: string, now: Date): Operation<boolean> {
    const row = yield* get(
      'SELECT 1 FROM attempts WHERE subject = ? AND expires_at > ?',
      ...([nameOf(KNOWN, [email, network]), now.getTime()] as const),
    );
    return row !== undefined;
  }

  /** For a deleted account. */
  *forgetAll(email: string): Operation<void> {
    yield* run("DELETE FROM attempts WHERE replace(subject, ?, '') <> subject", hashOf(email));
  }

  *deleteExpired(now: Date): Operation<void> {
    yield* run('DELETE FROM attempts WHERE expires_at <= ?', now.getTime());
  }
}

function nameOf(action: string, subject: Subject): string {
  return [action, ...[subject].flat().map(hashOf)].join(' ');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
