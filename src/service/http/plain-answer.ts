/** Writes an answer of a plain request, and its line of the access log. */
import { isAscii } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { OperationName } from '../../api/index.ts';
import type { ContentCoding } from '../answers/accept.ts';
import type { Outcome } from '../answers/outcome.ts';
import { type AccessLog, logAnswered } from './access-log.ts';
import { SHARED_HEADERS, STRICT_TRANSPORT } from './cross-origin.ts';
import { forwardedRequest } from './forwarded.ts';
import type { PendingAnswers } from './pending-answers.ts';
import { requestIdOf } from './request-id.ts';
import { shownPath } from './shown-text.ts';

export interface PlainAnswer {
  request: IncomingMessage;
  response: ServerResponse;
  operation: OperationName;
  outcome: Outcome;
  /** Of the outcome, in its coding */
  body: Uint8Array;
  coding: ContentCoding | null;
  /** The beginning of the key */
  prefix: string;
  requestId: string | undefined;
  /** Arrival and start of the work, by performance.now() */
  arrivedAt: number;
  startedAt: number;
}

export interface PlainAnswerParts {
  pending: PendingAnswers;
  logger: FastifyBaseLogger;
  isClosing: () => boolean;
  accessLog?: AccessLog;
  /** Whether an address is a trusted proxy's; null: there is none */
  isTrustedProxy: ((address: string) => boolean) | null;
}

const SHARED = Object.entries(SHARED_HEADERS).flat();
const STRICT = Object.entries(STRICT_TRANSPORT).flat();
/** Longer texts cost more as texts than they save. */
const SENT_AS_TEXT_MAX = 64 * 1024;

/** @param quota the headers about the quota */
export function sendPlain(answer: PlainAnswer, quota: Record<string, string>, parts: PlainAnswerParts): void {
  const { request, response, outcome, body, coding, prefix } = answer;
  const id = requestIdOf(answer.requestId);
  const headers = ['x-request-id', id, ...SHARED, 'vary', 'Accept, Accept-Encoding'];
  if (outcome.etag === null) headers.push('cache-control', 'no-store');
  else headers.push('cache-control', 'private, no-cache', 'etag', outcome.etag);
  headers.push('content-type', outcome.contentType, 'content-length', String(body.byteLength));
  if (coding !== null) headers.push('content-encoding', coding);
  if (forwardedRequest(request, parts.isTrustedProxy).isSecure) headers.push(...STRICT);
  for (const name in quota) headers.push(name, quota[name]!);
  if (parts.isClosing()) headers.push('connection', 'close');
  response.writeHead(200, headers);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (coding === null && bytes.length < SENT_AS_TEXT_MAX && isAscii(bytes)) {
    // As a text it is sent in one piece with the headers.
    response.end(bytes.toString('latin1'), 'latin1');
  } else response.end(bytes);
  const { socket } = response;
  if (socket !== null && !socket.destroyed && socket.writableLength === 0) {
    // The system has taken the answer already.
    log(answer, id, true, parts);
    return;
  }
  if (response.destroyed) {
    // Its caller left while it was counted.
    log(answer, id, false, parts);
    return;
  }
  parts.pending.add(prefix, body.byteLength, response);
  response.once('close', () => log(answer, id, response.writableFinished, parts));
}

function log(answer: PlainAnswer, requestId: string, complete: boolean, parts: PlainAnswerParts): void {
  const { request, operation, prefix, arrivedAt, startedAt, body } = answer;
  const { address } = forwardedRequest(request, parts.isTrustedProxy);
  const now = performance.now();
  logAnswered(parts.logger, parts.accessLog, {
    ...{ method: 'GET', path: shownPath(request.url!), operation, key: prefix, status: 200, quotaRefused: null },
    ...{ address, waitMs: startedAt - arrivedAt },
    ...{ workMs: now - startedAt, totalMs: now - arrivedAt },
    ...{ bytesSent: complete ? body.byteLength : 0, complete, requestId },
  });
}
