/** What a repair does to entities, logs and lake.sql, and beside writers. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake, repairLake } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { accession, bring, filingRows, type Rows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

let folder: string;
let lake: Lake;
beforeEach(async () => {
  folder = temporaryFolder();
  lake = await openLake(folder, { create: true });
});
afterEach(() => lake.close());

const partsOf = async (table: string) => [...((await lake.snapshot()).tables.get(table)?.parts.keys() ?? [])];
const lose = async (table: string, nth = 0) => rmSync(path.join(folder, table, (await partsOf(table))[nth]!));
const values = async (sql: string) => (await lake.query(sql)).map((row) => Object.values(row)[0]);

function entity(cik: string, tickers: string[]): Rows {
  return {
    entities: [{ cik, name: `entity ${cik}` }],
    entity_tickers: tickers.map((ticker, position) => ({ cik, position, ticker })),
    entity_addresses: [{ cik, kind: 'business' }],
  };
}

describe('a repair of entities', () => {
  beforeEach(async () => {
    await bring(lake, { batch: 'b1' }, together(entity('1', ['A']), entity('2', [])));
    await bring(lake, { batch: 'b2' }, together(entity('3', ['C']), entity('4', ['D'])));
  });

  it('deletes entities whose tickers may be lost, completely, and no others', async () => {
    await lose('entity_tickers', 1);
    expect(await repairLake(lake)).toMatchObject({ again: { filings: 0, entities: 2 }, left: [] });
    for (const table of ['entities', 'entity_addresses']) {
      expect(await values(`SELECT DISTINCT cik FROM ${table} ORDER BY cik`)).toEqual(['1', '2']);
    }
    expect(await values('SELECT ticker FROM entity_tickers')).toEqual(['A']);
    await bring(lake, { batch: 'b3' }, together(entity('3', ['C']), entity('4', ['D'])));
    expect(await values('SELECT ticker FROM entity_tickers ORDER BY 1')).toEqual(['A', 'C', 'D']);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('takes tickers and addresses of entities along whose own rows are lost', async () => {
    await lose('entities', 0);
    expect(await repairLake(lake)).toMatchObject({ again: { entities: 2 }, left: [] });
    expect(await values('SELECT cik FROM entity_addresses ORDER BY 1')).toEqual(['3', '4']);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe('a repair of rows that had several parts', () => {
  it('fetches the step again, though rows of it are left', async () => {
    const [long, short] = ['7', '1A'].map((section) => ({ accession_number: accession(1), section }));
    const document = { accession_number: accession(1), document_id: `${accession(1)}-1` };
    const of = (step: string) => ({ accession_number: accession(1), step, selector: '10-K', status: 'done' });
    const coverage = [of('sections'), of(`document:${document.document_id}`)];
    await bring(
      lake,
      { batch: 'b1' },
      { coverage, section_contents: [short!], chunks: [{ ...document, position: 1 }] },
    );
    await bring(lake, { batch: 'b2' }, { section_contents: [long!], chunks: [{ ...document, position: 2 }] });
    await lose('section_contents', 1);
    await lose('chunks', 1);
    expect(await repairLake(lake)).toMatchObject({ again: { filings: 1, steps: { sections: 1, document: 1 } } });
    expect(await values('SELECT status FROM coverage')).toEqual(['failed', 'failed']);
  });
});

describe('a repair of logs', () => {
  it('changes nothing in a sound lake', async () => {
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const files = () => readdirSync(folder, { recursive: true }).sort();
    const before = files();
    expect(await repairLake(lake, { dryRun: true })).toMatchObject({
      version: 2,
      lost: [],
      delta: [],
      lake_sql: false,
    });
    expect(await repairLake(lake)).toMatchObject({ version: 2, lost: [], delta: [], lake_sql: false, left: [] });
    expect(files()).toEqual(before);
  });

  it.each([
    ['is missing', (log: string) => rmSync(log, { recursive: true })],
    ['lacks its newest commit', (log: string) => rmSync(path.join(log, `${'2'.padStart(20, '0')}.json`))],
    ['is not JSON', (log: string) => writeFileSync(path.join(log, `${'2'.padStart(20, '0')}.json`), 'oh')],
    [
      'was written to by another tool',
      (log: string) => {
        const add = { path: 'other.parquet', size: 9, partitionValues: {}, modificationTime: 1, dataChange: true };
        writeFileSync(path.join(log, `${'3'.padStart(20, '0')}.json`), `${JSON.stringify({ add })}\n`);
      },
    ],
  ])('makes a Delta log level that %s, and lake.sql', async (_what, harm) => {
    for (let n = 0; n < 2; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.close();
    harm(path.join(folder, 'filings', '_delta_log'));
    rmSync(path.join(folder, 'lake.sql'));
    lake = await openLake(folder, { unmended: true });
    const told = await repairLake(lake, { dryRun: true });
    expect(told).toMatchObject({ delta: ['filings'], lake_sql: true, lost: [] });
    expect(await repairLake(lake)).toMatchObject({ delta: ['filings'], lake_sql: true, left: [], version: 1 });
    await bring(lake, { batch: 'b2' }, filingRows(2));
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('is the remedy for a Delta log that is not JSON: reading and checking continue, and nothing is written before', async () => {
    for (let n = 0; n < 2; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    await lake.close();
    writeFileSync(path.join(folder, 'filings', '_delta_log', `${'2'.padStart(20, '0')}.json`), 'oh');
    lake = await openLake(folder);
    expect(await values('SELECT count(*)::INT FROM filings')).toEqual([2]);
    expect((await checkLake(lake)).problems).toMatchObject([{ code: 'delta-unreadable', table: 'filings' }]);
    const refusal = { code: 'lake-damaged', remedy: expect.stringContaining('filinglake lake repair') };
    await expect(lake.proveWritable()).rejects.toMatchObject(refusal);
    await expect(lake.compact()).rejects.toMatchObject(refusal);
    await repairLake(lake);
    await lake.proveWritable();
    await bring(lake, { batch: 'b2' }, filingRows(2));
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('reports what it does not repair', async () => {
    await bring(lake, { batch: 'b' }, { filings: [{ accession_number: accession(1) }] });
    // As nothing of ours writes it: with a base behind the first, and no coverage.
    await bring(lake, { batch: 'c' }, { filings: [{ accession_number: accession(1) }] });
    expect((await repairLake(lake)).left).toMatchObject([{ code: 'key-repeated', table: 'filings' }]);
  });
});

describe('a repair beside a writer', () => {
  it('that loses the race for a version is refused, and loses nothing of the other commit', async () => {
    for (let n = 0; n < 4; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const racing = new LocalStorage(folder);
    const repairer = await openLake(folder, { storage: racing });
    await lose('filings', 1);
    const putIfAbsent = racing.putIfAbsent.bind(racing);
    let races = 0;
    racing.putIfAbsent = async (file, bytes) => {
      if (/^_lake\/\d+\.json$/.test(file) && races++ === 0)
        await bring(lake, { run: 'other', batch: 'c' }, together(filingRows(3, 'r2'), filingRows(9)), wholeFiling(3));
      return putIfAbsent(file, bytes);
    };
    await expect(repairLake(repairer)).rejects.toMatchObject({ code: 'plan-outdated' });
    expect(await repairLake(repairer)).toMatchObject({ version: 5, lost: [{ table: 'filings', rows: 1 }] });
    expect(races).toBe(2);
    expect(await values('SELECT accession_number FROM filings ORDER BY 1')).toEqual(
      [0, 2, 3, 9].map((n) => accession(n)),
    );
    expect((await checkLake(lake)).unnamed.files).toBe(0);
    await repairer.close();
  });
});
