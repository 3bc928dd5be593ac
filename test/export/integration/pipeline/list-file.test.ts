/** Files of values: columns of Parquet files as pandas, DuckDB and Spark write them; texts in another encoding than UTF-8. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readListFile } from '../../../../src/export/pipeline/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

let folder: string;
let engine: DuckDBInstance;

beforeAll(async () => {
  folder = temporaryFolder();
  engine = await DuckDBInstance.create(':memory:');
});
afterAll(() => engine.closeSync());

async function parquet(name: string, select: string): Promise<string> {
  const file = join(folder, name);
  const connection = await engine.connect();
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  return file;
}

describe('a column of a Parquet file', () => {
  it.each([
    ['texts with zeros before them', "SELECT unnest(['0000320193', '789019', ' 320193 ']) AS cik"],
    ['whole numbers', 'SELECT unnest([320193, 789019, 320193]::BIGINT[]) AS cik'],
    ['small whole numbers', 'SELECT unnest([320193, 789019]::UINTEGER[]) AS cik'],
    ['doubles, with NaN and null', "SELECT unnest([320193, 'nan'::DOUBLE, 789019, null]::DOUBLE[]) AS cik"],
    ['decimals', 'SELECT unnest([320193, 789019]::DECIMAL(12, 2)[]) AS cik'],
    ['bytes', "SELECT unnest(['320193', '789019', '']::BLOB[]) AS cik"],
    ['a dictionary', "SELECT unnest(['320193', '789019']::ENUM('320193', '789019')[]) AS cik"],
    ['other columns', "SELECT unnest(['a', 'b']) AS conm, unnest([320193, 789019]) AS CIK, 1 AS year"],
  ])('gives CIKs: %s', async (name, select) => {
    const file = await parquet(`${name}.parquet`, select);
    expect(await readListFile({ file }, 'ciks')).toMatchObject({ values: ['320193', '789019'], wrong: null });
  });

  it('needs no name that ends in .parquet, and may have one that is a pattern', async () => {
    await parquet('firms1.parquet', 'SELECT 1 AS cik');
    const made = await parquet('plain', 'SELECT 2 AS cik');
    for (const name of ['firms[1].parquet', 'firms*.dat', "fir'ms?"]) {
      const file = join(folder, name);
      copyFileSync(made, file);
      expect((await readListFile({ file }, 'ciks')).values).toEqual(['2']);
    }
  });

  it('loses and doubles none of 100,000, in their order', async () => {
    const file = await parquet(
      'many.parquet',
      'SELECT (i * 7919) % 100003 + 1 AS cik, i AS position FROM range(150000) t(i) ORDER BY position',
    );
    const { values } = await readListFile({ file }, 'ciks');
    const expected = new Set(Array.from({ length: 150_000 }, (_, i) => String(((i * 7919) % 100_003) + 1)));
    expect(values).toEqual([...expected]);
  });

  it('is named, and its wrong cell has a row', async () => {
    const file = await parquet('two.parquet', "SELECT unnest(['1', null, 'x']) AS a, unnest(['A', 'B.C', 'D']) AS b");
    expect((await readListFile({ file, column: 'b' }, 'tickers')).values).toEqual(['A', 'B.C', 'D']);
    expect((await readListFile({ file, column: 'A' }, 'ciks')).wrong).toEqual({ line: 3, column: 1, text: 'x' });
    await expect(readListFile({ file }, 'ciks')).rejects.toThrow('no column of CIKs is named so; the file has a, b');
    await expect(readListFile({ file, column: 'q' }, 'ciks')).rejects.toThrow('there is no column q');
    const floats = await parquet('floats.parquet', 'SELECT 320193.5::DOUBLE AS cik');
    expect((await readListFile({ file: floats }, 'ciks')).wrong).toMatchObject({ text: '320193.5' });
  });

  it('is refused if the file is broken', async () => {
    const file = join(folder, 'broken.parquet');
    writeFileSync(file, 'PAR1 and nothing else');
    await expect(readListFile({ file }, 'ciks')).rejects.toThrow();
  });
});

describe('a file of texts', () => {
  it('in UTF-16 is refused, and may be empty or missing', async () => {
    const file = join(folder, 'utf16.txt');
    writeFileSync(file, Buffer.from('\ufeff320193\n', 'utf16le'));
    await expect(readListFile({ file }, 'ciks')).rejects.toThrow('it is UTF-16: save it as UTF-8');
    writeFileSync(file, '');
    expect((await readListFile({ file }, 'ciks')).values).toEqual([]);
    await expect(readListFile({ file: join(folder, 'none') }, 'ciks')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
