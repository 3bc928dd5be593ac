/** `ownership`: insiders, managers and beneficial owners. */
import { describe, expect, it } from 'vitest';
import { type Answer, agentLakeOfFile } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('ownership', () => {
  keepsLaws(agents, 'ownership', {
    args: { kind: 'insider' },
    paged: { kind: '13f', cusip: '037833100' },
    before: 'nothing',
  });

  it('gives one row for a transaction of several owners', async () => {
    const { rows } = await agents.ask('ownership', { kind: 'insider', budget: 40_000 });
    const keys = rows.map(({ citation }: Answer) => JSON.stringify(citation.key));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('finds beneficial owners by their name', async () => {
    const found = await agents.ask('ownership', { kind: '13dg', holder: 'fund one' });
    expect(found.rows).toMatchObject([
      { name: 'Fund One', aggregate_amount: '120', percent_of_class: '5.1', issuer_cik: '3' },
    ]);
    expect((await agents.ask('ownership', { kind: '13dg', holder: 'fund two' })).count).toBe(0);
  });

  it('wants to know which 13F positions', async () => {
    expect((await agents.ask('ownership', { kind: '13f' })).error).toMatchObject({
      code: 'tool-input-invalid',
      message: expect.stringContaining('holder, a cusip'),
    });
    expect((await agents.ask('ownership', { kind: '13F' })).error.message).toContain('insider');
  });
});
