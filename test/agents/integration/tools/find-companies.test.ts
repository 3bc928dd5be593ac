/** `find_companies`: a company by any of its names, and as it was called then. */
import { describe, expect, it } from 'vitest';
import { LakeSource } from '../../../../src/agents/sources/lake-source.ts';
import { LakeTables } from '../../../../src/agents/sources/lake-tables.ts';
import type { World } from '../../../../src/agents/tools/tool.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { type Answer, agentLakeOfFile, ask, BEFORE, id } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';
import { bring } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const agents = agentLakeOfFile();

describe('find_companies', () => {
  keepsLaws(agents, 'find_companies', { args: { cik: '1' }, paged: { name: 'Co' }, before: 'nothing' });

  it('finds a company by a former name, and names it as it is now', async () => {
    const { rows: companies } = await agents.ask('find_companies', { name: 'old name' });
    expect(companies).toMatchObject([
      { cik: '1', name: 'Company 1', other_names: expect.arrayContaining(['Old Name Inc']) },
    ]);
  });

  it('cites the row that states the name', async () => {
    const { rows: companies } = await agents.ask('find_companies', { cik: '1', as_of: '2023-06-01' });
    const [row] = await agents.lake.query(
      `SELECT name FROM parties WHERE accession_number = '${BEFORE}' AND position = 0`,
    );
    expect(companies[0].name).toBe(row!.name);
  });

  it('finds by ticker, CIK with zeros, industry and state', async () => {
    for (const args of [{ ticker: 'one' }, { cik: '0000000001' }, { sic: '7373' }, { state: 'nv' }]) {
      const { rows: companies, count } = await agents.ask('find_companies', args);
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
    expect(count).toBe(0);
    expect(caveats.at(-1)).toContain('may be missing');
  });

  it('finds names as people write them, and companies that only later headers name as former ones', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    const named = (n: number, name: string) => ({ accession_number: id(n), position: 0, cik: String(n), name });
    await bring(
      lake,
      { batch: 'b' },
      {
        filings: [1, 2, 3].map((n) => ({ accession_number: id(n), cik: String(n), filing_date: `2024-01-0${n}` })),
        parties: [named(1, 'PROCTER & GAMBLE Co'), named(2, 'MCDONALDS CORP'), named(3, 'Alphabet Inc.')],
        party_former_names: [{ accession_number: id(3), position: 0, name_position: 0, name: 'Google Inc.' }],
      },
    );
    const tables = new LakeTables(lake);
    const world = { sources: [new LakeSource(tables)], lake: tables } as unknown as World;
    const found = async (name: string) => {
      const { rows: companies } = await ask(world, 'find_companies', { name });
      return companies.map((one: Answer) => [one.cik, one.name]);
    };
    expect(await found('Procter and Gamble')).toEqual([['1', 'PROCTER & GAMBLE Co']]);
    expect(await found('procter & gamble')).toEqual([['1', 'PROCTER & GAMBLE Co']]);
    expect(await found("McDonald's Corp.")).toEqual([['2', 'MCDONALDS CORP']]);
    expect(await found('Google')).toEqual([['3', 'Alphabet Inc.']]);
    expect(await found('Alphabet')).toEqual([['3', 'Alphabet Inc.']]);
    expect((await ask(world, 'find_companies', { name: 'Google', as_of: '2024-01-02' })).count).toBe(0);
    await bring(
      lake,
      { batch: 'c' },
      { ownership_reports: [{ accession_number: id(3), issuer_cik: '3', issuer_trading_symbol: 'GOLD' }] },
    );
    expect((await ask(world, 'find_companies', { ticker: 'gold' })).rows).toMatchObject([{ cik: '3' }]);
    expect((await ask(world, 'find_companies', { ticker: 'GOLD', as_of: '2024-01-02' })).count).toBe(0);
    await tables.close();
  });

  it('names the argument that was meant', async () => {
    const remedy = async (args: Record<string, unknown>) => (await agents.ask('find_companies', args)).error.remedy;
    expect(await remedy({ tickers: 'ONE' })).toBe('Did you mean ticker?');
    expect(await remedy({ company_name: 'ONE' })).toBe('Did you mean name?');
    expect(await remedy({ xyzzy: 'ONE' })).toContain('The arguments are name, ticker, cik');
  });

  it('wants one of its arguments, and a CIK of digits', async () => {
    expect((await agents.ask('find_companies')).error).toMatchObject({
      code: 'tool-input-invalid',
      message: expect.stringContaining('needs a name'),
    });
    expect((await agents.ask('find_companies', { cik: 'ONE' })).error.message).toContain('digits');
  });
});
