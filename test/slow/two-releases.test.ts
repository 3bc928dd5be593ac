/** Worker processes of two releases on one queue, while an export runs: no row is lost or doubled, also if one of them is killed. */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/environment/index.ts';
import { openLake } from '../../src/lake/index.ts';
import { checkLake } from '../../src/lake-report/index.ts';
import { ensureTemporal, type TemporalSession } from '../../src/runtime/index.ts';
import { temporaryFolder } from '../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../support/temporal.ts';
import { buildRoad, type Command, contentsOf, type Road, runCommand } from '../support/test-stack.ts';
import { CHECKOUT, WalkedCopy } from '../support/walks/walk.ts';

/** The same code without its latest patch: its workflows take other steps. */
const OLDER = { 'workflows/pass-fetcher.ts': [{ before: 'patched(', insert: 'false && ' }] };

const CONNECTIONS = 4;

type Release = 'older' | 'newer';

describe.skipIf(!temporalExecutable)('an export on the workers of two releases', () => {
  let road: Road;
  let session: TemporalSession;
  let copy: WalkedCopy;
  let apiKey: string;
  let undisturbed: Record<string, unknown[]>;
  let requests: number;
  const workers: Command[] = [];

  beforeAll(async () => {
    copy = new WalkedCopy([OLDER]);
    road = await buildRoad(40, { delayMs: 100 });
    session = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home }));
    apiKey = road.createKey('unlimited');
    const lake = join(road.folder, 'lake-undisturbed');
    const command = runCommand(['export', road.definition('undisturbed'), '--lake', lake, '--json'], machine());
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    requests = road.proxy.requests;
  });
  afterAll(async () => {
    await stopAll();
    await session?.release();
    await road?.stop();
    copy?.remove();
  });

  function machine(): Record<string, string> {
    return {
      FILINGLAKE_HOME: temporaryFolder(),
      TEMPORAL_ADDRESS: session.address,
      TEMPORAL_NAMESPACE: session.namespace,
      FILINGLAKE_API_KEY: apiKey,
    };
  }

  async function startWorker(release: Release): Promise<Command> {
    const worker = runCommand(['worker', '--json'], machine(), release === 'older' ? copy.folder : CHECKOUT);
    workers.push(worker);
    await worker.event((event) => 'task_queue' in event);
    return worker;
  }
  async function stopAll(): Promise<void> {
    for (const { process: worker } of workers) worker.kill('SIGKILL');
    await Promise.all(workers.splice(0).map(({ ended }) => ended));
  }

  it.each<[Release, Release, Release | null]>([
    ['older', 'newer', null],
    ['newer', 'older', null],
    ['older', 'newer', 'older'],
    ['older', 'newer', 'newer'],
    ['newer', 'older', 'older'],
  ])('the %s one begins, the %s one joins, killed: %s', async (first, second, killed) => {
    const name = `${first}-${second}-${killed ?? 'none'}`;
    const lake = join(road.folder, `lake-${name}`);
    const byName = { [first]: await startWorker(first) } as Record<Release, Command>;
    const before = road.proxy.requests;
    const at = { joins: before + Math.floor(requests / 4), kill: before + Math.floor((2 * requests) / 3) };
    let joining: Promise<void> | null = null;
    road.proxy.onRequest = (n) => {
      if (n === at.joins) {
        joining = startWorker(second).then((worker) => {
          byName[second] = worker;
        });
        road.proxy.hold = joining;
      }
      if (n === at.kill && killed) byName[killed].process.kill('SIGKILL');
    };
    const command = runCommand(['export', road.definition(name), '--lake', lake, '--json', '--no-worker'], machine());
    expect(await command.ended, command.stderr()).toBe(0);
    road.proxy.hold = null;
    // What was on its way when a worker was killed is requested again.
    expect(road.proxy.requests - before - requests).toBeLessThanOrEqual(killed ? CONNECTIONS : 0);
    await isWhole(lake);
  });

  it('waits if only the older one is left, says so, and continues with the newer one', async () => {
    const lake = join(road.folder, 'lake-waits');
    const newer = await startWorker('newer');
    const before = road.proxy.requests;
    const struck = Promise.withResolvers<void>();
    road.proxy.onRequest = (n) => {
      if (n !== before + Math.floor((2 * requests) / 3)) return;
      newer.process.kill('SIGKILL');
      struck.resolve();
    };
    const command = runCommand(['export', road.definition('waits'), '--lake', lake, '--no-worker'], machine());
    await struck.promise;
    await startWorker('older');
    const said = "its workers can't continue it: a newer release of filinglake has worked on it";
    await expect.poll(() => command.stderr(), { timeout: 120_000 }).toContain(said);
    const status = runCommand(['status', 'waits'], machine());
    const shown = text(status.process.stdout!);
    expect(await status.ended, status.stderr()).toBe(0);
    expect(await shown).toMatch(/^worker +active, and can't continue this run: a newer release/m);
    await stopAll();
    await startWorker('newer');
    const began = performance.now();
    expect(await command.ended, command.stderr()).toBe(0);
    console.info('waited', Math.round(performance.now() - began));
    await isWhole(lake);
  });

  async function isWhole(lake: string): Promise<void> {
    await stopAll();
    const ofFilings = ({ export_windows: _, ...rest }: typeof undisturbed) => rest;
    expect(ofFilings(await contentsOf(lake))).toEqual(ofFilings(undisturbed));
    const opened = await openLake(lake);
    expect((await checkLake(opened)).problems).toEqual([]);
    await opened.close();
  }
});
