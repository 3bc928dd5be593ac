/**
 * Workers that can't use the lake: their bucket refuses them, or doesn't answer. Another worker does the work; if there is none, the
 * run waits, and says for whom.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../src/core/environment/settings.ts';
import { workflowIdOf } from '../../../src/export/runtime/temporal/run-names.ts';
import { ensureTemporal } from '../../../src/export/runtime/temporal/server.ts';
import { mountSmallDisk } from '../../support/chaos/small-disk.ts';
import { commandLine } from '../../support/command-line.ts';
import { type S3Stub, startS3Stub } from '../../support/lake/s3-stub.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, type Command, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

/** Longer than a request to the store is repeated, 90 s. FILINGLAKE_BUCKET_AWAY_SECONDS=3300 tries nearly the hour of the default. */
const AWAY_MS = Number(process.env.FILINGLAKE_BUCKET_AWAY_SECONDS ?? 100) * 1_000;
/** FILINGLAKE_BUCKET_PATIENCE_SECONDS=3600 is the default of a definition. */
const PATIENCE_SECONDS = Number(process.env.FILINGLAKE_BUCKET_PATIENCE_SECONDS ?? 5);

type Progress = Record<'state' | 'stopped_by' | 'message' | 'patient_until', string | null>;

describe.skipIf(temporalExecutable === null)('workers of one bucket', () => {
  let road: Road;
  let store: S3Stub;
  let session: Awaited<ReturnType<typeof ensureTemporal>>;
  let apiKey: string;
  let undisturbed: Record<string, unknown[]>;
  let needed = 0;
  let workers: Command[] = [];

  beforeAll(async () => {
    road = await buildRoad(40, { delayMs: 20 });
    store = await startS3Stub();
    apiKey = road.createKey('unlimited');
    session = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home }));
    const lake = join(road.folder, 'lake-on-disk');
    const command = runCommand(['export', road.definition('undisturbed'), '--lake', lake, '--json'], machine());
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    needed = road.proxy.requests;
    Object.assign(process.env, store.env(temporaryFolder()));
  });
  afterEach(async () => {
    store.rule = () => null;
    road.proxy.onRequest = () => {};
    for (const { process: worker } of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
    workers = [];
  });
  afterAll(async () => {
    await session.release();
    await store.stop();
    await road.stop();
  });

  function machine(more: Record<string, string> = {}): Record<string, string> {
    return {
      ...store.env(temporaryFolder()),
      FILINGLAKE_HOME: temporaryFolder(),
      TMPDIR: temporaryFolder(),
      TEMPORAL_ADDRESS: session.address,
      TEMPORAL_NAMESPACE: session.namespace,
      FILINGLAKE_API_KEY: apiKey,
      ...more,
    };
  }

  async function startWorkers(...keys: string[]): Promise<void> {
    workers = keys.map((AWS_ACCESS_KEY_ID) => runCommand(['worker', '--json'], machine({ AWS_ACCESS_KEY_ID })));
    await Promise.all(workers.map((worker) => worker.event((event) => 'task_queue' in event)));
  }

  const start = (name: string, ...more: string[]) => {
    const lake = `s3://bucket/${name}`;
    return runCommand(['export', road.definition(name), '--lake', lake, '--json', ...more], machine());
  };
  const atHalf = (act: () => void) => {
    const at = road.proxy.requests + Math.floor(needed / 2);
    road.proxy.onRequest = (n) => void (n === at && act());
  };
  const statusOf = async (name: string) => {
    const { status, stdout, stderr } = await commandLine(['status', name, '--json'], { env: machine() });
    expect(status, stderr).toBe(0);
    return (JSON.parse(stdout) as { progress: Progress }[]).map(({ progress }) => progress);
  };
  /** What the table of `status` shows, and what Temporal's own page does. */
  const shownOf = async (name: string) => {
    const { stdout } = await commandLine(['status', name], { env: machine() });
    const connection = await Connection.connect({ address: session.address });
    const { namespace } = session;
    const handle = new Client({ connection, namespace }).workflow.getHandle(workflowIdOf(name));
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    const { searchAttributes } = await handle.describe();
    await connection.close();
    return { table: stdout, details: currentDetails, state: searchAttributes.ExportState };
  };
  const stopsOf = (command: Command, by: string) =>
    command.events.flatMap(({ progress }) => {
      const of = progress as Progress | undefined;
      return of?.stopped_by === by ? [of] : [];
    });

  it('do the work of two that the bucket refuses, and these come back when the bucket accepts them', async () => {
    let isRefused = true;
    const byBad = { refused: 0, accepted: 0 };
    store.rule = ({ keyId }) => {
      if (keyId !== 'BAD') return null;
      byBad[isRefused ? 'refused' : 'accepted']++;
      return isRefused ? { refused: 'InvalidAccessKeyId' } : null;
    };
    await startWorkers('BAD', 'BAD', ...Array<string>(6).fill('GOOD'));
    // Until one has met the bucket, and failed: Temporal gives them some of the activities.
    for (let n = 0; byBad.refused === 0 && n < 8; n++) {
      const command = start(`refused-${n}`, '--no-worker');
      expect(await command.ended, command.stderr()).toBe(0);
      expect(stopsOf(command, 'worker')).toEqual([]);
      expect(await contentsOf(`s3://bucket/refused-${n}`)).toEqual(undisturbed);
    }
    expect(byBad.refused).toBeGreaterThan(0);
    isRefused = false;
    // They test the lake again, and then work.
    await expect.poll(() => byBad.accepted, { timeout: 120_000 }).toBeGreaterThan(0);
  });

  it('do the work of one whose disk is full, and it comes back when there is room', async (context) => {
    const folder = temporaryFolder();
    const disk = mountSmallDisk(folder, 8);
    if (disk === null) return context.skip('no disk may be mounted here');
    try {
      const [cache, tmp] = ['cache', 'tmp'].map((name) => join(folder, name)) as [string, string];
      for (const made of [cache, tmp]) mkdirSync(made);
      disk.fill();
      const full = { ...store.env(cache), AWS_ACCESS_KEY_ID: 'FULL', TMPDIR: tmp, FILINGLAKE_LOG: 'stderr' };
      await startWorkers('GOOD', 'GOOD');
      const bad = runCommand(['worker', '--json'], machine(full));
      workers.push(bad);
      await bad.event((event) => 'task_queue' in event);
      for (let n = 0; !bad.stderr().includes('takes no activities') && n < 8; n++) {
        const command = start(`full-${n}`, '--no-worker');
        expect(await command.ended, command.stderr()).toBe(0);
        expect(await contentsOf(`s3://bucket/full-${n}`)).toEqual(undisturbed);
      }
      expect(bad.stderr()).toContain('takes no activities until it can use the lake');
      // Which of its files meets the full disk first is chance: a copy for DuckDB is refused before it is made.
      expect(bad.stderr()).toMatch(/no space|disk is full|ENOSPC|has room for 0 MB/i);
      disk.empty();
      await expect.poll(() => bad.stderr(), { timeout: 120_000 }).toContain('takes activities again');
    } finally {
      disk.remove();
    }
  });

  it('make the run wait visibly if the bucket refuses them all, and say who was refused', async () => {
    let isRefused = false;
    store.rule = ({ keyId }) => (keyId === 'ONE' && isRefused ? { refused: 'ExpiredToken' } : null);
    await startWorkers('ONE', 'ONE');
    atHalf(() => {
      isRefused = true;
    });
    const command = start('all-refused', '--no-worker');
    const stop = await command.event(({ progress }) => (progress as Progress | undefined)?.stopped_by === 'worker');
    const { state, message, patient_until } = stop.progress as Progress;
    expect(state).toBe('paused');
    expect(message).toContain('the store refuses: ExpiredToken');
    expect(workers.map(({ process: { pid } }) => `(worker ${pid}@${hostname()})`)).toContain(
      /\(worker .*\)$/.exec(message!)![0],
    );
    expect(Date.parse(patient_until!)).toBeGreaterThan(Date.now() + 3_000_000);
    const [shown] = await statusOf('all-refused');
    // Each refused worker says its own words, and the newest are shown.
    const refusal = expect.stringContaining('the store refuses: ExpiredToken');
    expect(shown).toMatchObject({ state: 'paused', stopped_by: 'worker', message: refusal });
    isRefused = false;
    expect(await command.ended, command.stderr()).toBe(0);
    expect(await contentsOf('s3://bucket/all-refused')).toEqual(undisturbed);
  });

  it('end the command of their own with the reason, and the run is kept', async () => {
    let isRefused = false;
    store.rule = () => (isRefused ? { refused: 'AccessDenied' } : null);
    atHalf(() => {
      isRefused = true;
    });
    const command = start('own');
    expect(await command.ended).toBe(1);
    expect(command.events.at(-1)).toMatchObject({ event: 'done', state: 'paused', stopped_by: 'worker' });
    isRefused = false;
    const again = start('own');
    expect(await again.ended, again.stderr()).toBe(0);
    expect(await contentsOf('s3://bucket/own')).toEqual(undisturbed);
  });

  it('read credentials again that have expired', async () => {
    const file = join(temporaryFolder(), 'credentials');
    const write = (key: string) =>
      writeFileSync(file, `[lab]\naws_access_key_id=${key}\naws_secret_access_key=s\naws_session_token=${key}\n`);
    write('FIRST');
    let renewed = 0;
    let isExpired = false;
    store.rule = ({ keyId }) => {
      if (keyId === 'SECOND') renewed++;
      return isExpired && keyId === 'FIRST' ? { refused: 'ExpiredToken' } : null;
    };
    atHalf(() => {
      write('SECOND');
      isExpired = true;
    });
    const { AWS_ACCESS_KEY_ID: _, AWS_SECRET_ACCESS_KEY: __, ...rest } = machine();
    const env = { ...rest, AWS_PROFILE: 'lab', AWS_SHARED_CREDENTIALS_FILE: file };
    const saved = { ...process.env };
    delete process.env.AWS_ACCESS_KEY_ID;
    delete process.env.AWS_SECRET_ACCESS_KEY;
    const command = runCommand(
      ['export', road.definition('expired'), '--lake', 's3://bucket/expired', '--json'],
      env as Record<string, string>,
    );
    Object.assign(process.env, saved);
    expect(await command.ended, command.stderr()).toBe(0);
    expect(renewed).toBeGreaterThan(0);
    expect(stopsOf(command, 'worker')).toEqual([]);
    expect(await contentsOf('s3://bucket/expired')).toEqual(undisturbed);
  });

  it(
    'wait for a bucket that is away, visibly, and the run then completes',
    async () => {
      let isAway = false;
      store.rule = () => (isAway ? 'cut' : null);
      await startWorkers('ONE', 'ONE');
      const before = road.proxy.requests;
      const gone = new Promise<void>((settle) =>
        atHalf(() => {
          isAway = true;
          settle();
        }),
      );
      const command = start('away', '--no-worker');
      await gone;
      await sleep(AWAY_MS);
      await command.event(({ progress }) => (progress as Progress | undefined)?.stopped_by === 'lake');
      const shown = await shownOf('away');
      expect(shown.table).toMatch(/paused, lake unreachable, until \d/);
      expect(shown.details).toMatch(/paused, lake unreachable, until \d/);
      expect(shown.state).toEqual(['paused']);
      isAway = false;
      expect(await command.ended, command.stderr()).toBe(0);
      const stops = stopsOf(command, 'lake');
      for (const { state, message, patient_until } of stops) {
        expect(state).toBe('paused');
        expect(message).toMatch(/the store of s3:\/\/bucket\/away is unreachable: .*\(worker \d+@/);
        expect(patient_until).not.toBeNull();
      }
      expect(await contentsOf('s3://bucket/away')).toEqual(undisturbed);
      console.info(
        'bucket away',
        JSON.stringify({ seconds: AWAY_MS / 1000, repeated: road.proxy.requests - before - needed }),
      );
      // Beside the usual time.
    },
    300_000 + AWAY_MS,
  );

  it(
    'leave the command with 5 when the patience is over, and resume continues the run',
    async () => {
      let isAway = false;
      store.rule = () => (isAway ? 503 : null);
      await startWorkers('ONE');
      atHalf(() => {
        isAway = true;
      });
      const command = start('left', '--no-worker', '--set', `service.patience=${PATIENCE_SECONDS}s`);
      expect(await command.ended, command.stderr()).toBe(5);
      expect(command.events.at(-1)).toMatchObject({ event: 'done', state: 'paused', stopped_by: 'lake' });
      for (const { process: worker } of workers) worker.kill('SIGTERM');
      await Promise.all(workers.map(({ ended }) => ended));
      isAway = false;
      const resumed = runCommand(['resume', 'left', '--json'], machine());
      expect(await resumed.ended, resumed.stderr()).toBe(0);
      expect(await contentsOf('s3://bucket/left')).toEqual(undisturbed);
    },
    300_000 + PATIENCE_SECONDS * 1_000,
  );
});
