import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FilinglakeError } from '../../../src/core/index.ts';
import { type Batch, type Lake, openLake, type SegmentRef } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import {
  accession,
  bring,
  FEW_TABLES,
  filingRows,
  type Rows,
  together,
  wholeFiling,
} from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

let folder: string;
let lake: Lake;

beforeEach(async () => {
  folder = temporaryFolder();
  lake = await openLake(folder, { create: true, tables: FEW_TABLES });
});
afterEach(() => lake.close());

/** Seals the rows as one segment of a batch. */
async function seal(batch: string, rows: Rows): Promise<SegmentRef> {
  const writer = lake.openStaging('run', batch, 1);
  for (const [table, list] of Object.entries(rows)) for (const row of list) writer.append(table, row);
  return (await writer.seal())!;
}

function batchOf(batch_id: string, ...segments: SegmentRef[]): Batch {
  return { run_id: 'run', batch_id, base_version: -1, segments };
}

async function revisions(table: string, column: string): Promise<Record<string, unknown>> {
  const rows = await lake.query(
    `SELECT accession_number AS a, min(${column}) AS lo, max(${column}) AS hi FROM ${table} GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ a, lo, hi }) => [a, lo === hi ? lo : `${lo}|${hi}`]));
}

describe('a commit', () => {
  it('adds all tables of a batch in one version', async () => {
    const result = await bring(lake, { batch: 'b1' }, together(filingRows(1), filingRows(2)));
    expect(result.version).toBe(0);
    expect(result.tables.filings).toMatchObject({ rows_new: 2, rows_replaced: 0, rows_total: 2 });
    expect(result.tables.documents).toMatchObject({ rows_new: 4, rows_total: 4 });
    expect(await lake.query('SELECT count(*) AS n FROM documents JOIN filings USING (accession_number)')).toEqual([
      { n: 4 },
    ]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('is given back by every retry of its batch, which changes nothing', async () => {
    const segment = await seal('b1', filingRows(1));
    const first = await lake.commitBatch(batchOf('b1', segment));
    await bring(lake, { batch: 'b2' }, filingRows(2));
    await lake.dropBatch('run', 'b1');
    const again = await lake.commitBatch(batchOf('b1', segment));
    expect(again).toEqual(first);
    expect(await lake.query('SELECT count(*) AS n FROM filings')).toEqual([{ n: 2 }]);
  });

  it('is refused when the lake has a batch of this name with other segments', async () => {
    await bring(lake, { batch: 'b1', base: -1 }, filingRows(1));
    await lake.dropBatch('run', 'b1');
    const other = await seal('b1', together(filingRows(1), filingRows(2)));
    await expect(lake.commitBatch(batchOf('b1', other))).rejects.toMatchObject({ code: 'batch-differs' });
    await expect(lake.committedBatch(batchOf('b1', other))).rejects.toMatchObject({ code: 'batch-differs' });
    // The same number of the same attempt, but another name.
    expect(other.name).toMatch(/^1-0\.[0-9a-f]{16}$/);
    expect(await lake.query('SELECT count(*) AS n FROM filings')).toEqual([{ n: 1 }]);
    expect(await lake.currentVersion()).toBe(0);
  });

  it('of several attempts, each from the beginning, commits the content sealed first', async () => {
    const one = await seal('b1', filingRows(1));
    const two = await seal('b1', filingRows(2));
    const first = await lake.commitFirstSealed(batchOf('b1', one));
    expect(await lake.commitFirstSealed(batchOf('b1', two))).toEqual(first);
    expect(await lake.query('SELECT accession_number FROM filings')).toEqual([{ accession_number: accession(1) }]);
  });

  it('commits the manifest that was sealed first, and refuses that of an attempt with other segments', async () => {
    const one = lake.openStaging('run', 'b1', 1);
    one.append('filings', { accession_number: accession(1) });
    const segment = await one.seal();
    const batch = { run_id: 'run', batch_id: 'b1', base_version: -1, segments: [segment!] };
    const other = await openLake(folder, { tables: FEW_TABLES });
    const two = other.openStaging('run', 'b1', 2);
    two.append('filings', { accession_number: accession(2) });
    const zombie = await two.seal();
    const outcomes = await Promise.allSettled([
      lake.commitBatch(batch),
      lake.commitBatch(batch),
      other.commitBatch({ ...batch, segments: [segment!, zombie!] }),
      other.commitBatch(batch),
    ]);
    await other.close();
    const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(results.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toMatchObject({ code: 'batch-differs' });
    expect(new Set(results.map((result) => result.version)).size).toBe(1);
    expect(await lake.currentVersion()).toBe(0);
    const rows = Number((await lake.query('SELECT count(*) AS n FROM filings'))[0]!.n);
    expect(rows).toBe(results[0]!.tables.filings!.rows_total);
  });

  it('keeps the last of the rows that have one key, over all segments', async () => {
    const writer = lake.openStaging('run', 'b1', 1);
    writer.append('filings', { accession_number: accession(1), entity_name: 'first' });
    writer.append('filings', { accession_number: accession(1), entity_name: 'second' });
    const one = await writer.seal();
    writer.append('filings', { accession_number: accession(2), entity_name: 'only' });
    writer.append('filings', { accession_number: accession(1), entity_name: 'third' });
    const two = await writer.seal();
    const result = await lake.commitBatch({ run_id: 'run', batch_id: 'b1', base_version: -1, segments: [one!, two!] });
    expect(result.tables.filings).toMatchObject({ rows_new: 2, rows_dropped: 2 });
    expect(await revisions('filings', 'entity_name')).toEqual({ [accession(1)]: 'third', [accession(2)]: 'only' });
  });

  it('tells by statistics alone whether a value may be in the lake', async () => {
    const mayHold = (...numbers: number[]) =>
      lake.mayHold(
        'filings',
        'accession_number',
        numbers.map((n) => accession(n)),
      );
    expect(await mayHold(5)).toBe(false);
    await bring(lake, { batch: 'b1' }, filingRows(3));
    await bring(lake, { batch: 'b2' }, filingRows(7));
    expect(await mayHold()).toBe(false);
    expect(await mayHold(1, 2)).toBe(false);
    expect(await mayHold(9, 1)).toBe(true);
    expect(await mayHold(7)).toBe(true);
    expect(await mayHold(6, 4)).toBe(false);
  });

  it('leaves no file behind but those that it names', async () => {
    await bring(lake, { batch: 'b1' }, together(filingRows(1), filingRows(1, 'again')));
    await bring(lake, { batch: 'b2', base: -1 }, together(filingRows(1), filingRows(2)));
    await bring(lake, { batch: 'b3' }, filingRows(2, 'r2'), wholeFiling(2));
    expect(readdirSync(path.join(folder, '_scratch'))).toEqual([]);
    expect((await checkLake(lake)).unnamed).toEqual({ files: 0, bytes: 0 });
  });

  it('refuses a segment that was never sealed and a base version that is not there', async () => {
    const batch = { run_id: 'run', batch_id: 'b1', base_version: -1, segments: [{ name: '1-7' }] };
    await expect(lake.commitBatch(batch)).rejects.toMatchObject({ code: 'staging-missing' });
    await expect(lake.commitBatch({ ...batch, batch_id: 'b2', base_version: 5, segments: [] })).rejects.toMatchObject({
      code: 'lake-replaced',
    });
    expect(await lake.currentVersion()).toBe(-1);
  });
});

describe('a replacement', () => {
  it('removes a filing from every table in the version that adds it again', async () => {
    await bring(lake, { batch: 'b1' }, together(...[1, 2, 3].map((n) => filingRows(n))));
    const result = await bring(lake, { batch: 'b2' }, filingRows(2, 'r2', 1), wholeFiling(2));
    expect(result.tables.filings).toMatchObject({ rows_new: 0, rows_replaced: 1, rows_removed: 1, rows_total: 3 });
    expect(result.tables.documents).toMatchObject({ rows_new: 0, rows_replaced: 1, rows_removed: 2, rows_total: 5 });
    const expected = { [accession(1)]: 'r1', [accession(2)]: 'r2', [accession(3)]: 'r1' };
    expect(await revisions('filings', 'entity_name')).toEqual(expected);
    expect(await revisions('documents', 'description')).toEqual(expected);
    expect(await revisions('coverage', 'revision')).toEqual(expected);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('touches no part that holds none of its values', async () => {
    for (let n = 0; n < 4; n++) await bring(lake, { batch: `b${n}` }, filingRows(n * 10));
    await bring(lake, { batch: 'c' }, filingRows(20, 'r2'), wholeFiling(5, 20, 25));
    const [last] = await lake.log(1);
    expect(last!.tables.filings).toMatchObject({ rows_removed: 1, rows_replaced: 1 });
    const snapshot = await lake.snapshot();
    const versions = [...snapshot.tables.get('filings')!.parts.values()].map((part) => part.version);
    expect(versions.sort()).toEqual([0, 1, 3, 4]);
  });

  it('goes by several columns, and by several lists at once', async () => {
    await bring(lake, { batch: 'b1' }, together(filingRows(1), filingRows(2), filingRows(3)));
    await bring(lake, { batch: 'b2' }, {}, [
      {
        table: 'coverage',
        columns: ['accession_number', 'step'],
        values: [
          [accession(1), 'filing'],
          [accession(2), 'info'],
        ],
      },
      { table: 'coverage', columns: ['accession_number'], values: [[accession(3)]] },
    ]);
    expect(await revisions('coverage', 'revision')).toEqual({ [accession(2)]: 'r1' });
  });

  it('removes a part if none of its rows stays', async () => {
    await bring(lake, { batch: 'b1' }, filingRows(1));
    await bring(lake, { batch: 'b2' }, {}, wholeFiling(1));
    const snapshot = await lake.snapshot();
    expect(snapshot.tables.get('filings')!.parts.size).toBe(0);
    expect(await lake.query('SELECT count(*) AS n FROM filings')).toEqual([{ n: 0 }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('refuses a column that names no row', async () => {
    const replace = [{ table: 'filings', columns: ['form_type'], values: [['10-K']] }];
    await expect(bring(lake, { batch: 'b1' }, {}, replace)).rejects.toThrow(FilinglakeError);
    expect(await lake.currentVersion()).toBe(-1);
  });
});

describe('a batch of a run', () => {
  it('is refused whole if another run has changed a row since its plan, and only then', async () => {
    await bring(lake, { run: 'before', batch: 'b' }, together(filingRows(1, 'r0', 1), filingRows(2, 'r0', 1)));
    await lake.compact();
    const base = await lake.currentVersion();
    await bring(lake, { run: 'one', batch: 'b', base: 0 }, filingRows(1, 'r1', 3), wholeFiling(1));
    const kept = await revisions('documents', 'description');
    const rows = filingRows(2, 'r2', 2);
    const late = bring(lake, { run: 'two', batch: 'b', base }, rows, wholeFiling(2));
    await expect(late).rejects.toMatchObject({ code: 'plan-outdated' });
    expect(await revisions('documents', 'description')).toEqual(kept);
    await bring(lake, { run: 'two', batch: 'c' }, rows, wholeFiling(2));
    expect(await revisions('filings', 'entity_name')).toEqual({ [accession(1)]: 'r1', [accession(2)]: 'r2' });
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('may write a filing table by table', async () => {
    const { documents, ...rest } = filingRows(1, 'r1', 3);
    await bring(lake, { batch: 'b1', base: -1 }, { ...rest, documents: documents!.slice(0, 2) });
    const result = await bring(lake, { batch: 'b2', base: -1 }, { documents: documents!.slice(1) });
    expect(result.tables.documents).toMatchObject({ rows_new: 1, rows_dropped: 1, rows_total: 3 });
  });
});

describe('text and bytes', () => {
  it('come out as they went in', async () => {
    await lake.close();
    lake = await openLake(folder);
    const content = ['plain', 'é 😀 \u0000 \\ud800 "quoted"\n', 'x'.repeat(17_000_000)];
    const rows = content.map((text, i) => ({
      document_id: `${accession(1)}-${i}`,
      accession_number: accession(1),
      content: text,
      bytes: Buffer.from(text.slice(0, 50)).toString('base64'),
    }));
    await bring(lake, { batch: 'b1' }, { document_contents: rows });
    const got = await lake.query('SELECT content, bytes FROM document_contents ORDER BY document_id');
    expect(got.map((row) => row.content === content[got.indexOf(row)])).toEqual([true, true, true]);
    expect(got.map((row) => row.bytes)).toEqual(rows.map((row) => row.bytes));
  });

  it('are in row groups of bounded bytes, also in rewritten parts', async () => {
    const words = Array.from({ length: 12_000 }, (_, i) => ((i * 7919) % 99_991).toString(36)).join(' ');
    const rows = Array.from({ length: 700 }, (_, n) => ({
      accession_number: accession(n),
      section: '1',
      html: words + n,
    }));
    await bring(lake, { batch: 'b1' }, { section_contents: rows });
    const replace = [{ table: 'section_contents', columns: ['accession_number'], values: [[accession(350)]] }];
    await bring(lake, { batch: 'b2' }, {}, replace);
    const parts = [...(await lake.snapshot()).tables.get('section_contents')!.parts.values()];
    expect(parts.map(({ origin, rows: count }) => [origin, count])).toEqual([['rewritten', 699]]);
    const file = path.join(folder, 'section_contents', parts[0]!.part);
    const [groups] = await lake.query(
      `SELECT count(DISTINCT row_group_id) AS n, max(row_group_bytes) AS bytes FROM parquet_metadata('${file}')`,
    );
    expect(Number(groups!.n)).toBeGreaterThan(1);
    expect(Number(groups!.bytes)).toBeLessThan(24e6);
  });

  it('replace half a surrogate pair, which is not text, by U+FFFD', async () => {
    await bring(lake, { batch: 'b1' }, { filings: [{ accession_number: accession(1), entity_name: 'cut \ud83d' }] });
    expect(await lake.query('SELECT entity_name AS n FROM filings')).toEqual([{ n: 'cut \ufffd' }]);
  });
});
