/** The remaining quota of a key, as headers of every authenticated answer (draft-ietf-httpapi-ratelimit-headers). */
import type { QuotaState } from '../accounts/index.ts';

/** A plan without any limit has no `RateLimit` headers at all; one that limits only requests or bytes names only that. */
export function quotaHeaders(quota: QuotaState, now: Date): Record<string, string> {
  const seconds = secondsUntil(quota.resetAt, now);
  const limits = [
    { name: 'requests', limit: quota.requestsPerMonth, used: quota.requestsUsed },
    { name: 'bytes', limit: quota.bytesPerMonth, used: quota.bytesUsed },
    { name: 'work', limit: quota.workSecondsPerMonth, used: Math.ceil(quota.workSecondsUsed) },
  ].filter((entry): entry is { name: string; limit: number; used: number } => entry.limit !== null);
  if (limits.length === 0) return {};
  return {
    'ratelimit-policy': limits.map(({ name, limit }) => `"${name}";q=${limit};w=month`).join(', '),
    ratelimit: limits
      .map(({ name, limit, used }) => `"${name}";r=${Math.max(0, limit - used)};t=${seconds}`)
      .join(', '),
  };
}

/** Whole seconds, at least 1: after them the reset is over. */
export function secondsUntil(instant: Date, now: Date): number {
  return Math.max(1, Math.ceil((instant.getTime() - now.getTime()) / 1000));
}
