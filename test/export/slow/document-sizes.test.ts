/** `documents.max_bytes` with several batches of filing_info and of documents: sizes are known before the first document is requested. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDefinitions } from '../../../src/cli/terminal/definition-file.ts';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { ExportRuns, ensureTemporal, startWorker, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../../support/test-stack.ts';

describe.skipIf(!temporalExecutable)('documents up to a size', () => {
  let road: Road;
  let session: TemporalSession;
  const settings = () => readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });

  beforeAll(async () => {
    road = await buildRoad(400, { delayMs: 60 });
    session = await ensureTemporal(settings());
  });
  afterAll(async () => {
    await session.release();
    await road.stop();
  });

  it('are requested and stored, and no others, though answers are slow and the filings many', async () => {
    const apiKey = road.createKey('unlimited');
    const worker = await startWorker(session, { apiKey, log: openLog(settings(), 'worker', [apiKey]) });
    const runs = await ExportRuns.of(session);
    const lake = join(road.folder, 'lake');
    const exported = async (more: string) => {
      const before = road.proxy.asked.length;
      const file = road.definition('sizes', `documents: { types: [primary]${more} }`);
      const set = ['tables=[filings, documents, document_contents]'];
      const { definition } = (await readDefinitions(file, [], { set }))[0]!;
      const { handle } = await runs.start({ ...definition, lake }, lake, apiKey);
      await runs.result(handle);
      return road.proxy.asked.slice(before).filter((path) => path.startsWith('/v2/document?')).length;
    };
    const limit = 20_000;
    const first = await exported(`, max_bytes: ${limit}`);
    const { documents, document_contents } = (await contentsOf(lake)) as Record<
      string,
      { document_id: string; size: number }[]
    >;
    const sizes = new Map(documents!.map(({ document_id, size }) => [document_id, Number(size)]));
    const stored = document_contents!.map(({ document_id }) => sizes.get(document_id)!);
    expect(stored.length).toBeGreaterThan(20);
    expect(Math.max(...stored)).toBeLessThanOrEqual(limit);
    expect(first).toBe(stored.length);
    expect(await exported(`, max_bytes: ${limit}`)).toBe(0);
    // All that are left are larger.
    expect(await exported('')).toBe(400 - stored.length);
    await worker.stop();
  });
});
