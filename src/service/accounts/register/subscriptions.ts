/** The plan of an account over time: requests, upgrades, downgrades, cancellations, and the history of them. */
import { FilinglakeError } from '../../../core/index.ts';
import type { QuotaPlans } from '../../../filings/api/index.ts';
import { monthEnd, monthOf } from '../keys/plan-of-month.ts';
import { all, atomically, get, type Operation, run } from '../store/operation.ts';
import { newToken } from '../store/secrets.ts';
import type { Cancellations } from './cancellations.ts';
import { type PlanChangeKind, planChange } from './plan-change.ts';
import type { Account, AccountRegister } from './register.ts';

export interface PlanChange {
  at: string;
  /** `sign-up`, `request`, `withdraw`, `upgrade`, `downgrade`, `cancel`, `resume`, `refuse` */
  kind: string;
  from_plan: string;
  to_plan: string;
  /** `YYYY-MM-DD`: the first day of the new plan */
  effective: string;
  /** `holder`, `operator`, or the billing */
  actor: string;
}

export interface PlanRequest {
  id: number;
  account: number;
  email: string;
  plan: string;
  state: 'open' | 'granted' | 'refused' | 'withdrawn' | 'ended';
  /** How it is billed: `invoice`, `webhook` */
  billing: string;
  /** Names the request to the billing provider */
  reference: string;
  created_at: string;
  settled_at: string | null;
}

const REQUESTS = `SELECT plan_requests.id, account, coalesce(email, '') AS email, plan_requests.plan, state, billing, reference,
  plan_requests.created_at, settled_at FROM plan_requests JOIN accounts ON accounts.id = account`;

export class Subscriptions {
  readonly #register: AccountRegister;
  readonly #plans: QuotaPlans;
  readonly #cancellations: Cancellations;

  constructor(register: AccountRegister, plans: QuotaPlans, cancellations: Cancellations) {
    this.#register = register;
    this.#plans = plans;
    this.#cancellations = cancellations;
  }

  changeTo(account: Account, plan: string): PlanChangeKind {
    return planChange(this.#plans, account.plan, plan);
  }

  *history(account: number): Operation<PlanChange[]> {
    return yield* all<PlanChange>(
      'SELECT at, kind, from_plan, to_plan, effective, actor FROM plan_changes WHERE account = ? ORDER BY id',
      account,
    );
  }

  *openRequest(account: number): Operation<PlanRequest | null> {
    return yield* this.#request("account = ? AND state = 'open'", account);
  }

  *byReference(reference: string): Operation<PlanRequest | null> {
    return yield* this.#request('reference = ?', reference);
  }

  /** The granted request that pays for the account's plan: what billing must end when the account leaves the plan. */
  *paid(account: number): Operation<PlanRequest | null> {
    return yield* this.#request("account = ? AND state = 'granted' ORDER BY plan_requests.id DESC LIMIT 1", account);
  }

  /** Billing has ended the payments for the account's plan: the holder can't keep it without a new request. */
  *isNoLongerPaid({ id, plan }: Account): Operation<boolean> {
    const last = yield* this.#request('account = ? ORDER BY plan_requests.id DESC LIMIT 1', id);
    return last?.state === 'ended' && last.plan === plan;
  }

  /** Open ones, oldest first. */
  *openRequests(): Operation<PlanRequest[]> {
    return yield* all<PlanRequest>(`${REQUESTS} WHERE state = 'open' ORDER BY plan_requests.id`);
  }

  /** Notes that a holder wants a larger plan, in place of an earlier wish. */
  *request(account: Account, plan: string, billing: string, now: Date): Operation<PlanRequest> {
    yield* atomically();
    const open = yield* this.openRequest(account.id);
    if (open?.plan === plan && open.billing === billing) return open;
    if (open) yield* this.settleRequest(open, 'withdrawn', 'holder', now);
    const reference = newToken();
    yield* run(
      "INSERT INTO plan_requests (account, plan, state, billing, reference, created_at) VALUES (?, ?, 'open', ?, ?, ?)",
      ...([account.id, plan, billing, reference, now.toISOString()] as const),
    );
    yield* this.#note(account, 'request', plan, today(now), 'holder', now);
    return (yield* this.byReference(reference))!;
  }

  /** Withdraws or refuses an open request. The plan stays. @throws FilinglakeError `plan-request-unknown` if it is not open any more */
  *settleRequest(request: PlanRequest, state: 'refused' | 'withdrawn', actor: string, now: Date): Operation<void> {
    yield* atomically();
    yield* this.#setState(request, 'open', state, now);
    const account = yield* this.#register.get(request.account, now);
    const kind = state === 'refused' ? 'refuse' : 'withdraw';
    if (account) yield* this.#note(account, kind, request.plan, today(now), actor, now);
  }

  /** Gives the plan of an open request, at once. @throws FilinglakeError `plan-request-unknown` if it is not open any more */
  *grant(request: PlanRequest, actor: string, now: Date): Operation<void> {
    yield* atomically();
    const current = yield* this.byReference(request.reference);
    const account = yield* this.#register.get(request.account, now);
    if (current?.state !== 'open' || !account) {
      throw new FilinglakeError('plan-request-unknown', 'the request is not open any more');
    }
    // Nobody pays for two plans: the new one replaces what was paid for before.
    for (const earlier of yield* this.#granted(account.id)) {
      yield* this.#setState(earlier, 'granted', 'ended', now);
      if (earlier.billing === 'webhook') yield* this.#cancellations.add(earlier.reference, now);
    }
    yield* this.#setState(request, 'open', 'granted', now);
    yield* this.set(account, request.plan, actor, now);
  }

  /** The provider ended what was paid for: back to the plan of new accounts at the end of the month. */
  *end(request: PlanRequest, actor: string, now: Date): Operation<void> {
    yield* atomically();
    yield* this.#setState(request, 'granted', 'ended', now);
    const account = yield* this.#register.get(request.account, now);
    const isPaidFor = account !== null && [account.plan, account.next_plan].includes(request.plan);
    if (isPaidFor && account.plan !== this.#register.signUpPlan) {
      yield* this.setAtMonthEnd(account, this.#register.signUpPlan, actor, now);
    }
  }

  /** A plan from this moment on. What the month has used stays used. */
  *set(account: Account, plan: string, actor: string, now: Date): Operation<void> {
    const kind = planChange(this.#plans, account.plan, plan);
    yield* atomically();
    yield* run('UPDATE accounts SET plan = ?, next_plan = NULL, next_from = NULL WHERE id = ?', plan, account.id);
    yield* this.#note(account, kind === 'none' ? 'upgrade' : kind, plan, today(now), actor, now);
  }

  /** A plan from the first of next month (UTC) on. @param paid the granted request that pays for it then */
  *setAtMonthEnd(
    account: Account,
    plan: string,
    actor: string,
    now: Date,
    paid: PlanRequest | null = null,
  ): Operation<void> {
    const kind = planChange(this.#plans, account.plan, plan);
    if (kind === 'none') throw samePlan(plan);
    const from = monthEnd(now).toISOString();
    yield* atomically();
    yield* run(
      'UPDATE accounts SET plan = ?, next_plan = ?, next_from = ? WHERE id = ?',
      ...([account.plan, plan, monthOf(monthEnd(now)), account.id] as const),
    );
    yield* this.#setPaidPlan(paid, plan);
    yield* this.#note(account, kind, plan, from.slice(0, 10), actor, now);
  }

  /** Undoes a cancellation. @throws FilinglakeError `plan-change-invalid` without one */
  *resume(account: Account, actor: string, now: Date, paid: PlanRequest | null = null): Operation<void> {
    if (account.next_plan === null) {
      throw new FilinglakeError('plan-change-invalid', `the plan '${account.plan}' has no cancellation to undo`);
    }
    yield* atomically();
    yield* run(
      'UPDATE accounts SET plan = ?, next_plan = NULL, next_from = NULL WHERE id = ?',
      ...([account.plan, account.id] as const),
    );
    yield* this.#setPaidPlan(paid, account.plan);
    yield* this.#note(account, 'resume', account.plan, today(now), actor, now);
  }

  *#setPaidPlan(paid: PlanRequest | null, plan: string): Operation<void> {
    if (paid === null) return;
    yield* run("UPDATE plan_requests SET plan = ? WHERE id = ? AND state = 'granted'", plan, paid.id);
  }

  *#granted(account: number): Operation<PlanRequest[]> {
    return yield* all<PlanRequest>(`${REQUESTS} WHERE account = ? AND state = 'granted'`, account);
  }

  *#setState({ id }: PlanRequest, from: PlanRequest['state'], to: PlanRequest['state'], now: Date): Operation<void> {
    const changed = yield* run(
      'UPDATE plan_requests SET state = ?, settled_at = ? WHERE id = ? AND state = ?',
      ...([to, now.toISOString(), id, from] as const),
    );
    if (changed === 0) throw new FilinglakeError('plan-request-unknown', 'the request is not open any more');
  }

  *#note(account: Account, kind: string, toPlan: string, effective: string, actor: string, now: Date): Operation<void> {
    yield* run(
      'INSERT INTO plan_changes (account, at, kind, from_plan, to_plan, effective, actor) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...([account.id, now.toISOString(), kind, account.plan, toPlan, effective, actor] as const),
    );
  }

  *#request(condition: string, value: string | number): Operation<PlanRequest | null> {
    return (yield* get<PlanRequest>(`${REQUESTS} WHERE ${condition}`, value)) ?? null;
  }
}

export function samePlan(plan: string): FilinglakeError {
  return new FilinglakeError('plan-change-invalid', `the account has the plan '${plan}' already`);
}

function today(now: Date): string {
  return now.toISOString().slice(0, 10);
}
