/** `statements`: standard items by fiscal period, as they were known. */
import { describe, expect, it } from 'vitest';
import { AFTER, type Answer, agentLakeOfFile } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('statements', () => {
  keepsLaws(agents, 'statements', {
    args: { company: '20' },
    paged: { company: '24', periods: ['FY', 'Q1', 'Q2', 'Q3', 'Q4', 'TTM'] },
    before: 'nothing',
  });

  it('gives items by fiscal period with their filing', async () => {
    const { values } = await agents.ask('statements', { company: '20' });
    expect(values[0]).toMatchObject({
      fiscal_period: 'FY',
      method: expect.any(String),
      citation: { table: 'fundamentals' },
    });
  });

  it('gives the named items of the named years alone', async () => {
    const { values } = await agents.ask('statements', { company: '20', budget: 40_000 });
    const { item, fiscal_year } = values[0];
    const some = await agents.ask('statements', { company: '20', items: [item], fiscal_years: [fiscal_year] });
    expect(some.values).toEqual(values.filter((one: Answer) => one.item === item && one.fiscal_year === fiscal_year));
  });

  it('wants a company or a filing', async () => {
    expect((await agents.ask('statements')).error.message).toContain('needs a company');
    expect((await agents.ask('statements', { role: 'x' })).error.message).toContain('accession_number');
    expect((await agents.ask('statements', { accession_number: AFTER, as_of: '2024-03-04' })).error.code).toBe(
      'filing-unknown',
    );
  });
});
