/** Remaps beside other writers, and of filings that other versions or exports have made in other ways. */
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Dependencies, filingsOfOlderMapping, openRun, remapLake } from '../../../../src/export/pipeline/index.ts';
import { MAPPING_VERSION } from '../../../../src/filings/forms/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { bring } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf } from '../../../support/pipeline/lake-of-runs.ts';
import { copyOfLake, makeOlder, mappingsSeen, StoredFilings } from '../../../support/pipeline/stored-lake.ts';
import { contentsOf } from '../../../support/test-stack.ts';

const FILINGS = 6;

describe('a remap beside another writer', () => {
  async function oldLake(): Promise<Lake> {
    const lake = await openLake(temporaryFolder(), { create: true });
    const filings = new StoredFilings(lake);
    await filings.export(Array.from({ length: FILINGS }, (_, n) => filings.filing(n, n + 1)));
    await filings.export([filings.filing(FILINGS, FILINGS + 1)]);
    await makeOlder(lake);
    return lake;
  }

  it('reads all files of a table if a compaction has replaced those of its list', async () => {
    await using lake = await oldLake();
    const commitBatch = lake.commitBatch.bind(lake);
    vi.spyOn(lake, 'commitBatch').mockImplementationOnce(async (batch) => {
      const other = await openLake(lake.root);
      await other.compact();
      await other.close();
      return commitBatch(batch);
    });
    const report = await remapLake(lake, { limits: { filings: 3 } });
    expect(report.current + report.mapped).toBe(FILINGS + 1);
    expect(report).toMatchObject({ unreadable: 0, incomplete: 0, older: 0 });
    const seen = await mappingsSeen(lake);
    expect(seen.map(({ version }) => version)).toEqual(Array(FILINGS + 1).fill(MAPPING_VERSION));
    expect(await lake.query('SELECT shares::INTEGER AS n FROM ownership_transactions ORDER BY 1')).toEqual(
      Array.from({ length: FILINGS + 1 }, (_, n) => ({ n: n + 1 })),
    );
    expect((await checkLake(lake)).problems).toEqual([]);
    expect((await lake.storage.listFolders('_staging')).filter((name) => name.startsWith('remap'))).toEqual([]);
  });
});

describe('rows', () => {
  it('of a newer version stay in a remap, which counts them; an export of such tables is refused', async () => {
    const folder = temporaryFolder();
    await using lake = await openLake(join(folder, 'lake'), { create: true });
    const filings = new StoredFilings(lake);
    await filings.export([filings.filing(1, 5)]);
    await makeOlder(lake, MAPPING_VERSION + 1);
    await filings.export([filings.filing(2, 6)]);
    const copy = await copyOfLake(lake.root, join(folder, 'before'));
    await copy.close();
    const before = await contentsOf(join(folder, 'before'));
    const report = await remapLake(lake);
    expect(report).toMatchObject({
      newer: 1,
      mapped: 0,
      current: 1,
      older: 0,
      newer_examples: ['0000000001-24-000001'],
    });
    expect(await contentsOf(lake.root)).toEqual(before);
    expect(await filingsOfOlderMapping(lake)).toBe(0);
    const lakes = { openOrMake: async () => lake } as unknown as Dependencies['lakes'];
    const open = (tables: string) =>
      openRun({ lakes } as unknown as Dependencies, {
        run_id: 'r',
        workflow_id: 'export/t',
        lake: lake.root,
        definition: definitionOf(tables, '', '{}'),
      });
    await expect(open('filings, ownership')).rejects.toMatchObject({ code: 'lake-newer' });
  });

  it('of XML that is stored as JSON can’t be made: such filings are counted', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    const filings = new StoredFilings(lake);
    await filings.export([filings.filing(1, 5)], 'filings, documents, document_contents');
    const [row] = await lake.query('SELECT * FROM document_contents');
    const key = { table: 'document_contents', columns: ['document_id'], values: [[String(row!.document_id)]] };
    const converted = { ...row, encoding: 'json', content: '{"ownershipDocument":{}}' } as Record<string, string>;
    await bring(lake, { run: 'json', batch: 'b' }, { document_contents: [converted] }, [key]);
    expect(await remapLake(lake)).toMatchObject({ incomplete: 1, as_json: 1, mapped: 0 });
  });
});
