/**
 * An activity that ends its worker's process each time: the run stops after the stated number of tries, and continues when a person
 * resumes it.
 */
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { newProgress } from '../../../src/export/run/index.ts';
import { ExportRuns, ensureTemporal, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { taskQueueOf } from '../../../src/export/runtime/worker/worker.ts';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, type Command, type Road, runCommand } from '../../support/test-stack.ts';

const FILINGS = 20;
/** In place of 20, each of which takes the time until a heartbeat is missed. */
const ATTEMPTS = 2;

describe.skipIf(!temporalExecutable)('an activity that ends its worker each time', () => {
  let road: Road;
  let session: TemporalSession;
  let apiKey: string;
  /** The service's answer to a lookup ends the worker. */
  let isDeadly = true;
  let deaths = 0;
  let isOver = false;
  let worker: Command | null = null;
  /** As a supervisor does: one that ended is started again. */
  const startWorker = () => {
    if (isOver) return;
    const env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: apiKey };
    worker = runCommand(['worker', '--json'], env);
    void worker.ended.then(startWorker);
  };

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    apiKey = road.createKey('unlimited');
    session = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home }));
    road.proxy.onRequest = () => {
      if (!isDeadly || !road.proxy.asked.at(-1)!.includes('filing_lookup')) return;
      deaths++;
      worker?.process.kill('SIGKILL');
    };
    startWorker();
  });
  afterAll(async () => {
    isOver = true;
    worker?.process.kill('SIGTERM');
    await worker?.ended;
    await session.release();
    await road.stop();
  });

  it('is tried as often as the run says, which then stops with a report, and continues on resume', async () => {
    const definition = road.parsed('deadly');
    const lake = join(road.folder, 'lake');
    const started_at = new Date().toISOString();
    const client = new Client({ connection: await session.connect(), namespace: session.namespace });
    const handle = await client.workflow.start('exportWorkflow', {
      workflowId: 'export/deadly',
      taskQueue: taskQueueOf(apiKey),
      args: [{ run_id: 'deadly-1', definition, lake, started_at, attempts: ATTEMPTS }],
      memo: { definition, lake, progress: newProgress(started_at) },
      searchAttributes: { ExportName: [definition.name], ExportState: ['running'] },
    });
    const runs = await ExportRuns.of(session, client);
    await vi.waitFor(async () => expect((await runs.status(handle)).progress.stopped_by).toBe('crash'), {
      timeout: 100_000,
      interval: 250,
    });
    const { progress } = await runs.status(handle);
    expect(progress).toMatchObject({
      state: 'paused',
      message: expect.stringMatching(/^the worker stopped answering 2 times in a row while it read window /),
    });
    expect(deaths).toBe(ATTEMPTS);
    isDeadly = false;
    await handle.executeUpdate('resume');
    expect((await runs.result(handle)).progress).toMatchObject({ state: 'completed', filings_found: FILINGS });
    const open = await openLake(lake);
    expect((await checkLake(open)).problems).toEqual([]);
    expect(await open.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: FILINGS }]);
    await open.close();
  });
});
