/** The state of a window's reading, and its result: JSON, so that another attempt can continue. */
import type { LookupRequest } from './lookup-orders.ts';
import type { ExportWindow } from './windows.ts';

export interface WindowVerdict {
  /** The service's count, even of records that no part has, without further records of a key. If it counts pages only, the number found. */
  promised: number;
  /** The service's count, if some of its records have the key of another one. */
  counted?: number;
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
  /** The count of the last answer that has one. */
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
  /** False if the records that count for the proof are others than the keys found: they aren't saved. */
  proof_whole: boolean;
  passes: number;
  /** Keys that this pass has added. */
  pass_gain: number;
  /** Consecutive short pages without a new key. */
  idle_pages: number;
  /** Records of this pass without a readable key. */
  unidentified: number;
  /** Whether a page has a record twice. */
  repeats?: boolean;
  /** Records of the page before. */
  last_received?: number;
  /** The page before: its first position, its size and ends, and how often it has come again in place of the next one. */
  last_page?: { from: number; ends: string; again: number };
  /** Whether the service counts more than the reach of a lookup, and has no record at its last position. */
  exaggerated?: boolean;
  ended: ReadingStep | null;
}

/** Records checked on each side of an edge. */
export const EDGE_RECORDS = 100;

/** The edges between pages, with the beginning and the end. Edges that one check covers are joined. */
export function edgesOf({ starts, position }: Pick<ReadingState, 'starts' | 'position'>): number[] {
  const edges: number[] = [];
  for (const edge of [...starts, position].sort((a, b) => a - b)) {
    const last = edges.at(-1);
    if (last === undefined || edge - last >= EDGE_RECORDS) edges.push(edge);
  }
  return edges;
}

export function newReading(count_of: CountOf): ReadingState {
  return {
    phase: 'pages',
    count_of,
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
