/** What stays staged of a run that goes on, and what doesn't. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clearAway } from '../../activities/export/clear-away.ts';
import type { Lake } from '../../src/lake/index.ts';
import {
  definitionOf,
  fetchDriven,
  filingOfLookup,
  lakeFolder,
  openDriven,
  planDriven,
  runOf,
  stageFilings,
} from './driven.ts';

let lake: Lake;
beforeEach(async () => {
  lake = await openDriven(lakeFolder());
});
afterEach(() => lake.close());

const staged = () =>
  readdirSync(join(lake.root, '_staging', 'run'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

it('rows go with their commit, and pages and plans when the workflow says so', async () => {
  const run = runOf(definitionOf('t', 'filings, parties'), 'run', lake);
  await stageFilings(lake, 'run', [filingOfLookup(1)]);
  const planned = await planDriven(lake, run);
  expect(staged()).toEqual(['lookup-w-0.json', 'plan-w-1.json']);
  await fetchDriven(lake, run, 'info', planned.base_version);
  const again = await planDriven(lake, run, { plan: 2 });
  expect(again.known).toBe(1);
  await clearAway(lake, 'run', [{ window: 'w', pages: 0, plan: 1 }, { batch: 'entities-w-1' }]);
  expect(staged()).toEqual(['lookup-w-0.json', 'plan-w-2.json']);
  for (let times = 0; times < 2; times++) await clearAway(lake, 'run', [{ window: 'w', pages: 1, plan: 2 }]);
  expect(staged()).toEqual([]);
  // What is gone is never read as empty.
  await expect(planDriven(lake, run, { plan: 3 })).rejects.toThrow('page 0 of window w');
});
