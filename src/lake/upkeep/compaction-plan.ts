/** Which parts of a table are merged. */
import type { LivePart } from '../log/log.ts';

/** Every reader handles 64 to 256 MB well, and a worker's memory can hold a part that is being written. */
const PART_BYTES_TARGET = 128 * 10 ** 6;
const PART_BYTES_TARGET_MAX = 1000 * 10 ** 6;
/** A reader opens every live part: a count takes 145 ms with 1,000 of them, 1.3 s with 10,000. */
const PARTS_WANTED_MAX = 400;

/** The target size of a table's parts: larger from 51 GB on, to limit their number. */
export function targetFor(tableBytes: number): number {
  return Math.min(Math.max(PART_BYTES_TARGET, tableBytes / PARTS_WANTED_MAX), PART_BYTES_TARGET_MAX);
}

/**
 * A part is small below half the target, so that a written part is between one and one and a half targets. Parts with a very wide
 * row are skipped: they need too much memory.
 */
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
 * Groups of small parts, each to be merged into one, in the order of the parts. Only the last group of a table may be below the
 * target. A small part is rewritten in each call: at most one target for each table.
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
