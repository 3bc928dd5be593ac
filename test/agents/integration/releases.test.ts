/** Releases of a lake: named by citations, and what happens if one is deleted. */
import { describe, expect, it } from 'vitest';
import { LakeSource, LakeTables } from '../../../src/agents/index.ts';
import { AFTER, type Answer, agentLakeOfFile, ask, id } from '../../support/agents/agent-lake.ts';
import { bring } from '../../support/lake/small-lake.ts';

const DAY_MS = 86_400_000;
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
    expect(then.citation).toMatchObject({ lake_version: release.version, release: '2024-q1' });
    expect(now.citation).not.toHaveProperty('release');
    for (const answer of [then, await ask(world, 'read', { accession_number: AFTER, section: '1A' })])
      expect(await agents.verdictOf(answer)).toEqual({ equal: true });
    const other = { ...then.citation, lake_version: release.version + 1 };
    expect((await agents.ask('verify', { citations: [other] })).rows[0].why).toContain('is version');
    await tables.close();
  });

  it('that is deleted between two pages never gives way to the rows of another version', async () => {
    const release = await agents.lake.makeRelease({ name: 'short-lived' });
    const tables = new LakeTables(agents.lake, release);
    const world = { ...agents.world, sources: [new LakeSource(tables)], lake: tables };
    const whole = await ask(world, 'find_filings', { budget: 40_000 });
    const first = await ask(world, 'find_filings', { budget: 2_000 });
    const rows = await agents.lake.query('SELECT * FROM filings');
    const numbers = rows.map(({ accession_number }) => [String(accession_number)]);
    const replaced = [{ table: 'filings', columns: ['accession_number'], values: numbers }];
    const renamed = rows.map((row) => ({ ...row, entity_name: 'Replaced' }));
    for (const batch of ['replaced', 'again'])
      await bring(agents.lake, { batch, run: batch }, { filings: renamed as never }, replaced);
    await agents.lake.deleteRelease('short-lived');
    await agents.lake.vacuum({ nowMs: Date.now() + 30 * DAY_MS });
    await tables.close();
    const seen: Answer[] = [...first.rows];
    for (let { next } = first; next !== null && next !== undefined; ) {
      const page = await ask(world, 'find_filings', { budget: 2_000, cursor: next });
      if (page.error !== undefined) expect(page.error.code).toMatch(/^lake-/);
      else seen.push(...page.rows);
      next = page.next;
    }
    expect(seen).toEqual(whole.rows.slice(0, seen.length));
    // The name of the release is gone, and a citation that has it is not equal.
    const { rows: verdicts } = await agents.ask('verify', { citations: [first.citation] });
    expect(verdicts).toMatchObject([{ equal: false, why: expect.stringContaining('short-lived') }]);
  });
});

describe('questions at the same time', () => {
  it('of several versions have the answers that they have alone', async () => {
    const newest = await agents.lake.currentVersion();
    const statements = [newest - 1, newest].flatMap((lake_version) =>
      ['SELECT count(*) AS n FROM parties', 'SELECT max(cik) AS n FROM parties'].map((statement) => ({
        statement,
        lake_version,
      })),
    );
    const calls: [string, Record<string, unknown>][] = [
      ...statements.map((args): [string, Record<string, unknown>] => ['sql', args]),
      ['find_companies', { name: 'Co' }],
      ['search_text', { query: 'harm' }],
      ['read', { accession_number: AFTER, section: '1A' }],
      ['statements', { company: '24' }],
      ['statements', { company: '24', as_of: '2024-03-01' }],
      ['facts', { concepts: ['Assets'] }],
    ];
    const alone: string[] = [];
    for (const [name, args] of calls) alone.push((await agents.ask(name, args)).text);
    const many = Array.from({ length: 4 }, () => calls).flat();
    const together = await Promise.all(many.map(([name, args]) => agents.ask(name, args)));
    expect(together.map(({ text }) => text)).toEqual(Array.from({ length: 4 }, () => alone).flat());
  });
});
