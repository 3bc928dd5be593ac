/** Identities between items: both sides, and how far printed numbers may differ by rounding. */
import type { Row } from '../forms/index.ts';
import { type Amount, type Found, givenIn, magnitude, nearest, roundingOf, roundingOfAll, sumOf } from './amounts.ts';
import { amountOf, type Fact, factOf, halfDigit, type NumberRow } from './facts.ts';
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
      const given = givenIn(key, terms);
      if (given === null) continue;
      // A side that is made of the other one says nothing.
      if (given.some(({ part }) => sharesFacts(side, part))) continue;
      const sum = isProduct ? given.reduce((product, { part }) => (product * part.amount) / UNIT, UNIT) : sumOf(given);
      const more = others.map(({ weight, found }) => BigInt(weight) * (found?.amounts.get(key)?.amount ?? 0n));
      const value = nearest(side.amount, sum, more);
      const rounding = isProduct
        ? given.reduce((sum, { part }, k) => sum + (roundingOf(part) * magnitude(given[1 - k]!.part.amount)) / UNIT, 0n)
        : roundingOfAll(given);
      const share = BigInt(Math.round(within * 1e6));
      const tolerance = roundingOf(side) + rounding + (magnitude(side.amount) * share) / 1_000_000n;
      yield { identity: name, start: side.start, end: side.end, left: side.amount, right: value, tolerance };
    }
  }
}

/**
 * The filing's own sums: a parent of its calculation against its parts, of the company as a whole. A part without a number in a period
 * may be an empty cell, or not stated there: such a sum counts only if it holds.
 * @param arcs rows of xbrl_calculation
 */
export function* calculationSums(numbers: readonly NumberRow[], arcs: readonly Row[]): Generator<Checked> {
  if (arcs.length === 0) return;
  const byConcept = new Map<string, Map<string, Fact>>();
  for (const number of numbers) {
    if (number.dimensions !== '{}') continue;
    const fact = factOf(number);
    const periods = byConcept.get(fact.concept) ?? new Map<string, Fact>();
    byConcept.set(fact.concept, periods);
    const other = periods.get(fact.period);
    if (other === undefined || halfDigit(fact) < halfDigit(other)) periods.set(fact.period, fact);
  }
  const names = new Set<string>();
  const seen = new Set<string>();
  for (const arcsOfSum of Map.groupBy(arcs, ({ role, parent }) => `${role} ${parent}`).values()) {
    const parent = arcsOfSum[0]!.parent as string;
    const totals = byConcept.get(parent);
    // An arc may stand twice.
    const weights = new Map(arcsOfSum.map(({ concept, weight }) => [concept as string, Number(weight)]));
    const parts = [...weights].flatMap(([concept, weight]) => {
      const periods = byConcept.get(concept);
      return periods === undefined || !Number.isInteger(weight) ? [] : [{ weight: BigInt(weight), periods }];
    });
    const content = `${parent} ${[...weights].sort()}`;
    if (totals === undefined || parts.length < 2 || seen.has(content)) continue;
    seen.add(content);
    let identity = `sum ${parent}`;
    for (let k = 2; names.has(identity); k++) identity = `sum ${parent} (${k})`;
    names.add(identity);
    for (const [key, total] of totals) {
      const given = parts.flatMap(({ weight, periods }) => {
        const fact = periods.get(key);
        return fact === undefined ? [] : [{ weight, fact }];
      });
      if (given.length === 0) continue;
      const [left, right] = [
        amountOf(total),
        given.reduce((sum, { weight, fact }) => sum + weight * amountOf(fact), 0n),
      ];
      const tolerance = given.reduce((sum, { fact }) => sum + halfDigit(fact), halfDigit(total));
      if (given.length < parts.length && magnitude(left - right) > tolerance) continue;
      yield { identity, start: total.start, end: total.end, left, right, tolerance };
    }
  }
}

const sharesFacts = (a: Amount, b: Amount): boolean =>
  a.sources.some(({ fact }) => b.sources.some((other) => other.fact === fact && amountOf(fact) !== 0n));
