/** A request to a page: its form, its session, and whether it comes from a page of this service. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FilinglakeError } from '../../core/index.ts';
import { type Account, formTokenOf, isSameText, SESSION_IDLE_MS } from '../accounts/index.ts';
import { ServiceProblem } from '../answers/problem.ts';
import type { SiteParts } from './site-parts.ts';

const SESSION = 'filinglake_session';

/**
 * The name of a cookie. With the prefix browsers take it over https alone, from this host alone: neither a page of another host of
 * the domain nor somebody on the line can plant one.
 */
function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

export function cookieOf(request: FastifyRequest, name: string, isSecure: boolean): string | null {
  const wanted = cookieName(name, isSecure);
  const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return cookies.find(([found]) => found === wanted)?.[1] || null;
}

/** @param seconds 0 ends it. @param isSecure the service is reached by https */
export function setCookie(reply: FastifyReply, name: string, value: string, seconds: number, isSecure: boolean): void {
  const secure = isSecure ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${cookieName(name, isSecure)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

/** @param session null ends it */
export function setSession(reply: FastifyReply, session: string | null, isSecure: boolean): void {
  const seconds = session === null ? 0 : Math.floor(SESSION_IDLE_MS / 1_000);
  setCookie(reply, SESSION, session ?? '', seconds, isSecure);
}

const FORM_TYPE = 'application/x-www-form-urlencoded';
const FORM_BYTES_MAX = 16 * 1024;

export interface Visitor {
  account: Account;
  session: string;
  /** For the forms of this session */
  formToken: string;
}

/** The query string of a request. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** @throws ServiceProblem 413, 415 */
export function formOf(request: FastifyRequest): URLSearchParams {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (body.length > FORM_BYTES_MAX) throw new ServiceProblem(413, 'the form is too long');
  const [type] = (request.headers['content-type'] ?? '').split(';');
  if (type?.trim().toLowerCase() !== FORM_TYPE) throw new ServiceProblem(415, 'the form is not a form');
  return new URLSearchParams(body.toString('utf8'));
}

/** Whether users reach the service by https: it serves it, a trusted proxy says so, or its stated address does. */
export function isReachedByHttps(request: FastifyRequest, ownAddress: string): boolean {
  return ownAddress.startsWith('https:') || request.protocol === 'https';
}

export function sessionIn(request: FastifyRequest, ownAddress: string): string | null {
  return cookieOf(request, SESSION, isReachedByHttps(request, ownAddress));
}

/** Who is logged in; null: nobody. */
export async function visitorOf(
  request: FastifyRequest,
  { desk, now: clock, addressOf }: Pick<SiteParts, 'desk' | 'now' | 'addressOf'>,
): Promise<Visitor | null> {
  const session = sessionIn(request, addressOf('/'));
  const now = clock();
  const id = session === null ? null : await desk.sessions.find(session, now);
  const account = id === null ? null : await desk.register.get(id, now);
  return session === null || account === null ? null : { account, session, formToken: formTokenOf(session) };
}

/**
 * Refuses a form that a page of another site sent: browsers say where a form comes from. Programs that say nothing have no cookies
 * that another site could use.
 * @throws FilinglakeError `form-refused`
 */
export function requireOwnForm(request: FastifyRequest, ownAddress: string): void {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isOwn = origin === undefined || hostOf(origin) === host || hostOf(origin) === new URL(ownAddress).host;
  if (isOwn && (site === undefined || site === 'same-origin' || site === 'none')) return;
  throw new FilinglakeError('form-refused', 'the form was sent from another site');
}

/** The form's token must be that of the session. @throws FilinglakeError `form-refused` */
export function requireFormToken(form: URLSearchParams, { formToken }: Visitor): void {
  if (isSameText(form.get('form') ?? '', formToken)) return;
  throw new FilinglakeError('form-refused', 'the form is too old: load the page again');
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : '';
}
