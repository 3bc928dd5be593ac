/** A log line for each request: its caller, its waiting time, its duration. It has only the beginning of the key, and no query. */
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { OperationName } from '../../filings/api/index.ts';
import type { QuotaLimit } from '../accounts/index.ts';
import type { RequestNotes } from './request-notes.ts';
import { shownPath } from './shown-text.ts';

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

interface EndedRequest {
  request: IncomingMessage;
  notes: RequestNotes;
  status: number;
  /** By performance.now() */
  arrivedAt: number;
  address: string | undefined;
  bytes: number;
  /** The client took all of the answer */
  complete: boolean;
  requestId: string;
}

/** Counts an answer, and writes its line. */
export function logAnswer(logger: FastifyBaseLogger, log: AccessLog | undefined, ended: EndedRequest): void {
  const { request, notes, status, arrivedAt, address, complete, requestId } = ended;
  const { operation, keyPrefix, quotaRefused, startedAt } = notes;
  const now = performance.now();
  const totalMs = now - arrivedAt;
  const workMs = startedAt === null ? null : now - startedAt;
  const waitMs = workMs === null ? null : Math.max(0, totalMs - workMs);
  const bytesSent = complete ? ended.bytes : 0;
  log?.add({ operation, status, quotaRefused, waitMs, totalMs, bytesSent });
  // Without an access log no line is built.
  if (!isLogged(logger)) return;
  logger.info(
    {
      request_id: requestId,
      method: request.method,
      path: shownPath(request.url ?? ''),
      operation,
      key: keyPrefix,
      address,
      status,
      milliseconds: tenths(totalMs),
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
