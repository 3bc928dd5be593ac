/** Quotas and budgets in rare states: believed to be used up, not stated, raised in the middle, counted in bytes. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openLog } from '../../../src/core/environment/index.ts';
import { ExportRuns, startWorker } from '../../../src/export/runtime/index.ts';
import { CONNECTIONS, FILINGS, quotaExports } from '../../support/quota-exports.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { contentsOf } from '../../support/test-stack.ts';

describe.skipIf(!temporalExecutable)("an export whose key's month ends", () => {
  const given = quotaExports();

  it('sends one request, and no more, if a person starts or resumes a run although the quota is known to be used up', async () => {
    const apiKey = given.road.createKey('unlimited');
    const usedUp = { status: 429, body: '{"error":"monthly requests used up"}', type: 'application/json' };
    given.road.proxy.fault = () => usedUp;
    const worker = await startWorker(given.session, { apiKey, log: openLog(given.settings, 'worker', [apiKey]) });
    const runs = await ExportRuns.of(given.session);
    const startRun = (name: string) => {
      const definition = given.road.parsed(name);
      return runs.start(definition, join(given.road.folder, `lake-${name}`), apiKey);
    };
    type Run = Awaited<ReturnType<typeof startRun>>;
    const waits = async (run: Run, requests: number) => {
      for (;;) {
        const { state, progress } = await runs.status(run.handle);
        if (state === 'waiting_for_quota' && progress.requests >= requests) return progress.requests;
        await sleep(50);
      }
    };
    const first = await startRun('believed-1');
    expect(await waits(first, 1)).toBe(1);
    const second = await startRun('believed-2');
    expect(await waits(second, 1)).toBe(1);
    // As `filinglake export` and `resume` do of a run that waits.
    await runs.goOnIfItWaits((await startRun('believed-1')).handle);
    expect(await waits(first, 2)).toBe(2);
    await sleep(1_000);
    expect(given.road.proxy.requests).toBe(3);

    // The plan is upgraded: resuming one run frees the other too.
    given.road.proxy.fault = () => null;
    await second.handle.executeUpdate('resume');
    await Promise.all([runs.result(first.handle), runs.result(second.handle)]);
    await worker.stop();
    expect(given.road.proxy.refused()).toBe(3);
    expect(given.road.proxy.requests).toBe(3 + 2 * given.requestsNeeded);
    expect(await contentsOf(join(given.road.folder, 'lake-believed-1'))).toEqual(given.whole);
  });

  it('completes the cheap tables before it begins the expensive ones, if the definition says breadth', async () => {
    const apiKey = given.road.createKey('unlimited');
    given.road.proxy.asked.length = 0;
    // The lookup, an entity lookup, and one filing_info a filing: nothing is left for the rest.
    const more = `budget: { max_requests: ${FILINGS + 2}, order: breadth }`;
    const { worker, runs, handle, lake } = await given.runExport('cheap-first', apiKey, undefined, more);
    await expect.poll(async () => (await runs.status(handle)).progress.stopped_by).toBe('budget');
    const { steps, requests_pending } = (await runs.status(handle)).progress;
    expect(steps.info).toEqual({ done: FILINGS, pending: 0 });
    expect(steps.sections.done + steps.documents.done).toBe(0);
    expect(requests_pending).toBe(given.requestsNeeded - FILINGS - 2);
    const { filings, parties, entities, section_contents, document_contents } = await contentsOf(lake);
    expect({ filings, parties, entities }).toEqual({
      filings: given.whole.filings,
      parties: given.whole.parties,
      entities: given.whole.entities,
    });
    expect([section_contents, document_contents]).toEqual([[], []]);
    await handle.executeUpdate('raise-budget', { args: [{ max_requests: null, max_bytes: null, reserve: 0 }] });
    await runs.result(handle);
    await worker.stop();
    expect(await contentsOf(lake)).toEqual(given.whole);
    expect(given.road.proxy.requests).toBe(given.requestsNeeded);
    const order = given.road.proxy.asked.map((url) => /v2\/(\w+)/.exec(url)![1]);
    expect(order.lastIndexOf('filing_info')).toBeLessThan(order.indexOf('filing_sections'));
    expect(order.lastIndexOf('filing_sections')).toBeLessThan(order.indexOf('document'));
  });

  it('is refused at most once for each connection if the service does not state its remaining quota', async () => {
    const apiKey = given.road.createKey('small');
    given.road.proxy.dropped = ['ratelimit', 'ratelimit-policy'];
    let blocks = 0;
    const { worker, runs, handle, lake } = await given.runExport('untold', apiKey, (message) => {
      if (message !== 'blocked') return;
      blocks++;
      const now = new Date();
      given.road.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + blocks, 1, 0, 5)));
    });
    await runs.result(handle);
    await worker.stop();
    given.road.proxy.dropped = [];
    expect(await contentsOf(lake)).toEqual(given.whole);
    expect(given.road.proxy.refused()).toBeGreaterThan(0);
    expect(given.road.proxy.refused()).toBeLessThanOrEqual(blocks * CONNECTIONS);
    expect(given.road.proxy.requests - given.road.proxy.refused()).toBe(given.requestsNeeded);
  });

  it('continues if its budget is raised while the last batch under the old one is active', async () => {
    const apiKey = given.road.createKey('unlimited');
    let reserves = 0;
    let raised: Promise<unknown> | null = null;
    const raise = Promise.withResolvers<Awaited<ReturnType<typeof given.runExport>>>();
    const { worker, runs, handle, lake } = await given
      .runExport(
        'raised',
        apiKey,
        (name) => {
          if (name !== 'asked' || ++reserves !== 3) return;
          raised = raise.promise.then(({ handle: raisedHandle }) =>
            raisedHandle.executeUpdate('raise-budget', { args: [{ max_requests: 1000, max_bytes: null, reserve: 0 }] }),
          );
        },
        'budget: { max_requests: 17 }',
      )
      .then((started) => {
        raise.resolve(started);
        return started;
      });
    const { progress } = await runs.result(handle);
    await raised;
    await worker.stop();
    expect(raised).not.toBeNull();
    expect(progress.requests).toBe(given.requestsNeeded);
    expect(await contentsOf(lake)).toEqual(given.whole);
  });

  it('sends nothing more after so many bytes, except for requests in flight', async () => {
    const apiKey = given.road.createKey('unlimited');
    const { worker, runs, handle } = await given.runExport('bytes', apiKey, undefined, 'budget: { max_bytes: 200000 }');
    await expect.poll(async () => (await runs.status(handle)).progress.stopped_by).toBe('budget');
    const { progress } = await runs.status(handle);
    expect(progress.message).toContain('max_bytes');
    expect(progress.bytes).toBeGreaterThanOrEqual(200_000);
    await handle.cancel();
    await expect(runs.result(handle)).rejects.toMatchObject({ code: 'run-cancelled' });
    await worker.stop();
    // The answer that crossed the limit may have come while a round of requests (4 connections) was on its way, and one round more was reserved.
    const sizes = given.road.proxy.bodyBytes;
    let total = 0;
    const crossedAt = sizes.findIndex((bytes) => {
      total += bytes;
      return total >= 200_000;
    });
    expect(sizes.length - 1 - crossedAt).toBeLessThanOrEqual(8);
  });
});
