/**
 * What a full-text search costs at least, known before it runs: a search that can not end within its limit is refused. The figures are
 * for a machine that is twice as fast as a usual one, so that no search is refused that would end.
 */
import { FilinglakeError } from '../../../core/index.ts';
import { type MarkedTerm, markedIn, type QueryNode, write } from '../fulltext/query-tree.ts';
import type { Statements } from '../rows/statements.ts';
import { DOCUMENTS_A_DAY } from '../store/schema.ts';

/** Microseconds. FTS5 reads whole pages of a beginning of words, and merges them before the first hit. */
const COST = { hit: 0.03, joinedHit: 0.2, scoredHit: 0.7, pageOfWord: 2, pageOfPrefix: 32 } as const;
/** Days whose documents are counted, and documents of each that are looked at: fewer if many words must be found in each. */
const DAYS = 16;
const DOCUMENTS_OF_A_DAY = 4;
/** Few days stand for many: part of what they tell that is sure. */
const SURE = 0.8;
const DAY_COUNT_MAX = 50_000;
/** Steps that never meet themselves again: days at the first are not all Mondays, documents at the second not all the first of theirs. */
const [DAY_STEP, DOCUMENT_STEP] = [(Math.sqrt(5) - 1) / 2, Math.SQRT2];

/** What is known of a search before it runs. */
export interface Search {
  expression: string;
  node: QueryNode;
  /** Row ids of the days that are asked for; null: no limit */
  rowidFrom: number | null;
  rowidTo: number | null;
  /** Hits are looked up in other tables, for filters */
  isJoined: boolean;
  isScored: boolean;
}

/** @throws FilinglakeError `search-too-wide` if the search needs more than `limitMs` */
export function requireEndInTime(statements: Statements, search: Search, limitMs: number): void {
  const { page_count: pages } = statements.prepare('PRAGMA page_count').get() as { page_count: number };
  // No search of a small catalog takes long.
  if ((pages * COST.pageOfPrefix) / 1_000 < limitMs) return;
  const { ms, hits, readingMs } = leastCost(statements, search);
  if (ms <= limitMs) return;
  const why =
    readingMs > ms / 2
      ? 'its words are in too much of the index'
      : `at least ${hits.toLocaleString('en-US')} documents have its words${search.isScored ? ', and each is scored' : ''}`;
  const seconds = Math.round(limitMs / 100) / 10;
  throw new FilinglakeError('search-too-wide', `the search can not end within the limit of ${seconds} s: ${why}`);
}

/** Milliseconds of a fast machine, at least; `readingMs` of them for the index, the others for hits. */
export function leastCost(statements: Statements, search: Search): { ms: number; readingMs: number; hits: number } {
  const index = new IndexPages(statements);
  const prefixes = prefixesIn(search.node).reduce((sum, term) => sum + index.of(term), 0);
  const isOfAllDays = search.rowidFrom === null && search.rowidTo === null;
  const words = isOfAllDays ? pagesRead(search.node, index) : 0;
  const readingMs = (prefixes * COST.pageOfPrefix + words * COST.pageOfWord) / 1_000;
  const perHit = search.isScored ? COST.scoredHit : search.isJoined ? COST.joinedHit : COST.hit;
  // Beginnings of words are read whole for each look at a document.
  const node = commonest(search.node, index);
  const hits = prefixes > 0 ? 0 : Math.round(hitsAtLeast(statements, { ...search, node, expression: write(node) }));
  return { ms: readingMs + (hits * perHit) / 1_000, readingMs, hits };
}

/** Pages of the index that must be read: of alternatives all, of words that must all occur those of the rarest. */
function pagesRead(node: QueryNode, index: IndexPages): number {
  switch (node.kind) {
    case 'term':
      return node.term.prefix ? 0 : index.of(node.term);
    case 'near':
      return Math.min(...node.terms.map((term) => (term.prefix ? 0 : index.of(term))));
    case 'all':
      return Math.min(...node.members.map((member) => pagesRead(member, index)));
    case 'any':
      return node.members.reduce((sum, member) => sum + pagesRead(member, index), 0);
  }
}

/** Of many alternatives the one that fills most of the index: all of them have its hits at least, and each look at a document costs less. */
function commonest(node: QueryNode, index: IndexPages): QueryNode {
  if (node.kind === 'all' && node.members.length === 1 && node.without.length === 0)
    return commonest(node.members[0]!, index);
  if (node.kind !== 'any' || node.members.length <= DOCUMENTS_OF_A_DAY) return node;
  const pages = node.members.map((member) => pagesRead(member, index));
  return commonest(node.members[pages.indexOf(Math.max(...pages))]!, index);
}

function prefixesIn(node: QueryNode): MarkedTerm[] {
  if (node.kind === 'term') return node.term.prefix ? [node.term] : [];
  if (node.kind === 'near') return node.terms.filter(({ prefix }) => prefix);
  return node.members.flatMap(prefixesIn);
}

/** Pages that words fill in the index, from FTS5's own list of the first word of each page: no page is read. */
class IndexPages {
  readonly #statements: Statements;
  readonly #segments: number[] = [];

  constructor(statements: Statements) {
    this.#statements = statements;
    const next = statements.prepareArrays('SELECT min(segid) FROM document_texts_idx WHERE segid > ?');
    for (let id: number | null = 0; id !== null; ) {
      [id] = next.get(id) as unknown as [number | null];
      if (id !== null) this.#segments.push(id);
    }
  }

  /** Of a phrase: of its rarest word. Of a beginning: of all words that begin so. */
  of({ words, prefix }: MarkedTerm): number {
    if (prefix) {
      const from = keyOf(words.at(-1)!);
      // No byte of UTF-8 is larger.
      return this.#between(from, Buffer.concat([from, Buffer.of(0xff)]));
    }
    return Math.min(...words.map((word) => this.#between(keyOf(word), Buffer.concat([keyOf(word), Buffer.of(0)]))));
  }

  #between(from: Buffer, to: Buffer): number {
    const before = this.#statements.prepareArrays(
      'SELECT pgno >> 1 FROM document_texts_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1',
    );
    const after = this.#statements.prepareArrays(
      'SELECT pgno >> 1 FROM document_texts_idx WHERE segid = ? AND term >= ? ORDER BY term LIMIT 1',
    );
    let pages = 0;
    for (const segment of this.#segments) {
      const [first] = (before.get(segment, from) ?? [1]) as unknown as [number];
      // Behind the last word of the segment there is none: its own page is taken.
      const [last] = (after.get(segment, to) ?? before.get(segment, to) ?? [first]) as unknown as [number];
      // A word that ends on the page on which it begins fills none.
      pages += Math.max(0, last - first - 1);
    }
    return pages;
  }
}

/** FTS5 writes `0` in front of the words of its main index. */
function keyOf(word: string): Buffer {
  return Buffer.from(`0${word}`);
}

/** Documents with the words, from some documents of some days: the number that there are at least, almost surely. */
function hitsAtLeast(statements: Statements, { expression, node, rowidFrom, rowidTo }: Search): number {
  const documents = Math.max(1, Math.floor(DOCUMENTS_OF_A_DAY / markedIn(node).length));
  const [first, last] = statements
    .prepareArrays('SELECT (SELECT min(id) FROM document_texts_docsize), (SELECT max(id) FROM document_texts_docsize)')
    .get() as unknown as [number | null, number | null];
  if (first === null || last === null) return 0;
  const dayFrom = Math.floor(Math.max(first, rowidFrom ?? first) / DOCUMENTS_A_DAY);
  const dayTo = Math.floor(Math.min(last, rowidTo ?? last) / DOCUMENTS_A_DAY);
  const days = dayTo - dayFrom + 1;
  if (days <= 0) return 0;
  const counted = statements.prepareArrays(
    `SELECT count(*), min(id), max(id) FROM (SELECT id FROM document_texts_docsize WHERE id >= ? AND id < ? LIMIT ${DAY_COUNT_MAX})`,
  );
  const nearest = statements.prepareArrays('SELECT min(id) FROM document_texts_docsize WHERE id >= ?');
  // Without the cast Node binds a real number, which FTS5 ignores.
  const look = statements.prepareArrays(
    'SELECT 1 FROM document_texts WHERE document_texts MATCH ? AND rowid = CAST(? AS INTEGER)',
  );
  const looked = Math.min(DAYS, days);
  let [hits, variance] = [0, 0];
  for (let i = 0; i < looked; i++) {
    const day = dayFrom + (days <= DAYS ? i : Math.floor(((i * DAY_STEP) % 1) * days));
    const [count, from, to] = counted.get(day * DOCUMENTS_A_DAY, (day + 1) * DOCUMENTS_A_DAY) as unknown as number[];
    if (count === 0) continue;
    let found = 0;
    for (let k = 0; k < documents; k++) {
      const part = ((i * documents + k) * DOCUMENT_STEP) % 1;
      const at = from! + Math.floor(part * (to! - from!));
      const [id] = nearest.get(at) as unknown as [number];
      if (look.get(expression, id) !== undefined) found++;
    }
    const share = found / documents;
    hits += count! * share;
    // Of a share of few documents: never 0, whatever was found.
    variance += (count! ** 2 * (share * (1 - share) + 1 / (documents + 1))) / documents;
  }
  return Math.max(0, ((hits - 2 * Math.sqrt(variance)) * days * SURE) / looked);
}
