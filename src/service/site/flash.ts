/**
 * What a form's answer shows once, on the page that it leads to: so a page loaded again sends no form again. It travels in a cookie
 * that is signed by the session: no other host can write one. The service stores nothing.
 */
import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameText } from '../accounts/index.ts';
import type { Message } from '../pages/index.ts';
import { cookieOf, setCookie } from './visit.ts';

export interface Flash {
  message: Message | null;
  newKey: { api_key: string; name: string | null } | null;
}

const NAME = 'filinglake_once';
const SECONDS = 60;
const NOTHING: Flash = { message: null, newKey: null };

export function setFlash(reply: FastifyReply, flash: Flash, session: string, isSecure: boolean): void {
  const text = Buffer.from(JSON.stringify(flash)).toString('base64url');
  setCookie(reply, NAME, `${text}.${signed(text, session)}`, SECONDS, isSecure);
}

/** Reads it, and has the browser forget it. */
export function takeFlash(request: FastifyRequest, reply: FastifyReply, session: string, isSecure: boolean): Flash {
  const cookie = cookieOf(request, NAME, isSecure);
  if (cookie === null) return NOTHING;
  setCookie(reply, NAME, '', 0, isSecure);
  const [text = '', signature = ''] = cookie.split('.');
  if (!isSameText(signature, signed(text, session))) return NOTHING;
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Flash;
}

function signed(text: string, session: string): string {
  return createHmac('sha256', session).update(`once ${text}`).digest('base64url');
}
