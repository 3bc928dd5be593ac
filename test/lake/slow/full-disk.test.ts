/** A real disk that is full after each block of a commit. */
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FilinglakeError } from '../../../src/core/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { mountSmallDisk } from '../../support/chaos/small-disk.ts';
import { bring, FEW_TABLES, filingRows, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const mountPoint = temporaryFolder();
const disk = mountSmallDisk(mountPoint, 24);
if (disk === null) console.warn('a full disk is not tested: this process may not mount a file system');
afterAll(() => disk?.remove());

const BLOCK_BYTES = 4096;
const rows = (lake: Lake) => lake.query('SELECT accession_number, entity_name FROM filings ORDER BY 1');
/** It replaces a row, and its Delta commits are each table's tenth: a checkpoint is due. */
const correction = (lake: Lake, attempt: number) =>
  bring(lake, { batch: 'c', base: 8, again: true, attempt }, filingRows(2, 'r2'), wholeFiling(2));

describe.skipIf(disk === null)('a disk that is full', () => {
  it('after any block of a commit leaves the old version or the new one, says what to do, and the next attempt completes', {
    timeout: 900_000,
  }, async () => {
    const template = temporaryFolder();
    const made = await openLake(template, { create: true, tables: FEW_TABLES });
    for (let n = 0; n < 9; n++) await bring(made, { batch: `b${n}` }, filingRows(n));
    const before = await rows(made);
    await made.close();
    const after = before.map((row, n) => (n === 2 ? { ...row, entity_name: 'r2' } : row));
    const outcomes = { old: 0, new: 0 };
    const places = new Set<string>();
    let undisturbed = 0;
    for (let blocks = 0; undisturbed < 3; blocks++) {
      const folder = path.join(mountPoint, 'lake');
      cpSync(template, folder, { recursive: true });
      disk!.fill(blocks * BLOCK_BYTES);
      const where = `${blocks} blocks`;
      let lake = await openLake(folder, { tables: FEW_TABLES });
      const error = await correction(lake, 1).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error === null) undisturbed++;
      else {
        expect(error, where).toBeInstanceOf(FilinglakeError);
        const { code, message, remedy } = error as FilinglakeError;
        expect({ code, message, remedy }, where).toEqual({
          code: 'lake-full',
          message: expect.stringContaining(mountPoint),
          remedy: expect.stringContaining('Make room on the disk.'),
        });
        places.add(message.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+-\d+\.[0-9a-f]+/g, '*'));
      }
      // Readers continue while the disk is full.
      const seen = await rows(lake);
      expect([before, after], where).toContainEqual(seen);
      outcomes[JSON.stringify(seen) === JSON.stringify(before) ? 'old' : 'new']++;
      await lake.close();
      disk!.empty();
      lake = await openLake(folder, { tables: FEW_TABLES });
      expect([before, after], where).toContainEqual(await rows(lake));
      await correction(lake, 2);
      expect(await rows(lake), where).toEqual(after);
      expect((await checkLake(lake)).problems, where).toEqual([]);
      await lake.close();
      rmSync(folder, { recursive: true });
    }
    console.info('full disk', outcomes, [...places]);
    expect(outcomes.old).toBeGreaterThan(4);
    expect(places.size).toBeGreaterThan(4);
  });
});
