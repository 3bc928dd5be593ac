/** The accounts: who they belong to, and their plan. */
import type { QuotaPlans } from '../api/index.ts';
import { FilinglakeError } from '../core/index.ts';
import type { AccountsDatabase } from './database.ts';
import { Departed } from './departed.ts';
import { mailboxOf, readEmail } from './email.ts';
import { monthOf, planIn } from './keys/plan-of-month.ts';

export interface Account {
  id: number;
  email: string;
  /** The plan of the current month (UTC) */
  plan: string;
  /** A downgrade or cancellation that holds from `next_from` (`YYYY-MM`) on */
  next_plan: string | null;
  next_from: string | null;
  has_password: boolean;
  created_at: string;
}

type AccountRow = Omit<Account, 'has_password'> & { password: string | null };

const COLUMNS = 'id, email, password, plan, next_plan, next_from, created_at';

export class AccountRegister {
  readonly #database: AccountsDatabase;
  readonly #plans: QuotaPlans;
  readonly #departed: Departed;

  constructor(database: AccountsDatabase, plans: QuotaPlans) {
    this.#database = database;
    this.#plans = plans;
    this.#departed = new Departed(database);
  }

  /** The plan of a new account. @throws FilinglakeError `plan-change-invalid` if nobody can sign up */
  get signUpPlan(): string {
    const { sign_up, plans } = this.#plans;
    if (sign_up !== undefined && Object.hasOwn(plans, sign_up)) return sign_up;
    throw new FilinglakeError('plan-change-invalid', 'the plans file names no plan for new accounts (sign_up)');
  }

  find(email: string, now: Date): Account | null {
    return this.#one('email = ?', email, now);
  }

  get(id: number, now: Date): Account | null {
    return this.#one('id = ?', id, now);
  }

  /** @throws FilinglakeError `account-unknown`, `email-invalid` */
  require(email: string, now: Date): Account {
    const address = readEmail(email);
    const account = this.find(address, now);
    if (account === null) throw new FilinglakeError('account-unknown', `there is no account of ${address}`);
    return account;
  }

  list(now: Date): Account[] {
    const rows = this.#database.db
      .prepare(`SELECT ${COLUMNS} FROM accounts WHERE deleted_at IS NULL ORDER BY id`)
      .all() as unknown as AccountRow[];
    return rows.map((row) => accountOf(row, now));
  }

  /** @throws FilinglakeError `account-exists` */
  create(email: string, password: string | null, plan: string, actor: string, now: Date): Account {
    const { db } = this.#database;
    return this.#database.transaction(() => {
      if (this.find(email, now)) throw new FilinglakeError('account-exists', `there is an account of ${email} already`);
      const at = now.toISOString();
      db.prepare('INSERT INTO accounts (email, password, plan, created_at) VALUES (?, ?, ?, ?)').run(
        email,
        password,
        plan,
        at,
      );
      const account = this.find(email, now)!;
      if (!this.#shareMeter(account.id, email, plan)) this.#departed.take(account.id, email, now);
      db.prepare(
        'INSERT INTO plan_changes (account, at, kind, from_plan, to_plan, effective, actor) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ).run(account.id, at, 'sign-up', plan, plan, at.slice(0, 10), actor);
      return account;
    });
  }

  /**
   * Accounts with the plan of the sign-up count together if mail to them arrives in one mailbox: so nobody gets a quota for each tag.
   * @returns false: there is no other
   */
  #shareMeter(id: number, email: string, plan: string): boolean {
    if (plan !== this.#plans.sign_up) return false;
    const { name, domain } = mailboxOf(email);
    const { db } = this.#database;
    // The comma is the character after the plus: the index of addresses finds them.
    const other = db
      .prepare(
        `SELECT ifnull(meter, id) AS meter FROM accounts WHERE id <> ? AND plan = ? AND deleted_at IS NULL
         AND (email = ? OR (email >= ? AND email < ? AND email LIKE ?)) ORDER BY id LIMIT 1`,
      )
      .get(id, plan, `${name}@${domain}`, `${name}+`, `${name},`, `%@${domain}`);
    if (other === undefined) return false;
    db.prepare('UPDATE accounts SET meter = ?, meter_plan = ? WHERE id = ?').run(other.meter as number, plan, id);
    return true;
  }

  passwordOf(id: number): string | null {
    const row = this.#database.db.prepare('SELECT password FROM accounts WHERE id = ?').get(id);
    return (row as { password: string | null } | undefined)?.password ?? null;
  }

  setPassword(id: number, password: string): void {
    this.#database.db.prepare('UPDATE accounts SET password = ? WHERE id = ?').run(password, id);
  }

  /**
   * Deletes an account with all that is personal: address, password, keys and their names, sessions, links, requests, history. The
   * sums of usage stay, under a number that belongs to nobody. Until the month ends they belong to the address too (departed.ts).
   */
  delete(id: number, email: string, now: Date): void {
    const { db } = this.#database;
    this.#database.transaction(() => {
      this.#departed.note(id, email, now);
      for (const table of ['keys', 'sessions', 'plan_requests', 'plan_changes']) {
        db.prepare(`DELETE FROM ${table} WHERE account = ?`).run(id);
      }
      db.prepare('DELETE FROM one_time_links WHERE email = ?').run(email);
      db.prepare(
        'UPDATE accounts SET email = NULL, password = NULL, next_plan = NULL, next_from = NULL, deleted_at = ? WHERE id = ?',
      ).run(now.toISOString(), id);
    });
  }

  deleteExpired(now: Date): void {
    this.#departed.deleteEarlier(now);
  }

  #one(condition: string, value: string | number, now: Date): Account | null {
    const row = this.#database.db
      .prepare(`SELECT ${COLUMNS} FROM accounts WHERE ${condition} AND deleted_at IS NULL`)
      .get(value) as unknown as AccountRow | undefined;
    return row ? accountOf(row, now) : null;
  }
}

/** A change of plan that holds by now is the plan. */
function accountOf({ password, ...row }: AccountRow, now: Date): Account {
  const plan = planIn(monthOf(now), row);
  const isPast = row.next_from !== null && monthOf(now) >= row.next_from;
  const next = isPast ? { next_plan: null, next_from: null } : {};
  return { ...row, ...next, plan, has_password: password !== null };
}
