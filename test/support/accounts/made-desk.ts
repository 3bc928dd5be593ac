/** The accounts of an empty catalog, with a clock of their own and their mails at hand. */
import { scryptSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, AccountDesk, KeyQuotas, KeyRegister } from '../../../src/accounts/index.ts';
import type { QuotaPlans } from '../../../src/api/index.ts';
import { temporaryFolder } from '../catalog/synthetic-filings.ts';

const plan = (requests: number | null, bytes: number | null, offered = true) => ({
  ...{
    requests_per_month: requests,
    bytes_per_month: bytes,
    price: `${requests} USD`,
    description: 'for tests',
    offered,
  },
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
  readonly folder = temporaryFolder();
  readonly desk: AccountDesk;
  readonly register: KeyRegister;
  readonly quotas: KeyQuotas;
  now = new Date('2026-11-20T12:00:00Z');

  constructor(options: Partial<Parameters<typeof AccountDesk.open>[0]> = {}) {
    this.desk = AccountDesk.open({
      catalogFolder: this.folder,
      plans: ACCOUNT_PLANS,
      now: () => this.now,
      addressOf: (path) => `https://filings.example${path}`,
      ...options,
    });
    this.register = KeyRegister.open(this.folder, options.plans ?? ACCOUNT_PLANS);
    this.quotas = KeyQuotas.open(this.folder, options.plans ?? ACCOUNT_PLANS);
  }

  mails(): SentMail[] {
    return mailsIn(this.folder);
  }

  account(email = 'ada@example.org', planName = 'free'): Account {
    return this.desk.register.create(email, null, planName, 'operator', this.now);
  }

  async close(): Promise<void> {
    this.register.close();
    this.quotas.close();
    await this.desk.close();
  }
}

/** The mails that a service without a mail server has written. */
export function mailsIn(folder: string): SentMail[] {
  const file = join(folder, 'mail.jsonl');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SentMail);
}

export function tokenIn(mail: SentMail): string {
  return /[?&]token=([\w-]+)/.exec(mail.text)![1]!;
}
