/** API keys with their plans and usage, and the accounts of a service's users: sign-up, log-in, billing, mail. */
export type { AccountKey } from './account-keys.ts';

export { SIGNATURE_HEADER, signatureOf } from './billing/signature.ts';
export { AccountDesk, type AccountSettings } from './desk.ts';
export type {
  Admission,
  CountedRequest,
  KnownKey,
  QuotaLimit,
  QuotaState,
  UsageTicket,
} from './keys/admission.ts';
export { KeyQuotas } from './keys/key-quotas.ts';
export { KeyRegister } from './keys/key-register.ts';
export { LivePlans } from './keys/live-plans.ts';
export { loadPlans } from './keys/quota-plans.ts';
export type { Quotas } from './keys/quotas.ts';
export type { MonthUsage } from './keys/usage-days.ts';
export { SmtpSender } from './mail/smtp.ts';
export { moveAccounts } from './move.ts';
export { networkOf, shortAddress } from './network.ts';
export { isPostgres, type OpenKeys, openKeys, openQuotas } from './open.ts';
export { hashPassword, isPassword } from './passwords.ts';
export { readEmail } from './register/email.ts';
export { offeredPlans, planChange } from './register/plan-change.ts';
export type { Account } from './register/register.ts';
export type { PlanChange, PlanRequest } from './register/subscriptions.ts';
export { SESSION_IDLE_MS } from './sessions.ts';
export { patiently } from './store/database.ts';
export { formTokenOf, isSameText } from './store/secrets.ts';
