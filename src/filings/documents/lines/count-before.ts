/** How many members of a list stand before a border. @param isBefore false for all members from the border on */
export function countBefore<T>(list: readonly T[], isBefore: (member: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
