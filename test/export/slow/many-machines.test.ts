/**
 * A rehearsal of many machines: eight workers that share a bucket and Temporal, nothing else. Two are killed, and one is frozen for a
 * minute and then awakes, in the middle of the run. The lake must be that of one undisturbed worker.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/settings.ts';
import { ensureTemporal } from '../../../src/export/runtime/temporal/server.ts';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { type S3Stub, startS3Stub } from '../../support/lake/s3-stub.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, type Command, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';
import { workerOf } from '../../support/worker-of.ts';

const FILINGS = 96;
const WORKERS = 8;
const FROZEN_MS = 60_000;

/** Who has a connection is found in /proc. */
const canFind = process.platform === 'linux';

describe.skipIf(temporalExecutable === null || !canFind)('eight workers without a common folder', () => {
  let road: Road;
  let store: S3Stub;
  let session: Awaited<ReturnType<typeof ensureTemporal>>;
  let apiKey: string;
  let undisturbed: Record<string, unknown[]>;
  let requests: number;
  const workers: Command[] = [];

  beforeAll(async () => {
    road = await buildRoad(FILINGS, { delayMs: 25 });
    store = await startS3Stub();
    apiKey = road.createKey('unlimited');
    session = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home }));
    const lake = join(road.folder, 'lake-on-disk');
    const command = runCommand(['export', road.definition('one-worker'), '--lake', lake, '--json'], machine());
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    requests = road.proxy.requests;
  });
  afterAll(async () => {
    for (const { process: worker } of workers) worker.kill('SIGCONT');
    for (const { process: worker } of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
    await session.release();
    await store.stop();
    await road.stop();
  });

  /** A home, a cache and a folder for temporary files of its own. */
  function machine(): Record<string, string> {
    return {
      ...store.env(temporaryFolder()),
      FILINGLAKE_HOME: temporaryFolder(),
      TMPDIR: temporaryFolder(),
      TEMPORAL_ADDRESS: session.address,
      TEMPORAL_NAMESPACE: session.namespace,
      FILINGLAKE_API_KEY: apiKey,
    };
  }

  it('make the lake of one worker, though two are killed and one is frozen for a minute', async () => {
    const place = 's3://bucket/rehearsal';
    for (let n = 0; n < WORKERS; n++) workers.push(runCommand(['worker', '--json'], machine()));
    await Promise.all(workers.map((worker) => worker.event((event) => 'task_queue' in event)));
    const struck: { frozen: Command['process'] | null } = { frozen: null };
    const before = road.proxy.requests;
    const at = (share: number) => before + Math.floor(requests * share);
    let isAwake = false;
    let wake: () => void = () => undefined;
    const awake = new Promise<void>((settle) => {
      wake = settle;
    });
    // Some answers wait for it: the run can't end before it awakes.
    road.proxy.holdSome = (path) =>
      !isAwake && road.proxy.requests > at(0.7) && path.includes('document') ? awake : null;
    const began = performance.now();
    const strikes = [
      { share: 0.25, signal: 'SIGKILL' },
      { share: 0.4, signal: 'SIGSTOP' },
      { share: 0.55, signal: 'SIGKILL' },
    ];
    road.proxy.onRequest = (n, port) => {
      if (strikes.length === 0 || n < at(strikes[0]!.share)) return;
      // The one that works on the run: an idle one would not be missed.
      const active = workerOf(port, workers)?.process;
      if (!active) return;
      const { signal } = strikes.shift()!;
      if (signal === 'SIGKILL') {
        active.kill(signal);
        return;
      }
      struck.frozen = active;
      active.kill('SIGSTOP');
      void sleep(FROZEN_MS).then(() => {
        active.kill('SIGCONT');
        isAwake = true;
        wake();
      });
    };
    store.clear();
    const command = runCommand(
      ['export', road.definition('rehearsal'), '--lake', place, '--json', '--no-worker'],
      machine(),
    );
    expect(await command.ended, command.stderr()).toBe(0);
    const seconds = (performance.now() - began) / 1000;
    expect(workers.filter(({ process: worker }) => worker.signalCode === 'SIGKILL').length).toBe(2);
    expect([isAwake, struck.frozen?.signalCode]).toEqual([true, null]);
    const repeated = road.proxy.requests - before - requests;
    expect(repeated).toBeGreaterThan(0);
    const toStore = store.seen.length;
    Object.assign(process.env, store.env(temporaryFolder()));
    expect(await contentsOf(place)).toEqual(undisturbed);
    const lake = await openLake(place);
    expect((await checkLake(lake)).problems).toEqual([]);
    const versions = (await lake.currentVersion()) + 1;
    await lake.close();
    const figures = { seconds, requests, repeated, versions, toStore };
    console.info('rehearsal', JSON.stringify(figures));
  });
});
