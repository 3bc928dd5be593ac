/** What holders and operators do with plans. Upgrades go through billing; downgrades and cancellations hold from next month on. */
import { FilinglakeError } from '../../core/index.ts';
import type { QuotaPlans } from '../../filings/api/index.ts';
import type { Billing, BillingStep } from './billing/billing.ts';
import { monthEnd } from './keys/plan-of-month.ts';
import type { Outbox } from './mail/outbox.ts';
import { planMail } from './mail/texts.ts';
import type { Cancellations } from './register/cancellations.ts';
import { offeredPlans } from './register/plan-change.ts';
import type { Account, AccountRegister } from './register/register.ts';
import { type PlanRequest, type Subscriptions, samePlan } from './register/subscriptions.ts';
import type { Asynchronous } from './store/operation.ts';

interface PlanDeskParts {
  register: Asynchronous<AccountRegister>;
  subscriptions: Asynchronous<Subscriptions>;
  billing: Billing;
  cancellations: Asynchronous<Cancellations>;
  outbox: Outbox;
  plans: QuotaPlans;
  now: () => Date;
}

export class PlanDesk {
  readonly #parts: PlanDeskParts;

  constructor(parts: PlanDeskParts) {
    this.#parts = parts;
  }

  /** @throws FilinglakeError `plan-change-invalid`, `billing-unreachable` */
  async choose(account: Account, plan: string): Promise<BillingStep> {
    const { subscriptions, plans, billing, now } = this.#parts;
    // A form may name anything.
    if (!Object.hasOwn(plans.plans, plan)) throw notOffered(plan);
    const kind = subscriptions.changeTo(account, plan);
    if (kind === 'none') {
      if (account.next_plan === null) throw samePlan(plan);
      if (!(await subscriptions.isNoLongerPaid(account))) return this.resume(account);
    }
    if (kind === 'cancel') return this.cancel(account);
    if (!offeredPlans(plans).some(([name]) => name === plan)) throw notOffered(plan);
    const open = await subscriptions.openRequest(account.id);
    if (open && open.plan !== plan) await this.#withdraw(open);
    if (kind === 'downgrade') {
      const paid = await subscriptions.paid(account.id);
      if (paid) await billing.change(paid, plan, monthEnd(now()).toISOString().slice(0, 10));
      return this.#endOfMonth(account, plan, paid);
    }
    const request = await subscriptions.request(account, plan, billing.name, now());
    return billing.request(request);
  }

  /** Back to the plan of new accounts at the end of the month. An open request is withdrawn. @throws as choose */
  async cancel(account: Account): Promise<BillingStep> {
    const { subscriptions, register } = this.#parts;
    const open = await subscriptions.openRequest(account.id);
    if (open) {
      await this.#withdraw(open);
      if (account.plan === register.signUpPlan)
        return { message: `The request for the plan '${open.plan}' is withdrawn.`, url: null };
    }
    const plan = register.signUpPlan;
    if (account.plan === plan) throw samePlan(plan);
    const paid = await subscriptions.paid(account.id);
    if (paid) await this.#parts.billing.cancel(paid);
    return this.#endOfMonth(account, plan);
  }

  /** Keeps a plan that was to end. @throws as choose */
  async resume(account: Account): Promise<BillingStep> {
    const { subscriptions, billing, now } = this.#parts;
    if (account.next_plan !== null && (await subscriptions.isNoLongerPaid(account))) {
      throw new FilinglakeError(
        'plan-change-invalid',
        `the payments for the plan '${account.plan}' have ended: choose it again`,
      );
    }
    const paid = await subscriptions.paid(account.id);
    if (paid && account.next_plan !== null) await billing.resume(paid);
    await subscriptions.resume(account, 'holder', now(), paid);
    return { message: `You keep the plan '${account.plan}'.`, url: null };
  }

  /** Before an account is deleted: what is paid for ends. A provider that does not answer now gets the cancellation later. */
  async leave(account: Account): Promise<void> {
    const { subscriptions, billing, cancellations, now } = this.#parts;
    const open = await subscriptions.openRequest(account.id);
    // First of all: what is withdrawn can't be granted between here and the deletion.
    if (open) await subscriptions.settleRequest(open, 'withdrawn', 'holder', now());
    const paid = await subscriptions.paid(account.id);
    for (const request of [open, paid]) {
      if (request === null) continue;
      try {
        await billing.cancel(request);
      } catch (error) {
        if (!(error instanceof FilinglakeError) || error.code !== 'billing-unreachable') throw error;
        await cancellations.add(request.reference, now());
      }
    }
  }

  /** Billing is asked first: nobody may pay for a request that is no longer open. */
  async #withdraw(open: PlanRequest): Promise<void> {
    const { subscriptions, billing, now } = this.#parts;
    await billing.cancel(open);
    await subscriptions.settleRequest(open, 'withdrawn', 'holder', now());
  }

  /** The operator has the money, or trusts the holder. */
  async grant(request: PlanRequest): Promise<void> {
    const { subscriptions, outbox, now } = this.#parts;
    await subscriptions.grant(request, 'operator', now());
    outbox.send(planMail(request.email, `Your plan is now '${request.plan}'.`));
  }

  async refuse(request: PlanRequest): Promise<void> {
    const { subscriptions, outbox, now } = this.#parts;
    await subscriptions.settleRequest(request, 'refused', 'operator', now());
    outbox.send(
      planMail(request.email, `Your request for the plan '${request.plan}' was refused. Your plan stays as it is.`),
    );
  }

  async #endOfMonth(account: Account, plan: string, paid: PlanRequest | null = null): Promise<BillingStep> {
    const { subscriptions, register, now } = this.#parts;
    await subscriptions.setAtMonthEnd(account, plan, 'holder', now(), paid);
    const { next_from } = (await register.get(account.id, now()))!;
    return {
      message: `The plan '${plan}' holds from ${next_from}-01 on. Until then you keep '${account.plan}'.`,
      url: null,
    };
  }
}

function notOffered(plan: string): FilinglakeError {
  return new FilinglakeError('plan-change-invalid', `the plan '${plan.slice(0, 40)}' is not offered`);
}
