/** The lanes that jobs of the reader threads wait in, and what each takes. */

/**
 * `short`: look-ups of a few records, which never wait behind a long one. `long`: pages, searches, sections: they leave a thread free.
 * `large`: one document of many megabytes, one at a time, for its memory. A job that turns out longer or larger than its lane starts
 * anew in another.
 */
export type Lane = 'short' | 'long' | 'large';

/** Records of a page that the short lane takes */
const SHORT_WINDOW_MAX = 200;

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

/**
 * The lane that a job starts in. Of pages, the window requested decides, not what it holds.
 * @param lane the operation's own
 * @param defaultTo undefined: it answers no pages
 */
export function laneOf(lane: Lane, defaultTo: number | undefined, window: { from?: number; to?: number }): Lane {
  if (lane !== 'short' || defaultTo === undefined) return lane;
  return (window.to ?? defaultTo) - (window.from ?? 0) > SHORT_WINDOW_MAX ? 'long' : lane;
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
