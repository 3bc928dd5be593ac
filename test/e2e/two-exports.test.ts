/** Two exports that bring the same filings into one lake at the same time, and want different things of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseExportDefinition } from '../../src/export/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  openLog,
  type RunningWorker,
  readSettings,
  startWorker,
  type TemporalSession,
} from '../../src/runtime/index.ts';
import { buildRoad, contentsOf, type Road } from '../given/road.ts';
import { temporalExecutable } from '../given/temporal.ts';

const CHOICES = { risks: "['1A']", discussions: "['7']" };

describe.skipIf(!temporalExecutable)('two exports of different choices', () => {
  let road: Road;
  let session: TemporalSession;
  let runs: ExportRuns;
  let worker: RunningWorker;
  let apiKey: string;

  beforeAll(async () => {
    road = await buildRoad(30);
    apiKey = road.createKey('unlimited');
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
    session = await ensureTemporal(settings);
    runs = await ExportRuns.of(session);
    worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]) });
  }, 60_000);
  afterAll(async () => {
    await worker.stop();
    await session.release();
    await road.stop();
  });

  async function start(name: string, choice: keyof typeof CHOICES, lake: string) {
    const file = road.definition(name, `sections: { codes: ${CHOICES[choice]} }`);
    const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
    const { handle } = await runs.start(definition, lake, apiKey);
    return { result: () => runs.result(handle) };
  }

  it('leave a lake that has what both asked for, whoever came first', async () => {
    const calm = join(road.folder, 'lake-calm');
    await (await start('calm-risks', 'risks', calm)).result();
    await (await start('calm-discussions', 'discussions', calm)).result();

    const lake = join(road.folder, 'lake-shared');
    const answered = Promise.withResolvers<void>();
    let isHeld = false;
    road.proxy.holdSome = (path) => {
      if (isHeld || !path.startsWith('/v2/filing_sections')) return null;
      isHeld = true;
      return answered.promise;
    };
    // It has its plan of all sections, and waits for the first of them.
    const late = await start('late', 'discussions', lake);
    await vi.waitFor(() => expect(isHeld).toBe(true), { timeout: 30_000 });
    const { progress: ofFirst } = await (await start('first', 'risks', lake)).result();
    expect(ofFirst).toMatchObject({ rows_taken: 0, filings_left: 0 });
    answered.resolve();
    const { progress, finished } = await late.result();
    expect(progress.rows_taken).toBeGreaterThan(0);
    expect(progress).toMatchObject({ failures: 0, filings_left: 0, requests_owed: 0 });
    expect(finished.failures).toBe(0);
    const perFiling = ['filings', 'documents', 'sections', 'section_contents', 'document_contents', 'parties'];
    const [shared, one] = [await contentsOf(lake), await contentsOf(calm)];
    for (const table of perFiling) expect(shared[table], table).toEqual(one[table]);

    const asked = road.proxy.requests;
    await (await start('late', 'discussions', lake)).result();
    expect(road.proxy.requests - asked).toBe(1);
  }, 120_000);
});
