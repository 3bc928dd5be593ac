/** Usage of an activity. A run's total includes attempts that ended with an error or a kill. */
import type { Spent } from './types.ts';

const NOTHING: Spent = { requests: 0, bytes: 0, retries: 0 };

export function addSpent(a: Spent, b: Spent): Spent {
  return { requests: a.requests + b.requests, bytes: a.bytes + b.bytes, retries: a.retries + b.retries };
}

/** Usage of earlier attempts, from the last heartbeat of the latest one: up to a second old after a kill. */
export function spentBefore(heartbeatDetails: unknown): Spent {
  return isSpent(heartbeatDetails) ? addSpent(NOTHING, heartbeatDetails) : NOTHING;
}

/** An activity's result, plus the usage of the attempts before it. */
export function withSpentBefore<Result>(result: Result, before: Spent): Result {
  if (typeof result !== 'object' || result === null || !('spent' in result) || !isSpent(result.spent)) return result;
  return { ...result, spent: addSpent(before, result.spent) };
}

/** Whether a heartbeat or a result states its usage. */
export function isSpent(value: unknown): value is Spent {
  if (typeof value !== 'object' || value === null) return false;
  const { requests, bytes, retries } = value as Partial<Record<keyof Spent, unknown>>;
  return typeof requests === 'number' && typeof bytes === 'number' && typeof retries === 'number';
}
