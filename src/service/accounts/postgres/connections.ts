/** Connections to the PostgreSQL server of accounts. No error or log repeats the address, which may hold a password. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { StepResult, Value } from '../store/operation.ts';
import { DatabaseClock } from './database-clock.ts';
import { accountsError, isAway, unreachable } from './postgres-errors.ts';

const CONNECT_MS = 2_000;
/** A server behind a cut line answers nothing: after this time the connection is given up. */
const ANSWER_MS = 4_000;
const LOCK_MS = 3_000;
/**
 * The server ends what a stopped or cut-off process of ours has begun: it holds locks that others wait for. Limits are those of the
 * transaction, not of the connection: a pooler gives each transaction another one.
 */
export const BEGIN = `BEGIN; SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL statement_timeout = ${ANSWER_MS};
  SET LOCAL idle_in_transaction_session_timeout = ${ANSWER_MS}`;
const TRY_EVERY_MS = 100;
const INT8 = 20;

export interface ConnectionOptions {
  /** Connections at a time */
  most: number;
  /** How long an operation waits for a server that is away */
  waitMaxMs: number;
}

export class Connections {
  readonly #pool: pg.Pool;
  readonly #waitMaxMs: number;
  readonly #server: string;
  readonly clock = new DatabaseClock();
  readonly #texts = new Map<string, string>();

  /** @throws FilinglakeError `setting-invalid` */
  constructor(url: string, { most, waitMaxMs }: ConnectionOptions) {
    this.#server = serverIn(url);
    this.#waitMaxMs = waitMaxMs;
    this.#pool = new pg.Pool({
      connectionString: alwaysVerified(url),
      max: most,
      pipeline: true,
      application_name: 'filinglake',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      types: { getTypeParser: (type, format) => (type === INT8 ? Number : pg.types.getTypeParser(type, format)) },
    } as pg.PoolConfig);
    // A connection that broke while nobody used it: the next operation opens another.
    this.#pool.on('error', () => {});
  }

  /** Waits for a server that is away or starts. @throws FilinglakeError `accounts-unreachable` */
  async connect(until = performance.now() + this.#waitMaxMs): Promise<pg.PoolClient> {
    for (;;) {
      try {
        const client = await this.#pool.connect();
        // Without a listener, a connection that breaks would end the process.
        if (client.listenerCount('error') === 0) client.on('error', () => {});
        return client;
      } catch (error) {
        // Certificates, passwords and names of databases are found wrong here.
        if (!isAway(error) || performance.now() > until) throw unreachable(error as Error, this.#server);
      }
      await pause(TRY_EVERY_MS);
    }
  }

  /** @param sql with `?` for each value */
  async query(client: pg.PoolClient, sql: string, values: readonly (Value | readonly Value[])[]): Promise<StepResult> {
    let text = this.#texts.get(sql);
    if (text === undefined) {
      let number = 0;
      text = sql.replaceAll('?', () => `$${++number}`);
      this.#texts.set(sql, text);
    }
    const { rows, rowCount } = await client.query(text, values.map(sendable));
    return { rows, changes: rowCount ?? 0 };
  }

  /** A statement that writes, in a transaction of its own. */
  async write(client: pg.PoolClient, sql: string, values: readonly Value[]): Promise<StepResult> {
    const sent = [client.query(BEGIN), this.query(client, sql, values), client.query('COMMIT')] as const;
    await Promise.allSettled(sent);
    const [, result, { command }] = await Promise.all(sent);
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    return result;
  }

  errorOf(error: unknown): unknown {
    return accountsError(error, this.#server);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** PostgreSQL's texts have no NUL. With another character in its place, nothing is found. */
function sendable(value: Value | readonly Value[]): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

/** Host, port and database, without user and password. */
function serverIn(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' };
  return `${host || 'localhost'}${pathname}`;
}

/** pg verifies certificates in each of these modes, and warns that it will not: by this name it always does. */
function alwaysVerified(url: string): string {
  return /[?&]uselibpqcompat=/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}
