/** A service that is well and refuses every single document, or knows no documents: the run tries thrice, then records each and ends. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { ExportRuns, ensureTemporal, startWorker, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../../support/test-stack.ts';
import { TIME_SKIPPING_ARGUMENTS, timeSkippingClient } from '../../support/time-skipping.ts';

describe.skipIf(!temporalExecutable)('an operation that refuses every record', () => {
  let road: Road;
  let session: TemporalSession;
  const settings = () => readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });

  beforeAll(async () => {
    road = await buildRoad(120);
    session = await ensureTemporal(settings(), { extraServerArguments: TIME_SKIPPING_ARGUMENTS });
  });
  afterAll(async () => {
    await session.release();
    await road.stop();
  });

  /** A whole run in which each document gets this answer. */
  async function exportAnswered(name: string, answer: { status: number; body: string; type?: string }) {
    const apiKey = road.createKey('unlimited');
    const client = await timeSkippingClient(session);
    const worker = await startWorker(session, { apiKey, client, log: openLog(settings(), 'worker', [apiKey]) });
    road.proxy.asked.length = 0;
    road.proxy.fault = (path) => (path.startsWith('/v2/document') ? answer : null);
    const definition = road.parsed(name, 'documents: { types: [all], graphics: true, xml: raw }');
    const lake = join(road.folder, `lake-${name}`);
    const runs = await ExportRuns.of(session, client);
    const { handle } = await runs.start(definition, lake, apiKey);
    const { finished, progress } = await runs.result(handle);
    const { events } = await handle.fetchHistory();
    await worker.stop();
    const waits = events!.filter((event) => event.timerStartedEventAttributes).length;
    return { finished, progress, waits, rows: await contentsOf(lake) };
  }
  const codesOf = (failures: readonly unknown[]) => new Set(failures.map((row) => (row as { code: string }).code));

  it('requests all of them in the end, records each, and completes', async () => {
    const body = '{"error":"this can not be given"}';
    const { finished, progress, waits, rows } = await exportAnswered('refused', {
      status: 422,
      body,
      type: 'application/json',
    });
    const { documents, document_contents, section_contents, export_failures } = rows;
    expect(documents!.length).toBeGreaterThan(5 * 50);
    expect(document_contents).toEqual([]);
    expect(section_contents!.length).toBeGreaterThan(0);
    expect(export_failures).toHaveLength(documents!.length);
    expect(codesOf(export_failures!)).toEqual(new Set(['record-unprocessable']));
    expect(finished.failures).toBe(documents!.length);
    expect(progress).toMatchObject({ state: 'completed', requests_pending: 0 });
    // A try records fifty refusals in a row, then the run waits: three times, and then it insists.
    expect(waits).toBe(3);
  });

  it('requests a few at each try if all answer 404, and records all at its end', async () => {
    const { finished, progress, waits, rows } = await exportAnswered('missing', {
      status: 404,
      body: '',
      type: 'application/json',
    });
    const { documents, document_contents, export_failures } = rows;
    expect(document_contents).toEqual([]);
    expect(export_failures).toHaveLength(documents!.length);
    expect(codesOf(export_failures!)).toEqual(new Set(['record-not-found', 'service-failed']));
    expect(finished.failures).toBe(documents!.length);
    expect(progress).toMatchObject({ state: 'completed', requests_pending: 0 });
    expect(waits).toBe(3);
    // Twenty, a probe, and the requests in flight, five times: once among whole filings, then alone, before and after each wait.
    const asked = road.proxy.asked.filter((url) => url.startsWith('/v2/document?'));
    expect(asked.length).toBeLessThan(5 * (20 + 1 + 4));
  });
});
