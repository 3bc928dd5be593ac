import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offeredPlans, planChange } from '../../../src/accounts/index.ts';
import { ACCOUNT_PLANS, MadeDesk } from '../../support/accounts/made-desk.ts';

let made: MadeDesk;
beforeEach(() => {
  made = new MadeDesk({ operator: 'operator@filings.example' });
});
afterEach(() => made.close());

const account = () => made.desk.register.find('ada@example.org', made.now)!;
const grant = () => made.desk.planDesk.grant(made.desk.subscriptions.openRequests()[0]!);
/** Outcomes of as many requests. */
function use(apiKey: string, requests: number): string[] {
  return Array.from({ length: requests }, () => {
    const admission = made.quotas.admit(apiKey, made.now);
    if (admission.outcome === 'admitted') made.quotas.settle(admission.ticket, { counted: true, bytes: 1 });
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
    const { id } = made.account();
    const { api_key } = made.desk.keys.create(id, '', made.now);
    expect(admitted(use(api_key, 7))).toBe(5);
    const { message } = await made.desk.planDesk.choose(account(), 'research');
    expect(message).toContain('invoice');
    await expect.poll(() => made.mails()).toMatchObject([{ to: 'operator@filings.example' }]);
    expect(account().plan).toBe('free');
    expect(use(api_key, 1)).toEqual(['refused']);
    grant();
    expect(account().plan).toBe('research');
    // 20 a month, of which 5 are used.
    expect(admitted(use(api_key, 20))).toBe(15);
    await expect.poll(() => made.mails().at(-1)).toMatchObject({ to: 'ada@example.org', subject: 'Your plan' });
  });

  it('downgrades on the first of next month, to the millisecond', async () => {
    const { id } = made.account('ada@example.org', 'institution');
    const { api_key } = made.desk.keys.create(id, '', made.now);
    await made.desk.planDesk.choose(account(), 'research');
    expect(account()).toMatchObject({ plan: 'institution', next_plan: 'research', next_from: '2026-12' });
    made.now = new Date('2026-11-30T23:59:59.999Z');
    expect(admitted(use(api_key, 30))).toBe(30);
    made.now = new Date('2026-12-01T00:00:00.000Z');
    expect(account()).toMatchObject({ plan: 'research', next_plan: null });
    expect(admitted(use(api_key, 30))).toBe(20);
  });

  it('cancels at the end of the month, and can be resumed before', async () => {
    made.account('ada@example.org', 'research');
    await made.desk.planDesk.cancel(account());
    expect(account()).toMatchObject({ plan: 'research', next_plan: 'free' });
    await made.desk.planDesk.resume(account());
    expect(account()).toMatchObject({ plan: 'research', next_plan: null });
    await made.desk.planDesk.cancel(account());
    made.now = new Date('2026-12-01T00:00:00Z');
    expect(account().plan).toBe('free');
    await expect(made.desk.planDesk.resume(account())).rejects.toMatchObject({ code: 'plan-change-invalid' });
    expect(made.desk.subscriptions.history(account().id).map(({ kind, effective }) => [kind, effective])).toEqual([
      ['sign-up', '2026-11-20'],
      ['cancel', '2026-12-01'],
      ['resume', '2026-11-20'],
      ['cancel', '2026-12-01'],
    ]);
  });

  it('keeps the current plan if another downgrade follows one that applies already', async () => {
    made.account('ada@example.org', 'institution');
    await made.desk.planDesk.choose(account(), 'research');
    made.now = new Date('2026-12-15T00:00:00Z');
    await made.desk.planDesk.cancel(account());
    expect(account()).toMatchObject({ plan: 'research', next_plan: 'free', next_from: '2027-01' });
  });

  it('has one open request an account: a second one replaces it, cancelling withdraws it', async () => {
    made.account();
    await made.desk.planDesk.choose(account(), 'research');
    await made.desk.planDesk.choose(account(), 'research');
    expect(made.desk.subscriptions.openRequests()).toHaveLength(1);
    await made.desk.planDesk.choose(account(), 'institution');
    expect(made.desk.subscriptions.openRequests()).toMatchObject([{ plan: 'institution' }]);
    const [request] = made.desk.subscriptions.openRequests();
    await made.desk.planDesk.cancel(account());
    expect(made.desk.subscriptions.openRequests()).toEqual([]);
    expect(() => made.desk.planDesk.grant(request!)).toThrow('not open any more');
    expect(account().plan).toBe('free');
  });

  it('gives no plan that is not offered, and none twice', async () => {
    made.account();
    const choose = (plan: string) => made.desk.planDesk.choose(account(), plan);
    await expect(choose('unlimited')).rejects.toMatchObject({ code: 'plan-change-invalid' });
    await expect(choose('free')).rejects.toMatchObject({ code: 'plan-change-invalid' });
    await expect(choose('gold')).rejects.toMatchObject({ code: 'plan-change-invalid' });
  });
});
