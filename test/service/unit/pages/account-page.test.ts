/** The page of an account, from its data. */
import { describe, expect, it } from 'vitest';
import { type AccountData, accountPage } from '../../../../src/service/pages/account.ts';

function pageOf(data: Partial<AccountData>): string {
  const account = {
    id: 1,
    email: 'ada@example.org',
    plan: 'free',
    next_plan: null,
    next_from: null,
    created_at: '2026-11-22T00:00:00.000Z',
    has_password: true,
  };
  const usage = { month: '2026-12', requests: 99, bytes: 10, work_seconds: 0, days: [] };
  const whole: AccountData = {
    account,
    keys: [],
    newKey: null,
    usage,
    limits: { requests: 100, bytes: 1_000 },
    history: [],
    requested: null,
    canCancel: false,
    formToken: 't',
    message: null,
  };
  return accountPage({ ...whole, ...data }).body.text;
}

const used = (requests: number, bytes: number) => ({ month: '2026-12', requests, bytes, work_seconds: 0, days: [] });

describe('the page of an account', () => {
  it('says nothing of limits before they are reached, or if there are none', () => {
    expect(pageOf({})).not.toContain('used up');
    expect(pageOf({ usage: used(9_999, 9_999), limits: { requests: null, bytes: null } })).not.toContain('used up');
  });

  it('says at the limit of requests until when, and links to larger plans', () => {
    const text = pageOf({ usage: used(100, 10) });
    expect(text).toContain('The requests of this month are used up. Requests get status 429 until 2027-01-01 (UTC)');
    expect(text).toContain('<a href="/plans">a larger plan</a>');
  });

  it('names the bytes if they are what is used up', () => {
    expect(pageOf({ usage: used(3, 1_000) })).toContain('The bytes of this month are used up');
  });

  it('leads from a new key to the examples', () => {
    expect(pageOf({ newKey: { api_key: 'fl_x', name: null } })).toContain('<a href="/docs">Try it');
  });
});
