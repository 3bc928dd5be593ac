/**
 * Runs whose workflow is reset, or whose Temporal database is put back to an older copy: the lake has more than the history knows. The
 * run may end and say so; it and the next run leave the lake of an undisturbed one.
 */
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { openHome } from '../../../src/core/environment/state-folder.ts';
import type { FilinglakeError } from '../../../src/core/index.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  type RunningWorker,
  startWorker,
  type TemporalSession,
} from '../../../src/export/runtime/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { completedSteps, copyDatabase, putBackDatabase, resetRun, type StepOfRun } from '../../support/reset.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, contentsOf, type Road } from '../../support/test-stack.ts';

/** Errors of a run whose history is older than its lake. */
const OTHER_HISTORY = ['batch-differs', 'staging-missing'];

type Started = { id: string; lake: string; definition: ExportDefinition; asked: () => number };

const FILINGS = 60;
const CONNECTIONS = 4;
/** Short batches: some to be reset to. */
const BATCH_MS = 250;
const SLOW_MS = 40;

describe.skipIf(!temporalExecutable)('a run with another history than the lake knows', () => {
  let road: Road;
  let apiKey: string;
  let session: TemporalSession;
  let worker: RunningWorker;
  let undisturbed: Record<string, unknown[]>;
  let needed = 0;
  let runs = 0;
  const settings = () => readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
  const begin = async () => {
    session = await ensureTemporal(settings());
    worker = await startWorker(session, { apiKey, log: openLog(settings(), 'worker', [apiKey]), batchMs: BATCH_MS });
  };
  const end = async () => {
    await worker.stop();
    await session.release();
  };
  const clientOf = async () => new Client({ connection: await session.connect(), namespace: session.namespace });

  async function start() {
    const definition = road.parsed(`run-${++runs}`);
    const lake = join(road.folder, `lake-${runs}`);
    const before = road.proxy.requests;
    const { id } = await (await ExportRuns.of(session)).start(definition, lake, apiKey);
    return { id, lake, definition, asked: () => road.proxy.requests - before };
  }
  /** What the run failed with; null: it has completed. */
  async function ends(id: string): Promise<string | null> {
    const exports = await ExportRuns.of(session);
    return exports.result(await exports.handleOf(id)).then(
      () => null,
      (error: unknown) => (error as FilinglakeError).code,
    );
  }
  /** The run, and the next one if it ends. */
  async function endsWhole({ id, lake, definition }: Started): Promise<void> {
    const code = await ends(id);
    process.stdout.write(`ended: ${code}\n`);
    if (code !== null) {
      expect(OTHER_HISTORY).toContain(code);
      await (await ExportRuns.of(session)).start(definition, lake, apiKey);
      expect(await ends(id)).toBe(null);
    }
    await expectWhole(lake);
  }
  async function untilCommits(id: string, commits: number) {
    const client = await clientOf();
    await vi.waitFor(
      async () => expect(await completedSteps(client, id, 'commitBatches')).toBeGreaterThanOrEqual(commits),
      {
        timeout: 120_000,
        interval: 20,
      },
    );
  }
  async function expectWhole(lake: string) {
    // Two runs have two rows of a window.
    expect({ ...(await contentsOf(lake)), export_windows: [] }).toEqual(undisturbed);
    const open = await openLake(lake);
    expect((await checkLake(open)).problems).toEqual([]);
    await open.close();
  }

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    apiKey = road.createKey('unlimited');
    await begin();
    const { id, lake, asked } = await start();
    expect(await ends(id)).toBe(null);
    undisturbed = { ...(await contentsOf(lake)), export_windows: [] };
    needed = asked();
  });
  afterAll(async () => {
    await end();
    await road.stop();
  });

  const first = (activity: string): StepOfRun => ({ activity, nth: 1 });
  const last = (activity: string): StepOfRun => ({ activity, nth: -1 });
  /** FILINGLAKE_EVERY_RESET=1 takes every step that a run has. */
  const every = process.env.FILINGLAKE_EVERY_RESET === '1';
  const more = [first('openRun'), first('readWindows'), first('commitBatches'), last('commitBatches')];
  const IN_MID_RUN = [
    first('planWindows'),
    first('fetchEntities'),
    first('fetchBatch'),
    last('fetchBatch'),
    ...(every ? more : []),
  ];
  it.each(IN_MID_RUN)(
    'that is reset to $activity $nth in mid-run leaves the lake of an undisturbed one',
    async (step) => {
      road.proxy.delayMs = SLOW_MS;
      const run = await start();
      const { id, asked } = run;
      await untilCommits(id, 2);
      // Faster than before: a batch of the same place would hold more.
      road.proxy.delayMs = 0;
      expect(await resetRun(await clientOf(), id, step)).toBe(true);
      await endsWhole(run);
      process.stdout.write(`${step.activity} ${step.nth}: ${asked()} requests, undisturbed ${needed}\n`);
      // Again: requests that were in flight or not sealed at the reset, the batch that the reset gave up, the lookup and the
      // entities.
      expect(asked()).toBeLessThanOrEqual(needed + Math.ceil((BATCH_MS / SLOW_MS) * CONNECTIONS) * 2 + CONNECTIONS + 2);
    },
  );

  it.each([first('openRun'), first('fetchBatch'), first('finishRun'), ...(every ? [...IN_MID_RUN] : [])])(
    'that is reset to $activity $nth when it was over asks for the lookup alone, and ends again',
    async (step) => {
      const run = await start();
      const { id, asked } = run;
      expect(await ends(id)).toBe(null);
      const once = asked();
      expect(await resetRun(await clientOf(), id, step)).toBe(true);
      await endsWhole(run);
      process.stdout.write(`${step.activity} ${step.nth} at the end: ${asked() - once} requests more\n`);
      expect(asked() - once).toBeLessThanOrEqual(3);
    },
  );

  it('whose database is put back to a copy of its middle leaves the lake of an undisturbed one', async () => {
    road.proxy.delayMs = SLOW_MS;
    const run = await start();
    const { id, asked } = run;
    const database = openHome(road.home).temporalDatabase;
    const copy = join(road.folder, 'copy.db');
    await untilCommits(id, 1);
    await copyDatabase(database, copy);
    await untilCommits(id, 4);
    await end();
    putBackDatabase(copy, database);
    road.proxy.delayMs = 0;
    await begin();
    expect(await completedSteps(await clientOf(), id, 'commitBatches')).toBeLessThan(4);
    await endsWhole(run);
    process.stdout.write(`put back: ${asked()} requests, undisturbed ${needed}\n`);
    expect(asked()).toBeLessThanOrEqual(needed + Math.ceil((BATCH_MS / SLOW_MS) * CONNECTIONS) * 2 + CONNECTIONS + 2);
  });
});
