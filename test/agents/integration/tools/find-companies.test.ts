/** `find_companies`: a company by any of its names, and as it was called then. */
import { describe, expect, it } from 'vitest';
import { type Answer, agentLakeOfFile, BEFORE } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';

const agents = agentLakeOfFile();

describe('find_companies', () => {
  keepsLaws(agents, 'find_companies', { args: { cik: '1' }, paged: { name: 'Co' }, before: 'nothing' });

  it('finds a company by a former name, and names it as it is now', async () => {
    const { companies } = await agents.ask('find_companies', { name: 'old name' });
    expect(companies).toMatchObject([
      { cik: '1', name: 'Company 1', other_names: expect.arrayContaining(['Old Name Inc']) },
    ]);
  });

  it('cites the row that states the name', async () => {
    const { companies } = await agents.ask('find_companies', { cik: '1', as_of: '2023-06-01' });
    expect(companies[0].citation).toMatchObject({ table: 'parties', key: { accession_number: BEFORE, position: 0 } });
    const [row] = await agents.lake.query(
      `SELECT name FROM parties WHERE accession_number = '${BEFORE}' AND position = 0`,
    );
    expect(companies[0].name).toBe(row!.name);
  });

  it('finds by ticker, CIK with zeros, industry and state', async () => {
    for (const args of [{ ticker: 'one' }, { cik: '0000000001' }, { sic: '7373' }, { state: 'nv' }]) {
      const { companies, count } = await agents.ask('find_companies', args);
      expect(
        companies.map(({ cik }: Answer) => cik),
        JSON.stringify(args),
      ).toEqual(['1']);
      expect(count).toBe(1);
    }
    expect((await agents.ask('find_companies', { sic: '7372' })).count).toBe(0);
    expect((await agents.ask('find_companies', { sic: '7372', as_of: '2023-06-01' })).count).toBe(1);
  });

  it('says that a ticker may be missing', async () => {
    const { count, caveats } = await agents.ask('find_companies', { ticker: 'NONE' });
    expect({ count, caveats: caveats.at(-1) }).toEqual({
      count: 0,
      caveats: expect.stringContaining('may be missing'),
    });
  });

  it('wants one of its arguments, and a CIK of digits', async () => {
    expect((await agents.ask('find_companies')).error).toMatchObject({
      code: 'tool-input-invalid',
      message: expect.stringContaining('needs a name'),
    });
    expect((await agents.ask('find_companies', { cik: 'ONE' })).error.message).toContain('digits');
  });
});
