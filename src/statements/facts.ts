/** Numbers of a filing's facts, as statements need them. */
import { decimalText, type Row, units } from '../forms/index.ts';

/** A number with its place. */
export interface Fact {
  readonly file: string;
  readonly position: number;
  readonly concept: string;
  readonly cik: string | null;
  /** YYYY-MM-DD; null for an instant. */
  readonly start: string | null;
  readonly end: string;
  readonly unit: string;
  /** Decimal text. */
  readonly value: string;
  readonly decimals: string | null;
  /** JSON, as in xbrl_facts; '{}': of the company as a whole. */
  readonly dimensions: string;
  readonly startIndex: number;
  readonly endIndex: number;
}

/** Text facts of the cover, without dimensions: `dei:DocumentType`. */
export type Cover = ReadonlyMap<string, string>;

export interface FilingFacts {
  readonly numbers: readonly Fact[];
  readonly cover: Cover;
  readonly cik: string | null;
}

const NUMBER = /^-?\d{1,26}(?:\.\d{1,12})?$/;

/** @param rows of xbrl_facts, of one filing. Hidden, empty and undated numbers are left out */
export function filingFacts(rows: Iterable<Row>): FilingFacts {
  const numbers: Fact[] = [];
  const cover = new Map<string, string>();
  let cik: string | null = null;
  for (const row of rows) {
    const { concept, value, unit, period_end: end, dimensions } = row;
    if (typeof concept !== 'string' || typeof value !== 'string' || typeof dimensions !== 'string') continue;
    if (concept.startsWith('dei:') && dimensions === '{}') {
      cik ??= row.entity_cik as string | null;
      if (!cover.has(concept)) cover.set(concept, value);
    }
    if (unit === null || end === null || (row.is_hidden === true && !concept.startsWith('dei:'))) continue;
    if (!NUMBER.test(value)) continue;
    numbers.push({
      file: row.file as string,
      position: row.position as number,
      concept,
      cik: row.entity_cik as string | null,
      start: row.period_start as string | null,
      end: end as string,
      unit: unit as string,
      value,
      decimals: row.decimals as string | null,
      dimensions,
      startIndex: row.start_index as number,
      endIndex: row.end_index as number,
    });
  }
  return { numbers, cover, cik: cik ?? numbers[0]?.cik ?? null };
}

/** The exact number, in units of 10⁻¹². */
export const amountOf = ({ value }: Pick<Fact, 'value'>): bigint => units(value);
/** Decimal text, without trailing zeros. */
export const amountText = (amount: bigint): string => decimalText(amount);

/** Half of the last digit that a number is accurate to, in units of 10⁻¹²; 0 if it is exact. */
export function halfDigit({ decimals }: Pick<Fact, 'decimals'>): bigint {
  const places = decimals === null || decimals === 'INF' ? 12 : Number(decimals);
  return Number.isInteger(places) && places < 12 && places > -30 ? 10n ** BigInt(12 - places) / 2n : 0n;
}

const DAY_MS = 86_400_000;
const days = new Map<string, number>();
/** Days since 1970. Thousands of facts share a few dates. */
export function dayNumber(day: string): number {
  let number = days.get(day);
  if (number === undefined) {
    number = Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
    if (days.size > 10_000) days.clear();
    days.set(day, number);
  }
  return number;
}

export const dayText = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
