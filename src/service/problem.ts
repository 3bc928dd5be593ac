/** An answer that is an error: its status, its message, and the headers that go with it. */

/**
 * Thrown anywhere between the request and the answer; becomes `{"error": message}` with this status (CONTRACT section 3).
 * The message is for the caller: it names the parameter or record, never a path or a query of this machine.
 */
export class ServiceProblem extends Error {
  override name = 'ServiceProblem';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, options: { headers?: Record<string, string>; cause?: unknown } = {}) {
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

/** @param retryAfterSeconds when it is worth asking again */
export function unavailable(message: string, retryAfterSeconds: number): ServiceProblem {
  return new ServiceProblem(503, message, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** A database that another process keeps locked for longer than anybody waits: worth asking again. Null for any other error. */
export function busyProblem(error: unknown): ServiceProblem | null {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === SQLITE_BUSY || code === SQLITE_LOCKED ? unavailable('the catalog is busy', 1) : null;
}
