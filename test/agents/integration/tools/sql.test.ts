/** `sql`: one reading statement at one version. */
import { describe, expect, it } from 'vitest';
import { type Answer, agentLakeOfFile } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('sql', () => {
  keepsLaws(agents, 'sql', {
    args: { statement: 'SELECT 1 AS one' },
    paged: { statement: 'SELECT accession_number, entity_name FROM filings ORDER BY 1' },
    before: null,
  });

  it('answers one statement, and keeps its rows under a name', async () => {
    const kept = await agents.ask('sql', {
      statement: 'SELECT cik, count(*) AS n FROM filings GROUP BY ALL',
      keep_as: 'by_cik',
    });
    expect(kept).toMatchObject({ kept_as: 'kept.by_cik' });
    const { rows } = await agents.ask('sql', { statement: 'SELECT sum(n) AS n FROM kept.by_cik' });
    const { count } = await agents.ask('find_filings');
    expect(Number(rows[0].n)).toBe(count);
    expect((await agents.ask('sql', { statement: 'SELECT 1; SELECT 2' })).error.code).toBe('sql-refused');
  });

  it('lists tables and views, and the columns of one', async () => {
    const all = await agents.ask('sql', { schema: [], budget: 40_000 });
    expect(all.rows).toContainEqual(
      expect.objectContaining({ table: 'filings', key: ['accession_number'], rows: expect.any(Number) }),
    );
    const { rows: schema } = await agents.ask('sql', { schema: ['filings'], budget: 40_000 });
    const { rows } = await agents.ask('sql', { statement: 'SELECT * FROM filings LIMIT 1' });
    expect(schema.map(({ column }: Answer) => column)).toEqual(Object.keys(rows[0]));
  });

  it('says what it refuses, and what to do', async () => {
    expect((await agents.ask('sql')).error.message).toContain('needs a statement or schema');
    const unknown = await agents.ask('sql', { schema: ['no_such'] });
    expect(unknown.error).toMatchObject({
      code: 'tool-input-invalid',
      message: expect.stringContaining('no_such'),
      remedy: expect.stringContaining('schema'),
    });
    const failed = await agents.ask('sql', { statement: 'SELECT no_such FROM filings' });
    expect(failed.error).toMatchObject({ code: 'sql-invalid', message: expect.stringContaining('no_such') });
    expect(failed.error.remedy.length).toBeGreaterThan(10);
  });
});
