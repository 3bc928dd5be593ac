import { describe, expect, it } from 'vitest';
import { finishRun } from '../../../../src/export/pipeline/commit/run-lifecycle.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import {
  definitionOf,
  dependenciesOf,
  fetchDriven,
  filingOfLookup,
  openDriven,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

const RECORD = {
  window: { id: 'w', filter: {}, today: '2024-01-01', inexact: null },
  read: { promised: 1, found: 1, proven: true },
};

describe('two runs that fetch the same filings', () => {
  it('add them once, even if one commits between the making of the other plan and its commit', async () => {
    const folder = temporaryFolder();
    const [one, other] = [await openDriven(folder), await openDriven(folder)];
    const runOne = runOf(definitionOf('one', 'filings, parties'), 'run-one', one);
    const runOther = runOf(definitionOf('other', 'filings, parties'), 'run-other', other);
    const filings = [filingOfLookup(1), filingOfLookup(2)];
    await stageFilings(one, 'run-one', filings);
    await stageFilings(other, 'run-other', filings);
    const commit = other.commitBatch.bind(other);
    let between = true;
    other.commitBatch = async (batch) => {
      if (between) {
        between = false;
        const first = await planDriven(one, runOne);
        await fetchDriven(one, runOne, 'info', first.base_version);
      }
      return commit(batch);
    };
    await expect(planDriven(other, runOther, { record: RECORD })).rejects.toMatchObject({ code: 'plan-outdated' });
    expect(between).toBe(false);
    const second = await planDriven(other, runOther, { record: RECORD, plan: 2 });
    expect(second).toMatchObject({ known: 2, pending: { info: { requests: 0 } } });

    expect(await other.query('SELECT count(*)::INT AS n FROM parties')).toEqual([{ n: 4 }]);
    expect((await checkLake(other)).problems).toEqual([]);
    await one.close();
    await other.close();
  });
});

describe('a filing that another run writes in another revision', () => {
  it('is kept by a plan that is made again: only the next reading shows which of the two is newer', async () => {
    const folder = temporaryFolder();
    const [one, other] = [await openDriven(folder), await openDriven(folder)];
    const started_at = new Date().toISOString();
    const runOne = { ...runOf(definitionOf('one', 'filings, parties'), 'run-one', one), started_at };
    const runOther = { ...runOf(definitionOf('other', 'filings, parties'), 'run-other', other), started_at };
    await stageFilings(one, 'run-one', [filingOfLookup(1), filingOfLookup(2)]);
    await stageFilings(other, 'run-other', [
      filingOfLookup(1, { entity_name: 'B', acceptance_datetime: '2024-03-02T10:00:00' }),
      filingOfLookup(2),
    ]);
    const first = await planDriven(one, runOne);
    // The first has lost its turn, though it is only asleep.
    const taken = await planDriven(other, runOther, { record: RECORD });
    expect(taken.pending.info.filings).toBe(2);
    await fetchDriven(other, runOther, 'info', taken.base_version);
    await expect(fetchDriven(one, runOne, 'info', first.base_version)).rejects.toMatchObject({ code: 'plan-outdated' });

    const again = await planDriven(one, runOne, { plan: 2 });
    expect(again).toMatchObject({ deferred: 1, known: 1, committed: null });
    expect(again.pending.info.filings).toBe(0);
    expect(await one.query('SELECT entity_name FROM filings ORDER BY accession_number')).toEqual([
      { entity_name: 'B' },
      { entity_name: 'A' },
    ]);
    await one.close();
    await other.close();
  });
});

describe('the end of a run', () => {
  it('is recorded once, even if its first attempt died after the commit', async () => {
    await using lake = await openDriven();
    let leaves = 0;
    const budget = {
      leave: async () => {
        if (++leaves === 1) throw new Error('the budget does not answer');
      },
    };
    const run = runOf(definitionOf('ending', 'filings'), 'run-1', lake);
    const request = { run, state: 'completed', started_at: new Date().toISOString(), requests: 1, bytes: 1 };
    const finish = (attempt: number) => finishRun(dependenciesOf(lake, { budget, attempt }), request);
    await expect(finish(1)).rejects.toThrow('the budget does not answer');
    await finish(2);
    expect(await lake.query('SELECT run_id FROM export_runs')).toEqual([{ run_id: 'run-1' }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('is recorded once, even if its first attempt continues after the second', async () => {
    const folder = temporaryFolder();
    const [lake, sleeper] = [await openDriven(folder), await openDriven(folder)];
    const budget = { leave: async () => {} };
    const run = runOf(definitionOf('ending', 'filings'), 'run-1', lake);
    const request = { run, state: 'completed', started_at: new Date().toISOString(), requests: 1, bytes: 1 };
    const finish = (at: Lake, attempt: number) => finishRun(dependenciesOf(at, { budget, attempt }), request);
    const query = sleeper.query.bind(sleeper);
    let sleeps = 0;
    sleeper.query = async (...asked) => {
      const rows = await query(...asked);
      if (++sleeps === 1) await finish(lake, 2);
      return rows;
    };
    await finish(sleeper, 1);
    expect(await lake.query('SELECT run_id FROM export_runs')).toEqual([{ run_id: 'run-1' }]);
    expect((await checkLake(lake)).problems).toEqual([]);
    await lake.close();
    await sleeper.close();
  });
});
