/** A put that succeeded but reports "exists": nothing in the log is deleted, and nothing is done twice. */
import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { TwiceSendingStorage } from '../../support/lake/failing-files.ts';
import { bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const TABLES = FEW_TABLES.filter(({ name }) => name === 'filings' || name === 'coverage');

function only(...numbers: number[]) {
  const { filings, coverage } = together(...numbers.map((n) => filingRows(n)));
  return { filings: filings!, coverage: coverage! };
}

/** At version 48: the next Delta commit adds a checkpoint, the one after it a snapshot of the lake's log. */
async function template(): Promise<string> {
  const folder = temporaryFolder();
  const lake = await openLake(folder, { create: true, tables: TABLES });
  for (let n = 0; n < 49; n++) await bring(lake, { batch: `b${n}` }, only(n));
  await lake.close();
  return folder;
}

/** Everything that puts: opening, staged files, seals, a batch's base, manifests, commits, Delta logs, snapshots, a compaction. */
async function work(folder: string, at: number): Promise<{ puts: string[]; seen: unknown }> {
  const storage = new TwiceSendingStorage(folder, at);
  const lake = await openLake(folder, { create: true, tables: TABLES, storage });
  const replace = wholeFiling(2).filter(({ table }) => TABLES.some(({ name }) => name === table));
  const base = await lake.batchBase('run', 'correction');
  const kept = await lake.putStaged('run', 'plan.json', `plan of ${at}`);
  await bring(lake, { batch: 'correction', base }, only(2, 60), replace);
  await bring(lake, { batch: 'more' }, only(61));
  const { tables } = await lake.compact();
  const seen = {
    base,
    kept,
    version: await lake.currentVersion(),
    compacted: tables.filings!.parts_after,
    filings: await lake.query('SELECT accession_number FROM filings ORDER BY 1'),
    coverage: await lake.query('SELECT accession_number FROM coverage ORDER BY 1'),
  };
  const { problems, unnamed } = await checkLake(lake);
  expect(problems, `put ${at}: ${storage.puts[at - 1]}`).toEqual([]);
  expect(unnamed.files, `put ${at}`).toBeLessThanOrEqual(0);
  await lake.close();
  return { puts: storage.puts, seen };
}

describe('a put that succeeds but reports that the file exists', () => {
  it("is found to be one's own, whatever is put", async () => {
    const made = await template();
    const copy = () => {
      const folder = path.join(temporaryFolder(), 'lake');
      cpSync(made, folder, { recursive: true });
      return folder;
    };
    const undisturbed = await work(copy(), 0);
    const kinds = undisturbed.puts.map((file) => file.replace(/\d{20}/, 'N').replace(/1-0\.[0-9a-f]+/, 'SEGMENT'));
    expect(new Set(kinds)).toEqual(
      new Set([
        '_lake/N.json',
        '_lake/N.snapshot.json',
        '_staging/run/correction/SEGMENT.json',
        '_staging/run/correction/base.json',
        '_staging/run/correction/manifest.json',
        '_staging/run/more/SEGMENT.json',
        '_staging/run/more/manifest.json',
        '_staging/run/+files/plan.json',
        'filings/_delta_log/N.json',
        'coverage/_delta_log/N.json',
      ]),
    );
    for (let at = 1; at <= undisturbed.puts.length; at++) {
      const { seen } = await work(copy(), at);
      expect(seen, `put ${at}: ${undisturbed.puts[at - 1]}`).toEqual(undisturbed.seen);
    }
  });

  it('makes a lake that has one identity', async () => {
    const folder = temporaryFolder();
    const lake = await openLake(folder, { create: true, storage: new TwiceSendingStorage(folder, 1), tables: TABLES });
    const again = await openLake(folder, { tables: TABLES });
    expect(again.id).toBe(lake.id);
    for (const one of [lake, again]) await one.close();
  });
});
