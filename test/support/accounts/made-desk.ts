/** The accounts of an empty catalog, with a clock of their own and their mails at hand. */
import { scryptSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { QuotaPlans } from '../../../src/filings/api/index.ts';
import {
  type Account,
  AccountDesk,
  type OpenKeys,
  openKeys,
  openQuotas,
  type Quotas,
} from '../../../src/service/accounts/index.ts';
import { openAccounts } from '../../../src/service/accounts/open.ts';
import type { AccountsDatabase } from '../../../src/service/accounts/store/database.ts';
import { jsonRows } from '../shared.ts';
import { ask, isFile, newPlace } from './backend.ts';

const plan = (requests: number | null, bytes: number | null, offered = true) => ({
  requests_per_month: requests,
  bytes_per_month: bytes,
  price: `${requests} USD`,
  description: 'for tests',
  offered,
});

export const ACCOUNT_PLANS: QuotaPlans = {
  pricing_url: '/plans',
  sign_up: 'free',
  plans: {
    free: plan(5, 1_000_000),
    research: plan(20, 10_000_000),
    institution: plan(1_000, 100_000_000),
    unlimited: plan(null, null, false),
  },
};

export const PASSWORD = 'a long enough password';
/** PASSWORD as it is stored, but for a thirtieth of the work: each log-in to such an account costs 10 ms of CPU, not 0.3 s. */
export const QUICK_HASH = quickHashOf(PASSWORD);

function quickHashOf(password: string): string {
  const [N, r, p, salt] = [1024, 8, 3, Buffer.from('salt for a test')];
  const hash = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

export interface SentMail {
  to: string;
  subject: string;
  text: string;
}

export class MadeDesk {
  /** A folder, or the address of a database */
  place!: string;
  desk!: AccountDesk;
  register!: OpenKeys;
  quotas!: Quotas;
  /** A connection of its own */
  database!: AccountsDatabase;
  now = new Date('2026-11-20T12:00:00Z');

  static async open(options: Partial<Parameters<typeof AccountDesk.open>[0]> = {}): Promise<MadeDesk> {
    const made = new MadeDesk();
    made.place = await newPlace();
    made.desk = await AccountDesk.open({
      database: made.place,
      plans: ACCOUNT_PLANS,
      now: () => made.now,
      addressOf: (path) => `https://filings.example${path}`,
      ...options,
    });
    made.register = await openKeys(made.place, options.plans ?? ACCOUNT_PLANS);
    made.quotas = await openQuotas(made.place, options.plans ?? ACCOUNT_PLANS);
    made.database = await openAccounts(made.place);
    return made;
  }

  async mails(): Promise<SentMail[]> {
    if (isFile()) return mailsIn(this.place);
    const rows = await ask(this.place, 'SELECT mail FROM mails ORDER BY id');
    return rows.map(({ mail }) => JSON.parse(String(mail)) as SentMail);
  }

  account(email = 'ada@example.org', planName = 'free'): Promise<Account> {
    return this.desk.register.create(email, null, planName, 'operator', this.now);
  }

  async close(): Promise<void> {
    await this.register.close();
    await this.quotas.close();
    await this.database.close();
    await this.desk.close();
  }
}

/** The mails that a service without a mail server has written. */
export function mailsIn(folder: string): SentMail[] {
  const file = join(folder, 'mail.jsonl');
  if (!existsSync(file)) return [];
  return jsonRows<SentMail>(file);
}

/** One after the other, as `map` would without promises. */
export async function inTurn<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => Promise<Result> | Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item, results.length));
  return results;
}

export const times = (count: number) => Array.from({ length: count }, (_, index) => index);

export function tokenIn(mail: SentMail): string {
  return /[?&]token=([\w-]+)/.exec(mail.text)![1]!;
}
