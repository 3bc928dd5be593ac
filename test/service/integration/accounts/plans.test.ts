import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offeredPlans, planChange } from '../../../../src/service/accounts/index.ts';
import { ACCOUNT_PLANS, inTurn, MadeDesk, times } from '../../../support/accounts/made-desk.ts';

let made: MadeDesk;
beforeEach(async () => {
  made = await MadeDesk.open({ operator: 'operator@filings.example' });
});
afterEach(() => made.close());

const account = async () => (await made.desk.register.find('ada@example.org', made.now))!;
const grant = async () => await made.desk.planDesk.grant((await made.desk.subscriptions.openRequests())[0]!);
/** Outcomes of as many requests. */
function use(apiKey: string, requests: number): Promise<string[]> {
  return inTurn(times(requests), async () => {
    const admission = await made.quotas.admit(apiKey, made.now);
    if (admission.outcome === 'admitted') await made.quotas.settle(admission.ticket, { counted: true, bytes: 1 });
    return admission.outcome;
  });
}
const admitted = (outcomes: string[]) => outcomes.filter((outcome) => outcome === 'admitted').length;

describe('a change of plan', () => {
  it.each([
    ['free', 'free', 'none'],
    ['free', 'research', 'upgrade'],
    ['institution', 'research', 'downgrade'],
    ['institution', 'free', 'cancel'],
    ['research', 'unlimited', 'upgrade'],
    ['a plan that is gone', 'research', 'upgrade'],
  ])('from %s to %s is: %s', (from, to, kind) => {
    expect(planChange(ACCOUNT_PLANS, from, to)).toBe(kind);
  });

  it('to a plan that is not there names the nearest', () => {
    expect(() => planChange(ACCOUNT_PLANS, 'free', 'reserch')).toThrow("did you mean 'research'?");
    expect(offeredPlans(ACCOUNT_PLANS).map(([name]) => name)).toEqual(['free', 'research', 'institution']);
  });
});

describe('billing by invoice', () => {
  it('upgrades at once when the operator grants the request, and what is used stays used', async () => {
    const { id } = await made.account();
    const { api_key } = await made.desk.keys.create(id, '', made.now);
    expect(admitted(await use(api_key, 7))).toBe(5);
    const { message } = await made.desk.planDesk.choose(await account(), 'research');
    expect(message).toContain('invoice');
    await expect.poll(async () => await made.mails()).toMatchObject([{ to: 'operator@filings.example' }]);
    expect((await account()).plan).toBe('free');
    expect(await use(api_key, 1)).toEqual(['refused']);
    await grant();
    expect((await account()).plan).toBe('research');
    // 20 a month, of which 5 are used.
    expect(admitted(await use(api_key, 20))).toBe(15);
    await expect
      .poll(async () => (await made.mails()).at(-1))
      .toMatchObject({ to: 'ada@example.org', subject: 'Your plan' });
  });

  it('downgrades on the first of next month, to the millisecond', async () => {
    const { id } = await made.account('ada@example.org', 'institution');
    const { api_key } = await made.desk.keys.create(id, '', made.now);
    await made.desk.planDesk.choose(await account(), 'research');
    expect(await account()).toMatchObject({ plan: 'institution', next_plan: 'research', next_from: '2026-12' });
    made.now = new Date('2026-11-30T23:59:59.999Z');
    expect(admitted(await use(api_key, 30))).toBe(30);
    made.now = new Date('2026-12-01T00:00:00.000Z');
    expect(await account()).toMatchObject({ plan: 'research', next_plan: null });
    expect(admitted(await use(api_key, 30))).toBe(20);
  });

  it('cancels at the end of the month, and can be resumed before', async () => {
    await made.account('ada@example.org', 'research');
    await made.desk.planDesk.cancel(await account());
    expect(await account()).toMatchObject({ plan: 'research', next_plan: 'free' });
    await made.desk.planDesk.resume(await account());
    expect(await account()).toMatchObject({ plan: 'research', next_plan: null });
    await made.desk.planDesk.cancel(await account());
    made.now = new Date('2026-12-01T00:00:00Z');
    expect((await account()).plan).toBe('free');
    await expect(made.desk.planDesk.resume(await account())).rejects.toMatchObject({ code: 'plan-change-invalid' });
    expect(
      (await made.desk.subscriptions.history((await account()).id)).map(({ kind, effective }) => [kind, effective]),
    ).toEqual([
      ['sign-up', '2026-11-20'],
      ['cancel', '2026-12-01'],
      ['resume', '2026-11-20'],
      ['cancel', '2026-12-01'],
    ]);
  });

  it('keeps the current plan if another downgrade follows one that applies already', async () => {
    await made.account('ada@example.org', 'institution');
    await made.desk.planDesk.choose(await account(), 'research');
    made.now = new Date('2026-12-15T00:00:00Z');
    await made.desk.planDesk.cancel(await account());
    expect(await account()).toMatchObject({ plan: 'research', next_plan: 'free', next_from: '2027-01' });
  });

  it('has one open request an account: a second one replaces it, cancelling withdraws it', async () => {
    await made.account();
    await made.desk.planDesk.choose(await account(), 'research');
    await made.desk.planDesk.choose(await account(), 'research');
    expect(await made.desk.subscriptions.openRequests()).toHaveLength(1);
    await made.desk.planDesk.choose(await account(), 'institution');
    expect(await made.desk.subscriptions.openRequests()).toMatchObject([{ plan: 'institution' }]);
    const [request] = await made.desk.subscriptions.openRequests();
    await made.desk.planDesk.cancel(await account());
    expect(await made.desk.subscriptions.openRequests()).toEqual([]);
    await expect(made.desk.planDesk.grant(request!)).rejects.toThrow('not open any more');
    expect((await account()).plan).toBe('free');
  });

  it('gives no plan that is not offered, and none twice', async () => {
    await made.account();
    const choose = async (plan: string) => made.desk.planDesk.choose(await account(), plan);
    await expect(choose('unlimited')).rejects.toMatchObject({ code: 'plan-change-invalid' });
    await expect(choose('free')).rejects.toMatchObject({ code: 'plan-change-invalid' });
    await expect(choose('gold')).rejects.toMatchObject({ code: 'plan-change-invalid' });
  });
});
