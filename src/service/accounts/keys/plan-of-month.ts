/** Which plan holds in a month, and the months themselves (UTC). */
import { FilinglakeError, nearestHint } from '../../../core/index.ts';
import type { QuotaPlans } from '../../../filings/api/index.ts';

/** @throws FilinglakeError `quota-plan-unknown` */
export function requirePlan({ plans }: QuotaPlans, plan: string): void {
  const names = Object.keys(plans);
  if (names.includes(plan)) return;
  throw new FilinglakeError('quota-plan-unknown', `there is no quota plan '${plan}'${nearestHint(plan, names)}`, {
    remedy: `Name one of the plans ${names.join(', ')}.`,
  });
}

/** The plan that holds in a month: a downgrade holds from its month on, without anybody doing anything then. */
export function planIn(
  month: string,
  { plan, next_plan, next_from }: { plan: string; next_plan: string | null; next_from: string | null },
): string {
  return next_plan !== null && next_from !== null && month >= next_from ? next_plan : plan;
}

/** The calendar month in UTC, `YYYY-MM`. */
export function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** The first instant of the calendar month after `now`, UTC. */
export function monthEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}
