/** Which parts of a table become one. */
import type { LivePart } from '../log/log.ts';

/** 64 to 256 MB are read well by everything, and a part that is being written fits a worker's memory. */
export const PART_BYTES_TARGET = 128 * 10 ** 6;
export const PART_BYTES_TARGET_MAX = 1000 * 10 ** 6;
/** A reader opens every live part: 1,000 of them cost 145 ms for a count, 10,000 1.3 s. */
const PARTS_WANTED_MAX = 400;

/** How large parts of a table should be: larger from 51 GB on, so that they don't become too many. */
export function targetFor(tableBytes: number): number {
  return Math.min(Math.max(PART_BYTES_TARGET, tableBytes / PARTS_WANTED_MAX), PART_BYTES_TARGET_MAX);
}

/** A part is small below half the target, so that a written part is between one and one and a half targets. One with a very wide row takes too much memory. */
function isSmall(part: LivePart, targetBytes: number): boolean {
  return part.bytes * 2 < targetBytes && part.widest === undefined;
}

/** How many small parts there are. */
export function smallParts(parts: Iterable<LivePart>, targetBytes: number): number {
  let count = 0;
  for (const part of parts) if (isSmall(part, targetBytes)) count++;
  return count;
}

/**
 * Groups of small parts, each to be written as one, in the order in which the parts came. Only the last group of a table
 * may be less than the target. A part is rewritten anew with each call as long as it is small: at most one target a table.
 */
export function planGroups(parts: Iterable<LivePart>, targetBytes: number): LivePart[][] {
  const groups: LivePart[][] = [];
  let group: LivePart[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (!isSmall(part, targetBytes)) continue;
    group.push(part);
    bytes += part.bytes;
    if (bytes < targetBytes) continue;
    groups.push(group);
    group = [];
    bytes = 0;
  }
  if (group.length > 1) groups.push(group);
  return groups.filter((one) => one.length > 1);
}
