/**
 * The usage of deleted accounts, until their month ends: a new account of the same mailbox does not get a second month. Mailboxes
 * are stored as their HMAC, under a secret that is deleted with the month.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { meterOf } from '../keys/known-keys.ts';
import { monthOf } from '../keys/plan-of-month.ts';
import { usageOfMeter } from '../keys/usage-days.ts';
import { atomically, get, type Operation, run } from '../store/operation.ts';
import { mailboxOf } from './email.ts';

const SECRET_BYTES = 32;

export class Departed {
  /** Keeps what the account has used in the month of `now`. */
  *note(account: number, email: string, now: Date): Operation<void> {
    yield* atomically();
    yield* this.deleteEarlier(now);
    const meter = yield* meterOf(account);
    const goesOn = yield* get(
      'SELECT 1 FROM accounts WHERE id <> ? AND coalesce(meter, id) = ? AND deleted_at IS NULL',
      ...([account, -meter] as const),
    );
    const { requests, bytes, work_seconds } = yield* usageOfMeter(meter, monthOf(now));
    // Another account counts there.
    if (goesOn !== undefined || requests + work_seconds === 0) return;
    yield* run(
      `INSERT INTO departed (address, month, requests, bytes, ms) VALUES (?, ?, ?, ?, ?) ON CONFLICT (address, month)
       DO UPDATE SET requests = excluded.requests, bytes = excluded.bytes, ms = excluded.ms`,
      ...([yield* this.#hash(email, now), monthOf(now), requests, bytes, Math.round(work_seconds * 1_000)] as const),
    );
  }

  /** Gives a new account what its mailbox has used in this month. */
  *take(account: number, email: string, now: Date): Operation<void> {
    yield* atomically();
    yield* this.deleteEarlier(now);
    const used = yield* get<{ requests: number; bytes: number; ms: number }>(
      'DELETE FROM departed WHERE address = ? AND month = ? RETURNING requests, bytes, coalesce(ms, 0) AS ms',
      ...([yield* this.#hash(email, now), monthOf(now)] as const),
    );
    if (!used) return;
    yield* run('INSERT INTO usage VALUES (?, ?, ?, ?)', -account, monthOf(now), used.requests, used.bytes);
    yield* run('INSERT INTO work VALUES (?, ?, ?)', -account, monthOf(now), used.ms);
  }

  *deleteEarlier(now: Date): Operation<void> {
    for (const table of ['departed', 'month_secrets']) yield* run(`DELETE FROM ${table} WHERE month < ?`, monthOf(now));
  }

  *#hash(email: string, now: Date): Operation<Buffer> {
    const month = monthOf(now);
    yield* run('INSERT INTO month_secrets VALUES (?, ?) ON CONFLICT DO NOTHING', month, randomBytes(SECRET_BYTES));
    const row = yield* get<{ secret: Uint8Array }>('SELECT secret FROM month_secrets WHERE month = ?', month);
    const { secret } = row!;
    const { name, domain } = mailboxOf(email);
    return createHmac('sha256', secret).update(`${name}@${domain}`).digest();
  }
}
