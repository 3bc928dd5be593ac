import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { failingFiles } from '../../support/lake/failing-files.ts';
import { bring, filingRows, type Rows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const DAY_MS = 24 * 3600 * 1000;
const VACUUM_TABLES = TABLES.filter(({ name }) =>
  ['filings', 'documents', 'section_contents', 'coverage', 'export_runs'].includes(name),
);

let folder: string;
let lake: Lake;

beforeEach(async () => {
  folder = temporaryFolder();
  lake = await openLake(folder, { create: true, tables: VACUUM_TABLES });
});
afterEach(() => lake.close());

/** The time is so many days ahead of all files: versions made now are that old. */
const ahead = (days: number) => ({ nowMs: Date.now() + days * DAY_MS });

function makeOld(file: string, days: number): void {
  const at = new Date(Date.now() - days * DAY_MS);
  utimesSync(file, at, at);
}

function filesIn(name: string): string[] {
  const place = path.join(folder, name);
  if (!existsSync(place)) return [];
  const entries = readdirSync(place, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

function parts(table: string): string[] {
  return filesIn(table).filter((file) => file.endsWith('.zstd.parquet'));
}

/** The last step of a run: it records its end in the lake. */
function endRun(run: string): Promise<unknown> {
  const ended: Rows = { export_runs: [{ run_id: run, state: 'completed', ended_at: '2026-01-01T00:00:00Z' }] };
  return bring(lake, { run, batch: 'finish' }, ended);
}

/** The last is a correction, which rewrites a part. */
async function fourVersions(): Promise<void> {
  for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, together(filingRows(n), filingRows(n + 10)));
  await bring(lake, { batch: 'c' }, filingRows(1, 'r2'), wholeFiling(1));
}

const revisions = (at?: number) =>
  lake.query('SELECT entity_name AS r FROM filings ORDER BY accession_number', at === undefined ? {} : { at });

describe('lake vacuum', () => {
  it('deletes files that no version of the last seven days names, and lists them before', async () => {
    await fourVersions();
    await endRun('run');
    await lake.dropStaging('run');
    await lake.compact();
    const before = { filings: parts('filings').length, now: await revisions() };
    expect(before.filings).toBe(6);
    expect((await lake.vacuum(ahead(6))).parts.filings).toEqual({ files: 0, bytes: 0 });
    expect(await revisions(3)).toEqual(before.now);

    const bytes = parts('filings').reduce((sum, file) => sum + statSync(file).size, 0);
    const dry = await lake.vacuum({ ...ahead(8), dryRun: true });
    expect(dry).toMatchObject({ dry_run: true, parts: { filings: { files: 5 } } });
    expect(parts('filings')).toHaveLength(6);
    const report = await lake.vacuum(ahead(8));
    expect({ ...report, dry_run: true }).toEqual({ ...dry, kept_since: report.kept_since });
    const [left] = parts('filings');
    expect(parts('filings')).toHaveLength(1);
    expect(report.parts.filings!.bytes).toBe(bytes - statSync(left!).size);

    expect(await revisions()).toEqual(before.now);
    expect((await checkLake(lake)).problems).toEqual([]);
    await expect(lake.query('SELECT 1', { at: 3 })).rejects.toMatchObject({ code: 'lake-version-vacuumed' });
    expect((await lake.vacuum(ahead(8))).parts.filings).toEqual({ files: 0, bytes: 0 });
  });

  it('keeps every version that was the newest at some moment of the time to keep', async () => {
    await fourVersions();
    await lake.dropStaging('run');
    // Version 2 was the newest until version 3 came: a reader may have opened it a second before.
    await lake.vacuum({ ...ahead(3), keepMs: 4 * DAY_MS });
    expect(await revisions(2)).toEqual(Array.from({ length: 6 }, () => ({ r: 'r1' })));
    await using open = await lake.stream('SELECT entity_name FROM filings', { at: 2 });
    await lake.compact();
    await lake.vacuum({ ...ahead(3), keepMs: 4 * DAY_MS });
    let rows = 0;
    for await (const chunk of open.chunks()) rows += chunk.length;
    expect(rows).toBe(6);
    expect(await revisions(3)).toEqual(await revisions());
    await lake.vacuum({ ...ahead(3), keepMs: 2 * DAY_MS });
    await expect(revisions(2)).rejects.toMatchObject({ code: 'lake-version-vacuumed' });
    expect(await revisions()).toHaveLength(6);
  });

  it('never takes a part that is not committed yet, nor a file that is being built, while they are young', async () => {
    await bring(lake, { batch: 'b0' }, filingRows(1));
    const [part] = parts('filings');
    const unnamed = path.join(folder, 'filings', 'part-00000000-0000-4000-8000-000000000001.zstd.parquet');
    const foreign = path.join(folder, 'filings', 'part-00000-of-another-tool.parquet');
    const scratch = path.join(folder, '_scratch', 'open-segment');
    const spill = path.join(folder, '_scratch', 'spill-1', 'block.tmp');
    mkdirSync(path.dirname(spill));
    for (const file of [unnamed, foreign]) copyFileSync(part!, file);
    for (const file of [scratch, spill]) writeFileSync(file, 'rows');
    expect(await checkLake(lake)).toMatchObject({ ok: true, unnamed: { files: 2 }, scratch: { files: 2, bytes: 8 } });
    await lake.vacuum({ keepMs: 0 });
    expect([unnamed, foreign, scratch, spill].every((file) => existsSync(file))).toBe(true);
    for (const file of [unnamed, foreign, scratch, spill]) makeOld(file, 2);
    const report = await lake.vacuum({ keepMs: 0 });
    expect(report).toMatchObject({ parts: { filings: { files: 1 } }, scratch: { files: 2, bytes: 8 } });
    // What doesn't bear the name of a part of ours isn't ours to remove; a folder that a living process may spill to stays.
    expect([unnamed, foreign, scratch, spill, path.dirname(spill)].map((file) => existsSync(file))).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it('makes no hole if a writer slept until its parts were deleted: nothing is committed, and everything by its next attempt', async () => {
    const storage = new LocalStorage(folder);
    const adopt = storage.adopt.bind(storage);
    let slept = false;
    storage.adopt = async (scratch, file) => {
      await adopt(scratch, file);
      if (slept || !file.startsWith('coverage/')) return;
      slept = true;
      await lake.vacuum(ahead(2));
    };
    await using sleeper = await openLake(folder, { tables: VACUUM_TABLES, storage });
    const writer = sleeper.openStaging('run', 'b0', 1);
    for (const [table, rows] of Object.entries(filingRows(1))) for (const row of rows) writer.append(table, row);
    const batch = { run_id: 'run', batch_id: 'b0', base_version: -1, segments: [(await writer.seal())!] };
    await expect(sleeper.commitBatch(batch)).rejects.toMatchObject({ code: 'part-vanished' });
    expect(await lake.currentVersion()).toBe(-1);
    await sleeper.commitBatch(batch);
    expect(await revisions()).toEqual([{ r: 'r1' }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('takes the staging of runs that are over, and of those that nobody touched for two months', async () => {
    for (const run of ['over', 'waiting for its quota', 'gone']) await lake.putStaged(run, 'run.json', '{}');
    await endRun('over');
    expect((await lake.vacuum()).staging).toEqual({ runs: 0, files: 0, bytes: 0 });
    for (const file of filesIn('_staging')) makeOld(file, file.includes('gone') ? 61 : 32);
    const report = await lake.vacuum();
    expect(report.staging.runs).toBe(2);
    expect(report.staging.files).toBeGreaterThan(3);
    expect(report.runs_kept).toMatchObject([{ folder: '_staging/waiting%20for%20its%20quota', bytes: 2 }]);
    expect(readdirSync(path.join(folder, '_staging'))).toEqual(['waiting%20for%20its%20quota']);
    expect((await lake.readStaged('waiting for its quota', 'run.json'))!.toString()).toBe('{}');
  });

  it('continues after a crash in its middle', async () => {
    await fourVersions();
    await lake.compact();
    await lake.dropStaging('run');
    const now = await revisions();
    const removing = parts('filings').length + parts('documents').length + parts('coverage').length - 3;
    const crashing = new LocalStorage(folder, failingFiles(14, 'crash'));
    const other = await openLake(folder, { tables: VACUUM_TABLES, storage: crashing });
    await expect(other.vacuum(ahead(8))).rejects.toMatchObject({ code: 'lake-unwritable' });
    await other.close();
    expect(await revisions()).toEqual(now);
    const report = await lake.vacuum(ahead(8));
    const rest = Object.values(report.parts).reduce((sum, { files }) => sum + files, 0);
    expect(rest).toBe(removing - 3);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe('the version at a time', () => {
  it('is the newest that was committed by then', async () => {
    await fourVersions();
    const times = (await lake.log(10)).reverse().map(({ committed_at }) => Date.parse(committed_at));
    for (const [version, time] of times.entries()) {
      const last = times.lastIndexOf(time);
      expect(await lake.versionAt(new Date(time))).toBe(last);
      if (version > 0 && times[version - 1]! < time) expect(await lake.versionAt(new Date(time - 1))).toBe(version - 1);
    }
    expect(await lake.versionAt(new Date('2999-01-01'))).toBe(3);
    await expect(lake.versionAt(new Date('1999-01-01'))).rejects.toMatchObject({
      code: 'lake-version-unknown',
      exitCode: 2,
    });
  });
});
