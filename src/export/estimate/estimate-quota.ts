/** The cost of an export, in months of a key's quota and runs of its budget. */

export interface PlanQuota {
  /** Left this month, without what the plan itself spent; null: no limit, or not stated */
  requests_left: number | null;
  bytes_left: number | null;
  /** A month's; null: no limit, or not stated */
  requests_limit: number | null;
  bytes_limit: number | null;
}

/** Calendar months that the amount needs, this one included; null if no limit is stated. */
export function monthsOf(
  requests: number,
  bytes: number | null,
  quota: PlanQuota | null,
  reserve: number,
): number | null {
  const byRequests = months(requests, quota?.requests_left ?? null, quota?.requests_limit ?? null, reserve);
  const byBytes = bytes === null ? null : months(bytes, quota?.bytes_left ?? null, quota?.bytes_limit ?? null, 0);
  return byRequests === null ? byBytes : Math.max(byRequests, byBytes ?? 0);
}

/** Calendar months, this one included; null if unknown. */
function months(needed: number, left: number | null, limit: number | null, reserve: number): number | null {
  if (left === null) return null;
  const now = Math.max(0, left - reserve);
  if (needed <= now) return 1;
  const monthly = limit === null ? 0 : limit - reserve;
  return monthly <= 0 ? null : 1 + Math.ceil((needed - now) / monthly);
}

/** How often a limit of a run stops it before everything is fetched, if the limit is raised by the same amount each time. */
export function stops(needed: number, limit: number | null): number {
  return limit === null ? 0 : Math.max(0, Math.ceil(needed / limit) - 1);
}
