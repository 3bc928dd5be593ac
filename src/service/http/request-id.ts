/** X-Request-Id: the caller's own where it is plain, else a new one. */
import { randomUUID } from 'node:crypto';

export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : randomUUID();
}
