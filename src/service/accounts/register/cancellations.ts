/**
 * Cancellations that the billing provider must get, even if it is down now: of deleted accounts, and of plans that a larger one
 * replaced. They are sent until the provider takes them. It may get one twice.
 */
import type { AccountsDatabase } from '../store/database.ts';
import { all, type Operation, run } from '../store/operation.ts';

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 3_600_000;

export class Cancellations {
  #sending: Promise<void> | null = null;

  *add(reference: string, now: Date): Operation<void> {
    yield* run('INSERT INTO cancellations VALUES (?, 0, ?) ON CONFLICT DO NOTHING', reference, now.getTime());
  }

  /** Sends those that are due. What fails is tried again after 1, 2, 4, … minutes, then each hour. */
  deliver(...given: Parameters<typeof deliverDue>): Promise<void> {
    this.#sending ??= deliverDue(...given).finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }
}

async function deliverDue(
  database: AccountsDatabase,
  send: (reference: string) => Promise<void>,
  now: () => Date,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const due = await database.run(() =>
    all<{ reference: string; attempts: number }>(
      'SELECT reference, attempts FROM cancellations WHERE due_at <= ? ORDER BY due_at',
      now().getTime(),
    ),
  );
  for (const { reference, attempts } of due) {
    try {
      await send(reference);
      await database.run(() => run('DELETE FROM cancellations WHERE reference = ?', reference));
    } catch (error) {
      onFailure(error);
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10));
      await database.run(() =>
        run(
          'UPDATE cancellations SET attempts = attempts + 1, due_at = ? WHERE reference = ?',
          ...([now().getTime() + pause, reference] as const),
        ),
      );
    }
  }
}
