/** `ownership`: insiders, managers and beneficial owners. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, agentLakeOfFile, id } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';
import { bring } from '../../../support/lake/small-lake.ts';

const agents = agentLakeOfFile();

describe('ownership', () => {
  beforeAll(() => {
    const accession_number = id(80);
    return bring(
      agents.lake,
      { batch: 'trades', run: 'trades' },
      {
        filings: [{ accession_number, cik: '80', form_type: '4', filing_date: '2024-05-02', entity_name: 'Traded' }],
        ownership_reports: [{ accession_number, form_type: '4', issuer_cik: '80', issuer_name: 'Traded' }],
        ownership_transactions: Array.from({ length: 60 }, (_, line) => ({
          accession_number,
          derivative: false,
          line,
          security_title: `Class ${line}`,
          shares: String(1_000 + line),
        })),
      },
    );
  });
  keepsLaws(agents, 'ownership', {
    args: { kind: 'insider' },
    paged: { kind: 'insider', company: '80' },
    before: 'nothing',
  });

  it('gives one row for a transaction of several owners', async () => {
    const { rows } = await agents.ask('ownership', { kind: 'insider', budget: 40_000 });
    const keys = rows.map(({ accession_number, derivative, line }: Answer) =>
      [accession_number, derivative, line].join(),
    );
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
