/** How paid plans are paid for: the one interface. */
import type { PlanRequest } from '../register/subscriptions.ts';

/** The outcome of a holder's request. */
export interface BillingStep {
  /** For the page: what happens, and when */
  message: string;
  /** A page of the provider where the holder pays; null: no page is needed */
  url: string | null;
}

export interface Billing {
  /** `invoice`, `webhook`: stored with its requests */
  readonly name: string;
  /** A holder wants a plan. The plan is granted later: by the operator, or by an event. @throws FilinglakeError `billing-unreachable` */
  request(request: PlanRequest): Promise<BillingStep>;
  /** A holder has a smaller plan from a day (`YYYY-MM-DD`) on. @throws as request */
  change(request: PlanRequest, plan: string, from: string): Promise<void>;
  /** A holder cancels, or takes back a cancellation: the plan ends at the end of the month, or continues. @throws as request */
  cancel(request: PlanRequest): Promise<void>;
  resume(request: PlanRequest): Promise<void>;
}
