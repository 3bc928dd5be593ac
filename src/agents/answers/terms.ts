/** The words of a search: all must occur; words in quotes are a phrase. The same pattern finds them in DuckDB and here. */
import { FilinglakeError } from '../../core/index.ts';

const TERMS_MAX = 12;

/** `going concern "material weakness"` → [[going], [concern], [material, weakness]] */
export function readTerms(query: string): string[][] {
  const terms = [...query.matchAll(/"([^"]*)"?|[^\s"]+/g)]
    .map((found) => (found[1] ?? found[0]).match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((words) => words.length > 0);
  if (terms.length > 0 && terms.length <= TERMS_MAX) return terms.map((words) => [...words]);
  throw new FilinglakeError('tool-input-invalid', `query has ${terms.length} words and phrases`, {
    remedy: `Give 1 to ${TERMS_MAX} words, or phrases in quotes: going concern "material weakness".`,
  });
}

/** Letters and digits at both ends are whole words. Understood alike by RE2 and JavaScript (flags iu). */
export function patternOf(words: readonly string[]): string {
  return `(?:^|[^\\p{L}\\p{N}])(${words.join('[^\\p{L}\\p{N}]{1,12}')})(?:[^\\p{L}\\p{N}]|$)`;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Places of the terms in a text, in order, at most so many. */
export function placesOf(text: string, terms: readonly (readonly string[])[], most: number): Place[] {
  const places: Place[] = [];
  for (const words of terms) {
    const pattern = new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${words.join('[^\\p{L}\\p{N}]{1,12}')})(?![\\p{L}\\p{N}])`,
      'giu',
    );
    let found = 0;
    for (const { index, 0: match } of text.matchAll(pattern)) {
      places.push({ start: index, end: index + match.length });
      if (++found >= most) break;
    }
  }
  return places.sort((a, b) => a.start - b.start);
}
