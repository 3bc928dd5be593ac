/** When a failed request is tried again, and after how long. */
import { ContractViolationError, RateLimitedError, ServiceFailedError, UnreachableError } from './errors.ts';

export interface RetryPolicy {
  /** How often one request is sent at most. */
  attempts: number;
  /** The first wait is at most this long. It doubles each time. */
  baseMs: number;
  /** The client never chooses a longer wait. */
  capMs: number;
  /** The client waits for a `Retry-After` up to this long. Beyond it the caller gets the error, and can wait durably. */
  maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 6, baseMs: 250, capMs: 20_000, maxRetryAfterMs: 60_000 };

/** Each attempt counts against the month: a fault of the service itself usually stays. */
const ENVELOPE_ATTEMPTS = 3;

/**
 * How long to wait before the next attempt, or null if another attempt makes no sense.
 * Half of the exponential step is fixed and half is random: callers that failed together don't return together, and none returns at
 * once.
 * @param attempt the attempt that failed, from 1
 * @param random in [0, 1)
 */
export function waitBeforeRetry(error: unknown, attempt: number, policy: RetryPolicy, random: number): number | null {
  if (attempt >= policy.attempts) return null;
  if (error instanceof ContractViolationError && attempt >= ENVELOPE_ATTEMPTS) return null;
  const step = Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
  const jittered = step / 2 + (step / 2) * random;
  const asked = askedWait(error);
  if (asked === 'never') return null;
  if (asked === null) return jittered;
  // A little more than requested, spread, so that not all callers return in the same millisecond.
  return asked > policy.maxRetryAfterMs ? null : asked + Math.min(1_000, step) * random;
}

function askedWait(error: unknown): number | null | 'never' {
  if (error instanceof UnreachableError) return null;
  if (error instanceof RateLimitedError) return error.retryAfterMs > 0 ? error.retryAfterMs : null;
  if (error instanceof ServiceFailedError) return error.transient ? error.retryAfterMs : 'never';
  return error instanceof ContractViolationError && error.envelope ? null : 'never';
}
