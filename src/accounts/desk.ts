/** The accounts of a service, put together. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { QuotaPlans } from '../api/index.ts';
import { isBusy } from '../catalog/index.ts';
import { AccountKeys } from './account-keys.ts';
import type { Billing } from './billing/billing.ts';
import { InvoiceBilling } from './billing/by-invoice.ts';
import { WebhookBilling, type WebhookSettings } from './billing/by-webhook.ts';
import { Cancellations } from './billing/cancellations.ts';
import { AccountsDatabase, patiently } from './database.ts';
import { requirePlan } from './keys/plan-of-month.ts';
import { LogIn } from './log-in.ts';
import { MailFile } from './mail/mail-file.ts';
import { Outbox } from './mail/outbox.ts';
import { SmtpSender } from './mail/smtp.ts';
import { OneTimeLinks } from './one-time-links.ts';
import { PlanDesk } from './plan-desk.ts';
import { dueQuotaMails } from './quota-mails.ts';
import { type Account, AccountRegister } from './register.ts';
import { Sessions } from './sessions.ts';
import { Subscriptions } from './subscriptions.ts';
import { LIMITS, Throttle } from './throttle.ts';

const MAIL_FILE = 'mail.jsonl';
const TIDY_EVERY_MS = 60_000;
const EMPTY_ATTEMPTS = 20;
const EMPTY_PAUSE_MS = 100;

export interface AccountSettings {
  /** `smtp://USER:PASSWORD@HOST:PORT`; absent: mails go into `mail.jsonl` of the catalog */
  smtpUrl?: string | undefined;
  mailFrom?: string | undefined;
  /** Address that gets a mail for each request for a plan */
  operator?: string | undefined;
  /** A billing provider; absent: by invoice */
  webhook?: WebhookSettings | undefined;
}

interface AccountDeskOptions extends AccountSettings {
  catalogFolder: string;
  plans: QuotaPlans;
  /** Address of a page of the service, for mails */
  addressOf?: (path: string) => string;
  /** Never blocks the thread for the lock of another process */
  neverWait?: boolean;
  now?: () => Date;
  /** Called for mails that were given up, and for work that failed after its answer */
  onFailure?: (error: unknown) => void;
}

export class AccountDesk {
  readonly register: AccountRegister;
  readonly keys: AccountKeys;
  readonly sessions: Sessions;
  readonly links: OneTimeLinks;
  readonly subscriptions: Subscriptions;
  readonly logIn: LogIn;
  readonly planDesk: PlanDesk;
  /** Null: billing is by invoice */
  readonly webhook: WebhookBilling | null;
  readonly #database: AccountsDatabase;
  readonly #outbox: Outbox;
  readonly #throttle: Throttle;
  readonly #cancellations: Cancellations;
  readonly #mailFile: MailFile;
  readonly #timer: NodeJS.Timeout | undefined;
  /** The database's log still has deleted rows: another connection was reading */
  #logHasDeleted = false;
  readonly #plans: QuotaPlans;
  readonly #now: () => Date;
  readonly #addressOf: (path: string) => string;
  readonly #onFailure: (error: unknown) => void;

  private constructor(database: AccountsDatabase, options: AccountDeskOptions) {
    const { plans, now = () => new Date(), onFailure = () => {}, addressOf = (path) => path } = options;
    this.#database = database;
    this.#plans = plans;
    this.#now = now;
    this.#addressOf = addressOf;
    this.#onFailure = onFailure;
    this.register = new AccountRegister(database, plans);
    this.keys = new AccountKeys(database);
    this.sessions = new Sessions(database);
    this.links = new OneTimeLinks(database);
    this.#cancellations = new Cancellations(database);
    this.subscriptions = new Subscriptions(database, this.register, plans, this.#cancellations);
    const { smtpUrl, mailFrom, catalogFolder } = options;
    this.#mailFile = new MailFile(join(catalogFolder, MAIL_FILE), (work) =>
      patiently(() => database.transaction(work)),
    );
    const sender = smtpUrl === undefined ? this.#mailFile : new SmtpSender(smtpUrl, mailFrom ?? 'filinglake@localhost');
    this.#outbox = new Outbox(sender, onFailure);
    this.webhook = options.webhook ? new WebhookBilling(options.webhook, database, this.subscriptions, now) : null;
    const billing: Billing = this.webhook ?? new InvoiceBilling(this.#outbox, options.operator ?? null);
    const { register, sessions, links, subscriptions } = this;
    const throttle = new Throttle(database);
    this.#throttle = throttle;
    const outbox = this.#outbox;
    this.logIn = new LogIn({ database, register, sessions, links, throttle, outbox, now, addressOf, onFailure });
    const cancellations = this.#cancellations;
    this.planDesk = new PlanDesk({ register, subscriptions, billing, cancellations, outbox, plans, now });
    if (options.neverWait) this.#timer = setInterval(() => void this.tidy(), TIDY_EVERY_MS).unref();
  }

  /** @throws FilinglakeError `catalog-unwritable`, `catalog-unreadable` */
  static open(options: AccountDeskOptions): AccountDesk {
    const database = AccountsDatabase.open(options.catalogFolder, { neverWait: options.neverWait ?? false });
    return new AccountDesk(database, options);
  }

  /** @throws FilinglakeError `quota-plan-unknown` */
  requirePlan(plan: string): void {
    requirePlan(this.#plans, plan);
  }

  /** PDFs from pages are limited by account. @throws FilinglakeError `attempts-exceeded` */
  countPdf(account: number): void {
    this.#throttle.count(LIMITS.pdf, String(account), this.#now());
  }

  /** A new one-time link, for the operator to hand over. */
  logInLink(email: string, now: Date): string {
    return `${this.#addressOf('/account/link')}?token=${this.links.make('log-in', email, null, now)}`;
  }

  /** Deletes an account and all that is personal: in the database, in its log and in the file of mails. */
  async deleteAccount(account: Account): Promise<void> {
    await this.planDesk.leave(account);
    await patiently(() =>
      this.#database.transaction(() => {
        this.register.delete(account.id, account.email, this.#now());
        this.#throttle.forgetAll(account.email);
      }),
    );
    await this.#mailFile.forget(account.email).catch(this.#onFailure);
    this.#logHasDeleted = true;
    for (let attempt = 0; attempt < EMPTY_ATTEMPTS && this.#logHasDeleted; attempt++) {
      if (attempt > 0) await pause(EMPTY_PAUSE_MS);
      this.#emptyLog();
    }
  }

  /** What a server does each minute: sends cancellations that wait and mails about quotas, deletes what has expired. */
  async tidy(): Promise<void> {
    const now = this.#now;
    try {
      for (const part of [this.links, this.sessions, this.#throttle, this.register]) part.deleteExpired(now());
      if (this.#logHasDeleted) this.#emptyLog();
      const account = (id: number) => this.register.get(id, now());
      const plansPage = this.#addressOf(this.#plans.pricing_url);
      for (const mail of dueQuotaMails(this.#database, this.#plans, account, plansPage, now())) this.#outbox.send(mail);
      const { webhook } = this;
      if (webhook)
        await this.#cancellations.deliver((reference) => webhook.cancel({ reference }), now, this.#onFailure);
    } catch (error) {
      // Another process has the lock: the next minute does it.
      if (!isBusy(error)) this.#onFailure(error);
    }
  }

  #emptyLog(): void {
    try {
      this.#logHasDeleted = !this.#database.emptyLog();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  /** Settled when mails on their way have been sent or given up. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.logIn.close();
    await this.#outbox.close();
    this.#database.close();
  }
}
