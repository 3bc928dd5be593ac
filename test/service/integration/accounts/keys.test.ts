import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKeys } from '../../../../src/service/accounts/index.ts';
import { ACCOUNT_PLANS, inTurn, MadeDesk, times } from '../../../support/accounts/made-desk.ts';

let made: MadeDesk;
beforeEach(async () => {
  made = await MadeDesk.open();
});
afterEach(() => made.close());

/** Admits and settles one request. */
async function use(apiKey: string, operation = 'filing_info', bytes = 10): Promise<string> {
  const admission = await made.quotas.admit(apiKey, made.now);
  if (admission.outcome === 'admitted') await made.quotas.settle(admission.ticket, { counted: true, bytes, operation });
  return admission.outcome;
}

describe('the keys of an account', () => {
  it('use one quota together', async () => {
    const account = await made.account();
    const keys = await inTurn(
      times(3),
      async (k) => (await made.desk.keys.create(account.id, `key ${k}`, made.now)).api_key,
    );
    const outcomes = await inTurn(times(7), (k) => use(keys[k % 3]!));
    expect(outcomes).toEqual([...Array(5).fill('admitted'), 'refused', 'refused']);
    expect((await made.register.listKeys(made.now)).map(({ requests, account: email }) => [requests, email])).toEqual(
      Array(3).fill([5, 'ada@example.org']),
    );
  });

  it('keep the usage of the month when one is rotated', async () => {
    const account = await made.account();
    const first = await made.desk.keys.create(account.id, 'thesis', made.now);
    for (let k = 0; k < 3; k++) await use(first.api_key);
    const second = await made.desk.keys.rotate(account.id, first.prefix, made.now);
    expect(second.name).toBe('thesis');
    expect(await inTurn([first, second, second, second], ({ api_key }) => use(api_key))).toEqual([
      'unknown',
      'admitted',
      'admitted',
      'refused',
    ]);
  });

  it('have usage by day and operation, whose sum is that of the month', async () => {
    const account = await made.account('ada@example.org', 'research');
    const { api_key } = await made.desk.keys.create(account.id, '', made.now);
    await use(api_key, 'filing_info', 5);
    await use(api_key, 'document', 100);
    made.now = new Date('2026-11-21T00:00:00Z');
    await use(api_key, 'filing_info', 7);
    await use(api_key, 'filing_info', 8);
    expect(await made.desk.keys.usage(account.id, made.now)).toEqual({
      month: '2026-11',
      requests: 4,
      bytes: 120,
      work_seconds: 0,
      days: [
        { day: '2026-11-20', operation: 'document', requests: 1, bytes: 100 },
        { day: '2026-11-20', operation: 'filing_info', requests: 1, bytes: 5 },
        { day: '2026-11-21', operation: 'filing_info', requests: 2, bytes: 15 },
      ],
    });
    made.now = new Date('2026-12-01T00:00:00Z');
    expect((await made.desk.keys.usage(account.id, made.now)).requests).toBe(0);
  });

  it('are counted in days without limits too', async () => {
    const account = await made.account('ada@example.org', 'unlimited');
    const { api_key } = await made.desk.keys.create(account.id, '', made.now);
    await use(api_key, 'pdf', 9);
    await use(api_key, 'pdf', 1);
    expect((await made.quotas.usage(api_key, made.now))?.usage.days).toEqual([
      { day: '2026-11-20', operation: 'pdf', requests: 2, bytes: 10 },
    ]);
  });

  it('are ten at most, and of this account alone', async () => {
    const account = await made.account();
    const other = await made.account('grace@example.org');
    for (let k = 0; k < 10; k++) await made.desk.keys.create(account.id, `${k}`, made.now);
    await expect(made.desk.keys.create(account.id, 'eleventh', made.now)).rejects.toThrow(
      'an account may have 10 keys',
    );
    const { prefix } = (await made.desk.keys.list(account.id))[0]!;
    await expect(made.desk.keys.revoke(other.id, prefix, made.now)).rejects.toThrow('no key that begins with');
    await made.desk.keys.revoke(account.id, prefix, made.now);
    expect(await made.desk.keys.list(account.id)).toHaveLength(9);
  });
});

describe('a key that the operator made', () => {
  it('keeps its usage over any number of rotations, as counted by several processes', async () => {
    const other = await openKeys(made.place, ACCOUNT_PLANS);
    let key = (await made.register.createKey('free', made.now, 'seminar')).api_key;
    const outcomes: string[] = [];
    for (let k = 0; k < 7; k++) {
      outcomes.push(await use(key));
      key = (await other.rotateKey(key, made.now)).api_key;
    }
    expect(outcomes).toEqual([...Array(5).fill('admitted'), 'refused', 'refused']);
    expect((await other.listKeys(made.now)).filter(({ revoked_at }) => revoked_at === null)).toMatchObject([
      { name: 'seminar', requests: 5, account: null },
    ]);
    await other.close();
  });

  it('can be rotated once: the old key is no longer known', async () => {
    const { api_key } = await made.register.createKey('free', made.now);
    await made.register.rotateKey(api_key, made.now);
    await expect(made.register.rotateKey(api_key, made.now)).rejects.toThrow('was revoked or closed before');
    expect(await made.register.listKeys(made.now)).toHaveLength(2);
  });
});
