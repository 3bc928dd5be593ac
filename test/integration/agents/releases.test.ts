/** Releases of a lake: named by citations, and what happens if one is deleted. */
import { describe, expect, it } from 'vitest';
import { LakeSource, LakeTables } from '../../../src/agents/index.ts';
import { AFTER, agentLakeOfFile, ask, id } from '../../support/agents/agent-lake.ts';
import { bring } from '../../support/lake/small-lake.ts';

const agents = agentLakeOfFile();

describe('a release of the lake', () => {
  it('is named by the citations of its version, and holds a server to it', async () => {
    const release = await agents.lake.makeRelease({ name: '2024-q1' });
    const tables = new LakeTables(agents.lake, release);
    const world = { ...agents.world, sources: [new LakeSource(tables)], lake: tables };
    await bring(
      agents.lake,
      { batch: 'later', run: 'later' },
      { filings: [{ accession_number: id(7, 25), cik: '1', form_type: '10-K', filing_date: '2025-01-02' }] },
    );
    const then = await ask(world, 'find_filings', { company: '1' });
    const now = await agents.ask('find_filings', { company: '1' });
    expect(now.count).toBe(then.count + 1);
    expect(then.filings[0].citation).toMatchObject({ lake_version: release.version, release: '2024-q1' });
    expect(now.filings[0].citation).not.toHaveProperty('release');
    for (const answer of [then, await ask(world, 'read', { accession_number: AFTER, section: '1A' })])
      expect((await agents.verdictsOf(answer)).every(({ equal }) => equal)).toBe(true);
    const other = { ...then.filings[0].citation, lake_version: release.version + 1 };
    expect((await agents.ask('verify', { citations: [other] })).verdicts[0].why).toContain('is version');
    await tables.close();
  });
});
