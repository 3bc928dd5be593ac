/**
 * Full text in OpenSearch. The index follows the catalog at a distance: documents that changed since are left out of its answers, and are
 * searched in the catalog's own index. So hits are those of the snapshot at any time. If they can't be, the search fails.
 */
import { FilinglakeError } from '../../../core/index.ts';
import type { ParsedQuery } from '../fulltext/query.ts';
import { hasPrefix } from '../fulltext/query-tree.ts';
import {
  embeddedEngine,
  type FulltextEngine,
  type SearchHits,
  SnapshotTooOld,
  type SortOrder,
} from '../queries/fulltext-engine.ts';
import {
  countHits,
  type DocumentConditions,
  documentConditions,
  type FoundHit,
  hitsByDate,
  sortWithinDays,
} from '../queries/fulltext-hits.ts';
import { Conditions, type Statements } from '../rows/statements.ts';
import { CHANGED_SINCE, textState } from '../rows/text-changes.ts';
import { DOCUMENTS_A_DAY, interruptible } from '../store/schema.ts';
import { OpenSearch } from './client.ts';
import type { OpenSearchLink } from './link.ts';
import { accepted, type IndexState, READ_STATE, usableState } from './state.ts';
import { type Clause, filterClauses, NotTranslatable, textClause } from './translate.ts';

/** Changes that may be searched in the catalog's own index. */
const CHANGES_MAX = 20_000;
/** OpenSearch's own limit of a window. */
const WINDOW_MAX = 10_000;
const PARTS = 'filter_path=took,timed_out,_shards,error,hits.total,hits.hits._score,hits.hits.sort';
const SEARCH_PATH = `/_search?allow_partial_search_results=false&${PARTS}`;

/** The id is there to be read: no two documents are equal before it. */
const WITHIN_A_DAY: readonly Clause[] = [{ accession: 'asc' }, { sequence: 'asc' }, { id: 'asc' }];

interface Found {
  total: number;
  hits: FoundHit[];
  /** What the last hit is sorted by */
  last: (number | string)[] | null;
}

/** @param place as OpenSearch takes it. @throws FilinglakeError `setting-invalid` */
export function openSearchEngine(statements: Statements, place: string, link: OpenSearchLink): FulltextEngine {
  const { name } = new OpenSearch(place);
  const embedded = embeddedEngine(statements);
  return (query, p, limits) => {
    let clauses: { text: Clause; must: Clause[]; not: Clause[] };
    try {
      clauses = { text: textClause(query.node), ...filterClauses(p, statements) };
    } catch (error) {
      if (error instanceof NotTranslatable) return embedded(query, p, limits);
      throw error;
    }
    const index = new IndexOfSnapshot(statements, link, name);
    const left = index.changed();
    const changed =
      left.length === 0
        ? NONE_CHANGED
        : changedHits(statements, query, documentConditions(p, statements), index.state.at.change);
    const not = left.length === 0 ? clauses.not : [...clauses.not, { terms: { id: left } }];
    const body = { bool: { must: [clauses.text], filter: clauses.must, must_not: not } };
    return new OpenSearchHits(statements, index, body, changed, () => embedded(query, p, limits));
  };
}

/** @param change the last of the catalog */
function requireNear({ at }: IndexState, change: number, name: string): void {
  const behind = change - at.change;
  if (behind <= CHANGES_MAX) return;
  throw new FilinglakeError('fulltext-index-unfit', `the index at ${name} lacks ${behind} changes of the catalog`);
}

/** Why searches can't be answered by the index now; null: they can. @param limitMs for OpenSearch's answer */
export async function indexFault(statements: Statements, place: string, limitMs: number): Promise<string | null> {
  try {
    const engine = new OpenSearch(place);
    const answer = await engine.call(READ_STATE, AbortSignal.timeout(limitMs));
    requireNear(usableState(answer, statements, engine.name), textState(statements)?.change ?? 0, engine.name);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The index, asked within one snapshot of the catalog. */
class IndexOfSnapshot {
  readonly #statements: Statements;
  readonly #link: OpenSearchLink;
  readonly #name: string;
  /** The last change that the snapshot sees */
  readonly #change: number;
  readonly state: IndexState;

  /** @throws FilinglakeError as usableState, SnapshotTooOld */
  constructor(statements: Statements, link: OpenSearchLink, name: string) {
    [this.#statements, this.#link, this.#name] = [statements, link, name];
    this.#change = textState(statements)?.change ?? 0;
    this.state = this.#readState();
    requireNear(this.state, this.#change, name);
  }

  /** Documents that changed since the state of the index: their place in it is not certain. */
  changed(): number[] {
    if (this.#change === this.state.at.change) return [];
    const rows = this.#statements.prepareArrays(CHANGED_SINCE).all(this.state.at.change);
    return (rows as unknown as [number][]).map(([id]) => id);
  }

  /** @returns null: too many words begin so, for example @throws `fulltext-engine-unreachable`, SnapshotTooOld */
  search(body: object): Found | null {
    const answer = this.#link.call({ method: 'POST', path: SEARCH_PATH, body: JSON.stringify(body) });
    if (answer.status === 400) return null;
    const { took, timed_out, _shards, hits } = accepted(answer, 'a search') as {
      took: number;
      timed_out: boolean;
      _shards: { failed: number };
      hits?: { total?: { value: number }; hits?: { _score?: number | null; sort: (number | string)[] }[] };
    };
    this.#link.workMs += took;
    if (timed_out || _shards.failed > 0)
      throw new FilinglakeError('fulltext-engine-unreachable', `a part of the index at ${this.#name} does not answer`);
    // What was written meanwhile may be in the answer, or be lacking.
    const now = this.#readState();
    if (now.fill !== this.state.fill) throw new SnapshotTooOld(`the index at ${this.#name} is being filled again`);
    const some = hits?.hits ?? [];
    return {
      total: hits?.total?.value ?? 0,
      hits: some.map(({ _score = null, sort }) => ({ rowid: sort.at(-1) as number, score: _score })),
      last: some.at(-1)?.sort ?? null,
    };
  }

  #readState(): IndexState {
    const state = usableState(this.#link.call(READ_STATE), this.#statements, this.#name);
    if (state.to.change > this.#change)
      throw new SnapshotTooOld(`the index at ${this.#name} changes faster than it is read`);
    return state;
  }
}

/** The hits among the documents that changed, found in the catalog's own index. */
interface ChangedHits {
  count(): number;
  /** Without scores, which would be of another measure. @param to as hitsByDate */
  byDate(order: SortOrder, to: number): FoundHit[];
}

const NONE_CHANGED: ChangedHits = { count: () => 0, byDate: () => [] };

function changedHits(
  statements: Statements,
  { expression, node }: ParsedQuery,
  { joined, rowidFrom, rowidTo }: DocumentConditions,
  change: number,
): ChangedHits {
  const list = statements.list(
    `SELECT d.id FROM (${CHANGED_SINCE}) c CROSS JOIN documents d ON d.id = c.document CROSS JOIN filings f ON f.id = d.filing
     WHERE ${interruptible('d.id')} AND ${joined.sql}`,
    [change, ...joined.values],
  );
  const few = { list, isFewerThanHits: !hasPrefix(node) };
  const where = { joined: new Conditions(), rowidFrom, rowidTo, few };
  return {
    count: () => countHits(statements, expression, where),
    byDate: (order, to) =>
      hitsByDate(statements, expression, where, order, 0, to, false).map(({ rowid }) => ({ rowid, score: null })),
  };
}

class OpenSearchHits implements SearchHits {
  readonly #statements: Statements;
  readonly #index: IndexOfSnapshot;
  readonly #query: Clause;
  readonly #changed: ChangedHits;
  readonly #embedded: () => SearchHits;

  constructor(
    statements: Statements,
    index: IndexOfSnapshot,
    query: Clause,
    changed: ChangedHits,
    embedded: () => SearchHits,
  ) {
    [this.#statements, this.#index, this.#query] = [statements, index, query];
    [this.#changed, this.#embedded] = [changed, embedded];
  }

  countHits(most?: number): number {
    const found = this.#index.search({ query: this.#query, size: 0, track_total_hits: most ?? true });
    if (found === null) return this.#embedded().countHits(most);
    return Math.min(most ?? Number.POSITIVE_INFINITY, found.total + this.#changed.count());
  }

  hitsByDate(order: SortOrder, from: number, to: number, isRanked = true): FoundHit[] {
    const changed = this.#changed.byDate(order, to);
    const found = this.#window([{ day: order }, ...WITHIN_A_DAY], changed.length === 0 ? from : 0, to, isRanked);
    if (found === null) return this.#embedded().hitsByDate(order, from, to, isRanked);
    return changed.length === 0 ? found : this.#inOrder([...found, ...changed], order).slice(from, to);
  }

  hitsByScore(order: SortOrder, from: number, to: number): FoundHit[] {
    if (this.#changed.count() === 0) {
      const found = this.#window([{ _score: order }, { day: 'desc' }, ...WITHIN_A_DAY], from, to, true);
      return found ?? this.#embedded().hitsByScore(order, from, to);
    }
    // Scores of two engines can't be compared.
    try {
      return this.#embedded().hitsByScore(order, from, to);
    } catch (error) {
      if (!(error instanceof FilinglakeError && error.code === 'search-too-wide')) throw error;
      throw new FilinglakeError('fulltext-index-unfit', 'hits by score need an index that has every change', {
        cause: error,
      });
    }
  }

  /** @returns null: OpenSearch refuses the query */
  #window(sort: Clause[], from: number, to: number, isRanked: boolean): FoundHit[] | null {
    const hits: FoundHit[] = [];
    const body = { query: this.#query, sort, track_scores: isRanked, track_total_hits: false };
    if (to <= WINDOW_MAX) return this.#index.search({ ...body, from, size: to - from })?.hits ?? null;
    let after: Found['last'] = null;
    for (let at = 0; at < to; at += WINDOW_MAX) {
      const size = Math.min(WINDOW_MAX, to - at);
      const found = this.#index.search({ ...body, size, ...(after === null ? {} : { search_after: after }) });
      if (found === null) return null;
      if (at + size > from) hits.push(...found.hits.slice(Math.max(0, from - at)));
      if (found.hits.length < size) break;
      after = found.last;
    }
    return hits;
  }

  #inOrder(hits: readonly FoundHit[], order: SortOrder): FoundHit[] {
    const days = [...Map.groupBy(hits, ({ rowid }) => Math.floor(rowid / DOCUMENTS_A_DAY))].sort(([a], [b]) =>
      order === 'asc' ? a - b : b - a,
    );
    const sorted = days.map(([, ofDay]) => ofDay);
    sortWithinDays(this.#statements, sorted);
    return sorted.flat();
  }
}
