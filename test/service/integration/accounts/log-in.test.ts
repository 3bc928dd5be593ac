/** Sign-up, links, log-ins, sessions and passwords, without a service. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashPassword, isPassword } from '../../../../src/service/accounts/index.ts';
import { isFile, rowsOf } from '../../../support/accounts/backend.ts';
import { inTurn, MadeDesk, PASSWORD, QUICK_HASH, tokenIn } from '../../../support/accounts/made-desk.ts';

let made: MadeDesk;
beforeEach(async () => {
  made = await MadeDesk.open();
});
afterEach(() => made.close());

const HOUR_MS = 3_600_000;
const later = (ms: number) => {
  made.now = new Date(made.now.getTime() + ms);
};
async function nextMail(count: number) {
  await expect.poll(async () => (await made.mails()).length).toBe(count);
  return (await made.mails()).at(-1)!;
}

describe('a sign-up', () => {
  it('becomes an account when its link is used, once', async () => {
    await made.desk.logIn.signUp({ email: ' Ada@Example.org ' }, '192.0.2.1');
    const mail = await nextMail(1);
    expect([mail.to, await made.desk.register.list(made.now)]).toEqual(['ada@example.org', []]);
    const token = tokenIn(mail);
    expect(await made.desk.logIn.look(token)).toMatchObject({ purpose: 'confirm', password: null });
    const { account, session } = await made.desk.logIn.useLink(token, undefined, '192.0.2.1');
    expect(account).toMatchObject({ email: 'ada@example.org', plan: 'free', has_password: false });
    expect(await made.desk.sessions.find(session, made.now)).toBe(account.id);
    await expect(made.desk.logIn.useLink(token, undefined, '192.0.2.1')).rejects.toMatchObject({
      code: 'link-invalid',
    });
  });

  it('gives one account to two uses of a link at once', async () => {
    await made.desk.logIn.signUp({ email: 'ada@example.org' }, '192.0.2.1');
    const token = tokenIn(await nextMail(1));
    const uses = await Promise.allSettled([1, 2, 3].map(() => made.desk.logIn.useLink(token, undefined, '192.0.2.1')));
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('with a password needs it at the link, so that nobody makes an account for another with a password of theirs', async () => {
    await made.desk.logIn.signUp({ email: 'ada@example.org', password: PASSWORD }, '192.0.2.1');
    const token = tokenIn(await nextMail(1));
    await expect(made.desk.logIn.useLink(token, 'another password', '192.0.2.1')).rejects.toMatchObject({
      code: 'log-in-refused',
    });
    await expect(made.desk.logIn.useLink(token, undefined, '192.0.2.1')).rejects.toMatchObject({
      code: 'log-in-refused',
    });
    expect(await made.desk.register.list(made.now)).toEqual([]);
    const { account } = await made.desk.logIn.useLink(token, PASSWORD, '192.0.2.1');
    expect(account.has_password).toBe(true);
    const again = await made.desk.logIn.logIn({ email: 'ADA@example.org', password: PASSWORD }, '192.0.2.1');
    expect(again.account.id).toBe(account.id);
  });

  it('of an address with an account mails a link to log in, and changes no password', async () => {
    const account = await made.account();
    await made.desk.logIn.signUp({ email: account.email, password: PASSWORD }, '192.0.2.1');
    const mail = await nextMail(1);
    expect(mail.subject).toBe('Your link to log in');
    await made.desk.logIn.useLink(tokenIn(mail), undefined, '192.0.2.1');
    expect(await made.desk.register.passwordOf(account.id)).toBeNull();
  });

  it.each([
    '',
    'ada',
    'a@b@c',
    'a b@example.org',
    'a@example.org\nbcc: x@y.z',
    '<a@example.org>',
    `${'a'.repeat(300)}@x.org`,
  ])('is refused for the address %j', async (email) => {
    await expect(made.desk.logIn.signUp({ email }, '192.0.2.1')).rejects.toMatchObject({ code: 'email-invalid' });
  });

  it('is refused for a short password, before anything is stored', async () => {
    const given = { email: 'ada@example.org', password: 'short' };
    await expect(made.desk.logIn.signUp(given, '192.0.2.1')).rejects.toMatchObject({ code: 'password-invalid' });
    expect(await made.mails()).toEqual([]);
  });
});

describe('a one-time link', () => {
  it('of an unknown address is not sent, and the answer is the same', async () => {
    await made.desk.logIn.requestLink('nobody@example.org', '192.0.2.1');
    await made.desk.logIn.close();
    expect(await made.mails()).toEqual([]);
  });

  it('ends after half an hour', async () => {
    await made.account();
    await made.desk.logIn.requestLink('ada@example.org', '192.0.2.1');
    const token = tokenIn(await nextMail(1));
    later(HOUR_MS / 2);
    await expect(made.desk.logIn.useLink(token, undefined, '192.0.2.1')).rejects.toMatchObject({
      code: 'link-invalid',
    });
  });

  it('ends all other links of its address', async () => {
    await made.account();
    await made.desk.logIn.requestLink('ada@example.org', '192.0.2.1');
    const first = tokenIn(await nextMail(1));
    await made.desk.logIn.requestLink('ada@example.org', '192.0.2.1');
    const second = tokenIn(await nextMail(2));
    await made.desk.logIn.useLink(second, undefined, '192.0.2.1');
    await expect(made.desk.logIn.useLink(first, undefined, '192.0.2.1')).rejects.toMatchObject({
      code: 'link-invalid',
    });
  });
});

describe('a log-in', () => {
  it('is refused in the same words for a wrong password, for an account without one, and for no account', async () => {
    const account = await made.account();
    await made.account('link@example.org');
    await made.desk.register.setPassword(account.id, await hashPassword(PASSWORD));
    const messages = ['ada@example.org', 'link@example.org', 'nobody@example.org'].map((email) =>
      made.desk.logIn.logIn({ email, password: 'wrong password' }, '192.0.2.1').catch((error: Error) => error.message),
    );
    expect(new Set(await Promise.all(messages)).size).toBe(1);
  });

  it('is throttled by account and network, and the right password too', async () => {
    const account = await made.account();
    await made.desk.register.setPassword(account.id, QUICK_HASH);
    const tries = Array.from({ length: 10 }, (_, k) =>
      made.desk.logIn
        .logIn({ email: account.email, password: `wrong ${k} password` }, '192.0.2.1')
        .catch((e) => e.code),
    );
    expect(new Set(await Promise.all(tries))).toEqual(new Set(['log-in-refused']));
    const right = { email: account.email, password: PASSWORD };
    await expect(made.desk.logIn.logIn(right, '192.0.2.1')).rejects.toMatchObject({ code: 'attempts-exceeded' });
    later(HOUR_MS / 4);
    expect((await made.desk.logIn.logIn(right, '192.0.2.1')).account.id).toBe(account.id);
  });

  it('is throttled by network, whatever the accounts', async () => {
    for (let k = 0; k < 30; k++) await made.desk.logIn.signUp({ email: `a${k}@example.org` }, `2001:db8:1:2::${k}`);
    const more = made.desk.logIn.signUp({ email: 'b@example.org' }, '2001:db8:1:2:ffff::1');
    await expect(more).rejects.toMatchObject({ code: 'attempts-exceeded' });
    await made.desk.logIn.signUp({ email: 'b@example.org' }, '2001:db8:1:3::1');
  });

  it('gets a new session each time; a new password ends them all', async () => {
    const account = await made.account();
    const first = await made.desk.sessions.start(account.id, made.now);
    const second = await made.desk.sessions.start(account.id, made.now);
    expect(first).not.toBe(second);
    const given = { session: first, old: '', password: PASSWORD };
    const { session } = await made.desk.logIn.setPassword(account, given, '192.0.2.1');
    const found = await inTurn([first, second, session], (token) => made.desk.sessions.find(token, made.now));
    expect(found).toEqual([null, null, account.id]);
  });

  it('needs the old password for a new one, except for a short time after a log-in by a link', async () => {
    const account = await made.account();
    const { logIn, register, sessions, links } = made.desk;
    await register.setPassword(account.id, QUICK_HASH);
    const set = (session: string, old: string, password: string) =>
      logIn.setPassword(account, { session, old, password }, '192.0.2.1');
    const NEW = 'another long password';
    const stolen = await sessions.start(account.id, made.now);
    for (const old of ['', 'a wrong password', NEW]) {
      await expect(set(stolen, old, NEW)).rejects.toMatchObject({ code: 'log-in-refused' });
    }
    // Nothing has changed: the session is still there, and the old password is valid.
    expect(await sessions.find(stolen, made.now)).toBe(account.id);
    await set(stolen, PASSWORD, NEW);
    const link = () => links.make('log-in', account.email!, null, made.now);
    const { session } = await logIn.useLink(await link(), undefined, '192.0.2.1');
    later(14 * 60_000);
    await set(session, '', PASSWORD);
    const late = await logIn.useLink(await link(), undefined, '192.0.2.1');
    later(16 * 60_000);
    await expect(set(late.session, '', NEW)).rejects.toMatchObject({ code: 'log-in-refused' });
    expect((await logIn.logIn({ email: account.email!, password: PASSWORD }, '192.0.2.1')).account.id).toBe(account.id);
  });

  it('gives few attempts at the old password', async () => {
    const account = await made.account();
    await made.desk.register.setPassword(account.id, QUICK_HASH);
    const session = await made.desk.sessions.start(account.id, made.now);
    const guess = () => made.desk.logIn.setPassword(account, { session, old: 'x', password: PASSWORD }, '192.0.2.1');
    for (let k = 0; k < 10; k++) await expect(guess()).rejects.toMatchObject({ code: 'log-in-refused' });
    await expect(guess()).rejects.toMatchObject({ code: 'attempts-exceeded' });
  });

  it('ends after two weeks without a request, and after 90 days in any case', async () => {
    const account = await made.account();
    const token = await made.desk.sessions.start(account.id, made.now);
    for (let day = 0; day < 9; day++) {
      later(10 * 24 * HOUR_MS - 1);
      expect(await made.desk.sessions.find(token, made.now)).toBe(account.id);
    }
    later(24 * HOUR_MS);
    expect(await made.desk.sessions.find(token, made.now)).toBeNull();
    const idle = await made.desk.sessions.start(account.id, made.now);
    later(15 * 24 * HOUR_MS);
    expect(await made.desk.sessions.find(idle, made.now)).toBeNull();
  });
});

describe('the database', () => {
  it('has no password, token or key, and the mails are for their owner alone', async () => {
    await made.desk.logIn.signUp({ email: 'ada@example.org', password: PASSWORD }, '192.0.2.1');
    const token = tokenIn(await nextMail(1));
    const { account, session } = await made.desk.logIn.useLink(token, PASSWORD, '192.0.2.1');
    const { api_key, prefix } = await made.desk.keys.create(account.id, 'thesis', made.now);
    const files = ['accounts.db', 'accounts.db-wal'].map((file) => join(made.place, file));
    const stored = isFile()
      ? files.map((file) => readFileSync(file, 'latin1')).join('')
      : JSON.stringify((await rowsOf(made.place)).filter(({ name }) => name !== 'mails'));
    expect(stored).toContain(prefix);
    for (const secret of [PASSWORD, token, session, api_key.slice(prefix.length)]) expect(stored).not.toContain(secret);
    if (isFile()) expect(statSync(join(made.place, 'mail.jsonl')).mode & 0o777).toBe(0o600);
  });
});

describe('a deleted account', () => {
  it('leaves nothing personal: neither address nor names, keys, sessions or history', async () => {
    const account = await made.account('grace.unusual@example.org');
    const { api_key } = await made.desk.keys.create(account.id, 'my unusual thesis', made.now);
    const session = await made.desk.sessions.start(account.id, made.now);
    await made.desk.subscriptions.request(account, 'research', 'invoice', made.now);
    expect(await made.quotas.find([api_key])).not.toEqual([null]);
    await made.desk.register.delete(account.id, account.email, made.now);
    // Each second a server asks for changes.
    await made.quotas.writeBatch();
    expect(await made.quotas.find([api_key])).toEqual([null]);
    expect(await made.desk.sessions.find(session, made.now)).toBeNull();
    expect(await made.desk.subscriptions.openRequests()).toEqual([]);
    expect(await made.desk.subscriptions.history(account.id)).toEqual([]);
    await made.register.close();
    await made.quotas.close();
    await made.desk.close();
    const stored = isFile() ? readFileSync(join(made.place, 'accounts.db'), 'latin1') : await rowsOf(made.place);
    expect(JSON.stringify(stored)).not.toContain('unusual');
    made = await MadeDesk.open();
  });

  it('does not give its number, and so its usage, to another', async () => {
    const first = await made.account();
    await made.desk.register.delete(first.id, first.email, made.now);
    expect((await made.account()).id).toBeGreaterThan(first.id);
  });
});

describe('a stored password', () => {
  it('is of scrypt with a salt', async () => {
    const [one, two] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)]);
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$/);
    expect(one).not.toBe(two);
    expect(
      await Promise.all([isPassword(PASSWORD, one), isPassword('other', one), isPassword(PASSWORD, null)]),
    ).toEqual([true, false, false]);
  });
});
