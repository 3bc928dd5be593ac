/** A log line for each request: its caller, its waiting time, its duration. It has only the beginning of the key, and no query. */
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { OperationName } from '../../api/index.ts';
import { pathOf } from './error-answers.ts';
import type { QuotaLimit } from './request-notes.ts';

export interface AnsweredRequest {
  operation: OperationName | null;
  status: number;
  /** The quota that is used up, if the request was refused for it */
  quotaRefused: QuotaLimit | null;
  /** Until its job left the queue; null if it had no job */
  waitMs: number | null;
  /** Since its arrival */
  totalMs: number;
  bytesSent: number;
}

export interface AccessLog {
  add(answered: AnsweredRequest): void;
}

export function logAnswer(request: FastifyRequest, reply: FastifyReply, log: AccessLog | undefined): void {
  const { operation, keyPrefix, quotaRefused, startedAt } = request.notes;
  const complete = reply.raw.writableFinished;
  const totalMs = reply.elapsedTime;
  const workMs = startedAt === null ? null : performance.now() - startedAt;
  const waitMs = workMs === null ? null : Math.max(0, totalMs - workMs);
  const bytesSent = complete ? Number(reply.getHeader('content-length') ?? 0) : 0;
  logAnswered(request.log, log, {
    ...{ method: request.method, path: pathOf(request), operation, key: keyPrefix, address: request.ip },
    ...{ status: reply.statusCode, quotaRefused, waitMs, workMs, totalMs, bytesSent, complete },
  });
}

export interface LoggedRequest extends AnsweredRequest {
  method: string;
  /** Without its query */
  path: string;
  /** The beginning of the key */
  key: string | null;
  address: string | undefined;
  workMs: number | null;
  /** The client took all of the answer */
  complete: boolean;
  /** If the logger does not add it */
  requestId?: string;
}

/** Counts an answer, and writes its line. */
export function logAnswered(logger: FastifyBaseLogger, log: AccessLog | undefined, answered: LoggedRequest): void {
  log?.add(answered);
  // Without an access log no line is built.
  if (!isLogged(logger)) return;
  const { method, path, operation, key, address, status, waitMs, workMs, totalMs, bytesSent, complete } = answered;
  logger.info(
    {
      ...(answered.requestId === undefined ? {} : { request_id: answered.requestId }),
      ...{ method, path, operation, key, address, status, milliseconds: tenths(totalMs) },
      wait_ms: waitMs === null ? null : tenths(waitMs),
      work_ms: workMs === null ? null : tenths(workMs),
      bytes_sent: bytesSent,
      complete,
    },
    'answered',
  );
}

function isLogged(log: FastifyBaseLogger): boolean {
  const { isLevelEnabled } = log as { isLevelEnabled?: (level: string) => boolean };
  return isLevelEnabled === undefined || isLevelEnabled.call(log, 'info');
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
