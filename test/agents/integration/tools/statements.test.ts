/** `statements`: standard items by fiscal period, as they were known. */
import { describe, expect, it } from 'vitest';
import { LakeSource } from '../../../../src/agents/sources/lake-source.ts';
import { LakeTables } from '../../../../src/agents/sources/lake-tables.ts';
import type { World } from '../../../../src/agents/tools/tool.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { AFTER, type Answer, agentLakeOfFile, ask, id } from '../../../support/agents/agent-lake.ts';
import { keepsLaws } from '../../../support/agents/tool-laws.ts';
import { bring } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const agents = agentLakeOfFile();

/** Earnings per share and their shares, of company 1. */
const stated = (n: number, year: number, eps: number, count: number) =>
  (
    [
      ['eps_basic', eps, 'USD/shares', '2'],
      ['shares_basic', count, 'shares', '0'],
    ] as const
  ).map(([item, value, unit, decimals]) => ({
    accession_number: id(n),
    cik: '1',
    file: 'a.htm',
    item,
    value: String(value),
    unit,
    decimals,
    statement: 'income',
    registrant: '',
    method: 'reported',
    fiscal_year: year,
    fiscal_period: 'FY',
    period_start: `${year}-01-01`,
    period_end: `${year}-12-31`,
  }));

const filing = (n: number, day: string, cik = '1', removed_at: string | null = null) => ({
  accession_number: id(n),
  cik,
  form_type: '10-K',
  filing_date: day,
  acceptance_datetime: `${day}T16:00:00`,
  removed_at,
});

describe('statements', () => {
  keepsLaws(agents, 'statements', {
    args: { company: '20' },
    paged: { company: '24', periods: ['FY', 'Q1', 'Q2', 'Q3', 'Q4', 'TTM'] },
    before: 'nothing',
  });

  it('gives items by fiscal period with their filing', async () => {
    const { rows: values } = await agents.ask('statements', { company: '20' });
    expect(values[0]).toMatchObject({
      fiscal_period: 'FY',
      method: expect.any(String),
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
    const { rows: values } = await agents.ask('statements', { company: '20', budget: 40_000 });
    const { item, fiscal_year } = values[0];
    const some = await agents.ask('statements', { company: '20', items: [item], fiscal_years: [fiscal_year] });
    expect(some.rows).toEqual(values.filter((one: Answer) => one.item === item && one.fiscal_year === fiscal_year));
  });

  it('costs 600 characters for two values, and 2,500 for twelve, with their citation', async () => {
    const items = [
      ['revenue', 'income'],
      ['net_income', 'income'],
      ['total_assets', 'balance'],
      ['net_cash_from_operating_activities', 'cash_flow'],
    ];
    const made = [2021, 2022, 2023].flatMap((year) =>
      items.map(([item, statement], i) => ({
        ...stated(year, year, 1, 1)[0]!,
        cik: '1234567',
        item: item!,
        statement: statement!,
        unit: 'USD',
        value: String(391_035_000_000 + year * 1_000_000 + i),
      })),
    );
    const filings = [2021, 2022, 2023].map((year) => filing(year, `${year + 1}-02-15`, '1234567'));
    await bring(agents.lake, { batch: 'sizes', run: 'sizes' }, { filings, fundamentals: made });
    const [revenue, income] = ['revenue', 'net_income'];
    const two = { company: '1234567', items: [revenue, income], fiscal_years: [2023] };
    const of = async (args: object, count: number) => {
      const answer = await agents.ask('statements', { company: '1234567', ...args });
      expect(answer).toMatchObject({ count, citation: { rows: count } });
      expect(await agents.verdictOf(answer)).toEqual({ equal: true });
      return answer.text.length as number;
    };
    expect(await of(two, 2)).toBeLessThanOrEqual(600);
    expect(await of({}, 12)).toBeLessThanOrEqual(2_500);
  });

  it('names the factor of values that were filed before a split, and says so', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    await bring(
      lake,
      { batch: 'b' },
      {
        filings: [filing(1, '2023-02-01'), filing(2, '2024-02-01')],
        fundamentals: [
          ...stated(1, 2021, 20, 1000),
          ...stated(1, 2022, 24, 1000),
          ...stated(2, 2022, 6, 4000),
          ...stated(2, 2023, 7, 4000),
        ],
      },
    );
    const tables = new LakeTables(lake);
    const world = { sources: [new LakeSource(tables)], lake: tables } as unknown as World;
    const of = async (as_of?: string) => {
      const { rows: values, caveats } = await ask(world, 'statements', {
        company: '1',
        items: ['eps_basic'],
        ...(as_of && { as_of }),
      });
      return [
        values.map((one: Answer) => [one.fiscal_year, one.value, one.split_factor ?? null, one.adjusted ?? null]),
        caveats,
      ];
    };
    expect(await of()).toEqual([
      [
        [2023, '7', null, null],
        [2022, '6', null, null],
        [2021, '20', 4, 5],
      ],
      [expect.stringContaining('before a split')],
    ]);
    expect(await of('2023-06-01')).toEqual([
      [
        [2022, '24', null, null],
        [2021, '20', null, null],
      ],
      [],
    ]);
    await tables.close();
  });

  it('says why it has nothing, by coverage', async () => {
    const caveats = async (company: string, more = {}) =>
      (await agents.ask('statements', { company, ...more })).caveats;
    expect(await caveats('999999')).toEqual(['the lake has no such filing: export it first']);
    expect((await caveats('20', { items: ['no_such_item'] })).join()).not.toContain('filings without XBRL');
  });

  it('says which filings were removed, have no such document, or were not fetched', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    await bring(
      lake,
      { batch: 'b' },
      {
        filings: [
          filing(1, '2024-01-01', '2', '2024-02-01T00:00:00Z'),
          filing(2, '2024-01-02', '2'),
          filing(3, '2024-01-03', '2'),
          filing(4, '2024-01-04', '3', '2024-02-01T00:00:00Z'),
          filing(5, '2024-01-05'),
        ],
        fundamentals: stated(5, 2023, 1, 10),
        coverage: [
          {
            accession_number: id(2),
            step: 'forms',
            selector: 'fundamentals',
            status: 'absent',
            reason: 'no_such_document',
          },
        ],
        export_plans: [{ export: 'e', accession_number: id(3), pass: 'forms', run_id: 'r' }],
        export_runs: [{ run_id: 'r', export: 'e', definition: '{"tables":["fundamentals"]}' }],
      },
    );
    const tables = new LakeTables(lake);
    const world = { sources: [new LakeSource(tables)], lake: tables } as unknown as World;
    const caveats = async (company: string) => (await ask(world, 'statements', { company })).caveats;
    expect(await caveats('2')).toEqual([
      '1 of 3 filings were removed at the service: removed_at',
      '2 annual reports: 0 with statements, 2 without (1: no XBRL in their documents; 1: not yet fetched: export again)',
    ]);
    expect(await caveats('3')).toEqual(['1 of 1 filings were removed at the service: removed_at']);
    expect(await caveats('4')).toEqual(['the lake has no such filing: export it first']);
    await tables.close();
  });

  it('says what the first run of a lake has not fetched while it waits for its quota: it has no row in export_runs yet', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    await bring(
      lake,
      { batch: 'b' },
      {
        filings: [filing(6, '2024-01-06', '6'), filing(7, '2024-01-07', '6')],
        fundamentals: stated(6, 2023, 1, 10),
        coverage: [
          { accession_number: id(6), step: 'forms', selector: 'fundamentals', status: 'done', run_id: 'waits' },
        ],
        export_plans: [{ export: 'f', accession_number: id(7), pass: 'forms', run_id: 'waits' }],
      },
    );
    const tables = new LakeTables(lake);
    const world = { sources: [new LakeSource(tables)], lake: tables } as unknown as World;
    expect((await ask(world, 'statements', { company: '6' })).caveats).toContain(
      '2 annual reports: 1 with statements, 1 without (not yet fetched: export again)',
    );
    await tables.close();
  });

  it('wants a company or a filing', async () => {
    expect((await agents.ask('statements')).error.message).toContain('needs a company');
    expect((await agents.ask('statements', { role: 'x' })).error.message).toContain('accession_number');
    expect((await agents.ask('statements', { accession_number: AFTER, as_of: '2024-03-04' })).error.code).toBe(
      'filing-unknown',
    );
  });
});
