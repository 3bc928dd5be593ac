/** A service that is well and refuses every single document: the run tries thrice, then records each and ends. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../src/export/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  openLog,
  readSettings,
  startWorker,
  type TemporalSession,
} from '../../src/runtime/index.ts';
import { buildRoad, contentsOf, type Road } from '../given/road.ts';
import { temporalExecutable } from '../given/temporal.ts';
import { TIME_SKIPPING_ARGUMENTS, timeSkippingClient } from '../given/time-skipping.ts';

describe.skipIf(!temporalExecutable)('an operation that refuses every record', () => {
  let road: Road;
  let session: TemporalSession;
  const settings = () => readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });

  beforeAll(async () => {
    road = await buildRoad(95);
    session = await ensureTemporal(settings(), { extraServerArguments: TIME_SKIPPING_ARGUMENTS });
  }, 60_000);
  afterAll(async () => {
    await session.release();
    await road.stop();
  });

  it('is asked for all of them at last, each is recorded, and the run ends', async () => {
    const apiKey = road.createKey('unlimited');
    const client = await timeSkippingClient(session);
    const worker = await startWorker(session, { apiKey, client, log: openLog(settings(), 'worker', [apiKey]) });
    const body = '{"error":"this can not be given"}';
    road.proxy.fault = (path) =>
      path.startsWith('/v2/document') ? { status: 422, body, type: 'application/json' } : null;
    const file = road.definition('refused', 'documents: { types: [all], graphics: true, xml: raw }');
    const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
    const lake = join(road.folder, 'lake');
    const runs = await ExportRuns.of(session, client);
    const { handle } = await runs.start(definition, lake, apiKey);
    const { finished, progress } = await runs.result(handle);
    const { documents, document_contents, section_contents, export_failures } = await contentsOf(lake);
    expect(documents!.length).toBeGreaterThan(5 * 50);
    expect(document_contents).toEqual([]);
    expect(section_contents!.length).toBeGreaterThan(0);
    expect(export_failures).toHaveLength(documents!.length);
    expect(new Set(export_failures!.map((row) => (row as { code: string }).code))).toEqual(new Set(['unprocessable']));
    expect(finished.failures).toBe(documents!.length);
    expect(progress).toMatchObject({ state: 'completed', requests_owed: 0 });
    // A try records fifty refusals in a row, then the run waits: three times, and then it insists.
    const { events } = await handle.fetchHistory();
    expect(events!.filter((event) => event.timerStartedEventAttributes)).toHaveLength(3);
    await worker.stop();
  }, 90_000);
});
