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

export interface Shared {
  id: string;
  share?: SplitShortfall;
}

/** @param parts in reading order; disjoint, so that nothing counts twice */
export function sharedOut<Part extends Shared>(parts: readonly Part[], of: string, count: number): Part[] {
  return parts.map((part, i) => ({ ...part, share: { of, left: count, later: parts.length - 1 - i } }));
}

export interface Read<Window> {
  /** The service's count, also of a window to split; 0 for such a one if it states none. */
  promised: number;
  /** The count, if it is another number. */
  counted?: number;
  split: Window[] | null;
}

/**
 * Takes the first windows off the list, in their order; the parts of those with too many matches take their place. A list of 200,000
 * windows is moved once, not for each of them.
 * @returns the windows that were read
 */
export function takeReads<Window extends Shared>(unread: Window[], reads: readonly Read<Window>[]): Window[] {
  const parts: Window[] = [];
  let next = 0;
  const taken: Window[] = [];
  for (const read of reads) {
    const window = parts.shift() ?? unread[next++]!;
    taken.push(window);
    if (window.share)
      countOff(window.share, read, [
        [parts, 0],
        [unread, next],
      ]);
    parts.unshift(...(read.split ?? []));
  }
  unread.splice(0, next, ...parts);
  return taken;
}

/** Subtracts the count of a window from what is left for the others that were split from the same one. */
export function countOff<Window extends Shared>(
  { of, later }: SplitShortfall,
  { promised, counted = promised, split }: Read<Window>,
  lists: readonly (readonly [Window[], number])[],
): void {
  let others = later;
  for (const [list, from] of lists)
    for (let i = from; i < list.length && others > 0; i++) {
      const { share, ...rest } = list[i]!;
      if (share?.of !== of) continue;
      others--;
      // Without this count the sum is unknown.
      list[i] = (
        split !== null && counted === 0 ? rest : { ...rest, share: { ...share, left: share.left - counted } }
      ) as Window;
    }
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
