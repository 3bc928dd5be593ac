/** Mails to holders whose month is used up to 80 % and to 100 %: once for each month and step. */
import type { QuotaPlans } from '../api/index.ts';
import type { AccountsDatabase } from './database.ts';
import { monthEnd, monthOf } from './keys/plan-of-month.ts';
import type { Mail } from './mail/mail.ts';
import { quotaMail } from './mail/texts.ts';
import type { Account } from './register.ts';

const STEPS = [100, 80];

/** @returns mails to send now. Of several processes, one gets each. */
export function dueQuotaMails(
  { db }: AccountsDatabase,
  { plans }: QuotaPlans,
  get: (account: number) => Account | null,
  pageOfPlans: string,
  now: Date,
): Mail[] {
  const month = monthOf(now);
  const rows = db
    .prepare(
      `SELECT -usage.key AS account, requests, bytes, ifnull(ms, 0) AS ms FROM usage
       LEFT JOIN work ON work.meter = usage.key AND work.month = usage.month WHERE usage.month = ? AND usage.key < 0`,
    )
    .all(month) as { account: number; requests: number; bytes: number; ms: number }[];
  const noted = db.prepare('INSERT INTO quota_mails VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING percent');
  return rows.flatMap(({ account: id, requests, bytes, ms }) => {
    const account = get(id);
    const limits = account && plans[account.plan];
    if (!account || !limits) return [];
    const part = (used: number, limit: number | null | undefined) => (limit == null ? 0 : used / limit);
    const used = Math.max(
      part(requests, limits.requests_per_month),
      part(bytes, limits.bytes_per_month),
      part(ms / 1_000, limits.work_seconds_per_month),
    );
    const reached = STEPS.filter((step) => used * 100 >= step);
    // If both are reached at once, one mail is enough.
    const [highest] = reached.filter((step) => noted.get(id, month, step) !== undefined);
    if (highest === undefined) return [];
    const end = monthEnd(now).toISOString().slice(0, 10);
    return [quotaMail(account.email, { plan: account.plan, percent: highest, end, pageOfPlans })];
  });
}
