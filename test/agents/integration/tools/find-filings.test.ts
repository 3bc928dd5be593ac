/** `find_filings`: filings by what their index says, and by the words of their texts. */
import { describe, expect, it } from 'vitest';
import { AFTER, type Answer, agentLakeOfFile, BEFORE } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('find_filings', () => {
  keepsLaws(agents, 'find_filings', { args: { company: '1' }, paged: {}, before: 'nothing' });

  it('takes a form by its whole name: 10-K is not 10-K/A', async () => {
    const { rows: filings, count, by_form } = await agents.ask('find_filings', { forms: ['10-K/A'] });
    expect(filings.length).toBeGreaterThan(0);
    expect(new Set(filings.map((one: Answer) => one.form_type))).toEqual(new Set(['10-K/A']));
    expect(by_form).toEqual({ '10-K/A': count });
  });

  it('says how forms are written, if there are none', async () => {
    const { count, caveats } = await agents.ask('find_filings', { forms: ['10K'] });
    expect({ count, caveats }).toEqual({ count: 0, caveats: [expect.stringContaining('as 10-K')] });
  });

  it('finds filings by words of their texts, each once, as of a moment too', async () => {
    const words = { words: 'competition "one supplier"' };
    const found = await agents.ask('find_filings', words);
    expect(found.rows.map((one: Answer) => one.accession_number)).toEqual([AFTER, BEFORE]);
    expect(found.count).toBe(2);
    expect(await agents.ask('find_filings', { ...words, as_of: '2024-01-01' })).toMatchObject({ count: 1 });
    expect((await agents.ask('find_filings', { words: 'pandemic', as_of: '2024-01-01' })).count).toBe(0);
    expect(await agents.verdictOf(found)).toEqual({ equal: true });
  });

  it('finds a filing by any of its parties, in either order', async () => {
    const newest = await agents.ask('find_filings', { company: '9' });
    expect(newest.rows.map((one: Answer) => one.accession_number)).toEqual([AFTER]);
    const numbers = { accession_numbers: [BEFORE, AFTER] };
    const oldest = await agents.ask('find_filings', { ...numbers, order: 'oldest' });
    expect(oldest.rows.map((one: Answer) => one.accession_number)).toEqual([BEFORE, AFTER]);
  });

  it('names candidates for a name of several companies, and what to do', async () => {
    const { error } = await agents.ask('find_filings', { company: 'Company' });
    expect(error).toMatchObject({ code: 'company-unknown', message: expect.stringContaining('(CIK ') });
    expect(error.remedy).toMatch(/CIK/);
    expect((await agents.ask('find_filings', { company: 'Nobody & Sons' })).error.code).toBe('company-unknown');
    expect((await agents.ask('find_filings', { from_date: '2024-02-30' })).error.message).toContain('2024-03-01');
    expect(
      (await agents.ask('find_filings', { from_date: '2024-02-01', to_date: '2024-01-01' })).error.message,
    ).toContain('after to_date');
  });
});
