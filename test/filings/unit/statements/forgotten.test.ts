import { describe, expect, it } from 'vitest';
import { itemsOf, type Report, report, type StatementLine, statementsOf, YEAR } from '../../../support/statements.ts';

const BEFORE = '2023-01-01/2023-12-31';

/** A year with 8,000 of income (in millions) and counts of shares as written. */
function annual(shares: readonly string[], more: Partial<Report> & { net?: readonly string[] } = {}): Report {
  const income: StatementLine[] = [
    ['Revenue', 'Revenues', '25000', '24000'],
    ['Tax', 'IncomeTaxExpenseBenefit', '2000', '1900'],
    ['Net income', 'NetIncomeLoss', ...(more.net ?? ['8000', '7000'])],
    ['Basic', 'EarningsPerShareBasic', '11.00', '9.50'],
    ['Diluted', 'EarningsPerShareDiluted', '10.93', '9.44'],
    ['Diluted shares', 'WeightedAverageNumberOfDilutedSharesOutstanding', ...shares],
  ];
  return report({ durations: [YEAR, BEFORE], income, ...more });
}

describe('a count of shares', () => {
  it('with fractions of a share that fits income per share times a million has lost its scale', () => {
    const rows = statementsOf(annual(['=731.9', '=741.3']));
    const shares = rows.fundamentals!.filter(({ item }) => item === 'shares_diluted');
    expect(shares).toMatchObject([
      { value: '731900000', decimals: '-5', method: 'reported', fiscal_year: 2024 },
      { value: '741300000', decimals: '-5', method: 'reported', fiscal_year: 2023 },
    ]);
    expect(rows.fundamental_sources!.filter(({ item }) => item === 'shares_diluted')).toMatchObject([
      { weight: 1_000_000, value: '731.9' },
      { weight: 1_000_000, value: '741.3' },
    ]);
    const checks = rows.fundamental_checks!.filter(({ identity }) => identity === 'earnings_per_share');
    expect(checks.map(({ holds }) => holds)).toEqual([true, true]);
  });

  it('in whole thousands needs the cover to agree', () => {
    const shares = ['=731900', '=741300'];
    expect(itemsOf(annual(shares, { outstanding: '722' })).shares_diluted).toBe('731900000 FY reported');
    expect(itemsOf(annual(shares)).shares_diluted).toBe('no_scale');
  });

  it('stays as filed if the cover agrees with it: the income has the wrong scale', () => {
    const made = annual(['731.9', '741.3'], { net: ['8000000', '7000000'], outstanding: '722' });
    expect(itemsOf(made)).toMatchObject({
      shares_diluted: '731900000 FY reported',
      shares_outstanding: '722000000 FY reported',
    });
    const checks = statementsOf(made).fundamental_checks!;
    expect(checks.filter(({ identity }) => identity === 'earnings_per_share')).toMatchObject([
      { holds: false },
      { holds: false },
    ]);
  });

  it('of another scale in one column is multiplied there only', () => {
    const rows = statementsOf(annual(['731.9', '=741.3'], { outstanding: '722' }));
    expect(rows.fundamentals!.filter(({ item }) => item === 'shares_diluted').map(({ value }) => value)).toEqual([
      '731900000',
      '741300000',
    ]);
  });

  it('with fractions has no value if income per share says nothing of it', () => {
    const made = annual(['=731.9', '=741.3'], { net: ['8000', '7000'] });
    const income = made.income!.filter(([label]) => !/^(Basic|Diluted)$/.test(label));
    expect(itemsOf({ ...made, income }).shares_diluted).toBe('no_scale');
    expect(itemsOf({ ...made, income, outstanding: '=722' }).shares_diluted).toBe('731.9 FY reported');
  });

  it('of the cover has no value if it is that of the statement without its scale', () => {
    expect(itemsOf(annual(['731.9', '741.3'], { outstanding: '=722' })).shares_outstanding).toBe('no_scale');
    expect(itemsOf(annual(['731.9', '741.3'], { outstanding: '3' })).shares_outstanding).toBe('3000000 FY reported');
  });
});

describe('a line', () => {
  it('with two numbers for one period has no value for it, with the same number twice it has', () => {
    const line = (net: string) => itemsOf(annual(['731.9', '741.3'], { net: [net, '7000'] })).net_income;
    expect(line('8000|8000')).toBe('8000000000 FY reported');
    expect(line('8000|7900')).toBe('7000000000 FY reported');
  });

  it('that another line of its concept contradicts has no value where they differ', () => {
    const made = annual(['731.9', '741.3']);
    const again: StatementLine = ['Net income again', 'NetIncomeLoss', '8000', '6900'];
    expect(itemsOf({ ...made, income: [...made.income!, again] }).net_income).toBe('8000000000 FY reported');
    const other: StatementLine = ['Net income, other', 'NetIncomeLoss', '7900', '6900'];
    expect(itemsOf({ ...made, income: [...made.income!, other] }).net_income).toBe('no_line');
  });
});
