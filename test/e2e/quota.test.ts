/** A key whose month ends in mid-export: the run waits durably, goes on when the month turns or somebody says so, and wastes nothing. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLog, readSettings } from '../../src/environment/index.ts';
import { parseExportDefinition } from '../../src/export/index.ts';
import { ExportRuns, ensureTemporal, startWorker, type TemporalSession } from '../../src/runtime/index.ts';
import { temporalExecutable } from '../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../support/test-stack.ts';
import { TIME_SKIPPING_ARGUMENTS, timeSkippingClient } from '../support/time-skipping.ts';

/** Of TEST_PLANS' small plan. */
const QUOTA = 40;
const FILINGS = 25;
/** Of the road's definitions. */
const CONNECTIONS = 4;

describe.skipIf(!temporalExecutable)("an export whose key's month ends", () => {
  let road: Road;
  let session: TemporalSession;
  let whole: Record<string, unknown[]>;
  let requestsNeeded = 0;
  const settings = () => readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });

  /** Runs an export in this process. */
  async function runExport(name: string, apiKey: string, onUpdate: (name: string) => void = () => {}, more = '') {
    const client = await timeSkippingClient(session, onUpdate);
    const worker = await startWorker(session, { apiKey, client, log: openLog(settings(), 'worker', [apiKey]) });
    const file = road.definition(name, more);
    const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
    const lake = join(road.folder, `lake-${name}`);
    const runs = await ExportRuns.of(session, client);
    const { handle } = await runs.start(definition, lake, apiKey);
    return { client, worker, runs, handle, lake };
  }

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    session = await ensureTemporal(settings(), { extraServerArguments: TIME_SKIPPING_ARGUMENTS });
    const { worker, runs, handle, lake } = await runExport('whole', road.createKey('unlimited'));
    await runs.result(handle);
    await worker.stop();
    whole = await contentsOf(lake);
    requestsNeeded = road.proxy.requests;
    expect(requestsNeeded).toBeGreaterThan(QUOTA);
    expect(requestsNeeded).toBeLessThan(QUOTA * 4);
  }, 120_000);
  beforeEach(() => {
    road.setClock(null);
    road.proxy.requests = 0;
    road.proxy.byStatus.clear();
    road.proxy.bodyBytes.length = 0;
  });
  afterAll(async () => {
    await session.release();
    await road.stop();
  });

  it('waits by a durable timer for the month to turn, and then brings what was missing', async () => {
    const apiKey = road.createKey('small');
    let blocks = 0;
    // The service's month turns as soon as the run has begun to wait, since the workflow's time is skipped.
    const { client, worker, runs, handle, lake } = await runExport('month-turns', apiKey, (update) => {
      if (update !== 'block') return;
      blocks++;
      const now = new Date();
      road.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + blocks, 1, 0, 5)));
    });
    const { progress, finished } = await runs.result(handle);
    await worker.stop();

    expect(await contentsOf(lake)).toEqual(whole);
    expect(finished.failures).toBe(0);
    expect(blocks).toBe(Math.ceil(requestsNeeded / QUOTA) - 1);
    // Every request but those of the quota's last was answered: the service says what is left, so that none is refused.
    expect(road.proxy.refused()).toBe(0);
    expect(road.proxy.requests).toBe(requestsNeeded);
    expect(progress.requests).toBe(requestsNeeded);

    const timers = [];
    for await (const { workflowId } of client.workflow.list({ query: "WorkflowType = 'budgetWorkflow'" })) {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      for (const { timerStartedEventAttributes: timer } of events ?? []) {
        if (timer) timers.push(Number(timer.startToFireTimeout?.seconds ?? 0));
      }
    }
    // The timer runs to the reset that the service named: to the first of the next month.
    const toMonthEnd = (Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1) - Date.now()) / 1000;
    expect(timers.length).toBeGreaterThanOrEqual(blocks);
    expect(Math.min(...timers.map((seconds) => Math.abs(seconds - toMonthEnd)))).toBeLessThan(120);
  }, 60_000);

  it('shows that it waits, and until when; resume goes on before the month turns', async () => {
    const apiKey = road.createKey('small');
    const worker = await startWorker(session, { apiKey, log: openLog(settings(), 'worker', [apiKey]) });
    const file = road.definition('resumed');
    const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
    const lake = join(road.folder, 'lake-resumed');
    // No time is skipped here: the wait would last to the month's end.
    const runs = await ExportRuns.of(session);
    const { handle } = await runs.start(definition, lake, apiKey);
    let resumed = 0;
    for (;;) {
      const status = await runs.status(handle);
      if (status.state === 'completed') break;
      if (status.state === 'waiting_for_quota') {
        expect(status.progress.stopped_by).toBe('quota');
        expect(Date.parse(status.progress.waiting_until!)).toBeGreaterThan(Date.now());
        expect(status.progress.quota?.requests_left).toBe(0);
        const now = new Date();
        resumed++;
        road.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + resumed, 1, 0, 5)));
        await handle.executeUpdate('resume');
      }
      await sleep(100);
    }
    await worker.stop();
    expect(resumed).toBe(Math.ceil(requestsNeeded / QUOTA) - 1);
    expect(await contentsOf(lake)).toEqual(whole);
    expect(road.proxy.refused()).toBe(0);
    expect(road.proxy.requests).toBe(requestsNeeded);
  }, 60_000);

  it('asks once, and no more, where somebody starts or resumes a run though the quota is known to be used up', async () => {
    const apiKey = road.createKey('unlimited');
    const usedUp = { status: 429, body: '{"error":"monthly requests used up"}', type: 'application/json' };
    road.proxy.fault = () => usedUp;
    const worker = await startWorker(session, { apiKey, log: openLog(settings(), 'worker', [apiKey]) });
    const runs = await ExportRuns.of(session);
    const startRun = (name: string) => {
      const file = road.definition(name);
      const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
      return runs.start(definition, join(road.folder, `lake-${name}`), apiKey);
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
    expect(road.proxy.requests).toBe(3);

    // The plan is upgraded: whoever resumes one run frees the other too.
    road.proxy.fault = () => null;
    await second.handle.executeUpdate('resume');
    await Promise.all([runs.result(first.handle), runs.result(second.handle)]);
    await worker.stop();
    expect(road.proxy.refused()).toBe(3);
    expect(road.proxy.requests).toBe(3 + 2 * requestsNeeded);
    expect(await contentsOf(join(road.folder, 'lake-believed-1'))).toEqual(whole);
  }, 60_000);

  it('has the cheap tables whole before the dear ones are begun', async () => {
    const apiKey = road.createKey('unlimited');
    road.proxy.asked.length = 0;
    // The lookup, an entity lookup, and one filing_info a filing: nothing is left for the rest.
    const more = `budget: { max_requests: ${FILINGS + 2} }`;
    const { worker, runs, handle, lake } = await runExport('cheap-first', apiKey, undefined, more);
    for (;;) {
      const { progress } = await runs.status(handle);
      if (progress.stopped_by !== 'budget') {
        await sleep(100);
        continue;
      }
      const { steps, requests_pending } = progress;
      expect(steps.info).toEqual({ done: FILINGS, pending: 0 });
      expect(steps.sections.done + steps.documents.done).toBe(0);
      expect(requests_pending).toBe(requestsNeeded - FILINGS - 2);
      break;
    }
    const { filings, parties, entities, section_contents, document_contents } = await contentsOf(lake);
    expect({ filings, parties, entities }).toEqual({
      filings: whole.filings,
      parties: whole.parties,
      entities: whole.entities,
    });
    expect([section_contents, document_contents]).toEqual([[], []]);
    await handle.executeUpdate('raise-budget', { args: [{ max_requests: null, max_bytes: null, reserve: 0 }] });
    await runs.result(handle);
    await worker.stop();
    expect(await contentsOf(lake)).toEqual(whole);
    expect(road.proxy.requests).toBe(requestsNeeded);
    const order = road.proxy.asked.map((url) => /v2\/(\w+)/.exec(url)![1]);
    expect(order.lastIndexOf('filing_info')).toBeLessThan(order.indexOf('filing_sections'));
    expect(order.lastIndexOf('filing_sections')).toBeLessThan(order.indexOf('document'));
  }, 60_000);

  it('is refused at most once for each connection where the service does not say what is left', async () => {
    const apiKey = road.createKey('small');
    road.proxy.dropped = ['ratelimit', 'ratelimit-policy'];
    let blocks = 0;
    const { worker, runs, handle, lake } = await runExport('untold', apiKey, (update) => {
      if (update !== 'block') return;
      blocks++;
      const now = new Date();
      road.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + blocks, 1, 0, 5)));
    });
    await runs.result(handle);
    await worker.stop();
    road.proxy.dropped = [];
    expect(await contentsOf(lake)).toEqual(whole);
    expect(road.proxy.refused()).toBeGreaterThan(0);
    expect(road.proxy.refused()).toBeLessThanOrEqual(blocks * CONNECTIONS);
    expect(road.proxy.requests - road.proxy.refused()).toBe(requestsNeeded);
  }, 60_000);

  it('stops at its own budget, and goes on where it stopped when the budget is raised', async () => {
    const apiKey = road.createKey('unlimited');
    const { worker, runs, handle, lake } = await runExport('budget', apiKey, undefined, 'budget: { max_requests: 17 }');
    for (;;) {
      const { progress } = await runs.status(handle);
      if (progress.stopped_by === 'budget') break;
      await sleep(100);
    }
    expect(road.proxy.requests).toBe(17);
    await handle.executeUpdate('raise-budget', { args: [{ max_requests: 1000, max_bytes: null, reserve: 0 }] });
    await runs.result(handle);
    await worker.stop();
    expect(road.proxy.requests).toBe(requestsNeeded);
    expect(await contentsOf(lake)).toEqual(whole);
  }, 60_000);

  it('goes on where its budget is raised while the last batch under the old one is under way', async () => {
    const apiKey = road.createKey('unlimited');
    let reserves = 0;
    let raised: Promise<unknown> | null = null;
    const raise = Promise.withResolvers<Awaited<ReturnType<typeof runExport>>>();
    const { worker, runs, handle, lake } = await runExport(
      'raised',
      apiKey,
      (name) => {
        if (name !== 'reserve' || ++reserves !== 3) return;
        raised = raise.promise.then(({ handle: raisedHandle }) =>
          raisedHandle.executeUpdate('raise-budget', { args: [{ max_requests: 1000, max_bytes: null, reserve: 0 }] }),
        );
      },
      'budget: { max_requests: 17 }',
    ).then((started) => {
      raise.resolve(started);
      return started;
    });
    const { progress } = await runs.result(handle);
    await raised;
    await worker.stop();
    expect(raised).not.toBeNull();
    expect(progress.requests).toBe(requestsNeeded);
    expect(await contentsOf(lake)).toEqual(whole);
  }, 60_000);

  it('sends nothing more once so many bytes have come, but for what is in flight', async () => {
    const apiKey = road.createKey('unlimited');
    const { worker, runs, handle } = await runExport('bytes', apiKey, undefined, 'budget: { max_bytes: 200000 }');
    for (;;) {
      const { progress } = await runs.status(handle);
      if (progress.stopped_by === 'budget') {
        expect(progress.message).toContain('max_bytes');
        expect(progress.bytes).toBeGreaterThanOrEqual(200_000);
        break;
      }
      await sleep(100);
    }
    await handle.cancel();
    await expect(runs.result(handle)).rejects.toMatchObject({ code: 'run-cancelled' });
    await worker.stop();
    // The answer that crossed the limit may have come while a round of requests (4 connections) was on its way, and one round more was reserved.
    const sizes = road.proxy.bodyBytes;
    let total = 0;
    const crossedAt = sizes.findIndex((bytes) => {
      total += bytes;
      return total >= 200_000;
    });
    expect(sizes.length - 1 - crossedAt).toBeLessThanOrEqual(8);
  }, 60_000);

  it('leaves no key in histories, logs, staging or lakes', async () => {
    const apiKey = road.createKey('unlimited');
    // The staging is gone when the run is over.
    const staged: string[] = [];
    road.proxy.onRequest = (n) => {
      const staging = join(road.folder, 'lake-secret', '_staging');
      if (n % 10 === 0 && existsSync(staging)) staged.push(...stagedTexts(staging));
    };
    const { client, worker, runs, handle, lake } = await runExport('secret', apiKey);
    await runs.result(handle);
    road.proxy.onRequest = () => {};
    expect(staged.some((text) => text.includes('accession_number'))).toBe(true);
    await worker.stop();
    const encodings = [apiKey, Buffer.from(apiKey).toString('base64').replace(/=+$/, ''), encodeURIComponent(apiKey)];
    const { events } = await handle.fetchHistory();
    const texts = [JSON.stringify(events), ...staged];
    for await (const { workflowId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId).fetchHistory();
      texts.push(
        JSON.stringify(history.events, (_, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        ),
      );
    }
    const files = [...filesBelow(lake), ...filesBelow(road.home)];
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) texts.push(readFileSync(file).toString('latin1'));
    for (const text of texts) for (const secret of encodings) expect(text.includes(secret)).toBe(false);
  }, 60_000);
});

/** What is staged at this moment, but for what goes while it is being read. Large files are compressed. */
function stagedTexts(folder: string): string[] {
  const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    try {
      const bytes = readFileSync(join(folder, name));
      return [(bytes.subarray(0, 4).equals(zstd) ? zstdDecompressSync(bytes) : bytes).toString('latin1')];
    } catch {
      return [];
    }
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}
