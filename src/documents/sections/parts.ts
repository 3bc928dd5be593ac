/** PART headings: the part of the report at each line, and the PART headings that begin a section. */

import type { Line } from '../text/lines.ts';
import { squeeze } from './item-titles.ts';

export interface PartMark {
  line: number;
  part: number;
}

export const PART = /^[^a-z0-9]{0,6}part\s*(?:no\.?\s*)?(i{1,3}|iv|[1-4])\b([\s\S]*)$/i;
const PART_TITLE = /^(?:(?:financial|other)information|continued|contd|of|and|information|registrant)*\d{0,3}$/;

/** Lines that are PART headings. */
export function findParts(lines: readonly Line[]): PartMark[] {
  const parts: PartMark[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const code = line.text.charCodeAt(0) | 0x20;
    if (line.letters > 60 || line.letters < 4 || (code !== 0x70 && code > 0x60)) continue;
    const match = PART.exec(line.text);
    if (!match || !PART_TITLE.test(squeeze(match[2]!))) continue;
    const word = match[1]!.toLowerCase();
    parts.push({ line: i, part: /\d/.test(word) ? Number(word) : ['i', 'ii', 'iii', 'iv'].indexOf(word) + 1 });
  }
  return parts;
}

/** The part at a line: that of the last PART heading above it, null if there is none. */
export function partAt(parts: readonly PartMark[], line: number): number | null {
  return parts[partIndex(parts, line + 1) - 1]?.part ?? null;
}

/** Maximum of letters between a PART heading and the item under it: "OTHER INFORMATION". */
const MAX_PART_TITLE = 80;
/** The line of the PART heading directly over the heading at `endLine`, unless it is a running header; else `endLine`. */
export function partBefore(parts: readonly PartMark[], letters: Float64Array, from: number, endLine: number): number {
  let p = partIndex(parts, endLine) - 1;
  const last = parts[p];
  if (!last || last.line <= from || letters[endLine]! - letters[last.line + 1]! > MAX_PART_TITLE) return endLine;
  // Running headers repeat the current part. A new part has another number.
  let line = endLine;
  while (
    p >= 0 &&
    parts[p]!.line > from &&
    parts[p]!.part === last.part &&
    letters[line]! - letters[parts[p]!.line + 1]! <= MAX_PART_TITLE
  ) {
    line = parts[p]!.line;
    p--;
  }
  return p >= 0 && parts[p]!.part === last.part ? endLine : line;
}

/** How many PART headings are above `line`. */
function partIndex(parts: readonly PartMark[], line: number): number {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
