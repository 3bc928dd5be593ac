/** API keys: random text of which only the hash is stored. */
import { hash as digest, randomBytes } from 'node:crypto';

const KEY_PREFIX = 'fl_';
/** Characters of a key that lists show: enough to tell keys apart, far too few to guess one. */
export const SHOWN_LENGTH = KEY_PREFIX.length + 8;

/** A key of 240 random bits, the beginning of it that may be shown, and the hash that is stored. */
export function newApiKey(): { apiKey: string; prefix: string; hash: Buffer } {
  const apiKey = `${KEY_PREFIX}${randomBytes(30).toString('base64url').replaceAll('-', 'x').replaceAll('_', 'y')}`;
  return { apiKey, prefix: apiKey.slice(0, SHOWN_LENGTH), hash: hashOf(apiKey) };
}

export function hashOf(apiKey: string): Buffer {
  return digest('sha256', apiKey, 'buffer');
}
