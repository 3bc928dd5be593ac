/** The lanes of jobs for reader threads, and the limits of each. */

/**
 * `short`: look-ups of a few records, which never wait behind a long one. `long`: pages, searches, sections: they leave a thread free.
 * `large`: one document of many megabytes, one at a time, for its memory. A job that turns out longer or larger than its lane starts
 * again in another.
 */
export type Lane = 'short' | 'long' | 'large';

/** Maximum records of a page in the short lane */
const SHORT_WINDOW_MAX = 200;

/** Maximum time of a job in the short lane. */
export const SHORT_MS = 150;
/** Larger documents are read, decoded and written as JSON in the long lane. */
const SHORT_DOCUMENT_BYTES_MAX = 1024 * 1024;
/** Documents larger than this use the large lane. */
export const LONG_DOCUMENT_BYTES_MAX = 16 * 1024 * 1024;

/** The lane for work on this many bytes of documents. */
export function laneForBytes(bytes: number): Lane {
  if (bytes > LONG_DOCUMENT_BYTES_MAX) return 'large';
  return bytes > SHORT_DOCUMENT_BYTES_MAX ? 'long' : 'short';
}

/** The lane in which a job starts: for pages by their window. @param defaultTo undefined: it answers no pages */
export function laneOf(lane: Lane, defaultTo: number | undefined, window: { from?: number; to?: number }): Lane {
  if (lane !== 'short' || defaultTo === undefined) return lane;
  return (window.to ?? defaultTo) - (window.from ?? 0) > SHORT_WINDOW_MAX ? 'long' : lane;
}

/** Thrown in a reader thread: the job is too much for its lane. */
export class NeedsLane extends Error {
  override name = 'NeedsLane';
  readonly lane: Lane;

  constructor(lane: Lane) {
    super(`the job needs the ${lane} lane`);
    this.lane = lane;
  }
}

/** Thrown in a reader thread: the job was cancelled. */
export class NoLongerWanted extends Error {
  override name = 'NoLongerWanted';
}
