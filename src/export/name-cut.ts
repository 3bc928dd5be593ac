/** Cutting by letters of names: names with a letter, and names without it, are exact complements of each other. */
import type { EntityFilter } from '../contract/index.ts';

/** By how often they part names in two about equal halves. */
const LETTERS = 'EAIORNTSLCDUMPHGBFYWKVXZJQ';

/** The letters that a query cuts names by already. */
export function lettersUsed(query: EntityFilter): string[] {
  return [...(query.name_includes ?? []), ...(query.name_excludes ?? [])].filter((text) => text.length === 1);
}

/** The letter, of those not used, that is in about half of the names; null where all are used. @param names in upper case */
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

/** A query's two halves: names with the letter, names without it. */
export function cutByLetter(query: EntityFilter, letter: string): [EntityFilter, EntityFilter] {
  return [
    { ...query, name_includes: [...(query.name_includes ?? []), letter] },
    { ...query, name_excludes: [...(query.name_excludes ?? []), letter] },
  ];
}
