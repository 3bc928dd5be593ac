/** The accounts: who they belong to, and their plan. */
import { FilinglakeError } from '../../../core/index.ts';
import type { QuotaPlans } from '../../../filings/api/index.ts';
import { monthOf, planIn } from '../keys/plan-of-month.ts';
import { all, atomically, get, type Operation, run } from '../store/operation.ts';
import { Departed } from './departed.ts';
import { mailboxOf, readEmail } from './email.ts';

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
  readonly #plans: QuotaPlans;
  readonly #departed = new Departed();

  constructor(plans: QuotaPlans) {
    this.#plans = plans;
  }

  /** The plan of a new account. @throws FilinglakeError `plan-change-invalid` if nobody can sign up */
  get signUpPlan(): string {
    const { sign_up, plans } = this.#plans;
    if (sign_up !== undefined && Object.hasOwn(plans, sign_up)) return sign_up;
    throw new FilinglakeError('plan-change-invalid', 'the plans file names no plan for new accounts (sign_up)');
  }

  *find(email: string, now: Date): Operation<Account | null> {
    return yield* this.#one('email = ?', email, now);
  }

  *get(id: number, now: Date): Operation<Account | null> {
    return yield* this.#one('id = ?', id, now);
  }

  /** @throws FilinglakeError `account-unknown`, `email-invalid` */
  *require(email: string, now: Date): Operation<Account> {
    const address = readEmail(email);
    const account = yield* this.find(address, now);
    if (account === null) throw new FilinglakeError('account-unknown', `there is no account of ${address}`);
    return account;
  }

  *list(now: Date): Operation<Account[]> {
    const rows = yield* all<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE deleted_at IS NULL ORDER BY id`);
    return rows.map((row) => accountOf(row, now));
  }

  /** @throws FilinglakeError `account-exists` */
  *create(email: string, password: string | null, plan: string, actor: string, now: Date): Operation<Account> {
    yield* atomically();
    if (yield* this.find(email, now)) {
      throw new FilinglakeError('account-exists', `there is an account of ${email} already`);
    }
    const at = now.toISOString();
    yield* run(
      'INSERT INTO accounts (email, password, plan, created_at) VALUES (?, ?, ?, ?)',
      email,
      password,
      plan,
      at,
    );
    const account = (yield* this.find(email, now))!;
    if (!(yield* this.#shareMeter(account.id, email, plan))) yield* this.#departed.take(account.id, email, now);
    yield* run(
      'INSERT INTO plan_changes (account, at, kind, from_plan, to_plan, effective, actor) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...([account.id, at, 'sign-up', plan, plan, at.slice(0, 10), actor] as const),
    );
    return account;
  }

  /** Accounts of one mailbox count together, in the sign-up plan: no quota for each tag. @returns false: only one */
  *#shareMeter(id: number, email: string, plan: string): Operation<boolean> {
    if (plan !== this.#plans.sign_up) return false;
    const { name, domain } = mailboxOf(email);
    // The comma is the character after the plus: the index of addresses finds them.
    const other = yield* get<{ meter: number }>(
      `SELECT coalesce(meter, id) AS meter FROM accounts WHERE id <> ? AND plan = ? AND deleted_at IS NULL
       AND (email = ? OR (email >= ? AND email < ? AND email LIKE ?)) ORDER BY id LIMIT 1`,
      ...([id, plan, `${name}@${domain}`, `${name}+`, `${name},`, `%@${domain}`] as const),
    );
    if (other === undefined) return false;
    yield* run('UPDATE accounts SET meter = ?, meter_plan = ? WHERE id = ?', other.meter, plan, id);
    return true;
  }

  *passwordOf(id: number): Operation<string | null> {
    const row = yield* get<{ password: string | null }>('SELECT password FROM accounts WHERE id = ?', id);
    return row?.password ?? null;
  }

  *setPassword(id: number, password: string): Operation<void> {
    yield* run('UPDATE accounts SET password = ? WHERE id = ?', password, id);
  }

  /**
   * Deletes an account with all that is personal: address, password, keys and their names, sessions, links, requests, history. The
   * sums of usage stay, under a number that belongs to nobody. Until the month ends they belong to the address too (departed.ts).
   */
  *delete(id: number, email: string, now: Date): Operation<void> {
    yield* atomically();
    yield* this.#departed.note(id, email, now);
    for (const table of ['keys', 'sessions', 'plan_requests', 'plan_changes']) {
      yield* run(`DELETE FROM ${table} WHERE account = ?`, id);
    }
    yield* run('DELETE FROM one_time_links WHERE email = ?', email);
    yield* run(
      'UPDATE accounts SET email = NULL, password = NULL, next_plan = NULL, next_from = NULL, deleted_at = ? WHERE id = ?',
      ...([now.toISOString(), id] as const),
    );
  }

  *deleteExpired(now: Date): Operation<void> {
    yield* this.#departed.deleteEarlier(now);
  }

  *#one(condition: string, value: string | number, now: Date): Operation<Account | null> {
    const row = yield* get<AccountRow>(
      `SELECT ${COLUMNS} FROM accounts WHERE ${condition} AND deleted_at IS NULL`,
      value,
    );
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
