/** Running headers: lines at the head of pages that name the current item. */
import type { DocumentLines, Line } from '../lines/lines.ts';
import type { ItemMark } from './item-headings.ts';

/** Maximum of letters above a running header: the company's name, a link to the contents, a PART heading. */
const MAX_ABOVE_HEADER = 80;
/** Share of the pages with a mark at their head, if these are running headers. */
const HEADED_SHARE = 0.6;
const LEAST_HEADED = 6;
const LEAST_PAGE_LETTERS = 150;

/**
 * What a mark at the head of a page is. `first`: the first mark that names the item, so it may be the item's heading. `above`: the
 * item's heading follows on the same page. `repeated`: the mark before it names the same item.
 */
export type RunningHeader = 'first' | 'above' | 'repeated';

/** Marks at the head of pages, if most pages have one: they name the page's item, often before its heading. */
export function findRunningHeaders(
  marks: readonly ItemMark[],
  document: DocumentLines,
  contents: ReadonlySet<number>,
): Map<number, RunningHeader> {
  const headers = headersOfPages(marks, document);
  const { lines } = document;
  const kinds = new Map<number, RunningHeader>();
  for (const k of headers) {
    const mark = marks[k]!;
    if (mark.continued || isNamedBefore(marks, k, contents)) kinds.set(k, 'repeated');
    else {
      const next = marks[k + 1];
      const below = next?.number === mark.number && next.tail !== 'mention' && !headers.has(k + 1);
      kinds.set(k, below && !pageEndsBetween(lines, mark.lastLine, next.line) ? 'above' : 'first');
    }
  }
  return kinds;
}

/** Marks above a header that are looked at: lists of another form's items may stand between. */
const MARKS_ABOVE = 3;

function isNamedBefore(marks: readonly ItemMark[], k: number, contents: ReadonlySet<number>): boolean {
  let seen = 0;
  for (let j = k - 1; j >= 0 && j >= k - 40 && seen < MARKS_ABOVE; j--) {
    if (marks[j]!.tail === 'mention' || contents.has(j)) continue;
    if (marks[j]!.number === marks[k]!.number) return true;
    seen++;
  }
  return false;
}

function pageEndsBetween(lines: readonly Line[], from: number, to: number): boolean {
  for (let i = from + 1; i <= to; i++) if (lines[i]!.pageBreak) return true;
  return false;
}

function headersOfPages(marks: readonly ItemMark[], { lines, letters }: DocumentLines): Set<number> {
  const headers = new Set<number>();
  let pages = 0;
  let pagesToLast = 0;
  let next = 0;
  let pageLetters = 0;
  for (let i = marks[0]?.line ?? lines.length; i < lines.length && next < marks.length; i++) {
    if (!lines[i]!.pageBreak) continue;
    // A rule and a page break in one place are the end of one page.
    if (letters[i]! - pageLetters >= LEAST_PAGE_LETTERS && headers.size > 0) pages++;
    pageLetters = letters[i]!;
    while (next < marks.length && marks[next]!.line < i) next++;
    const mark = marks[next];
    if (!mark || letters[mark.line]! - letters[i]! > MAX_ABOVE_HEADER) continue;
    // A running header is not followed by text on its line.
    if (mark.tail === 'run-in') continue;
    headers.add(next);
    pagesToLast = pages;
  }
  if (headers.size < LEAST_HEADED || headers.size < pagesToLast * HEADED_SHARE) headers.clear();
  return headers;
}
