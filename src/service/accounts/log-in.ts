/** Sign-up, confirmation and log-in. None of it says whether an address has an account. */
import { FilinglakeError } from '../../core/index.ts';
import type { Outbox } from './mail/outbox.ts';
import { confirmMail, logInMail } from './mail/texts.ts';
import { networkOf } from './network.ts';
import type { OneTimeLink, OneTimeLinks } from './one-time-links.ts';
import { hashPassword, isPassword, requireGoodPassword } from './passwords.ts';
import { readEmail } from './register/email.ts';
import type { Account, AccountRegister } from './register/register.ts';
import type { Sessions } from './sessions.ts';
import type { AccountsDatabase } from './store/database.ts';
import { atomically, type Operation } from './store/operation.ts';
import { hashOfToken } from './store/secrets.ts';
import { type AttemptLimit, LIMITS, type Subject, type Throttle } from './throttle.ts';

interface LogInParts {
  database: AccountsDatabase;
  register: AccountRegister;
  sessions: Sessions;
  links: OneTimeLinks;
  throttle: Throttle;
  outbox: Outbox;
  now: () => Date;
  /** Address of a page of the service */
  addressOf: (path: string) => string;
  /** Called for work that failed after its request was answered */
  onFailure: (error: unknown) => void;
}

interface LoggedIn {
  account: Account;
  /** For the cookie */
  session: string;
}

export class LogIn {
  readonly #parts: LogInParts;
  readonly #working = new Set<Promise<void>>();

  constructor(parts: LogInParts) {
    this.#parts = parts;
  }

  /**
   * Notes a sign-up and mails a link. Without a password, or if the address has an account, the link logs in. The password is hashed
   * for every address, and the rest is done after the answer: the time says nothing about the address.
   * @param address of the caller
   * @throws FilinglakeError `email-invalid`, `password-invalid`, `attempts-exceeded`, `accounts-busy`
   */
  async signUp(given: { email: string; password?: string | undefined }, address: string): Promise<void> {
    const email = readEmail(given.email);
    const { password } = given;
    if (password !== undefined) requireGoodPassword(password);
    // Fails now, not after the answer, if nobody can sign up here.
    void this.#parts.register.signUpPlan;
    await this.#countMail(email, address);
    // Before the answer: a sign-up that is refused for too much work must not look accepted.
    const hashed = password === undefined ? null : await hashPassword(password);
    this.#afterwards(() => this.#mailLink(email, hashed, true));
  }

  /** Mails a link that logs in, if the address has an account. @throws as signUp */
  async requestLink(text: string, address: string): Promise<void> {
    const email = readEmail(text);
    await this.#countMail(email, address);
    this.#afterwards(() => this.#mailLink(email, null, false));
  }

  /** What a link would do; null: it is used, too old or wrong. */
  look(token: string): Promise<OneTimeLink | null> {
    const { database, links, now } = this.#parts;
    return database.run(() => links.look(token, now()));
  }

  /**
   * Uses a link. The link of a sign-up with a password needs that password: so nobody who signs up with another person's address
   * gets an account there with a password that they know.
   * @param address of the caller
   * @throws FilinglakeError `link-invalid`, `log-in-refused`, `attempts-exceeded`
   */
  async useLink(token: string, password: string | undefined, address: string): Promise<LoggedIn> {
    const { database, throttle, now } = this.#parts;
    const found = await this.look(token);
    if (found === null) throw linkInvalid();
    if (found.password !== null) {
      await this.#count(LIMITS.link, hashOfToken(token).toString('hex'));
      if (!(await isPassword(password ?? '', found.password))) {
        throw new FilinglakeError('log-in-refused', 'this is not the password of the sign-up');
      }
    }
    const loggedIn = await database.run(() => this.#use(token));
    await database.run(() => throttle.remember(loggedIn.account.email, networkOf(address), now()));
    return loggedIn;
  }

  /** @throws FilinglakeError `log-in-refused`, `attempts-exceeded`, `accounts-busy` */
  async logIn(given: { email: string; password: string }, address: string): Promise<LoggedIn> {
    const { database, throttle, register, sessions, now } = this.#parts;
    const email = readEmail(given.email);
    const network = networkOf(address);
    await this.#count(LIMITS.logInOfNetwork, network);
    await this.#count(LIMITS.logInToAccount, [email, network]);
    if (!(await this.#isKnown(email, network))) await this.#count(LIMITS.logInFromStrangers, email);
    const account = await database.run(() => register.find(email, now()));
    const stored = account === null ? null : await database.run(() => register.passwordOf(account.id));
    if (!(await isPassword(given.password, stored)) || account === null) {
      throw new FilinglakeError('log-in-refused', 'the e-mail address or the password is wrong');
    }
    return database.run(function* () {
      yield* atomically();
      yield* throttle.forget(LIMITS.logInToAccount, [email, network]);
      yield* throttle.remember(email, network, now());
      return { account, session: yield* sessions.start(account.id, now()) };
    });
  }

  /**
   * Sets a password. All other sessions end. An account with a password needs it, unless its session began with a fresh link: so
   * nobody takes over an account at an unlocked computer.
   * @param session of the caller
   * @param address of the caller
   * @throws FilinglakeError `password-invalid`, `log-in-refused`, `attempts-exceeded`, `accounts-busy`
   */
  async setPassword(
    account: Account,
    { session, old, password }: { session: string; old: string; password: string },
    address: string,
  ): Promise<LoggedIn> {
    const { register, sessions, links, database, now } = this.#parts;
    requireGoodPassword(password);
    const stored = await database.run(() => register.passwordOf(account.id));
    if (stored !== null && !(await database.run(() => sessions.isFromFreshLink(session, now())))) {
      await this.#count(LIMITS.oldPassword, [account.email, networkOf(address)]);
      if (!(await isPassword(old, stored))) throw new FilinglakeError('log-in-refused', 'the old password is wrong');
    }
    const hashed = await hashPassword(password);
    return database.run(function* () {
      yield* atomically();
      yield* register.setPassword(account.id, hashed);
      yield* sessions.endAll(account.id);
      yield* links.dropAll(account.email);
      return { account, session: yield* sessions.start(account.id, now()) };
    });
  }

  /** Settled when all work of answered requests has ended. */
  async close(): Promise<void> {
    await Promise.all(this.#working);
  }

  *#use(token: string): Operation<LoggedIn> {
    const { links, register, sessions, now } = this.#parts;
    const at = now();
    yield* atomically();
    const link = yield* links.take(token, at);
    if (link === null) throw linkInvalid();
    const account = (yield* register.find(link.email, at)) ?? (yield* this.#newAccount(link, at));
    return { account, session: yield* sessions.start(account.id, at, { byLink: true }) };
  }

  *#newAccount({ purpose, email, password }: OneTimeLink, now: Date): Operation<Account> {
    const { register } = this.#parts;
    // Its account was deleted after the mail was sent.
    if (purpose === 'log-in') throw linkInvalid();
    return yield* register.create(email, password, register.signUpPlan, 'holder', now);
  }

  async #mailLink(email: string, password: string | null, mayCreate: boolean): Promise<void> {
    const { database, register, links, outbox, now, addressOf } = this.#parts;
    const isKnown = (await database.run(() => register.find(email, now()))) !== null;
    if (!isKnown && !mayCreate) return;
    // The password of a second sign-up changes nothing for an account that is there.
    const kept = isKnown ? null : password;
    const token = await database.run(() => links.make(isKnown ? 'log-in' : 'confirm', email, kept, now()));
    const link = `${addressOf('/account/link')}?token=${token}`;
    outbox.send(isKnown ? logInMail(email, link) : confirmMail(email, link, kept !== null));
  }

  async #countMail(email: string, address: string): Promise<void> {
    const network = networkOf(address);
    await this.#count(LIMITS.mailOfNetwork, network);
    await this.#count(LIMITS.mailToAccount, [email, network]);
    if (!(await this.#isKnown(email, network))) await this.#count(LIMITS.mailFromStrangers, email);
  }

  #isKnown(email: string, network: string): Promise<boolean> {
    const { database, throttle, now } = this.#parts;
    return database.run(() => throttle.isKnown(email, network, now()));
  }

  #count(limit: AttemptLimit, subject: Subject): Promise<void> {
    const { database, throttle, now } = this.#parts;
    return database.run(() => throttle.count(limit, subject, now()));
  }

  #afterwards(work: () => Promise<void>): void {
    const working = work()
      .catch((error: unknown) => this.#parts.onFailure(error))
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
  }
}

function linkInvalid(): FilinglakeError {
  return new FilinglakeError('link-invalid', 'this link is unknown, used or too old');
}
