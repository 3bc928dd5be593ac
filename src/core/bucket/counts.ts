/** Counts of requests to buckets. Without the SDK's types: the library's declarations reach this file, and users lack the SDK. */

/** Requests of this process to stores, and those that failed: each attempt counts. */
export const bucketCounts = {
  requests: 0,
  /** No answer came. */
  unanswered: 0,
  /** The store was overloaded, or had a fault. */
  failed: 0,
  /** For what the credentials may not do, or because they have expired. */
  refused: 0,
};
