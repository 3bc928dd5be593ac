import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { QuotaPlans } from '../../../../src/filings/api/index.ts';
import {
  KeyQuotas,
  KeyRegister,
  loadPlans,
  type OpenKeys,
  openKeys,
  openQuotas,
  type Quotas,
} from '../../../../src/service/accounts/index.ts';
import { monthEnd } from '../../../../src/service/accounts/keys/plan-of-month.ts';
import { isFile, newPlace } from '../../../support/accounts/backend.ts';
import { inTurn, times } from '../../../support/accounts/made-desk.ts';
import { temporaryFolder, writeFiles } from '../../../support/catalog/synthetic-filings.ts';

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

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
async function open(place?: string, of = plans): Promise<{ register: OpenKeys; quotas: Quotas; place: string }> {
  const at = place ?? (await newPlace());
  const [register, quotas] = [await openKeys(at, of), await openQuotas(at, of)];
  opened.push(register, quotas);
  return { register, quotas, place: at };
}

describe('keys and their quotas', () => {
  it('knows the keys that it made, and no other', async () => {
    const { register, quotas } = await open();
    const key = (await register.createKey('twenty', november)).api_key;
    expect((await quotas.admit(key, november)).outcome).toBe('admitted');
    for (const wrong of [undefined, '', `${key}x`, key.slice(0, -1), key.toLowerCase()]) {
      expect((await quotas.admit(wrong, november)).outcome).toBe('unknown');
    }
  });

  it.runIf(isFile())('report accounts that can’t be written', async () => {
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

  it.runIf(isFile())('are opened by a service while another program writes them', async () => {
    const { place } = await open();
    using other = new DatabaseSync(join(place, 'accounts.db'));
    other.exec('BEGIN IMMEDIATE');
    opened.push(await openQuotas(place, plans));
    other.exec('ROLLBACK');
  });

  it.runIf(isFile())('keeps no key in its files', async () => {
    const folder = temporaryFolder();
    const register = KeyRegister.open(folder, plans);
    const { api_key, prefix } = await register.createKey('twenty');
    await register.close();
    const bytes = readFileSync(join(folder, 'accounts.db'), 'latin1');
    expect(bytes).toContain(prefix);
    expect(bytes).not.toContain(api_key.slice(prefix.length));
  });

  it('refuses a plan that is not there, and names the nearest', async () => {
    const { register } = await open();
    await expect(register.createKey('unlimitd')).rejects.toThrow("did you mean 'unlimited'?");
  });

  it('tells a revoked key from a closed account', async () => {
    const { register, quotas } = await open();
    const first = await register.createKey('twenty');
    const second = await register.createKey('twenty');
    await register.revokeKey(first.prefix);
    await register.closeAccount(second.api_key);
    expect((await quotas.admit(first.api_key, november)).outcome).toBe('unknown');
    expect((await quotas.admit(second.api_key, november)).outcome).toBe('closed');
    expect((await register.listKeys()).map((key) => [key.revoked_at !== null, key.closed_at !== null])).toEqual([
      [true, false],
      [false, true],
    ]);
    await expect(register.revokeKey('fl_nosuchk')).rejects.toThrow('there is no key');
    await expect(register.revokeKey(`${second.prefix}wrong`)).rejects.toThrow('there is no key');
  });

  it('admits while requests are left, returns those that do not count, and starts again with the month', async () => {
    const { register, quotas } = await open();
    const key = (await register.createKey('twenty')).api_key;
    for (let i = 0; i < 20; i++) {
      const admission = await quotas.admit(key, november);
      if (admission.outcome !== 'admitted') throw new Error(`refused at ${i}`);
      expect(admission.quota.requestsUsed).toBe(i + 1);
      if (i < 19) await quotas.settle(admission.ticket, { counted: true, bytes: 10 });
      // A 400 counts nothing.
      else
        expect(await quotas.settle(admission.ticket, { counted: false, bytes: 500 })).toEqual({
          requestsUsed: 19,
          bytesUsed: 190,
        });
    }
    expect((await quotas.admit(key, november)).outcome).toBe('admitted');
    const refused = await quotas.admit(key, november);
    expect(refused).toMatchObject({ outcome: 'refused', limit: 'requests', quota: { resetAt: december } });
    expect((await register.listKeys(november))[0]).toMatchObject({ requests: 20, bytes: 190 });
    expect(await quotas.admit(key, december)).toMatchObject({
      outcome: 'admitted',
      quota: { requestsUsed: 1, bytesUsed: 0 },
    });
  });

  it('gives the whole answer that crosses the byte limit, and refuses the next', async () => {
    const { register, quotas } = await open();
    const key = (await register.createKey('bytes')).api_key;
    const first = await quotas.admit(key, november);
    if (first.outcome !== 'admitted') throw new Error('refused');
    await quotas.settle(first.ticket, { counted: true, bytes: 99 });
    const second = await quotas.admit(key, november);
    if (second.outcome !== 'admitted') throw new Error('refused');
    await quotas.settle(second.ticket, { counted: true, bytes: 10_000 });
    expect(await quotas.admit(key, november)).toMatchObject({ outcome: 'refused', limit: 'bytes' });
  });

  it('counts an answer in the month of its request', async () => {
    const { register, quotas } = await open();
    const key = (await register.createKey('twenty')).api_key;
    const admission = await quotas.admit(key, new Date('2026-11-30T23:59:59.999Z'));
    if (admission.outcome !== 'admitted') throw new Error('refused');
    await quotas.settle(admission.ticket, { counted: true, bytes: 7 });
    expect((await register.listKeys(november))[0]).toMatchObject({ requests: 1, bytes: 7 });
    expect((await register.listKeys(december))[0]).toMatchObject({ requests: 0, bytes: 0 });
  });

  it('admits exactly the remaining requests to parallel calls from several processes', async () => {
    const { register, place } = await open();
    const key = (await register.createKey('twenty')).api_key;
    const program = `
      import { isPostgres, KeyQuotas, openQuotas } from ${JSON.stringify(new URL('../../../../src/service/accounts/index.ts', import.meta.url).href)};
      const [place, plans] = [process.argv[1], JSON.parse(process.argv[2])];
      const quotas = isPostgres(place) ? await openQuotas(place, plans) : KeyQuotas.open(place, plans);
      process.stdout.write('ready');
      process.stdin.once('data', async () => {
        let admitted = 0;
        for (let i = 0; i < 15; i++) {
          const a = await quotas.admit(process.argv[3], new Date(${november.getTime()}));
          if (a.outcome === 'admitted') { admitted++; await quotas.settle(a.ticket, { counted: true, bytes: 1 }); }
        }
        await quotas.close();
        process.stdout.write('admitted ' + admitted, () => process.exit());
      });`;
    const processes = Array.from({ length: 4 }, () => {
      const args = ['--input-type=module', '-e', program, place, JSON.stringify(plans), key];
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
    expect((await register.listKeys(november))[0]).toMatchObject({ requests: 20, bytes: 20 });
  });

  it('ends the month at the first instant of the next, UTC', async () => {
    expect(monthEnd(november)).toEqual(december);
    expect(monthEnd(new Date('2026-12-31T23:59:59Z'))).toEqual(new Date('2027-01-01T00:00:00Z'));
  });
});

describe('plans', () => {
  it('come with a free plan of 100 requests, two paid ones, and one without limits', async () => {
    const shipped = loadPlans();
    expect(shipped.plans.free?.requests_per_month).toBe(100);
    expect(Object.keys(shipped.plans).length).toBeGreaterThanOrEqual(4);
    expect([shipped.plans.unlimited?.requests_per_month, shipped.plans.unlimited?.bytes_per_month]).toEqual([
      null,
      null,
    ]);
  });

  it('are refused with the place of the mistake', async () => {
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

  it.each(['work', 'free'])('is limited by month, after it is done (%s)', async (name) => {
    const { register, quotas, place } = await open(undefined, workPlans);
    const key = (await register.createKey(name, november)).api_key;
    const first = await quotas.admit(key, november);
    if (first.outcome !== 'admitted') throw new Error('refused');
    quotas.addWork(first.ticket, 9_999);
    expect(await quotas.admit(key, november)).toMatchObject({ outcome: 'admitted', quota: { workSecondsUsed: 9.999 } });
    quotas.addWork(first.ticket, 1);
    expect(await quotas.admit(key, november)).toMatchObject({
      outcome: 'refused',
      limit: 'work',
      quota: { workSecondsPerMonth: 10 },
    });
    expect((await quotas.admit(key, december)).outcome).toBe('admitted');
    // Another process knows it once it is written, and a restart does.
    await quotas.writeBatch();
    const { quotas: other } = await open(place, workPlans);
    expect(await other.admit(key, november)).toMatchObject({ outcome: 'refused', limit: 'work' });
    expect((await other.usage(key, november))!.usage.work_seconds).toBe(10);
  });

  it.runIf(isFile())('that could not be written stays for the next batch', async () => {
    const folder = temporaryFolder();
    const register = KeyRegister.open(folder, workPlans);
    const quotas = KeyQuotas.open(folder, workPlans, { neverWait: true });
    const blocker = new DatabaseSync(join(folder, 'accounts.db'));
    opened.push(register, quotas, blocker);
    const key = (await register.createKey('free', november)).api_key;
    const admitted = await quotas.admit(key, november);
    if (admitted.outcome !== 'admitted') throw new Error('refused');
    quotas.addWork(admitted.ticket, 3_000);
    blocker.exec('BEGIN IMMEDIATE');
    expect(() => quotas.writeBatch()).toThrow(/locked/);
    blocker.exec('ROLLBACK');
    quotas.addWork(admitted.ticket, 1_000);
    await quotas.writeBatch();
    await quotas.writeBatch();
    expect((await quotas.usage(key, november))!.usage.work_seconds).toBe(4);
  });
});

describe('requests a second', () => {
  it('may come five times as many at once, then one by one', async () => {
    const rated: QuotaPlans = { pricing_url: '/p', plans: { two: { ...plan(100, null), requests_per_second: 2 } } };
    const { register, quotas } = await open(undefined, rated);
    const keys = await inTurn(times(2), async () => (await register.createKey('two', november)).api_key);
    const outcomes = async (count: number, at: Date, key = keys[0]!) => {
      const admissions = await inTurn(times(count), () => quotas.admit(key, at));
      return admissions.filter(({ outcome }) => outcome === 'admitted').length;
    };
    expect(await outcomes(30, november)).toBe(10);
    expect(await quotas.admit(keys[0]!, november)).toMatchObject({ outcome: 'refused', limit: 'rate' });
    expect(await outcomes(5, november, keys[1]!)).toBe(5);
    expect(await outcomes(30, new Date(november.getTime() + 1_000))).toBe(2);
    expect(await outcomes(30, new Date(november.getTime() + 60_000))).toBe(10);
    // A clock that goes back gives nothing.
    expect(await outcomes(30, november)).toBe(0);
    expect((await quotas.usage(keys[0]!, november))!.usage.requests).toBe(22);
  });
});
