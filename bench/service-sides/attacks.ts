/** The costliest legal requests of one key. Each body is another, so that no answer or count is kept. */

export type Attack = [name: string, operation: string, body: (turn: number) => object];

const COMMON = 'the of and to in for or is on by as'.split(' ');
const BEGINNINGS = 'co* in* re* pr* de* ex* st* th*'.split(' ');

export const ATTACKS: readonly Attack[] = [
  ['300 names excluded', 'filing_lookup', (i) => ({ entity_query: { name_excludes: names(i, 300) }, to: 1 })],
  ['400 names excluded of entities', 'entity_lookup', (i) => ({ name_excludes: names(i, 400), to: 1 })],
  ['11 common words by score', 'fulltext_search', (i) => ({ ...any(COMMON), ...since(i), sort_by: '_score', to: 1 })],
  ['8 beginnings by score', 'fulltext_search', (i) => ({ ...any(BEGINNINGS), ...since(i), sort_by: '_score', to: 1 })],
  ['the last of 10,000 phrases', 'fulltext_search', (i) => ({ ...PHRASE, ...since(i), from: 9_990, to: 10_000 })],
  ['1,000 beginnings of types', 'fulltext_search', (i) => ({ query: 'the', document_types: types(i), to: 1 })],
  ['10,000 hits with texts', 'fulltext_search', (i) => ({ query: 'the', ...since(i), include_text: true, to: 10_000 })],
  [
    'a state by name',
    'filing_lookup',
    (i) => ({ entity_query: { states: ['DE', `Q${i}`] }, sort_by: 'entity_name', to: 1 }),
  ],
  ['full pages', 'filing_lookup', (i) => ({ date_to: dayOf(i), to: 10_000 })],
  ['all forms but one', 'filing_lookup', (i) => ({ excluded_form_types: [`Q${i}`], exclude_amendments: true, to: 1 })],
];
const PHRASE = { query: 'of the', query_type: 'match_phrase' };

/** A date after all filings, another for each turn. */
export function dayOf(turn: number): string {
  return new Date(Date.UTC(2030, 0, 1) + turn * 86_400_000).toISOString().slice(0, 10);
}

/** A range of dates that leaves nothing out. */
function since(turn: number): object {
  return { date_from: new Date(-turn * 86_400_000).toISOString().slice(0, 10) };
}

function names(turn: number, count: number): string[] {
  return Array.from({ length: count }, (_, k) => `Q${turn}X${k}`);
}

function types(turn: number): string[] {
  return names(turn, 1_000).map((name) => `${name}*`);
}

function any(words: readonly string[]): object {
  return { query: words.join(' OR '), query_type: 'query_string' };
}
