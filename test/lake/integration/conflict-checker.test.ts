/** Two commits of the same rows: of two runs, or of one run whose history was reset. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake, type Row } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { LocalStorage } from '../../../src/lake/storage/local/local-storage.ts';
import { TABLES } from '../../../src/lake/tables/index.ts';
import { accession, bring, filingRows, type Rows, together, wholeFiling } from '../../support/lake/small-lake.ts';
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

quickDescribe('a filing that another run has written or claimed since a batch was planned', () => {
  const failure = (n: number, name = 'e'): Row => ({
    export: name,
    step: 'info',
    subject: accession(n),
    accession_number: accession(n),
    code: 'c',
    attempts: 1,
  });
  const claim = (n: number, run_id: string, pass = 'info'): Row => ({
    export: run_id,
    accession_number: accession(n),
    pass,
    steps: pass,
    revision: 'r1',
    run_id,
    window: 'w',
  });
  const replace = [
    ...wholeFiling(1, 2),
    { table: 'export_failures', columns: ['step', 'subject'], values: [1, 2].map((n) => ['info', accession(n)]) },
  ];
  const state = async () => {
    const [row] = await lake.query(
      `SELECT (SELECT list(entity_name ORDER BY accession_number) FROM filings) AS filings,
         (SELECT count(*)::INT FROM documents) AS documents, (SELECT list(export ORDER BY export) FROM export_failures) AS failures`,
    );
    const lists = [row!.filings, row!.failures].map((list) => [...((list as Iterable<unknown> | null) ?? [])]);
    return { filings: lists[0], documents: row!.documents, failures: lists[1] };
  };

  quickIt.each([
    ['written', filingRows(1, 'theirs', 0)],
    ['claimed', { export_plans: [claim(1, 'a')] }],
  ] as [string, Rows][])(
    'is left out whole if it was %s: rows, replacements and failures; others are committed',
    async (_, theirs) => {
      const before = [filingRows(1, 'old'), filingRows(2, 'old'), { export_failures: [failure(1), failure(2)] }];
      await bring(lake, { batch: 'f' }, together(...before));
      const base = await lake.currentVersion();
      await bring(lake, { run: 'a', batch: 'b', base }, theirs, 'coverage' in theirs ? wholeFiling(1) : []);
      const kept = await state();
      const ours = together(filingRows(1, 'ours', 3), filingRows(2, 'ours', 3), {
        export_failures: [failure(1, 'ours')],
      });
      await expect(bring(lake, { run: 'b', batch: 'p', base, whole: true }, ours, replace)).rejects.toMatchObject({
        code: 'plan-outdated',
      });
      expect(await state()).toEqual(kept);
      const { tables } = await bring(lake, { run: 'b', batch: 'b', base }, ours, replace);
      expect(tables.coverage).toMatchObject({ rows_taken: 1 });
      const first = 'coverage' in theirs ? 'theirs' : 'old';
      const documents = 'coverage' in theirs ? 3 : 5;
      expect(await state()).toEqual({ filings: [first, 'ours'], documents, failures: ['e'] });
    },
  );

  quickIt('is ours if the other claims only an entity that it names', async () => {
    await bring(lake, { batch: 'f' }, filingRows(1));
    const base = await lake.currentVersion();
    await bring(lake, { run: 'a', batch: 'b', base }, { export_plans: [claim(1, 'a', 'entities')] });
    const { tables } = await bring(lake, { run: 'b', batch: 'b', base }, { export_plans: [claim(1, 'b')] });
    expect(tables.export_plans).toMatchObject({ rows_new: 1, rows_taken: 0 });
  });

  quickIt('is left out if it was written while the commit lost a race for a version', async () => {
    await bring(lake, { batch: 'f' }, together(filingRows(1), filingRows(2)));
    const base = await lake.currentVersion();
    const storage = new LocalStorage(lake.root);
    const putIfAbsent = storage.putIfAbsent.bind(storage);
    let races = 0;
    storage.putIfAbsent = async (file, bytes) => {
      if (/^_lake\/\d+\.json$/.test(file) && races++ === 0)
        await bring(lake, { run: 'a', batch: 'b', base }, filingRows(1, 'theirs'), wholeFiling(1));
      return putIfAbsent(file, bytes);
    };
    const racing = await openLake(lake.root, { storage });
    const rows = together(filingRows(1, 'ours'), filingRows(2, 'ours'));
    await bring(racing, { run: 'b', batch: 'b', base }, rows, replace);
    await racing.close();
    expect(races).toBe(2);
    expect(await state()).toMatchObject({ filings: ['theirs', 'ours'] });
    expect((await checkLake(lake)).unnamed.files).toBe(0);
  });

  quickIt('can’t be judged if their part is gone: the batch is refused, and planned again', async () => {
    await bring(lake, { batch: 'f' }, filingRows(1, 'old'));
    const base = await lake.currentVersion();
    await bring(lake, { run: 'a', batch: 'b', base }, filingRows(1, 'theirs'), wholeFiling(1));
    await lake.dropStaging('a');
    await bring(lake, { run: 'c', batch: 'b' }, filingRows(1, 'newer'), wholeFiling(1));
    await lake.dropStaging('c');
    await lake.dropStaging('run');
    await lake.vacuum({ keepMs: 0, nowMs: Date.now() + 30 * 24 * 3600 * 1000 });
    const late = bring(lake, { run: 'b', batch: 'b', base }, filingRows(1, 'ours'), wholeFiling(1));
    await expect(late).rejects.toMatchObject({ code: 'plan-outdated' });
    expect(await state()).toMatchObject({ filings: ['newer'] });
  });
});
