/** API keys with their plans and usage, and the accounts of a service's users: sign-up, log-in, billing, mail. */
export type { AccountKey, NewAccountKey } from './account-keys.ts';

export { SIGNATURE_HEADER, signatureOf } from './billing/signature.ts';
export { patiently } from './database.ts';
export { AccountDesk, type AccountSettings } from './desk.ts';
export { readEmail } from './email.ts';
export type {
  Admission,
  CountedAnswer,
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
export type { KeyUsage, Quotas, UsedOfMonth } from './keys/quotas.ts';
export type { MonthUsage } from './keys/usage-days.ts';
export { SmtpSender } from './mail/smtp.ts';
export { moveAccounts } from './move.ts';
export { networkOf, shortAddress } from './network.ts';
export { isPostgres, type OpenKeys, openKeys, openQuotas } from './open.ts';
export { hashPassword, isPassword, requireGoodPassword } from './passwords.ts';
export { offeredPlans, planChange } from './plan-change.ts';

export type { Account } from './register.ts';
export { formTokenOf, isSameText } from './secrets.ts';
export { SESSION_IDLE_MS } from './sessions.ts';
export type { PlanChange, PlanRequest } from './subscriptions.ts';
