/** Random tokens of sessions and one-time links. The database has only their hashes. */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function hashOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The token of a session's forms: another site, which can't read the cookie, can't know it. */
export function formTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('form').digest('base64url');
}

/** Takes as long for a wrong text as for the right one. */
export function isSameText(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
