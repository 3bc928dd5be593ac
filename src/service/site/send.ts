/** Pages as answers: their headers, and the cookie of a session. */
import type { FastifyReply } from 'fastify';
import { SESSION_IDLE_MS } from '../../accounts/index.ts';
import { type PageContent, pageText } from '../../pages/index.ts';
import { sessionCookie } from './visit.ts';

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
/** For what filers wrote: it is shown, and can neither run, load nor send anything. */
const FILED_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

export function sendPage(reply: FastifyReply, content: PageContent, status = 200): FastifyReply {
  return sendText(reply, pageText(content), HTML_TYPE, POLICY, status);
}

export function sendFiled(reply: FastifyReply, body: string | Buffer, contentType: string): FastifyReply {
  return sendText(reply, body, contentType, FILED_POLICY, 200);
}

export function sendStyle(reply: FastifyReply, style: string): FastifyReply {
  return sendText(reply, style, 'text/css; charset=utf-8', POLICY, 200).header('cache-control', 'max-age=3600');
}

export function toAccount(reply: FastifyReply): FastifyReply {
  return withoutSharing(reply).code(303).headers({ location: '/account', 'cache-control': 'no-store' }).send();
}

/** @param session null ends it. @param isSecure the service is reached by https */
export function setSession(reply: FastifyReply, session: string | null, isSecure: boolean): void {
  const seconds = session === null ? 0 : Math.floor(SESSION_IDLE_MS / 1_000);
  const secure = isSecure ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${sessionCookie(isSecure)}=${session ?? ''}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
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
