/** `filinglake remap` as a workflow: by the command itself, and by workers that share it. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog, readSettings } from '../../src/environment/index.ts';
import { MAPPING_VERSION } from '../../src/forms/index.ts';
import { type Lake, openLake } from '../../src/lake/index.ts';
import { checkLake } from '../../src/lake-report/index.ts';
import { remapLake } from '../../src/pipeline/index.ts';
import { ensureTemporal, Remaps, startWorker, type TemporalSession } from '../../src/runtime/index.ts';
import { USUAL_FORM_TABLES } from '../../src/tables/index.ts';
import { commandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/lake/temporary-folder.ts';
import { copyOfLake, makeOlder, mappingsSeen, StoredFilings } from '../support/pipeline/stored-lake.ts';
import { temporalExecutable, temporalNamespace } from '../support/temporal.ts';
import { contentsOf } from '../support/test-stack.ts';

const FILINGS = 12;

describe.skipIf(!temporalExecutable)('a remap', () => {
  let session: TemporalSession;
  let env: Record<string, string>;
  let folder: string;
  let lake: Lake;
  let expected: Record<string, unknown[]>;

  beforeAll(async () => {
    folder = temporaryFolder();
    env = { FILINGLAKE_HOME: join(folder, 'home'), FILINGLAKE_API_KEY: '', ...(await temporalNamespace()) };
    session = await ensureTemporal(readSettings({ ...process.env, ...env }));
    lake = await openLake(join(folder, 'lake'), { create: true });
    const filings = new StoredFilings(lake);
    await filings.export(Array.from({ length: FILINGS }, (_, n) => filings.filing(n, n + 1)));
    await makeOlder(lake);
    const copy = await copyOfLake(join(folder, 'lake'), join(folder, 'copy'));
    await remapLake(copy);
    await copy.close();
    expected = await contentsOf(join(folder, 'copy'));
  });
  afterAll(async () => {
    await lake?.close();
    await session?.release();
  });

  async function newLake(name: string): Promise<string> {
    const place = join(folder, name);
    await (await copyOfLake(join(folder, 'lake'), place)).close();
    return place;
  }

  it('makes the rows that it makes in one process, without a key, and nothing the second time', async () => {
    const place = await newLake('by-command');
    const first = await commandLine(['remap', '--lake', place, '--json'], { env });
    expect(first.stderr).toBe('');
    expect(first.status).toBe(0);
    const lines = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ event: 'start', lake: place, attached: false });
    expect(lines.at(-1)).toMatchObject({
      ...{ event: 'done', state: 'completed', mapped: FILINGS, current: 0, older: 0, filings: FILINGS, commits: 1 },
      rows: { ownership_transactions: FILINGS },
    });
    expect(await contentsOf(place)).toEqual(expected);
    const open = await openLake(place);
    expect(await mappingsSeen(open)).toHaveLength(FILINGS);
    expect((await checkLake(open)).problems).toEqual([]);
    expect((await open.storage.listFolders('_staging')).filter((name) => name.startsWith('remap'))).toEqual([]);
    await open.close();
    const second = await commandLine(['remap', '--lake', place], { env });
    expect(second.stdout).toContain(`0 filings mapped, ${FILINGS} up to date`);
    const alone = await commandLine(['remap', '--lake', place, '--no-temporal', '--json'], { env });
    expect(JSON.parse(alone.stdout)).toMatchObject({ event: 'done', current: FILINGS, mapped: 0 });
  });

  it('is one for a lake, its tables and the mapping: others join it, and workers take a stretch each', async () => {
    const place = await newLake('by-workers');
    const apiKey = 'a key';
    const remaps = await Remaps.of(session);
    const request = { lake: place, lakeId: lake.id, tables: USUAL_FORM_TABLES, limits: { filings: 2 } };
    const { handle, attached } = await remaps.start(request, apiKey);
    expect(attached).toBe(false);
    expect(await remaps.start({ ...request, tables: USUAL_FORM_TABLES.toReversed() }, apiKey)).toMatchObject({
      ...{ attached: true, otherKey: false, handle: { workflowId: handle.workflowId } },
    });
    const other = await remaps.start({ ...request, tables: ['xbrl_facts'] }, apiKey);
    expect(other.handle.workflowId).not.toBe(handle.workflowId);
    await other.handle.terminate();
    expect(await remaps.start({ ...request, lake: '/another/name' }, apiKey)).toMatchObject({ elsewhere: place });
    const settings = readSettings({ ...process.env, ...env });
    const workers = await Promise.all(
      [1, 2].map(() => startWorker(session, { apiKey, log: openLog(settings, 'worker', []) })),
    );
    const done = await remaps.result(handle);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(done).toMatchObject({ mapped: FILINGS, stretches: 6, stretches_done: 6, commits: 6, older: 0 });
    expect(done.mapping_version).toBe(MAPPING_VERSION);
    expect(await contentsOf(place)).toEqual(expected);
  });

  it('refuses a lake that is not there, before it starts anything', async () => {
    const { status, stderr } = await commandLine(['remap', '--lake', join(folder, 'nothing')], { env });
    expect(status).not.toBe(0);
    expect(stderr).toContain('nothing');
    const unknown = await commandLine(['remap', '--lake', join(folder, 'lake'), '--tables', 'xbrll'], { env });
    expect(unknown.stderr).toContain("Did you mean 'xbrl'?");
    const ofTexts = await commandLine(['remap', '--lake', join(folder, 'lake'), '--tables', 'xbrl,chunks'], { env });
    expect(ofTexts.stderr).toContain('Add chunks to the tables of the definition, and export');
  });

  it('that was left is listed by status, and ended by cancel, with a worker or without one', async () => {
    const place = await newLake('left');
    const remaps = await Remaps.of(session);
    const start = (apiKey: string) => remaps.start({ lake: place, lakeId: lake.id, tables: ['xbrl_facts'] }, apiKey);
    const listed = async () => {
      const { stdout } = await commandLine(['status', '--json'], { env });
      const runs = JSON.parse(stdout) as { id: string; lake: string; state: string }[];
      return runs.filter((run) => run.lake === place);
    };
    const { handle } = await start('a lost key');
    const id = handle.workflowId;
    await expect
      .poll(listed, { timeout: 120_000 })
      .toMatchObject([
        { id, name: id, state: 'running', progress: null, remap: null, worker: { answers: false }, active: 0 },
      ]);
    const shown = await commandLine(['status', id], { env });
    expect(shown.stdout).toMatch(/^state +running, no worker$/m);
    expect(shown.stdout).toContain(`filinglake cancel ${id} ends it`);
    expect((await commandLine(['status'], { env })).stdout).toMatch(new RegExp(`^${id} +running, no worker`, 'm'));

    await remaps.end(id, { silenceMs: 500, mostMs: 60_000, onMessage: () => {} });
    expect(await remaps.run(id)).toMatchObject({ state: 'cancelled', worker: null });
    const again = await commandLine(['cancel', id], { env });
    expect([again.status, again.stdout]).toEqual([
      0,
      `${id} was cancelled before; the lake keeps what was committed\n`,
    ]);

    // The same command starts it again. A worker of its key finds the request, and ends it.
    await (await start('the key')).handle.cancel();
    const cancelled = await commandLine(['cancel', id, '--json'], { env: { ...env, FILINGLAKE_API_KEY: 'the key' } });
    expect(cancelled.stderr).toBe('');
    expect(JSON.parse(cancelled.stdout)).toEqual({ id, state: 'cancelled' });
    expect(await remaps.run(id)).toMatchObject({ state: 'cancelled' });
    const folders = await lakeFolders(place);
    expect(folders.filter((name) => name.startsWith('remap'))).toEqual([]);
    await expect.poll(listed, { timeout: 120_000 }).toMatchObject([{ id, state: 'cancelled' }]);

    const unknown = await commandLine(['cancel', 'remap/000000000000'], { env });
    expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining('there is no remap')]);
  });
});

async function lakeFolders(place: string): Promise<string[]> {
  const lake = await openLake(place);
  return lake.storage.listFolders('_staging').finally(() => lake.close());
}
