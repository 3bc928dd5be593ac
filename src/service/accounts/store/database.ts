/** The database of accounts, as the rest of the room has it: it runs operations. Here `accounts.db`. */
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { FilinglakeError } from '../../../core/index.ts';
import { ACCOUNTS_FILE, databaseError, isBusy } from '../../catalog/index.ts';
import type { Operation, Step, StepResult } from './operation.ts';
import { openAccountsDatabase } from './schema.ts';

const LOCK_WAIT_MAX_MS = 5_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
const NOTHING: StepResult = { rows: [], changes: 0 };

export interface AccountsDatabase {
  /**
   * @param operation may be called again, if nothing was changed
   * @throws FilinglakeError `accounts-busy`, `accounts-unreachable`; anything else that the operation throws
   */
  run<T>(operation: () => Operation<T>): Promise<T>;
  /** By the clock of the database, if that is another machine. @param now by the clock of this one */
  timeOf(now: Date): Date;
  /** Takes what was deleted out of the database's log. @returns false if another connection reads: try again */
  emptyLog(): Promise<boolean>;
  close(): Promise<void>;
}

/** `accounts.db`. An operation is done in one piece: nothing else of this process happens meanwhile. */
export class AccountsFile implements AccountsDatabase {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #statements: SqliteStatements;

  private constructor(db: DatabaseSync, folder: string) {
    this.#db = db;
    this.#file = join(folder, ACCOUNTS_FILE);
    this.#statements = new SqliteStatements(db);
    // Deleted rows are overwritten in the file.
    db.exec('PRAGMA secure_delete=ON');
  }

  /** @param options.neverWait a lock of another process is an error at once: for servers */
  static open(folder: string, options: { neverWait?: boolean } = {}): AccountsFile {
    return new AccountsFile(openAccountsDatabase(folder, options), folder);
  }

  run<T>(operation: () => Operation<T>): Promise<T> {
    return patiently(() => this.runNow(operation));
  }

  /** @throws SQLite's error if another process has the lock; FilinglakeError `catalog-unwritable`, `catalog-unreadable` */
  runNow<T>(operation: () => Operation<T>): T {
    try {
      return this.#statements.run(operation);
    } catch (error) {
      throw databaseError(this.#file, error);
    }
  }

  timeOf(now: Date): Date {
    return now;
  }

  async emptyLog(): Promise<boolean> {
    const { timeout } = this.#db.prepare('PRAGMA busy_timeout').get() as { timeout: number };
    // SQLite would hold the thread while it waits for readers.
    this.#db.exec('PRAGMA busy_timeout=0');
    try {
      const row = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
      return row.busy === 0;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    } finally {
      this.#db.exec(`PRAGMA busy_timeout=${timeout}`);
    }
  }

  async close(): Promise<void> {
    this.closeNow();
  }

  closeNow(): void {
    this.#db.close();
  }
}

/** Runs operations on an open database. */
export class SqliteStatements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** A statement, prepared once. */
  prepare(sql: string): StatementSync {
    const statement = this.#prepared.get(sql) ?? this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }

  run<T>(operation: () => Operation<T>): T {
    const steps = operation();
    let isBegun = false;
    try {
      let step = steps.next(NOTHING);
      while (!step.done) {
        let result: StepResult;
        try {
          if (step.value !== 'begin') result = this.#execute(step.value);
          else {
            if (!isBegun) this.#db.exec('BEGIN IMMEDIATE');
            isBegun = true;
            result = NOTHING;
          }
        } catch (error) {
          step = steps.throw(error);
          continue;
        }
        step = steps.next(result);
      }
      if (isBegun) this.#db.exec('COMMIT');
      return step.value;
    } catch (error) {
      // A COMMIT that failed on a full disk has rolled back already. A second error would hide the first.
      if (isBegun && this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #execute({ sql, values, hasRows }: Exclude<Step, string>): StepResult {
    const statement = this.prepare(sql);
    if (!hasRows) return { rows: [], changes: Number(statement.run(...values).changes) };
    // SQLite's rows have no prototype.
    return { rows: statement.all(...values).map((row) => ({ ...row })), changes: 0 };
  }
}

/** Tries until no other process has the lock, blocking no thread. @throws `accounts-busy`; what `attempt` throws */
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
