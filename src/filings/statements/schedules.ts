/** Items of financial data schedules (EX-27, 1993 to 2001): the filer's own tags, by the rules of config/statements.yaml. */
import { dayText } from '../../core/index.ts';
import type { Row } from '../forms/index.ts';
import type { Amount, Found, Source } from './amounts.ts';
import { amountOf, dayNumber, type Fact, periodKey } from './facts.ts';
import type { FiscalPeriod } from './fiscal-calendar.ts';
import type { ItemRules, Rules, ScheduleRule } from './rules.ts';

/** One column of a schedule. */
export class Schedule {
  readonly file: string;
  readonly end: string;
  readonly fiscalYear: number;
  /** Quarter of a balance; null: the period ends within a quarter of the company. */
  readonly quarter: number | null;
  /** Period of income; null if it is not a fiscal period of the company. */
  readonly flows: FiscalPeriod | null;
  /** First day of the period; null: the schedule does not say it. */
  readonly start: string | null;
  readonly #rules: Rules;
  readonly #facts: ReadonlyMap<string, Fact>;
  readonly #article: string;

  /** @param rows of ex27_facts, of one column */
  private constructor(rows: readonly Row[], end: string, rules: Rules) {
    const { file, period_type, fiscal_year_end, period_start, currency, multiplier, article } = rows[0]!;
    this.file = file as string;
    this.end = end;
    this.#rules = rules;
    this.#article = String(article);
    const yearEnd = endOfYear(end, fiscal_year_end as string | null);
    const left = dayNumber(yearEnd) - dayNumber(end);
    const quarters = Math.round(left / QUARTER_DAYS);
    this.quarter = Math.abs(left - quarters * QUARTER_DAYS) <= SLACK_DAYS ? 4 - quarters : null;
    this.fiscalYear = Number(dayText(dayNumber(yearEnd) - 14).slice(0, 4));
    const length = lengthOf(String(period_type));
    this.flows =
      length !== null && length === this.quarter
        ? (['Q1', 'H1', '9M', 'FY'] as const)[length - 1]!
        : length === 1 && this.quarter !== null
          ? (`Q${this.quarter}` as FiscalPeriod)
          : null;
    this.start = (period_start as string | null) ?? firstDay(end, length);
    const decimals = /^10*$/.test(String(multiplier ?? 1)) ? String(1 - String(multiplier ?? 1).length) : null;
    this.#facts = new Map(
      rows.flatMap((row): [string, Fact][] => {
        const { tag, value, value_scaled } = row as Record<string, string | null>;
        if (value_scaled === null || !NUMBER.test(value_scaled!)) return [];
        const fact = {
          file: this.file,
          position: row.position as number,
          concept: `ex27:${tag}`,
          start: this.start,
          end,
          period: periodKey(this.start, end),
          unit: (currency as string | null) ?? 'USD',
          value: value_scaled!,
          dimensions: '{}',
          filedDimensions: '{}',
          decimals: value === value_scaled ? '0' : decimals,
          startIndex: -1,
          endIndex: -1,
          amount: null,
        };
        return [[tag!, PER_SHARE.test(tag!) ? { ...fact, unit: `${fact.unit}/shares`, decimals: '2' } : fact]];
      }),
    );
  }

  /** The columns of a filing's schedules that are of the company: not those of its subsidiaries, nor of funds. */
  static in(rows: readonly Row[], rules: Rules): Schedule[] {
    const names = new Set(rows.map(({ name }) => name as string | null));
    const name = names.has(null) ? null : names.size === 1 ? [...names][0]! : undefined;
    const columns = Map.groupBy(
      rows.filter((row) => row.name === name && rules.articles.has(String(row.article))),
      ({ file, column_number }) => `${file} ${column_number}`,
    );
    return [...columns.values()].flatMap((column) => {
      const { period_end } = column[0]!;
      return typeof period_end === 'string' ? [new Schedule(column, period_end, rules)] : [];
    });
  }

  isOfCompany({ name }: ItemRules): boolean {
    const rule = this.#rules.schedules.get(name);
    return rule !== undefined && (rule.articles === null || rule.articles.includes(this.#article));
  }

  /** @returns null if the schedule does not state it, or if its tags can't say it */
  find(name: string): Found | null {
    const rule = this.#rules.schedules.get(name);
    if (rule === undefined || !this.isOfCompany(this.#rules.items.get(name)!)) return null;
    const amount = this.#amount(rule, this.#rules.items.get(name)!);
    if (amount === null) return null;
    const method = amount.sources.length === 1 ? 'reported' : 'solved';
    return { method, rule: `schedules/${name}`, amounts: new Map([[periodKey(amount.start, amount.end), amount]]) };
  }

  #amount({ tags, minus, equals, without, zero }: ScheduleRule, { statement, outflow }: ItemRules): Amount | null {
    const first = this.#first(tags);
    if (first === undefined || (!zero && amountOf(first) === 0n)) return null;
    const other = equals === null ? first : this.#facts.get(equals);
    if (other === undefined || amountOf(other) !== amountOf(first)) return null;
    const aside = without === null ? undefined : this.#facts.get(without);
    if (aside !== undefined && amountOf(aside) !== 0n) return null;
    const taken = minus === null ? undefined : this.#facts.get(minus);
    if (minus !== null && taken === undefined) return null;
    const sources: Source[] = [{ fact: first, weight: outflow && amountOf(first) < 0n ? -1 : 1 }];
    // Some write what is taken off as a negative number.
    if (taken !== undefined) sources.push({ fact: taken, weight: amountOf(taken) < 0n ? 1 : -1 });
    const amount = sources.reduce((sum, { fact, weight }) => sum + BigInt(weight) * amountOf(fact), 0n);
    return { start: statement === 'balance' ? null : this.start, end: this.end, amount, sources };
  }

  #first(tags: readonly string[]): Fact | undefined {
    return tags.map((tag) => this.#facts.get(tag)).find((fact) => fact !== undefined);
  }
}

const NUMBER = /^-?\d{1,26}(?:\.\d{1,12})?$/;
const PER_SHARE = /^EPS-/;
const QUARTER_DAYS = 365.25 / 4;
const SLACK_DAYS = 25;

/** The end of the fiscal year that a day is in. Many quarterly schedules state the one before. */
function endOfYear(day: string, stated: string | null): string {
  if (stated === null) return `${day.slice(0, 4)}-12-31`;
  const years = Math.ceil((dayNumber(day) - dayNumber(stated) - SLACK_DAYS) / 365.25);
  return dayText(dayNumber(stated) + Math.round(years * 365.25));
}

/** Quarters of `9-MOS`, `YEAR`; null: of no number of quarters. */
function lengthOf(type: string): number | null {
  if (/^(YEAR|12-MOS|4-QTR)/i.test(type)) return 4;
  const months = /^(\d+)-MOS/i.exec(type);
  const quarters = Number(months?.[1]) / 3;
  return Number.isInteger(quarters) && quarters >= 1 && quarters <= 4 ? quarters : null;
}

/** First day of a period of whole months. Other periods begin on a day that no schedule states. */
function firstDay(end: string, quarters: number | null): string | null {
  const next = dayText(dayNumber(end) + 1);
  if (quarters === null || !next.endsWith('-01')) return null;
  const [year = 0, month = 0] = next.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - quarters * 3, 1)).toISOString().slice(0, 10);
}
