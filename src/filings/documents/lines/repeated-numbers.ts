/** The numbers of a line that pages repeat: a page number or a year of the form is furniture, amounts and other years are data. */

/** Pages without the line between two that have it. */
const MOST_MISSING = 6;
/** Share of the steps between pages that raise a page number. */
const LEAST_RISING = 0.7;
const LEAST_USUAL = 0.75;
const ANY_NUMBER = /\d+(?:[.,]\d+)*/g;

export const numbersOf = (text: string): string[] => text.match(ANY_NUMBER) ?? [];

/** For each number of a repeated line the value that it must have; null for the page number. */
export type Numbers = readonly (string | null)[];

/**
 * The numbers of lines that are equal but for these. Totals at the end of each page, and headings of years and series, differ in
 * them and are data: the result is null. One number may differ if it counts pages: it is short and rises.
 * @param paged whether one may
 */
export function usualNumbers(texts: readonly string[], paged: boolean): Numbers | null {
  const lines = texts.map(numbersOf);
  const usual = lines[0]!.map((_, place) => {
    const values = lines.map((numbers) => numbers[place] ?? '');
    const { value, count } = mostFrequent(values);
    return count >= values.length * LEAST_USUAL ? value : values;
  });
  const differing = usual.filter((values) => typeof values !== 'string');
  if (differing.length > 1 || (differing.length === 1 && !(paged && countsPages(differing[0]!)))) return null;
  return usual.map((value) => (typeof value === 'string' ? value : null));
}

function countsPages(values: readonly string[]): boolean {
  if (values.some((value) => !/^\d{1,3}$/.test(value))) return false;
  let rising = 0;
  for (let k = 1; k < values.length; k++) {
    const step = Number(values[k]) - Number(values[k - 1]);
    if (step >= 1 && step <= MOST_MISSING) rising++;
  }
  return rising >= (values.length - 1) * LEAST_RISING;
}

function mostFrequent(values: readonly string[]): { value: string; count: number } {
  const counts = new Map<string, number>();
  let best = { value: '', count: 0 };
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > best.count) best = { value, count };
  }
  return best;
}
