/**
 * Fiscal years and quarters of a report's periods. The cover says which year and quarter the report is of; all other periods are counted
 * from there. Calendar months say nothing: years of 52 and 53 weeks end a few days into the next month, quarters have 12 to 16 weeks.
 */
import { dayText } from '../../core/index.ts';
import { type Cover, dayNumber, type Period, periodKey } from './facts.ts';

export type FiscalPeriod = 'Q1' | 'Q2' | 'Q3' | 'Q4' | 'H1' | '9M' | 'FY';

export interface Label {
  readonly fiscalYear: number;
  readonly fiscalPeriod: FiscalPeriod;
  /** `cover`: the report's own period; `counted`: from it; `short`: of another length than its name says. */
  readonly source: 'cover' | 'counted' | 'short';
}

const YEAR_DAYS = 365.25;
const QUARTER_DAYS = YEAR_DAYS / 4;
/** Quarters of 12 weeks end up to 22 days before their quarter of the year. */
const SLACK_DAYS = 25;
/** Slack for the ends of other quarters than the report's own. */
const END_SLACK_DAYS = 16;
const CUMULATIVE = ['Q1', 'H1', '9M', 'FY'] as const;
const quarterName = (quarter: number) => `Q${quarter}` as FiscalPeriod;

export class FiscalCalendar {
  /** Last day of the report's period. */
  readonly end: string;
  /** 1 to 4. */
  readonly quarter: number;
  readonly isAnnual: boolean;
  /** An annual or quarterly report. */
  readonly isReport: boolean;
  /** Fiscal year of the report. */
  readonly year: number;
  /** Day number of the end of that year, as far as it is known. */
  readonly #yearEnd: number;
  /** The last day of the year before a change of the year end, and its number: of a transition report, or one of the years after it. */
  readonly #before: { readonly last: number; readonly year: number } | null;
  readonly #labels = new Map<string, Label | null>();

  /** @returns null if the filing says nothing of its period */
  static of(cover: Cover, periods: readonly Period[]): FiscalCalendar | null {
    const stated = cover.get('dei:DocumentPeriodEndDate') ?? '';
    const end = /^\d{4}-\d\d-\d\d$/.test(stated) ? stated : null;
    return end === null ? null : new FiscalCalendar(cover, nearestEnd(end, periods), periods);
  }

  private constructor(cover: Cover, end: string, periods: readonly Period[]) {
    this.end = end;
    const last = dayNumber(end);
    const focus = cover.get('dei:DocumentFiscalPeriodFocus') ?? '';
    const type = cover.get('dei:DocumentType') ?? '';
    const named = /^Q([1-4])$/.exec(focus);
    this.isAnnual = focus === 'FY' || /^(10-?K|20-?F|40-?F)/.test(type);
    this.isReport = /^(10-?[KQ]|[24]0-?F)/.test(type);
    const stated = this.isAnnual ? 4 : named === null ? null : Number(named[1]);
    this.quarter = stated ?? Math.min(4, Math.max(1, longestPeriod(end, periods)));
    const before = this.isAnnual ? null : endOfYearBefore(last, this.quarter, periods);
    this.#yearEnd = this.isAnnual
      ? last
      : before !== null
        ? before + 365
        : last + Math.round((4 - this.quarter) * QUARTER_DAYS);
    // A week into the next month still belongs to the last.
    const closing = Number(dayText(this.#yearEnd - 14).slice(0, 4));
    const year = Number(cover.get('dei:DocumentFiscalYearFocus'));
    this.year = Math.abs(year - closing) <= 1 ? year : closing;
    const isTransition = /^10-?KT/.test(type) || cover.get('dei:DocumentTransitionReport') === 'true';
    const days = this.isAnnual ? longestDays(end, periods) : 0;
    if (isTransition && days > 0 && days < YEAR_DAYS - SLACK_DAYS)
      this.#before = yearBefore(last - days, this.year, days);
    else {
      const moved = this.isAnnual ? endOfMovedYear(last, periods) : null;
      this.#before = moved === null ? null : yearBefore(moved, this.year, YEAR_DAYS);
    }
  }

  /** @returns null for other periods than a quarter, half, nine months or year of the company */
  label(start: string | null, end: string): Label | null {
    const key = periodKey(start, end);
    let label = this.#labels.get(key);
    if (label === undefined) {
      label = this.#labelOf(start, end);
      this.#labels.set(key, label);
    }
    return label;
  }

  #labelOf(start: string | null, end: string): Label | null {
    const place = this.#place(end);
    if (place === null) return null;
    const { quarter, fiscalYear } = place;
    const own = end === this.end;
    if (start === null)
      return {
        fiscalYear,
        fiscalPeriod: quarter === 4 ? 'FY' : quarterName(quarter),
        source: own ? 'cover' : 'counted',
      };
    const days = dayNumber(end) - dayNumber(start) + 1;
    const length = Math.round(days / QUARTER_DAYS);
    if (own && this.#before !== null && dayNumber(start) === this.#before.last + 1)
      return { fiscalYear, fiscalPeriod: 'FY', source: 'short' };
    const isRegular = length >= 1 && Math.abs(days - length * QUARTER_DAYS) <= SLACK_DAYS;
    if (isRegular && length === quarter)
      return { fiscalYear, fiscalPeriod: CUMULATIVE[quarter - 1]!, source: own ? 'cover' : 'counted' };
    if (isRegular && length === 1)
      return { fiscalYear, fiscalPeriod: quarterName(quarter), source: own ? 'cover' : 'counted' };
    // A company's first period, a changed year end.
    if (days >= quarter * QUARTER_DAYS) return null;
    return { fiscalYear, fiscalPeriod: days < 100 ? quarterName(quarter) : CUMULATIVE[quarter - 1]!, source: 'short' };
  }

  /** The quarter of the company's year that ends on a day. */
  #place(end: string): { fiscalYear: number; quarter: number } | null {
    const day = dayNumber(end);
    const last = dayNumber(this.end);
    // Months between the old end of the year and the new one are of no year.
    if (this.#before !== null && day > this.#before.last && last - day > 300) return null;
    const years = Math.round((last - day) / 365.25);
    if (years >= 0 && Math.abs(last - day - years * 365.25) <= 10)
      return { fiscalYear: this.year - years, quarter: this.quarter };
    const { last: yearEnd, year } = this.#before ?? { last: this.#yearEnd, year: this.year };
    const back = yearEnd - day;
    const quarters = Math.round(back / QUARTER_DAYS);
    if (quarters < 0 || Math.abs(back - quarters * QUARTER_DAYS) > END_SLACK_DAYS) return null;
    return { fiscalYear: year - Math.floor(quarters / 4), quarter: 4 - (quarters % 4) };
  }
}

/** Covers often state the end of the month. Facts know the day: most of them end on it. */
function nearestEnd(stated: string, periods: readonly Period[]): string {
  const counts = countsOf(periods);
  const day = dayNumber(stated);
  const near = new Map([...counts].filter(([end]) => Math.abs(dayNumber(end) - day) <= 10));
  const found = [...near].sort((a, b) => b[1] - a[1])[0];
  return found === undefined || (near.get(stated) ?? 0) * 2 >= found[1] ? stated : found[0];
}

/** Quarters of the longest period up to a year that ends on the day. */
const longestPeriod = (day: string, periods: readonly Period[]): number =>
  Math.round(longestDays(day, periods) / QUARTER_DAYS);

/** Days of it. */
function longestDays(day: string, periods: readonly Period[]): number {
  let longest = 0;
  for (const { start, end } of periods)
    if (end === day && start !== null) {
      const days = dayNumber(end) - dayNumber(start) + 1;
      if (days <= 380) longest = Math.max(longest, days);
    }
  return longest;
}

/** The newest year of a report that ends on another day of the year than the report's own; null: its years end alike. */
function endOfMovedYear(last: number, periods: readonly Period[]): number | null {
  const counts = new Map<number, number>();
  for (const { start, end, count } of periods) {
    const day = dayNumber(end);
    if (start === null || Math.abs(day - dayNumber(start) + 1 - YEAR_DAYS) > END_SLACK_DAYS / 2) continue;
    counts.set(day, (counts.get(day) ?? 0) + count);
  }
  const most = Math.max(0, ...counts.values());
  const isMoved = ([day, count]: readonly [number, number]) => {
    const years = Math.round((last - day) / YEAR_DAYS);
    return day < last && Math.abs(last - day - years * YEAR_DAYS) > END_SLACK_DAYS && count * 4 >= most;
  };
  const moved = [...counts].filter(isMoved).map(([day]) => day);
  return moved.length === 0 ? null : Math.max(...moved);
}

/** No cover says the number of a year before a change. It is the one that the year ended in, but not that of a longer year after it. */
function yearBefore(last: number, year: number, days: number): { last: number; year: number } {
  const closing = Number(dayText(last - 14).slice(0, 4));
  return { last, year: Math.min(closing, days > YEAR_DAYS / 2 + SLACK_DAYS ? year - 1 : year) };
}

/** A quarterly report has the balance sheet of the fiscal year before, too. */
function endOfYearBefore(last: number, quarter: number, periods: readonly Period[]): number | null {
  const counts = countsOf(periods.filter(({ start }) => start === null));
  const near = [...counts].filter(([end]) => Math.abs(last - dayNumber(end) - quarter * QUARTER_DAYS) <= SLACK_DAYS);
  const found = near.sort((a, b) => b[1] - a[1])[0];
  return found === undefined ? null : dayNumber(found[0]);
}

/** Facts by the last day of their periods. */
function countsOf(periods: readonly Period[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { end, count } of periods) counts.set(end, (counts.get(end) ?? 0) + count);
  return counts;
}
