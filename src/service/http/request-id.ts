/** X-Request-Id: the caller's own if it is plain, else a new one. One that contains a key is refused: it would be logged. */
import { randomUUID } from 'node:crypto';
import { maskKeys } from './shown-text.ts';

export function requestIdOf(header: string | string[] | undefined): string {
  if (header === undefined) return randomUUID();
  const plain = typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header);
  return plain && maskKeys(header) === header ? header : randomUUID();
}
