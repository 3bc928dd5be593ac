/** Two exports that fetch more of the same filings in turns: neither deletes rows that the other paid for. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunReference } from '../../../../src/export/pipeline/index.ts';
import type { Pass } from '../../../../src/export/steps/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import {
  clientOf,
  closeSound,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  finishDriven,
  listedSection,
  openDriven,
  partyOf,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

const CODES = ['1', '1A', '7'];
const client = clientOf({
  info: () => ({ parties: [partyOf('1', 'A')], sections: CODES.map((code) => listedSection(code)) }),
  sections: () => CODES.map((code) => [code, code]),
});

let lake: Lake;
beforeEach(async () => {
  lake = await openDriven();
});
afterEach(() => closeSound(lake));

const LATER = { acceptance_datetime: '2024-03-05T12:00:00' };

function exportOf(tables: string, codes: string): (runId: string) => RunReference {
  const more = codes === '' ? '' : `sections: { codes: [${codes}] }`;
  return (runId) => runOf(definitionOf(runId, tables, more), runId, lake);
}

async function plan(run: RunReference, over = {}) {
  await stageFilings(lake, run.run_id, [filingOfLookup(1, over)]);
  return planDriven(lake, run);
}

const end = (run: RunReference) => finishDriven(lake, run);

async function codesOf(table: string): Promise<unknown[]> {
  return (await lake.query(`SELECT section FROM ${table} ORDER BY section`)).map(({ section }) => section);
}

describe.each([
  ['section_contents', 'sections', {}],
  ['section_contents', 'sections', LATER],
  ['sections', 'info', {}],
  ['sections', 'info', LATER],
] as const)('two choices of %s by the step %s, of a filing as %j', (table, pass, over) => {
  it('leave a lake with both: the second run takes its turn after the first, and requests both', async () => {
    const [before, one, other] = [
      exportOf(table, "'1'")('before'),
      exportOf(table, "'1A'")('one'),
      exportOf(table, "'7'")('other'),
    ];
    const fetch = (run: RunReference, base: number) => fetchDriven(lake, run, pass as Pass, base, client);
    await fetch(before, (await plan(before)).base_version);
    expect(await codesOf(table)).toEqual(['1']);

    await fetch(one, (await plan(one, over)).base_version);
    expect((await end(one)).missing).toEqual([]);
    expect(await codesOf(table)).toEqual(['1', '1A']);
    const second = await plan(other, over);
    expect(second.pending[pass as Pass].filings).toBe(1);
    await fetch(other, second.base_version);
    expect(await codesOf(table)).toEqual(['1', '1A', '7']);
    expect((await end(other)).missing).toEqual([]);
  });
});
