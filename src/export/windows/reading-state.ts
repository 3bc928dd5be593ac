/** Where the reading of a window stands, and what comes of it: JSON, so that another attempt goes on from there. */
import type { LookupRequest } from './lookup-orders.ts';
import type { ExportWindow } from './windows.ts';

export interface WindowVerdict {
  /** What the service counted, with what it counted of the whole and of no part of it; with a service that counts pages only, what was found. */
  promised: number;
  /** Unique keys. */
  found: number;
  proven: boolean;
  /** Why it is not proven. */
  reason: string | null;
}

/** `matches` of a window that is cut: as the service counted them; null where it didn't say. */
export type ReadingStep =
  | { ask: LookupRequest }
  | { split: ExportWindow[]; matches: number | null }
  | { done: WindowVerdict };

/** Whose `count` it is: of all matches, of the page, or not known yet. */
type CountOf = 'all' | 'page' | 'unknown';

/** All that a reading knows but the keys found: JSON, for the heartbeat of an activity. */
export interface ReadingState {
  phase: 'pages' | 'edges' | 'orders';
  count_of: CountOf;
  /** Of the last answer that had one. */
  last_count: number | null;
  position: number;
  /** Positions at which pages began. */
  starts: number[];
  /** Which of the edges, or of the orders, is asked next. */
  turn: number;
  /** Where the look at an edge goes on, if its page was cut short; null: at its beginning. */
  edge_at: number | null;
  /** Whether this look at the edges found something new. */
  edge_found: boolean;
  /** False after filings have vanished: what counts for the proof is less than what was found, and isn't saved. */
  proof_whole: boolean;
  passes: number;
  /** Keys that this pass has added. */
  pass_gain: number;
  /** Short pages in a row that brought nothing new. */
  idle_pages: number;
  /** Records of this pass that not even an accession number could be read of. */
  unidentified: number;
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
