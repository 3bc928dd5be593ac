/** Decides on many requests of one meter and month at once: each sees the counts of those before it. */

export interface Used {
  requests: number;
  bytes: number;
}

/** A request whose answer is at hand. */
export interface CountedRequest {
  /** Of its key's plan; null: no limit */
  requestsMax: number | null;
  bytesMax: number | null;
  /** Of the uncompressed answer */
  bytes: number;
}

export interface Decided {
  admitted: boolean;
  /** After this request */
  used: Used;
}

/** A request is admitted while requests are left and the bytes are not yet at the limit. The answer that crosses it is given whole. */
export function countInOrder(before: Used, requests: readonly CountedRequest[]): Decided[] {
  let used = before;
  return requests.map(({ requestsMax, bytesMax, bytes }) => {
    const admitted = used.requests < (requestsMax ?? Infinity) && used.bytes < (bytesMax ?? Infinity);
    if (admitted) used = { requests: used.requests + 1, bytes: used.bytes + bytes };
    return { admitted, used };
  });
}
