/** The three query types of fulltext_search (docs/api.md#fulltext_search), read into FTS5's language and into the words that highlights mark. */

import type { FulltextSearchParameters } from '../../api/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { fold, isWordCharacter, wordsOf } from './words.ts';

/** The query can't be read: HTTP 400. */
export class QueryError extends FilinglakeError {
  override name = 'QueryError';
  /** UTF-16 position in the query, from 0; null for the whole query. */
  readonly position: number | null;

  constructor(detail: string, position: number | null) {
    super('query-invalid', position === null ? detail : `query is invalid at ${position}: ${detail}`, {});
    this.position = position;
  }
}

/** What the matched words of a document are: a word, or the beginning of one. */
export interface MarkedTerm {
  /** Words in the order of the query: one, or those of a phrase. FTS5 folds them by its own tables. */
  written: string[];
  /** The same, folded */
  words: string[];
  /** The last word is only the beginning of one. */
  prefix: boolean;
}

export interface ParsedQuery {
  /** FTS5's MATCH expression. Every word is quoted: nothing of FTS5's own syntax can come through. */
  expression: string;
  /** The terms that must or may occur; negated ones are left out. */
  marked: MarkedTerm[];
}

const NESTING_MAX = 20;
/** Words, beginnings and phrases (each one term): each is looked up in the index, and looked for in every text that is shown. */
export const TERMS_MAX = 64;
/** A prefix stands for all words that begin with it: thousands of them, read and merged. */
export const PREFIXES_MAX = 8;
/** Number of words; a word in several groups counts several times. */
export const OPERANDS_MAX = 400;
const NEAR_DEFAULT = 10;
const NEAR_MAX = 100;
const PREFIX_LETTERS_MIN = 2;

/** @throws QueryError */
export function parseQuery(query: string, type: FulltextSearchParameters['query_type'] = 'match'): ParsedQuery {
  const words = wordsOf(query);
  if (words.length === 0) throw new QueryError('query is required', null);
  if (type === 'match') {
    const marked = [...new Set(words.map(fold))].map((word) => termOf([word], false));
    requireAtMost(marked.length, TERMS_MAX, 'different words; ask for a phrase with match_phrase');
    return { expression: marked.map(writeTerm).join(' AND '), marked };
  }
  if (type === 'match_phrase') {
    const phrase = termOf(words, false);
    return { expression: writeTerm(phrase), marked: [phrase] };
  }
  const reader = new QueryReader(query);
  const node = reader.read();
  const marked: MarkedTerm[] = [];
  collectMarked(node, marked);
  requireLittleWork(node);
  return { expression: write(node), marked };
}

/** @throws QueryError that names the limit */
function requireLittleWork(node: Node): void {
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

function addWork(node: Node, work: Work): void {
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

/** Drops repeated terms: FTS5 would do their work twice. */
function unique(nodes: readonly Node[]): Node[] {
  return [...new Map(nodes.map((node) => [write(node), node])).values()];
}

type Node =
  | { kind: 'term'; term: MarkedTerm }
  | { kind: 'near'; terms: MarkedTerm[]; distance: number }
  | { kind: 'all'; members: Node[]; without: Node[] }
  | { kind: 'any'; members: Node[] };

function termOf(written: string[], prefix: boolean): MarkedTerm {
  return { written, words: written.map(fold), prefix };
}

function writeTerm(term: MarkedTerm): string {
  return `"${term.written.join(' ')}"${term.prefix ? ' *' : ''}`;
}

function write(node: Node): string {
  switch (node.kind) {
    case 'term':
      return writeTerm(node.term);
    case 'near':
      return `NEAR(${node.terms.map(writeTerm).join(' ')}, ${node.distance})`;
    case 'any':
      return `(${node.members.map(write).join(' OR ')})`;
    case 'all': {
      const all = node.members.map(write).join(' AND ');
      if (node.without.length === 0) return node.members.length === 1 ? all : `(${all})`;
      return `((${all}) NOT (${node.without.map(write).join(' OR ')}))`;
    }
  }
}

function collectMarked(node: Node, marked: MarkedTerm[]): void {
  if (node.kind === 'term') marked.push(node.term);
  else if (node.kind === 'near') marked.push(...node.terms);
  else for (const member of node.members) collectMarked(member, marked);
}

type Token =
  | { kind: 'words'; terms: MarkedTerm[]; at: number }
  | { kind: 'phrase'; term: MarkedTerm | null; at: number }
  | { kind: 'near'; at: number }
  | { kind: 'or' | 'and' | 'not' | 'minus' | 'open' | 'close' | 'end'; at: number };

/** A list of terms under one AND. `negated`: position of its first negation, for the error of a query with nothing else. */
interface AndList {
  members: Node[];
  without: Node[];
  negatedAt: number | null;
}

class QueryReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #next: Token;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#scan();
  }

  read(): Node {
    const node = this.#alternatives();
    if (this.#next.kind === 'close') throw new QueryError("')' without '('", this.#next.at);
    if (!node) throw new QueryError('query is required', null);
    return node;
  }

  /** `a b OR c`; null if there is only punctuation. */
  #alternatives(): Node | null {
    const members: Node[] = [];
    let orAt: number | null = null;
    for (;;) {
      const list = this.#conjunction();
      if (list.members.length === 0) {
        if (list.negatedAt !== null) {
          throw new QueryError('only negations; add at least one word to find', list.negatedAt);
        }
        const dangling = this.#next.kind === 'or' ? this.#next.at : orAt;
        if (dangling !== null) throw new QueryError("'OR' needs a word on both sides", dangling);
        return null;
      }
      const only = list.members[0]!;
      members.push(
        list.members.length === 1 && list.without.length === 0
          ? only
          : { kind: 'all', members: unique(list.members), without: unique(list.without) },
      );
      if (this.#next.kind !== 'or') break;
      orAt = this.#next.at;
      this.#advance();
    }
    return members.length === 1 ? members[0]! : { kind: 'any', members: unique(members) };
  }

  #conjunction(): AndList {
    const list: AndList = { members: [], without: [], negatedAt: null };
    for (;;) {
      const token = this.#next;
      if (token.kind === 'or' || token.kind === 'close' || token.kind === 'end') return list;
      if (token.kind === 'and') {
        this.#advance();
        if (list.members.length === 0 && list.without.length === 0)
          throw new QueryError("'AND' needs a word on both sides", token.at);
        if (!this.#startsOperand()) throw new QueryError("'AND' needs a word on both sides", token.at);
        continue;
      }
      if (token.kind === 'not' || token.kind === 'minus') {
        const sign = token.kind === 'not' ? 'NOT' : '-';
        this.#advance();
        if (!this.#startsOperand() || this.#next.kind === 'not' || this.#next.kind === 'minus') {
          throw new QueryError(`'${sign}' needs a word after it`, token.at);
        }
        const negated = this.#operand();
        if (negated.length === 0) throw new QueryError(`'${sign}' needs a word after it`, token.at);
        list.negatedAt ??= token.at;
        // `-risk-factors` excludes texts with both words.
        list.without.push(negated.length === 1 ? negated[0]! : { kind: 'all', members: negated, without: [] });
        continue;
      }
      list.members.push(...this.#operand());
    }
  }

  #startsOperand(): boolean {
    return !['or', 'and', 'close', 'end'].includes(this.#next.kind);
  }

  /** A word (or the words that punctuation made of one), a phrase, NEAR, or a group; nothing if there is only punctuation. */
  #operand(): Node[] {
    const token = this.#next;
    switch (token.kind) {
      case 'words':
        this.#advance();
        return token.terms.map((term) => ({ kind: 'term', term }));
      case 'phrase':
        this.#advance();
        return token.term ? [{ kind: 'term', term: token.term }] : [];
      case 'near':
        return [this.#near(token.at)];
      case 'open':
        return [this.#group(token.at)];
      default:
        throw new QueryError('a word was expected', token.at);
    }
  }

  #group(at: number): Node {
    if (++this.#depth > NESTING_MAX) throw new QueryError(`parentheses are nested deeper than ${NESTING_MAX}`, at);
    this.#advance();
    const node = this.#alternatives();
    if (this.#next.kind !== 'close') throw new QueryError("'(' is not closed", at);
    if (!node) throw new QueryError('there is nothing between the parentheses', at);
    this.#advance();
    this.#depth--;
    return node;
  }

  /** `NEAR(a "b c" d*, 5)`; the distance may be left out. */
  #near(at: number): Node {
    const open = this.#text.indexOf('(', at);
    const close = this.#nearEnd(open, at);
    const inside = this.#text.slice(open + 1, close);
    const comma = /,\s*([^,"]*?)\s*$/.exec(inside);
    let distance = NEAR_DEFAULT;
    if (comma) {
      distance = /^\d{1,9}$/.test(comma[1]!) ? Number(comma[1]) : 0;
      if (distance < 1 || distance > NEAR_MAX) {
        throw new QueryError(`the distance of NEAR is a number from 1 to ${NEAR_MAX}`, open + 1 + comma.index + 1);
      }
    }
    const terms: MarkedTerm[] = [];
    const end = comma ? open + 1 + comma.index : close;
    this.#at = open + 1;
    for (this.#advance(); this.#next.at < end; this.#advance()) {
      const token = this.#next;
      if (token.kind === 'words') terms.push(...token.terms);
      else if (token.kind === 'phrase') token.term && terms.push(token.term);
      else throw new QueryError('NEAR takes words and phrases only', token.at);
    }
    if (terms.length < 2) throw new QueryError('NEAR needs two words or more', at);
    this.#at = close + 1;
    this.#advance();
    return { kind: 'near', terms, distance };
  }

  /** Position of the `)` that ends NEAR; one inside quotes doesn't. */
  #nearEnd(open: number, at: number): number {
    let inQuotes = false;
    for (let i = open + 1; i < this.#text.length; i++) {
      if (this.#text[i] === '"') inQuotes = !inQuotes;
      else if (this.#text[i] === ')' && !inQuotes) return i;
    }
    throw new QueryError("'(' of NEAR is not closed", at);
  }

  #advance(): void {
    this.#next = this.#scan();
  }

  #scan(): Token {
    const text = this.#text;
    while (this.#at < text.length && /\s/.test(text[this.#at]!)) this.#at++;
    const at = this.#at;
    if (at >= text.length) return { kind: 'end', at };
    const character = text[at]!;
    if (character === '(' || character === ')') {
      this.#at++;
      return { kind: character === '(' ? 'open' : 'close', at };
    }
    if (character === '"') return this.#scanPhrase(at);
    if (character === '-') {
      this.#at++;
      // A minus is an operator only directly before a word, phrase or group.
      const following = text[this.#at];
      if (following === undefined || /[\s)]/.test(following)) throw new QueryError("'-' needs a word after it", at);
      return { kind: 'minus', at };
    }
    return this.#scanWords(at);
  }

  #scanPhrase(at: number): Token {
    const close = this.#text.indexOf('"', at + 1);
    if (close < 0) throw new QueryError('the quote is not closed', at);
    this.#at = close + 1;
    const words = wordsOf(this.#text.slice(at + 1, close));
    const prefix = this.#text[this.#at] === '*';
    if (prefix) {
      this.#at++;
      requirePrefixLetters(words.at(-1) ?? '', this.#at - 1);
    }
    return { kind: 'phrase', term: words.length > 0 ? termOf(words, prefix) : null, at };
  }

  #scanWords(at: number): Token {
    const text = this.#text;
    let end = at;
    while (end < text.length && !/[\s()"]/.test(text[end]!)) end++;
    const chunk = text.slice(at, end);
    this.#at = end;
    if (chunk === 'OR') return { kind: 'or', at };
    if (chunk === 'AND') return { kind: 'and', at };
    if (chunk === 'NOT') return { kind: 'not', at };
    if (chunk === 'NEAR' && text[end] === '(') return { kind: 'near', at };
    const terms: MarkedTerm[] = [];
    // `co-op*` is the word `co` and the prefix `op`. A star that doesn't follow a word is not an operator.
    for (const match of chunk.matchAll(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*(\*?)|\*/gu)) {
      const position = at + match.index;
      if (match[0] === '*') throw new QueryError("'*' must follow the beginning of a word", position);
      const prefix = match[1] === '*';
      const word = prefix ? match[0].slice(0, -1) : match[0];
      if (prefix) {
        const following = chunk[match.index + match[0].length];
        if (following !== undefined && isWordCharacter(following)) {
          throw new QueryError("'*' must be at the end of a word", position + match[0].length - 1);
        }
        requirePrefixLetters(word, position + match[0].length - 1);
      }
      terms.push(termOf([word], prefix));
    }
    return { kind: 'words', terms, at };
  }
}

function requirePrefixLetters(word: string, at: number): void {
  if ([...word].length < PREFIX_LETTERS_MIN) {
    throw new QueryError(`'*' needs at least ${PREFIX_LETTERS_MIN} letters before it`, at);
  }
}
