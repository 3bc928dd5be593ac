/** fsync, rename and link that fail, and a power cut after that: what a commit said to be in the lake is there. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { DurableDisk } from '../../support/lake/durable-disk.ts';
import { bring, FEW_TABLES, filingRows, type Rows, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { IN_SLOW_TIER } from '../../support/tier-cases.ts';

const TABLES = FEW_TABLES.filter(({ name }) => name === 'filings' || name === 'coverage');
const NAMES = TABLES.map(({ name }) => name);
const only = (rows: Rows) => Object.fromEntries(Object.entries(rows).filter(([name]) => NAMES.includes(name)));
const replacing = (n: number) => wholeFiling(n).filter(({ table }) => NAMES.includes(table));
const filings = (lake: Lake) => lake.query('SELECT accession_number, entity_name FROM filings ORDER BY 1');

/** Two versions. The next one rewrites a part. */
async function template(): Promise<string> {
  const folder = temporaryFolder();
  const lake = await openLake(folder, { create: true, tables: TABLES });
  for (let n = 0; n < 2; n++) await bring(lake, { batch: `b${n}` }, only(filingRows(n)));
  await lake.close();
  return folder;
}

const correction = (lake: Lake, attempt: number) =>
  bring(lake, { batch: 'c', base: 1, again: true, attempt }, only(filingRows(1, 'r2')), replacing(1));

async function expectAfterPowerCut(disk: DurableDisk, rows: unknown, where: string): Promise<void> {
  const cut = path.join(temporaryFolder(), 'cut');
  disk.afterPowerCut(cut);
  const found = await openLake(cut, { tables: TABLES });
  expect(await filings(found), where).toEqual(rows);
  expect((await checkLake(found)).problems, where).toEqual([]);
  await found.close();
}

/** Each call in the slow tier, every fifth in the quick one. */
const STRIDE = IN_SLOW_TIER ? 1 : 5;

describe('a commit whose fsync, rename or link fails', () => {
  it.for(['sync', 'rename', 'link'] as const)(
    'is repeated from new files: a power cut afterwards loses no row that was committed (%s)',
    { timeout: 300_000 },
    async (what) => {
      const start = await template();
      let failures = 0;
      for (let at = 1; ; at += what === 'sync' ? STRIDE : 1) {
        const folder = path.join(temporaryFolder(), 'lake');
        cpSync(start, folder, { recursive: true });
        const disk = new DurableDisk(folder);
        const open = () => openLake(folder, { tables: TABLES, storage: new LocalStorage(folder, disk) });
        const lake = await open();
        disk.failAt(at, what);
        const said = await correction(lake, 1).then(
          () => null,
          (error: Error) => error.message,
        );
        const hasFailed = disk.failed;
        disk.failAt(0);
        const where = `${what} ${at}: ${said}`;
        if (said !== null) {
          failures++;
          // The message names the file and the reason.
          expect(said, where).toMatch(/can't be written: .*(I\/O|i\/o|input\/output|EIO)/i);
        }
        // The same process, and the next one, attempt it again.
        const result = await correction(lake, 2);
        expect(result.version, where).toBe(2);
        const rows = await filings(lake);
        await lake.close();
        await expectAfterPowerCut(disk, rows, where);
        const other = await open();
        await bring(other, { batch: 'd' }, only(filingRows(7)));
        const after = await filings(other);
        await other.close();
        expect(after, where).toEqual(expect.arrayContaining(rows));
        await expectAfterPowerCut(disk, after, where);
        if (!hasFailed) break;
      }
      expect(failures).toBeGreaterThan(what === 'sync' ? 15 / STRIDE : 2);
    },
  );
});
