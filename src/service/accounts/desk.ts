/** The accounts of a service, put together. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FilinglakeError } from '../../core/index.ts';
import type { QuotaPlans } from '../../filings/api/index.ts';
import { AccountKeys } from './account-keys.ts';
import type { Billing } from './billing/billing.ts';
import { InvoiceBilling } from './billing/by-invoice.ts';
import { WebhookBilling, type WebhookSettings } from './billing/by-webhook.ts';
import { requirePlan } from './keys/plan-of-month.ts';
import { LogIn } from './log-in.ts';
import { MailFile, MailTable } from './mail/mail-file.ts';
import { Outbox } from './mail/outbox.ts';
import { SmtpSender } from './mail/smtp.ts';
import { OneTimeLinks } from './one-time-links.ts';
import { isPostgres, openAccounts } from './open.ts';
import { PlanDesk } from './plan-desk.ts';
import { dueQuotaMails } from './quota-mails.ts';
import { Cancellations } from './register/cancellations.ts';
import { type Account, AccountRegister } from './register/register.ts';
import { Subscriptions } from './register/subscriptions.ts';
import { Sessions } from './sessions.ts';
import type { AccountsDatabase } from './store/database.ts';
import { type Asynchronous, atomically, running } from './store/operation.ts';
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
  /** `postgres://…`; absent: `accounts.db` of the catalog */
  database?: string | undefined;
  /** A billing provider; absent: by invoice */
  webhook?: WebhookSettings | undefined;
}

interface AccountDeskOptions extends AccountSettings {
  /** For accounts without a database of their own */
  catalogFolder?: string | undefined;
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
  readonly register: Asynchronous<AccountRegister>;
  readonly keys: Asynchronous<AccountKeys>;
  readonly sessions: Asynchronous<Sessions>;
  readonly links: Asynchronous<OneTimeLinks>;
  readonly subscriptions: Asynchronous<Subscriptions>;
  readonly logIn: LogIn;
  readonly planDesk: PlanDesk;
  /** Null: billing is by invoice */
  readonly webhook: Asynchronous<WebhookBilling> | null;
  readonly #parts: { register: AccountRegister; links: OneTimeLinks; sessions: Sessions; throttle: Throttle };
  readonly #database: AccountsDatabase;
  readonly #outbox: Outbox;
  readonly #cancellations: Cancellations;
  readonly #mailFile: MailFile | MailTable;
  readonly #timer: NodeJS.Timeout | undefined;
  /** The database's log still has deleted rows: another connection was reading */
  #logHasDeleted = false;
  readonly #plans: QuotaPlans;
  /** Without a mail server only the operator sees the mails. */
  readonly sendsMails: boolean;
  /** By the clock of the accounts */
  readonly now: () => Date;
  readonly #addressOf: (path: string) => string;
  readonly #onFailure: (error: unknown) => void;

  private constructor(database: AccountsDatabase, options: AccountDeskOptions) {
    const {
      plans,
      now = () => database.timeOf(new Date()),
      onFailure = () => {},
      addressOf = (path) => path,
    } = options;
    this.#database = database;
    this.#plans = plans;
    this.now = now;
    this.#addressOf = addressOf;
    this.#onFailure = onFailure;
    const through = <Owner extends object>(owner: Owner) =>
      running<Owner, Asynchronous<Owner>>(owner, (operation) => database.run(operation));
    const register = new AccountRegister(plans);
    const [sessions, links, throttle] = [new Sessions(), new OneTimeLinks(), new Throttle()];
    const cancellations = new Cancellations();
    const subscriptions = new Subscriptions(register, plans, cancellations);
    this.#parts = { register, links, sessions, throttle };
    this.#cancellations = cancellations;
    this.register = through(register);
    this.keys = through(new AccountKeys());
    this.sessions = through(sessions);
    this.links = through(links);
    this.subscriptions = through(subscriptions);
    const { smtpUrl, mailFrom } = options;
    this.sendsMails = smtpUrl !== undefined;
    const place = placeOf(options);
    const exclusively = (work: () => void) =>
      database.run(function* () {
        yield* atomically();
        work();
      });
    this.#mailFile = isPostgres(place) ? new MailTable(database) : new MailFile(join(place, MAIL_FILE), exclusively);
    const sender = smtpUrl === undefined ? this.#mailFile : new SmtpSender(smtpUrl, mailFrom ?? 'filinglake@localhost');
    this.#outbox = new Outbox(sender, onFailure);
    const webhook = options.webhook ? new WebhookBilling(options.webhook, subscriptions, now) : null;
    this.webhook = webhook && through(webhook);
    const billing: Billing = webhook ?? new InvoiceBilling(this.#outbox, options.operator ?? null);
    const outbox = this.#outbox;
    this.logIn = new LogIn({ database, register, sessions, links, throttle, outbox, now, addressOf, onFailure });
    this.planDesk = new PlanDesk({
      register: this.register,
      subscriptions: this.subscriptions,
      cancellations: through(cancellations),
      billing,
      outbox,
      plans,
      now,
    });
    if (options.neverWait) this.#timer = setInterval(() => void this.tidy(), TIDY_EVERY_MS).unref();
  }

  /** @throws FilinglakeError `catalog-unwritable`, `catalog-unreadable`, `accounts-unreachable`, `catalog-unsupported` */
  static async open(options: AccountDeskOptions): Promise<AccountDesk> {
    const database = await openAccounts(placeOf(options), { neverWait: options.neverWait ?? false });
    return new AccountDesk(database, options);
  }

  /** @throws FilinglakeError `quota-plan-unknown` */
  requirePlan(plan: string): void {
    requirePlan(this.#plans, plan);
  }

  /** PDFs from pages are limited by account. @throws FilinglakeError `attempts-exceeded` */
  countPdf(account: number): Promise<void> {
    return this.#database.run(() => this.#parts.throttle.count(LIMITS.pdf, String(account), this.now()));
  }

  /** A new one-time link, for the operator to hand over. */
  async logInLink(email: string, now: Date): Promise<string> {
    return `${this.#addressOf('/account/link')}?token=${await this.links.make('log-in', email, null, now)}`;
  }

  /** Deletes an account and all that is personal: in the database, in its log and in the file of mails. */
  async deleteAccount(account: Account): Promise<void> {
    await this.planDesk.leave(account);
    const { register, throttle } = this.#parts;
    const now = this.now();
    await this.#database.run(function* () {
      yield* atomically();
      yield* register.delete(account.id, account.email, now);
      yield* throttle.forgetAll(account.email);
    });
    await this.#mailFile.forget(account.email).catch(this.#onFailure);
    this.#logHasDeleted = true;
    for (let attempt = 0; attempt < EMPTY_ATTEMPTS && this.#logHasDeleted; attempt++) {
      if (attempt > 0) await pause(EMPTY_PAUSE_MS);
      await this.#emptyLog();
    }
  }

  /** What a server does each minute: sends cancellations that wait and mails about quotas, deletes what has expired. */
  async tidy(): Promise<void> {
    const now = this.now;
    try {
      const { register, links, sessions, throttle } = this.#parts;
      for (const part of [links, sessions, throttle, register]) {
        await this.#database.run(() => part.deleteExpired(now()));
      }
      if (this.#logHasDeleted) await this.#emptyLog();
      const plansPage = this.#addressOf(this.#plans.pricing_url);
      const mails = await this.#database.run(() => dueQuotaMails(this.#plans, register, plansPage, now()));
      for (const mail of mails) this.#outbox.send(mail);
      const { webhook } = this;
      if (webhook)
        await this.#cancellations.deliver(
          ...([this.#database, (reference: string) => webhook.cancel({ reference }), now, this.#onFailure] as const),
        );
    } catch (error) {
      // Another process has the lock: the next minute does it.
      if (!(error instanceof FilinglakeError) || error.code !== 'accounts-busy') this.#onFailure(error);
    }
  }

  async #emptyLog(): Promise<void> {
    this.#logHasDeleted = !(await this.#database.emptyLog());
  }

  /** Settled when mails on their way have been sent or given up. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.logIn.close();
    await this.#outbox.close();
    await this.#database.close();
  }
}

function placeOf({ database, catalogFolder }: AccountDeskOptions): string {
  const place = database ?? catalogFolder;
  if (place === undefined) throw new FilinglakeError('argument-missing', 'neither --catalog nor --accounts is given');
  return place;
}
