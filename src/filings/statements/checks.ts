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
  readonly suspects: () => Suspect[];
}

/** A term of a check that fails: an item, or a concept of a sum. */
interface Suspect {
  readonly name: string;
  /** In the right side; -1 of the left one; 0 of a product. */
  readonly weight: bigint;
  readonly amount: bigint;
  readonly facts: readonly Fact[];
  readonly isPrinted: boolean;
  readonly isOptional: boolean;
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
      // Terms that are made of others say nothing.
      const parts = [side, ...given.map(({ part }) => part)];
      if (parts.some((part, k) => parts.some((other, n) => n > k && sharesFacts(part, other)))) continue;
      const sum = isProduct ? given.reduce((product, { part }) => (product * part.amount) / UNIT, UNIT) : sumOf(given);
      const more = others.map(({ weight, found }) => BigInt(weight) * (found?.amounts.get(key)?.amount ?? 0n));
      const value = nearest(side.amount, sum, more);
      const rounding = isProduct
        ? given.reduce((sum, { part }, k) => sum + (roundingOf(part) * magnitude(given[1 - k]!.part.amount)) / UNIT, 0n)
        : roundingOfAll(given);
      const share = BigInt(Math.round(within * 1e6));
      const tolerance = roundingOf(side) + rounding + (magnitude(side.amount) * share) / 1_000_000n;
      const suspects = () =>
        [{ item: left, weight: -1, isOptional: false, found: items.find(left) }, ...terms, ...others].map((term) => {
          const { amount = 0n, sources = [] } = term.found?.amounts.get(key) ?? {};
          const facts = sources.map(({ fact }) => fact);
          const isPrinted = term.found?.method === 'reported';
          const isOptional = term.isOptional || others.includes(term as (typeof others)[number]);
          return { name: term.item, weight: BigInt(isProduct ? 0 : term.weight), amount, facts, isPrinted, isOptional };
        });
      yield { identity: name, start: side.start, end: side.end, left: side.amount, right: value, tolerance, suspects };
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
      const left = amountOf(total);
      const right = given.reduce((sum, { weight, fact }) => sum + weight * amountOf(fact), 0n);
      const tolerance = given.reduce((sum, { fact }) => sum + halfDigit(fact), halfDigit(total));
      if (given.length < parts.length && magnitude(left - right) > tolerance) continue;
      const suspects = () =>
        [{ weight: -1n, fact: total }, ...given].map(({ weight, fact }) => {
          const term = { name: fact.concept, weight, amount: amountOf(fact), facts: [fact] };
          return { ...term, isPrinted: true, isOptional: false };
        });
      yield { identity, start: total.start, end: total.end, left, right, tolerance, suspects };
    }
  }
}

export const holds = ({ left, right, tolerance }: Checked): boolean => magnitude(left - right) <= tolerance;

/**
 * Which term of a check that fails is the likeliest wrong. Another sign, nothing, or another printed number in its place would make both sides
 * agree. Else one that no check that holds has, or one that is not printed.
 * @param printed facts of the statements in its period
 */
export function likeliestWrong(check: Checked, sound: ReadonlySet<Fact>, printed: readonly Fact[]): string {
  const { left, right, tolerance } = check;
  const suspects = check.suspects();
  const others = printed.filter((fact) => amountOf(fact) !== 0n && !suspects.some(({ facts }) => facts.includes(fact)));
  const doubt = (suspect: Suspect) => {
    const { weight, amount, facts, isPrinted, isOptional } = suspect;
    // Of a product others are near it: diluted shares are about as many as basic ones.
    const isFactor = weight === 0n && suspect !== suspects[0] && right !== 0n;
    const meant = isFactor ? (amount * left) / right : amount + (left - right) * weight;
    const within = isFactor ? magnitude(meant) / 50n : tolerance;
    const { unit } = facts[0] ?? suspects[0]!.facts[0]!;
    const usual = weight === 0n ? [] : isOptional ? [-amount, 0n] : [-amount];
    const told = others.flatMap((fact) => (fact.unit === unit ? [amountOf(fact)] : []));
    const isTold = (weight !== 0n || isFactor) && [...usual, ...told].some((each) => magnitude(each - meant) <= within);
    if (facts.length === 0) return isTold ? 3 : -1;
    return (isTold ? 4 : 0) + (facts.some((fact) => sound.has(fact)) ? 0 : 2) + (isPrinted ? 0 : 1);
  };
  return suspects.reduce((worst, each) => (doubt(each) > doubt(worst) ? each : worst)).name;
}

const sharesFacts = (a: Amount, b: Amount): boolean =>
  a.sources.some(({ fact }) => b.sources.some((other) => other.fact === fact && amountOf(fact) !== 0n));
