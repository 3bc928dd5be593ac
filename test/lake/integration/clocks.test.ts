/** A clock that jumps while a lake is written: every version stays whole, and nothing is vacuumed that a version or a run needs. */
import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { byDelta, byLakeSql } from '../../support/lake/plain-readers.ts';
import { bring, FEW_TABLES, filingRows, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;
const NAMES = ['filings', 'documents', 'coverage'];

/** This process's clock from now on. */
function jumpBy(ms: number): void {
  vi.useRealTimers();
  if (ms !== 0) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}
afterEach(() => jumpBy(0));

describe.each([
  ['an hour ahead', HOUR_MS],
  ['an hour back', -HOUR_MS],
  ['a year ahead', YEAR_MS],
  ['a year back', -YEAR_MS],
])('a clock that jumps %s in the middle of a run', (_way, ms) => {
  it('and back: versions keep their order, a vacuum deletes nothing that is needed, and the run ends', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    await bring(lake, { batch: 'b0' }, filingRows(0));
    // A run with staged rows, one segment before the jump and one after it.
    const writer = lake.openStaging('active', 'c', 1);
    for (const [table, rows] of Object.entries(filingRows(1))) for (const row of rows) writer.append(table, row);
    const early = (await writer.seal())!;
    const base_version = await lake.batchBase('active', 'c');
    jumpBy(ms);
    await bring(lake, { run: 'active', batch: 'b1' }, filingRows(0, 'r2'), wholeFiling(0));
    await lake.compact();
    const before = await lake.currentVersion();
    const report = await lake.vacuum();
    expect(Object.values(report.parts).reduce((sum, { files }) => sum + files, 0)).toBe(0);
    expect(report.staging).toMatchObject({ runs: 0 });
    for (const [table, rows] of Object.entries(filingRows(2))) for (const row of rows) writer.append(table, row);
    const late = (await writer.seal())!;
    await lake.commitBatch({ run_id: 'active', batch_id: 'c', base_version, segments: [early, late] });
    jumpBy(0);
    await bring(lake, { batch: 'b3' }, filingRows(3));
    await lake.vacuum();
    const times = (await lake.versions(100)).map(({ committed_at }) => committed_at).reverse();
    expect(times).toEqual([...times].sort());
    // Every version of these minutes can still be read.
    for (let at = 0; at <= before; at++) await lake.query('SELECT * FROM filings', { at });
    const found = await lake.query('SELECT accession_number, entity_name FROM filings ORDER BY 1');
    expect(found.map(({ entity_name }) => entity_name)).toEqual(['r2', 'r1', 'r1', 'r1']);
    expect((await byDelta(folder, NAMES)).filings).toHaveLength(4);
    expect(await byLakeSql(folder, NAMES)).toEqual(await byDelta(folder, NAMES));
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe('the clock of the files themselves a year ahead', () => {
  it('costs older versions and staged rows of a run, never a row of the newest version', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(folder, { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await bring(lake, { batch: 'again' }, filingRows(1, 'r2'), wholeFiling(1));
    const writer = lake.openStaging('active', 'c', 1);
    for (const [table, rows] of Object.entries(filingRows(7))) for (const row of rows) writer.append(table, row);
    const segment = (await writer.seal())!;
    // As after a jump of the machine's clock: all that was written before seems a year old.
    const then = Date.now() / 1000 - YEAR_MS / 1000;
    for (const file of readdirSync(folder, { recursive: true }))
      utimesSync(path.join(folder, String(file)), then, then);
    jumpBy(YEAR_MS);
    await lake.vacuum({ nowMs: Date.now() });
    jumpBy(0);
    const batch = { run_id: 'active', batch_id: 'c', base_version: 3, segments: [segment] };
    // The run ends with an error that says so, and the next one fetches them.
    await expect(lake.commitBatch(batch)).rejects.toMatchObject({ code: 'staging-missing' });
    await bring(lake, { batch: 'next' }, filingRows(7));
    expect(await lake.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 4 }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});
