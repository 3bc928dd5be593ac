/** Turns any error of a request into `{"error"}` with its status. Unexpected errors are logged, and their details are not sent. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpStatus } from '../../core/index.ts';
import { JSON_TYPE } from '../answers/outcome.ts';
import { busyProblem, ServiceProblem } from '../answers/problem.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { loggedError, maskKeys, shownPath } from './shown-text.ts';

/** Our messages for requests that fastify refuses, by its error code. */
const FRAMEWORK_PROBLEMS: Readonly<Record<string, readonly [status: HttpStatus, message: string]>> = {
  FST_ERR_BAD_URL: [400, 'the path of the URL is not valid percent-encoded UTF-8'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, `the body is longer than ${MAX_BODY_BYTES} bytes`],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'the body is not as long as its Content-Length says'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'the body must be sent as application/json'],
  FST_ERR_ASYNC_CONSTRAINT: [400, 'the request could not be routed'],
  ECONNRESET: [400, 'the request was cut off'],
};

/** @returns the problem for the caller */
export function problemOf(error: unknown, request: FastifyRequest): ServiceProblem {
  if (error instanceof ServiceProblem) {
    if (typeof error.cause === 'string')
      request.log.error({ request_id: request.id, path: pathOf(request) }, error.cause);
    return error;
  }
  const busy = busyProblem(error);
  if (busy) return busy;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const framework = FRAMEWORK_PROBLEMS[code];
  if (framework) return new ServiceProblem(framework[0], framework[1]);
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return new ServiceProblem(status as HttpStatus, 'the request could not be read');
  request.log.error({ request_id: request.id, err: loggedError(error), path: pathOf(request) }, 'an operation failed');
  return new ServiceProblem(500, `internal error; it is logged with the request id ${request.id}`);
}

export function sendProblem(
  reply: FastifyReply,
  problem: ServiceProblem,
  headers: Record<string, string> = {},
): FastifyReply {
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', 'x-request-id': reply.request.id, ...problem.headers, ...headers })
    .type(JSON_TYPE)
    .send(problemBody(problem));
}

export function problemBody(problem: ServiceProblem): Buffer {
  return Buffer.from(JSON.stringify({ error: maskKeys(problem.message) }));
}

/** The path without secrets, for logs and answers. */
export function pathOf(request: FastifyRequest): string {
  return shownPath(request.raw.url ?? '');
}
