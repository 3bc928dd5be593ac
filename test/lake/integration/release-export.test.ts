/** Exports of releases that something disturbs: other exports, deleted parts, full disks, leftovers of kills. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { type ExportReleaseOptions, exportRelease, verifyRelease } from '../../../src/lake/report/index.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { mountSmallDisk } from '../../support/chaos/small-disk.ts';
import { commandLine } from '../../support/command-line.ts';
import { bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

let place: string;
let lake: Lake;
let out: string;
beforeEach(async () => {
  place = temporaryFolder();
  lake = await openLake(place, { create: true, tables: FEW_TABLES });
  for (const n of [1, 2]) await bring(lake, { batch: `b${n}` }, filingRows(n));
  await lake.makeRelease({ name: 'v1' });
  out = path.join(temporaryFolder(), 'out');
});
afterEach(() => lake.close());

const exported = async (onProgress: ExportReleaseOptions['onProgress'] = () => {}, folder = out) =>
  exportRelease(lake, await lake.release('v1'), folder, {
    versions: { filinglake: '0', mapping: 1 },
    citation: {},
    onProgress,
  });
const drafts = () => readdirSync(path.dirname(out)).filter((name) => name.endsWith('.partial'));

describe('the export of a release', () => {
  it('never deletes what another process has put into its folder meanwhile', async () => {
    const disturbed = exported(() => {
      mkdirSync(out, { recursive: true });
      writeFileSync(path.join(out, 'theirs.txt'), 'theirs');
    });
    await expect(disturbed).rejects.toMatchObject({ code: 'output-unwritable' });
    expect([readdirSync(out), drafts()]).toEqual([['theirs.txt'], []]);
  });

  it('takes over nothing that a killed export of its process number left', async () => {
    const left = path.join(`${out}.${process.pid}.partial`, 'tables', 'filings');
    mkdirSync(left, { recursive: true });
    writeFileSync(path.join(left, '0009.parquet'), 'left');
    await exported();
    expect(await verifyRelease(out)).toMatchObject({ ok: true, problems: [] });
  });

  it('goes through a link to an empty folder', async () => {
    const target = temporaryFolder();
    symlinkSync(target, out);
    await exported();
    expect((await verifyRelease(target)).ok).toBe(true);
    expect((await verifyRelease(out)).ok).toBe(true);
  });

  it('says before it begins that a disk is mounted at its folder', async ({ skip }) => {
    mkdirSync(out);
    const disk = mountSmallDisk(out, 1);
    if (disk === null) return skip('nothing may be mounted here');
    try {
      await expect(exported(() => expect.unreachable())).rejects.toMatchObject({
        code: 'output-unwritable',
        remedy: expect.stringContaining(path.join(out, 'NAME')),
      });
    } finally {
      disk.remove();
    }
    expect(drafts()).toEqual([]);
  });

  it('whose version is deleted meanwhile says so, and leaves nothing', async () => {
    await bring(lake, { batch: 'c' }, together(filingRows(1, 'r2'), filingRows(2, 'r2')), wholeFiling(1, 2));
    let deleted = false;
    const disturbed = exported(() => {
      if (deleted) return;
      deleted = true;
      for (const name of ['documents', 'coverage']) {
        for (const file of readdirSync(path.join(place, name)))
          if (file.endsWith('.parquet')) rmSync(path.join(place, name, file));
      }
    });
    await expect(disturbed).rejects.toMatchObject({ code: 'part-damaged', message: expect.stringMatching(/missing/) });
    expect([existsSync(out), drafts()]).toEqual([false, []]);
  });

  it('refuses a part that is shorter than the log says', async () => {
    const [part] = readdirSync(path.join(place, 'filings')).filter((name) => name.endsWith('.parquet'));
    const file = path.join(place, 'filings', part!);
    const other = readdirSync(path.join(place, 'coverage')).find((name) => name.endsWith('.parquet'))!;
    rmSync(file);
    copyFileSync(path.join(place, 'coverage', other), file);
    await expect(exported()).rejects.toMatchObject({ code: 'part-damaged' });
    expect([existsSync(out), drafts()]).toEqual([false, []]);
  });

  const mountPoint = temporaryFolder();
  const disk = mountSmallDisk(mountPoint, 2);
  it.skipIf(disk === null)('on a disk that is full after any block leaves nothing, or all of it', async () => {
    try {
      let whole = 0;
      const folder = path.join(mountPoint, 'out');
      for (let blocks = 0; whole === 0; blocks += 3) {
        disk!.fill(blocks * 4096);
        const error = await exported(undefined, folder).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        disk!.empty();
        if (error === null) {
          whole++;
          expect((await verifyRelease(folder)).ok).toBe(true);
        } else {
          expect([blocks, error]).toMatchObject([blocks, { code: 'output-unwritable' }]);
          expect(readdirSync(mountPoint)).toEqual([]);
        }
      }
    } finally {
      disk!.remove();
    }
  });

  it('is a command that leaves other folders alone, and reads old parts with all columns', async () => {
    const folder = temporaryFolder();
    const older = TABLES.map((table) =>
      table.name === 'filings' ? { ...table, columns: table.columns.slice(0, 8) } : table,
    );
    const before = await openLake(folder, { create: true, tables: older });
    await bring(before, { batch: 'a' }, filingRows(1));
    await before.close();
    const newer = await openLake(folder);
    await bring(newer, { batch: 'b' }, filingRows(2));
    await newer.makeRelease({ name: 'v1' });
    const options = ['--lake', folder, '--json', '--creator', 'X', '--license', 'CC0-1.0'];
    const run = () => commandLine(['lake', 'release', 'export', 'v1', out, ...options]);
    const { status, events } = await run();
    expect([status, events[0]]).toMatchObject([0, { name: 'v1', tables: { filings: { rows: 2 } } }]);
    expect((await verifyRelease(out)).ok).toBe(true);
    const found = await newer.query(
      `SELECT count(*) AS n, count(url) AS urls FROM read_parquet('${out}/tables/filings/*.parquet')`,
    );
    expect(found).toEqual(await newer.query('SELECT count(*) AS n, count(url) AS urls FROM filings'));
    expect((await run()).status).toBe(2);
    await newer.close();
  });
});
