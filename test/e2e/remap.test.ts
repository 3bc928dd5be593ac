/** `filinglake remap` as a workflow: by the command itself, and by workers that share it. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLog, readSettings } from '../../src/environment/index.ts';
import { MAPPING_VERSION } from '../../src/forms/index.ts';
import { type Lake, openLake } from '../../src/lake/index.ts';
import { checkLake } from '../../src/lake-report/index.ts';
import { remapLake } from '../../src/pipeline/index.ts';
import { ensureTemporal, Remaps, startWorker, type TemporalSession } from '../../src/runtime/index.ts';
import { FORM_TABLES } from '../../src/tables/index.ts';
import { commandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/lake/temporary-folder.ts';
import { copyOfLake, makeOlder, mappingsSeen, StoredFilings } from '../support/pipeline/stored-lake.ts';
import { temporalExecutable } from '../support/temporal.ts';
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
    env = { FILINGLAKE_HOME: join(folder, 'home'), TEMPORAL_ADDRESS: '', FILINGLAKE_API_KEY: '' };
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
    const request = { lake: place, lakeId: lake.id, tables: FORM_TABLES, limits: { filings: 2 } };
    const { handle, attached } = await remaps.start(request, apiKey);
    expect(attached).toBe(false);
    expect(await remaps.start({ ...request, tables: FORM_TABLES.toReversed() }, apiKey)).toMatchObject({
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
  });
});
