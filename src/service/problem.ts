/** An error answer: its status, message and headers. */
import type { HttpStatus } from '../core/index.ts';

/** The caller has closed the connection. Only the log shows it; the number is that of nginx. */
export const CLIENT_LEFT = 499;
export type ProblemStatus = HttpStatus | typeof CLIENT_LEFT;

/**
 * Thrown between the request and the answer. It becomes `{"error": message}` with this status (docs/api.md#errors). The message
 * is for the caller: it names the parameter or record, never a path or a query of this machine.
 */
export class ServiceProblem extends Error {
  override name = 'ServiceProblem';
  readonly status: ProblemStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ProblemStatus,
    message: string,
    options: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
  }
}

export function badRequest(message: string): ServiceProblem {
  return new ServiceProblem(400, message);
}

export function notFound(message: string): ServiceProblem {
  return new ServiceProblem(404, message);
}

/** @param retryAfterSeconds when to send the request again */
export function unavailable(message: string, retryAfterSeconds: number): ServiceProblem {
  return new ServiceProblem(503, message, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

/** SQLite's result code, without the detail in the higher bits; 0 for other errors. */
function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

export function isSqliteBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** A full or failing disk. */
export function isSqliteWriteFailure(error: unknown): boolean {
  return [SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN].includes(resultCode(error));
}

/** Another process has locked a database for longer than the time limit: worth a retry. Null for any other error. */
export function busyProblem(error: unknown): ServiceProblem | null {
  return isSqliteBusy(error) ? unavailable('the catalog is busy', 1) : null;
}
