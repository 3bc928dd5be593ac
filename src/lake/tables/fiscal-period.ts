/** Which fiscal year and period a periodic report is about, by its form and the dates of its header. */
import { isCalendarDate } from '../../filings/api/index.ts';

interface FiscalPeriod {
  /** Calendar year in which the fiscal year ends, by the header's month and day. */
  year: number;
  period: 'FY' | 'Q1' | 'Q2' | 'Q3';
}

/** Transition reports (10-KT, 10-QT) are about no fiscal year. */
const ANNUAL = /^(10-?K(SB)?(405|40)?|20-?F|40-?F)(\/A)?$/i;
const QUARTERLY = /^10-?Q(SB)?(\/A)?$/i;

/** Years of 52 and 53 weeks end up to a week from the day that the header states; some companies state the last day of the month before. */
const TOLERANCE_DAYS = 16;
const DAY_MS = 86_400_000;
const QUARTER_DAYS = 365.25 / 4;

/**
 * @param reportDate end of the period, `YYYY-MM-DD`
 * @param fiscalYearEnd `MMDD`
 * @returns null for other forms, and if the dates don't fit together: a company that changed its fiscal year states only the new end
 */
export function fiscalPeriodOf(
  formType: string | null,
  reportDate: string | null,
  fiscalYearEnd: string | null,
): FiscalPeriod | null {
  if (formType === null || reportDate === null || fiscalYearEnd === null) return null;
  const isAnnual = ANNUAL.test(formType);
  if (!isAnnual && !QUARTERLY.test(formType)) return null;
  if (!isCalendarDate(reportDate)) return null;
  const end = Date.parse(reportDate);
  const calendarYear = Number(reportDate.slice(0, 4));
  for (const year of [calendarYear, calendarYear + 1, calendarYear - 1]) {
    const yearEnd = yearEndIn(year, fiscalYearEnd);
    if (yearEnd === null) return null;
    const daysLeft = (yearEnd - end) / DAY_MS;
    const quartersLeft = Math.round(daysLeft / QUARTER_DAYS);
    if (Math.abs(daysLeft - quartersLeft * QUARTER_DAYS) > TOLERANCE_DAYS) continue;
    if (isAnnual && quartersLeft === 0) return { year, period: 'FY' };
    if (!isAnnual && quartersLeft >= 1 && quartersLeft <= 3)
      return { year, period: `Q${4 - quartersLeft}` as FiscalPeriod['period'] };
  }
  return null;
}

/** Milliseconds; null if it is not a month and day. 29 February is the last of February. */
function yearEndIn(year: number, monthDay: string): number | null {
  const day = monthDay === '0229' ? '28' : monthDay.slice(2);
  const date = `${year}-${monthDay.slice(0, 2)}-${day}`;
  return isCalendarDate(date) ? Date.parse(date) : null;
}
