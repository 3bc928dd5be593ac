/** A worker continues while somebody deletes, restores or replaces its open lakes. */
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { finishRun, leaveRun, openRun } from '../../../../src/export/pipeline/commit/run-lifecycle.ts';
import type { RunReference } from '../../../../src/export/pipeline/index.ts';
import { Lakes } from '../../../../src/export/pipeline/worker/dependencies.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../../src/lake/storage/local/local-storage.ts';
import { accession, bring, filingRows, together } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf, dependenciesOf } from '../../../support/pipeline/activity-harness.ts';

let lakes: Lakes;
let folder: string;
beforeEach(() => {
  lakes = new Lakes();
  folder = join(temporaryFolder(), 'lake');
});
afterEach(() => lakes.close());

const run = (more: Partial<RunReference> = {}): RunReference => ({
  run_id: 'run',
  workflow_id: 'export/t',
  lake: folder,
  definition: definitionOf('t', 'filings'),
  ...more,
});
const begin = (reference = run()) => openRun({ ...dependenciesOf(undefined as never), lakes } as never, reference);
const numbers = async () => {
  const lake = await lakes.at(run());
  return (await lake.query('SELECT accession_number AS n FROM filings ORDER BY 1')).map(({ n }) => n);
};
const logged = () => readdirSync(join(folder, '_lake')).length;

describe('a lake', () => {
  it('is created at the start of a run, and nowhere else', async () => {
    await expect(lakes.at(run())).rejects.toMatchObject({ code: 'lake-missing' });
    expect(existsSync(folder)).toBe(false);
    const { lake_id } = await begin();
    expect((await lakes.at(run({ lake_id: lake_id! }))).id).toBe(lake_id);
  });

  it('of another identity is refused by a run that has begun', async () => {
    const { lake_id } = await begin();
    rmSync(folder, { recursive: true });
    const other = await openLake(folder, { create: true });
    await other.close();
    await expect(lakes.at(run({ lake_id: lake_id! }))).rejects.toMatchObject({ code: 'lake-replaced' });
    expect((await begin()).lake_id).toBe(other.id);
  });

  it('that was deleted is created again by the next run, without a restart, and not by the rest of the last one', async () => {
    const { lake_id } = await begin();
    const old = run({ lake_id: lake_id! });
    await bring(await lakes.at(old), { batch: 'b1' }, filingRows(1));
    expect(await numbers()).toEqual([accession(1)]);
    rmSync(folder, { recursive: true });
    const budget = { leave: async () => {} };
    const dependencies = { ...dependenciesOf(undefined as never, { budget }), lakes } as never;
    await expect(lakes.at(old)).rejects.toMatchObject({ code: 'lake-missing' });
    const finish = { run: old, state: 'completed', started_at: '2024-01-01T00:00:00Z', requests: 0, bytes: 0 };
    await expect(finishRun(dependencies, finish)).rejects.toMatchObject({ code: 'lake-missing' });
    // A run that failed so can still be cleaned up.
    await leaveRun(dependencies, { ...old, state: 'cancelled' });
    expect(existsSync(folder)).toBe(false);
    const again = await begin();
    expect(again.lake_version).toBe(-1);
    expect(again.lake_id).not.toBe(lake_id);
    await bring(await lakes.at(run({ lake_id: again.lake_id! })), { batch: 'b1' }, filingRows(2));
    expect(await numbers()).toEqual([accession(2)]);
    expect((await (await lakes.at(run())).check()).problems).toEqual([]);
    await expect(lakes.at(old)).rejects.toMatchObject({ code: 'lake-replaced' });
  });

  it('that was restored from an older copy continues from that copy, without a restart', async () => {
    const { lake_id } = await begin();
    const lake = await lakes.at(run());
    await bring(lake, { batch: 'b0' }, filingRows(0));
    const copy = join(temporaryFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    for (let n = 1; n < 13; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    rmSync(folder, { recursive: true });
    renameSync(copy, folder);
    // A run that has seen version 12 would expect its commits.
    const seen = run({ lake_id: lake_id!, lake_version: 12 });
    await expect(lakes.at(seen)).rejects.toMatchObject({ code: 'lake-replaced' });
    expect(await begin()).toEqual({ lake_id, lake_version: 0 });
    expect(await numbers()).toEqual([accession(0)]);
    const result = await bring(
      await lakes.at(run()),
      { run: 'next', batch: 'b' },
      together(filingRows(5), filingRows(6)),
    );
    expect(result.version).toBe(1);
    expect(logged()).toBe(2);
    await using other = await openLake(folder);
    expect((await checkLake(other)).problems).toEqual([]);
    expect(await other.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 3 }]);
  });

  it('that was restored, and continued by another process to the known version, is read again', async () => {
    await begin();
    const lake = await lakes.at(run());
    await bring(lake, { batch: 'b0' }, filingRows(0));
    const copy = join(temporaryFolder(), 'copy');
    cpSync(folder, copy, { recursive: true });
    await bring(lake, { batch: 'b1' }, filingRows(1));
    rmSync(folder, { recursive: true });
    renameSync(copy, folder);
    await using other = await openLake(folder);
    await bring(other, { run: 'other', batch: 'b1' }, filingRows(2));
    expect(await numbers()).toEqual([accession(0), accession(2)]);
    await bring(await lakes.at(run()), { batch: 'b2' }, filingRows(3));
    expect((await checkLake(other)).problems).toEqual([]);
  });
});

describe('a version', () => {
  it('is never put if the one before it is missing, though its lake was open and being written', async () => {
    await begin();
    const closing = await lakes.at(run());
    await bring(closing, { batch: 'b0' }, filingRows(0));
    const storage = new LocalStorage(folder);
    await using lake = await openLake(folder, { storage });
    await bring(lake, { batch: 'b1' }, filingRows(1));
    const newest = join(folder, '_lake', `${'1'.padStart(20, '0')}.json`);
    // While the parts are being built, after everything was looked at.
    const adopt = storage.adopt.bind(storage);
    storage.adopt = async (...args) => {
      if (args[1].startsWith('filings/part-')) rmSync(newest, { force: true });
      return adopt(...args);
    };
    await expect(bring(lake, { batch: 'b2', base: 1 }, filingRows(2))).rejects.toMatchObject({ code: 'lake-replaced' });
    expect(logged()).toBe(1);
  });

  it('is put by no compaction either', async () => {
    await begin();
    const storage = new LocalStorage(folder);
    await using lake = await openLake(folder, { storage });
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const adopt = storage.adopt.bind(storage);
    storage.adopt = async (...args) => {
      rmSync(join(folder, '_lake', `${'2'.padStart(20, '0')}.json`), { force: true });
      return adopt(...args);
    };
    await expect(lake.compact()).rejects.toMatchObject({ code: 'lake-replaced' });
    expect(logged()).toBe(2);
  });

  it('that a batch was planned at, and that is gone, refuses the batch', async () => {
    await begin();
    const lake = await lakes.at(run());
    await bring(lake, { batch: 'b0' }, filingRows(0));
    await bring(lake, { batch: 'b1' }, filingRows(1));
    rmSync(join(folder, '_lake', `${'1'.padStart(20, '0')}.json`));
    await expect(bring(lake, { batch: 'b2', base: 1 }, filingRows(2))).rejects.toMatchObject({
      code: 'lake-replaced',
    });
    expect(logged()).toBe(1);
  });
});
