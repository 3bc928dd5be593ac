import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealedSegments } from '../../../src/lake/commit/staging.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { pathSegment } from '../../../src/lake/storage/layout.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { failingFiles } from '../../support/lake/failing-files.ts';
import { accession, FEW_TABLES } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

let folder: string;
let lake: Lake;

beforeEach(async () => {
  folder = temporaryFolder();
  lake = await openLake(folder, { create: true, tables: FEW_TABLES });
});
afterEach(() => lake.close());

const filing = (n: number) => ({ accession_number: accession(n) });

/** A segment's name without what makes it like no other. */
const numberOf = (name: string) => name.replace(/\..*/, '');

describe('staging', () => {
  it('returns the sealed segments of all attempts in order, with the state of each attempt', async () => {
    const first = lake.openStaging('run', 'batch', 1);
    first.append('filings', filing(1));
    first.append('filings', filing(2));
    first.append('entities', { cik: '1' });
    const sealed = await first.seal({ cursor: 2 });
    expect(sealed).toMatchObject({
      name: expect.stringMatching(/^1-0\.[0-9a-f]{16}$/),
      tables: { filings: { rows: 2 }, entities: { rows: 1 } },
      meta: { cursor: 2 },
    });
    first.append('filings', filing(3));
    const second = lake.openStaging('run', 'batch', 2);
    second.append('filings', filing(4));
    await second.seal();
    await first.seal({ cursor: 3 });
    await using other = await openLake(folder, { tables: FEW_TABLES });
    const found = await other.sealedSegments('run', 'batch');
    expect(found.map(({ name, meta }) => [numberOf(name), meta])).toEqual([
      ['1-0', { cursor: 2 }],
      ['1-1', { cursor: 3 }],
      ['2-0', undefined],
    ]);
    expect(found[0]).toEqual(sealed);
  });

  it('gives each segment a unique name even if an attempt number repeats', async () => {
    for (const n of [1, 2]) {
      const writer = lake.openStaging('run', 'batch', 1);
      writer.append('filings', filing(n));
      await writer.seal();
    }
    const segments = await lake.sealedSegments('run', 'batch');
    expect(segments.map(({ name }) => numberOf(name))).toEqual(['1-0', '1-0']);
    expect(segments[0]!.name).not.toBe(segments[1]!.name);
    const result = await lake.commitBatch({ run_id: 'run', batch_id: 'batch', base_version: -1, segments });
    expect(result.tables.filings).toMatchObject({ rows_new: 2 });
  });

  it('seals nothing without rows and meta, and a meta without rows if one is given', async () => {
    const writer = lake.openStaging('run', 'batch', 1);
    expect(await writer.seal()).toBeNull();
    expect(await writer.seal({ page: 3 })).toMatchObject({ tables: {}, meta: { page: 3 } });
    expect(await lake.sealedSegments('run', 'batch')).toHaveLength(1);
  });

  it('knows of which tables the rows came in the order of their keys, each once', async () => {
    const writer = lake.openStaging('run', 'batch', 1);
    const coverage = (n: number, step: string) => ({ ...filing(n), step, selector: '', revision: 'r', status: 'done' });
    for (const n of [1, 2]) writer.append('filings', filing(n));
    for (const cik of ['2', '1']) writer.append('entities', { cik });
    for (const step of ['filing', 'info']) for (const n of [1, 1]) writer.append('coverage', coverage(n, step));
    await writer.seal();
    for (const [n, step] of [
      [1, 'info'],
      [1, 'sections'],
      [2, 'filing'],
    ] as const)
      writer.append('coverage', coverage(n, step));
    await writer.seal();
    const sealed = await sealedSegments(lake.storage, 'run', 'batch');
    expect(sealed.map(({ ascending }) => ascending)).toEqual([['filings'], ['coverage']]);
  });

  it('gives up an open segment without a trace', async () => {
    const writer = lake.openStaging('run', 'batch', 1);
    for (let n = 0; n < 20_000; n++) writer.append('filings', filing(n));
    expect(writer.bytes).toBeGreaterThan(500_000);
    await writer.abandon();
    expect(writer.bytes).toBe(0);
    expect(readdirSync(path.join(folder, '_staging', 'run', 'batch'))).toEqual([]);
    expect(await lake.sealedSegments('run', 'batch')).toEqual([]);
  });

  it('holds little in memory: rows are written to disk as they arrive', () => {
    const writer = lake.openStaging('run', 'batch', 1);
    for (let n = 0; n < 20_000; n++) writer.append('filings', filing(n));
    const batch = path.join(folder, '_staging', 'run', 'batch');
    const [segment] = readdirSync(batch);
    expect(statSync(path.join(batch, segment!, 'filings.ndjson')).size).toBeGreaterThan(writer.bytes - 300_000);
  });

  it('seals no segment of which a write failed', async () => {
    const files = failingFiles(1, 'refusal');
    const full = await openLake(folder, { tables: FEW_TABLES, storage: new LocalStorage(folder, files) });
    const writer = full.openStaging('run', 'batch', 1);
    const fill = () => {
      for (let n = 0; n < 20_000; n++) writer.append('filings', filing(n));
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'lake-full' }));
    expect(() => writer.append('filings', filing(0))).toThrow(expect.objectContaining({ code: 'lake-full' }));
    await expect(writer.seal()).rejects.toMatchObject({ code: 'lake-full' });
    await writer.abandon();
    fill();
    expect(await writer.seal()).toMatchObject({
      name: expect.stringMatching(/^1-1\.[0-9a-f]{16}$/),
      tables: { filings: { rows: 20_000 } },
    });
    await full.close();
  });

  it('keeps small files of a run, the first of a name', async () => {
    expect(await lake.putStaged('run', 'windows/1', 'one')).toBe(true);
    expect(await lake.putStaged('run', 'windows/1', 'two')).toBe(false);
    expect((await lake.readStaged('run', 'windows/1'))?.toString()).toBe('one');
    expect(await lake.readStaged('run', 'windows/2')).toBeNull();
    await lake.dropStaged('run', 'windows/1');
    await lake.dropStaged('run', 'windows/1');
    expect(await lake.readStaged('run', 'windows/1')).toBeNull();
    await lake.emptyStaged('run', 'windows/1');
    expect(await lake.readStaged('run', 'windows/1')).toBeNull();
  });

  it('keeps the name of a small file that was emptied', async () => {
    await lake.putStaged('run', 'plan', 'one');
    await lake.emptyStaged('run', 'plan');
    expect(await lake.putStaged('run', 'plan', 'two')).toBe(false);
    expect(await lake.readStaged('run', 'plan')).toHaveLength(0);
  });

  it('stores large files of a run compressed, and returns them unchanged', async () => {
    const text = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => filing(n)));
    await lake.putStaged('run', 'page', text);
    expect((await lake.readStaged('run', 'page'))!.toString()).toBe(text);
    const { size } = statSync(path.join(folder, '_staging', 'run', '+files', 'page'));
    expect(size).toBeLessThan(text.length / 4);
  });

  it('drops what one run staged, and nothing of another', async () => {
    for (const run of ['export/a', 'export/b']) {
      const writer = lake.openStaging(run, 'batch', 1);
      writer.append('filings', filing(1));
      await writer.seal();
    }
    await lake.dropStaging('export/a');
    expect(await lake.sealedSegments('export/a', 'batch')).toEqual([]);
    expect(await lake.sealedSegments('export/b', 'batch')).toHaveLength(1);
    const writer = lake.openStaging('export/a', 'batch', 2);
    writer.append('filings', filing(1));
    expect(await writer.seal()).toMatchObject({ name: expect.stringMatching(/^2-0\./) });
  });

  it('lets no id climb out of its folder', async () => {
    expect(pathSegment('..')).toBe('%2E.');
    expect(pathSegment('a/../b')).toBe('a%2F..%2Fb');
    expect(pathSegment('é*')).toBe('%C3%A9%2A');
    await lake.putStaged('../../outside', '../name', 'x');
    expect(existsSync(path.join(folder, '_staging', '%2E.%2F..%2Foutside', '+files', '%2E.%2Fname'))).toBe(true);
  });
});

describe('a row that its table can not hold', () => {
  it.for([
    [{ accession_number: null }, 'has no value'],
    [{}, 'has no value'],
    [{ ...filing(1), form: '10-K' }, 'has no column form'],
    [{ ...filing(1), formtype: '10-K' }, 'did you mean form_type'],
    [{ ...filing(1), filing_date: '2024-02-30' }, 'filing_date can\'t hold "2024-02-30" as DATE'],
    [{ ...filing(1), filing_date: '20240201' }, 'as DATE'],
    [{ ...filing(1), acceptance_datetime: '2024-02-01T24:00:00' }, 'as TIMESTAMP'],
    [{ ...filing(1), acceptance_datetime: '2024-02-01T10:00:00Z' }, 'as TIMESTAMP'],
    [{ ...filing(1), size: 1.5 }, 'as BIGINT'],
    [{ ...filing(1), size: '7' }, 'as BIGINT'],
    [{ ...filing(1), cik: 7 }, 'as VARCHAR'],
  ] as const)('is refused, and the segment is as before: %j', async ([row, message]) => {
    const writer = lake.openStaging('run', 'batch', 1);
    writer.append('filings', filing(9));
    expect(() => writer.append('filings', row)).toThrow(message);
    expect(await writer.seal()).toMatchObject({ tables: { filings: { rows: 1 } } });
  });

  it('is refused if there is no such table', () => {
    expect(() => lake.openStaging('run', 'batch', 1).append('filing', filing(1))).toThrow('no table filing');
  });
});
