import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { csvText, jsonText, type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { readAs } from '../../../src/lake/views/views.ts';
import { failingFiles } from '../../support/lake/failing-files.ts';
import { bring, FEW_TABLES, filingRows, together, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

let folder: string;
let lake: Lake;

beforeEach(async () => {
  folder = temporaryFolder();
  lake = await openLake(folder, { create: true, tables: FEW_TABLES });
});
afterEach(() => lake.close());

async function textOf(sql: string, format: typeof jsonText): Promise<string> {
  await using result = await lake.stream(sql);
  let text = '';
  for await (const chunk of format(result)) text += chunk;
  return text;
}

describe('a query', () => {
  it('sees every table with its columns and types, also those without a row', async () => {
    await lake.close();
    lake = await openLake(folder);
    for (const table of TABLES) {
      await using result = await lake.stream(`SELECT * FROM "${readAs(table.name)}"`);
      const types = table.columns.map(({ name, type }) => ({
        name,
        type: type === 'TIMESTAMPTZ' ? 'TIMESTAMP WITH TIME ZONE' : type,
      }));
      expect(result.columns).toEqual(types);
    }
  });

  it('reads the files of the tables that it names, however it names them, and of no others', async () => {
    await lake.close();
    const storage = new LocalStorage(folder);
    const readable: string[] = [];
    storage.makeReadable = async (...[paths]: [paths?: readonly string[]]) => {
      readable.push(...(paths ?? []).map((file) => file.split('/')[0]!));
    };
    lake = await openLake(folder, { storage });
    await bring(lake, { batch: 'b' }, filingRows(1), wholeFiling(1));
    for (const [sql, tables] of [
      ['FROM filings', ['filings']],
      [
        'SELECT count(*) FROM "FILINGS" f WHERE EXISTS (FROM coverage c WHERE c.accession_number = f.accession_number)',
        ['coverage', 'filings'],
      ],
      ['SELECT count(*) FROM filings f JOIN filings g USING (accession_number)', ['filings']],
      ["FROM query_table('filings')", ['filings']],
      ["FROM query('FROM fil' || 'ings')", ['coverage', 'filings']],
    ] as const) {
      readable.length = 0;
      expect((await lake.query(sql)).length).toBe(1);
      expect([...new Set(readable)].filter((name) => ['coverage', 'filings'].includes(name)).sort()).toEqual(tables);
    }
    await expect(lake.query('FROM filings JOIN coverages USING (accession_number)')).rejects.toThrow(/coverage\b/);
  });

  it('gives more rows than a chunk has, in order', async () => {
    await using result = await lake.stream('SELECT i FROM range(100000) t(i) ORDER BY i');
    let next = 0;
    for await (const rows of result.chunks()) for (const [i] of rows) expect(i).toBe(next++);
    expect(next).toBe(100_000);
  });

  it('takes one long text apart from its own', async () => {
    const given = ["it's", '$1; --', 'é'.repeat(1_000_000)].join(',');
    const sql = "SELECT unnest(string_split($1, ',')) AS one, length($1) AS length";
    const rows = await lake.query(sql, { given });
    expect(rows.map(({ one }) => one)).toEqual(given.split(','));
    expect(Number(rows[0]!.length)).toBe(given.length);
    await expect(lake.query(sql)).rejects.toThrow(/parameter/i);
  });

  it('answers whatever reads, in any of its forms', async () => {
    await bring(lake, { batch: 'b' }, filingRows(1));
    for (const sql of [
      'FROM filings LIMIT 1',
      "/* ; */ SELECT ';' AS text -- ; none",
      'WITH one AS (SELECT 1) FROM one;',
      'VALUES (1)',
      'DESCRIBE filings',
      'SUMMARIZE filings',
      'SHOW TABLES',
      "PRAGMA table_info('filings')",
      'PIVOT filings ON cik USING count(*)',
      'EXPLAIN SELECT 1',
      '-- why\nEXPLAIN ANALYZE FROM filings',
    ])
      expect((await lake.query(sql)).length, sql).toBeGreaterThan(0);
  });

  it('refuses what changes something, and several statements, of which one alone would be shown', async () => {
    const file = path.join(temporaryFolder(), 'out.csv');
    for (const sql of [
      'CREATE TABLE x (i INTEGER)',
      'SET threads = 1',
      'PRAGMA threads = 1',
      `COPY (SELECT 1) TO '${file}'`,
      `EXPLAIN ANALYZE COPY (SELECT 1) TO '${file}'`,
      `ATTACH '${file}' AS other`,
      'INSTALL httpfs',
      'SELECT 1; SELECT 2',
      "CREATE TYPE e AS ENUM ('a'); SELECT 1",
      '-- nothing',
    ]) {
      const refused = { code: 'sql-refused', exitCode: 2 };
      await expect(lake.query(sql), sql).rejects.toMatchObject(refused);
      await expect(lake.writeParquet(sql, `${file}.parquet`), sql).rejects.toMatchObject(refused);
    }
    await expect(lake.query("FROM 'no-such-file.parquet'")).rejects.toMatchObject({ code: 'sql-invalid', exitCode: 2 });
    await expect(lake.query('create table x (i int)')).rejects.toThrow('CREATE is not allowed');
    await expect(lake.query('SELECT 1;\nSELECT 2;\nSELECT 3')).rejects.toThrow('3 statements were given');
    expect(existsSync(file)).toBe(false);
  });

  it('reports mistakes in SQL as wrong usage', async () => {
    const wrong = lake.query('SELECT nope\nFROM filings');
    await expect(wrong).rejects.toMatchObject({ code: 'sql-invalid', exitCode: 2 });
    await expect(wrong).rejects.toThrow(/nope[\s\S]*LINE 1: SELECT nope/);
    await expect(lake.query('SELEC 1')).rejects.toThrow(/^Parser Error/);
    await expect(lake.query("SELECT 'x'::INTEGER")).rejects.toMatchObject({ code: 'sql-invalid' });
  });

  it('writes JSON that holds every value exactly', async () => {
    const sql = `SELECT 9007199254740993 AS big, 1.50::DECIMAL(4,2) AS dec, 'a"b' AS t, NULL AS n, TRUE AS b, 0.1::DOUBLE AS d,
      DATE '2024-02-29' AS day, TIMESTAMP '2024-01-02 03:04:05.5' AS ts, TIMESTAMPTZ '2024-01-02 03:04:05+01' AS tz,
      'ab'::BLOB AS blob, [1, 2] AS list, {'x': 9007199254740993} AS s, 'NaN'::DOUBLE AS nan, 1 AS big`;
    const text = await textOf(sql, jsonText);
    expect(text).toContain('"big": 9007199254740993,');
    expect(text).toContain('{"x":9007199254740993}');
    const [row] = JSON.parse(text) as Record<string, unknown>[];
    expect(row).toMatchObject({ dec: 1.5, t: 'a"b', n: null, b: true, d: 0.1, day: '2024-02-29', 'big:1': 1 });
    expect(row).toMatchObject({ ts: '2024-01-02T03:04:05.5', tz: '2024-01-02T02:04:05Z', blob: 'YWI=', list: [1, 2] });
    expect(await textOf('SELECT 1 WHERE false', jsonText)).toBe('[]\n');
  });

  it('writes long texts of one chunk in pieces, a row at most: together they may be longer than a string', async () => {
    const sql = "SELECT i, repeat('x', 3000000) AS t FROM range(4) r(i)";
    for (const format of [jsonText, csvText]) {
      await using result = await lake.stream(sql);
      const pieces: string[] = [];
      for await (const piece of format(result)) pieces.push(piece);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(3_100_000);
      expect(pieces.join('')).toBe(await textOf(sql, format));
      expect(
        pieces
          .join('')
          .match(/x+/g)!
          .map(({ length }) => length),
      ).toEqual(Array(4).fill(3_000_000));
    }
  });

  it('that needs more memory than it has says so, and how to need less', async () => {
    await lake.close();
    lake = await openLake(folder, { queryMemoryBytes: 100 * 2 ** 20 });
    const large = lake.query("SELECT list(repeat('x', 10000000) || i) AS t FROM range(100) r(i)");
    await expect(large).rejects.toMatchObject({
      code: 'query-too-large',
      message: expect.stringMatching(/^Out of Memory Error: [^\n]+$/),
      remedy: expect.stringContaining('left(content'),
    });
  });

  it('whose text is too long for a string says so', async () => {
    await using result = await lake.stream("SELECT repeat('x', 550000000) AS t");
    const read = async () => {
      for await (const _rows of result.chunks());
    };
    await expect(read()).rejects.toMatchObject({
      code: 'query-too-large',
      remedy: expect.stringContaining('left(content'),
    });
  });

  it('writes CSV that tells null from an empty text', async () => {
    const sql = `SELECT * FROM (VALUES (1, NULL, ''), (2, 'a,"b"', E'x\\ny')) t(i, "a b", c)`;
    expect(await textOf(sql, csvText)).toBe('i,a b,c\n1,,""\n2,"a,""b""","x\ny"\n');
  });
});

describe('a place that refuses', () => {
  it('is named if there is no lake, and none is created', async () => {
    const empty = temporaryFolder();
    await expect(openLake(empty)).rejects.toMatchObject({ code: 'lake-missing' });
    await expect(openLake(empty)).rejects.toMatchObject({ code: 'lake-missing' });
  });

  it('stops a commit when the disk is full, and harms nothing', async () => {
    await bring(lake, { batch: 'b0' }, filingRows(1));
    const full = await openLake(folder, {
      tables: FEW_TABLES,
      storage: new LocalStorage(folder, failingFiles(3, 'refusal')),
    });
    const failing = bring(full, { batch: 'b1' }, filingRows(2));
    await expect(failing).rejects.toMatchObject({ code: 'lake-full', exitCode: 1 });
    await expect(failing).rejects.toHaveProperty('remedy', expect.stringContaining('Make room'));
    await full.close();
    expect(await lake.currentVersion()).toBe(0);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('can be read even if nothing can be written', async () => {
    await bring(lake, { batch: 'b0' }, together(filingRows(1), filingRows(2)));
    writeFileSync(path.join(folder, 'lake.sql'), '-- made by nobody\n');
    const readOnly = new LocalStorage(folder, failingFiles(1, 'crash'));
    await using reader = await openLake(folder, { tables: FEW_TABLES, storage: readOnly });
    expect(reader.unwritable).toMatchObject({ code: 'lake-unwritable' });
    expect(await reader.query('SELECT count(*) AS n FROM filings')).toEqual([{ n: 2 }]);
    await expect(bring(reader, { batch: 'b1' }, filingRows(3))).rejects.toMatchObject({ code: 'lake-unwritable' });
  });

  it('reports that its folder can not be created', async () => {
    const parent = path.join(temporaryFolder(), 'file');
    writeFileSync(parent, '');
    await expect(openLake(path.join(parent, 'lake'), { create: true })).rejects.toMatchObject({
      code: 'lake-unwritable',
    });
  });

  it('is found again under a name that SQL and globs might trip over', async () => {
    const odd = path.join(temporaryFolder(), "it's [a] *?lake %20");
    mkdirSync(odd);
    const named = await openLake(odd, { create: true, tables: FEW_TABLES });
    await bring(named, { batch: 'b*[1]' }, filingRows(1));
    expect(await named.query('SELECT count(*) AS n FROM documents')).toEqual([{ n: 2 }]);
    expect((await checkLake(named)).problems).toEqual([]);
    await named.close();
  });
});
