/** Accounts in PostgreSQL: one set of accounts, keys and quotas for services on several machines. */
import type pg from 'pg';
import type { AccountsDatabase } from '../store/database.ts';
import type { Operation, StepResult } from '../store/operation.ts';
import { BEGIN, type ConnectionOptions, Connections } from './connections.ts';
import { TIME } from './database-clock.ts';
import { isAway } from './postgres-errors.ts';
import { OPERATION_LOCK, requireTables } from './tables.ts';

const NOTHING: StepResult = { rows: [], changes: 0 };
const DEFAULTS: ConnectionOptions = { most: 4, waitMaxMs: 5_000 };

export class PostgresAccounts implements AccountsDatabase {
  readonly connections: Connections;

  private constructor(connections: Connections) {
    this.connections = connections;
  }

  /** @throws FilinglakeError `accounts-unreachable`, `catalog-unsupported` */
  static async open(url: string, options: Partial<ConnectionOptions> = {}): Promise<PostgresAccounts> {
    const connections = new Connections(url, { ...DEFAULTS, ...options });
    try {
      const client = await connections.connect();
      try {
        await requireTables(client);
        const sentAt = performance.now();
        const { rows } = await client.query(`SELECT ${TIME} AS at`);
        connections.clock.note(rows[0].at, sentAt);
        // Missing rights are found now, not at the first request.
        await client.query('UPDATE usage SET bytes = bytes WHERE FALSE');
      } finally {
        client.release();
      }
      return new PostgresAccounts(connections);
    } catch (error) {
      await connections.close();
      throw connections.errorOf(error);
    }
  }

  async run<T>(operation: () => Operation<T>): Promise<T> {
    const until = performance.now() + DEFAULTS.waitMaxMs;
    for (;;) {
      const client = await this.connections.connect(until);
      const progress = { isBegun: false, hasRun: false };
      let failure: unknown = null;
      try {
        return await this.#steps(client, operation(), progress);
      } catch (error) {
        failure = error;
        if (progress.isBegun) await client.query('ROLLBACK').catch(() => {});
        // A connection that the server had closed before: nothing was done yet.
        if (!isAway(error) || progress.hasRun || performance.now() > until) throw this.connections.errorOf(error);
      } finally {
        client.release(failure !== null && isAway(failure));
      }
    }
  }

  async #steps<T>(
    client: pg.PoolClient,
    steps: Operation<T>,
    progress: { isBegun: boolean; hasRun: boolean },
  ): Promise<T> {
    let step = steps.next(NOTHING);
    while (!step.done) {
      let result = NOTHING;
      try {
        if (step.value !== 'begin') {
          const { sql, values } = step.value;
          // Without a transaction, a statement whose answer is lost may have been done.
          const isAlone = !progress.isBegun && !sql.startsWith('SELECT');
          progress.hasRun ||= isAlone;
          result = await this.connections[isAlone ? 'write' : 'query'](client, sql, values);
        } else if (!progress.isBegun) {
          progress.isBegun = true;
          await Promise.all([client.query(BEGIN), client.query(OPERATION_LOCK)]);
        }
      } catch (error) {
        step = steps.throw(error);
        continue;
      }
      step = steps.next(result);
    }
    if (progress.isBegun) {
      progress.hasRun = true;
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    }
    return step.value;
  }

  timeOf(now: Date): Date {
    return this.connections.clock.timeOf(now);
  }

  /** PostgreSQL has no log of its own to empty: deleted rows go with its next vacuum. */
  async emptyLog(): Promise<boolean> {
    return true;
  }

  close(): Promise<void> {
    return this.connections.close();
  }
}
