/** `compare`: what is new and gone between two filings, and items of two years. */
import { describe, expect, it } from 'vitest';
import { AFTER, type Answer, agentLakeOfFile, BEFORE, id } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('compare', () => {
  keepsLaws(agents, 'compare', {
    args: { before: BEFORE, after: AFTER, section: '1A' },
    paged: { company: '20', items: [] },
    before: 'filing-unknown',
  });

  it('tells what is new and gone, not what moved', async () => {
    const { paragraphs, changes } = await agents.ask('compare', { before: BEFORE, after: AFTER, section: '1A' });
    expect(paragraphs).toEqual({ equal: 4, new: 1, gone: 1 });
    expect(changes.map((one: Answer) => [one.change, one.filed_content])).toEqual([
      ['new', 'A pandemic closed our plants. 🏭'],
      ['gone', 'A lawsuit is pending.'],
    ]);
  });

  it('takes the two newest filings of a company, as of a moment', async () => {
    const of = { company: '1', section: '1A' };
    expect(await agents.ask('compare', of)).toMatchObject({ before: id(5), after: AFTER });
    expect(await agents.ask('compare', { ...of, as_of: '2024-03-04T16:04:59' })).toMatchObject({
      before: BEFORE,
      after: id(5),
    });
    const { error } = await agents.ask('compare', { ...of, as_of: '2024-03-01' });
    expect(error).toMatchObject({
      code: 'filing-unknown',
      message: expect.stringContaining('no two filings of form 10-K'),
    });
  });

  it('sets items of two fiscal years side by side, each with its citation', async () => {
    const compared = await agents.ask('compare', { company: '20', items: [], budget: 40_000 });
    expect(compared.fiscal_years.after).toBe(compared.fiscal_years.before + 1);
    const both = compared.changes.find((one: Answer) => one.before !== null && one.after !== null);
    expect(Number(both.change)).toBe(Number(both.after.value) - Number(both.before.value));
    expect((await agents.verdictsOf(compared)).every(({ equal }) => equal)).toBe(true);
    const first = await agents.ask('compare', { company: '20', items: [], as_of: '2000-01-01' });
    expect(first).toMatchObject({ changes: [], fiscal_years: null });
  });

  it('wants a section or items, and what they are of', async () => {
    for (const [args, words] of [
      [{ company: '1' }, 'needs a section, or items'],
      [{ section: '1A' }, 'needs before and after, or a company'],
      [{ items: ['revenue'] }, 'items need a company'],
    ] as const)
      expect((await agents.ask('compare', args)).error, words).toMatchObject({
        code: 'tool-input-invalid',
        message: expect.stringContaining(words),
      });
  });
});
