import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MadeDesk, tokenIn } from '../../support/accounts/made-desk.ts';
import { SmtpServer } from '../../support/accounts/smtp-server.ts';

let server: SmtpServer;
beforeAll(async () => {
  server = await SmtpServer.start();
});
afterAll(() => server.stop());

function deskWith(password: string): { made: MadeDesk; failures: Error[] } {
  const failures: Error[] = [];
  const made = new MadeDesk({
    smtpUrl: `smtp://robot:${password}@127.0.0.1:${server.port}`,
    mailFrom: 'Filings <robot@filings.example>',
    onFailure: (error) => failures.push(error as Error),
  });
  return { made, failures };
}

describe('mails by SMTP', () => {
  it('arrive with a link that works, and nothing goes into a file', async () => {
    const { made, failures } = deskWith('right');
    await made.desk.logIn.signUp({ email: 'ada@example.org' }, '192.0.2.1');
    await expect.poll(() => server.mails.length).toBe(1);
    const [mail] = server.mails;
    expect([mail!.from, mail!.to, mail!.user]).toEqual(['robot@filings.example', ['ada@example.org'], 'robot']);
    // Long lines of quoted-printable text.
    const text = mail!.data.replace(/=\n/g, '').replace(/=3D/g, '=');
    expect(text).toContain('Subject: Confirm your e-mail address');
    const { account } = await made.desk.logIn.useLink(tokenIn({ to: '', subject: '', text }), undefined, '192.0.2.1');
    expect(account.email).toBe('ada@example.org');
    expect([made.mails(), failures]).toEqual([[], []]);
    await made.close();
  });

  it('are tried again if the server refuses for now', async () => {
    const { made, failures } = deskWith('right');
    server.refusals = 1;
    await made.desk.logIn.signUp({ email: 'grace@example.org' }, '192.0.2.1');
    await expect.poll(() => server.mails.some(({ to }) => to.includes('grace@example.org'))).toBe(true);
    expect(failures).toEqual([]);
    await made.close();
  });

  it('that fail are reported, without the password of the mail server', async () => {
    const { made, failures } = deskWith('very-wrong');
    await made.desk.logIn.signUp({ email: 'ada@example.org' }, '192.0.2.1');
    await made.close();
    expect(failures.map((error) => error.message)).toEqual([expect.stringContaining('did not take a mail')]);
    expect(JSON.stringify(failures.map(({ message, stack }) => [message, stack]))).not.toContain('very-wrong');
  });
});
