/** Requests that are counted together get what they get one after the other. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyQuotas, KeyRegister } from '../../../src/accounts/index.ts';
import { openAccountsDatabase } from '../../../src/accounts/schema.ts';
import type { QuotaPlans } from '../../../src/api/index.ts';
import { temporaryFolder } from '../../support/catalog/synthetic-filings.ts';
import { runs } from '../../support/property-runs.ts';

const plan = (requests: number | null, bytes: number | null) => ({
  ...{ requests_per_month: requests, bytes_per_month: bytes },
  ...{ price: 'none', description: 'for tests' },
});
const PLANS: QuotaPlans = {
  pricing_url: 'https://plans.example',
  plans: {
    ...{ both: plan(5, 100), requests: plan(3, null), bytes: plan(null, 90) },
    ...{ none: plan(0, null), unlimited: plan(null, null), gone: plan(1, 1) },
  },
};
const NAMES = ['both', 'requests', 'bytes', 'none', 'unlimited'];
const NOW = new Date('2026-11-21T12:00:00Z');

interface Opened {
  register: KeyRegister;
  quotas: KeyQuotas;
  keys: string[];
}

function open(folder: string): Pick<Opened, 'register' | 'quotas'> {
  return { register: KeyRegister.open(folder, PLANS), quotas: KeyQuotas.open(folder, PLANS, { neverWait: true }) };
}

describe('requests counted together', () => {
  it('are admitted and counted as one after the other', () => {
    const request = fc.record({
      key: fc.nat(NAMES.length + 1),
      bytes: fc.nat(60),
      operation: fc.constantFrom('filing_info', 'document'),
    });
    fc.assert(
      fc.property(fc.array(fc.array(request, { maxLength: 12 }), { maxLength: 4 }), (batches) => {
        const [together, alone] = [0, 1].map(() => {
          const { register, quotas } = open(temporaryFolder());
          const keys = NAMES.map((name) => register.createKey(name, NOW).api_key);
          const closed = register.createKey('both', NOW).api_key;
          register.closeAccount(closed, NOW);
          return { register, quotas, keys: [...keys, closed, 'fl_unknown'] };
        }) as [Opened, Opened];
        for (const batch of batches) {
          const asked = batch.map(({ key, ...answer }) => ({ apiKey: together.keys[key]!, answer }));
          const admissions = together.quotas.count(asked, NOW).map((one) => ({ ...one!, ticket: null }));
          const expected = batch.map(({ key, bytes, operation }) => {
            const admission = alone.quotas.admit(alone.keys[key], NOW);
            if (admission.outcome !== 'admitted') return { ...admission, ticket: null };
            const used = alone.quotas.settle(admission.ticket, { counted: true, bytes, operation });
            return { ...admission, quota: { ...admission.quota, ...used }, ticket: null };
          });
          expect(admissions).toEqual(expected);
        }
        const usage = ({ quotas, keys }: Opened) => keys.map((key) => quotas.usage(key, NOW)?.usage ?? null);
        expect(usage(together)).toEqual(usage(alone));
        for (const { register, quotas } of [together, alone]) {
          register.close();
          quotas.close();
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('are not counted, none of them, if the transaction fails', () => {
    const folder = temporaryFolder();
    const { register, quotas } = open(folder);
    const [limited, unlimited] = ['both', 'unlimited'].map((name) => register.createKey(name, NOW).api_key);
    const other = openAccountsDatabase(folder);
    const asked = [unlimited!, limited!].map((apiKey) => ({ apiKey, answer: { bytes: 10, operation: 'filing_info' } }));
    // Another process writes.
    other.exec('BEGIN IMMEDIATE');
    expect(() => quotas.count(asked, NOW)).toThrow(/locked/);
    other.exec('COMMIT');
    expect(quotas.count(asked, NOW).map((one) => one?.outcome)).toEqual(['admitted', 'admitted']);
    quotas.writeBatch();
    expect(register.listKeys(NOW).map(({ requests, bytes }) => [requests, bytes])).toEqual([
      [1, 10],
      [1, 10],
    ]);
    register.close();
    quotas.close();
    other.close();
  });

  it('of a key whose plan is gone are left to the router; the others are counted', () => {
    const folder = temporaryFolder();
    const before = KeyRegister.open(folder, PLANS);
    const [gone, both] = ['gone', 'both'].map((name) => before.createKey(name, NOW).api_key);
    before.close();
    const { gone: _, ...left } = PLANS.plans;
    const quotas = KeyQuotas.open(folder, { ...PLANS, plans: left });
    const asked = [gone!, both!].map((apiKey) => ({ apiKey, answer: { bytes: 1, operation: 'filing_info' } }));
    expect(quotas.count(asked, NOW).map((one) => one?.outcome ?? null)).toEqual([null, 'admitted']);
    quotas.close();
  });
});
