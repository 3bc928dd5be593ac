/**
 * Parts of an entity query with more matches than can be read. If a filter has several values, each value makes a part; else parts
 * are made by the letters of names. All needed parts are made at once, since a window that is split is read again.
 */
import type { EntityFilter } from '../../filings/api/index.ts';
import { cutByLetter, halvingLetter, lettersUsed } from './split-by-name.ts';

/** Parts are planned to be this full, since the sample is only an estimate. */
const PLANNED_MATCHES = 7_000;
/** The registry has about a million entities. */
const PARTS_MAX = 512;
const LETTERS_MAX = 16;
/** Filters of which each value makes a part. An entity may be in two of them. */
const VALUE_LISTS = ['sics', 'states', 'entity_types', 'exchanges', 'tickers', 'ciks'] as const;

/** A lookup of entities needs a filter. Two together select everything: a name has the letter or lacks it. */
export function wholeRegistry(): EntityFilter[] {
  return cutByLetter({}, 'C');
}

/** @param matches null: not stated @param names of some, in upper case @returns null: it can't be split further */
export function entityParts(
  query: EntityFilter,
  matches: number | null,
  names: readonly string[],
): EntityFilter[] | null {
  return byValues(query, matches) ?? byNames(query, matches, names);
}

function byValues(query: EntityFilter, matches: number | null): EntityFilter[] | null {
  const list = VALUE_LISTS.find((name) => (query[name]?.length ?? 0) > 1);
  if (list === undefined) return null;
  const values = [...new Set(query[list])];
  if (values.length < 2) return null;
  const wanted = matches === null ? 2 : Math.ceil(matches / PLANNED_MATCHES) * 2;
  const parts = Math.min(values.length, Math.max(2, wanted), PARTS_MAX);
  return Array.from({ length: parts }, (_, i) => ({
    ...query,
    [list]: values.slice(Math.floor((values.length * i) / parts), Math.floor((values.length * (i + 1)) / parts)),
  }));
}

function byNames(query: EntityFilter, matches: number | null, names: readonly string[]): EntityFilter[] | null {
  const first = halve({ query, names, share: 1 });
  if (first === null) return null;
  const parts = [...first];
  // Without a count or names the sizes of parts are unknown: two parts, which are split again if necessary.
  while (matches !== null && names.length > 0 && parts.length < PARTS_MAX) {
    const largest = parts.reduce((a, b) => (b.share > a.share ? b : a));
    if (largest.share * matches <= PLANNED_MATCHES) break;
    const halves = halve(largest);
    if (halves === null) break;
    parts.splice(parts.indexOf(largest), 1, ...halves);
  }
  return parts.map((part) => part.query);
}

interface Part {
  query: EntityFilter;
  /** Names in the sample. */
  names: readonly string[];
  /** Share of all matches, by the sample */
  share: number;
}

function halve({ query, names, share }: Part): [Part, Part] | null {
  const used = lettersUsed(query);
  if (used.length >= LETTERS_MAX) return null;
  const letter = halvingLetter(names, used);
  if (letter === null) return null;
  const [having, lacking] = cutByLetter(query, letter);
  const withLetter = names.filter((name) => name.includes(letter));
  const withoutLetter = names.filter((name) => !name.includes(letter));
  const ratio = names.length === 0 ? 0.5 : withLetter.length / names.length;
  return [
    { query: having, names: withLetter, share: share * ratio },
    { query: lacking, names: withoutLetter, share: share * (1 - ratio) },
  ];
}
