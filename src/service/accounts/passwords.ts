/** Passwords as scrypt stores them. Node computes it off the main thread. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { FilinglakeError } from '../../core/index.ts';

/** OWASP's cost for scrypt with 32 MiB: N = 2^15, r = 8, p = 3. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const MEMORY_MAX_BYTES = 64 * 1024 * 1024;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
const LENGTH_MIN = 10;
const LENGTH_MAX = 200;
/** Each takes 32 MiB, and one of the four threads that also read files. */
const AT_ONCE_MAX = 2;
const WAITING_MAX = 32;

const derive = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
) => Promise<Buffer>;

let active = 0;
const waiting: (() => void)[] = [];

/** @throws FilinglakeError `password-invalid` */
export function requireGoodPassword(password: string): void {
  if (password.length >= LENGTH_MIN && password.length <= LENGTH_MAX) return;
  throw new FilinglakeError('password-invalid', `a password must have ${LENGTH_MIN} to ${LENGTH_MAX} characters`);
}

/** @returns `scrypt$N$r$p$salt$hash`. @throws FilinglakeError `accounts-busy` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const derived = await inTurn(() => deriveWith(password, salt, COST));
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), derived.toString('base64url')].join('$');
}

/**
 * Compares a password with what is stored. For `null` (no such account, or one without a password) it does the same work, so that
 * nobody learns from the time which it was.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, expected] = stored?.split('$') ?? [];
  const cost = stored === null ? COST : { N: Number(N), r: Number(r), p: Number(p) };
  const given = password.slice(0, LENGTH_MAX + 1);
  const derived = await inTurn(() => deriveWith(given, Buffer.from(salt ?? '', 'base64url'), cost));
  const wanted = expected === undefined ? Buffer.alloc(HASH_BYTES) : Buffer.from(expected, 'base64url');
  return timingSafeEqual(derived, wanted) && stored !== null;
}

function deriveWith(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  return derive(password.normalize('NFC'), salt, HASH_BYTES, { ...cost, maxmem: MEMORY_MAX_BYTES });
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (active >= AT_ONCE_MAX) {
    if (waiting.length >= WAITING_MAX)
      throw new FilinglakeError('accounts-busy', 'too many passwords are being checked');
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else active++;
  try {
    return await work();
  } finally {
    // The place goes to the next in line, or becomes free.
    const next = waiting.shift();
    if (next) next();
    else active--;
  }
}
