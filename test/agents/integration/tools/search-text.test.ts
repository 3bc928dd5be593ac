/** `search_text`: documents with words and phrases, and where they stand. */
import { describe, expect, it } from 'vitest';
import { AFTER, type Answer, agentLakeOfFile, BEFORE } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('search_text', () => {
  keepsLaws(agents, 'search_text', { args: { query: 'harm' }, paged: { query: 'the' }, before: 'nothing' });

  it('finds whole words, and shows where they stand', async () => {
    const found = await agents.ask('search_text', { query: 'pandemic' });
    expect(found).toMatchObject({ count: 1, rows: [{ accession_number: AFTER, section: '1A' }] });
    expect(found.rows[0].passages[0].filed_content).toContain('A pandemic closed our plants');
    expect((await agents.ask('search_text', { query: 'pand' })).count).toBe(0);
  });

  it('finds phrases, in a section, of a company', async () => {
    const numbers = async (args: object) =>
      (await agents.ask('search_text', { ...args })).rows.map((hit: Answer) => hit.accession_number);
    expect(await numbers({ query: '"competition may harm"', section: 'item 1a' })).toEqual([AFTER, BEFORE]);
    expect(await numbers({ query: '"harm competition"' })).toEqual([]);
    expect(await numbers({ query: 'harm', company: '2' })).toEqual([]);
    expect(await numbers({ query: 'harm', accession_numbers: [BEFORE] })).toEqual([BEFORE]);
  });

  it('wants words', async () => {
    for (const query of ['—', '"', 'a b c d e f g h i j k l m'])
      expect((await agents.ask('search_text', { query })).error).toMatchObject({
        code: 'tool-input-invalid',
        remedy: expect.stringContaining('phrases in quotes'),
      });
  });
});
