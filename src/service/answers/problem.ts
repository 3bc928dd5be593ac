/** An error answer: its status, message and headers. */
import type { HttpStatus } from '../../core/index.ts';
import { isBusy } from '../catalog/index.ts';

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

/** Another process has locked a database for longer than the time limit: worth a retry. Null for any other error. */
export function busyProblem(error: unknown): ServiceProblem | null {
  return isBusy(error) ? unavailable('the catalog is busy', 1) : null;
}
