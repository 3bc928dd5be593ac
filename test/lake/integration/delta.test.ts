import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import type { TableDefinition } from '../../../src/lake/tables/index.ts';
import { accession, bring, FEW_TABLES, filingRows, wholeFiling } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { jsonRows } from '../../support/shared.ts';

let folder: string;
let lake: Lake;

beforeEach(async () => {
  folder = temporaryFolder();
  lake = await openLake(folder, { create: true, tables: FEW_TABLES });
});
afterEach(() => lake.close());

const logOf = (table: string) => path.join(folder, table, '_delta_log');
const commitFiles = (table: string) => readdirSync(logOf(table)).filter((name) => /^\d{20}\.json$/.test(name));

function actions(table: string, deltaVersion: number): Record<string, Record<string, unknown>>[] {
  return jsonRows(path.join(logOf(table), commitFiles(table)[deltaVersion]!));
}

async function reopen(tables: readonly TableDefinition[] = FEW_TABLES): Promise<void> {
  await lake.close();
  lake = await openLake(folder, { tables });
}

describe('the Delta log of a table', () => {
  it('begins with the empty table, in the oldest protocol that holds its types', () => {
    expect(actions('documents', 0)[1]).toEqual({ protocol: { minReaderVersion: 1, minWriterVersion: 2 } });
    expect(actions('filings', 0)[1]!.protocol).toMatchObject({ minReaderVersion: 3, readerFeatures: ['timestampNtz'] });
    const { fields } = JSON.parse(actions('filings', 0)[2]!.metaData!.schemaString as string) as {
      fields: { name: string; type: string }[];
    };
    expect(fields.map(({ type }) => type)).toEqual([
      'string',
      'string',
      'string',
      'date',
      'timestamp_ntz',
      'string',
      'date',
      'long',
      'string',
      'boolean',
      'timestamp',
    ]);
  });

  it('has a commit for each version of the lake that changed the table, and none for the others', async () => {
    await bring(lake, { batch: 'b0' }, filingRows(1));
    await bring(lake, { batch: 'b1' }, { entities: [{ cik: '1', name: 'x' }] });
    await bring(lake, { batch: 'b2' }, filingRows(1, 'r2'), wholeFiling(1));
    const transactions = [1, 2].map((version) => actions('filings', version).find(({ txn }) => txn)!.txn);
    expect(transactions).toMatchObject([
      { appId: 'filinglake', version: 0 },
      { appId: 'filinglake', version: 2 },
    ]);
    expect(commitFiles('entities')).toHaveLength(2);
    expect(actions('filings', 2).filter(({ remove }) => remove)).toHaveLength(1);
    const versions = await lake.versions(3);
    expect(versions.map(({ version, delta }) => [version, delta.filings, delta.entities])).toEqual([
      [2, 2, 1],
      [1, 1, 1],
      [0, 1, 0],
    ]);
  });

  it('is completed by the next command if it lacks commits, or is missing', async () => {
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const kept = readFileSync(path.join(logOf('filings'), commitFiles('filings')[3]!), 'utf8');
    rmSync(path.join(logOf('filings'), commitFiles('filings')[3]!));
    rmSync(path.join(logOf('filings'), commitFiles('filings')[2]!));
    rmSync(logOf('documents'), { recursive: true });
    rmSync(path.join(folder, 'lake.sql'));
    expect((await checkLake(lake)).problems.map(({ code }) => code).sort()).toEqual([
      'delta-behind',
      'delta-behind',
      'lake-sql-behind',
    ]);
    await reopen();
    expect((await checkLake(lake)).problems).toEqual([]);
    expect(readFileSync(path.join(logOf('filings'), commitFiles('filings')[3]!), 'utf8')).toBe(kept);
  });

  it('is read from its checkpoint if the earlier commits were deleted', async () => {
    for (let n = 0; n < 12; n++) {
      await bring(lake, { batch: `b${n}` }, filingRows(n, `r${n}`), n % 4 === 3 ? wholeFiling(n - 1) : []);
    }
    expect(readdirSync(logOf('filings'))).toContain('00000000000000000010.checkpoint.parquet');
    expect(JSON.parse(readFileSync(path.join(logOf('filings'), '_last_checkpoint'), 'utf8'))).toMatchObject({
      version: 10,
    });
    for (const name of commitFiles('filings').slice(0, 11)) rmSync(path.join(logOf('filings'), name));
    await reopen();
    expect((await checkLake(lake)).problems).toEqual([]);
    await bring(lake, { batch: 'last' }, filingRows(20));
    expect((await checkLake(lake)).problems).toEqual([]);
    // Even with no commit left but the checkpoint, its version is known.
    for (const name of commitFiles('filings')) rmSync(path.join(logOf('filings'), name));
    await reopen();
    expect((await checkLake(lake)).problems).toEqual([]);
    expect(commitFiles('filings')).toEqual([
      '00000000000000000011.json',
      '00000000000000000012.json',
      '00000000000000000013.json',
    ]);
  });

  it('is reported by check if another tool wrote to it', async () => {
    await bring(lake, { batch: 'b0' }, filingRows(1));
    const remove = { remove: { path: actions('filings', 1).find(({ add }) => add)!.add!.path, dataChange: true } };
    writeFileSync(path.join(logOf('filings'), '00000000000000000002.json'), `${JSON.stringify(remove)}\n`);
    expect((await checkLake(lake)).problems).toMatchObject([{ code: 'delta-differs', table: 'filings' }]);
    await bring(lake, { batch: 'b1' }, filingRows(2));
    expect(commitFiles('filings')).toHaveLength(4);
    // Our next commit undoes the other tool's.
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('shows no row twice when another tool has optimized the table, and a filing is replaced here', async () => {
    for (let n = 0; n < 3; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
    const adds = [1, 2, 3].map((version) => actions('filings', version).find(({ add }) => add)!.add!);
    const optimized = [
      { commitInfo: { operation: 'OPTIMIZE', engineInfo: 'another tool' } },
      ...adds.map(({ path: file }) => ({ remove: { path: file, dataChange: false } })),
      {
        add: {
          path: 'part-00000-other.parquet',
          size: 999,
          partitionValues: {},
          modificationTime: 1,
          dataChange: false,
        },
      },
    ];
    const file = path.join(logOf('filings'), '00000000000000000004.json');
    writeFileSync(file, optimized.map((action) => `${JSON.stringify(action)}\n`).join(''));
    await bring(lake, { batch: 'c' }, filingRows(1, 'r2'), wholeFiling(1));
    const realigned = actions('filings', 5);
    expect(realigned.flatMap(({ remove }) => remove?.path ?? [])).toEqual(['part-00000-other.parquet']);
    const live = [...(await lake.snapshot()).tables.get('filings')!.parts.keys()];
    expect(realigned.flatMap(({ add }) => add?.path ?? []).sort()).toEqual(live.sort());
    expect((await checkLake(lake)).problems).toEqual([]);
    await reopen();
    await bring(lake, { batch: 'd' }, filingRows(9));
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('continues after its checkpoint if another tool has deleted the commits that a worker remembers', async () => {
    await bring(lake, { batch: 'b0' }, filingRows(0));
    await using other = await openLake(folder, { tables: FEW_TABLES });
    for (let n = 1; n < 12; n++) await bring(other, { batch: `b${n}` }, filingRows(n));
    for (const name of commitFiles('filings').slice(0, 8)) rmSync(path.join(logOf('filings'), name));
    await bring(lake, { batch: 'b12' }, filingRows(12));
    expect(commitFiles('filings').at(-1)).toBe('00000000000000000013.json');
    expect(commitFiles('filings')[0]).toBe('00000000000000000008.json');
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe("the lake's log", () => {
  it('is read from a snapshot each fifty commits, and as of any version', async () => {
    const few = FEW_TABLES.filter(({ name }) => name === 'entities');
    const other = temporaryFolder();
    const small = await openLake(other, { create: true, tables: few });
    for (let n = 0; n < 53; n++) await bring(small, { batch: `b${n}` }, { entities: [{ cik: String(n), name: 'x' }] });
    const snapshots = readdirSync(path.join(other, '_lake')).filter((name) => name.endsWith('.snapshot.json'));
    expect(snapshots).toEqual(['00000000000000000049.snapshot.json']);
    await small.close();
    await using again = await openLake(other, { tables: few });
    expect(await again.currentVersion()).toBe(52);
    for (const at of [0, 48, 49, 50, 52]) {
      expect(await again.query('SELECT count(*) AS n FROM entities', { at }), String(at)).toEqual([{ n: at + 1 }]);
    }
    expect((await checkLake(again)).problems).toEqual([]);
    await expect(again.query('SELECT 1', { at: 53 })).rejects.toMatchObject({
      code: 'lake-version-unknown',
      exitCode: 2,
    });
  });
});

describe('a column that a later version adds', () => {
  const wider: TableDefinition[] = FEW_TABLES.map((table) =>
    table.name === 'filings'
      ? {
          ...table,
          columns: [...table.columns, { name: 'file_number', type: 'VARCHAR' as const, meaning: 'number of the file' }],
        }
      : table,
  );
  const rows = (n: number) => ({ filings: [{ accession_number: accession(n), file_number: `f${n}` }] });

  it('is null in the parts from before, also when they are rewritten', async () => {
    await bring(lake, { batch: 'b0' }, { filings: [1, 2, 3].map((n) => ({ accession_number: accession(n) })) });
    await reopen(wider);
    await bring(lake, { batch: 'b1' }, rows(4));
    const ask = () => lake.query('SELECT accession_number AS a, file_number AS f FROM filings ORDER BY 1');
    expect((await ask()).map(({ f }) => f)).toEqual([null, null, null, 'f4']);
    await bring(lake, { batch: 'b2' }, rows(2), [
      { table: 'filings', columns: ['accession_number'], values: [[accession(2)]] },
    ]);
    expect((await ask()).map(({ f }) => f)).toEqual([null, 'f2', null, 'f4']);
    expect((await checkLake(lake)).problems).toEqual([]);
    const schemas = [0, 1, 2, 3].map((version) => actions('filings', version).some(({ metaData }) => metaData));
    expect(schemas).toEqual([true, false, true, false]);
  });

  it('of times without a zone comes with the protocol that it needs, once', async () => {
    const timed = FEW_TABLES.map((table) => ({
      ...table,
      columns: [...table.columns, { name: 'seen_at', type: 'TIMESTAMP' as const, meaning: 'a time' }],
    }));
    await bring(lake, { batch: 'b0' }, filingRows(1));
    await reopen(timed);
    const seen_at = '2024-01-02T03:04:05';
    for (const n of [2, 3])
      await bring(lake, { batch: `b${n}` }, { documents: [{ document_id: `${accession(n)}-1`, seen_at }] });
    const protocols = [0, 1, 2, 3].map((version) => actions('documents', version).find(({ protocol }) => protocol));
    expect(protocols.map((action) => action?.protocol?.minReaderVersion)).toEqual([1, undefined, 3, undefined]);
    expect((await checkLake(lake)).problems).toEqual([]);
    // As a release wrote it that forgot it.
    const file = path.join(logOf('documents'), commitFiles('documents')[2]!);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, lines.filter((line) => !line.startsWith('{"protocol"')).join('\n'));
    expect((await checkLake(lake)).problems).toMatchObject([{ code: 'delta-differs', table: 'documents' }]);
  });

  it('keeps an older filinglake from writing, not from reading', async () => {
    await reopen(wider);
    await bring(lake, { batch: 'b0' }, rows(1));
    const files = () => [commitFiles('filings'), readFileSync(path.join(folder, 'lake.sql'), 'utf8')];
    const before = files();
    await reopen();
    expect(files()).toEqual(before);
    // Even if the log is behind.
    rmSync(path.join(logOf('filings'), commitFiles('filings')[1]!));
    await reopen();
    expect(commitFiles('filings')).toHaveLength(1);
    await reopen(wider);
    await reopen();
    expect(files()).toEqual(before);
    expect(await lake.query('SELECT * FROM filings')).toHaveLength(1);
    await expect(bring(lake, { batch: 'b1' }, filingRows(2))).rejects.toMatchObject({ code: 'lake-newer' });
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});
