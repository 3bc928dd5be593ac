import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAccessionNumber } from '../../../src/api/index.ts';
import { FilinglakeError } from '../../../src/core/index.ts';
import { ServiceProblem } from '../../../src/service/problem.ts';
import { errorOfReply, replyOfError, withOwnMemory } from '../../../src/service/readers/messages.ts';
import { ReaderPool } from '../../../src/service/readers/reader-pool.ts';
import { ANNUAL, makeSmallCatalog, type SmallCatalog } from '../../support/service/small-catalog.ts';

let catalog: SmallCatalog;
beforeAll(async () => {
  catalog = await makeSmallCatalog();
});
afterAll(() => catalog.remove());

const CONTEXT = {
  ...{ accept: undefined, takesZstd: false, maxResponseBytes: 1_000_000 },
  ...{ ifNoneMatch: undefined, headOnly: false },
};
const accession_number = parseAccessionNumber(ANNUAL)!;

describe('reader threads', () => {
  it('answer many jobs at once, each its own', async () => {
    const pool = await ReaderPool.start(catalog.folder, { threads: 2 });
    const numbers = [...Array.from({ length: 40 }, (_, index) => index % 7)];
    const outcomes = await Promise.all(
      numbers.map((to) => pool.run({ operation: 'filing_lookup', parameters: { from: 0, to }, context: CONTEXT })),
    );
    const lengths = outcomes.map(
      ({ body }) => (JSON.parse(Buffer.from(body).toString()) as { filings: unknown[] }).filings.length,
    );
    expect(lengths).toEqual(numbers.map((to) => Math.min(to, 6)));
    await pool.close();
  });

  it('reach their caller as problems and failures, and the pool continues', async () => {
    const pool = await ReaderPool.start(catalog.folder, { threads: 1 });
    const missing = parseAccessionNumber('0000000000-00-000000')!;
    const job = { operation: 'filing_info' as const, context: CONTEXT };
    await expect(pool.run({ ...job, parameters: { accession_number: missing } })).rejects.toMatchObject({
      status: 404,
    });
    const outcome = await pool.run({ ...job, parameters: { accession_number } });
    expect(outcome.etag).toMatch(/^W\//);
    await pool.close();
    await expect(pool.run({ ...job, parameters: { accession_number } })).rejects.toMatchObject({ status: 503 });
  });

  it('refuse more jobs than anybody would wait for', async () => {
    const pool = await ReaderPool.start(catalog.folder, { threads: 1 });
    const runs = Array.from({ length: 1_100 }, () =>
      pool.run({ operation: 'filing_info', parameters: { accession_number }, context: CONTEXT }).then(
        () => 200,
        (problem: ServiceProblem) => problem.status,
      ),
    );
    const statuses = await Promise.all(runs);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1_000);
    await pool.close();
  });

  it('do not start without a catalog', async () => {
    await expect(ReaderPool.start(`${catalog.folder}-not-there`, { threads: 2 })).rejects.toThrow(
      /there is no catalog/,
    );
  });
});

describe('what goes between threads', () => {
  it('keeps the status and headers of a problem', () => {
    const problem = new ServiceProblem(422, 'why', { headers: { 'retry-after': '3' } });
    const reply = replyOfError(problem) as Parameters<typeof errorOfReply>[0];
    expect(errorOfReply(structuredClone(reply))).toMatchObject({
      status: 422,
      message: 'why',
      headers: { 'retry-after': '3' },
    });
  });

  it('makes a busy catalog 503 and anything else a failure', () => {
    expect(replyOfError(Object.assign(new Error('database is locked'), { errcode: 5 }))).toMatchObject({
      kind: 'problem',
      status: 503,
    });
    expect(replyOfError(new FilinglakeError('pack-damaged', 'broken'))).toMatchObject({
      kind: 'failure',
      message: 'broken',
    });
    expect(replyOfError('text')).toMatchObject({ kind: 'failure', message: 'text' });
  });

  it('moves a body that owns its memory and copies one that shares it', () => {
    const own = new Uint8Array(16).fill(7);
    expect(withOwnMemory(own).buffer).toBe(own.buffer);
    const shared = Buffer.from('small');
    const copy = withOwnMemory(shared);
    expect([copy.buffer.byteLength, Buffer.from(copy).toString()]).toEqual([5, 'small']);
  });
});
