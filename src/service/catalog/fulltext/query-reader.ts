/** The language of `query_string`: words, phrases, AND, OR, NOT, NEAR, prefixes and parentheses. */
import { QueryError } from './query-error.ts';
import { type MarkedTerm, type QueryNode, termOf, unique } from './query-tree.ts';
import { isWordCharacter, wordsOf } from './words.ts';

const NESTING_MAX = 20;
const NEAR_DEFAULT = 10;
const NEAR_MAX = 100;
const PREFIX_LETTERS_MIN = 2;

type Token =
  | { kind: 'words'; terms: MarkedTerm[]; at: number }
  | { kind: 'phrase'; term: MarkedTerm | null; at: number }
  | { kind: 'near'; at: number }
  | { kind: 'or' | 'and' | 'not' | 'minus' | 'open' | 'close' | 'end'; at: number };

/** A list of terms under one AND. `negated`: position of its first negation, for the error of a query with nothing else. */
interface AndList {
  members: QueryNode[];
  without: QueryNode[];
  negatedAt: number | null;
}

/** Reads a query of the type `query_string`, by descent. @throws QueryError with the position of the mistake */
export class QueryReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #next: Token;

  constructor(text: string) {
    this.#text = text;
    this.#next = this.#scan();
  }

  read(): QueryNode {
    const node = this.#alternatives();
    if (this.#next.kind === 'close') throw new QueryError("')' without '('", this.#next.at);
    if (!node) throw new QueryError('query is required', null);
    return node;
  }

  /** `a b OR c`; null if there is only punctuation. */
  #alternatives(): QueryNode | null {
    const members: QueryNode[] = [];
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
  #operand(): QueryNode[] {
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

  #group(at: number): QueryNode {
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
  #near(at: number): QueryNode {
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
