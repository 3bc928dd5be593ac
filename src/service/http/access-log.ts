/** A log line for each request: its caller, its waiting time, its duration. It has only the beginning of the key, and no query. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationName } from '../../api/index.ts';
import { pathOf } from './error-answers.ts';

export interface AnsweredRequest {
  operation: OperationName | null;
  status: number;
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
  const { operation, keyPrefix, startedAt } = request.notes;
  const totalMs = reply.elapsedTime;
  const workMs = startedAt === null ? null : performance.now() - startedAt;
  const waitMs = workMs === null ? null : Math.max(0, totalMs - workMs);
  const bytesSent = reply.raw.writableFinished ? Number(reply.getHeader('content-length') ?? 0) : 0;
  log?.add({ operation, status: reply.statusCode, waitMs, totalMs, bytesSent });
  // Without an access log no line is built.
  if (!isLogged(request)) return;
  request.log.info(
    {
      method: request.method,
      path: pathOf(request),
      operation,
      key: keyPrefix,
      address: request.ip,
      status: reply.statusCode,
      milliseconds: tenths(totalMs),
      wait_ms: waitMs === null ? null : tenths(waitMs),
      work_ms: workMs === null ? null : tenths(workMs),
      bytes_sent: bytesSent,
      complete: reply.raw.writableFinished,
    },
    'answered',
  );
}

function isLogged({ log }: FastifyRequest): boolean {
  const { isLevelEnabled } = log as { isLevelEnabled?: (level: string) => boolean };
  return isLevelEnabled === undefined || isLevelEnabled.call(log, 'info');
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
