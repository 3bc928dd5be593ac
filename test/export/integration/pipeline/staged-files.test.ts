/** Staged pages: reading returns the stored records, in either way of writing. */
import { describe, expect, it } from 'vitest';
import { readPage, stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import { WindowReading } from '../../../../src/export/windows/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { filingOfLookup } from '../../../support/pipeline/activity-harness.ts';

const state = new WindowReading({ id: 'w', filter: {}, today: '2024-06-30', inexact: null }, 1_000).save();
const violations = [{ path: 'filings[2].cik', value: 'x', subject: 'line\nbreak' }];
const records = [filingOfLookup(1), filingOfLookup(2, { entity_name: 'Größe "AG"\n\u2028' })];

describe('a staged page', () => {
  it('returns the stored records, or the answer that they came in', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const page = { state, violations, records };
    expect(await stagePage(lake, 'r', 'w', 0, page)).toBe(true);
    // A service may write its JSON over several lines.
    const body = Buffer.from(JSON.stringify({ count: 2, filings: records, truncated: false }, null, 2));
    const verbatim = { member: 'filings', body };
    expect(await stagePage(lake, 'r', 'w', 1, { ...page, verbatim })).toBe(true);
    expect(await readPage(lake, 'r', 'w', 0)).toEqual(page);
    expect(await readPage(lake, 'r', 'w', 1)).toEqual({ ...page, verbatim });
    expect(await readPage(lake, 'r', 'w', 2)).toBeNull();
  });

  it('is the one that was first', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    await stagePage(lake, 'r', 'w', 0, { state: null, violations: [], records: ['first'] });
    expect(await stagePage(lake, 'r', 'w', 0, { state: null, violations: [], records: ['second'] })).toBe(false);
    expect((await readPage(lake, 'r', 'w', 0))?.records).toEqual(['first']);
  });
});
