/**
 * Remaps by workers that are killed: between file operations on disk, beside an export, a compaction, a vacuum and readers; and on a
 * bucket, shared by several machines. The lake must be that of one undisturbed process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/environment/index.ts';
import { MAPPING_VERSION } from '../../src/forms/index.ts';
import { type Lake, openLake } from '../../src/lake/index.ts';
import { checkLake } from '../../src/lake-report/index.ts';
import { remapLake } from '../../src/pipeline/index.ts';
import { ensureTemporal, Remaps, type TemporalSession } from '../../src/runtime/index.ts';
import { USUAL_FORM_TABLES } from '../../src/tables/index.ts';
import { type S3Stub, startS3Stub } from '../support/lake/s3-stub.ts';
import { temporaryFolder } from '../support/lake/temporary-folder.ts';
import { copyOfLake, makeOlder, mappingsSeen, StoredFilings } from '../support/pipeline/stored-lake.ts';
import { temporalExecutable } from '../support/temporal.ts';
import { CHECKOUT, contentsOf, runCommand } from '../support/test-stack.ts';

const FILINGS = 24;
const KEY = 'a key';
/** Puts after which a worker kills itself: in its first stretch, at its commit, and in later ones. */
const KILLS = [3, 8, 13, 6];
const CHANGED = { acceptance_datetime: '2024-03-02T10:00:00' };

describe.skipIf(!temporalExecutable)('a remap whose workers are killed', () => {
  let folder: string;
  let home: string;
  let session: TemporalSession;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    folder = temporaryFolder();
    home = join(folder, 'home');
    session = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home }));
  });
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL');
    await session?.release();
  });

  function workerProcess(count?: number): ChildProcess {
    const script = join(CHECKOUT, 'test/slow/remapping-worker.ts');
    const child = spawn(process.execPath, [script, KEY, ...(count === undefined ? [] : [String(count)])], {
      cwd: CHECKOUT,
      env: { ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  }

  /** Filings with rows of an older mapping; and those that an export brings or changes during the remap. */
  async function oldLake(place: string): Promise<{ lake: Lake; disturb: (n: number) => Promise<void> }> {
    const lake = await openLake(place, { create: true });
    const filings = new StoredFilings(lake);
    for (let n = 0; n < FILINGS; n += 6)
      await filings.export([0, 1, 2, 3, 4, 5].map((i) => filings.filing(n + i, n + i + 1)));
    await makeOlder(lake);
    const disturb = async (n: number) => {
      await filings.export([filings.filing(100 + n, 200 + n)]);
      await filings.export([filings.filing(n * 5, 300 + n, CHANGED)]);
    };
    return { lake, disturb };
  }

  it('ends as if nothing had happened, and shows readers whole filings in every version', async () => {
    const place = join(folder, 'lake');
    const { lake, disturb } = await oldLake(place);
    const undisturbed = await copyOfLake(place, join(folder, 'undisturbed'));
    const same = new StoredFilings(undisturbed, 'same');
    for (let n = 0; n < KILLS.length; n++) {
      await same.export([same.filing(100 + n, 200 + n)]);
      await same.export([same.filing(n * 5, 300 + n, CHANGED)]);
    }
    await remapLake(undisturbed);
    await undisturbed.close();

    const remaps = await Remaps.of(session);
    const request = { lake: place, lakeId: lake.id, tables: USUAL_FORM_TABLES, limits: { filings: 4 } };
    const { handle } = await remaps.start(request, KEY);
    const reader = await openLake(place);
    let isOver = false;
    let versions = 0;
    const reading = (async () => {
      for (; !isOver; await sleep(100)) {
        await mappingsSeen(reader);
        versions++;
      }
    })();
    for (const [n, count] of KILLS.entries()) {
      const killed = once(workerProcess(count), 'close');
      await disturb(n);
      if (n === 1) await lake.compact();
      if (n === 2) await lake.vacuum({ keepMs: 0 });
      // It may also find no stretch that is free, and then waits for the next one.
      expect(await killed).toEqual([null, 'SIGKILL']);
    }
    const last = [workerProcess(), workerProcess()];
    const done = await remaps.result(handle);
    isOver = true;
    await reading;
    for (const worker of last) worker.kill('SIGTERM');
    await Promise.all(last.map((worker) => worker.exitCode ?? once(worker, 'close')));
    expect(versions).toBeGreaterThan(3);
    expect(done).toMatchObject({ stretches_done: done.stretches, unreadable: 0, incomplete: 0, older: 0 });
    // A plan that was made again has the filings of the export too.
    expect(done.stretches).toBeGreaterThanOrEqual(6);
    expect(await contentsOf(place)).toEqual(await contentsOf(join(folder, 'undisturbed')));
    const seen = await mappingsSeen(lake);
    expect(seen.every(({ version }) => version === MAPPING_VERSION)).toBe(true);
    expect(seen).toHaveLength(FILINGS + KILLS.length);
    expect((await checkLake(lake)).problems).toEqual([]);
    for (const one of [lake, reader]) await one.close();
  });

  it('is shared by machines that have only a bucket in common, of which one is killed', async () => {
    const store: S3Stub = await startS3Stub();
    try {
      Object.assign(process.env, store.env(temporaryFolder()));
      const place = 's3://bucket/remapped';
      const { lake } = await oldLake(place);
      const onDisk = join(folder, 'on-disk');
      const { lake: undisturbed } = await oldLake(onDisk);
      await remapLake(undisturbed);
      await undisturbed.close();
      const machine = () => ({
        ...store.env(temporaryFolder()),
        FILINGLAKE_HOME: temporaryFolder(),
        TEMPORAL_ADDRESS: session.address,
        TEMPORAL_NAMESPACE: session.namespace,
        FILINGLAKE_API_KEY: KEY,
      });
      const remaps = await Remaps.of(session);
      const request = { lake: place, lakeId: lake.id, tables: USUAL_FORM_TABLES, limits: { filings: 2 } };
      const { handle } = await remaps.start(request, KEY);
      const workers = [1, 2, 3].map(() => runCommand(['worker', '--json'], machine()));
      for (const worker of workers) running.add(worker.process);
      // All have begun: each has a stretch of its own, or has had one.
      await expect
        .poll(async () => (await remaps.status(handle)).report?.stretches_done ?? 0, { timeout: 240_000 })
        .toBeGreaterThan(1);
      workers[0]!.process.kill('SIGKILL');
      const done = await remaps.result(handle);
      const { events } = await handle.fetchHistory();
      const by = new Set((events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes?.identity ?? []));
      for (const { process: worker } of workers.slice(1)) worker.kill('SIGTERM');
      await Promise.all(workers.map(({ ended }) => ended));
      console.info('workers that mapped', by.size, 'commits', done.commits);
      expect(by.size).toBeGreaterThan(1);
      expect(done).toMatchObject({ stretches: 12, stretches_done: 12, mapped: FILINGS, commits: 12, older: 0 });
      expect(await contentsOf(place)).toEqual(await contentsOf(onDisk));
      expect((await checkLake(lake)).problems).toEqual([]);
      await lake.close();
    } finally {
      await store.stop();
    }
  });
});
