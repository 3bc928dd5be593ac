/**
 * A key whose month ends during an export: the run waits durably, continues when the month turns or a person resumes it, and wastes
 * nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { openLog } from '../../../src/core/environment/index.ts';
import { ExportRuns, startWorker } from '../../../src/export/runtime/index.ts';
import { AccountDesk } from '../../../src/service/accounts/index.ts';
import { QUOTA, quotaExports } from '../../support/quota-exports.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { contentsOf, TEST_PLANS } from '../../support/test-stack.ts';
import { quickIt as it, slowIt } from '../../support/tier-cases.ts';

describe.skipIf(!temporalExecutable)("an export whose key's month ends", () => {
  const given = quotaExports();

  it('waits with a durable timer for the new month, and then fetches the missing filings', async () => {
    const startedAt = new Date();
    const apiKey = given.road.createKey('small');
    let blocks = 0;
    // The service's month turns as soon as the run has begun to wait, since the workflow's time is skipped.
    const { client, worker, runs, handle, lake } = await given.runExport('month-turns', apiKey, (message) => {
      if (message !== 'blocked') return;
      blocks++;
      const now = new Date();
      given.road.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + blocks, 1, 0, 5)));
    });
    const { progress, finished } = await runs.result(handle);
    await worker.stop();

    expect(await contentsOf(lake)).toEqual(given.whole);
    expect(finished.failures).toBe(0);
    expect(blocks).toBe(Math.ceil(given.requestsNeeded / QUOTA) - 1);
    // Every request was answered, except the quota's last ones: the service states what is left, so that none is refused.
    expect(given.road.proxy.refused()).toBe(0);
    expect(given.road.proxy.requests).toBe(given.requestsNeeded);
    expect(progress.requests).toBe(given.requestsNeeded);

    const timers = [];
    for await (const { workflowId } of client.workflow.list({ query: "WorkflowType = 'budgetWorkflow'" })) {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      for (const { timerStartedEventAttributes: timer } of events ?? []) {
        if (timer) timers.push(Number(timer.startToFireTimeout?.seconds ?? 0));
      }
    }
    // The timer runs to the reset that the service named: to the first of the next month.
    const [most, least] = [toMonthEnd(startedAt), toMonthEnd(new Date())];
    expect(timers.length).toBeGreaterThanOrEqual(blocks);
    expect(timers.filter((seconds) => seconds <= most + 5 && seconds >= least - 5)).not.toEqual([]);
  });

  it('shows that it waits, and until when; resume continues it before the new month', async () => {
    const apiKey = given.road.createKey('small');
    const worker = await startWorker(given.session, { apiKey, log: openLog(given.settings, 'worker', [apiKey]) });
    const definition = given.road.parsed('resumed');
    const lake = join(given.road.folder, 'lake-resumed');
    // No time is skipped here: the wait would last to the month's end.
    const runs = await ExportRuns.of(given.session);
    const { handle } = await runs.start(definition, lake, apiKey);
    // Temporal's page names the run by it.
    const summary = await (await handle.describe()).staticSummary();
    expect(summary).toMatch(/^resumed: .+ of http:/);
    expect(summary).toContain(` of ${definition.service.base_url} into ${lake}`);
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
        given.road.setClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + resumed, 1, 0, 5)));
        await handle.executeUpdate('resume');
      }
      await sleep(100);
    }
    await worker.stop();
    expect(resumed).toBe(Math.ceil(given.requestsNeeded / QUOTA) - 1);
    expect(await contentsOf(lake)).toEqual(given.whole);
    expect(given.road.proxy.refused()).toBe(0);
    expect(given.road.proxy.requests).toBe(given.requestsNeeded);
  });

  it('continues within the month once the account of its key has a larger plan, and what was used stays used', async () => {
    const plans = { ...TEST_PLANS, sign_up: 'small' };
    const desk = await AccountDesk.open({ catalogFolder: given.road.catalogFolder, plans });
    const account = await desk.register.create('ada@example.org', null, 'small', 'operator', new Date());
    const { api_key: apiKey } = await desk.keys.create(account.id, 'thesis', new Date());
    const worker = await startWorker(given.session, { apiKey, log: openLog(given.settings, 'worker', [apiKey]) });
    const definition = given.road.parsed('upgraded');
    const lake = join(given.road.folder, 'lake-upgraded');
    const runs = await ExportRuns.of(given.session);
    const { handle } = await runs.start(definition, lake, apiKey);
    await expect.poll(async () => (await runs.status(handle)).state).toBe('waiting_for_quota');
    await desk.planDesk.choose(account, 'large');
    await desk.planDesk.grant((await desk.subscriptions.openRequests())[0]!);
    await handle.executeUpdate('resume');
    await runs.result(handle);
    await worker.stop();
    await desk.planDesk.cancel((await desk.register.find(account.email, new Date()))!);
    const { requests, days } = await desk.keys.usage(account.id, new Date());
    await desk.close();
    expect(await contentsOf(lake)).toEqual(given.whole);
    expect(given.road.proxy.refused()).toBe(0);
    expect(given.road.proxy.requests).toBe(given.requestsNeeded);
    // No request is lost or counted twice, in the month or in the days.
    expect(requests).toBe(given.requestsNeeded);
    expect(days.reduce((sum, day) => sum + day.requests, 0)).toBe(requests);
  });

  it('continues within the month with another key, which takes the waiting run over and repeats only the lookup', async () => {
    const [trial, paid] = [given.road.createKey('small'), given.road.createKey('unlimited')];
    const workerOf = (apiKey: string) =>
      startWorker(given.session, { apiKey, log: openLog(given.settings, 'worker', [apiKey]) });
    const definition = given.road.parsed('other-key');
    const lake = join(given.road.folder, 'lake-other-key');
    const revokedKey = () => {
      const key = given.road.createKey('unlimited');
      given.road.revokeKey(key);
      return key;
    };
    const runs = await ExportRuns.of(given.session);
    const first = await workerOf(trial);
    const { handle, id } = await runs.start(definition, lake, trial);
    await expect.poll(async () => (await runs.status(handle)).state).toBe('waiting_for_quota');
    await first.stop();
    const changed = { ...definition, tables: ['filings'] };
    await expect(runs.start(changed as typeof definition, lake, paid)).rejects.toMatchObject({
      code: 'export-differs',
    });
    // A key that the service refuses ends nothing.
    for (const wrong of ['fl_mistyped', revokedKey()])
      await expect(runs.start(definition, lake, wrong)).rejects.toMatchObject({ code: 'key-refused' });
    expect((await runs.status(handle)).state).toBe('waiting_for_quota');
    const second = await workerOf(paid);
    const next = await runs.start(definition, lake, paid);
    expect(next).toMatchObject({ id, attached: false, tookOver: 'key' });
    await runs.result(next.handle);
    await second.stop();
    // Both runs state what they planned.
    const data = (tables: Record<string, unknown[]>) =>
      Object.fromEntries(Object.entries(tables).filter(([name]) => !name.startsWith('export_')));
    expect(data(await contentsOf(lake))).toEqual(data(given.whole));
    // The lookup, and a request for each key that was tried.
    expect(given.road.proxy.requests).toBe(given.requestsNeeded + 1 + 3);
  });

  it('begins again once the address is corrected, if nothing came from the wrong one', async () => {
    const lake = join(given.road.folder, 'lake-address');
    const definition = given.road.parsed('address');
    const wrong = { ...definition, service: { ...definition.service, base_url: 'http://127.0.0.1:9' } };
    const apiKey = given.road.createKey('unlimited');
    const worker = await startWorker(given.session, { apiKey, log: openLog(given.settings, 'worker', [apiKey]) });
    const runs = await ExportRuns.of(given.session);
    const { handle } = await runs.start(wrong, lake, apiKey);
    await expect.poll(async () => (await runs.status(handle)).progress.stopped_by).toBe('unreachable');
    await expect(runs.start({ ...definition, tables: ['filings'] }, lake, apiKey)).rejects.toMatchObject({
      code: 'export-differs',
    });
    const next = await runs.start(definition, lake, apiKey);
    expect(next).toMatchObject({ attached: false, tookOver: 'service' });
    await runs.result(next.handle);
    await worker.stop();
  });

  slowIt('stops at its own budget, and continues there when the budget is raised', async () => {
    const apiKey = given.road.createKey('unlimited');
    const { worker, runs, handle, lake } = await given.runExport(
      'budget',
      apiKey,
      undefined,
      'budget: { max_requests: 17 }',
    );
    await expect.poll(async () => (await runs.status(handle)).progress.stopped_by).toBe('budget');
    expect(given.road.proxy.requests).toBe(17);
    await handle.executeUpdate('raise-budget', { args: [{ max_requests: 1000, max_bytes: null, reserve: 0 }] });
    await runs.result(handle);
    await worker.stop();
    expect(given.road.proxy.requests).toBe(given.requestsNeeded);
    expect(await contentsOf(lake)).toEqual(given.whole);
  });

  it('leaves no key in histories, logs, staging or lakes', async () => {
    const apiKey = given.road.createKey('unlimited');
    // The staging is gone when the run is over.
    const staged: string[] = [];
    given.road.proxy.onRequest = (n) => {
      const staging = join(given.road.folder, 'lake-secret', '_staging');
      if (n % 10 === 0 && existsSync(staging)) staged.push(...stagedTexts(staging));
    };
    const { client, worker, runs, handle, lake } = await given.runExport('secret', apiKey);
    await runs.result(handle);
    given.road.proxy.onRequest = () => {};
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
    const files = [...filesBelow(lake), ...filesBelow(given.road.home)];
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) texts.push(readFileSync(file).toString('latin1'));
    for (const text of texts) for (const secret of encodings) expect(text.includes(secret)).toBe(false);
  });
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

/** Seconds. */
function toMonthEnd(from: Date): number {
  return (Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1) - from.getTime()) / 1000;
}
