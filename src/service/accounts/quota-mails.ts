/** Mails to holders whose month is used up to 80 % and to 100 %: once for each month and step. */
import type { QuotaPlans } from '../../filings/api/index.ts';
import { monthEnd, monthOf } from './keys/plan-of-month.ts';
import type { Mail } from './mail/mail.ts';
import { quotaMail } from './mail/texts.ts';
import type { AccountRegister } from './register/register.ts';
import { all, atomically, get, type Operation } from './store/operation.ts';

const STEPS = [100, 80];

/** @returns mails to send now. Of several processes, one gets each. */
export function* dueQuotaMails(
  { plans }: QuotaPlans,
  register: AccountRegister,
  pageOfPlans: string,
  now: Date,
): Operation<Mail[]> {
  const month = monthOf(now);
  const rows = yield* all<{ account: number; requests: number; bytes: number; ms: number }>(
    `SELECT -usage.key AS account, requests, bytes, coalesce(ms, 0) AS ms FROM usage
     LEFT JOIN work ON work.meter = usage.key AND work.month = usage.month WHERE usage.month = ? AND usage.key < 0`,
    month,
  );
  const mails: Mail[] = [];
  for (const { account: id, requests, bytes, ms } of rows) {
    const account = yield* register.get(id, now);
    const limits = account && plans[account.plan];
    if (!account || !limits) continue;
    const part = (used: number, limit: number | null | undefined) => (limit == null ? 0 : used / limit);
    const used = Math.max(
      part(requests, limits.requests_per_month),
      part(bytes, limits.bytes_per_month),
      part(ms / 1_000, limits.work_seconds_per_month),
    );
    const reached = STEPS.filter((percent) => used * 100 >= percent);
    // Otherwise one process could note 100 %, and another 80 % before it: two mails.
    if (reached.length > 0) yield* atomically();
    const news: number[] = [];
    for (const step of reached) {
      const noted = 'INSERT INTO quota_mails VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING percent';
      if (yield* get(noted, id, month, step)) news.push(step);
    }
    // If both are reached at once, one mail is enough.
    const [highest] = news;
    if (highest === undefined) continue;
    const end = monthEnd(now).toISOString().slice(0, 10);
    mails.push(quotaMail(account.email, { plan: account.plan, percent: highest, end, pageOfPlans }));
  }
  return mails;
}
