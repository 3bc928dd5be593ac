/**
 * A worker keeps running while its lake is deleted, restored from a copy, or replaced by another: the next export is complete,
 * without a restart.
 */
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import {
  ExportRuns,
  ensureTemporal,
  type RunningWorker,
  startWorker,
  type TemporalSession,
} from '../../../src/export/runtime/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { completedSteps } from '../../support/reset.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../../support/test-stack.ts';

const FILINGS = 40;
const BATCH_MS = 250;
/** So slow that a run takes more than three batches, however quick the machine is. */
const SLOW_MS = 120;

describe.skipIf(!temporalExecutable)('a worker that has a lake open', () => {
  let road: Road;
  let apiKey: string;
  let session: TemporalSession;
  let worker: RunningWorker;
  let undisturbed: Record<string, unknown[]>;
  /** A lake of the older half of the filings. */
  let other: string;
  let lakes = 0;

  const start = async (file: string, lake: string) => {
    const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
    return (await (await ExportRuns.of(session)).start(definition, lake, apiKey)).id;
  };
  /** How a run ends: its state, or the code of its error. */
  const endOf = async (id: string): Promise<string> => {
    const runs = await ExportRuns.of(session);
    return runs.result(await runs.handleOf(id)).then(
      ({ progress }) => progress.state,
      (error: { code?: string }) => error.code ?? String(error),
    );
  };
  const exported = async (file: string, lake: string) => endOf(await start(file, lake));
  const expectWhole = async (lake: string) => {
    expect({ ...(await contentsOf(lake)), export_windows: [] }).toEqual({ ...undisturbed, export_windows: [] });
    const open = await openLake(lake);
    expect((await checkLake(open)).problems).toEqual([]);
    await open.close();
  };
  const untilCommits = async (id: string, commits: number) => {
    const client = new Client({ connection: await session.connect(), namespace: session.namespace });
    await vi.waitFor(
      async () => expect(await completedSteps(client, id, 'commitBatches')).toBeGreaterThanOrEqual(commits),
      { timeout: 120_000, interval: 20 },
    );
  };
  const newLake = () => join(road.folder, `lake-${++lakes}`);
  /** At once: the worker may be writing to it. */
  const takeAway = (lake: string) => {
    renameSync(lake, `${lake}.aside`);
    rmSync(`${lake}.aside`, { recursive: true, maxRetries: 5 });
  };
  const putInPlace = (folder: string, lake: string) => {
    const copy = `${lake}.new`;
    cpSync(folder, copy, { recursive: true });
    takeAway(lake);
    renameSync(copy, lake);
  };
  const copyOf = (lake: string) => {
    const copy = `${lake}.copy`;
    cpSync(lake, copy, { recursive: true });
    return copy;
  };

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    apiKey = road.createKey('unlimited');
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
    session = await ensureTemporal(settings);
    worker = await startWorker(session, { apiKey, log: openLog(settings, 'worker', [apiKey]), batchMs: BATCH_MS });
    const lake = newLake();
    expect(await exported(road.definition('undisturbed'), lake)).toBe('completed');
    undisturbed = await contentsOf(lake);
    other = newLake();
    const days = (undisturbed.filings as { filing_date: string }[]).map((row) => String(row.filing_date)).sort();
    const half = road.definition('half');
    const text = readFileSync(half, 'utf8').replace('select: {}', `select: { date_to: ${days[FILINGS / 2]} }`);
    const { definition } = parseExportDefinition(text, half, {});
    const { id } = await (await ExportRuns.of(session)).start(definition, other, apiKey);
    expect(await endOf(id)).toBe('completed');
  });
  afterAll(async () => {
    await worker.stop();
    await session.release();
    await road.stop();
  });

  describe('between two exports', () => {
    it('that is deleted: the next export starts from nothing', async () => {
      const lake = newLake();
      const file = road.definition('removed');
      expect(await exported(file, lake)).toBe('completed');
      rmSync(lake, { recursive: true });
      expect(await exported(file, lake)).toBe('completed');
      await expectWhole(lake);
    });

    it('that is restored from a copy, or replaced by another: the next export fetches what that one lacks, and no more', async () => {
      const lake = newLake();
      const file = road.definition('restored');
      cpSync(other, lake, { recursive: true });
      const copy = copyOf(lake);
      expect(await exported(file, lake)).toBe('completed');
      putInPlace(copy, lake);
      const before = road.proxy.requests;
      expect(await exported(file, lake)).toBe('completed');
      await expectWhole(lake);
      const again = road.proxy.requests - before;
      const whole = newLake();
      expect(await exported(file, whole)).toBe('completed');
      expect(again).toBeLessThan((road.proxy.requests - before - again) * 0.75);
      putInPlace(other, whole);
      expect(await exported(file, whole)).toBe('completed');
      await expectWhole(whole);
    });
  });

  describe('in the middle of a run', () => {
    it.each([
      ['removed', (lake: string) => takeAway(lake), null],
      ['put back from a copy', (lake: string, copy: string) => putInPlace(copy, lake), 1],
      ['replaced by another', (lake: string) => putInPlace(other, lake), null],
    ] as const)('that is %s: the run ends and reports it, the next export is complete', async (how, strike, copyAt) => {
      const lake = newLake();
      const file = road.definition(how.replaceAll(' ', '-'));
      road.proxy.delayMs = SLOW_MS;
      const id = await start(file, lake);
      let copy = '';
      if (copyAt !== null) {
        await untilCommits(id, copyAt);
        copy = copyOf(lake);
      }
      await untilCommits(id, 3);
      strike(lake, copy);
      expect(['lake-missing', 'lake-replaced', 'lake-version-unknown']).toContain(await endOf(id));
      road.proxy.delayMs = 0;
      expect(await exported(file, lake)).toBe('completed');
      await expectWhole(lake);
    });
  });
});
