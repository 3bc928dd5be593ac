import { appendFileSync, readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finishRun } from '../../../../src/export/pipeline/commit/run-lifecycle.ts';
import { SentByRuns, sentOfRun } from '../../../../src/export/pipeline/sent-by-runs.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf, dependenciesOf, runOf } from '../../../support/pipeline/activity-harness.ts';

const ONE = { requests: 1, bytes: 10, retries: 0 };

let lake: Lake;
beforeAll(async () => {
  lake = await openLake(temporaryFolder(), { create: true });
});
afterAll(() => lake.close());

const folderOf = (runId: string) => join(lake.root, '_staging', runId, '+tallies');
const sendOf = (worker: SentByRuns, runId: string, times: number) => {
  for (let i = 0; i < times; i++) worker.of(lake, runId).add(ONE);
};

describe('the requests that workers sent for a run', () => {
  it('is known of each worker, whether it was killed or ended', async () => {
    const [killed, ended, working] = [new SentByRuns(), new SentByRuns(), new SentByRuns()];
    sendOf(killed, 'r', 3);
    sendOf(ended, 'r', 4);
    ended.closeAll();
    sendOf(working, 'r', 5);
    sendOf(working, 'another', 1);
    expect(await sentOfRun(lake, 'r')).toEqual({ requests: 12, bytes: 120, retries: 0 });
    expect(await sentOfRun(lake, 'another')).toEqual(ONE);
    expect(await sentOfRun(lake, 'none')).toEqual({ requests: 0, bytes: 0, retries: 0 });
  });

  it('are in small files, however many requests there are', async () => {
    const worker = new SentByRuns();
    sendOf(worker, 'long', 20_000);
    expect(await sentOfRun(lake, 'long')).toEqual({ requests: 20_000, bytes: 200_000, retries: 0 });
    sendOf(worker, 'long', 1);
    expect((await sentOfRun(lake, 'long')).requests).toBe(20_001);
    await expect.poll(() => readdirSync(folderOf('long'))).toHaveLength(1);
  });

  it('are as many as before if a deleted file still exists', async () => {
    const worker = new SentByRuns();
    sendOf(worker, 'stays', 2);
    const [name] = readdirSync(folderOf('stays'));
    appendFileSync(join(folderOf('stays'), name!.replace(/\d+$/, '7')), '\n9 90 0;');
    expect(await sentOfRun(lake, 'stays')).toEqual({ requests: 9, bytes: 90, retries: 0 });
  });

  it('are those of the last whole entry, wherever the file was cut off', async () => {
    const worker = new SentByRuns();
    sendOf(worker, 'cut', 12);
    const file = join(folderOf('cut'), readdirSync(folderOf('cut'))[0]!);
    truncateSync(file, Buffer.byteLength('\n1 10 0;') * 9 + 3);
    expect((await sentOfRun(lake, 'cut')).requests).toBe(9);
    // A full disk stored half an entry, and the next one whole.
    worker.of(lake, 'cut').add(ONE);
    expect((await sentOfRun(lake, 'cut')).requests).toBe(13);
  });

  it('continue in a new file after a worker has closed the old one', async () => {
    const worker = new SentByRuns();
    sendOf(worker, 'reopened', 2);
    worker.forget(lake, 'reopened');
    sendOf(worker, 'reopened', 3);
    expect((await sentOfRun(lake, 'reopened')).requests).toBe(5);
  });
});

describe('the end of a run', () => {
  it.each([
    { told: 40, sent: 50, recorded: 50 },
    { told: 60, sent: 50, recorded: 60 },
  ])('records the larger count of heartbeats ($told) and files ($sent)', async ({ told, sent, recorded }) => {
    const run = runOf(definitionOf('e', 'filings'), `run-${told}`, lake);
    const worker = new SentByRuns();
    sendOf(worker, run.run_id, sent);
    const dependencies = dependenciesOf(lake, { budget: { leave: async () => {} }, sent: worker });
    const request = { run, state: 'completed', started_at: '2024-01-01T00:00:00Z', requests: told, bytes: 0 };
    const spent = { requests: recorded, bytes: 500 };
    expect(await finishRun(dependencies, request)).toMatchObject({ spent });
    // Its worker was killed behind the record, and the staging is gone.
    expect(await finishRun(dependencies, { ...request, requests: 1 })).toMatchObject({ spent });
    const rows = await lake.query(`SELECT requests FROM export_runs WHERE run_id = '${run.run_id}'`);
    expect(rows.map(({ requests }) => Number(requests))).toEqual([recorded]);
    expect(readdirSync(join(lake.root, '_staging'))).not.toContain(run.run_id);
  });
});
