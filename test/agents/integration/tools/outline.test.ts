/** `outline`: the parts of a filing with their lengths, before anything is read. */
import { describe, expect, it } from 'vitest';
import { AFTER, type Answer, agentLakeOfFile, LONG_FILING, RISKS_AFTER } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('outline', () => {
  keepsLaws(agents, 'outline', {
    args: { accession_number: AFTER },
    paged: { accession_number: LONG_FILING },
    before: 'filing-unknown',
  });

  it('has the parts of a filing with their lengths, and those inside a section', async () => {
    const { rows: parts } = await agents.ask('outline', { accession_number: AFTER });
    expect(parts).toContainEqual(
      expect.objectContaining({ part: 'section', section: '1A', kind: 'text', characters: RISKS_AFTER.length }),
    );
    expect(parts).toContainEqual(expect.objectContaining({ part: 'document', tables: 1 }));
    const inside = await agents.ask('outline', { accession_number: AFTER, section: 'Item 1A' });
    expect(inside.rows).toMatchObject([
      { part: 'heading', position: 1, level: 1, start: 0, end: RISKS_AFTER.length },
      { part: 'heading', position: 2, level: 2, heading: 'Rates of exchange move.' },
      { part: 'table', document_id: `${AFTER}-1`, table: 1, rows: 2, columns: 2, first_cell: 'In millions' },
    ]);
  });

  it('has a citation that is not equal for another filing or section', async () => {
    for (const args of [{ accession_number: AFTER }, { accession_number: AFTER, section: '1A' }]) {
      const { citation } = await agents.ask('outline', args);
      const others = [{}, { accession_number: LONG_FILING }, { section: '7' }].map((change) => ({
        ...citation,
        args: { ...citation.args, ...change },
      }));
      const { rows } = await agents.ask('verify', { citations: others });
      expect(rows.map(({ equal }: Answer) => equal)).toEqual([true, false, false]);
    }
  });

  it('says how many chunks a document has, and which parties a filing', async () => {
    const { rows: parts } = await agents.ask('outline', { accession_number: LONG_FILING });
    expect(parts).toContainEqual(expect.objectContaining({ part: 'document', chunks: 2 }));
    const of = await agents.ask('outline', { accession_number: AFTER });
    expect(of.rows.filter(({ part }: Answer) => part === 'party').map(({ cik }: Answer) => cik)).toEqual(['1', '9']);
  });

  it('says what an accession number looks like, and that a filing is not here', async () => {
    expect((await agents.ask('outline', { accession_number: 'the newest' })).error.message).toContain(
      '0000320193-24-000123',
    );
    const { error } = await agents.ask('outline', { accession_number: '0000000009-99-000009' });
    expect(error).toMatchObject({ code: 'filing-unknown', message: expect.stringContaining('0000000009-99-000009') });
    expect(error.remedy).toContain('find_filings');
  });
});
