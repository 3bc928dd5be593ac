/** The three query types of fulltext_search (docs/api.md#fulltext_search), read into FTS5's language and into the words that highlights mark. */
import type { FulltextSearchParameters } from '../../../filings/api/index.ts';
import { QueryError } from './query-error.ts';
import { QueryReader } from './query-reader.ts';
import { type MarkedTerm, markedIn, type QueryNode, termOf, write, writeTerm } from './query-tree.ts';
import { fold, wordsOf } from './words.ts';

export interface ParsedQuery {
  /** FTS5's MATCH expression. Every word is quoted: nothing of FTS5's own syntax can come through. */
  expression: string;
  node: QueryNode;
  /** The terms that must or may occur; negated ones are left out. */
  marked: MarkedTerm[];
}

/** Words, beginnings and phrases (each one term): each is looked up in the index, and looked for in every text that is shown. */
const TERMS_MAX = 64;
/** A prefix stands for all words that begin with it: thousands of them, read and merged. */
const PREFIXES_MAX = 8;
/** Number of words; a word in several groups counts several times. */
const OPERANDS_MAX = 400;

/** @throws QueryError */
export function parseQuery(query: string, type: FulltextSearchParameters['query_type'] = 'match'): ParsedQuery {
  const words = wordsOf(query);
  if (words.length === 0) throw new QueryError('query is required', null);
  if (type === 'match') {
    const marked = [...new Set(words.map(fold))].map((word) => termOf([word], false));
    requireAtMost(marked.length, TERMS_MAX, 'different words; ask for a phrase with match_phrase');
    const members = marked.map((term): QueryNode => ({ kind: 'term', term }));
    return { expression: marked.map(writeTerm).join(' AND '), node: { kind: 'all', members, without: [] }, marked };
  }
  if (type === 'match_phrase') {
    const phrase = termOf(words, false);
    return { expression: writeTerm(phrase), node: { kind: 'term', term: phrase }, marked: [phrase] };
  }
  const reader = new QueryReader(query);
  const node = reader.read();
  requireLittleWork(node);
  return { expression: write(node), node, marked: markedIn(node) };
}

/** @throws QueryError that names the limit */
function requireLittleWork(node: QueryNode): void {
  const work: Work = { terms: new Set(), prefixes: new Set(), operands: 0 };
  addWork(node, work);
  requireAtMost(work.prefixes.size, PREFIXES_MAX, "different beginnings of words ('*')");
  requireAtMost(work.terms.size, TERMS_MAX, 'different words and phrases');
  requireAtMost(work.operands, OPERANDS_MAX, 'words, repeated ones counted again');
}

function requireAtMost(found: number, limit: number, what: string): void {
  if (found > limit) throw new QueryError(`query is invalid: at most ${limit} ${what} (it has ${found})`, null);
}

interface Work {
  terms: Set<string>;
  prefixes: Set<string>;
  operands: number;
}

function addWork(node: QueryNode, work: Work): void {
  const near = node.kind === 'near' ? write(node) : '';
  const terms = node.kind === 'term' ? [node.term] : node.kind === 'near' ? node.terms : [];
  work.operands += terms.length;
  for (const term of terms) {
    // In another NEAR a word is another piece of work: positions are compared, not only documents.
    work.terms.add(`${near}${writeTerm(term)}`);
    if (term.prefix) work.prefixes.add(writeTerm(term));
  }
  if (node.kind === 'all') for (const without of node.without) addWork(without, work);
  if (node.kind === 'all' || node.kind === 'any') for (const member of node.members) addWork(member, work);
}
