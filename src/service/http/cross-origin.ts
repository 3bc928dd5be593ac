/** Pages of other origins may ask: answers belong to the key that is sent with each request, never to a cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';

/** With every answer. */
export const SHARED_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
};

/** A browser asks whether it may ask. Any other OPTIONS is answered 405. */
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
