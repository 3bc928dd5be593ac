/**
 * Whether the parts of a split window add up to it. A filing without a date is in no range of dates and comes last in every order,
 * so no sample of a large window shows it. A filing whose date changes can move from a part that is not read yet to one that is.
 * Only the sum of the parts shows that such filings are missing.
 */

/** What a part knows of the whole: JSON, so that it can be passed on. */
export interface SplitShortfall {
  /** Id of the window that was split. */
  of: string;
  /** Its count, minus those of the parts that were read before this one. */
  left: number;
  /** Parts to read after this one. */
  later: number;
}

interface Shared {
  id: string;
  share?: SplitShortfall;
}

/** @param parts in reading order; disjoint, so that nothing counts twice */
export function sharedOut<Part extends Shared>(parts: readonly Part[], of: string, count: number): Part[] {
  return parts.map((part, i) => ({ ...part, share: { of, left: count, later: parts.length - 1 - i } }));
}

/**
 * The windows left to read after the first of them. Those split from the same window have its count subtracted.
 * @param read `counted`, or `promised`: the service's count, also of a window to split; 0 for such a one if it states none
 */
function countedOff<Window extends Shared>(
  unread: readonly Window[],
  { promised, counted = promised, split }: { promised: number; counted?: number | undefined; split: unknown },
): Window[] {
  const of = unread[0]?.share?.of;
  if (of === undefined) return [...unread];
  return unread.map((window, i) => {
    const { share, ...rest } = window;
    if (i === 0 || share?.of !== of) return window;
    // Without this count the sum is unknown.
    if (split !== null && counted === 0) return rest as Window;
    return { ...window, share: { ...share, left: share.left - counted } };
  });
}

/** The windows left to read after the first of them; its parts first, if it has too many matches. */
export function unreadAfter<Window extends Shared>(
  unread: readonly Window[],
  read: { promised: number; counted?: number; split: Window[] | null },
): Window[] {
  return [...(read.split ?? []), ...countedOff(unread, read).slice(1)];
}

/** How many matches of the whole are in none of its parts: known with the count of the last part. */
export function missingOfWhole({ share }: Shared, count: number): number {
  return share === undefined || share.later > 0 ? 0 : Math.max(0, share.left - count);
}

export function shortfall(window: Shared, count: number): string | null {
  const missing = missingOfWhole(window, count);
  if (missing === 0) return null;
  return `${missing} matches of window ${window.share?.of} are in none of its parts: they have no filing date or no form, or have moved or disappeared since`;
}
