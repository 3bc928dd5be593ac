/** `lake check` holds what exports were expected against the rows; lakes are damaged by commits as real as any. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { type Row, TABLES } from '../../../src/lake/tables/index.ts';
import { accession, bring, together } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

let lake: Lake;
let commits = 0;

beforeEach(async () => {
  commits = 0;
  lake = await openLake(temporaryFolder(), { create: true, tables: READ });
});
afterEach(() => lake.close());

/** All tables cost a check four times as much. */
const READ = TABLES.filter(({ name }) =>
  /^(export_.*|entities|filings|parties|documents|document_contents|coverage)$/.test(name),
);

const FORMS = ['10-K', '10-K/A', '8-K'] as const;

/** Ten filings: one a day from 2024-03-01 on, forms in turn; each has a second party, 100 + n. */
function filings(numbers: readonly number[]): Record<string, Row[]> {
  return {
    filings: numbers.map((n) => ({
      accession_number: accession(n),
      cik: String(n % 2),
      form_type: FORMS[n % 3]!,
      filing_date: `2024-03-${String(n + 1).padStart(2, '0')}`,
    })),
    parties: numbers.flatMap((n) => [
      { accession_number: accession(n), position: 0, role: 'filer', cik: String(n % 2) },
      { accession_number: accession(n), position: 1, role: 'filed_by', cik: String(100 + n) },
    ]),
    coverage: numbers.map((n) => ({
      accession_number: accession(n),
      step: 'filing',
      selector: 'documents,filings',
      revision: 'r',
      status: 'done',
    })),
  };
}

const TEN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

function window(name: string, found: number, more: Row = {}): Row {
  return { run_id: '20240401T000000Z-a', window: name, filter: '{}', expected: found, found, proven: true, ...more };
}

function run(run_id = '20240401T000000Z-a', name = 'ten'): Row {
  return { run_id, export: name, definition: JSON.stringify({ tables: ['filings', 'parties'] }), state: 'completed' };
}

async function commit(rows: Record<string, Row[]>, replace: Parameters<typeof bring>[3] = []) {
  await bring(lake, { batch: `b${commits++}` }, rows, replace);
}

/** Removes filings from a table, like a bug that replaces rows without adding any. */
async function lose(table: string, numbers: readonly number[]) {
  await commit({ export_runs: [run(`x${commits}`, 'other')] }, [
    { table, columns: ['accession_number'], values: numbers.map((n) => [accession(n)]) },
  ]);
}

async function problems(): Promise<string[]> {
  return (await checkLake(lake)).problems.map(({ code, message }) => `${code}: ${message}`);
}

describe('the windows of exports', () => {
  const FILTERS: readonly [name: string, more: Row, count: number][] = [
    ['everything', {}, 10],
    ['a range of dates', { date_from: '2024-03-02', date_to: '2024-03-04' }, 3],
    ['an open range', { date_from: '2024-03-08' }, 3],
    ['forms', { filter: '{"form_types":["10-K","10-k/a"]}' }, 7],
    ['excluded forms', { filter: '{"excluded_form_types":["8-K"]}' }, 7],
    ['no amendments', { filter: '{"exclude_amendments":true}' }, 7],
    ['a filer', { filter: '{"entity_query":{"ciks":["0000000001"]}}' }, 5],
    ['any party', { filter: '{"entity_query":{"ciks":["104","105"]}}' }, 2],
    ['all of it', { filter: '{"entity_query":{"ciks":["1"]},"form_types":["8-K"]}', date_to: '2024-03-06' }, 1],
  ];

  it('are checked by the rows that satisfy the filter: one less than found is one too few', async () => {
    const windows = (missing: number) =>
      FILTERS.map(([name, more, count]) => window(name, count + missing, { filter: '{}', ...more }));
    await commit(together(filings(TEN), { export_windows: windows(0), export_runs: [run()] }));
    const whole = await checkLake(lake);
    expect(whole.problems).toEqual([]);
    const { length } = FILTERS;
    expect(whole.windows).toEqual({
      windows: length,
      checked: length,
      checked_in_part: 0,
      not_checked: 0,
      unproven: [],
    });
    const rows = { export_windows: windows(1) };
    await commit(rows, [{ table: 'export_windows', columns: ['run_id'], values: [['20240401T000000Z-a']] }]);
    const short = FILTERS.map(
      ([name, , count]) =>
        `window-short: window ${name} of ten (run 20240401T000000Z-a): the service counted ${count + 1}, ${count + 1} were found, and filings has ${count} such rows`,
    );
    expect((await problems()).sort()).toEqual(short.sort());
  });

  it('show when filings got lost behind them, and which coverage is wrong', async () => {
    const parts = [window('w-1', 5, { date_to: '2024-03-05' }), window('w-2', 5, { date_from: '2024-03-06' })];
    await commit(together(filings(TEN), { export_windows: parts, export_runs: [run()] }));
    expect(await problems()).toEqual([]);
    await lose('filings', [6, 7]);
    const found = await problems();
    expect(found.filter((one) => one.startsWith('window-short'))).toEqual([
      'window-short: window w-2 of ten (run 20240401T000000Z-a): the service counted 5, 5 were found, and filings has 3 such rows',
    ]);
    expect(found).toContainEqual(
      `coverage-without-rows: coverage has 2 lookups of filings as done, and filings lacks them: ${accession(6)}, ${accession(7)}`,
    );
    expect((await checkLake(lake)).ok).toBe(false);
  });

  it('excuse filings whose record could not be stored, by their recorded failures', async () => {
    const failure = {
      export: 'ten',
      step: 'filing',
      subject: accession(10),
      accession_number: accession(10),
      code: 'contract-broken',
    };
    const rows = { export_windows: [window('w', 11)], export_runs: [run()] };
    await commit(together(filings(TEN), rows, { export_failures: [{ ...failure, export: 'other' }] }));
    expect(await problems()).toHaveLength(1);
    await commit({ export_failures: [failure] });
    expect(await problems()).toEqual([]);
  });

  it('are checked with amendments if the service treats a form as a prefix', async () => {
    const rows = { export_windows: [window('w', 7, { filter: '{"form_types":["10-K"]}' })], export_runs: [run()] };
    await commit(together(filings(TEN), rows));
    expect(await checkLake(lake)).toMatchObject({ ok: true, windows: { checked: 0, checked_in_part: 1 } });
    await lose('filings', [0]);
    expect((await problems()).join('\n')).toContain('7 were found, and filings has 3 such rows');
  });

  it('count for the newest run of an export alone', async () => {
    const older = { run_id: '20240301T000000Z-z', window: 'w', filter: '{}', expected: 99, found: 99, proven: true };
    const rows = { export_windows: [older, window('w', 10)], export_runs: [run(), run('20240301T000000Z-z')] };
    await commit(together(filings(TEN), rows));
    expect(await checkLake(lake)).toMatchObject({ ok: true, windows: { windows: 1, checked: 1 } });
    await commit({ export_runs: [run('20240301T000000Z-z', 'older')] }, [
      { table: 'export_runs', columns: ['run_id'], values: [['20240301T000000Z-z']] },
    ]);
    expect(await problems()).toHaveLength(1);
  });

  it('are checked as far as rows can answer the filter, and not at all if rows can’t', async () => {
    const rows = [
      window('w-1', 10, { filter: '{"entity_query":{"tickers":["X"]}}' }),
      window('w-2', 3, { filter: '{"form_types":["8-K"],"items":["2.02"]}' }),
      window('t', 99, { filter: '{"fulltext":{"query":"risk"}}' }),
      window('n', 99, { filter: '{"accession_numbers":{}}' }),
    ];
    await commit(together(filings(TEN), { export_windows: rows, export_runs: [run()] }));
    expect(await checkLake(lake)).toMatchObject({
      ok: true,
      windows: { windows: 4, checked: 0, checked_in_part: 2, not_checked: 2 },
    });
    await lose('filings', [2]);
    await lose('coverage', [2]);
    expect((await problems()).map((one) => one.slice(0, 26))).toEqual(
      expect.arrayContaining(['window-short: window w-1 o', 'window-short: window w-2 o']),
    );
  });

  it('of entities are checked by entities', async () => {
    const entities = [0, 1, 2].map((n) => ({ cik: String(n), name: `N${n}`, sic: n === 2 ? null : '7372' }));
    const rows = { entities, export_windows: [window('e', 3, { filter: '{"entities":{"sics":["7372"]}}' })] };
    await commit(together(rows, { export_runs: [run()] }));
    expect(await checkLake(lake)).toMatchObject({ ok: true, windows: { checked: 1 } });
    await commit({ export_runs: [run('x', 'other')] }, [{ table: 'entities', columns: ['cik'], values: [['1']] }]);
    expect(await problems()).toEqual([
      'window-short: window e of ten (run 20240401T000000Z-a): the service counted 3, 3 were found, and entities has 2 such rows',
    ]);
  });

  it('that were not proven are reported, and do not fail the check', async () => {
    const rows = [
      window('w-1', 4, { expected: 6, proven: false }),
      window('w-2', 6, { expected: null, proven: false, date_to: '2024-03-08' }),
    ];
    await commit(together(filings(TEN), { export_windows: rows, export_runs: [run()] }));
    const report = await checkLake(lake);
    expect(report.ok).toBe(true);
    expect(report.windows!.unproven).toEqual([
      { export: 'ten', run_id: '20240401T000000Z-a', window: 'w-1', expected: 6, found: 4 },
      { export: 'ten', run_id: '20240401T000000Z-a', window: 'w-2', expected: null, found: 6 },
    ]);
  });
});

describe('coverage of contents', () => {
  it('has rows, or a failure that explains their absence', async () => {
    const id = (n: number) => `${accession(n)}-1`;
    const done = (n: number, status = 'done') => ({
      accession_number: accession(n),
      step: `document:${id(n)}`,
      status,
    });
    const content = (n: number) => ({ document_id: id(n), accession_number: accession(n), content: 'x' });
    const failure = { export: 'ten', step: `document:${id(2)}`, subject: id(2), code: 'contract-broken' };
    await commit(
      together(filings([0, 1, 2, 3]), {
        coverage: [done(0), done(1), done(2), done(3, 'absent')],
        document_contents: [content(0), content(1)],
        export_failures: [failure],
      }),
    );
    expect(await problems()).toEqual([]);
    await lose('document_contents', [1]);
    expect(await problems()).toEqual([
      `coverage-without-rows: coverage has 1 contents of documents as done, and document_contents lacks them: ${id(1)}`,
    ]);
  });
});
