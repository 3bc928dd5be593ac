import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyQuotas, KeyRegister } from '../../../src/accounts/index.ts';
import { usageOfMeter } from '../../../src/accounts/keys/usage-days.ts';
import { ACCOUNT_PLANS, MadeDesk } from '../../support/accounts/made-desk.ts';
import { temporaryFolder } from '../../support/catalog/synthetic-filings.ts';

let made: MadeDesk;
beforeEach(() => {
  made = new MadeDesk();
});
afterEach(() => made.close());

/** Admits and settles one request. */
function use(apiKey: string, operation = 'filing_info', bytes = 10): string {
  const admission = made.quotas.admit(apiKey, made.now);
  if (admission.outcome === 'admitted') made.quotas.settle(admission.ticket, { counted: true, bytes, operation });
  return admission.outcome;
}

describe('the keys of an account', () => {
  it('use one quota together', () => {
    const account = made.account();
    const keys = [1, 2, 3].map((k) => made.desk.keys.create(account.id, `key ${k}`, made.now).api_key);
    const outcomes = Array.from({ length: 7 }, (_, k) => use(keys[k % 3]!));
    expect(outcomes).toEqual([...Array(5).fill('admitted'), 'refused', 'refused']);
    expect(made.register.listKeys(made.now).map(({ requests, account: email }) => [requests, email])).toEqual(
      Array(3).fill([5, 'ada@example.org']),
    );
  });

  it('keep the usage of the month when one is rotated', () => {
    const account = made.account();
    const first = made.desk.keys.create(account.id, 'thesis', made.now);
    for (let k = 0; k < 3; k++) use(first.api_key);
    const second = made.desk.keys.rotate(account.id, first.prefix, made.now);
    expect(second.name).toBe('thesis');
    expect([first, second, second, second].map(({ api_key }) => use(api_key))).toEqual([
      ...['unknown', 'admitted', 'admitted', 'refused'],
    ]);
  });

  it('have usage by day and operation, whose sum is that of the month', () => {
    const account = made.account('ada@example.org', 'research');
    const { api_key } = made.desk.keys.create(account.id, '', made.now);
    use(api_key, 'filing_info', 5);
    use(api_key, 'document', 100);
    made.now = new Date('2026-11-21T00:00:00Z');
    use(api_key, 'filing_info', 7);
    use(api_key, 'filing_info', 8);
    expect(made.desk.keys.usage(account.id, made.now)).toEqual({
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
    expect(made.desk.keys.usage(account.id, made.now).requests).toBe(0);
  });

  it('are counted in days without limits too', () => {
    const account = made.account('ada@example.org', 'unlimited');
    const { api_key } = made.desk.keys.create(account.id, '', made.now);
    use(api_key, 'pdf', 9);
    use(api_key, 'pdf', 1);
    expect(made.quotas.usage(api_key, made.now)?.usage.days).toEqual([
      { day: '2026-11-20', operation: 'pdf', requests: 2, bytes: 10 },
    ]);
  });

  it('are ten at most, and of this account alone', () => {
    const account = made.account();
    const other = made.account('grace@example.org');
    for (let k = 0; k < 10; k++) made.desk.keys.create(account.id, `${k}`, made.now);
    expect(() => made.desk.keys.create(account.id, 'eleventh', made.now)).toThrow('an account may have 10 keys');
    const { prefix } = made.desk.keys.list(account.id)[0]!;
    expect(() => made.desk.keys.revoke(other.id, prefix, made.now)).toThrow('no key that begins with');
    made.desk.keys.revoke(account.id, prefix, made.now);
    expect(made.desk.keys.list(account.id)).toHaveLength(9);
  });
});

describe('a key that the operator made', () => {
  it('keeps its usage over any number of rotations, as counted by several processes', () => {
    const other = KeyRegister.open(made.folder, ACCOUNT_PLANS);
    let key = made.register.createKey('free', made.now, 'seminar').api_key;
    const outcomes: string[] = [];
    for (let k = 0; k < 7; k++) {
      outcomes.push(use(key));
      key = other.rotateKey(key, made.now).api_key;
    }
    expect(outcomes).toEqual([...Array(5).fill('admitted'), 'refused', 'refused']);
    expect(other.listKeys(made.now).filter(({ revoked_at }) => revoked_at === null)).toMatchObject([
      { name: 'seminar', requests: 5, account: null },
    ]);
    other.close();
  });

  it('can be rotated once: the old key is no longer known', () => {
    const { api_key } = made.register.createKey('free', made.now);
    made.register.rotateKey(api_key, made.now);
    expect(() => made.register.rotateKey(api_key, made.now)).toThrow('was revoked or closed before');
    expect(made.register.listKeys(made.now)).toHaveLength(2);
  });
});

describe('a database of an earlier version', () => {
  it('keeps its keys and their usage', () => {
    const folder = temporaryFolder();
    const before = [KeyRegister.open(folder, ACCOUNT_PLANS), KeyQuotas.open(folder, ACCOUNT_PLANS)] as const;
    const { api_key } = before[0].createKey('free', made.now);
    const admission = before[1].admit(api_key, made.now);
    if (admission.outcome === 'admitted') before[1].settle(admission.ticket, { counted: true, bytes: 3 });
    for (const one of before) one.close();
    const db = new DatabaseSync(join(folder, 'accounts.db'));
    for (const table of ['accounts', 'sessions', 'plan_requests', 'usage_days']) db.exec(`DROP TABLE ${table}`);
    db.exec('DROP INDEX keys_account');
    for (const column of ['name', 'account', 'meter']) db.exec(`ALTER TABLE keys DROP COLUMN ${column}`);
    db.close();
    const later = KeyRegister.open(folder, ACCOUNT_PLANS);
    expect(later.listKeys(made.now)).toMatchObject([{ requests: 1, bytes: 3, name: null, account: null }]);
    expect(later.isActive(api_key)).toBe(true);
    later.close();
    const again = new DatabaseSync(join(folder, 'accounts.db'));
    expect(usageOfMeter(again, 1, '2026-11')).toMatchObject({ requests: 1, days: [] });
    again.close();
  });
});
