import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BadRequestError,
  type FilingClient,
  KeyRefusedError,
  QuotaExceededError,
  ServiceFailedError,
} from '../../../../src/export/client/index.ts';
import { type EntityAnswer, requestEntities } from '../../../../src/export/pipeline/fetch/request-entities.ts';
import { runs } from '../../../support/property-runs.ts';

const cik = (n: number) => String(1000 + n);
const CIKS = Array.from({ length: 250 }, (_, n) => cik(n));

/**
 * @param spoils what a request for these CIKs fails of; null: nothing
 * @param turnsOf after how many turns of the event loop each request ends
 */
async function askedOf(
  atOnceMax: number,
  spoils: (ciks: readonly string[], requests: number) => Error | null,
  { ciks = CIKS, lookup = null as Error | null, turnsOf = (_: number): number => 0 } = {},
) {
  let requests = 0;
  let inFlight = 0;
  let most = 0;
  const client = {
    async *entityPages({ ciks: some }: { ciks: string[] }) {
      const error = spoils(some, ++requests);
      most = Math.max(most, ++inFlight);
      for (let turns = turnsOf(requests); turns > 0; turns--) await new Promise(setImmediate);
      inFlight--;
      if (error) throw error;
      yield { value: { entities: some.map((one) => ({ cik: one })) }, notes: { violations: [] } };
    },
    filingLookup: async () => {
      if (lookup) throw lookup;
    },
  } as unknown as FilingClient;
  const found: string[] = [];
  const failed: string[] = [];
  const take = (answer: EntityAnswer) => {
    if ('error' in answer) failed.push(...answer.ciks);
    else found.push(...answer.found.keys());
  };
  let error: unknown = null;
  try {
    for await (const answer of requestEntities(client, ciks, atOnceMax)) take(answer);
  } catch (thrown) {
    error = thrown;
  }
  const byNumber = (one: string, other: string) => Number(one) - Number(other);
  return { found: found.sort(byNumber), failed: failed.sort(byNumber), error, requests, most, inFlight };
}

const BROKEN = new ServiceFailedError('it broke', 500);
const among = (bad: readonly string[], error: Error) => (ciks: readonly string[]) =>
  ciks.some((one) => bad.includes(one)) ? error : null;

describe.each([1, 8])('entities that are asked by their CIKs, at most %i requests at a time', (atOnceMax) => {
  const asked = (
    spoils: (ciks: readonly string[], requests: number) => Error | null,
    ciks = CIKS,
    lookup: Error | null = null,
  ) => askedOf(atOnceMax, spoils, { ciks, lookup });

  it('are asked a hundred at a time', async () => {
    const { found, requests } = await asked(() => null);
    expect([found, requests]).toEqual([CIKS, 3]);
  });

  it.each([
    ['a fault of the service', BROKEN],
    ['a refusal of the request', new BadRequestError('no such CIK', 400)],
  ])('cost no others if one breaks the answer by %s', async (_what, error) => {
    for (const bad of [cik(0), cik(63), cik(249)]) {
      const { found, failed, requests, error: thrown } = await asked(among([bad], error));
      expect(thrown).toBeNull();
      expect(failed).toEqual([bad]);
      expect(found).toEqual(CIKS.filter((one) => one !== bad));
      expect(requests).toBeLessThan(20);
    }
  });

  it('are skipped if many of them in a row break it, as long as others are answered', async () => {
    const bad = CIKS.slice(120, 160);
    const { found, failed, error } = await asked(among(bad, BROKEN));
    expect(error).toBeNull();
    expect(failed).toEqual(bad);
    expect(found).toHaveLength(210);
  });

  it('fail nothing and end the work if nothing is answered at all', async () => {
    const { found, failed, error, requests } = await asked(() => BROKEN);
    expect(error).toBe(BROKEN);
    expect([found, failed, requests]).toEqual([[], [], 12]);
  });

  it('end the work if the operation no longer answers earlier requests', async () => {
    const { found, failed, error } = await asked((_, requests) => (requests > 1 ? BROKEN : null));
    expect(error).toBe(BROKEN);
    expect([found.length, failed]).toEqual([100, []]);
  });

  it('are failures, a few at the end, if the service answers the lookup, and not if it does not', async () => {
    const few = CIKS.slice(0, 2);
    expect((await asked(() => BROKEN, few)).failed).toEqual(few);
    expect(await asked(() => BROKEN, few, BROKEN)).toMatchObject({ failed: [], error: BROKEN });
  });

  it.each([
    ['the quota', new QuotaExceededError('over', 'requests', new Date(0))],
    ['a refused key', new KeyRefusedError('no', 401)],
  ])('are not requested one by one if %s ends the work', async (_what, error) => {
    expect(await asked(() => error)).toMatchObject({ requests: 1, error, failed: [] });
  });
});

describe('entities asked by several requests at a time', () => {
  const MANY = Array.from({ length: 2_000 }, (_, n) => cik(n));

  it('keep as many in flight as they may, once the first is answered', async () => {
    const { found, requests, most } = await askedOf(8, () => null, { ciks: MANY, turnsOf: () => 2 });
    expect([found, requests, most]).toEqual([MANY, 20, 8]);
  });

  it('are found and fail as one after the other, in whatever order the answers come', async () => {
    const bad = fc.uniqueArray(fc.nat(MANY.length - 1), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 64 }), bad, fc.infiniteStream(fc.nat(5)), async (n, places, turns) => {
        const spoils = among(
          places.map((place) => MANY[place]!),
          BROKEN,
        );
        const turnsOf = () => turns.next().value as number;
        const { requests: _, most: __, ...one } = await askedOf(1, spoils, { ciks: MANY });
        const { requests, most, ...several } = await askedOf(n, spoils, { ciks: MANY, turnsOf });
        expect(several).toEqual(one);
        expect(several.found.length + several.failed.length).toBe(MANY.length);
        expect(most).toBeLessThanOrEqual(n);
      }),
      { numRuns: runs(30) },
    );
  });

  it('give all answers that were paid for before the end of the quota ends the work', async () => {
    const over = new QuotaExceededError('over', 'requests', new Date(0));
    const spoils = (_: readonly string[], requests: number) => (requests === 5 ? over : null);
    // The refusal comes first; the seven requests beside it are answered later.
    const turnsOf = (requests: number) => (requests === 5 ? 1 : 4);
    const { found, failed, error, requests, inFlight } = await askedOf(8, spoils, { ciks: MANY, turnsOf });
    expect(error).toBe(over);
    expect([requests, found.length, failed, inFlight]).toEqual([9, 800, [], 0]);
  });

  it('do not fail if only requests that were sent before are answered afterwards', async () => {
    const outage = (_: readonly string[], requests: number) => (requests > 9 ? BROKEN : null);
    const turnsOf = (requests: number) => (requests > 9 ? 0 : 40);
    const { found, failed, error } = await askedOf(8, outage, { ciks: MANY, turnsOf });
    expect(error).toBe(BROKEN);
    expect([found.length, failed]).toEqual([900, []]);
  });
});
