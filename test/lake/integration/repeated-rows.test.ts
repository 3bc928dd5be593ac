/** Two commits of the same rows by one run: of a batch that was tried twice, or of a run whose history was reset. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { type Row, TABLES } from '../../../src/lake/tables/index.ts';
import { bring, filingRows, type Rows, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { casesOfTier, quickIt } from '../../support/tier-cases.ts';

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
      expect(result.tables[table.name]).toMatchObject({ rows_new: 1, rows_dropped: 1, rows_total: 2 });
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
      expect(result.tables[table.name]).toMatchObject({ rows_new: 1, rows_dropped: 1, rows_total: 2 });
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
