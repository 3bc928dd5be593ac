/** `accounts.db` as the room of accounts has it open, and waiting for the lock of another process. */
import type { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../catalog/index.ts';
import { FilinglakeError } from '../core/index.ts';
import { openAccountsDatabase } from './schema.ts';
import { transaction } from './transaction.ts';

const LOCK_WAIT_MAX_MS = 5_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

export class AccountsDatabase {
  readonly db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.db = db;
    // Deleted rows are overwritten in the file.
    db.exec('PRAGMA secure_delete=ON');
  }

  /** @param options.neverWait a lock of another process is an error at once: for servers, with `patiently` */
  static open(folder: string, options: { neverWait?: boolean } = {}): AccountsDatabase {
    return new AccountsDatabase(openAccountsDatabase(folder, options));
  }

  /** All of it or nothing. Inside another transaction it is a part of that one. */
  transaction<T>(body: () => T): T {
    return this.db.isTransaction ? body() : transaction(this.db, body);
  }

  /**
   * Empties the log beside the database, which still has what was deleted.
   * @returns false if another connection reads: try again later
   */
  emptyLog(): boolean {
    const { timeout } = this.db.prepare('PRAGMA busy_timeout').get() as { timeout: number };
    // SQLite would hold the thread while it waits for readers.
    this.db.exec('PRAGMA busy_timeout=0');
    try {
      const row = this.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      return row.busy === 0;
    } finally {
      this.db.exec(`PRAGMA busy_timeout=${timeout}`);
    }
  }

  close(): void {
    this.db.close();
  }
}

/**
 * Tries until no other process has the lock, without holding the thread.
 * @throws FilinglakeError `accounts-busy` after `waitMaxMs`; anything else that `attempt` throws
 */
export async function patiently<T>(attempt: () => T, waitMaxMs = LOCK_WAIT_MAX_MS): Promise<T> {
  const until = Date.now() + waitMaxMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() > until) {
        throw new FilinglakeError('accounts-busy', 'the accounts are locked by another process', { cause: error });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
}
