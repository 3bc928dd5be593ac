/**
 * Exports with different tables for one step of a filing, if it fails or the filing changes: another export's rows are neither
 * missing nor forgotten.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FilingClient } from '../../../../src/export/client/index.ts';
import { PASSES } from '../../../../src/export/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import {
  clientOf,
  clientThatFails,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  finishDriven,
  infoOf,
  openDriven,
  partyOf,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

let lake: Lake;
let runs = 0;
beforeEach(async () => {
  lake = await openDriven();
});
afterEach(() => lake.close());

const LATER = { acceptance_datetime: '2024-03-05T12:00:00' };

/** Answers that name the time at which the filing was accepted. */
function answering(filing: Filing): FilingClient {
  const content = String(filing.acceptance_datetime);
  const parties = [partyOf('1', content)];
  // filing_info has the values that a lookup leaves out.
  const { documents } = filingOfLookup(1);
  return clientOf({
    info: () => ({ ...infoOf({ ...filing, documents }), parties }),
    sections: () => ['1', '7'].map((code) => [code, content]),
    document: () => content,
  });
}

const FAILING = clientThatFails();

async function exported(name: string, tables: string, filing: Filing, client = answering(filing), more = '') {
  const run = runOf(definitionOf(name, tables, more), `r${++runs}`, lake);
  await stageFilings(lake, run.run_id, [filing]);
  const { base_version } = await planDriven(lake, run);
  for (const pass of PASSES) await fetchDriven(lake, run, pass, base_version, client, 'w', true);
  return finishDriven(lake, run);
}

describe('an export of parties, and one of documents that fails', () => {
  it('leave a complete lake: everything that the first planned', async () => {
    const filing = filingOfLookup(1);
    expect((await exported('parties', 'filings, parties', filing)).missing).toEqual([]);
    expect((await exported('documents', 'filings, documents', filing, FAILING)).failures).toBe(1);
    expect((await checkLake(lake)).problems).toEqual([]);
    expect(await lake.query('SELECT name FROM parties')).toEqual([{ name: '2024-03-01T10:00:00' }]);
  });

  it.each([{}, LATER])('keep the tables of a filing of one revision once the second succeeds (%j)', async (over) => {
    await exported('parties', 'filings, parties', filingOfLookup(1));
    await exported('documents', 'filings, documents', filingOfLookup(1, over), FAILING);
    await exported('documents', 'filings, documents', filingOfLookup(1, over));
    const changed = filingOfLookup(1, { acceptance_datetime: '2024-03-09T12:00:00' });
    await exported('documents', 'filings, documents', changed);
    expect((await checkLake(lake)).older_revisions?.filings).toBe(0);
    expect(await lake.query('SELECT name FROM parties')).toEqual([{ name: changed.acceptance_datetime }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe('an export of one section, and one of another that fails', () => {
  it('leave a lake with both once the second succeeds', async () => {
    const filing = filingOfLookup(1);
    const choice = (code: string) => `sections: { codes: ['${code}'] }`;
    await exported('one', 'filings, section_contents', filing, answering(filing), choice('1'));
    await exported('other', 'filings, section_contents', filing, FAILING, choice('7'));
    await exported('other', 'filings, section_contents', filing, answering(filing), choice('7'));
    const rows = await lake.query('SELECT section FROM section_contents ORDER BY section');
    expect(rows).toEqual([{ section: '1' }, { section: '7' }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe('contents of documents that only filing_info names', () => {
  it.each([answering(filingOfLookup(1, LATER)), FAILING])(
    'are fetched again for a filing that has changed, also behind an export of its parties',
    async (client) => {
      const more = 'documents: { types: [all] }';
      const contents = (filing: Filing) =>
        exported('contents', 'filings, document_contents', filing, answering(filing), more);
      const [filing, changed] = [filingOfLookup(1, { documents: [] }), filingOfLookup(1, { documents: [], ...LATER })];
      await contents(filing);
      await exported('parties', 'filings, parties', changed, client);
      await contents(changed);
      const rows = await lake.query('SELECT DISTINCT content FROM document_contents');
      expect(rows).toEqual([{ content: LATER.acceptance_datetime }]);
      expect((await checkLake(lake)).older_revisions?.filings).toBe(0);
    },
  );
});
