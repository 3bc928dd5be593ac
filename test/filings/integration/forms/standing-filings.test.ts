/** Which filings count: who may revise whom, filings that their service has removed, and several of one day. */
import { beforeEach, describe, expect, it } from 'vitest';
import { FormDatabase } from '../../../support/forms/form-database.ts';

let database: FormDatabase;
beforeEach(async () => {
  database = await FormDatabase.create();
});

const filing = (accession_number: string, form_type: string, day: string, more: object = {}) => ({
  accession_number,
  form_type,
  filing_date: day,
  acceptance_datetime: `${day} 16:30:00`,
  cik: '42',
  ...more,
});
const fact = (accession_number: string, value: string, decimals: string, more: object = {}) => ({
  accession_number,
  file: 'x.htm',
  position: 0,
  entity_cik: '42',
  concept: 'us-gaap:NetIncomeLoss',
  unit: 'USD',
  period_start: '2023-01-01',
  period_end: '2023-12-31',
  dimensions: '{}',
  is_text_block: false,
  is_hidden: false,
  value,
  value_number: value,
  decimals,
  ...more,
});
const stated = (accession_number: string, fiscal_period: string, period: string, value: number, more: object = {}) => ({
  accession_number,
  file: `${accession_number}.htm`,
  cik: '42',
  item: 'revenue',
  statement: 'income',
  unit: 'USD',
  fiscal_year: Number(period.slice(0, 4)),
  fiscal_period,
  method: 'reported',
  decimals: '-6',
  value,
  period_start: `${period.slice(0, 4)}-01-01`,
  period_end: period,
  ...more,
});

describe('an annual report', () => {
  const known = (moment: string) => database.rows(`SELECT value, form_type FROM facts_as_of('${moment}')`);

  it.each(['DEF 14A', 'PRE 14A', 'S-1/A', '424B4', '8-K', 'FWP'])(
    'is not revised by a %s, however exact that claims to be; the difference is listed',
    async (other) => {
      await database.insert('filings', [filing('a', '10-K', '2024-02-01'), filing('p', other, '2024-04-01')]);
      await database.insert('xbrl_facts', [fact('a', '344000000', '-6'), fact('p', '343999', '0')]);
      expect(await known('2024-05-01')).toEqual([['344000000', '10-K']]);
      expect(await database.rows('FROM fact_revisions')).toEqual([]);
      expect(
        await database.rows(
          'SELECT form_type, CAST(value AS DOUBLE), CAST(report_value AS DOUBLE), report_form_type, report_accession_number, difference FROM fact_disagreements',
        ),
      ).toEqual([[other, 343_999, 344_000_000, '10-K', 'a', expect.anything()]]);
    },
  );

  it('takes the place of what a current report or a prospectus said before', async () => {
    await database.insert('filings', [filing('p', '8-K', '2024-01-20'), filing('a', '10-K', '2024-02-01')]);
    await database.insert('xbrl_facts', [fact('p', '343999000', '0'), fact('a', '344000000', '-6')]);
    expect(await known('2024-01-30')).toEqual([['343999000', '8-K']]);
    expect(await known('2024-06-01')).toEqual([['344000000', '10-K']]);
  });

  it('has its items in fundamentals, whatever a later prospectus states', async () => {
    await database.insert('filings', [filing('a', '10-K', '2024-02-01'), filing('p', 'S-4', '2024-04-01')]);
    await database.insert('fundamentals', [
      stated('a', 'FY', '2023-12-31', 344e6),
      stated('p', 'FY', '2023-12-31', 344e3),
      stated('p', 'FY', '2022-12-31', 300e6),
    ]);
    const rows = 'SELECT fiscal_year, CAST(value AS DOUBLE), form_type FROM fundamentals ORDER BY fiscal_year';
    expect(await database.rows(rows)).toEqual([
      [2022, 300e6, 'S-4'],
      [2023, 344e6, '10-K'],
    ]);
  });
});

describe('a filing that its service has removed', () => {
  beforeEach(async () => {
    await database.insert('filings', [
      filing('a', '10-K', '2023-02-01'),
      filing('b', '10-K/A', '2023-05-01', { removed_at: '2024-03-01 12:00:00+00' }),
    ]);
    await database.insert('xbrl_facts', [fact('a', '300', '0'), fact('b', '350', '0')]);
    await database.insert('fundamentals', [
      stated('a', 'FY', '2022-12-31', 300e6),
      stated('b', 'FY', '2022-12-31', 350e6),
      stated('b', 'FY', '2021-12-31', 200e6),
    ]);
  });

  it('counts at moments when it stood, and not now', async () => {
    const fundamentals = (from: string) =>
      database.rows(`SELECT fiscal_year, CAST(value AS DOUBLE) FROM ${from} WHERE known_until IS NULL ORDER BY 1`);
    const before = [
      [2021, 200e6],
      [2022, 350e6],
    ];
    expect(await fundamentals('fundamentals')).toEqual([[2022, 300e6]]);
    expect(await fundamentals(`fundamentals_as_of('2023-06-01')`)).toEqual(before);
    expect(await fundamentals(`fundamentals_as_of('2024-06-01')`)).toEqual([[2022, 300e6]]);
    const panel = (moment: string) =>
      database.rows(`SELECT fiscal_year, value FROM panel_values('year', '${moment}', NULL, ['revenue']) ORDER BY 1`);
    expect(await panel('9999-12-31')).toEqual([[2022, 300e6]]);
    expect(await panel('2023-06-01')).toEqual(before);
    const facts = (moment: string) => database.rows(`SELECT value FROM facts_as_of('${moment}')`);
    expect(await facts('2023-06-01')).toEqual([['350']]);
    expect(await facts('2024-06-01')).toEqual([['300']]);
    expect(await database.rows('FROM fact_revisions')).toEqual([]);
    expect(await database.rows('SELECT accession_number FROM annual_reports')).toEqual([['a']]);
  });
});

describe('two filings of a day without a time', () => {
  it('that state a quarter give the last twelve months once', async () => {
    const day = (number: string, on: string) => filing(number, '10-Q', on, { acceptance_datetime: null });
    await database.insert('filings', [
      filing('y', '10-K', '2024-02-01'),
      filing('q', '10-Q', '2023-05-01'),
      day('r', '2024-05-01'),
      day('s', '2024-05-01'),
    ]);
    for (const second of [25e6, 26e6]) {
      await database.rows('DELETE FROM fundamentals_as_filed');
      await database.insert('fundamentals', [
        stated('q', 'Q1', '2023-03-31', 20e6),
        stated('y', 'FY', '2023-12-31', 100e6),
        stated('r', 'Q1', '2024-03-31', 25e6),
        stated('s', 'Q1', '2024-03-31', second),
      ]);
      const rows = `SELECT CAST(value AS DOUBLE) FROM fundamentals WHERE method = 'ttm'`;
      expect(await database.rows(rows)).toEqual([[80e6 + second]]);
    }
  });

  it('that name the fiscal year differently give each quarter once', async () => {
    await database.insert('filings', [
      filing('n', '10-Q', '2023-11-01'),
      filing('y', '10-K', '2024-02-01'),
      filing('z', '10-K', '2025-02-01'),
    ]);
    await database.insert('fundamentals', [
      stated('n', '9M', '2023-09-30', 70e6),
      stated('y', 'FY', '2023-12-31', 100e6),
      stated('z', 'FY', '2023-12-31', 100e6, { fiscal_year: 2024 }),
    ]);
    expect(await database.rows(`SELECT fiscal_year FROM fundamentals WHERE method = 'quarter'`)).toEqual([[2023]]);
  });
});

describe('a split', () => {
  it('that two filings of a day restate for is one', async () => {
    const per = (number: string, value: number) => [
      stated(number, 'FY', '2022-12-31', value, { item: 'eps_basic', unit: 'USD/shares', decimals: '2' }),
      stated(number, 'FY', '2021-12-31', value, { item: 'eps_basic', unit: 'USD/shares', decimals: '2' }),
    ];
    const shares = (number: string, value: number) => [
      stated(number, 'FY', '2022-12-31', value, { item: 'shares_basic', unit: 'shares', decimals: '0' }),
      stated(number, 'FY', '2021-12-31', value, { item: 'shares_basic', unit: 'shares', decimals: '0' }),
    ];
    const of = (rows: object[], year: number) => rows.filter((row) => 'fiscal_year' in row && row.fiscal_year === year);
    await database.insert('filings', [
      filing('a', '10-K', '2023-02-01'),
      filing('b', '10-K', '2024-02-01', { acceptance_datetime: null }),
      filing('c', '10-K/A', '2024-02-01', { acceptance_datetime: null }),
    ]);
    await database.insert('fundamentals', [
      ...per('a', 20),
      ...shares('a', 1000),
      ...of(per('b', 5), 2022),
      ...of(shares('b', 4000), 2022),
      ...of(per('c', 5), 2021),
      ...of(shares('c', 4000), 2021),
    ] as Record<string, unknown>[]);
    expect(await database.rows('SELECT ratio, accession_number FROM splits')).toEqual([[4, 'b']]);
  });
});
