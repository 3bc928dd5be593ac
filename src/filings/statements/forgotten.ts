/** What filers forget, as identities tell: the sign of a total, the scale of a count of shares. */
import { type Amount, type Found, givenIn, magnitude, nearest, roundingOf, roundingOfAll, sumOf } from './amounts.ts';
import type { Check } from './rules.ts';

/** An identity that holds with one choice of signs only says which totals are turned. */
export function withSigns(
  name: string,
  found: Found,
  { left, right, either }: Check,
  asFiled: (item: string) => Found | null,
): Found {
  const amounts = new Map(found.amounts);
  const terms = right.map((term) => ({ ...term, found: asFiled(term.item) }));
  const others = either.map(({ weight, item }) => ({ weight: BigInt(weight), found: asFiled(item) }));
  for (const [key, total] of asFiled(left)?.amounts ?? []) {
    const given = givenIn(key, terms);
    if (given === null) continue;
    const rounding = roundingOf(total) + roundingOfAll(given);
    const needed = given.filter(({ isOptional, part }) => !isOptional && part.amount !== 0n);
    const isTotal = (sum: bigint) => magnitude(sum - total.amount) <= rounding;
    const holds = (turned: number) =>
      isTotal(sumOf(given) - 2n * sumOf(needed.filter((_, place) => (turned >> place) & 1)));
    // With the signs as filed, and a line of its own: no choice of others is the only one.
    const more = others.map(({ weight, found }) => weight * (found?.amounts.get(key)?.amount ?? 0n));
    if (holds(0) || isTotal(nearest(total.amount, sumOf(given), more))) continue;
    const choices = Array.from({ length: 1 << needed.length }, (_, turned) => turned).filter(holds);
    const place = needed.findIndex(({ item }) => item === name);
    const amount = amounts.get(key);
    if (choices.length !== 1 || place < 0 || ((choices[0]! >> place) & 1) === 0 || amount === undefined) continue;
    amounts.set(key, times(-1, amount));
  }
  return { ...found, amounts };
}

const SCALES = [1, 1_000, 1_000_000];
/** Preferred dividends and participating shares take a little. */
const WITHIN = 0.05;

/**
 * Income / income per share is the count of shares. If that is the printed count times 1,000 or 1,000,000, its scale was forgotten, or that of
 * the income is wrong: a fraction of a share or the count on the cover says which. Without them nobody can tell, and it has no amount.
 * @param incomes of common shareholders; the first that fits counts
 * @param outstanding shares by the cover
 */
export function withScale(
  found: Found,
  perShare: Found | null,
  incomes: readonly (Found | null)[],
  outstanding: bigint | null,
): Found {
  const scales = new Map([...found.amounts].map(([key, amount]) => [key, scaleOf(key, amount, perShare, incomes)]));
  const isFraction = [...found.amounts.values()].some(({ amount }) => amount % UNIT !== 0n);
  const told = new Set([...scales.values()].filter((scale) => scale !== null));
  if (told.size === 0 ? !isFraction : !told.has(1_000) && !told.has(1_000_000)) return found;
  const amounts = new Map<string, Amount>();
  const agrees = (count: bigint) => outstanding !== null && isNear(count, outstanding);
  let isLacking = false;
  for (const [key, amount] of found.amounts) {
    // All columns of a line have one scale, unless some of them say otherwise.
    const scale = scales.get(key) ?? (told.size === 1 ? [...told][0]! : null);
    const isFiled = scale === 1 || agrees(amount.amount);
    const isSure = isFiled || (scale !== null && (isFraction || agrees(amount.amount * BigInt(scale))));
    if (isSure) amounts.set(key, isFiled ? amount : times(scale!, amount));
    else isLacking = true;
  }
  return isLacking ? { ...found, amounts, reason: 'no_scale' } : { ...found, amounts };
}

/** Whether the cover's count is that of the statement with its scale forgotten. Splits and new shares change it by other factors. */
export function isUnscaled(outstanding: bigint, weighted: bigint): boolean {
  return SCALES.slice(1).some((scale) => {
    const share = Number(outstanding * BigInt(scale)) / Number(weighted);
    return share > 0.8 && share < 1.25;
  });
}

const UNIT = 10n ** 12n;

/** @returns null: no scale fits, or the numbers are too rough to say */
function scaleOf(
  key: string,
  { amount }: Amount,
  perShare: Found | null,
  incomes: readonly (Found | null)[],
): number | null {
  const each = perShare?.amounts.get(key);
  if (each === undefined || each.amount === 0n || amount === 0n) return null;
  const within = WITHIN + Number(roundingOf(each)) / Math.abs(Number(each.amount));
  if (within > 0.3) return null;
  for (const income of incomes) {
    const total = income?.amounts.get(key);
    if (total === undefined) continue;
    const count = (Number(total.amount) / Number(each.amount)) * Number(UNIT);
    const scale = SCALES.find((scale) => Math.abs(count / Number(amount) / scale - 1) <= within);
    if (scale !== undefined) return scale;
  }
  return null;
}

/** Counts that can be those of one company in one year: far less apart than a scale. */
const isNear = (count: bigint, other: bigint): boolean => count < other * 20n && other < count * 20n;

function times(factor: number, amount: Amount): Amount {
  const sources = amount.sources.map(({ fact, weight }) => ({ fact, weight: weight * factor }));
  return { ...amount, amount: amount.amount * BigInt(factor), sources };
}
