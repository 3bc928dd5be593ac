/**
 * Cancellations that the billing provider must get, even if it is down now: of deleted accounts, and of plans that a larger one
 * replaced. They are sent until the provider takes them. It may get one twice.
 */
import type { AccountsDatabase } from '../database.ts';

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

export class Cancellations {
  readonly #database: AccountsDatabase;
  #sending: Promise<void> | null = null;

  constructor(database: AccountsDatabase) {
    this.#database = database;
  }

  add(reference: string, now: Date): void {
    this.#database.db
      .prepare('INSERT INTO cancellations VALUES (?, 0, ?) ON CONFLICT DO NOTHING')
      .run(reference, now.getTime());
  }

  /** Sends those that are due. What fails is tried again after 1, 2, 4, … minutes, then each hour. */
  deliver(
    send: (reference: string) => Promise<void>,
    now: () => Date,
    onFailure: (error: unknown) => void,
  ): Promise<void> {
    this.#sending ??= this.#deliver(send, now, onFailure).finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #deliver(
    send: (reference: string) => Promise<void>,
    now: () => Date,
    onFailure: (error: unknown) => void,
  ): Promise<void> {
    const { db } = this.#database;
    const due = db
      .prepare('SELECT reference, attempts FROM cancellations WHERE due_at <= ? ORDER BY due_at')
      .all(now().getTime()) as { reference: string; attempts: number }[];
    for (const { reference, attempts } of due) {
      try {
        await send(reference);
        db.prepare('DELETE FROM cancellations WHERE reference = ?').run(reference);
      } catch (error) {
        onFailure(error);
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10));
        db.prepare('UPDATE cancellations SET attempts = attempts + 1, due_at = ? WHERE reference = ?').run(
          now().getTime() + pause,
          reference,
        );
      }
    }
  }
}
