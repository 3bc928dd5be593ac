/**
 * `remap` killed between file operations, beside an export, a compaction, a vacuum and readers. The same command continues it, and the lake
 * must be that of one undisturbed process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remapLake } from '../../../src/export/pipeline/index.ts';
import { MAPPING_VERSION } from '../../../src/filings/forms/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { copyOfLake, makeOlder, mappingsSeen, StoredFilings } from '../../support/pipeline/stored-lake.ts';
import { CHECKOUT, contentsOf, runCommand } from '../../support/test-stack.ts';

const FILINGS = 24;
/** Puts after which a remap kills itself: at its first commit, in its second stretch, before and after a seal. */
const KILLS = [3, 5, 2, 4];
const CHANGED = { acceptance_datetime: '2024-03-02T10:00:00' };

const inTurn = (lake: Lake, work: () => Promise<unknown>) => lake.turns.during({ what: 'another writer' }, work);

describe('a remap that is killed', () => {
  let folder: string;
  const running = new Set<ChildProcess>();

  beforeAll(() => {
    folder = temporaryFolder();
  });
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
  });

  function remapProcess(place: string, count: number): ChildProcess {
    const script = join(CHECKOUT, 'test/export/slow/killed-remap.ts');
    const child = spawn(process.execPath, [script, place, String(count)], {
      cwd: CHECKOUT,
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
      await inTurn(lake, () => filings.export([filings.filing(100 + n, 200 + n)]));
      await inTurn(lake, () => filings.export([filings.filing(n * 5, 300 + n, CHANGED)]));
    };
    return { lake, disturb };
  }

  it('and started again ends as if nothing had happened, and shows readers whole filings in every version', async () => {
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
      const killed = once(remapProcess(place, count), 'close');
      await disturb(n);
      if (n === 1) await inTurn(lake, () => lake.compact());
      if (n === 2) await inTurn(lake, () => lake.vacuum({ keepMs: 0 }));
      expect(await killed, `kill ${n}`).toEqual([null, 'SIGKILL']);
    }
    const last = runCommand(['remap', '--lake', place, '--json'], { FILINGLAKE_HOME: temporaryFolder() });
    const said: Buffer[] = [];
    last.process.stdout!.on('data', (bytes: Buffer) => said.push(bytes));
    expect(await last.ended, last.stderr()).toBe(0);
    isOver = true;
    await reading;
    expect(versions).toBeGreaterThan(3);
    expect(JSON.parse(Buffer.concat(said).toString())).toMatchObject({ unreadable: 0, incomplete: 0, older: 0 });
    expect(await contentsOf(place)).toEqual(await contentsOf(join(folder, 'undisturbed')));
    const seen = await mappingsSeen(lake);
    expect(seen.every(({ version }) => version === MAPPING_VERSION)).toBe(true);
    expect(seen).toHaveLength(FILINGS + KILLS.length);
    expect((await checkLake(lake)).problems).toEqual([]);
    for (const one of [lake, reader]) await one.close();
  });
});
