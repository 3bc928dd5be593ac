/** Fiscal years and periods by the dates of a filing's header. */
import { describe, expect, it } from 'vitest';
import { fiscalPeriodOf } from '../../../../src/lake/tables/fiscal-period.ts';

const of = (form: string | null, reportDate: string | null, fiscalYearEnd: string | null) => {
  const fiscal = fiscalPeriodOf(form, reportDate, fiscalYearEnd);
  return fiscal === null ? null : `${fiscal.year} ${fiscal.period}`;
};

describe('the fiscal period of a report', () => {
  it.each([
    ['10-K', '2023-12-31', '1231', '2023 FY'],
    ['10-K/A', '2023-12-31', '1231', '2023 FY'],
    ['10-K405', '1999-06-30', '0630', '1999 FY'],
    ['10KSB', '2000-02-29', '0229', '2000 FY'],
    ['20-F', '2019-03-31', '0331', '2019 FY'],
    ['10-Q', '2023-03-31', '1231', '2023 Q1'],
    ['10-Q', '2023-06-30', '1231', '2023 Q2'],
    ['10-QSB', '2023-09-30', '1231', '2023 Q3'],
    ['10-Q', '2023-09-30', '0630', '2024 Q1'],
    ['10-Q', '2023-12-31', '0630', '2024 Q2'],
    ['10-Q', '2024-03-31', '0630', '2024 Q3'],
  ])('%s for %s, year end %s: %s', (form, reportDate, fiscalYearEnd, expected) => {
    expect(of(form, reportDate, fiscalYearEnd)).toBe(expected);
  });

  it('takes years of 52 and 53 weeks to end near the stated day', () => {
    expect(of('10-K', '2023-12-30', '1231')).toBe('2023 FY');
    expect(of('10-K', '2024-01-02', '1231')).toBe('2023 FY');
    expect(of('10-K', '2020-12-27', '0103')).toBe('2021 FY');
    expect(of('10-Q', '2023-07-01', '0930')).toBe('2023 Q3');
  });

  it('is not stated if the form has none, or if a date is missing', () => {
    for (const form of ['8-K', '4', '10-KT', '10-QT', 'NT 10-K', null])
      expect(of(form, '2023-12-31', '1231')).toBeNull();
    expect(of('10-K', null, '1231')).toBeNull();
    expect(of('10-K', '2023-12-31', null)).toBeNull();
    expect(of('10-K', '2023-02-31', '1231')).toBeNull();
    expect(of('10-K', '2023-12-31', '1332')).toBeNull();
  });

  it('is not stated if the dates do not fit: the company has changed its fiscal year since', () => {
    expect(of('10-K', '2023-09-30', '1231')).toBeNull();
    expect(of('10-Q', '2023-12-31', '1231')).toBeNull();
    expect(of('10-Q', '2023-05-15', '1231')).toBeNull();
  });
});
