/** More sign-ups with a password than the service can check: each is taken or refused, and none is lost. */
import { afterAll, expect, it } from 'vitest';
import { MadeDesk, PASSWORD } from '../../support/accounts/made-desk.ts';

const made = await MadeDesk.open();
afterAll(() => made.close());

it('a sign-up is refused while too many passwords are being checked, rather than lost after its answer', async () => {
  const emails = Array.from({ length: 60 }, (_, k) => `a${k}@example.org`);
  const signUps = emails.map((email, k) => made.desk.logIn.signUp({ email, password: PASSWORD }, `192.0.2.${k}`));
  const outcomes = await Promise.allSettled(signUps);
  await made.desk.logIn.close();
  const taken = emails.filter((_, k) => outcomes[k]!.status === 'fulfilled');
  await expect.poll(async () => (await made.mails()).map(({ to }) => to).sort()).toEqual(taken.sort());
  expect(taken.length).toBeLessThan(emails.length);
  for (const one of outcomes)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'accounts-busy' });
});
