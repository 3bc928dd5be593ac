/** The state of a window's reading, and its result: JSON, so that another attempt can continue. */
import type { LookupRequest } from './lookup-orders.ts';
import type { ExportWindow } from './windows.ts';

export interface WindowVerdict {
  /** The service's count, even of records that no part has. If a service counts pages only, the number found. */
  promised: number;
  /** Unique keys. */
  found: number;
  proven: boolean;
  /** Why it is not proven. */
  reason: string | null;
}

/** `matches` of a window to split: the service's count; null if it states none. */
export type ReadingStep =
  | { ask: LookupRequest }
  | { split: ExportWindow[]; matches: number | null }
  | { done: WindowVerdict };

/** The meaning of `count`: all matches, the page's, or unknown yet. */
type CountOf = 'all' | 'page' | 'unknown';

/** Everything about a reading except the keys: JSON, for the heartbeat of an activity. */
export interface ReadingState {
  /** `depth`: the last position is requested, to see whether the window really has too many matches */
  phase: 'pages' | 'depth' | 'edges' | 'orders';
  count_of: CountOf;
  /** Of the last answer with a count. */
  last_count: number | null;
  position: number;
  /** Whether the next page repeats the last record of this one. */
  overlaps?: boolean;
  /** First positions of pages. */
  starts: number[];
  /** Which edge, or which order, is requested next. */
  turn: number;
  /** Position at which the check of an edge continues if its page was cut short; null: at its beginning. */
  edge_at: number | null;
  /** Whether this check of the edges found something new. */
  edge_found: boolean;
  /** False after filings have disappeared: the keys that count for the proof are then fewer than those found, and aren't saved. */
  proof_whole: boolean;
  passes: number;
  /** Keys that this pass has added. */
  pass_gain: number;
  /** Consecutive short pages without a new key. */
  idle_pages: number;
  /** Records of this pass without a readable accession number. */
  unidentified: number;
  /** Whether the service counts more than the reach of a lookup, and has no record at its last position. */
  exaggerated?: boolean;
  ended: ReadingStep | null;
}

export function newReading(): ReadingState {
  return {
    phase: 'pages',
    count_of: 'unknown',
    last_count: null,
    position: 0,
    starts: [],
    turn: 0,
    edge_at: null,
    edge_found: false,
    proof_whole: true,
    passes: 1,
    pass_gain: 0,
    idle_pages: 0,
    unidentified: 0,
    ended: null,
  };
}
