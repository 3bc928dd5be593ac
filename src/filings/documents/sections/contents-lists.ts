/** Tables of contents and other lists of items: their rows name items but are not headings. */
import type { SectionFamily } from '../../api/index.ts';
import { besides, type DocumentLines, type Line } from '../lines/lines.ts';
import type { ItemMark } from './item-headings.ts';
import { endsWithPage, isPageNumber } from './page-numbers.ts';

/** Maximum of letters between two rows of a table of contents: sub-headings of an item. */
const MAX_CONTENTS_GAP = 420;

/** Minimum rows of a table of contents with page numbers, and without. */
const LEAST_PAGE_ROWS = 3;
const LEAST_BARE_ROWS = 5;

/** Letters of a remark in place of a page number. */
const MAX_REMARK = 40;
/** Maximum of letters in the entries under an item of a table of contents. */
const MAX_ENTRIES = 1500;

/** Letters of two titles that make them the same. */
const SAME_TITLE = 8;

interface Contents {
  /** Marks that are rows of a table of contents or of another list of items. */
  contents: Set<number>;
  /** The rows of the longest list with page numbers. */
  index: number[];
}

/** Tables of contents and lists of items: runs of marks with little more than page numbers between them. */
export function findContents(marks: readonly ItemMark[], document: DocumentLines, family: SectionFamily): Contents {
  const candidates = [...marks.keys()].filter((k) => marks[k]!.tail !== 'mention');
  const contents = new Set<number>();
  const bare: number[][] = [];
  // Both parts of a quarterly report have an Item 1: their titles tell them apart.
  const keyOf = (k: number) => {
    const { number, words } = marks[k]!;
    return family !== '10-Q' ? number : `${number} ${words.slice(0, SAME_TITLE)}`;
  };
  let index: number[] = [];
  // The list of a quarterly report begins again behind Item 4.
  for (const run of findRuns(candidates, marks, document, keyOf, family === '10-Q' ? 4 : 0)) {
    // Headings stacked over one paragraph, each with a link to it.
    if (run.filter((k) => marks[k]!.linkedTo !== undefined).length * 2 > run.length) continue;
    if (run.filter((k) => marks[k]!.pageNumber).length >= LEAST_PAGE_ROWS) {
      for (const k of run) contents.add(k);
      if (run.length > index.length) index = run;
    } else if (run.length >= LEAST_BARE_ROWS) bare.push(run);
  }
  // Several headings may share one paragraph, as in Part III often. A list without page numbers is a table of contents only if
  // most of its items have another heading elsewhere.
  bare.sort((a, b) => b.length - a.length);
  const counts = new Map<string, number>();
  for (const k of candidates) if (!contents.has(k)) counts.set(keyOf(k), (counts.get(keyOf(k)) ?? 0) + 1);
  for (const run of bare) {
    const elsewhere = run.filter((k) => counts.get(keyOf(k))! > 1);
    if (elsewhere.length * 2 <= run.length) continue;
    for (const k of run) {
      contents.add(k);
      counts.set(keyOf(k), counts.get(keyOf(k))! - 1);
    }
  }
  return { contents, index };
}

/** Runs of marks that look like the rows of one list; a few others may be between them. */
function findRuns(
  candidates: readonly number[],
  marks: readonly ItemMark[],
  { lines, letters }: DocumentLines,
  keyOf: (k: number) => string,
  lastOfPart: number,
): number[][] {
  const runs: number[][] = [];
  const gaps = candidates.map((k, i) => {
    const next = marks[candidates[i + 1]!];
    if (next === undefined) return Number.POSITIVE_INFINITY;
    return marks[k]!.tailLetters + Math.max(0, letters[next.line]! - letters[marks[k]!.lastLine + 1]!);
  });
  const isBareRow = (i: number) => marks[candidates[i]!]?.pageNumber === true || gaps[i] === 0;
  const isRow = (i: number) =>
    isBareRow(i) ||
    (gaps[i]! <= MAX_ENTRIES && hasPagedEntries(marks[candidates[i]!]!, marks[candidates[i + 1]!]!, lines));
  let i = 0;
  while (i < candidates.length) {
    // One or two short items with tables of figures look like rows with entries, too.
    if (!isRow(i) || !(isBareRow(i) || isBareRow(i + 1) || (isRow(i + 1) && isRow(i + 2)))) {
      i++;
      continue;
    }
    // A list names an item once. A repeated item begins something else.
    const seen = new Set([keyOf(candidates[i]!)]);
    let end = i;
    let others = 0;
    for (let j = i + 1; j < candidates.length && others <= 2; j++) {
      if (gaps[j - 1]! > MAX_CONTENTS_GAP && !isRow(j - 1)) break;
      const before = marks[candidates[j - 1]!]!;
      const step = orderOf(marks[candidates[j]!]!) - orderOf(before);
      if (step === 0 || (step < 0 && Number.parseInt(before.number, 10) > lastOfPart)) break;
      if (seen.has(keyOf(candidates[j]!))) break;
      seen.add(keyOf(candidates[j]!));
      if (isRow(j)) {
        end = j;
        others = 0;
      } else others++;
    }
    // The last row of a list without page numbers looks like a heading: it belongs to the list while the numbers keep rising.
    // So do rows with "Not applicable" in place of a page.
    for (let limit = MAX_CONTENTS_GAP; end + 1 < candidates.length && gaps[end]! <= limit; limit = MAX_REMARK) {
      // Items outside the form, such as "Item X", have no order: they end the list.
      if (!(orderOf(marks[candidates[end + 1]!]!) > orderOf(marks[candidates[end]!]!))) break;
      end++;
    }
    runs.push(candidates.slice(i, end + 1));
    i = end + 1;
  }
  return runs;
}

/** Whether the text between two marks is a list of entries with page numbers in their rows. */
function hasPagedEntries(mark: ItemMark, next: ItemMark, lines: readonly Line[]): boolean {
  let paged = 0;
  let others = 0;
  for (let i = mark.lastLine + 1; i < next.line && i < mark.lastLine + 120; i++) {
    const line = lines[i]!;
    const inRow = besides(line, lines[i - 1]!);
    if ((inRow && isPageNumber(line, true)) || endsWithPage(line.text)) paged++;
    else if (line.letters > 120) others += 2;
    else if (!inRow) others++;
  }
  return paged > 0 && paged * 2 >= others && (paged > 1 || others < 2);
}

function orderOf(mark: ItemMark): number {
  const last = mark.number.charCodeAt(mark.number.length - 1);
  return Number.parseInt(mark.number, 10) * 32 + (last > 0x40 ? last & 0x1f : 0);
}
