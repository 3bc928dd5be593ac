/** Splits a query by letters of names: names with a letter and names without it are exact complements. */
import type { EntityFilter } from '../../filings/api/index.ts';

/** By how evenly they divide names. */
const LETTERS = 'EAIORNTSLCDUMPHGBFYWKVXZJQ';

/** How often filings are split by names at most: 2^8 parts of one form's day are 2.5 million filings. */
export const NAME_CUTS_MAX = 8;

/** The letters by which a query splits names already. */
export function lettersUsed(query: EntityFilter): string[] {
  return [...(query.name_includes ?? []), ...(query.name_excludes ?? [])].filter((text) => text.length === 1);
}

/** The unused letter that is in about half of the names; null if all are used. @param names in upper case */
export function halvingLetter(names: readonly string[], used: readonly string[]): string | null {
  let best: { letter: string; distance: number } | null = null;
  for (const letter of LETTERS) {
    if (used.includes(letter)) continue;
    const share = names.length === 0 ? 0.5 : names.filter((name) => name.includes(letter)).length / names.length;
    const distance = Math.abs(share - 0.5);
    if (best === null || distance < best.distance) best = { letter, distance };
  }
  return best?.letter ?? null;
}

/** The two halves of a query: names with the letter, names without it. */
export function cutByLetter(query: EntityFilter, letter: string): [EntityFilter, EntityFilter] {
  return [
    { ...query, name_includes: [...(query.name_includes ?? []), letter] },
    { ...query, name_excludes: [...(query.name_excludes ?? []), letter] },
  ];
}

/**
 * Earlier windows that may have the same filings: a filing of several parties may be in both halves of a split by names.
 * @param id of the window: parts of a window are numbered, and names are the last way to split
 * @param query of the window
 * @param asked that of the whole selection
 * @returns their ids; each of them may have been split further
 */
export function otherHalvesBefore(id: string, query: EntityFilter = {}, asked: EntityFilter = {}): string[] {
  const cuts = lettersUsed(query).length - lettersUsed(asked).length;
  const parts = id.split('-');
  const seconds = parts.flatMap((part, at) => (at >= parts.length - cuts && part === '2' ? [at] : []));
  return seconds.map((at) => [...parts.slice(0, at), '1'].join('-'));
}
