/**
 * Full text behind three functions: which documents a search finds, how many, and in which order. The catalog's own index is one such
 * engine. What is shown of a hit (row, passages, parties) always comes from the catalog.
 */
import { FilinglakeError } from '../../../core/index.ts';
import type { FulltextSearchParameters } from '../../../filings/api/index.ts';
import type { ParsedQuery } from '../fulltext/query.ts';
import type { Statements } from '../rows/statements.ts';
import { withFewDocuments } from './few-documents.ts';
import {
  countHitsUpTo,
  countKeptHits,
  documentConditions,
  type FoundHit,
  hitsByDate,
  hitsByScore,
} from './fulltext-hits.ts';
import { requireEndInTime } from './search-cost.ts';

export type SortOrder = 'asc' | 'desc';

/** The hits of one search in one state of the catalog: to be used inside the `snapshot` in which the search was opened. */
export interface SearchHits {
  /** @param most counting may stop there */
  countHits(most?: number): number;
  /**
   * By filing date, then accession number and sequence, both rising.
   * @param from position of the first hit that is wanted, `to` of the one after the last
   * @param isRanked false: scores are not needed, and may be 0
   */
  hitsByDate(order: SortOrder, from: number, to: number, isRanked?: boolean): FoundHit[];
  /** By score, which is each engine's own, then as by date with the newest day first. */
  hitsByScore(order: SortOrder, from: number, to: number): FoundHit[];
}

export interface SearchLimits {
  /** The search will be sorted by score */
  isScored?: boolean;
  /** Milliseconds. A search that can not end within them is refused before it runs */
  limitMs?: number | undefined;
}

/** @throws FilinglakeError `search-too-wide`, and as filingLookup */
export type FulltextEngine = (query: ParsedQuery, p: FulltextSearchParameters, limits?: SearchLimits) => SearchHits;

/** The engine has what the snapshot does not have yet: the search must be done again in a newer one. */
export class SnapshotTooOld extends FilinglakeError {
  override name = 'SnapshotTooOld';

  constructor(message: string) {
    super('fulltext-index-unfit', message);
  }
}

const SNAPSHOTS_MAX = 5;

/** Searches in a snapshot that the engine can follow. */
export function searchSnapshot<T>(statements: Statements, body: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return statements.snapshot(body);
    } catch (error) {
      if (!(error instanceof SnapshotTooOld) || tries >= SNAPSHOTS_MAX) throw error;
    }
  }
}

/** The catalog's own index. */
export function embeddedEngine(statements: Statements): FulltextEngine {
  return (query, p, { isScored = false, limitMs } = {}) => {
    const { expression } = query;
    const where = withFewDocuments(statements, expression, documentConditions(p, statements));
    if (limitMs !== undefined) {
      const search = { ...query, ...where, isJoined: where.joined.clauses.length > 0, isScored };
      requireEndInTime(statements, search, limitMs);
    }
    return {
      countHits: (most) =>
        most === undefined
          ? countKeptHits(statements, query, p, where)
          : countHitsUpTo(statements, expression, where, most),
      hitsByDate: (...window) => hitsByDate(statements, expression, where, ...window),
      hitsByScore: (...window) => hitsByScore(statements, expression, where, ...window),
    };
  };
}
