/** Values of items, and the facts that they are made of. */
import { type Fact, halfDigit } from './facts.ts';
import type { Term } from './rules.ts';

/** A fact that a value is made of. */
export interface Source {
  readonly fact: Fact;
  /** 1 or -1; for a count whose scale was forgotten 1,000 or 1,000,000. */
  readonly weight: number;
}

export interface Amount {
  readonly start: string | null;
  readonly end: string;
  readonly amount: bigint;
  readonly sources: readonly Source[];
}

/** `reported`: a printed line; `summed`: a sum or difference of printed lines, `solved`: by an identity of items. */
export type Method = 'reported' | 'summed' | 'solved';

export interface Found {
  readonly method: Method;
  /** The way that found it: `revenue/2`. */
  readonly rule: string;
  /** By period. */
  readonly amounts: ReadonlyMap<string, Amount>;
  /** Why periods of the line have no amount. */
  readonly reason?: 'no_scale';
}

/** A term of an equation in one period. */
export type Given = Term & { readonly part: Amount };

/** @returns null if a needed term has no amount in this period */
export function givenIn(period: string, terms: readonly (Term & { readonly found: Found | null })[]): Given[] | null {
  const given: Given[] = [];
  for (const { found, ...term } of terms) {
    const part = found?.amounts.get(period);
    if (part !== undefined) given.push({ ...term, part });
    else if (!term.isOptional) return null;
  }
  return given;
}

export const sumOf = (given: readonly Given[]): bigint =>
  given.reduce((sum, { weight, part }) => sum + BigInt(weight) * part.amount, 0n);

export const roundingOfAll = (given: readonly Given[]): bigint =>
  given.reduce((sum, { part }) => sum + roundingOf(part), 0n);

/** How far the sum of a value's facts may be off by rounding. */
export const roundingOf = ({ sources }: Amount): bigint =>
  sources.reduce((sum, { fact, weight }) => sum + halfDigit(fact) * BigInt(scaleOfDigits(fact, weight)), 0n);

/** Digits after the point are those of the number as it is written; others are meant for the whole count. */
export const scaleOfDigits = ({ decimals }: Pick<Fact, 'decimals'>, weight: number): number =>
  Number(decimals) > 0 ? Math.abs(weight) : 1;

export const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** The sum with those of the amounts that bring it nearest to the side. */
export function nearest(side: bigint, sum: bigint, more: readonly bigint[]): bigint {
  const [amount, ...others] = more;
  if (amount === undefined) return sum;
  const [without, with_] = [nearest(side, sum, others), nearest(side, sum + amount, others)];
  return magnitude(side - with_) < magnitude(side - without) ? with_ : without;
}
