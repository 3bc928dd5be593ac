/**
 * Whether the parts that a window was cut into add up to it. A filing without a date is in no range of dates, and comes last in every
 * order, so that no sample of a large window shows it: that the parts have fewer than the whole is all that tells of it.
 */

/** What a part knows of the whole: JSON, so that it can be handed on. */
export interface SplitShortfall {
  /** Id of the window that was cut. */
  of: string;
  /** Its count, less those of the parts that were read before this one. */
  left: number;
  /** How many parts are read after this one. */
  later: number;
}

interface Shared {
  id: string;
  share?: SplitShortfall;
}

/** @param parts in the order in which they are read; disjoint, so that nothing counts twice */
export function sharedOut<Part extends Shared>(parts: readonly Part[], of: string, count: number): Part[] {
  return parts.map((part, i) => ({ ...part, share: { of, left: count, later: parts.length - 1 - i } }));
}

/**
 * The windows that are left to read, as the first of them was read: those cut from the same window have so many fewer left.
 * @param read `promised`: what the service counted, also of a window that is cut; 0 of such a one where it didn't say
 */
export function countedOff<Window extends Shared>(
  unread: readonly Window[],
  { promised, split }: { promised: number; split: unknown },
): Window[] {
  const of = unread[0]?.share?.of;
  if (of === undefined) return [...unread];
  return unread.map((window, i) => {
    const { share, ...rest } = window;
    if (i === 0 || share?.of !== of) return window;
    // Without this count nothing can be said of the sum.
    if (split !== null && promised === 0) return rest as Window;
    return { ...window, share: { ...share, left: share.left - promised } };
  });
}

/** The windows that are left to read behind the first of them; its parts first, where it has too many matches. */
export function unreadAfter<Window extends Shared>(
  unread: readonly Window[],
  read: { promised: number; split: Window[] | null },
): Window[] {
  return [...(read.split ?? []), ...countedOff(unread, read).slice(1)];
}

/** How many matches of the whole are in none of its parts: known with the count of the part that is read last. */
export function missingOfWhole({ share }: Shared, count: number): number {
  return share === undefined || share.later > 0 ? 0 : Math.max(0, share.left - count);
}

export function shortfall(window: Shared, count: number): string | null {
  const missing = missingOfWhole(window, count);
  if (missing === 0) return null;
  return `${missing} matches of window ${window.share?.of} are in none of its parts: they have no filing date or no form, or are gone since`;
}
