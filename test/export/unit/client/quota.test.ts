/** What the headers say of waiting and of the quota: never more than a wait that ends. */
import { describe, expect, it } from 'vitest';
import { readQuota, retryAfterMs } from '../../../../src/export/client/quota.ts';

const NOW = new Date('2024-02-10T12:00:00Z');
const MOST_MS = 62 * 86_400_000;

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    ['9'.repeat(400), MOST_MS],
    ['Sat, 10 Feb 2024 13:00:00 GMT', 3_600_000],
    ['Fri, 01 Jan 9999 00:00:00 GMT', MOST_MS],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['5, 10', null],
    ['-5', null],
    ['1e400', null],
    ['soon', null],
  ])('of %s', (text, expected) => {
    expect(retryAfterMs({ 'retry-after': text }, NOW)).toBe(expected);
  });
});

describe('RateLimit', () => {
  it('asks for no wait longer than 62 days', () => {
    const state = `"requests";r=5;t=${'9'.repeat(400)}, "bytes";r=7;t=99999999999`;
    const quota = readQuota({ ratelimit: state, 'ratelimit-policy': `"requests";q=${'9'.repeat(400)};w=month` });
    const resetSeconds = MOST_MS / 1_000;
    expect(quota).toEqual({
      requests: { limit: null, remaining: 5, resetSeconds },
      bytes: { limit: null, remaining: 7, resetSeconds },
    });
  });

  it('ignores a limit whose rest is not a number', () => {
    for (const rest of ['9'.repeat(400), '-1', '1e400', '"93"', ''])
      expect(readQuota({ ratelimit: `"requests";r=${rest};t=5` })).toEqual({ requests: null, bytes: null });
  });
});
