/** Two commits of the same rows: of two runs, or of one run whose history was reset. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake, type Row } from '../../../src/lake/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { checkLake } from '../../../src/lake-report/index.ts';
import { TABLES } from '../../../src/tables/index.ts';
import { accession, bring, filingRows, type Rows, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { casesOfTier, quickDescribe, quickIt } from '../../support/tier-cases.ts';

let lake: Lake;
beforeEach(async () => {
  lake = await openLake(temporaryFolder(), { create: true });
});
afterEach(async () => {
  expect((await checkLake(lake)).problems).toEqual([]);
  await lake.close();
});

function entity(cik: string, name: string, tickers: string[], addresses: string[]): Rows {
  return {
    entities: [{ cik, name }],
    entity_tickers: tickers.map((ticker, position) => ({ cik, position, ticker })),
    entity_addresses: addresses.map((kind) => ({ cik, kind, street1: name })),
  };
}

async function everything(): Promise<Record<string, unknown[]>> {
  const tables = ['entities', 'entity_tickers', 'entity_addresses'];
  const of = async (table: string, columns: string) =>
    (await lake.query(`SELECT ${columns} AS v FROM ${table} ORDER BY ALL`)).map(({ v }) => v);
  const [entities, tickers, addresses] = tables as [string, string, string];
  return {
    entities: await of(entities, "cik || ' ' || name"),
    tickers: await of(tickers, "cik || ' ' || ticker"),
    addresses: await of(addresses, "cik || ' ' || kind || ' ' || street1"),
  };
}

quickDescribe('an entity that two exports write at the same time', () => {
  quickIt('is completely that of the first', async () => {
    await bring(lake, { run: 'a', batch: 'b', base: -1 }, entity('1', 'NEW INC', ['NEW'], ['business']));
    const old = entity('1', 'OLD INC', ['OLD', 'OLDW'], ['business', 'mailing']);
    const other = entity('2', 'OTHER', ['OTH'], ['mailing']);
    const result = await bring(lake, { run: 'b', batch: 'b', base: -1 }, together(old, other));
    expect(await everything()).toEqual({
      entities: ['1 NEW INC', '2 OTHER'],
      tickers: ['1 NEW', '2 OTH'],
      addresses: ['1 business NEW INC', '2 mailing OTHER'],
    });
    expect(result.tables.entity_tickers).toMatchObject({ rows_new: 1, rows_taken: 2 });
    expect(result.tables.entity_addresses).toMatchObject({ rows_new: 1, rows_taken: 2 });
  });

  quickIt('gets no tickers of the second if the first had none', async () => {
    await bring(lake, { run: 'a', batch: 'b', base: -1 }, entity('1', 'NEW INC', [], []));
    await bring(lake, { run: 'b', batch: 'b', base: -1 }, entity('1', 'OLD INC', ['OLD'], ['mailing']));
    expect(await everything()).toEqual({ entities: ['1 NEW INC'], tickers: [], addresses: [] });
  });

  quickIt('is that of the second if it replaces the whole entity', async () => {
    await bring(lake, { run: 'a', batch: 'b', base: -1 }, entity('1', 'OLD INC', ['OLD', 'OLDW'], ['mailing']));
    const replace = ['entities', 'entity_tickers', 'entity_addresses'].map((table) => ({
      table,
      columns: ['cik'],
      values: [['1']],
    }));
    await bring(lake, { run: 'b', batch: 'b', base: -1 }, entity('1', 'NEW INC', ['NEW'], []), replace);
    expect(await everything()).toEqual({ entities: ['1 NEW INC'], tickers: ['1 NEW'], addresses: [] });
  });
});

/** A row for each column that a key has, whatever its type. */
function someRow(table: (typeof TABLES)[number], value: string): Row {
  const cellOf = (type: string) =>
    type === 'INTEGER' || type === 'BIGINT' ? 1 : type === 'DATE' ? '2024-01-01' : type === 'BOOLEAN' ? false : value;
  return Object.fromEntries(
    table.columns
      .filter(({ name }) => table.key.includes(name) || name === 'accession_number')
      .map(({ name, type }) => [name, cellOf(type)]),
  );
}

/** In the quick tier: tables with and without coverage, one of a form, one about runs. */
const SAMPLE = ['filings', 'documents', 'entities', 'ownership_holdings', 'export_windows'];
const isInSample = ({ name }: (typeof TABLES)[number]) => SAMPLE.includes(name);

describe('two batches of one run, the second by another history of it', () => {
  // Tables of forms differ in nothing but their columns.
  const some = TABLES.filter(({ name, onDemand }) => !onDemand || name === 'ownership_holdings');
  it.each(casesOfTier(some, isInSample))(
    'leave no key twice in $name when the second was planned before the first',
    async (table) => {
      const rows = (value: string) => ({ [table.name]: [someRow(table, value)] });
      await bring(lake, { batch: 'batch-w-1-info-1', base: -1 }, rows('x'));
      const more = { [table.name]: [someRow(table, 'x'), someRow(table, 'y')] };
      const result = await bring(lake, { batch: 'batch-w-2-info-7', base: -1 }, more);
      expect(result.tables[table.name]).toMatchObject({ rows_new: 1, rows_dropped: 1, rows_total: 2, rows_taken: 0 });
    },
  );

  const uncovered = TABLES.filter(({ name, unit }) => unit === null || name.startsWith('entit'));
  it.each(casesOfTier(uncovered, isInSample))(
    'leave no key twice in $name when the second was planned after the first',
    async (table) => {
      await bring(lake, { batch: 'plan-w-1', base: -1 }, { [table.name]: [someRow(table, 'x')] });
      const more = { [table.name]: [someRow(table, 'x'), someRow(table, 'y')] };
      // The plan was made again after the first commit, under the same name, after the staging of the run was deleted.
      await lake.dropStaging('run');
      const result = await bring(lake, { batch: 'plan-w-1', base: 0 }, more);
      expect(result.tables[table.name]).toMatchObject({ rows_new: 1, rows_dropped: 1, rows_total: 2, rows_taken: 0 });
      await lake.compact();
      await lake.dropStaging('run');
      await bring(lake, { batch: 'plan-w-1', base: 2 }, more);
      expect(await lake.query(`SELECT count(*)::INT AS n FROM ${table.name}`)).toEqual([{ n: 2 }]);
    },
  );

  quickIt('keep an entity of the first without tickers unchanged', async () => {
    await bring(lake, { batch: 'entities-w-1', base: -1 }, entity('1', 'FIRST', [], ['business']));
    await lake.dropStaging('run');
    await bring(lake, { batch: 'entities-w-1', base: 0 }, entity('1', 'SECOND', ['SEC'], ['mailing']));
    expect(await everything()).toEqual({ entities: ['1 FIRST'], tickers: [], addresses: ['1 business FIRST'] });
  });

  quickIt('add other filings that the first lacked', async () => {
    await bring(lake, { batch: 'batch-w-1-info-1', base: -1 }, together(filingRows(1), filingRows(2)));
    const all = together(...[1, 2, 3, 4].map((n) => filingRows(n)));
    await bring(lake, { batch: 'batch-w-2-info-1', base: -1 }, all);
    const rows = await lake.query(
      'SELECT (SELECT count(*) FROM filings)::INT AS f, (SELECT count(*) FROM documents)::INT AS d',
    );
    expect(rows).toEqual([{ f: 4, d: 8 }]);
  });
});

quickDescribe('tables of forms of one filing that two runs map at the same time', () => {
  const accession_number = '0000000001-24-000001';
  const ofFiling = { columns: ['accession_number'], values: [[accession_number]] };
  const covered = (selector: string, status = 'done'): Row => ({
    ...{ accession_number, step: 'forms', selector, revision: 'r1', status, fetched_at: '2024-03-01T00:00:00Z' },
  });
  const report = (version: number): Row => ({ accession_number, mapping_version: version });
  const footnote = (version: number): Row => ({ accession_number, footnote_id: 'F1', mapping_version: version });
  const failure = { export: 'e', step: 'forms', subject: accession_number, accession_number, code: 'c', attempts: 1 };
  const replace = [
    ...['ownership_reports', 'ownership_footnotes'].map((table) => ({ table, ...ofFiling })),
    { table: 'coverage', columns: ['accession_number', 'step'], values: [[accession_number, 'forms']] },
    { table: 'export_failures', columns: ['step', 'subject'], values: [['forms', accession_number]] },
  ];
  const versions = async (table: string) =>
    (await lake.query(`SELECT mapping_version AS v FROM ${table}`)).map(({ v }) => Number(v));

  quickIt('have rows of the first only, even if the first has none in a table', async () => {
    await bring(lake, { batch: 'f' }, filingRows(1));
    const base = await lake.currentVersion();
    const first = { ownership_reports: [report(3)], coverage: [covered('mapping:3')] };
    await bring(lake, { run: 'a', batch: 'b', base }, first, replace);
    const second = {
      ownership_reports: [report(2)],
      ownership_footnotes: [footnote(2)],
      coverage: [covered('mapping:2')],
    };
    const { tables } = await bring(lake, { run: 'b', batch: 'b', base }, second, replace);
    expect(tables.ownership_footnotes).toMatchObject({ rows_new: 0, rows_taken: 1 });
    expect(await versions('ownership_reports')).toEqual([3]);
    expect(await versions('ownership_footnotes')).toEqual([]);
    expect(await lake.query(`SELECT selector FROM coverage WHERE step = 'forms'`)).toEqual([{ selector: 'mapping:3' }]);
  });

  quickIt('keep rows and failures of the first that the second replaces', async () => {
    await bring(lake, { batch: 'f' }, together(filingRows(1), { ownership_footnotes: [footnote(3)] }));
    const base = await lake.currentVersion();
    const first = { coverage: [covered('mapping:3', 'failed')], export_failures: [failure] };
    await bring(lake, { run: 'a', batch: 'b', base }, first, replace.slice(2));
    const second = { ownership_reports: [report(2)], coverage: [covered('mapping:2')] };
    await bring(lake, { run: 'b', batch: 'b', base }, second, replace);
    expect(await versions('ownership_reports')).toEqual([]);
    expect(await versions('ownership_footnotes')).toEqual([3]);
    expect(await lake.query('SELECT export FROM export_failures')).toEqual([{ export: 'e' }]);
  });

  quickIt('commit those of other filings if the first wins a race for a version', async () => {
    await bring(lake, { batch: 'f' }, together(filingRows(1), filingRows(2)));
    const base = await lake.currentVersion();
    const other = { accession_number: accession(2) };
    const storage = new LocalStorage(lake.root);
    const putIfAbsent = storage.putIfAbsent.bind(storage);
    let races = 0;
    storage.putIfAbsent = async (file, bytes) => {
      if (/^_lake\/\d+\.json$/.test(file) && races++ === 0)
        await bring(lake, { run: 'a', batch: 'b', base }, { coverage: [covered('mapping:3', 'absent')] });
      return putIfAbsent(file, bytes);
    };
    const racing = await openLake(lake.root, { storage });
    const rows = {
      ownership_reports: [{ ...report(3), ...other }],
      ownership_footnotes: [footnote(3)],
      coverage: [covered('mapping:3'), { ...covered('mapping:3'), ...other }],
    };
    const { tables } = await bring(racing, { run: 'b', batch: 'b', base }, rows);
    await racing.close();
    expect(races).toBe(2);
    expect(tables.ownership_reports).toMatchObject({ rows_new: 1, rows_taken: 0 });
    expect(tables.ownership_footnotes).toMatchObject({ rows_new: 0, rows_taken: 1 });
    expect((await checkLake(lake)).unnamed.files).toBe(0);
  });
});
