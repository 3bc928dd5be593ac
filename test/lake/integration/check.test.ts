import { appendFileSync, copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { accession, bring, FEW_TABLES, filingRows, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const unspied = DuckDBConnection.prototype.run;

let folder: string;
let lake: Lake;

beforeEach(async () => {
  folder = temporaryFolder();
  lake = await openLake(folder, { create: true, tables: FEW_TABLES });
  await bring(lake, { batch: 'b0' }, together(filingRows(1), filingRows(2)));
  await bring(lake, { batch: 'b1' }, filingRows(3));
});
afterEach(() => lake.close());

async function codes(): Promise<string[]> {
  const report = await checkLake(lake);
  expect(report.ok).toBe(report.problems.length === 0);
  return [...new Set(report.problems.map(({ code }) => code))].sort();
}

function parts(table: string): string[] {
  const names = readdirSync(path.join(folder, table)).filter((name) => name.endsWith('.parquet'));
  return names.map((name) => path.join(folder, table, name));
}

describe('a lake whose log lost a commit in its middle', () => {
  it('is refused, and not read as the older lake that it would seem to be', async () => {
    rmSync(path.join(folder, '_lake', `${'0'.repeat(20)}.json`));
    const opened = openLake(folder, { tables: FEW_TABLES });
    await expect(opened).rejects.toMatchObject({
      code: 'lake-damaged',
      message: expect.stringContaining('.json is missing'),
    });
  });
});

describe('lake check', () => {
  it('finds no problem in a sound lake', async () => {
    expect(await codes()).toEqual([]);
    const report = await checkLake(lake);
    expect(report.tables.filings).toEqual({ rows: 3, parts: 2, bytes: expect.any(Number) as number });
  });

  it('counts the rows of a table whose parts can be read in one statement, and asks nothing of a table without rows', async () => {
    const statements: string[] = [];
    const run = vi.spyOn(DuckDBConnection.prototype, 'run');
    run.mockImplementation(function (this: DuckDBConnection, sql, ...others) {
      statements.push(sql);
      return unspied.call(this, sql, ...others);
    });
    try {
      await checkLake(lake);
    } finally {
      run.mockRestore();
    }
    const filled = [...(await lake.snapshot()).tables].filter(([, { parts }]) => parts.size > 0).map(([name]) => name);
    const counted = statements.filter((sql) => sql.includes('parquet_file_metadata'));
    expect(counted).toHaveLength(filled.length);
    const keys = statements.flatMap((sql) => /^SELECT 1 FROM "(\w+)" GROUP BY .* IS NULL/.exec(sql)?.[1] ?? []);
    expect(new Set(keys)).toEqual(new Set(filled));
  });

  it('finds a missing part, and its consequences', async () => {
    const [part] = [...(await lake.snapshot()).tables.get('filings')!.parts.values()].filter(({ rows }) => rows === 2);
    rmSync(path.join(folder, 'filings', part!.part));
    expect(await codes()).toEqual(['part-missing', 'reference-broken']);
    const report = await checkLake(lake);
    expect(report.problems.map(({ message }) => message).join('\n')).toContain(`${part!.part} is missing (2 rows)`);
  });

  it('finds a part of the wrong size, with other rows, or that is not Parquet', async () => {
    const [one] = parts('coverage');
    appendFileSync(one!, 'x');
    expect(await codes()).toEqual(['part-size']);
    writeFileSync(one!, Buffer.alloc(statSync(one!).size - 1));
    expect(await codes()).toEqual(['part-unreadable']);
  });

  it('finds a part in the place of another', async () => {
    const [one, two] = parts('documents').sort((a, b) => statSync(a).size - statSync(b).size);
    copyFileSync(one!, two!);
    const found = await codes();
    expect(found.some((code) => code === 'part-size' || code === 'part-rows')).toBe(true);
  });

  it('finds repeated keys', async () => {
    await bring(lake, { batch: 'b2' }, filingRows(1));
    expect(await codes()).toEqual(['key-repeated']);
    const report = await checkLake(lake);
    expect(report.problems[0]!.message).toContain(accession(1));
  });

  it('finds rows without the row that they belong to', async () => {
    await bring(
      lake,
      { batch: 'b2' },
      { documents: [{ document_id: `${accession(9)}-1`, accession_number: accession(9) }] },
    );
    expect(await codes()).toEqual(['reference-broken']);
  });

  it('does not require parents in a table that no export needed', async () => {
    await using other = await openLake(temporaryFolder(), { create: true, tables: FEW_TABLES });
    await bring(
      other,
      { batch: 'b' },
      { documents: [{ document_id: `${accession(9)}-1`, accession_number: accession(9) }] },
    );
    expect((await checkLake(other)).problems).toEqual([]);
  });

  it('finds a commit of the log that was changed, and one that is gone', async () => {
    const commit = path.join(folder, '_lake', '00000000000000000001.json');
    const text = readFileSync(commit, 'utf8');
    writeFileSync(commit, text.replace(/"filings":3/, '"filings":4'));
    await lake.close();
    await expect(openLake(folder, { tables: FEW_TABLES })).rejects.toMatchObject({ code: 'lake-damaged' });
    writeFileSync(commit, text.slice(0, 100));
    await expect(openLake(folder, { tables: FEW_TABLES })).rejects.toMatchObject({ code: 'lake-damaged' });
    writeFileSync(commit, text);
    lake = await openLake(folder, { tables: FEW_TABLES });
    expect(await codes()).toEqual([]);
  });

  it('names files that belong to no version, which is not a problem', async () => {
    copyFileSync(parts('filings')[0]!, path.join(folder, 'filings', 'part-left.zstd.parquet'));
    const report = await checkLake(lake);
    expect(report.ok).toBe(true);
    expect(report.unnamed).toMatchObject({ files: 1 });
  });
});
