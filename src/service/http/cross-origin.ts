/** Web pages of other origins may send requests: an answer depends on the key of the request, never on a cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Headers of every answer. */
export const SHARED_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
};

/** Browsers then use https alone for this host, for a year. */
export const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' } as const;

/** Whether the request is a browser's preflight. Any other OPTIONS is answered 405. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-API-Key, X-Request-Id',
      'access-control-max-age': '86400',
    })
    .send();
}
