/** Requests that are counted together get what they get one after the other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuotaPlans } from '../../../../src/filings/api/index.ts';
import { type OpenKeys, openKeys, openQuotas, type Quotas } from '../../../../src/service/accounts/index.ts';
import { openAccountsDatabase } from '../../../../src/service/accounts/store/schema.ts';
import { PatientQuotas } from '../../../../src/service/http/account-book.ts';
import { isFile, newPlace } from '../../../support/accounts/backend.ts';
import { inTurn, times } from '../../../support/accounts/made-desk.ts';
import { temporaryFolder } from '../../../support/catalog/synthetic-filings.ts';
import { runs } from '../../../support/property-runs.ts';

const plan = (requests: number | null, bytes: number | null) => ({
  requests_per_month: requests,
  bytes_per_month: bytes,
  price: 'none',
  description: 'for tests',
});
const PLANS: QuotaPlans = {
  pricing_url: 'https://plans.example',
  plans: {
    both: plan(5, 100),
    requests: plan(3, null),
    bytes: plan(null, 90),
    none: plan(0, null),
    unlimited: plan(null, null),
    gone: plan(1, 1),
  },
};
const NAMES = ['both', 'requests', 'bytes', 'none', 'unlimited'];
const NOW = new Date('2026-11-21T12:00:00Z');

interface Opened {
  register: OpenKeys;
  quotas: Quotas;
  keys: string[];
}

async function open(place: string): Promise<Pick<Opened, 'register' | 'quotas'>> {
  return { register: await openKeys(place, PLANS), quotas: await openQuotas(place, PLANS) };
}

describe('requests counted together', () => {
  it('are admitted and counted as one after the other', async () => {
    const request = fc.record({
      key: fc.nat(NAMES.length + 1),
      bytes: fc.nat(60),
      operation: fc.constantFrom('filing_info', 'document'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(request, { maxLength: 12 }), { maxLength: 4 }), async (batches) => {
        const [together, alone] = (await inTurn(times(2), async () => {
          const { register, quotas } = await open(await newPlace());
          const keys = await inTurn(NAMES, async (name) => (await register.createKey(name, NOW)).api_key);
          const closed = (await register.createKey('both', NOW)).api_key;
          await register.closeAccount(closed, NOW);
          return { register, quotas, keys: [...keys, closed, 'fl_unknown'] };
        })) as [Opened, Opened];
        for (const batch of batches) {
          const asked = batch.map(({ key, ...answer }) => ({ apiKey: together.keys[key]!, answer }));
          const admissions = (await together.quotas.count(asked, NOW)).map((one) => ({ ...one!, ticket: null }));
          const expected = await inTurn(batch, async ({ key, bytes, operation }) => {
            const admission = await alone.quotas.admit(alone.keys[key], NOW);
            if (admission.outcome !== 'admitted') return { ...admission, ticket: null };
            const used = await alone.quotas.settle(admission.ticket, { counted: true, bytes, operation });
            return { ...admission, quota: { ...admission.quota, ...used }, ticket: null };
          });
          expect(admissions).toEqual(expected);
        }
        const usage = ({ quotas, keys }: Opened) =>
          inTurn(keys, async (key) => (await quotas.usage(key, NOW))?.usage ?? null);
        expect(await usage(together)).toEqual(await usage(alone));
        for (const { register, quotas } of [together, alone]) {
          await register.close();
          await quotas.close();
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it.runIf(isFile())('are not counted, none of them, if the transaction fails', async () => {
    const folder = temporaryFolder();
    const { register, quotas } = await open(folder);
    const made = await inTurn(['both', 'unlimited'], (name) => register.createKey(name, NOW));
    const [limited, unlimited] = made.map(({ api_key }) => api_key);
    const other = openAccountsDatabase(folder);
    const asked = [unlimited!, limited!].map((apiKey) => ({ apiKey, answer: { bytes: 10, operation: 'filing_info' } }));
    // Another process writes.
    other.exec('BEGIN IMMEDIATE');
    expect(() => quotas.count(asked, NOW)).toThrow(/locked/);
    other.exec('COMMIT');
    expect((await quotas.count(asked, NOW)).map((one) => one?.outcome)).toEqual(['admitted', 'admitted']);
    await quotas.writeBatch();
    expect((await register.listKeys(NOW)).map(({ requests, bytes }) => [requests, bytes])).toEqual([
      [1, 10],
      [1, 10],
    ]);
    await register.close();
    await quotas.close();
    other.close();
  });

  it.runIf(isFile())('wait each alone for a lock: a key without limits needs none', async () => {
    const folder = temporaryFolder();
    const { register, quotas } = await open(folder);
    const made = await inTurn(['both', 'unlimited'], (name) => register.createKey(name, NOW));
    const [limited, unlimited] = made.map(({ api_key }) => api_key);
    const book = new PatientQuotas(quotas);
    const other = openAccountsDatabase(folder);
    other.exec('BEGIN IMMEDIATE');
    const answer = { bytes: 10, operation: 'filing_info' };
    const waiting = book.count({ apiKey: limited!, answer }, NOW);
    expect(await book.count({ apiKey: unlimited!, answer }, NOW)).toMatchObject({ outcome: 'admitted' });
    other.exec('COMMIT');
    expect(await waiting).toMatchObject({ outcome: 'admitted', quota: { requestsUsed: 1 } });
    await book.close();
    expect((await register.listKeys(NOW)).map(({ requests, bytes }) => [requests, bytes])).toEqual([
      [1, 10],
      [1, 10],
    ]);
    await register.close();
    other.close();
  });

  it('of a key whose plan is gone are left to the router; the others are counted', async () => {
    const place = await newPlace();
    const before = await openKeys(place, PLANS);
    const [gone, both] = await inTurn(['gone', 'both'], async (name) => (await before.createKey(name, NOW)).api_key);
    await before.close();
    const { gone: _, ...left } = PLANS.plans;
    const quotas = await openQuotas(place, { ...PLANS, plans: left });
    const asked = [gone!, both!].map((apiKey) => ({ apiKey, answer: { bytes: 1, operation: 'filing_info' } }));
    expect((await quotas.count(asked, NOW)).map((one) => one?.outcome ?? null)).toEqual([null, 'admitted']);
    await quotas.close();
  });
});
