/** Views that compare fundamentals: quarters against years, doubts, stock splits, values per share, and items by segment. */
import { describe, expect, it } from 'vitest';
import { FormDatabase } from '../../../support/forms/form-database.ts';

const FILINGS = ['2020-05-01', '2020-08-01', '2020-11-01', '2021-02-01', '2021-05-01'];
const name = (day: string) => `0000000042-00-00000${FILINGS.indexOf(day)}`;

async function database(values: readonly Record<string, unknown>[]): Promise<FormDatabase> {
  const made = await FormDatabase.create();
  await made.insert(
    'filings',
    FILINGS.map((day) => ({
      accession_number: name(day),
      acceptance_datetime: day,
      filing_date: day,
      cik: '42',
      form_type: '10-K',
    })),
  );
  const rows = values.map(({ day, ...more }) => ({
    accession_number: name(day as string),
    file: 'x.htm',
    cik: '42',
    method: 'reported',
    unit: 'USD',
    decimals: '-6',
    item: 'revenue',
    statement: 'income',
    fiscal_year: 2020,
    mapping_version: 1,
    ...more,
  }));
  await made.insert('fundamentals', rows);
  return made;
}
const span = (fiscal_period: string, start: string, end: string) => ({
  fiscal_period,
  period_start: `2020-${start}`,
  period_end: `2020-${end}`,
});
const [Q1, Q2, H1] = [span('Q1', '01-01', '03-31'), span('Q2', '04-01', '06-30'), span('H1', '01-01', '06-30')];

describe('quarters', () => {
  const stated = (second: number) =>
    database([
      { day: '2020-05-01', ...Q1, value: 20e6 },
      { day: '2020-08-01', ...Q2, value: second },
      { day: '2020-08-01', ...H1, value: 42e6 },
    ]);
  const SHOWN =
    'SELECT identity, fiscal_period, CAST(difference AS DOUBLE), CAST(tolerance AS DOUBLE), holds FROM fundamental_checks';

  it('add up to what the months together state, within the rounding', async () => {
    expect(await (await stated(22e6)).rows(SHOWN)).toEqual([['quarters revenue', 'H1', 0, 1.5e6, true]]);
    const failing = await stated(25e6);
    expect(await failing.rows(SHOWN)).toEqual([['quarters revenue', 'H1', -3e6, 1.5e6, false]]);
    expect(await failing.rows('SELECT identity, accession_number FROM doubts')).toEqual([
      ['quarters revenue', name('2020-08-01')],
    ]);
  });

  it('as first stated: a restated one is of another basis', async () => {
    const made = await database([
      { day: '2020-05-01', ...Q1, value: 20e6 },
      { day: '2020-08-01', ...Q2, value: 22e6 },
      { day: '2020-08-01', ...H1, value: 42e6 },
      { day: '2021-05-01', ...Q1, value: 30e6 },
    ]);
    expect(await made.rows(SHOWN)).toEqual([['quarters revenue', 'H1', 0, 1.5e6, true]]);
  });
});

describe('doubts', () => {
  it('have 13F tables that do not add up to their cover', async () => {
    const made = await FormDatabase.create();
    const report = (k: number, more: object) => ({
      accession_number: `f${k}`,
      filer_cik: '7',
      period_of_report: '2024-03-31',
      ...more,
    });
    await made.insert('f13_reports', [
      report(1, { table_value_total: 100, value_sum: 101, table_entry_total: 3, holdings: 3 }),
      report(2, { table_value_total: 100, value_sum: 1000, table_entry_total: 3, holdings: 3 }),
      report(3, { table_value_total: 100, value_sum: 100, table_entry_total: 4, holdings: 3 }),
      report(4, { table_value_total: 100, value_sum: null, table_entry_total: 4, holdings: null }),
    ]);
    expect(
      await made.rows('SELECT accession_number, identity, CAST(difference AS DOUBLE) FROM doubts ORDER BY 1'),
    ).toEqual([
      ['f2', 'f13_value_total', -900],
      ['f3', 'f13_entry_total', 1],
    ]);
  });

  it('have prices of market trades far from others of the day', async () => {
    const made = await FormDatabase.create();
    const trades = [10, 10.2, 9.9, 1020, 40].map((price_per_share, line) => ({
      accession_number: `o${line}`,
      line,
      security_title: 'Common Stock',
      transaction_date: '2024-03-01',
      price_per_share,
      transaction_code: line === 4 ? 'M' : 'S',
    }));
    await made.insert('ownership_transactions', trades);
    await made.insert(
      'ownership_reports',
      trades.map(({ accession_number }) => ({ accession_number, issuer_cik: '42' })),
    );
    expect(await made.rows('SELECT accession_number, identity, cik FROM doubts')).toEqual([
      ['o3', 'form4_price', '42'],
    ]);
  });
});

describe('a split', () => {
  const year = span('FY', '01-01', '12-31');
  const before = { ...year, fiscal_year: 2019, period_start: '2019-01-01', period_end: '2019-12-31' };
  const counts = { item: 'shares_diluted', unit: 'shares', decimals: '-3' };
  const earnings = { item: 'eps_diluted', unit: 'USD/shares', decimals: '2' };
  const FOUR = [
    { day: '2020-05-01', ...before, ...counts, value: 4_648_913_000 },
    { day: '2020-05-01', ...before, ...earnings, value: 11.89 },
    { day: '2020-11-01', ...before, ...counts, value: 18_595_651_000 },
    { day: '2020-11-01', ...before, ...earnings, value: 2.97 },
    { day: '2020-05-01', ...Q1, ...counts, value: 4_404_691_000 },
    { day: '2020-05-01', ...Q1, ...earnings, value: 2.55 },
    { day: '2021-05-01', ...Q1, ...counts, value: 17_618_765_000 },
    { day: '2021-05-01', ...Q1, ...earnings, value: 0.64 },
    { day: '2021-05-01', ...year, ...earnings, value: 3.28 },
  ];
  const SPLITS = `SELECT ratio, source, strftime(known_from, '%Y-%m-%d'), is_tagged FROM splits`;

  it('is one, however many filings restate for it', async () => {
    expect(await (await database(FOUR)).rows(SPLITS)).toEqual([[4, 'restated', '2020-11-01', false]]);
  });

  it('needs counts and values per share with one ratio', async () => {
    expect(await (await database(FOUR.filter(({ item }) => item === 'shares_diluted'))).rows(SPLITS)).toEqual([]);
    const restated = FOUR.map((row) =>
      row.value === 2.97 ? { ...row, value: 6.5 } : row.value === 0.64 ? { ...row, value: 1.9 } : row,
    );
    expect(await (await database(restated)).rows(SPLITS)).toEqual([]);
  });

  it('that is tagged alone is named as such', async () => {
    const made = await database(FOUR);
    const tag = (ratio: number, k: number) => ({
      accession_number: name('2020-08-01'),
      file: 'x.htm',
      position: k,
      entity_cik: '42',
      value: String(ratio),
      value_number: ratio,
      concept: 'us-gaap:StockholdersEquityNoteStockSplitConversionRatio1',
    });
    await made.insert('xbrl_facts', [tag(4, 0), tag(0.1, 1)]);
    expect(await made.rows(`${SPLITS} ORDER BY ratio DESC`)).toEqual([
      [4, 'restated', '2020-11-01', true],
      [0.1, 'tagged', '2020-08-01', true],
    ]);
  });

  it('adjusts what was stated before it, beside the value as filed', async () => {
    const rows = await (await database(FOUR)).rows(
      `SELECT fiscal_period, CAST(as_filed AS DOUBLE), round(adjusted, 4), factor FROM per_share_items WHERE item = 'eps_diluted' ORDER BY ALL`,
    );
    expect(rows).toEqual([
      ['FY', 2.97, 2.97, 1],
      ['FY', 3.28, 3.28, 1],
      ['FY', 11.89, 2.9725, 4],
      ['Q1', 0.64, 0.64, 1],
      ['Q1', 2.55, 0.6375, 4],
    ]);
  });

  it('puts each year of a panel on the basis that was newest at the moment; as_filed and split_factor are beside it', async () => {
    const made = await database(FOUR);
    const panel = (moment: string, items = `['eps_diluted', 'shares_diluted']`) =>
      made.rows(
        `SELECT item, CAST(period_end AS VARCHAR), round(value, 4), as_filed, split_factor FROM panel_values('quarter', '${moment}', NULL, ${items}) ORDER BY ALL`,
      );
    expect(await panel('2020-06-01')).toEqual([
      ['eps_diluted', '2020-03-31', 2.55, 2.55, 1],
      ['shares_diluted', '2020-03-31', 4_404_691_000, 4_404_691_000, 1],
    ]);
    expect(await panel('2021-01-01')).toEqual([
      ['eps_diluted', '2020-03-31', 0.6375, 2.55, 4],
      ['shares_diluted', '2020-03-31', 17_618_764_000, 4_404_691_000, 4],
    ]);
    expect(await panel('9999-12-31', `['eps_diluted']`)).toEqual([['eps_diluted', '2020-03-31', 0.64, 0.64, 1]]);
    expect(await panel('9999-12-31', `['revenue']`)).toEqual([]);
  });

  it('puts years as first reported on the newest basis, too; a report that repeats them is of theirs', async () => {
    const repeated = FOUR.filter(({ value }) => value === 2.97 || value === 18_595_651_000);
    const made = await database([...FOUR, ...repeated.map((row) => ({ ...row, day: '2021-02-01' }))]);
    const panel = (moment: string) =>
      made.rows(
        `SELECT CAST(period_end AS VARCHAR), round(value, 4), as_filed, split_factor, accession_number
         FROM panel_values('first_reported', '${moment}', NULL, ['eps_diluted']) ORDER BY ALL`,
      );
    const first = ['2019-12-31', 2.9725, 11.89, 4, name('2020-05-01')];
    expect(await panel('9999-12-31')).toEqual([first, ['2020-12-31', 3.28, 3.28, 1, name('2021-05-01')]]);
    expect(await panel('2020-06-01')).toEqual([['2019-12-31', 11.89, 11.89, 1, name('2020-05-01')]]);
    const alone = await database([...FOUR.slice(2, 4), ...repeated.map((row) => ({ ...row, day: '2021-02-01' }))]);
    expect(
      await alone.rows(
        `SELECT value, split_factor FROM panel_values('first_reported', '9999-12-31', NULL, ['eps_diluted'])`,
      ),
    ).toEqual([[2.97, 1]]);
  });

  it('is behind a filing that states only new periods after it: its count of shares says so', async () => {
    const second = (count: number) => [
      { day: '2020-08-01', ...Q2, ...earnings, value: 0.64 },
      { day: '2020-08-01', ...Q2, ...counts, value: count },
    ];
    // No filing before May 2021 restates.
    const rows = FOUR.filter(({ day }) => day !== '2020-11-01');
    const factors = async (count: number | null) =>
      (await database([...rows, ...(count === null ? second(1).slice(0, 1) : second(count))])).rows(
        `SELECT factor FROM per_share_items WHERE item = 'eps_diluted' AND fiscal_period = 'Q2'`,
      );
    expect(await factors(17_500_000_000)).toEqual([[1]]);
    expect(await factors(4_390_000_000)).toEqual([[4]]);
    expect(await factors(null)).toEqual([[null]]);
  });

  it('may be reverse', async () => {
    const reverse = FOUR.map(({ value, ...row }) => ({
      ...row,
      value: row.day >= '2020-11-01' ? (row.item === 'shares_diluted' ? 464_891_300 : 118.9) : value,
    })).filter(({ period_end }) => period_end === '2019-12-31');
    expect(await (await database(reverse)).rows(`SELECT round(ratio, 6) FROM splits`)).toEqual([[0.1]]);
  });
});

describe('segments', () => {
  const fact = (member: string | null, value: number, k: number, decimals = '-6') => ({
    accession_number: name('2020-05-01'),
    file: 'x.htm',
    position: k,
    concept: 'us-gaap:Revenues',
    unit: 'USD',
    decimals,
    period_start: Q1.period_start,
    period_end: Q1.period_end,
    value: String(value),
    value_number: value,
    entity_cik: '42',
    dimensions: member === null ? '{}' : JSON.stringify({ 'srt:ProductOrServiceAxis': `x:${member}` }),
  });
  const total = { day: '2020-05-01', ...Q1, concept: 'us-gaap:Revenues', value: 100e6 };
  const SHOWN = `SELECT replace(member, 'x:', ''), CAST(value AS DOUBLE) / 1e6, is_subtotal, adds_up FROM segments ORDER BY position`;
  const shown = async (facts: readonly Record<string, unknown>[]) => {
    const made = await database([total]);
    await made.insert('xbrl_facts', [fact(null, 100e6, 0), ...facts]);
    return made.rows(SHOWN);
  };

  it('are members of one axis, with their sum against the total', async () => {
    expect(await shown([fact('Phones', 70e6, 1), fact('Services', 30e6, 2), fact('Phones', 70.2e6, 3, '-5')])).toEqual([
      ['Services', 30, false, true],
      ['Phones', 70.2, false, true],
    ]);
    expect(await shown([fact('Phones', 70e6, 1), fact('Services', 20e6, 2)])).toMatchObject([
      ['Phones', 70, false, false],
      ['Services', 20, false, false],
    ]);
  });

  it('say which member is a subtotal', async () => {
    const facts = [
      fact('Products', 70e6, 1),
      fact('Phones', 40e6, 2),
      fact('Watches', 30e6, 3),
      fact('Services', 30e6, 4),
    ];
    expect(await shown(facts)).toEqual([
      ['Products', 70, true, true],
      ['Phones', 40, false, true],
      ['Watches', 30, false, true],
      ['Services', 30, false, true],
    ]);
  });
});
