/** Which files stay staged during a run, which don't, and what an attempt finds that was taken for dead. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunReference } from '../../../../src/export/pipeline/index.ts';
import { removeStaged } from '../../../../src/export/pipeline/staging/staging-cleanup.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import {
  definitionOf,
  fetchDriven,
  filingOfLookup,
  jobOf,
  openDriven,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

let lake: Lake;
beforeEach(async () => {
  lake = await openDriven();
});
afterEach(() => lake.close());

/** Names of the files that hold something. */
const staged = () =>
  readdirSync(join(lake.root, '_staging', 'run'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0)
    // The stretches of a work list have names of their own attempt.
    .map(({ name }) => name.replace(/^(lines-w-\d)-.*/, '$1'))
    .sort();

it('rows are deleted with their commit, and pages and plans when the workflow lists them', async () => {
  const run = runOf(definitionOf('t', 'filings, parties'), 'run', lake);
  await stageFilings(lake, 'run', [filingOfLookup(1)]);
  const planned = await planDriven(lake, run);
  expect(staged()).toEqual(['lines-w-1', 'lookup-w-0.json', 'plan-w-1.json']);
  await fetchDriven(lake, run, 'info', planned.base_version);
  const again = await planDriven(lake, run, { plan: 2 });
  expect(again.known).toBe(1);
  await removeStaged(jobOf(), lake, 'run', [{ window: 'w', pages: 0, plan: 1 }, { batch: 'entities-w-1' }]);
  expect(staged()).toEqual(['lookup-w-0.json', 'plan-w-2.json']);
  for (let times = 0; times < 2; times++)
    await removeStaged(jobOf(), lake, 'run', [{ window: 'w', pages: 1, plan: 2 }]);
  expect(staged()).toEqual([]);
  // What is gone is never read as empty.
  await expect(planDriven(lake, run, { plan: 3 })).rejects.toThrow('page 0 of window w');
});

describe('an attempt at a first plan that wakes up when the window was planned again and the first plan dropped', () => {
  const window = { id: 'w', filter: {}, today: '2024-06-30', inexact: null };
  const first = { record: { window, read: { promised: 1, found: 1, proven: true } } };
  const planAndDropIt = async (run: RunReference) => {
    await planDriven(lake, run, first);
    await planDriven(lake, run, { plan: 2 });
    await removeStaged(jobOf(), lake, 'run', [{ window: 'w', pages: 0, plan: 1 }]);
  };
  const isThereOnce = async () => {
    expect(await lake.query('SELECT run_id, "window" FROM export_windows')).toEqual([{ run_id: 'run', window: 'w' }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  };

  it('commits nothing twice if it had not looked for the plan yet', async () => {
    const run = runOf(definitionOf('t', 'filings, parties'), 'run', lake);
    await stageFilings(lake, 'run', [filingOfLookup(1)]);
    await planAndDropIt(run);
    await expect(planDriven(lake, run, first)).rejects.toMatchObject({ code: 'staging-missing' });
    await isThereOnce();
  });

  it('commits nothing twice if it had found no plan and was about to make it', async () => {
    const run = runOf(definitionOf('t', 'filings, parties'), 'run', lake);
    await stageFilings(lake, 'run', [filingOfLookup(1)]);
    const sleeper = await openDriven(lake.root);
    const currentVersion = sleeper.currentVersion.bind(sleeper);
    let sleeps = 0;
    sleeper.currentVersion = async () => {
      if (++sleeps === 1) await planAndDropIt(run);
      return currentVersion();
    };
    await expect(planDriven(sleeper, run, first)).rejects.toMatchObject({ code: 'staging-missing' });
    await sleeper.close();
    await isThereOnce();
  });
});
