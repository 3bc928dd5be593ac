/** What a change from one plan to another is. Pure. */
import type { QuotaPlan, QuotaPlans } from '../../../filings/api/index.ts';
import { requirePlan } from '../keys/plan-of-month.ts';

/** `none`: it is the plan. `upgrade`: at once, after billing. `downgrade`, `cancel`: at the end of the month. */
export type PlanChangeKind = 'none' | 'upgrade' | 'downgrade' | 'cancel';

/** @throws FilinglakeError `quota-plan-unknown` */
export function planChange(plans: QuotaPlans, from: string, to: string): PlanChangeKind {
  requirePlan(plans, to);
  if (from === to) return 'none';
  if (to === plans.sign_up) return 'cancel';
  const before = plans.plans[from];
  // A change from a plan that no longer exists takes nothing away.
  return before === undefined || isAtLeast(plans.plans[to]!, before) ? 'upgrade' : 'downgrade';
}

/** All limits are as high, or higher. A plan with one limit higher and one lower waits for the end of the month. */
function isAtLeast(plan: QuotaPlan, other: QuotaPlan): boolean {
  const limit = (value: number | null | undefined) => value ?? Number.POSITIVE_INFINITY;
  return (
    limit(plan.requests_per_month) >= limit(other.requests_per_month) &&
    limit(plan.bytes_per_month) >= limit(other.bytes_per_month) &&
    limit(plan.work_seconds_per_month) >= limit(other.work_seconds_per_month) &&
    limit(plan.requests_per_second) >= limit(other.requests_per_second)
  );
}

/** Plans that a holder can choose, in the order of the file. */
export function offeredPlans({ plans }: QuotaPlans): [name: string, plan: QuotaPlan][] {
  return Object.entries(plans).filter(([, { offered }]) => offered !== false);
}
