/** Billing by invoice: the operator gets a mail for each request, sends an invoice, and grants the plan on the command line. */
import type { Outbox } from '../mail/outbox.ts';
import { invoiceMail } from '../mail/texts.ts';
import type { PlanRequest } from '../register/subscriptions.ts';
import type { Billing, BillingStep } from './billing.ts';

export class InvoiceBilling implements Billing {
  readonly name = 'invoice';
  readonly #outbox: Outbox;
  readonly #operator: string | null;

  /** @param operator address that gets a mail for each request; null: `filinglake accounts requests` lists them */
  constructor(outbox: Outbox, operator: string | null) {
    this.#outbox = outbox;
    this.#operator = operator;
  }

  async request(request: PlanRequest): Promise<BillingStep> {
    this.#tell(request, 'requests');
    return {
      message: `Your request for the plan “${request.plan}” is noted. You get an invoice, and the plan starts when the operator grants it.`,
      url: null,
    };
  }

  async change(request: PlanRequest, plan: string, from: string): Promise<void> {
    this.#tell(request, `changes from ${from} on to '${plan}'`);
  }

  async cancel(request: PlanRequest): Promise<void> {
    this.#tell(request, 'cancels');
  }

  async resume(request: PlanRequest): Promise<void> {
    this.#tell(request, 'resumes');
  }

  #tell(request: PlanRequest, verb: string): void {
    if (this.#operator !== null) this.#outbox.send(invoiceMail(this.#operator, request, verb));
  }
}
