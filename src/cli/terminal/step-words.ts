/** One word for each step of an export in all output for people: those of `filinglake plan`. Scripts get other, documented ones. */

const WORDS = {
  filing: 'lookup',
  hit: 'fulltext_search',
  entity: 'entities',
  whole: 'whole filings',
  info: 'filing_info',
  sections: 'sections',
  documents: 'documents',
  document: 'documents',
  days: 'coverage',
} as const;

/** By the names of passes and of recorded failures. */
export const STEP_WORDS: Readonly<Record<keyof typeof WORDS, string>> = WORDS;

/** The word for a step of a record; an unknown step stays unchanged. */
export function stepWord(step: string): string {
  return (WORDS as Readonly<Record<string, string>>)[step] ?? step;
}
