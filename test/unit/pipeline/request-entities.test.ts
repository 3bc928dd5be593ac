import { describe, expect, it } from 'vitest';
import {
  BadRequestError,
  type FilingClient,
  KeyRefusedError,
  QuotaExceededError,
  ServiceFailedError,
} from '../../../src/client/index.ts';
import { type EntityAnswer, requestEntities } from '../../../src/pipeline/fetch/request-entities.ts';

const cik = (n: number) => String(1000 + n);
const CIKS = Array.from({ length: 250 }, (_, n) => cik(n));

/** @param spoils what a request for these CIKs fails of; null: nothing */
async function asked(
  spoils: (ciks: readonly string[], requests: number) => Error | null,
  ciks = CIKS,
  lookup: Error | null = null,
) {
  let requests = 0;
  const client = {
    async *entityPages({ ciks: some }: { ciks: string[] }) {
      const error = spoils(some, ++requests);
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
    for await (const answer of requestEntities(client, ciks)) take(answer);
  } catch (thrown) {
    error = thrown;
  }
  return { found, failed, error, requests };
}

const BROKEN = new ServiceFailedError('it broke', 500);
const among = (bad: readonly string[], error: Error) => (ciks: readonly string[]) =>
  ciks.some((one) => bad.includes(one)) ? error : null;

describe('entities that are asked by their CIKs', () => {
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
