import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BillingProvider } from '../../../support/accounts/billing-provider.ts';
import { MadeDesk } from '../../../support/accounts/made-desk.ts';

let provider: BillingProvider;
let made: MadeDesk;
beforeAll(async () => {
  provider = await BillingProvider.start();
});
afterAll(() => provider.close());
beforeEach(async () => {
  provider.calls.length = 0;
  provider.isDown = false;
  made = await MadeDesk.open({ webhook: { url: provider.url, secret: provider.secret } });
  made.now = new Date();
  await made.account();
});
afterEach(() => made.close());

const account = async () => (await made.desk.register.find('ada@example.org', made.now))!;
const receive = ({ body, signature }: { body: string; signature: string }) =>
  made.desk.webhook!.receive(Buffer.from(body), signature);
async function requested(): Promise<string> {
  const { url } = await made.desk.planDesk.choose(await account(), 'research');
  expect(url).toBe(`${provider.url}/pay`);
  return provider.calls.at(-1)!.body.reference;
}

describe('billing by a provider', () => {
  it('sends a signed checkout, and grants the plan by a signed event', async () => {
    const reference = await requested();
    expect(provider.calls).toEqual([
      { path: '/checkouts', body: { reference, plan: 'research', email: 'ada@example.org' } },
    ]);
    expect((await account()).plan).toBe('free');
    expect(await receive(provider.event('e1', 'plan.granted', reference))).toBe('applied');
    expect((await account()).plan).toBe('research');
    await made.desk.planDesk.cancel(await account());
    await made.desk.planDesk.resume(await account());
    expect(provider.calls.slice(1).map(({ path, body }) => [path, body])).toEqual([
      ['/cancellations', { reference }],
      ['/resumptions', { reference }],
    ]);
  });

  it('applies an event once, however often it comes', async () => {
    const reference = await requested();
    const event = provider.event('e1', 'plan.granted', reference);
    expect([await receive(event), await receive(event), await receive(event)]).toEqual([
      'applied',
      'repeated',
      'repeated',
    ]);
    await made.desk.subscriptions.set(await account(), 'free', 'operator', made.now);
    expect(await receive(event)).toBe('repeated');
    expect(await receive(provider.event('e2', 'plan.granted', reference))).toBe('ignored');
    expect((await account()).plan).toBe('free');
  });

  it('ignores events in the wrong order, and of requests that nobody made', async () => {
    const reference = await requested();
    expect(await receive(provider.event('e1', 'plan.refused', reference))).toBe('applied');
    expect(await receive(provider.event('e2', 'plan.granted', reference))).toBe('ignored');
    expect(await receive(provider.event('e3', 'plan.granted', 'nothing'))).toBe('ignored');
    expect((await account()).plan).toBe('free');
  });

  it('ends the plan at the end of the month when the provider ends it', async () => {
    const reference = await requested();
    await receive(provider.event('e1', 'plan.granted', reference));
    expect(await receive(provider.event('e2', 'plan.ended', reference))).toBe('applied');
    expect(await account()).toMatchObject({ plan: 'research', next_plan: 'free' });
  });

  it('refuses events that are not signed, signed for another text, too old or from the future', async () => {
    const reference = await requested();
    const event = provider.event('e1', 'plan.granted', reference);
    const at = (seconds: number) =>
      provider.event('e1', 'plan.granted', reference, new Date(Date.now() + seconds * 1_000));
    const wrong = [
      { ...event, signature: '' },
      { ...event, signature: event.signature.replace(/v1=../, 'v1=zz') },
      { ...event, body: event.body.replace('e1', 'e2') },
      { ...event, signature: event.signature.replace(/t=\d+/, `t=${Math.floor(Date.now() / 1_000) + 1}`) },
      at(-310),
      at(310),
    ];
    for (const one of wrong) await expect(receive(one)).rejects.toThrow(/signature/);
    expect((await account()).plan).toBe('free');
    expect(await receive(at(-290))).toBe('applied');
  });

  it('hears of each request that is withdrawn, so that nobody pays for nothing', async () => {
    const first = await requested();
    await made.desk.planDesk.choose(await account(), 'institution');
    const second = provider.calls.at(-1)!.body.reference;
    await made.desk.planDesk.leave(await account());
    const paths = provider.calls.map(({ path, body }) => [path, body.reference]);
    expect(paths).toEqual([
      ['/checkouts', first],
      ['/cancellations', first],
      ['/checkouts', second],
      ['/cancellations', second],
    ]);
    expect(await made.desk.subscriptions.openRequests()).toEqual([]);
  });

  it('changes nothing if the provider is down: the user can try again', async () => {
    provider.isDown = true;
    await expect(made.desk.planDesk.choose(await account(), 'research')).rejects.toMatchObject({
      code: 'billing-unreachable',
    });
    provider.isDown = false;
    await receive(provider.event('e1', 'plan.granted', await requested()));
    provider.isDown = true;
    await expect(made.desk.planDesk.cancel(await account())).rejects.toMatchObject({ code: 'billing-unreachable' });
    expect(await account()).toMatchObject({ plan: 'research', next_plan: null });
  });
});

describe('payments', () => {
  it('are for one plan: an upgrade ends the payments for the plan before, however long the provider is down', async () => {
    const first = await requested();
    await receive(provider.event('e1', 'plan.granted', first));
    await made.desk.planDesk.choose(await account(), 'institution');
    const second = provider.calls.at(-1)!.body.reference;
    await receive(provider.event('e2', 'plan.granted', second));
    expect((await account()).plan).toBe('institution');
    provider.isDown = true;
    await made.desk.tidy();
    provider.isDown = false;
    provider.calls.length = 0;
    made.now = new Date(made.now.getTime() + 61_000);
    await made.desk.tidy();
    await made.desk.tidy();
    expect(provider.calls).toEqual([{ path: '/cancellations', body: { reference: first } }]);
    // The provider confirms it. The larger plan stays.
    expect(await receive(provider.event('e3', 'plan.ended', first))).toBe('ignored');
    expect(await account()).toMatchObject({ plan: 'institution', next_plan: null });
  });

  it('change with a smaller plan, and end with it', async () => {
    await made.desk.planDesk.choose(await account(), 'institution');
    const { reference } = provider.calls.at(-1)!.body;
    await receive(provider.event('e1', 'plan.granted', reference));
    await made.desk.planDesk.choose(await account(), 'research');
    const month = new Date(Date.UTC(made.now.getUTCFullYear(), made.now.getUTCMonth() + 1, 1));
    const from = month.toISOString().slice(0, 10);
    expect(provider.calls.at(-1)).toEqual({ path: '/changes', body: { reference, plan: 'research', from } });
    made.now = month;
    expect((await account()).plan).toBe('research');
    const ended = provider.event('e2', 'plan.ended', reference, made.now);
    expect(await receive(ended)).toBe('applied');
    expect(await account()).toMatchObject({ plan: 'research', next_plan: 'free' });
  });

  it('that the provider has ended are not resumed for nothing: the user chooses the plan again', async () => {
    const first = await requested();
    await receive(provider.event('e1', 'plan.granted', first));
    await receive(provider.event('e2', 'plan.ended', first));
    await expect(made.desk.planDesk.resume(await account())).rejects.toMatchObject({ code: 'plan-change-invalid' });
    expect((await account()).next_plan).toBe('free');
    const { url } = await made.desk.planDesk.choose(await account(), 'research');
    expect(url).toContain('/pay');
    await receive(provider.event('e3', 'plan.granted', provider.calls.at(-1)!.body.reference));
    expect(await account()).toMatchObject({ plan: 'research', next_plan: null });
  });

  it('arrive while the user withdraws the request: the plan is granted, and ends by the provider', async () => {
    const reference = await requested();
    const open = (await made.desk.subscriptions.openRequest((await account()).id))!;
    await receive(provider.event('e1', 'plan.granted', reference));
    await expect(made.desk.subscriptions.settleRequest(open, 'withdrawn', 'holder', made.now)).rejects.toThrow(
      'not open',
    );
    expect(await receive(provider.event('e2', 'plan.ended', reference))).toBe('applied');
    expect((await account()).next_plan).toBe('free');
  });

  it('do not keep an account from being deleted: the provider hears of it when it is back', async () => {
    const reference = await requested();
    await receive(provider.event('e1', 'plan.granted', reference));
    provider.isDown = true;
    await made.desk.deleteAccount(await account());
    expect(await made.desk.register.list(made.now)).toEqual([]);
    provider.isDown = false;
    provider.calls.length = 0;
    await made.desk.tidy();
    expect(provider.calls).toEqual([{ path: '/cancellations', body: { reference } }]);
    await made.desk.tidy();
    expect(provider.calls).toHaveLength(1);
  });
});

describe('an event', () => {
  it('of a kind that is not known here is taken and ignored: an error would bring it again and again', async () => {
    const reference = await requested();
    expect(await receive(provider.event('e1', 'invoice.paid', reference))).toBe('ignored');
    expect((await account()).plan).toBe('free');
  });
});
