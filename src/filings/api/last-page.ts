/** A page that ends at a multiple of this may be cut by a hidden limit: services limit pages to round numbers. */
const ROUND_NUMBER = 50;

/** The members of a page that tell whether it may be the last one. */
export interface PageEnd {
  /** Records received, unreadable ones included. */
  received: number;
  /** As the service stated; null if it does not say. */
  truncated: boolean | null;
}

/**
 * Whether a page shows by itself that no record follows: it is shorter than requested, the service says that it is not cut short, and its
 * length is not that of a usual limit.
 * @param asked positions requested
 */
export function isLastPage({ received, truncated }: PageEnd, asked: number): boolean {
  if (received === 0) return true;
  return received < asked && truncated === false && received % ROUND_NUMBER !== 0;
}
