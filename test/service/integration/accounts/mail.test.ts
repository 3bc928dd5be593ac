import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountDesk } from '../../../../src/service/accounts/index.ts';
import { ACCOUNT_PLANS, inTurn, MadeDesk, tokenIn } from '../../../support/accounts/made-desk.ts';
import { SmtpServer } from '../../../support/accounts/smtp-server.ts';

let server: SmtpServer;
beforeAll(async () => {
  server = await SmtpServer.start();
});
afterAll(() => server.stop());

async function deskWith(password: string): Promise<{ made: MadeDesk; failures: Error[] }> {
  const failures: Error[] = [];
  const made = await MadeDesk.open({
    smtpUrl: `smtp://robot:${password}@127.0.0.1:${server.port}`,
    mailFrom: 'Filings <robot@filings.example>',
    onFailure: (error) => failures.push(error as Error),
  });
  return { made, failures };
}

describe('mails by SMTP', () => {
  it('arrive with a link that works, and nothing goes into a file', async () => {
    const { made, failures } = await deskWith('right');
    await made.desk.logIn.signUp({ email: 'ada@example.org' }, '192.0.2.1');
    await expect.poll(() => server.mails.length).toBe(1);
    const [mail] = server.mails;
    expect([mail!.from, mail!.to, mail!.user]).toEqual(['robot@filings.example', ['ada@example.org'], 'robot']);
    // Long lines of quoted-printable text.
    const text = mail!.data.replace(/=\n/g, '').replace(/=3D/g, '=');
    expect(text).toContain('Subject: Confirm your e-mail address');
    const { account } = await made.desk.logIn.useLink(tokenIn({ to: '', subject: '', text }), undefined, '192.0.2.1');
    expect(account.email).toBe('ada@example.org');
    expect([await made.mails(), failures]).toEqual([[], []]);
    await made.close();
  });

  it('are tried again if the server refuses for now', async () => {
    const { made, failures } = await deskWith('right');
    server.refusals = 1;
    await made.desk.logIn.signUp({ email: 'grace@example.org' }, '192.0.2.1');
    await expect.poll(() => server.mails.some(({ to }) => to.includes('grace@example.org'))).toBe(true);
    expect(failures).toEqual([]);
    await made.close();
  });

  it('that fail are reported, without the password of the mail server', async () => {
    const { made, failures } = await deskWith('very-wrong');
    await made.desk.logIn.signUp({ email: 'ada@example.org' }, '192.0.2.1');
    await made.close();
    expect(failures.map((error) => error.message)).toEqual([expect.stringContaining('did not take a mail')]);
    expect(JSON.stringify(failures.map(({ message, stack }) => [message, stack]))).not.toContain('very-wrong');
  });
});

describe('mails about a quota', () => {
  it('come once at 80 % and once at 100 % of a month, from one of several processes', async () => {
    const made = await MadeDesk.open();
    const other = await AccountDesk.open({ database: made.place, plans: ACCOUNT_PLANS, now: () => made.now });
    const { id } = await made.account();
    const { api_key: key } = await made.desk.keys.create(id, 'k', made.now);
    const tidied = async () => {
      await Promise.all([made.desk.tidy(), other.tidy()]);
      await made.desk.tidy();
    };
    const subjects = async () => (await made.mails()).map(({ to, subject }) => `${to}: ${subject}`);
    const use = async (times: number) => {
      for (let k = 0; k < times; k++) await made.quotas.admit(key, made.now);
    };
    await use(3);
    await tidied();
    expect(await subjects()).toEqual([]);
    await use(1);
    await tidied();
    await expect.poll(subjects).toEqual(['ada@example.org: 80 % of your plan is used']);
    await use(1);
    await tidied();
    await expect.poll(async () => (await subjects()).length).toBe(2);
    expect((await subjects())[1]).toBe('ada@example.org: 100 % of your plan is used');
    expect((await made.mails())[1]!.text).toContain('until 2026-12-01 (UTC)');
    made.now = new Date('2026-12-03T12:00:00Z');
    await tidied();
    await use(5);
    await tidied();
    await expect.poll(async () => (await subjects()).length).toBe(3);
    expect((await subjects())[2]).toBe('ada@example.org: 100 % of your plan is used');
    await other.close();
    await made.close();
  });
});

describe('a key', () => {
  it('shows the day of its last request', async () => {
    const made = await MadeDesk.open();
    const { id } = await made.account();
    const [used, unused] = await inTurn(['used', 'unused'], (name) => made.desk.keys.create(id, name, made.now));
    await made.quotas.admit(used!.api_key, made.now);
    await made.quotas.writeBatch();
    const days = async () => (await made.desk.keys.list(id)).map(({ name, last_used }) => [name, last_used]);
    expect(await days()).toEqual([
      ['used', '2026-11-20'],
      ['unused', null],
    ]);
    await made.quotas.admit(unused!.api_key, new Date('2026-11-25T00:00:00Z'));
    await made.quotas.admit(used!.api_key, new Date('2026-11-19T00:00:00Z'));
    await made.quotas.writeBatch();
    expect(await days()).toEqual([
      ['used', '2026-11-20'],
      ['unused', '2026-11-25'],
    ]);
    await made.close();
  });
});
