/** The periods of a statement's columns, from what is printed above them and what the filing says of itself. */
import { dayNumber as calendarDay, dayText } from '../../../core/index.ts';
import type { PageRow } from '../../documents/index.ts';
import { periodKey } from '../facts.ts';
import { type Column, isData, isHeading, OF_OTHERS, putHeadings } from './columns.ts';
import type { ReportCover } from './cover.ts';
import {
  dateOf,
  endsOfPeriods,
  isOfSeveral,
  lastDay,
  listsOfEnds,
  readDates,
  type Said,
  startOf,
  statedDays,
  yearsOfDay,
} from './dates.ts';

/** What the filing says of itself. */
export interface PrintedReport {
  readonly formType: string;
  /** YYYY-MM-DD */
  readonly periodEnd: string | null;
  /** Name of the document, for its facts */
  readonly file?: string;
  /** Of the report that the document is of */
  readonly cover?: ReportCover;
  /** Of a joint report: whose statements are read */
  readonly company?: string;
}

const TRANSITION = /\btransition(?:al)? (?:period|year)|\bshort (?:fiscal )?year/i;
/** Years that end later in a calendar year have its number. */
const LAST_MONTH = 5;
/** Weeks of periods that end within a month */
const WEEKS: Readonly<Record<number, number>> = { 12: -52, 9: -39, 6: -26, 3: -13 };

export interface Period {
  readonly start: string | null;
  readonly end: string;
}

/** How often the document says that a period ends on a day, and how often it states a day at all */
type Counts = readonly [ended: ReadonlyMap<string, number>, any: ReadonlyMap<string, number>];

export class Periods {
  readonly #report: PrintedReport;
  /** Last days of periods that a balance sheet printed: it states days most exactly. */
  readonly #ends = new Set<string>();
  /** Months of the periods of the cash flow statement */
  #lengths: ReadonlySet<number> = new Set();
  readonly #text: () => string;
  /** Years, as periodKey, whose first day nothing states */
  readonly guessed = new Set<string>();
  #stated: Counts | null = null;
  #listed: readonly string[] | null = null;
  /** The newest year of columns that have years alone */
  #newestYear = 0;

  /** @param text of the document: it may state days that no heading does */
  constructor(report: PrintedReport, text: () => string) {
    this.#report = report;
    this.#text = text;
  }

  get newest(): string | null {
    return [...this.#ends].sort().at(-1) ?? null;
  }

  /** What the balance sheet, and then the cash flow statement, say for the others. */
  learn(found: readonly Period[]): void {
    const flows = found.filter(({ start }) => start !== null);
    if (flows.length === 0) for (const { end } of found) this.#ends.add(end);
    else
      this.#lengths = new Set(
        flows.map(({ start, end }) => Math.round((calendarDay(end) - calendarDay(start!)) / 30.4)),
      );
  }

  /** Whether a period ends with the report's. */
  isOwn(end: string): boolean {
    const { periodEnd } = this.#report;
    return periodEnd === null || Math.abs(calendarDay(end) - calendarDay(periodEnd)) <= 10;
  }

  /** Periods of columns below rows of headings; null: the rows say none. @param isInstant of a balance sheet */
  headed(
    isInstant: boolean,
    rows: readonly PageRow[],
    columns: Column[],
    labelTo: number,
    context: string,
  ): (Period | null)[] | null {
    let beside = context;
    for (const row of rows)
      if (isHeading(row) || (!isData(row) && row.cells.length > 1)) beside += ` ${putHeadings(row, columns, labelTo)}`;
    const all = columns.map(({ words }) => readDates(words));
    // `Three years ended December 31, 2000` above 2000, 1999 and 1998 is a title.
    const only = new Set(all.flatMap(({ dates }) => dates)).size === 1 && all.every(({ dates }) => dates.length === 1);
    const isTitle =
      only && new Set(all.flatMap(({ years }) => years)).size > 1 && all.every(({ years }) => years.length === 1);
    const said = isTitle ? all.map((each) => ({ ...each, dates: [] })) : all;
    const around = readDates(isTitle ? `${beside} ${columns[0]!.words}` : beside);
    const usual = this.#usualEnds(said, yearsOfDay(beside), isInstant);
    const ends = columns.map((_, k) => this.#end(said, k, around, usual));
    if (ends.every((end) => end === null)) return null;
    // A month's day and a year of two columns: no words have this day, and the report has another.
    if (ends.some((end) => this.#isMisread(end))) return columns.map(() => null);
    const own = ends.map((end, k) => (OF_OTHERS.test(columns[k]!.words) && !said[k]!.fromTo ? null : end));
    const isMixed =
      isOfSeveral(beside) ||
      (columns.length > 1 && TRANSITION.test([beside, ...columns.map(({ words }) => words)].join(' ')));
    const isClear = ({ words }: Column, k: number) => isInstant || said[k]!.fromTo || !isOfSeveral(words);
    return ofCompany(
      columns.map((column, k) =>
        isClear(column, k) ? this.#period(isInstant, said[k]!, own, k, isMixed ? null : around) : null,
      ),
      columns,
    );
  }

  /** @param around null: one of the columns is of other months than words around say, and nobody can tell which */
  #period(isInstant: boolean, said: Said, ends: (string | null)[], k: number, around: Said | null): Period | null {
    const end = ends[k]!;
    if (end === null) return null;
    if (isInstant) return said.fromTo ? null : { start: null, end };
    if (said.fromTo) return rangeOf(said);
    const length = lengthOf(said) ?? (around && (lengthOf(around) ?? this.#usual()));
    return length === null ? null : { start: this.#start(end, length, ends), end };
  }

  /** The length if no words say it: a year, or the first quarter, of which the cash flow statement is too. */
  #usual(): number | null {
    if (/^10-?K(?!T)/i.test(this.#report.formType)) return 12;
    return this.#lengths.size === 1 && this.#lengths.has(3) ? 3 : null;
  }

  /** The day after the end of the year before, if that is printed: years of 52 weeks end on any day. */
  #start(end: string, length: number, ends: readonly (string | null)[]): string {
    const start = startOf(end, length);
    const [year, month, day] = end.split('-').map(Number) as [number, number, number];
    const near = (other: string | null) =>
      other !== null && Math.abs(calendarDay(other) + 1 - calendarDay(start)) <= (length < 0 ? 0 : 8);
    const before = length === 12 ? [...ends, ...this.#ends].find(near) : [...this.#ends].find(near);
    if (before != null) return dayText(calendarDay(before) + 1);
    // The year ends with a month, its quarters on a day of the week.
    const sameDay = [...(length === 12 ? [] : this.#ends)].filter(isMonthEnd).flatMap((other) => {
      const [, month] = other.split('-').map(Number) as [number, number, number];
      return [year - 1, year].map((each) => dateOf(each, month, 31));
    });
    const shifted = sameDay.find(near);
    if (shifted !== undefined) return dayText(calendarDay(shifted) + 1);
    if (day === lastDay(year, month)) return start;
    const stated = length === 12 ? this.#statedNear(dayText(calendarDay(start) - 1)) : null;
    if (stated !== null) return dayText(calendarDay(stated) + 1);
    const usual = startOf(end, WEEKS[length] ?? length);
    // A year of 52 weeks, or of 53.
    if (length === 12) this.guessed.add(periodKey(usual, end));
    return usual;
  }

  /**
   * For the number of a year, the day on which it ends as the report's does. Null: nobody can tell.
   * @param listed years of the day that a title states: `June 30, 2003, 2002 and 2001`
   */
  #usualEnds(columns: readonly Said[], listed: readonly number[], isInstant: boolean): (year: number) => string | null {
    const { periodEnd, formType } = this.#report;
    const stated = columns.flatMap(({ dates }) => dates).sort();
    // Beside a day of a quarterly balance sheet a year alone may end on another.
    const own = stated.at(-1) ?? periodEnd;
    if (own == null || (stated.length > 0 && isInstant && !/^10-?K/i.test(formType))) return () => null;
    const [y, m, d] = own.split('-').map(Number) as [number, number, number];
    const years = columns.flatMap((column) => column.years).filter((year) => year <= y || m === 12);
    const largest = Math.max(...years);
    if (!isInstant && largest <= y) this.#newestYear = Math.max(this.#newestYear, largest);
    // The newest may stand in another table, and days of columns have the number of their year.
    let newest = isInstant ? largest : Math.max(largest, this.#newestYear);
    if (stated.length > 0) newest = y;
    else if (newest < y && listed.length > 0) newest = years.every((year) => listed.includes(year)) ? y : 0;
    const isUsual =
      newest === y || (newest === y - 1 && isEarly(own)) || (newest === y + 1 && m === 12 && d > 24 && d < 31);
    return (year) => (isUsual ? dateOf(y - newest + year, m, d === lastDay(y, m) ? 31 : d) : null);
  }

  #end(columns: readonly Said[], k: number, around: Said, usualOf: (year: number) => string | null): string | null {
    const said = columns[k]!;
    const dates = new Set(said.dates);
    if (said.fromTo) return rangeOf(said)?.end ?? null;
    const own = new Set([...dates, ...said.days.map(([m, d]) => dateOf(2000, m, d))].map((date) => date.slice(5)));
    const years = new Set(said.years);
    // Words of several columns
    if (dates.size > 1 || years.size > 1 || own.size > 1) return null;
    if (dates.size === 1) return said.dates[0]!;
    const { periodEnd } = this.#report;
    const [year] = years;
    const usual = year === undefined ? null : usualOf(year);
    // Days with that year, among those in the title: `December 31, 2000 and January 2, 2000` above 2000 and 1999
    if (year !== undefined && said.days.length === 0) {
      const isOwn = (date: string) =>
        usual === null
          ? periodEnd === null &&
            Number(date.slice(0, 4)) === year &&
            around.dates.every((other) => isOfWeeks(date, other))
          : date === usual ||
            (isNear(date, usual) && [periodEnd!, ...around.dates].some((other) => isOfWeeks(date, other)));
      const stated = new Set(around.dates.filter(isOwn));
      if (stated.size === 1) return [...stated][0]!;
    }
    const days = new Set([...said.days, ...(said.days.length > 0 ? [] : around.days)].map(([m, d]) => `${m}-${d}`));
    if (days.size === 0) for (const date of around.dates) days.add(date.slice(5).split('-').map(Number).join('-'));
    const [month, day] = days.size === 1 ? [...days][0]!.split('-').map(Number) : [];
    if (year !== undefined) {
      const literal = month === undefined ? null : dateOf(year, month, day!);
      const isOther =
        usual === null
          ? isEarly(periodEnd) || columns.some(({ dates: each }) => each.length > 0)
          : literal !== null && !isNear(literal, usual);
      if (said.days.length === 0 && isOther) return null;
      if (literal !== null) return this.#known(literal);
      // Years that end on several days, and this one's is not said.
      if (usual === null || new Set([...days].map((each) => each.split('-')[0])).size > 1) return null;
      return this.#known(usual);
    }
    // Years stand in the title alone: `December 31, 1995 and 1994`.
    const named = month === undefined ? [] : around.years.map((each) => this.#known(dateOf(each, month, day!)));
    const unique = [...new Set([...around.dates, ...named])];
    return unique.length === columns.length ? unique[k]! : null;
  }

  /** The exact day: years of 52 weeks end near a day. Null: nobody can tell. */
  #known(day: string): string | null {
    const ends = [...this.#ends];
    const near = ends.find((end) => isNear(end, day));
    const hasWeeks = ![...ends, ...this.#ownEnds, day].every(isMonthEnd);
    return near ?? (hasWeeks ? this.#statedNear(day) : day);
  }

  get #counts(): Counts {
    const text = this.#stated === null ? this.#text() : '';
    this.#stated ??= [countsOf(endsOfPeriods(text, this.#report.periodEnd)), countsOf(statedDays(text))];
    return this.#stated;
  }

  /** Ends that the document lists with the report's own: anything else may end on a day too. */
  get #ownEnds(): readonly string[] {
    const own = this.#report.periodEnd ?? this.newest;
    const isOwn = (list: readonly string[]) =>
      list.includes(own ?? '') && list.every((end) => end === own || isOfWeeks(end, own!));
    this.#listed ??= listsOfEnds(this.#text()).filter(isOwn).flat();
    return this.#listed;
  }

  /** The day near another that the document states most often: as the end of a period, if it does. */
  #statedNear(day: string): string | null {
    const own = this.#report.periodEnd ?? this.newest;
    // Rules change on the first of January.
    const mayEnd = (other: string) =>
      !other.endsWith('-01') || (own !== null && (calendarDay(other) - calendarDay(own)) % 7 === 0);
    for (const counts of this.#counts) {
      const near = [...counts].filter(([stated]) => isNear(stated, day) && mayEnd(stated));
      const [first, second] = near.sort((a, b) => b[1] - a[1]);
      if (first !== undefined && first[1] !== second?.[1]) return first[0];
    }
    return null;
  }

  #isMisread(end: string | null): boolean {
    const { periodEnd } = this.#report;
    const isOther = end !== null && end !== (periodEnd ?? end) && !isMonthEnd(end) && this.isOwn(end);
    return isOther && !this.#counts[1].has(end);
  }
}

/** Within the week in which a year of weeks may end */
const isNear = (day: string, other: string): boolean => Math.abs(calendarDay(day) - calendarDay(other)) <= 7;

/** Whether the year that a day ends may have the number of the calendar year before */
const isEarly = (end: string | null): boolean => end !== null && Number(end.slice(5, 7)) <= LAST_MONTH;

/** Whether years may end on both days: they are years apart, in weeks. */
function isOfWeeks(day: string, other: string): boolean {
  const apart = Math.abs(calendarDay(day) - calendarDay(other));
  return apart > 0 && apart % 7 === 0 && Math.abs(apart - Math.round(apart / 365.25) * 365.25) <= 8;
}

function countsOf(days: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1);
  return counts;
}

/** `July 22 to September 30, 2023` */
function rangeOf({ dates, days }: Said): { start: string; end: string } | null {
  const end = dates.at(-1);
  if (dates.length === 2) return dates[0]! < end! ? { start: dates[0]!, end: end! } : null;
  const [day] = days;
  if (end === undefined || day === undefined || dates.length + days.length !== 2) return null;
  const year = Number(end.slice(0, 4));
  const start = dateOf(year, ...day);
  return { start: start < end ? start : dateOf(year - 1, ...day), end };
}

function isMonthEnd(day: string): boolean {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return date === lastDay(year, month);
}

/** The length that words state; null: none, or several. `the three months of the fiscal year` */
function lengthOf({ lengths }: Said): number | null {
  if (lengths.length === 1) return lengths[0]!;
  const others = lengths.filter((length) => length !== 12);
  return others.length === 1 ? others[0]! : null;
}

/** Columns of a parent, a guarantor, and what is between them */
const PARTS = /\bparent\b|\bguarantors?\b|\beliminations?\b|\bissuer\b|\bsubsidiar(?:y|ies)\b/i;

/**
 * Two columns of one period are of parts of the company, or of a second reading. One that is of all of it says so.
 */
function ofCompany(periods: readonly (Period | null)[], columns: readonly Column[]): (Period | null)[] {
  const key = (period: Period | null) => (period === null ? null : periodKey(period.start, period.end));
  const isWhole = (k: number) => /\bconsolidated\b|\btotal\b/i.test(columns[k]!.words);
  const hasParts = columns.some(({ words }) => PARTS.test(words));
  return periods.map((period, k) => {
    const same = periods.flatMap((other, at) => (period !== null && key(other) === key(period) ? [at] : []));
    if (same.length < 2 && !hasParts) return period;
    return isWhole(k) && same.filter(isWhole).length === 1 ? period : null;
  });
}
