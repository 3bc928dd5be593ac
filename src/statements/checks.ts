/** Identities between items: both sides, and how far printed numbers may differ by rounding. */
import { amountOf } from './facts.ts';
import { type Amount, type Found, roundingOf } from './items.ts';
import type { Check } from './rules.ts';

export interface Checked {
  readonly identity: string;
  readonly start: string | null;
  readonly end: string;
  readonly left: bigint;
  readonly right: bigint;
  readonly tolerance: bigint;
}

const UNIT = 10n ** 12n;

/** Checks that have a value for all their items, by period. */
export function* checked(items: { find(item: string): Found | null }, checks: readonly Check[]): Generator<Checked> {
  for (const { name, left, right, either, isProduct, within } of checks) {
    const terms = right.map((term) => ({ ...term, found: items.find(term.item) }));
    const others = either.map((term) => ({ ...term, found: items.find(term.item) }));
    for (const [key, side] of items.find(left)?.amounts ?? []) {
      const parts = terms.map(({ weight, isOptional, found }) => ({
        weight,
        isOptional,
        part: found?.amounts.get(key),
      }));
      if (parts.some(({ part, isOptional }) => part === undefined && !isOptional)) continue;
      const given = parts.flatMap(({ weight, part }) => (part === undefined ? [] : [{ weight, part }]));
      // A side that is made of the other one says nothing.
      if (given.some(({ part }) => part.sources.length > 0 && sharesFacts(side, part))) continue;
      const sum = isProduct
        ? given.reduce((product, { part }) => (product * part.amount) / UNIT, UNIT)
        : given.reduce((sum, { weight, part }) => sum + BigInt(weight) * part.amount, 0n);
      const more = others.map(({ weight, found }) => BigInt(weight) * (found?.amounts.get(key)?.amount ?? 0n));
      const value = nearest(side.amount, sum, more);
      const rounding = isProduct
        ? given.reduce((sum, { part }, k) => sum + (roundingOf(part) * magnitude(given[1 - k]!.part.amount)) / UNIT, 0n)
        : given.reduce((sum, { part }) => sum + roundingOf(part), 0n);
      const share = BigInt(Math.round(within * 1e6));
      const tolerance = roundingOf(side) + rounding + (magnitude(side.amount) * share) / 1_000_000n;
      yield { identity: name, start: side.start, end: side.end, left: side.amount, right: value, tolerance };
    }
  }
}

/** The sum with those of the amounts that bring it nearest to the side. */
function nearest(side: bigint, sum: bigint, more: readonly bigint[]): bigint {
  const [amount, ...others] = more;
  if (amount === undefined) return sum;
  const [without, with_] = [nearest(side, sum, others), nearest(side, sum + amount, others)];
  return magnitude(side - with_) < magnitude(side - without) ? with_ : without;
}

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
const sharesFacts = (a: Amount, b: Amount): boolean =>
  a.sources.some(({ fact }) => b.sources.some((other) => other.fact === fact && amountOf(fact) !== 0n));
