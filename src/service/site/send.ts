/** Pages as answers: their headers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseCoding } from '../answers/accept.ts';
import { compress, isCompressible, MIN_BYTES_TO_COMPRESS } from '../answers/content-coding.ts';
import { type PageContent, pageText } from '../pages/index.ts';

const HTML_TYPE = 'text/html; charset=utf-8';
/** No scripts at all, nothing from elsewhere, no page of another site around ours. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** For what filers wrote: it is shown with the pictures of its filing, and can neither run anything nor send anything elsewhere. */
const FILED_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export function sendPage(reply: FastifyReply, content: PageContent, status = 200): FastifyReply {
  return sendText(reply, pageText(content), HTML_TYPE, POLICY, status);
}

export function sendFiled(reply: FastifyReply, body: string | Buffer, contentType: string): FastifyReply {
  return sendText(reply, body, contentType, FILED_POLICY, 200);
}

export function sendStyle(reply: FastifyReply, style: string): FastifyReply {
  return sendText(reply, style, 'text/css; charset=utf-8', POLICY, 200).header('cache-control', 'max-age=3600');
}

export function toDocument(reply: FastifyReply, accession: string, name: string): FastifyReply {
  const location = `/filings/${encodeURIComponent(accession)}/documents/${encodeURIComponent(name)}`;
  return withoutSharing(reply).code(302).headers({ location, 'cache-control': 'no-store' }).send();
}

export function toAccount(reply: FastifyReply): FastifyReply {
  return withoutSharing(reply).code(303).headers({ location: '/account', 'cache-control': 'no-store' }).send();
}

function sendText(
  reply: FastifyReply,
  body: string | Buffer,
  type: string,
  policy: string,
  status: number,
): FastifyReply {
  return withoutSharing(reply)
    .code(status)
    .headers({
      'content-security-policy': policy,
      'cache-control': 'no-store',
      // With `no-referrer` browsers would send forms without their origin.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    .type(type)
    .send(Buffer.from(body));
}

/** /v2 may be called by pages of other sites. These pages may not. */
function withoutSharing(reply: FastifyReply): FastifyReply {
  return reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');
}

/**
 * Packs pages and filed texts as /v2 packs its answers. Not those with the token of a session's forms: their length would tell of it,
 * beside text that a stranger chose.
 */
export async function packedPage(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const hasToken = /^\/(?:account|plans)/.test(request.routeOptions.url ?? '');
  if (hasToken || !Buffer.isBuffer(payload) || payload.length < MIN_BYTES_TO_COMPRESS) return payload;
  reply.header('vary', 'Accept-Encoding');
  const { 'accept-encoding': codings } = request.headers;
  const coding = chooseCoding(Array.isArray(codings) ? codings.join(', ') : codings);
  if (coding === null || !isCompressible(String(reply.getHeader('content-type')))) return payload;
  reply.header('content-encoding', coding).removeHeader('content-length');
  return compress(payload, coding);
}
