/** Which requests a quota admits, and how they count. Pure: the databases are elsewhere. */
import { FilinglakeError } from '../../../core/index.ts';
import type { QuotaPlans } from '../../../filings/api/index.ts';
import type { Admission, CountedRequest, QuotaLimit, QuotaState, UsageRow, UsageTicket } from './admission.ts';
import type { KeyUses } from './key-uses.ts';
import type { KeyRow } from './known-keys.ts';
import { monthEnd, monthOf, planIn } from './plan-of-month.ts';
import type { RequestRates } from './request-rates.ts';

type Limits = QuotaPlans['plans'][string];

export const NOTHING_USED: UsageRow = { requests: 0, bytes: 0 };

/** Requests by meter, day and operation. Undefined: not answered yet, so that only their month counts them. */
export type Batch = Map<
  string,
  UsageRow & { keyId: number; month: string; day: string; operation: string | undefined }
>;

export function add(
  batch: Batch,
  { keyId, month, day }: Pick<UsageTicket, 'keyId' | 'month' | 'day'>,
  { operation, requests = 1, bytes = 0 }: { operation?: string | undefined; requests?: number; bytes?: number } = {},
): void {
  const name = `${keyId} ${day} ${operation}`;
  const row = batch.get(name);
  if (row) {
    row.requests += requests;
    row.bytes += bytes;
  } else batch.set(name, { keyId, month, day, operation, requests, bytes });
}

/** What the decision needs of a database, and of this process. */
export interface Usage {
  uses: KeyUses;
  rates: RequestRates;
  /** What a meter has used of the month of `now` */
  usageOf(meter: number): UsageRow;
  /** Seconds */
  workOf(meter: number): number;
}

export class Counting {
  readonly #plans: QuotaPlans;
  #month: { month: string; start: Date; end: Date } | null = null;

  constructor(plans: QuotaPlans) {
    this.#plans = plans;
  }

  /**
   * Admits requests in their order. A request is admitted while the month's requests are not used up and its bytes are not yet at the
   * limit: the answer that crosses it is given whole (docs/api.md#quotas).
   * @param keys of the requests. Null: unknown
   * @param meters what each meter has used by now; changed
   * @returns an admission for each, null if the plan of its key is unknown; and what must be written. A key without limits is not in it
   */
  decide(
    requests: readonly CountedRequest[],
    keys: readonly (KeyRow | null)[],
    now: Date,
    { uses, rates, usageOf, workOf }: Usage,
    meters: Map<number, UsageRow>,
  ): { admissions: (Admission | null)[]; counted: Batch } {
    const { month } = this.monthOf(now);
    const day = now.toISOString().slice(0, 10);
    const counted: Batch = new Map();
    const admissions = requests.map(({ answer }, i): Admission | null => {
      const key = keys[i]!;
      if (key === null) return { outcome: 'unknown' };
      if (key.closed_at !== null) return { outcome: 'closed' };
      const plan = planIn(month, key);
      const limits = this.#plans.plans[plan];
      if (!limits) return null;
      uses.note(key.id, day);
      const ticket = { keyId: key.meter, month, day, unlimited: isUnlimited(limits) };
      const work = limits.work_seconds_per_month === undefined ? 0 : workOf(key.meter);
      const isTooOften = !rates.take(key.meter, limits.requests_per_second, now);
      let used = ticket.unlimited ? NOTHING_USED : (meters.get(key.meter) ?? usageOf(key.meter));
      const limit = isTooOften ? 'rate' : limitReached(limits, used, work);
      if (!ticket.unlimited) {
        if (limit === null) {
          used = { requests: used.requests + 1, bytes: used.bytes + (answer?.bytes ?? 0) };
          add(counted, ticket, answer);
        }
        meters.set(key.meter, used);
      }
      const quota = this.quota(plan, used, work, now);
      return limit === null ? { outcome: 'admitted', ticket, quota } : { outcome: 'refused', limit, quota };
    });
    return { admissions, counted };
  }

  /** Whether requests of the key count one by one. */
  isLimited(key: KeyRow | null, month: string): boolean {
    const limits = this.#limitsOf(key, month);
    return limits !== undefined && !isUnlimited(limits);
  }

  hasWorkLimit(key: KeyRow | null, month: string): boolean {
    return this.#limitsOf(key, month)?.work_seconds_per_month !== undefined;
  }

  /** @throws FilinglakeError `quota-plan-unknown` */
  quota(plan: string, used: UsageRow, workSecondsUsed: number, now: Date): QuotaState {
    const limits = this.#plans.plans[plan];
    if (!limits) throw planUnknown(plan);
    return {
      plan,
      requestsPerMonth: limits.requests_per_month,
      requestsUsed: used.requests,
      bytesPerMonth: limits.bytes_per_month,
      bytesUsed: used.bytes,
      workSecondsPerMonth: limits.work_seconds_per_month ?? null,
      workSecondsUsed,
      resetAt: this.monthOf(now).end,
    };
  }

  monthOf(now: Date): { month: string; start: Date; end: Date } {
    const at = now.getTime();
    const known = this.#month;
    if (known && at >= known.start.getTime() && at < known.end.getTime()) return known;
    const end = monthEnd(now);
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    this.#month = { month: monthOf(now), start, end };
    return this.#month;
  }

  #limitsOf(key: KeyRow | null, month: string): Limits | undefined {
    return key && key.closed_at === null ? this.#plans.plans[planIn(month, key)] : undefined;
  }
}

/** Plans of keys that the plans file lacks. Requests with those keys fail. */
export const PLANS_IN_USE = `SELECT plan FROM keys WHERE revoked_at IS NULL AND account IS NULL
  UNION SELECT plan FROM accounts WHERE deleted_at IS NULL
  UNION SELECT next_plan FROM accounts WHERE deleted_at IS NULL AND next_plan IS NOT NULL`;

export function planUnknown(plan: string): FilinglakeError {
  return new FilinglakeError('quota-plan-unknown', `a key has the plan '${plan}', which the plans file doesn't have`, {
    remedy: 'Add the plan to the plans file: config/plans.yaml, or the file that --plans names.',
  });
}

function isUnlimited({ requests_per_month, bytes_per_month }: Limits): boolean {
  return requests_per_month === null && bytes_per_month === null;
}

function limitReached(limits: Limits, used: UsageRow, workSeconds: number): QuotaLimit | null {
  if (workSeconds >= (limits.work_seconds_per_month ?? Infinity)) return 'work';
  if (used.requests >= (limits.requests_per_month ?? Infinity)) return 'requests';
  return used.bytes >= (limits.bytes_per_month ?? Infinity) ? 'bytes' : null;
}
