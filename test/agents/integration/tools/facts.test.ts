/** `facts`: values as they were tagged, the newest statement or all of them. */
import { describe, expect, it } from 'vitest';
import { type Answer, agentLakeOfFile } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('facts', () => {
  keepsLaws(agents, 'facts', {
    args: { concepts: ['Assets'] },
    paged: { concepts: ['NetIncomeLoss', 'Assets', 'Revenues'], revisions: true },
    before: 'nothing',
  });

  it('gives the newest statement of a fact, or all of them', async () => {
    const concepts = { concepts: ['NetIncomeLoss'], budget: 40_000 };
    const newest = await agents.ask('facts', concepts);
    const all = await agents.ask('facts', { ...concepts, revisions: true });
    const about = ({ entity_cik, period_start, period_end, unit }: Answer) =>
      [entity_cik, period_start, period_end, unit].join();
    expect(all.count).toBeGreaterThan(newest.count);
    expect(new Set(newest.rows.map(about)).size).toBe(newest.count);
    expect(new Set(all.rows.map(about))).toEqual(new Set(newest.rows.map(about)));
    expect(newest.rows[0]).toMatchObject({ value: expect.any(String), file: expect.any(String) });
    for (const fact of newest.rows as Answer[])
      for (const other of (all.rows as Answer[]).filter((one) => about(one) === about(fact)))
        expect(fact.accepted >= other.accepted).toBe(true);
  });

  it('leaves out values with dimensions, if they are not asked for', async () => {
    const of = { concepts: ['Revenues'], budget: 40_000 };
    const [plain, all] = [await agents.ask('facts', of), await agents.ask('facts', { ...of, dimensions: true })];
    expect(plain.rows.every(({ dimensions }: Answer) => dimensions === null || dimensions === '{}')).toBe(true);
    expect(all.count).toBeGreaterThan(plain.count);
  });

  it('says why there may be none', async () => {
    const { count, caveats } = await agents.ask('facts', { concepts: ['NoSuchConcept'] });
    expect({ count, caveats }).toEqual({ count: 0, caveats: [expect.stringContaining('another concept')] });
  });

  it('wants concepts, and periods that are days', async () => {
    expect((await agents.ask('facts', { company: '20' })).error.message).toContain('concepts');
    expect((await agents.ask('facts', { concepts: ['Assets'], from_period: '2024' })).error.message).toContain(
      'from_period',
    );
  });
});
