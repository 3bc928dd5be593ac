/** One word for each step of an export, wherever people read of it: those of `filinglake plan`. Scripts read other, documented ones. */

const WORDS = {
  filing: 'lookup',
  hit: 'fulltext_search',
  entity: 'entities',
  info: 'filing_info',
  sections: 'sections',
  documents: 'documents',
  document: 'documents',
} as const;

/** By the names of passes and of recorded failures. */
export const STEP_WORDS: Readonly<Record<keyof typeof WORDS, string>> = WORDS;

/** The word for a step of a record; one that is none of ours stays as it is. */
export function stepWord(step: string): string {
  return (WORDS as Readonly<Record<string, string>>)[step] ?? step;
}
