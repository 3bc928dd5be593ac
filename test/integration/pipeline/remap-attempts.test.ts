/** Attempts at a stretch of a remap: killed, frozen, at the same time, on several workers, beside other writers and releases. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAPPING_VERSION } from '../../../src/forms/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake-report/index.ts';
import {
  type Dependencies,
  filingsOfOlderMapping,
  finishRemap,
  openRun,
  planRemap,
  type RemapStretchRequest,
  remapLake,
  remapStretch,
} from '../../../src/pipeline/index.ts';
import { USUAL_FORM_TABLES } from '../../../src/tables/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { definitionOf } from '../../support/pipeline/lake-of-runs.ts';
import { copyOfLake, makeOlder, mappingsSeen, StoredFilings } from '../../support/pipeline/stored-lake.ts';
import { contentsOf } from '../../support/test-stack.ts';

const FILINGS = 6;

describe('an attempt at a stretch of a remap', () => {
  let folder: string;
  let lake: Lake;
  let filings: StoredFilings;
  let request: RemapStretchRequest;

  beforeEach(async () => {
    folder = temporaryFolder();
    lake = await openLake(join(folder, 'lake'), { create: true });
    filings = new StoredFilings(lake);
    await filings.export(Array.from({ length: FILINGS }, (_, n) => filings.filing(n, n + 1)));
    await makeOlder(lake);
    const remap = { lake: lake.root, run_id: 'remap-1', mapping_version: MAPPING_VERSION };
    const { plan, version } = await planRemap(jobOn(lake), remap);
    request = { ...remap, tables: USUAL_FORM_TABLES, plan, stretch: 0, since: version };
  });
  afterEach(() => lake.close());

  function jobOn(on: Lake, attempt = 1, leaving = new AbortController().signal) {
    const lakes = { at: async () => on } as unknown as Dependencies['lakes'];
    return { lakes, attempt, leaving, signal: new AbortController().signal, heartbeat: { report: () => {} } };
  }

  async function expectWhole(): Promise<void> {
    const seen = await mappingsSeen(lake);
    expect(seen.map(({ version }) => version)).toEqual(Array(FILINGS).fill(MAPPING_VERSION));
    expect(await lake.query('SELECT shares::INTEGER AS n FROM ownership_transactions ORDER BY 1')).toEqual(
      Array.from({ length: FILINGS }, (_, n) => ({ n: n + 1 })),
    );
    expect((await checkLake(lake)).problems).toEqual([]);
    await finishRemap(jobOn(lake), request);
    expect((await lake.storage.listFolders('_staging')).filter((name) => name.startsWith('remap'))).toEqual([]);
  }

  it('commits what an attempt that was killed before its commit has sealed', async () => {
    const commitBatch = lake.commitBatch.bind(lake);
    const spy = vi.spyOn(lake, 'commitBatch').mockImplementationOnce(async (batch) => {
      // The manifest is sealed, and then the process ends.
      vi.spyOn(lake.storage, 'putIfAbsent').mockImplementation(async (path, bytes) => {
        if (path.startsWith('_lake/')) throw new Error('killed');
        return putIfAbsent(path, bytes);
      });
      return commitBatch(batch);
    });
    const putIfAbsent = lake.storage.putIfAbsent.bind(lake.storage);
    await expect(remapStretch(jobOn(lake), request)).rejects.toThrow('killed');
    vi.restoreAllMocks();
    spy.mockRestore();
    const sealed = await lake.sealedBatch('remap-1', 'stretch-0.0');
    expect(sealed).not.toBeNull();
    const { whole, report } = await remapStretch(jobOn(lake, 2), request);
    expect([whole, report.mapped, report.commits]).toEqual([true, FILINGS, 1]);
    const [entry] = await lake.log(1);
    expect(entry).toMatchObject({ run_id: 'remap-1', batch_id: 'stretch-0.0' });
    await expectWhole();
  });

  it('finds what an earlier one has committed, and counts it once', async () => {
    const first = await remapStretch(jobOn(lake), request);
    const version = await lake.currentVersion();
    expect(await remapStretch(jobOn(lake, 2), request)).toEqual(first);
    expect(first.report).toMatchObject({ mapped: FILINGS, rows: { ownership_transactions: FILINGS } });
    expect(await lake.currentVersion()).toBe(version);
    await expectWhole();
  });

  it('writes nothing twice beside another attempt at the same time', async () => {
    const other = await openLake(lake.root);
    const done = await Promise.all([remapStretch(jobOn(lake), request), remapStretch(jobOn(other, 2), request)]);
    await other.close();
    for (const { whole, report } of done) expect([whole, report.mapped, report.commits]).toEqual([true, FILINGS, 1]);
    expect((await lake.log(100)).filter(({ run_id }) => run_id === 'remap-1')).toHaveLength(1);
    await expectWhole();
  });

  it('leaves the rest to another worker when its own is about to end', async () => {
    const leaving = new AbortController();
    leaving.abort();
    const { whole } = await remapStretch(jobOn(lake, 1, leaving.signal), request);
    expect(whole).toBe(false);
    expect((await remapStretch(jobOn(lake), request)).report.mapped).toBe(FILINGS);
    await expectWhole();
  });

  it('reads all files of a table if a compaction has replaced those of its list', async () => {
    await filings.export([filings.filing(FILINGS, 99)]);
    await makeOlder(lake);
    const { plan } = await planRemap(jobOn(lake), request);
    await lake.compact({ tables: ['document_contents'] });
    const { report } = await remapStretch(jobOn(lake), { ...request, plan });
    expect(report).toMatchObject({ mapped: FILINGS + 1, incomplete: 0 });
  });

  it('examines filings again that another remap maps at the same time', async () => {
    const commitFirst = lake.commitFirstSealed.bind(lake);
    const spy = vi.spyOn(lake, 'commitFirstSealed').mockImplementationOnce(async (batch) => {
      const other = await openLake(lake.root);
      await remapLake(other, { tables: ['ownership_transactions'] });
      await other.close();
      return commitFirst(batch);
    });
    const { report } = await remapStretch(jobOn(lake), request);
    spy.mockRestore();
    expect(report.current + report.mapped).toBe(FILINGS);
    expect(report.unreadable).toBe(0);
    await expectWhole();
  });

  it('is refused by a worker of another release', async () => {
    const other = { ...request, mapping_version: MAPPING_VERSION + 1 };
    await expect(remapStretch(jobOn(lake), other)).rejects.toMatchObject({ code: 'mapping-differs' });
    await expect(planRemap(jobOn(lake), other)).rejects.toMatchObject({ code: 'mapping-differs' });
  });
});

describe('rows', () => {
  it('of a newer release stay in a remap, which counts them; an export of such tables is refused', async () => {
    const folder = temporaryFolder();
    const lake = await openLake(join(folder, 'lake'), { create: true });
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
        ...{ run_id: 'r', workflow_id: 'export/t', lake: lake.root, definition: definitionOf(tables, '', '{}') },
      });
    await expect(open('filings, ownership')).rejects.toMatchObject({ code: 'lake-newer' });
    await lake.close();
  });

  it('of XML that is stored as JSON can’t be made: such filings are counted', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const filings = new StoredFilings(lake);
    await filings.export([filings.filing(1, 5)], 'filings, documents, document_contents');
    const [row] = await lake.query('SELECT * FROM document_contents');
    const { bring } = await import('../../support/lake/small-lake.ts');
    const key = { table: 'document_contents', columns: ['document_id'], values: [[String(row!.document_id)]] };
    const converted = { ...row, encoding: 'json', content: '{"ownershipDocument":{}}' } as Record<string, string>;
    await bring(lake, { run: 'json', batch: 'b' }, { document_contents: [converted] }, [key]);
    expect(await remapLake(lake)).toMatchObject({ incomplete: 1, as_json: 1, mapped: 0 });
    await lake.close();
  });
});
