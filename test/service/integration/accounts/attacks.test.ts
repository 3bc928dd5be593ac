/** What an attacker tries against accounts: lock-out, leftovers of deleted accounts, a second month for nothing. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS, Throttle } from '../../../../src/service/accounts/throttle.ts';
import { ask, isFile, rowsOf } from '../../../support/accounts/backend.ts';
import { inTurn, MadeDesk, PASSWORD, times, tokenIn } from '../../../support/accounts/made-desk.ts';

let made: MadeDesk;
beforeEach(async () => {
  made = await MadeDesk.open();
});
afterEach(() => made.close());

const HOME = '198.51.100.1';
const stranger = (k: number) => `203.0.113.${k}`;
/** Counts attempts until they are refused, without the cost of real log-ins. */
async function useUp(limit: (typeof LIMITS)[keyof typeof LIMITS], subject: Parameters<Throttle['count']>[1]) {
  const tryForever = async () => {
    for (;;) await made.database.run(() => new Throttle().count(limit, subject, made.now));
  };
  await expect(tryForever()).rejects.toMatchObject({ code: 'attempts-exceeded' });
}
const stored = async () => (isFile() ? filesOf(made.place) : JSON.stringify(await rowsOf(made.place)));
const filesOf = (folder: string) =>
  ['accounts.db', 'accounts.db-wal', 'mail.jsonl']
    .map(
      (file) => statSync(join(folder, file), { throwIfNoEntry: false }) && readFileSync(join(folder, file), 'latin1'),
    )
    .join('');

describe('an attacker', () => {
  it('locks nobody out: neither from one network, nor from many if the owner has logged in from theirs', async () => {
    const account = await made.account();
    await made.desk.logIn.setPassword(account, { session: '', old: '', password: PASSWORD }, HOME);
    const right = { email: account.email, password: PASSWORD };
    await useUp(LIMITS.logInToAccount, [account.email, stranger(1)]);
    await made.desk.logIn.logIn(right, HOME);
    await useUp(LIMITS.logInFromStrangers, account.email);
    await expect(made.desk.logIn.logIn(right, stranger(2))).rejects.toMatchObject({ code: 'attempts-exceeded' });
    expect((await made.desk.logIn.logIn(right, HOME)).account.id).toBe(account.id);
  });

  it('stops no link of an owner who has logged in from their network, and sends few mails to an address', async () => {
    await made.account();
    await made.desk.logIn.requestLink('ada@example.org', HOME);
    await expect.poll(async () => (await made.mails()).length).toBe(1);
    await made.desk.logIn.useLink(tokenIn((await made.mails())[0]!), undefined, HOME);
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
    expect(await made.mails()).toHaveLength(sent + 2);
  });
});

describe('accounts of one mailbox, with other tags behind a plus', () => {
  const use = async (apiKey: string) => {
    const admission = await made.quotas.admit(apiKey, made.now);
    if (admission.outcome !== 'admitted') return admission.outcome;
    await made.quotas.settle(admission.ticket, { counted: true, bytes: 10, operation: 'filing_info' });
    await made.quotas.addWork(admission.ticket, 1_000);
    await made.quotas.writeBatch();
    return 'admitted';
  };
  const account = async (email: string, plan?: string) => {
    const { id } = await made.account(email, plan);
    return { id, key: (await made.desk.keys.create(id, '', made.now)).api_key };
  };
  const many = (key: string, requests: number) => inTurn(times(requests), () => use(key));

  it('get the quota of the sign-up once, also if some of them are deleted', async () => {
    const [ada, tagged] = [await account('ada@example.org'), await account('ada+1@example.org')];
    expect([...(await many(ada.key, 3)), ...(await many(tagged.key, 3))]).toEqual([
      ...Array(5).fill('admitted'),
      'refused',
    ]);
    expect(await made.desk.keys.usage(tagged.id, made.now)).toMatchObject({ requests: 5, work_seconds: 5 });
    const removed = async (email: string) => {
      const { id } = await made.desk.register.require(email, made.now);
      await made.desk.register.delete(id, email, made.now);
    };
    await removed('ada@example.org');
    expect([await use(tagged.key), await use((await account('ada+2@example.org')).key)]).toEqual([
      'refused',
      'refused',
    ]);
    for (const tag of [1, 2]) await removed(`ada+${tag}@example.org`);
    const last = await account('ada+3@example.org');
    expect(await use(last.key)).toBe('refused');
    expect(await made.desk.keys.usage(last.id, made.now)).toMatchObject({ requests: 5, work_seconds: 5 });
    made.now = new Date('2026-12-01T00:00:00Z');
    expect(await use(last.key)).toBe('admitted');
  });

  it('have the quotas that they pay for, and none of another mailbox', async () => {
    const first = await account('lab@example.org');
    await many(first.key, 5);
    const others = ['lab@other.example.org', 'lab2@example.org', 'la+b@example.org', 'b@example.org'];
    for (const email of others) expect([email, await use((await account(email)).key)]).toEqual([email, 'admitted']);
    for (const name of ['lab+a', 'lab+b']) {
      const paid = await account(`${name}@example.org`, 'research');
      expect(await many(paid.key, 21)).toEqual([...Array(20).fill('admitted'), 'refused']);
    }
    const tagged = await account('lab+c@example.org');
    expect(await use(tagged.key)).toBe('refused');
    await made.desk.planDesk.choose((await made.desk.register.get(tagged.id, made.now))!, 'research');
    await made.desk.planDesk.grant((await made.desk.subscriptions.openRequests())[0]!);
    expect(await use(tagged.key)).toBe('admitted');
  });

  it('get their mails at the address that was typed', async () => {
    await account('ada@example.org');
    await made.desk.logIn.signUp({ email: 'ada+1@example.org' }, HOME);
    await expect.poll(async () => (await made.mails()).length, { timeout: 60_000 }).toBe(1);
    expect((await made.mails())[0]!.to).toBe('ada+1@example.org');
    // No log-in to the other account.
    const { account: own } = await made.desk.logIn.useLink(tokenIn((await made.mails())[0]!), undefined, HOME);
    expect(own.email).toBe('ada+1@example.org');
  });
});

describe('an account that the operator closed', () => {
  it('has no key that works, and makes no other', async () => {
    const account = await made.account();
    const [first, second] = await inTurn(['one', 'two'], (name) => made.desk.keys.create(account.id, name, made.now));
    await made.register.closeAccount(first!.prefix, made.now);
    for (const { api_key } of [first!, second!])
      expect((await made.quotas.admit(api_key, made.now)).outcome).toBe('closed');
    const refused = expect.objectContaining({ code: 'account-refused' });
    await expect(made.desk.keys.create(account.id, 'three', made.now)).rejects.toThrow(refused);
    await expect(made.desk.keys.rotate(account.id, second!.prefix, made.now)).rejects.toThrow(refused);
  });
});

describe('a deleted account', () => {
  it('leaves its address neither in the database, its log, the mails nor the limits, even while another process reads', async () => {
    const account = await made.account('grace.unusual@example.org');
    await made.account('not-grace.unusual@example.org');
    await made.desk.logIn.requestLink(account.email, HOME);
    await made.desk.logIn.requestLink('not-grace.unusual@example.org', HOME);
    await expect.poll(async () => (await made.mails()).length).toBe(2);
    await made.desk.keys.create(account.id, 'unusual thesis', made.now);
    const reader = isFile() ? new DatabaseSync(join(made.place, 'accounts.db')) : null;
    reader?.exec('BEGIN');
    reader?.prepare('SELECT * FROM accounts').all();
    await made.desk.deleteAccount(account);
    expect((await made.mails()).map(({ to }) => to)).toEqual(['not-grace.unusual@example.org']);
    reader?.exec('COMMIT');
    reader?.close();
    await made.desk.tidy();
    expect(await stored()).not.toMatch(/(?<!not-)grace\.unusual/);
    expect(await stored()).not.toContain('unusual thesis');
    const subjects = await ask(made.place, "SELECT subject FROM attempts WHERE subject LIKE 'mail %account%'");
    // That of the other account.
    expect(subjects).toHaveLength(1);
  });

  it('and a new one of the same address share the month, and nothing of it is kept longer', async () => {
    const use = async (apiKey: string) => {
      const admission = await made.quotas.admit(apiKey, made.now);
      if (admission.outcome === 'admitted') await made.quotas.settle(admission.ticket, { counted: true, bytes: 10 });
      return admission.outcome;
    };
    const key = async () => (await made.desk.keys.create((await made.account()).id, '', made.now)).api_key;
    const first = await key();
    expect(await inTurn(times(3), () => use(first))).toEqual(Array(3).fill('admitted'));
    const again = async () => made.desk.deleteAccount(await made.desk.register.require('ada@example.org', made.now));
    await again();
    const second = await key();
    expect(await inTurn(times(3), () => use(second))).toEqual(['admitted', 'admitted', 'refused']);
    await again();
    made.now = new Date('2026-12-01T00:00:00Z');
    const third = await key();
    expect(await use(third)).toBe('admitted');
    await made.desk.tidy();
    expect(await ask(made.place, 'SELECT * FROM departed')).toEqual([]);
  });
});

describe('the database of accounts', () => {
  it.runIf(isFile())('is for its owner alone', () => {
    for (const file of ['accounts.db', 'accounts.db-wal']) {
      expect(statSync(join(made.place, file)).mode & 0o777).toBe(0o600);
    }
  });

  it.runIf(isFile())('finds expired attempts and links by an index: many of them slow nobody down', () => {
    const database = new DatabaseSync(join(made.place, 'accounts.db'));
    for (const table of ['attempts', 'one_time_links']) {
      const [plan] = database.prepare(`EXPLAIN QUERY PLAN DELETE FROM ${table} WHERE expires_at <= 1`).all();
      expect(plan!.detail).toContain('USING');
    }
    database.close();
  });

  it('forgets links and log-ins that nobody uses, without a request', async () => {
    const account = await made.account();
    await made.desk.links.make('confirm', 'never.confirmed@example.org', null, made.now);
    await made.desk.sessions.start(account.id, made.now);
    made.now = new Date(made.now.getTime() + 100 * 86_400_000);
    await made.desk.tidy();
    const left = ['one_time_links', 'sessions'].map((table) => ask(made.place, `SELECT * FROM ${table}`));
    expect(await Promise.all(left)).toEqual([[], []]);
  });
});
