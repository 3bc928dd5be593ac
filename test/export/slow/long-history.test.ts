/** A run whose history grows long continues in a new one, between windows and in the middle of one, and requests nothing twice. */
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { ExportRuns, ensureTemporal, startWorker, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../../support/test-stack.ts';

/** So few events that every batch ends a history. */
const SHORT_HISTORIES = ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=12'];

describe.skipIf(!temporalExecutable)('a run with a long history', () => {
  let road: Road;
  let session: TemporalSession;
  const settings = () => readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });

  beforeAll(async () => {
    road = await buildRoad(30, { delayMs: 30 });
    session = await ensureTemporal(settings(), { extraServerArguments: SHORT_HISTORIES });
  });
  afterAll(async () => {
    await session.release();
    await road.stop();
  });

  it('continues in new histories, and exports everything without extra requests', async () => {
    const apiKey = road.createKey('unlimited');
    const worker = await startWorker(session, { apiKey, log: openLog(settings(), 'worker', [apiKey]), batchMs: 60 });
    const definition = road.parsed('long');
    const lake = join(road.folder, 'lake');
    const runs = await ExportRuns.of(session);
    const { handle } = await runs.start(definition, lake, apiKey);
    const client = new Client({ connection: await session.connect(), namespace: session.namespace });
    const { progress } = await runs.result(handle);
    let histories = 0;
    for await (const { workflowId } of client.workflow.list({ query: `WorkflowId = '${handle.workflowId}'` })) {
      if (workflowId === handle.workflowId) histories++;
    }
    expect(histories).toBeGreaterThan(4);
    const contents = await contentsOf(lake);
    expect(contents.filings).toHaveLength(30);
    // Each filing to its last step: a gap here would be a silent one.
    expect(
      new Set(
        contents.coverage!.map(
          (row) =>
            (row as { accession_number: string; step: string }).step === 'info' &&
            (row as { accession_number: string }).accession_number,
        ),
      ).size - 1,
    ).toBe(30);
    expect(progress.filings_found).toBe(30);
    expect(contents.export_windows).toHaveLength(1);
    const { requests } = road.proxy;
    expect(progress.requests).toBe(requests);
    expect(new Set(road.proxy.asked).size).toBe(road.proxy.asked.length);

    const again = await runs.start({ ...definition, name: 'long-again' }, lake, apiKey);
    await runs.result(again.handle);
    expect(road.proxy.requests).toBe(requests + 1);
    await worker.stop();
  });

  it('remembers a requested pause', async () => {
    const apiKey = road.createKey('unlimited');
    const worker = await startWorker(session, { apiKey, log: openLog(settings(), 'worker', [apiKey]), batchMs: 60 });
    const definition = road.parsed('paused');
    const runs = await ExportRuns.of(session);
    const before = road.proxy.requests;
    const { handle } = await runs.start(definition, join(road.folder, 'lake-paused'), apiKey);
    await vi.waitFor(() => expect(road.proxy.requests - before).toBeGreaterThan(20), { timeout: 120_000 });
    await handle.executeUpdate('pause');
    await vi.waitFor(async () => expect((await runs.status(handle)).state).toBe('paused'), { timeout: 120_000 });
    await handle.executeUpdate('resume');
    expect((await runs.result(handle)).progress.filings_found).toBe(30);
    await worker.stop();
  });
});
