/** Entities that a run requests by CIK, and filings that it knows by number alone: its end and `lake check` prove that they are complete. */
import { describe, expect, it } from 'vitest';
import type { RunReference } from '../../../../src/export/pipeline/index.ts';
import { stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import {
  accessionNumber,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  finishDriven,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

const newLake = () => openLake(temporaryFolder(), { create: true });
let runs = 0;

function start(lake: Lake, tables: string): RunReference {
  return { ...runOf(definitionOf('e', tables), `run-${++runs}`, lake), started_at: new Date().toISOString() };
}

/** As a batch of fetchEntities would commit it. */
async function commit(lake: Lake, { run_id }: RunReference, table: string, row: Record<string, unknown>) {
  const batch_id = `${table}-${JSON.stringify(row)}`.replace(/\W/g, '-').slice(0, 100);
  const writer = lake.openStaging(run_id, batch_id, 1);
  writer.append(table, row as never);
  const base_version = await lake.currentVersion();
  await lake.commitBatch({ run_id, batch_id, base_version, segments: [(await writer.seal())!] });
}

const failureOf = (run: RunReference, cik: string) => ({
  export: 'e',
  step: 'entity',
  subject: cik,
  cik,
  code: 'entity-not-found',
  message: 'none',
  attempts: 1,
  run_id: run.run_id,
  failed_at: '2024-05-06T07:08:09Z',
});
const passesOf = (lake: Lake, { run_id }: RunReference) =>
  lake.query(
    `SELECT pass, expected::INT AS expected, complete::INT AS complete, failed::INT AS failed, missing::INT AS missing
     FROM export_passes WHERE run_id = '${run_id}' ORDER BY pass`,
  );
const problemsOf = async (lake: Lake) => (await checkLake(lake)).problems;

const now = () => new Date().toISOString();

describe('entities of a lookup’s filings', () => {
  /** Four filings of three entities. */
  const FILINGS = ['11', '12', '12', '13'].map((cik, i) => filingOfLookup(i + 1, { cik }));
  const plan = async (lake: Lake, run: RunReference) => {
    await stageFilings(lake, run.run_id, FILINGS);
    await planDriven(lake, run);
  };

  it('are complete, failed or missing at the end of the run, each once', async () => {
    const lake = await newLake();
    const run = start(lake, 'filings, entities');
    await plan(lake, run);
    await commit(lake, run, 'entities', { cik: '11', name: 'A', fetched_at: now() });
    await commit(lake, run, 'export_failures', failureOf(run, '13'));
    expect((await finishDriven(lake, run)).missing).toEqual([{ pass: 'entities', count: 1 }]);
    expect(await passesOf(lake, run)).toEqual([{ pass: 'entities', expected: 3, complete: 1, failed: 1, missing: 1 }]);
    expect(await problemsOf(lake)).toMatchObject([
      {
        code: 'steps-missing',
        message: expect.stringContaining('the lake lacks 1 step of entities that it planned: 12'),
      },
    ]);
    // Any later run that fetches it resolves it.
    await commit(lake, run, 'entities', { cik: '12', name: 'B', fetched_at: now() });
    expect(await problemsOf(lake)).toEqual([]);
  });

  it('that the lake had are not planned, and a failure of an earlier run excuses nothing', async () => {
    const lake = await newLake();
    const first = start(lake, 'filings, entities');
    await plan(lake, first);
    for (const cik of ['11', '12']) await commit(lake, first, 'entities', { cik, name: cik, fetched_at: now() });
    await commit(lake, first, 'export_failures', failureOf(first, '13'));
    expect((await finishDriven(lake, first)).missing).toEqual([]);
    const second = start(lake, 'filings, entities');
    await plan(lake, second);
    expect((await finishDriven(lake, second)).missing).toEqual([{ pass: 'entities', count: 1 }]);
    expect(await passesOf(lake, second)).toEqual([
      { pass: 'entities', expected: 1, complete: 0, failed: 0, missing: 1 },
    ]);
  });

  it('are planned by no export that does not ask for them', async () => {
    const lake = await newLake();
    const run = start(lake, 'filings');
    await plan(lake, run);
    expect((await finishDriven(lake, run)).missing).toEqual([]);
    expect(await lake.query('SELECT * FROM export_plans')).toEqual([]);
  });
});

describe('filings that a run knows by number alone', () => {
  const NUMBERS = [1, 2].map(accessionNumber);
  const plan = async (lake: Lake, run: RunReference) => {
    await stagePage(lake, run.run_id, 'w', 0, { state: null, records: NUMBERS, violations: [] });
    return planDriven(lake, run, { of: 'numbers' });
  };
  const stepsOf = (lake: Lake) => lake.query('SELECT pass, steps FROM export_plans ORDER BY accession_number, pass');

  it('are complete once they are listed, if nothing else is asked of filing_info', async () => {
    const lake = await newLake();
    const run = start(lake, 'filings');
    const { base_version } = await plan(lake, run);
    expect(await stepsOf(lake)).toEqual([1, 2].map(() => ({ pass: 'info', steps: 'filing' })));
    await fetchDriven(lake, run, 'info', base_version);
    expect(await lake.query(`SELECT DISTINCT step FROM coverage`)).toEqual([{ step: 'filing' }]);
    expect((await finishDriven(lake, run)).missing).toEqual([]);
    expect(await passesOf(lake, run)).toEqual([{ pass: 'info', expected: 2, complete: 2, failed: 0, missing: 0 }]);
    expect(await problemsOf(lake)).toEqual([]);
  });

  it('are complete once filing_info is, if more is asked of it', async () => {
    const lake = await newLake();
    const run = start(lake, 'filings, parties');
    const { base_version } = await plan(lake, run);
    expect(await stepsOf(lake)).toEqual([1, 2].map(() => ({ pass: 'info', steps: 'info' })));
    await fetchDriven(lake, run, 'info', base_version);
    expect((await finishDriven(lake, run)).missing).toEqual([]);
  });

  it('lack no company if the service did not have them, and another export has found them since', async () => {
    const lake = await newLake();
    const run = start(lake, 'filings, entities');
    await plan(lake, run);
    for (const accession_number of NUMBERS)
      await commit(lake, run, 'export_failures', {
        ...failureOf(run, '11'),
        step: 'filing',
        subject: accession_number,
        accession_number,
        cik: null,
        code: 'filing-not-found',
      });
    expect((await finishDriven(lake, run)).missing).toEqual([]);
    const other = start(lake, 'filings');
    for (const accession_number of NUMBERS)
      await commit(lake, other, 'filings', { accession_number, cik: '11', filing_date: '2024-05-06' });
    expect(await problemsOf(lake)).toEqual([]);
  });

  it('are missing if nothing was fetched', async () => {
    const lake = await newLake();
    const run = start(lake, 'filings');
    await plan(lake, run);
    expect((await finishDriven(lake, run)).missing).toEqual([{ pass: 'info', count: 2 }]);
    expect(await problemsOf(lake)).toMatchObject([{ code: 'steps-missing' }]);
  });

  it('have entities that are known once filing_info has stated their CIKs', async () => {
    const lake = await newLake();
    const run = start(lake, 'filings, entities');
    const { base_version } = await plan(lake, run);
    expect(await stepsOf(lake)).toContainEqual({ pass: 'entities', steps: '' });
    await fetchDriven(lake, run, 'info', base_version);
    expect((await finishDriven(lake, run)).missing).toEqual([{ pass: 'entities', count: 2 }]);
    await commit(lake, run, 'entities', { cik: '1', name: 'A', fetched_at: now() });
    expect(await problemsOf(lake)).toEqual([]);
  });
});
