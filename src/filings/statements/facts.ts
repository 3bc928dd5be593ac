/** Numbers of a filing's facts, as statements need them. */
import { dayNumber as calendarDay } from '../../core/index.ts';
import { decimalText, type Row, units } from '../forms/index.ts';

/** A number with its place. */
export interface Fact {
  readonly file: string;
  readonly position: number;
  readonly concept: string;
  /** YYYY-MM-DD; null for an instant. */
  readonly start: string | null;
  readonly end: string;
  /** periodKey of both. */
  readonly period: string;
  readonly unit: string;
  /** Decimal text. */
  readonly value: string;
  readonly decimals: string | null;
  /** JSON; '{}': of the company as a whole. Without the member of a company that files with others. */
  readonly dimensions: string;
  /** As in xbrl_facts. */
  readonly filedDimensions: string;
  readonly startIndex: number;
  readonly endIndex: number;
  /** amountOf it, once somebody asked. */
  amount: bigint | null;
}

/** A row of xbrl_facts with a number: few of them stand on the face of a statement and are made a Fact. */
export interface NumberRow extends Row {
  readonly file: string;
  readonly concept: string;
  readonly dimensions: string;
  /** Of a company that files with others: as in xbrl_facts, with its member. */
  readonly filed_dimensions?: string;
  readonly start_index: number;
}

/** Text facts of the cover, without dimensions: `dei:DocumentType`. */
export type Cover = ReadonlyMap<string, string>;

/** A period with facts of the company as a whole. */
export interface Period {
  readonly start: string | null;
  readonly end: string;
  /** Facts of it. */
  count: number;
}

const NUMBER = /^-?\d{1,26}(?:\.\d{1,12})?$/;

export const periodKey = (start: string | null, end: string): string => (start === null ? end : `${start}/${end}`);

/** The axis of companies that report together. */
export const REGISTRANTS = 'dei:LegalEntityAxis';

/** A company that the cover names by its member and CIK, beside the filer. */
interface CoRegistrant {
  readonly member: string;
  readonly cik: string;
  readonly cover: Cover;
}

/** Facts of one company of a filing, as far as statements need them. */
export class FilingFacts {
  /** Without hidden, empty and undated ones. */
  readonly numbers: NumberRow[] = [];
  readonly coverNumbers: Fact[] = [];
  /** In the order of their first facts. */
  readonly periods: Period[] = [];
  /** Member of a company that files with the filer; '': the filer. */
  readonly registrant: string;
  readonly #cover: Map<string, string>;
  readonly #byDays = new Map<string, Map<string | null, Period>>();
  /** CIKs of companies by their members. */
  readonly #registrants = new Map<string, string>();
  #cik: string | null;

  constructor({ member, cik, cover }: Partial<CoRegistrant> = {}) {
    this.registrant = member ?? '';
    this.#cover = new Map(cover);
    this.#cik = cik ?? null;
  }

  /** @param row of xbrl_facts: the next one */
  add(row: Row): void {
    const { concept, value, unit, period_end: end, dimensions } = row;
    if (typeof concept !== 'string' || typeof value !== 'string' || typeof dimensions !== 'string') return;
    const isCover = concept.startsWith('dei:');
    const isWhole = dimensions === '{}';
    if (isCover && isWhole) {
      this.#cik ??= row.entity_cik as string | null;
      if (!this.#cover.has(concept)) this.#cover.set(concept, value);
    } else if (concept === 'dei:EntityCentralIndexKey') {
      const member = memberOnly(dimensions);
      if (member !== null) this.#registrants.set(member, value.replace(/^0+/, ''));
    }
    if (unit === null || end === null || (row.is_hidden === true && !isCover) || !NUMBER.test(value)) return;
    this.numbers.push(row as NumberRow);
    if (isCover) this.coverNumbers.push(factOf(row as NumberRow));
    else if (isWhole) this.#periodOf(row.period_start as string | null, end as string).count++;
  }

  get cover(): Cover {
    return this.#cover;
  }

  get cik(): string | null {
    return this.#cik ?? (this.numbers[0]?.entity_cik as string | null | undefined) ?? null;
  }

  /** The facts of each company that files with the filer, as if it had filed alone: by its member, which they don't have any more. */
  others(): FilingFacts[] {
    const own = new Map<string, FilingFacts>();
    const ciks = [...this.#registrants.values()];
    // Two members with one CIK: nobody can tell whose statements are the company's.
    const isOne = (cik: string) => cik !== this.cik && ciks.indexOf(cik) === ciks.lastIndexOf(cik);
    for (const [member, cik] of this.#registrants)
      if (isOne(cik)) own.set(member, new FilingFacts({ member, cik, cover: this.#cover }));
    if (own.size === 0) return [];
    const read = new Map<string, { facts: FilingFacts | undefined; rest: string }>();
    for (const row of this.numbers) {
      if (!row.dimensions.includes(REGISTRANTS)) continue;
      let known = read.get(row.dimensions);
      if (known === undefined) {
        const { [REGISTRANTS]: member, ...rest } = JSON.parse(row.dimensions) as Record<string, string>;
        known = { facts: own.get(member ?? ''), rest: JSON.stringify(rest) };
        read.set(row.dimensions, known);
      }
      known.facts?.add({ ...row, dimensions: known.rest, filed_dimensions: row.dimensions });
    }
    return [...own.values()].filter(({ numbers }) => numbers.length > 0);
  }

  #periodOf(start: string | null, end: string): Period {
    let byStart = this.#byDays.get(end);
    if (byStart === undefined) {
      byStart = new Map();
      this.#byDays.set(end, byStart);
    }
    let period = byStart.get(start);
    if (period === undefined) {
      period = { start, end, count: 0 };
      byStart.set(start, period);
      this.periods.push(period);
    }
    return period;
  }
}

/** The member of the axis of registrants, if there is no other. */
function memberOnly(dimensions: string): string | null {
  const members = JSON.parse(dimensions) as Record<string, string>;
  return Object.keys(members).length === 1 ? (members[REGISTRANTS] ?? null) : null;
}

/** Numbers without those of other currencies than most are in: a column that is translated for the reader has the same concepts and periods. */
export function inMainCurrency(numbers: readonly NumberRow[]): readonly NumberRow[] {
  const counts = new Map<unknown, number>();
  for (const { unit, dimensions } of numbers) if (dimensions === '{}') counts.set(unit, (counts.get(unit) ?? 0) + 1);
  const byCurrency = new Map<string, number>();
  for (const [unit, count] of counts) {
    const currency = currencyOf(unit);
    if (currency !== undefined) byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + count);
  }
  if (byCurrency.size < 2) return numbers;
  const [[main] = []] = [...byCurrency].sort((a, b) => b[1] - a[1]);
  return numbers.filter(({ unit }) => (currencyOf(unit) ?? main) === main);
}

/** Of `USD` and `USD/shares`. */
const currencyOf = (unit: unknown): string | undefined => /^([A-Z]{3})(?:\/|$)/.exec(String(unit))?.[1];

export function factOf(row: NumberRow): Fact {
  const start = row.period_start as string | null;
  const end = row.period_end as string;
  return {
    file: row.file,
    position: row.position as number,
    concept: row.concept,
    start,
    end,
    period: periodKey(start, end),
    unit: row.unit as string,
    value: row.value as string,
    decimals: row.decimals as string | null,
    dimensions: row.dimensions,
    filedDimensions: row.filed_dimensions ?? row.dimensions,
    startIndex: row.start_index,
    endIndex: row.end_index as number,
    amount: null,
  };
}

/** The exact number, in units of 10⁻¹². */
export const amountOf = (fact: Fact): bigint => {
  fact.amount ??= units(fact.value);
  return fact.amount;
};
/** Decimal text, without trailing zeros. */
export const amountText = (amount: bigint): string => decimalText(amount);

const HALVES = new Map<string, bigint>();
/** Half of the last digit that a number is accurate to, in units of 10⁻¹²; 0 if it is exact. */
export function halfDigit({ decimals }: Pick<Fact, 'decimals'>): bigint {
  if (decimals === null || decimals === 'INF') return 0n;
  let half = HALVES.get(decimals);
  if (half === undefined) {
    const places = Number(decimals);
    half = Number.isInteger(places) && places < 12 && places > -30 ? 10n ** BigInt(12 - places) / 2n : 0n;
    if (HALVES.size < 100) HALVES.set(decimals, half);
  }
  return half;
}

const days = new Map<string, number>();
/** Days since 1970. Thousands of facts share a few dates. */
export function dayNumber(day: string): number {
  let number = days.get(day);
  if (number === undefined) {
    number = calendarDay(day);
    if (days.size > 10_000) days.clear();
    days.set(day, number);
  }
  return number;
}
