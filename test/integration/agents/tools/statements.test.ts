/** `statements`: standard items by fiscal period, as they were known. */
import { describe, expect, it } from 'vitest';
import { AFTER, type Answer, agentLakeOfFile, id } from '../../../support/agents/agent-lake.ts';
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

  it('says which identities fail in the filings of the values, as of a moment those alone', async () => {
    const checks = async (as_of?: string) =>
      (await agents.ask('statements', { company: '24', ...(as_of && { as_of }) })).checks.map(
        (one: Answer) => one.accession_number,
      );
    expect(await checks()).toEqual(expect.arrayContaining([id(24), id(25)]));
    const [{ t }] = (await agents.lake.query(
      `SELECT coalesce(acceptance_datetime, CAST(filing_date + 1 AS TIMESTAMP)) AS t FROM filings WHERE accession_number = '${id(24)}'`,
    )) as [{ t: string }];
    expect(await checks(t)).toEqual([id(24)]);
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
