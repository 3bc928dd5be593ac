import { beforeAll, describe, expect, it } from 'vitest';
import { FilinglakeError } from '../../../src/core/index.ts';
import { parseAccessionNumber } from '../../../src/filings/api/index.ts';
import { ServiceProblem } from '../../../src/service/answers/problem.ts';
import { errorOfReply, replyOfError, withOwnMemory } from '../../../src/service/readers/messages.ts';
import { ReaderPool } from '../../../src/service/readers/reader-pool.ts';
import { ReaderThread, type ThreadJob } from '../../../src/service/readers/reader-thread-handle.ts';
import { ANNUAL, makeSmallCatalog, type SmallCatalog } from '../../support/service/small-catalog.ts';

let catalog: SmallCatalog;
beforeAll(async () => {
  catalog = await makeSmallCatalog(1);
});

const CONTEXT = {
  accept: undefined,
  takesZstd: false,
  maxResponseBytes: 1_000_000,
  ifNoneMatch: undefined,
  headOnly: false,
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
    expect(lengths).toEqual(numbers.map((to) => Math.min(to, 7)));
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
    const pool = await ReaderPool.start(catalog.folder, { threads: 1, deadlineMs: 600_000 });
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

  it('settle every job once, with its own answer, while callers leave at any moment', async () => {
    const pool = await ReaderPool.start(catalog.folder, { threads: 3 });
    let settled = 0;
    const rounds = Array.from({ length: 900 }, async (_, i) => {
      const leaving = new AbortController();
      const to = i % 5 === 0 ? 10_000 : i % 7;
      const job = { operation: 'filing_lookup' as const, parameters: { from: 0, to }, context: CONTEXT };
      const caller = { key: `key ${i % 4}`, gone: leaving.signal };
      const answer = pool.run(job, caller).then(
        ({ body }) => (JSON.parse(Buffer.from(body).toString()) as { filings: unknown[] }).filings.length,
        (problem: ServiceProblem) => problem.status,
      );
      if (i % 3 === 0) setTimeout(() => leaving.abort(), i % 20);
      const result = await answer;
      settled++;
      expect(i % 3 === 0 ? [Math.min(to, 7), 499] : [Math.min(to, 7)]).toContain(result);
    });
    await Promise.all(rounds);
    expect(settled).toBe(900);
    await expect.poll(() => pool.state().busy, { timeout: 120_000 }).toBe(0);
    expect(pool.state()).toMatchObject({ waiting: { short: 0, long: 0, large: 0 }, replaced: 0, threads: 3 });
    await pool.close();
  });

  it('state the time of each job', async () => {
    const pool = await ReaderPool.start(catalog.folder, { threads: 2 });
    const job = { operation: 'fulltext_search' as const, parameters: { query: 'widgets', to: 20 }, context: CONTEXT };
    const work: number[] = [];
    await pool.run(job, { key: 'a', onWork: (ms) => work.push(ms) });
    expect([work.length, work[0]! > 0]).toEqual([1, true]);
    await pool.close();
  });

  it.each([
    ['long', 1_000, [2, 1]],
    ['short', 100, [3, 2]],
  ])('keep a place for another key once there is another, and not before: %s jobs', async (_lane, to, expected) => {
    const pool = await ReaderPool.start(catalog.folder, { threads: 3 });
    let most = 0;
    const ask = (key: string) => {
      const onStart = () => {
        most = Math.max(most, pool.state().busy + 1);
      };
      const job = { operation: 'filing_lookup' as const, parameters: { from: 0, to }, context: CONTEXT };
      return pool.run(job, { key, onStart });
    };
    const many = async () => {
      most = 0;
      await Promise.all(Array.from({ length: 12 }, () => ask('a')));
      return most;
    };
    const before = await many();
    await ask('b');
    expect([before, await many()]).toEqual(expected);
    await pool.close();
  });

  it('do not start without a catalog', async () => {
    await expect(ReaderPool.start(`${catalog.folder}-not-there`, { threads: 2 })).rejects.toThrow(
      /there is no catalog/,
    );
  });
});

describe('a thread', () => {
  const quick = { operation: 'filing_lookup' as const, parameters: { from: 0, to: 3 }, context: CONTEXT };

  async function answerOf({ isCancelled = false, shortMs = 150 }): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const data = { catalogFolder: catalog.folder, fulltext: undefined, shortMs };
    const thread = new ReaderThread<ThreadJob>(data, false, {
      onReply: (_job, { kind }) => resolve(kind),
      onLost: () => {},
    });
    await thread.ready;
    thread.start({ request: quick, lane: 'short' });
    if (isCancelled) thread.cancel();
    const kind = await promise;
    expect(thread.job).toBeNull();
    await thread.end();
    return kind;
  }

  it('answers a job, also one that was cancelled', async () => {
    expect(await answerOf({})).toBe('outcome');
    // If it began before the cancelling, it may have ended.
    expect(['outcome', 'dropped']).toContain(await answerOf({ isCancelled: true }));
  });

  it('gives back a job that takes longer than the short lane allows', async () => {
    expect(await answerOf({ shortMs: -1 })).toBe('needs-lane');
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
