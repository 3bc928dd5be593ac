/** What each operation may take, and in which lane it starts. */

/**
 * `short`: look-ups of a few records, which never wait behind a long one. `long`: pages, searches, sections: they leave a thread free.
 * `large`: one document of many megabytes, one at a time, for its memory. A job that turns out longer or larger than its lane starts
 * anew in another.
 */
export type Lane = 'short' | 'long' | 'large';

export interface WorkLimits {
  lane: Lane;
  /** From arrival to answer, waiting included: beyond, 503 */
  deadlineMs: number;
}

const SHORT_WINDOW_MAX = 200;

export const WORK_LIMITS = {
  filing_info: { lane: 'short', deadlineMs: 15_000 },
  document: { lane: 'short', deadlineMs: 30_000 },
  entity_lookup: { lane: 'short', deadlineMs: 20_000 },
  filing_lookup: { lane: 'short', deadlineMs: 30_000 },
  fulltext_search: { lane: 'long', deadlineMs: 30_000 },
  filing_sections: { lane: 'long', deadlineMs: 30_000 },
} as const satisfies Record<string, WorkLimits>;

/** A job in the short lane may run so long. */
export const SHORT_SLICE_MS = 150;
/** Documents beyond are read, decoded and written as JSON in the long lane; */
export const SHORT_DOCUMENT_BYTES_MAX = 1024 * 1024;
/** beyond this in the large one. */
export const LONG_DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

/** The lane for work on so many bytes of documents. */
export function laneForBytes(bytes: number): Lane {
  if (bytes > LONG_DOCUMENT_BYTES_MAX) return 'large';
  return bytes > SHORT_DOCUMENT_BYTES_MAX ? 'long' : 'short';
}

/** @param window of a lookup: what is asked for decides, not what there is */
export function laneOf(operation: keyof typeof WORK_LIMITS, window: { from?: number; to?: number }): Lane {
  const { lane }: WorkLimits = WORK_LIMITS[operation];
  if (operation !== 'filing_lookup' && operation !== 'entity_lookup') return lane;
  const to = window.to ?? (operation === 'filing_lookup' ? SHORT_WINDOW_MAX + 1 : 100);
  return to - (window.from ?? 0) > SHORT_WINDOW_MAX ? 'long' : lane;
}

/** Thrown in a reader thread: the job is more than its lane takes. */
export class NeedsLane extends Error {
  override name = 'NeedsLane';
  readonly lane: Lane;

  constructor(lane: Lane) {
    super(`the job needs the ${lane} lane`);
    this.lane = lane;
  }
}

/** Thrown in a reader thread: nobody waits for the answer any more. */
export class NoLongerWanted extends Error {
  override name = 'NoLongerWanted';
}
