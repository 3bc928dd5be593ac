import { describe, expect, it } from 'vitest';
import { type Report, statementsOf } from '../../../support/statements.ts';

/** Fiscal periods by their days. */
function periods(report: Omit<Report, 'income' | 'days'> & { days?: readonly string[] }): Record<string, string> {
  const cells = report.durations.map(() => '1');
  const rows = statementsOf({
    days: [],
    ...report,
    income: [
      ['Revenue', 'Revenues', ...cells],
      ['Tax', 'IncomeTaxExpenseBenefit', ...cells],
      ['Net', 'NetIncomeLoss', ...cells],
    ],
  });
  return Object.fromEntries(
    (rows.fiscal_periods ?? []).map(({ period_start, period_end, fiscal_year, fiscal_period, weeks, source }) => [
      `${period_start}/${period_end}`,
      `${fiscal_year} ${fiscal_period} ${weeks} ${source}`,
    ]),
  );
}

describe('fiscal periods', () => {
  it('of a year of 52 or 53 weeks differ, if two end in one calendar year', () => {
    const durations = ['2023-01-02/2023-12-31', '2022-01-03/2023-01-01', '2021-01-04/2022-01-02'];
    expect(periods({ end: '2023-12-31', year: 2023, period: 'FY', durations })).toEqual({
      '2023-01-02/2023-12-31': '2023 FY 52 cover',
      '2022-01-03/2023-01-01': '2022 FY 52 counted',
      '2021-01-04/2022-01-02': '2021 FY 52 counted',
    });
  });

  it('of a year that ends in January have the number that the company gives it', () => {
    const durations = ['2024-02-04/2025-02-01', '2023-01-29/2024-02-03'];
    expect(periods({ end: '2025-02-01', year: 2024, period: 'FY', durations })).toEqual({
      '2024-02-04/2025-02-01': '2024 FY 52 cover',
      '2023-01-29/2024-02-03': '2023 FY 53 counted',
    });
    expect(Object.values(periods({ end: '2025-02-01', year: 2025, period: 'FY', durations }))).toEqual([
      '2025 FY 52 cover',
      '2024 FY 53 counted',
    ]);
  });

  it('of a quarterly report are the quarter and the months so far, with those of the year before', () => {
    const durations = [
      '2024-07-01/2024-09-30',
      '2024-01-01/2024-09-30',
      '2023-07-01/2023-09-30',
      '2023-01-01/2023-09-30',
    ];
    expect(periods({ end: '2024-09-30', year: 2024, period: 'Q3', durations })).toEqual({
      '2024-07-01/2024-09-30': '2024 Q3 13 cover',
      '2024-01-01/2024-09-30': '2024 9M 39 cover',
      '2023-07-01/2023-09-30': '2023 Q3 13 counted',
      '2023-01-01/2023-09-30': '2023 9M 39 counted',
    });
  });

  it('of quarters of 12 weeks are quarters', () => {
    const durations = [
      '2024-02-19/2024-05-12',
      '2023-09-04/2024-05-12',
      '2023-02-13/2023-05-07',
      '2022-08-29/2023-05-07',
    ];
    expect(Object.values(periods({ end: '2024-05-12', year: 2024, period: 'Q3', durations }))).toEqual([
      '2024 Q3 12 cover',
      '2024 9M 36 cover',
      '2023 Q3 12 counted',
      '2023 9M 36 counted',
    ]);
  });

  it('of a first or a changed year are short', () => {
    expect(periods({ end: '2024-12-31', year: 2024, period: 'FY', durations: ['2024-05-20/2024-12-31'] })).toEqual({
      '2024-05-20/2024-12-31': '2024 FY 32 short',
    });
  });

  it('of a transition report are the short year, and the years before the change, by their old end', () => {
    const before = ['2022-01-30/2023-01-28', '2021-01-31/2022-01-29'];
    const found = (end: string, year: number) =>
      periods({
        type: '10-KT',
        end,
        year,
        period: 'FY',
        durations: [`2023-01-29/${end}`, ...before],
        days: [end, '2023-01-28'],
      });
    expect(found('2023-12-30', 2023)).toEqual({
      '2023-01-29/2023-12-30': '2023 FY 48 short',
      '2022-01-30/2023-01-28': '2022 FY 52 counted',
      '2021-01-31/2022-01-29': '2021 FY 52 counted',
    });
    // Three months are not a fourth quarter, and the year before them is not a third one.
    expect(Object.values(found('2023-04-29', 2023))).toEqual([
      '2023 FY 13 short',
      '2023 FY 52 counted',
      '2022 FY 52 counted',
    ]);
  });

  it('of an annual report after a moved year end are years by their old end; the month between them is none', () => {
    const durations = [
      '2008-12-27/2009-12-25',
      '2007-12-01/2008-11-28',
      '2006-11-25/2007-11-30',
      '2008-11-29/2008-12-26',
    ];
    const found = periods({
      end: '2009-12-25',
      year: 2009,
      period: 'FY',
      durations,
      days: ['2009-12-25', '2008-11-28'],
    });
    expect(found).toEqual({
      '2008-12-27/2009-12-25': '2009 FY 52 cover',
      '2007-12-01/2008-11-28': '2008 FY 52 counted',
      '2006-11-25/2007-11-30': '2007 FY 53 counted',
    });
  });

  it('of a predecessor are not those of the company, although its successor has a short year', () => {
    const durations = ['2023-07-22/2023-12-31', '2023-01-01/2023-07-21', '2022-01-01/2022-12-31'];
    expect(periods({ end: '2023-12-31', year: 2023, period: 'FY', durations })).toEqual({
      '2023-07-22/2023-12-31': '2023 FY 23 short',
      '2022-01-01/2022-12-31': '2022 FY 52 counted',
    });
  });

  it('do not include twelve months up to a quarter, nor days before a merger', () => {
    const durations = ['2024-07-01/2024-09-30', '2023-10-01/2024-09-30', '2024-01-01/2024-07-21'];
    expect(Object.keys(periods({ end: '2024-09-30', year: 2024, period: 'Q3', durations }))).toEqual([
      '2024-07-01/2024-09-30',
    ]);
  });

  it('believe the days of the facts, if the cover states the end of the month', () => {
    const durations = ['2023-10-01/2024-09-28', '2022-09-25/2023-09-30'];
    expect(Object.values(periods({ end: '2024-09-30', year: 2024, period: 'FY', durations }))).toEqual([
      '2024 FY 52 cover',
      '2023 FY 53 counted',
    ]);
  });

  it('take a year that the cover can not mean from the end', () => {
    const found = periods({ end: '2024-12-31', year: 2021, period: 'FY', durations: ['2024-01-01/2024-12-31'] });
    expect(Object.values(found)).toEqual(['2024 FY 52 cover']);
  });
});
