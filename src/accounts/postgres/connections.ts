/** Connections to the PostgreSQL server of accounts, and its errors in words that hold no secret. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { FilinglakeError } from '../../core/index.ts';
import type { StepResult, Value } from '../operation.ts';

const CONNECT_MS = 2_000;
/** A server behind a cut line answers nothing: after this time the connection is given up. */
const ANSWER_MS = 4_000;
/** The server ends what a stopped or cut-off process of ours has begun: it holds locks that others wait for. */
const LOCK_MS = 3_000;
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
  readonly #texts = new Map<string, string>();

  /** @throws FilinglakeError `setting-invalid` */
  constructor(url: string, { most, waitMaxMs }: ConnectionOptions) {
    this.#server = serverIn(url);
    this.#waitMaxMs = waitMaxMs;
    this.#pool = new pg.Pool({
      ...{ connectionString: url, max: most, pipeline: true, application_name: 'filinglake', keepAlive: true },
      ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: ANSWER_MS, statement_timeout: ANSWER_MS },
      ...{ lock_timeout: LOCK_MS, idle_in_transaction_session_timeout: ANSWER_MS },
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
        if (!isAway(error) || performance.now() > until) throw this.#unreachable(error as Error);
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

  errorOf(error: unknown): unknown {
    if (!(error instanceof Error) || error instanceof FilinglakeError) return error;
    const { code = '' } = error as { code?: string };
    if (CONTENDED.has(code)) {
      return new FilinglakeError('accounts-busy', 'the accounts are locked by another process', { cause: error });
    }
    if (!isAway(error) && !REFUSALS.some((start) => code.startsWith(start))) return error;
    return this.#unreachable(error);
  }

  #unreachable(error: Error): FilinglakeError {
    const why = error.message || (error as { code?: string }).code;
    return new FilinglakeError(
      'accounts-unreachable',
      `the PostgreSQL server of the accounts, ${this.#server}: ${why}`,
      {
        cause: error,
      },
    );
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Whether the server can't be reached now, or has just ended the connection. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: string };
  return SYSTEM_CODES.has(code) || AWAY.some((start) => code.startsWith(start)) || BROKEN.test(error.message);
}

/** Whether another attempt may succeed at once. */
export function isContended(error: unknown): boolean {
  return error instanceof Error && CONTENDED.has((error as { code?: string }).code ?? '');
}

const SYSTEM_CODES: ReadonlySet<string> = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOENT',
  ],
]);
/** Of the connection, too many connections, a shutdown or start, a server that only reads. */
const AWAY = ['08', '53', '57P', '25006', '25P03'];
/** Of pg itself, which have no code. */
const BROKEN = /timeout|terminated|not queryable|closed the connection|Connection ended/i;
/** A lock, a deadlock, a statement that took too long. */
const CONTENDED: ReadonlySet<string> = new Set(['55P03', '40P01', '40001', '57014']);
/** Log-in, missing database, missing rights. */
const REFUSALS = ['28', '3D', '42501'];

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
