import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { KeyQuotas, KeyRegister, loadPlans } from '../../../src/accounts/index.ts';
import { monthEnd } from '../../../src/accounts/keys/plan-of-month.ts';
import type { QuotaPlans } from '../../../src/api/index.ts';
import { temporaryFolder, writeFiles } from '../../support/catalog/synthetic-filings.ts';

const plan = (requests: number | null, bytes: number | null) => ({
  requests_per_month: requests,
  bytes_per_month: bytes,
  price: 'none',
  description: 'for tests',
});
const plans: QuotaPlans = {
  pricing_url: 'https://plans.example',
  plans: { twenty: plan(20, 1_000), bytes: plan(null, 100), unlimited: plan(null, null) },
};
const november = new Date('2026-11-21T12:00:00Z');
const december = new Date('2026-12-01T00:00:00Z');

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});
function open(folder = temporaryFolder()): { register: KeyRegister; quotas: KeyQuotas } {
  const [register, quotas] = [KeyRegister.open(folder, plans), KeyQuotas.open(folder, plans)];
  opened.push(register, quotas);
  return { register, quotas };
}

describe('keys and their quotas', () => {
  it('knows the keys that it made, and no other', () => {
    const { register, quotas } = open();
    const key = register.createKey('twenty', november).api_key;
    expect(quotas.admit(key, november).outcome).toBe('admitted');
    for (const wrong of [undefined, '', `${key}x`, key.slice(0, -1), key.toLowerCase()]) {
      expect(quotas.admit(wrong, november).outcome).toBe('unknown');
    }
  });

  it('report accounts that can’t be written', () => {
    const folder = temporaryFolder();
    writeFiles(folder, { file: Buffer.from('') });
    const error = { code: 'catalog-unwritable', message: expect.stringContaining(join(folder, 'file')) };
    expect(() => KeyRegister.open(join(folder, 'file'), plans)).toThrow(expect.objectContaining(error));
    writeFiles(folder, { 'accounts.db': Buffer.from('this is not a database, whatever its name says'.repeat(99)) });
    const damaged = {
      code: 'catalog-unreadable',
      message: `${join(folder, 'accounts.db')} can't be read: it is damaged (file is not a database)`,
    };
    expect(() => KeyRegister.open(folder, plans)).toThrow(expect.objectContaining(damaged));
  });

  it('keeps no key in its files', () => {
    const folder = temporaryFolder();
    const register = KeyRegister.open(folder, plans);
    const { api_key, prefix } = register.createKey('twenty');
    register.close();
    const bytes = readFileSync(join(folder, 'accounts.db'), 'latin1');
    expect(bytes).toContain(prefix);
    expect(bytes).not.toContain(api_key.slice(prefix.length));
  });

  it('refuses a plan that is not there, and names the nearest', () => {
    const { register } = open();
    expect(() => register.createKey('unlimitd')).toThrow("did you mean 'unlimited'?");
  });

  it('tells a revoked key from a closed account', () => {
    const { register, quotas } = open();
    const first = register.createKey('twenty');
    const second = register.createKey('twenty');
    register.revokeKey(first.prefix);
    register.closeAccount(second.api_key);
    expect(quotas.admit(first.api_key, november).outcome).toBe('unknown');
    expect(quotas.admit(second.api_key, november).outcome).toBe('closed');
    expect(register.listKeys().map((key) => [key.revoked_at !== null, key.closed_at !== null])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(() => register.revokeKey('fl_nosuchk')).toThrow('there is no key');
    expect(() => register.revokeKey(`${second.prefix}wrong`)).toThrow('there is no key');
  });

  it('admits while requests are left, returns those that do not count, and starts again with the month', () => {
    const { register, quotas } = open();
    const key = register.createKey('twenty').api_key;
    for (let i = 0; i < 20; i++) {
      const admission = quotas.admit(key, november);
      if (admission.outcome !== 'admitted') throw new Error(`refused at ${i}`);
      expect(admission.quota.requestsUsed).toBe(i + 1);
      if (i < 19) quotas.settle(admission.ticket, { counted: true, bytes: 10 });
      // A 400 counts nothing.
      else
        expect(quotas.settle(admission.ticket, { counted: false, bytes: 500 })).toEqual({
          requestsUsed: 19,
          bytesUsed: 190,
        });
    }
    expect(quotas.admit(key, november).outcome).toBe('admitted');
    const refused = quotas.admit(key, november);
    expect(refused).toMatchObject({ outcome: 'refused', limit: 'requests', quota: { resetAt: december } });
    expect(register.listKeys(november)[0]).toMatchObject({ requests: 20, bytes: 190 });
    expect(quotas.admit(key, december)).toMatchObject({
      outcome: 'admitted',
      quota: { requestsUsed: 1, bytesUsed: 0 },
    });
  });

  it('gives the whole answer that crosses the byte limit, and refuses the next', () => {
    const { register, quotas } = open();
    const key = register.createKey('bytes').api_key;
    const first = quotas.admit(key, november);
    if (first.outcome !== 'admitted') throw new Error('refused');
    quotas.settle(first.ticket, { counted: true, bytes: 99 });
    const second = quotas.admit(key, november);
    if (second.outcome !== 'admitted') throw new Error('refused');
    quotas.settle(second.ticket, { counted: true, bytes: 10_000 });
    expect(quotas.admit(key, november)).toMatchObject({ outcome: 'refused', limit: 'bytes' });
  });

  it('counts an answer in the month of its request', () => {
    const { register, quotas } = open();
    const key = register.createKey('twenty').api_key;
    const admission = quotas.admit(key, new Date('2026-11-30T23:59:59.999Z'));
    if (admission.outcome !== 'admitted') throw new Error('refused');
    quotas.settle(admission.ticket, { counted: true, bytes: 7 });
    expect(register.listKeys(november)[0]).toMatchObject({ requests: 1, bytes: 7 });
    expect(register.listKeys(december)[0]).toMatchObject({ requests: 0, bytes: 0 });
  });

  it('admits exactly the remaining requests to parallel calls from several processes', async () => {
    const folder = temporaryFolder();
    const { register } = open(folder);
    const key = register.createKey('twenty').api_key;
    const program = `
      import { KeyQuotas } from ${JSON.stringify(new URL('../../../src/accounts/keys/key-quotas.ts', import.meta.url).href)};
      const quotas = KeyQuotas.open(process.argv[1], JSON.parse(process.argv[2]));
      process.stdout.write('ready');
      process.stdin.once('data', () => {
        let admitted = 0;
        for (let i = 0; i < 15; i++) {
          const a = quotas.admit(process.argv[3], new Date(${november.getTime()}));
          if (a.outcome === 'admitted') { admitted++; quotas.settle(a.ticket, { counted: true, bytes: 1 }); }
        }
        quotas.close();
        process.stdout.write('admitted ' + admitted, () => process.exit());
      });`;
    const processes = Array.from({ length: 4 }, () => {
      const args = ['--input-type=module', '-e', program, folder, JSON.stringify(plans), key];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      opened.push({ close: () => child.kill() });
      return child;
    });
    // Its exit code, if it ends without a word.
    const said = async (child: (typeof processes)[number]) =>
      String(((await Promise.race([once(child.stdout, 'data'), once(child, 'close')])) as unknown[])[0]);
    expect(await Promise.all(processes.map(said))).toEqual(processes.map(() => 'ready'));
    for (const child of processes) child.stdin.write('go');
    const admitted = (await Promise.all(processes.map(said))).map((text) => Number(/^admitted (\d+)$/.exec(text)?.[1]));
    expect(admitted.reduce((sum, n) => sum + n, 0)).toBe(20);
    expect(register.listKeys(november)[0]).toMatchObject({ requests: 20, bytes: 20 });
  });

  it('ends the month at the first instant of the next, UTC', () => {
    expect(monthEnd(november)).toEqual(december);
    expect(monthEnd(new Date('2026-12-31T23:59:59Z'))).toEqual(new Date('2027-01-01T00:00:00Z'));
  });
});

describe('plans', () => {
  it('come with a free plan of 100 requests, two paid ones, and one without limits', () => {
    const shipped = loadPlans();
    expect(shipped.plans.free?.requests_per_month).toBe(100);
    expect(Object.keys(shipped.plans).length).toBeGreaterThanOrEqual(4);
    expect([shipped.plans.unlimited?.requests_per_month, shipped.plans.unlimited?.bytes_per_month]).toEqual([
      null,
      null,
    ]);
  });

  it('are refused with the place of the mistake', () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'plans.yaml': Buffer.from(
        'pricing_url: x\nplans:\n  free: { requests_per_month: many, bytes_per_month: null, price: a, description: b }\n',
      ),
      'broken.yaml': Buffer.from('plans: [\n'),
    });
    expect(() => loadPlans(join(folder, 'plans.yaml'))).toThrow(/plans\.free\.requests_per_month/);
    expect(() => loadPlans(join(folder, 'broken.yaml'))).toThrow(/line 2/);
    expect(() => loadPlans(join(folder, 'none.yaml'))).toThrow("can't be read");
  });
});

describe('work', () => {
  const limits = { ...plan(1_000, null), work_seconds_per_month: 10 };
  const workPlans: QuotaPlans = {
    pricing_url: '/p',
    plans: { work: limits, free: { ...plan(null, null), work_seconds_per_month: 10 } },
  };
  const openWork = (folder: string) => {
    const pair = [KeyRegister.open(folder, workPlans), KeyQuotas.open(folder, workPlans)] as const;
    opened.push(...pair);
    return pair;
  };

  it.each(['work', 'free'])('is limited by month, after it is done (%s)', (name) => {
    const folder = temporaryFolder();
    const [register, quotas] = openWork(folder);
    const key = register.createKey(name, november).api_key;
    const first = quotas.admit(key, november);
    if (first.outcome !== 'admitted') throw new Error('refused');
    quotas.addWork(first.ticket, 9_999);
    expect(quotas.admit(key, november)).toMatchObject({ outcome: 'admitted', quota: { workSecondsUsed: 9.999 } });
    quotas.addWork(first.ticket, 1);
    expect(quotas.admit(key, november)).toMatchObject({
      outcome: 'refused',
      limit: 'work',
      quota: { workSecondsPerMonth: 10 },
    });
    expect(quotas.admit(key, december).outcome).toBe('admitted');
    // Another process knows it once it is written, and a restart does.
    quotas.writeBatch();
    const [, other] = openWork(folder);
    expect(other.admit(key, november)).toMatchObject({ outcome: 'refused', limit: 'work' });
    expect(other.usage(key, november)!.usage.work_seconds).toBe(10);
  });

  it('that could not be written stays for the next batch', () => {
    const folder = temporaryFolder();
    const register = KeyRegister.open(folder, workPlans);
    const quotas = KeyQuotas.open(folder, workPlans, { neverWait: true });
    const blocker = new DatabaseSync(join(folder, 'accounts.db'));
    opened.push(register, quotas, blocker);
    const key = register.createKey('free', november).api_key;
    const admitted = quotas.admit(key, november);
    if (admitted.outcome !== 'admitted') throw new Error('refused');
    quotas.addWork(admitted.ticket, 3_000);
    blocker.exec('BEGIN IMMEDIATE');
    expect(() => quotas.writeBatch()).toThrow(/locked/);
    blocker.exec('ROLLBACK');
    quotas.addWork(admitted.ticket, 1_000);
    quotas.writeBatch();
    quotas.writeBatch();
    expect(quotas.usage(key, november)!.usage.work_seconds).toBe(4);
  });
});

describe('requests a second', () => {
  it('may come five times as many at once, then one by one', () => {
    const folder = temporaryFolder();
    const rated: QuotaPlans = { pricing_url: '/p', plans: { two: { ...plan(100, null), requests_per_second: 2 } } };
    const [register, quotas] = [KeyRegister.open(folder, rated), KeyQuotas.open(folder, rated)];
    opened.push(register, quotas);
    const keys = [1, 2].map(() => register.createKey('two', november).api_key);
    const outcomes = (count: number, at: Date, key = keys[0]!) =>
      Array.from({ length: count }, () => quotas.admit(key, at)).filter(({ outcome }) => outcome === 'admitted').length;
    expect(outcomes(30, november)).toBe(10);
    expect(quotas.admit(keys[0]!, november)).toMatchObject({ outcome: 'refused', limit: 'rate' });
    expect(outcomes(5, november, keys[1]!)).toBe(5);
    expect(outcomes(30, new Date(november.getTime() + 1_000))).toBe(2);
    expect(outcomes(30, new Date(november.getTime() + 60_000))).toBe(10);
    // A clock that goes back gives nothing.
    expect(outcomes(30, november)).toBe(0);
    expect(quotas.usage(keys[0]!, november)!.usage.requests).toBe(22);
  });
});
