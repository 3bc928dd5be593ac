import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAccessionNumber } from '../../../src/api/index.ts';
import { FilinglakeError } from '../../../src/core/index.ts';
import { ServiceProblem } from '../../../src/service/problem.ts';
import { JobMarks, MARKS } from '../../../src/service/readers/job-marks.ts';
import { errorOfReply, type ReaderReply, replyOfError, withOwnMemory } from '../../../src/service/readers/messages.ts';
import { ReaderPool } from '../../../src/service/readers/reader-pool.ts';
import { ReaderThread, type ThreadJob } from '../../../src/service/readers/reader-thread-handle.ts';
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
      expect(i % 3 === 0 ? [Math.min(to, 6), 499] : [Math.min(to, 6)]).toContain(result);
    });
    await Promise.all(rounds);
    expect(settled).toBe(900);
    await expect.poll(() => pool.state().busy, { timeout: 120_000 }).toBe(0);
    expect(pool.state()).toMatchObject({ waiting: { short: 0, long: 0, large: 0 }, replaced: 0, threads: 3 });
    await pool.close();
  });

  it('do not start without a catalog', async () => {
    await expect(ReaderPool.start(`${catalog.folder}-not-there`, { threads: 2 })).rejects.toThrow(
      /there is no catalog/,
    );
  });
});

describe('a thread', () => {
  async function threadOf(onReply: (job: ThreadJob, reply: ReaderReply) => void) {
    const thread = new ReaderThread<ThreadJob>(catalog.folder, false, {
      onReply,
      onReplies: () => {},
      onLost: () => {},
    });
    await thread.ready;
    return thread;
  }
  const jobOf = (to: number): ThreadJob => ({
    request: { operation: 'filing_lookup', parameters: { from: 0, to }, context: CONTEXT },
    lane: 'short',
  });

  it('answers all that it was sent, and nothing that was taken back', async () => {
    // A job that started just as it was taken back comes as dropped.
    let answered: [ThreadJob, string][] = [];
    const thread = await threadOf((job, { kind }) => answered.push([job, kind]));
    for (let round = 0; round < 60; round++) {
      answered = [];
      const jobs = Array.from({ length: 8 }, (_, i) => jobOf(i));
      thread.start(jobs);
      // At another moment in each round: some jobs have started, others not.
      const until = performance.now() + round / 20;
      while (performance.now() < until);
      const back = thread.takeBack();
      await expect.poll(() => thread.size, { timeout: 120_000, interval: 1 }).toBe(0);
      expect(new Set([...answered.map(([job]) => job), ...back])).toEqual(new Set(jobs));
      expect(answered.length + back.length).toBe(jobs.length);
      const others = answered.filter(([, kind]) => kind !== 'outcome').map(([, kind]) => kind);
      expect([[], ['dropped']]).toContainEqual(others);
      await expect.poll(() => thread.room, { timeout: 120_000, interval: 1 }).toBe(MARKS);
    }
    await thread.end();
  });

  it('drops a cancelled job, and answers the others', async () => {
    const kinds = new Map<ThreadJob, string>();
    const thread = await threadOf((job, reply) => kinds.set(job, reply.kind));
    const jobs = Array.from({ length: 8 }, (_, i) => jobOf(i));
    thread.start(jobs);
    thread.cancel(jobs[7]!);
    await expect.poll(() => kinds.size, { timeout: 120_000 }).toBe(8);
    expect(jobs.slice(0, 7).map((job) => kinds.get(job))).toEqual(Array(7).fill('outcome'));
    expect(['dropped', 'outcome']).toContain(kinds.get(jobs[7]!));
    await thread.end();
  });

  it('marks jobs beyond the range of 32 bits', () => {
    const marks = new JobMarks();
    for (const number of [1, 2 ** 31 - 1, 2 ** 32 + 6]) {
      marks.start(number);
      expect([marks.hasStarted(number), marks.hasStarted(number + 1)]).toEqual([true, false]);
      marks.markUnwanted(number + 1);
      expect([marks.isUnwanted(number), marks.isUnwanted(number + 1)]).toEqual([false, true]);
    }
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
