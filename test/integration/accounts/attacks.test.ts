/** What an attacker tries against accounts: lock-out, leftovers of deleted accounts, a second month for nothing. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountsDatabase } from '../../../src/accounts/database.ts';
import { LIMITS, Throttle } from '../../../src/accounts/throttle.ts';
import { MadeDesk, PASSWORD, tokenIn } from '../../support/accounts/made-desk.ts';

let made: MadeDesk;
beforeEach(() => {
  made = new MadeDesk();
});
afterEach(() => made.close());

const HOME = '198.51.100.1';
const stranger = (k: number) => `203.0.113.${k}`;
/** Counts attempts until they are refused, without the cost of real log-ins. */
function useUp(limit: (typeof LIMITS)[keyof typeof LIMITS], subject: Parameters<Throttle['count']>[1]): void {
  const database = AccountsDatabase.open(made.folder);
  try {
    for (;;) new Throttle(database).count(limit, subject, made.now);
  } catch (error) {
    expect(error).toMatchObject({ code: 'attempts-exceeded' });
  } finally {
    database.close();
  }
}
const stored = () =>
  ['accounts.db', 'accounts.db-wal', 'mail.jsonl']
    .map(
      (file) =>
        statSync(join(made.folder, file), { throwIfNoEntry: false }) && readFileSync(join(made.folder, file), 'latin1'),
    )
    .join('');

describe('an attacker', () => {
  it('locks nobody out: neither from one network, nor from many if the owner has logged in from theirs', async () => {
    const account = made.account();
    await made.desk.logIn.setPassword(account, { session: '', old: '', password: PASSWORD }, HOME);
    const right = { email: account.email, password: PASSWORD };
    useUp(LIMITS.logInToAccount, [account.email, stranger(1)]);
    await made.desk.logIn.logIn(right, HOME);
    useUp(LIMITS.logInFromStrangers, account.email);
    await expect(made.desk.logIn.logIn(right, stranger(2))).rejects.toMatchObject({ code: 'attempts-exceeded' });
    expect((await made.desk.logIn.logIn(right, HOME)).account.id).toBe(account.id);
  });

  it('stops no link of an owner who has logged in from their network, and sends few mails to an address', async () => {
    made.account();
    await made.desk.logIn.requestLink('ada@example.org', HOME);
    await expect.poll(() => made.mails().length).toBe(1);
    await made.desk.logIn.useLink(tokenIn(made.mails()[0]!), undefined, HOME);
    let sent = 0;
    for (let k = 0; k < 100; k++) {
      await made.desk.logIn.requestLink('ada@example.org', stranger(k)).then(
        () => sent++,
        () => undefined,
      );
    }
    expect(sent).toBeLessThanOrEqual(10);
    await made.desk.logIn.requestLink('ada@example.org', HOME);
    await made.desk.logIn.close();
    expect(made.mails()).toHaveLength(sent + 2);
  });
});

describe('an account that the operator closed', () => {
  it('has no key that works, and makes no other', () => {
    const account = made.account();
    const [first, second] = ['one', 'two'].map((name) => made.desk.keys.create(account.id, name, made.now));
    made.register.closeAccount(first!.prefix, made.now);
    for (const { api_key } of [first!, second!]) expect(made.quotas.admit(api_key, made.now).outcome).toBe('closed');
    const refused = expect.objectContaining({ code: 'account-refused' });
    expect(() => made.desk.keys.create(account.id, 'three', made.now)).toThrow(refused);
    expect(() => made.desk.keys.rotate(account.id, second!.prefix, made.now)).toThrow(refused);
  });
});

describe('a deleted account', () => {
  it('leaves its address neither in the database, its log, the mails nor the limits, even while another process reads', async () => {
    const account = made.account('grace.unusual@example.org');
    made.account('not-grace.unusual@example.org');
    await made.desk.logIn.requestLink(account.email, HOME);
    await made.desk.logIn.requestLink('not-grace.unusual@example.org', HOME);
    await expect.poll(() => made.mails().length).toBe(2);
    made.desk.keys.create(account.id, 'unusual thesis', made.now);
    const reader = new DatabaseSync(join(made.folder, 'accounts.db'));
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM accounts').all();
    await made.desk.deleteAccount(account);
    expect(made.mails().map(({ to }) => to)).toEqual(['not-grace.unusual@example.org']);
    reader.exec('COMMIT');
    reader.close();
    await made.desk.tidy();
    expect(stored()).not.toMatch(/(?<!not-)grace\.unusual/);
    expect(stored()).not.toContain('unusual thesis');
    const limits = new DatabaseSync(join(made.folder, 'accounts.db'));
    const subjects = limits.prepare("SELECT subject FROM attempts WHERE subject LIKE 'mail %account%'").all();
    limits.close();
    // That of the other account.
    expect(subjects).toHaveLength(1);
  });

  it('and a new one of the same address share the month, and nothing of it is kept longer', async () => {
    const use = (apiKey: string) => {
      const admission = made.quotas.admit(apiKey, made.now);
      if (admission.outcome === 'admitted') made.quotas.settle(admission.ticket, { counted: true, bytes: 10 });
      return admission.outcome;
    };
    const key = () => made.desk.keys.create(made.account().id, '', made.now).api_key;
    const first = key();
    expect([1, 2, 3].map(() => use(first))).toEqual(Array(3).fill('admitted'));
    const again = async () => made.desk.deleteAccount(made.desk.register.require('ada@example.org', made.now));
    await again();
    const second = key();
    expect([1, 2, 3].map(() => use(second))).toEqual(['admitted', 'admitted', 'refused']);
    await again();
    made.now = new Date('2026-12-01T00:00:00Z');
    const third = key();
    expect(use(third)).toBe('admitted');
    await made.desk.tidy();
    const database = new DatabaseSync(join(made.folder, 'accounts.db'));
    expect(database.prepare('SELECT count(*) AS n FROM departed').get()).toEqual({ n: 0 });
    database.close();
  });
});

describe('the database of accounts', () => {
  it('is for its owner alone', () => {
    for (const file of ['accounts.db', 'accounts.db-wal']) {
      expect(statSync(join(made.folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  it('finds expired attempts and links by an index: many of them slow nobody down', () => {
    const database = new DatabaseSync(join(made.folder, 'accounts.db'));
    for (const table of ['attempts', 'one_time_links']) {
      const [plan] = database.prepare(`EXPLAIN QUERY PLAN DELETE FROM ${table} WHERE expires_at <= 1`).all();
      expect(plan!.detail).toContain('USING');
    }
    database.close();
  });

  it('forgets links and log-ins that nobody uses, without a request', async () => {
    const account = made.account();
    made.desk.links.make('confirm', 'never.confirmed@example.org', null, made.now);
    made.desk.sessions.start(account.id, made.now);
    made.now = new Date(made.now.getTime() + 100 * 86_400_000);
    await made.desk.tidy();
    const database = new DatabaseSync(join(made.folder, 'accounts.db'));
    const count = (table: string) => database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!.n;
    expect([count('one_time_links'), count('sessions')]).toEqual([0, 0]);
    database.close();
  });
});
