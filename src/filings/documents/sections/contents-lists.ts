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
/** If nothing at all is between them, and the first item has a heading behind them. */
const LEAST_TIGHT_ROWS = 3;

/** Letters of a remark in place of a page number. */
const MAX_REMARK = 40;
/** Maximum of letters in the entries under an item of a table of contents. */
const MAX_ENTRIES = 1500;

/** Letters of two titles that make them the same. */
const SAME_TITLE = 8;
/** The last item of the first part of a quarterly report. */
const LAST_OF_PART = 4;

interface Run {
  members: number[];
  pageRows: number;
  /** Nothing stands between the rows. */
  tight: boolean;
}

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
  const bare: Run[] = [];
  const keyOf = (k: number) => keyOfMark(marks[k]!, family);
  const last = new Map(candidates.map((k) => [keyOf(k), k]));
  const isNamedBehind = ({ members }: Run) => last.get(keyOf(members[0]!))! > members.at(-1)!;
  let index: number[] = [];
  for (const run of findRuns(candidates, marks, document, family)) {
    // Headings stacked over one paragraph, each with a link to it.
    if (run.members.filter((k) => marks[k]!.linkedTo !== undefined).length * 2 > run.members.length) continue;
    if (run.pageRows >= LEAST_PAGE_ROWS) {
      for (const k of run.members) contents.add(k);
      if (run.members.length > index.length) index = run.members;
    } else if (run.members.length >= (run.tight && isNamedBehind(run) ? LEAST_TIGHT_ROWS : LEAST_BARE_ROWS))
      bare.push(run);
  }
  // Several headings may share one paragraph, as in Part III often. A list without page numbers is a table of contents only if
  // most of its items have another heading elsewhere.
  bare.sort((a, b) => b.members.length - a.members.length);
  const counts = new Map<string, number>();
  for (const k of candidates) if (!contents.has(k)) counts.set(keyOf(k), (counts.get(keyOf(k)) ?? 0) + 1);
  for (const run of bare) {
    const elsewhere = run.members.filter((k) => counts.get(keyOf(k))! > 1);
    if (elsewhere.length * 2 <= run.members.length) continue;
    for (const k of run.members) {
      contents.add(k);
      counts.set(keyOf(k), counts.get(keyOf(k))! - 1);
    }
  }
  return { contents, index };
}

/** Both parts of a quarterly report have an Item 1: their titles tell them apart. */
function keyOfMark({ number, words }: ItemMark, family: SectionFamily): string {
  return family !== '10-Q' ? number : `${number} ${words.slice(0, SAME_TITLE)}`;
}

/** Runs of marks that look like the rows of one list; a few others may be between them. */
function findRuns(
  candidates: readonly number[],
  marks: readonly ItemMark[],
  { lines, letters }: DocumentLines,
  family: SectionFamily,
): Run[] {
  const runs: Run[] = [];
  const gaps = candidates.map((k, i) => {
    const next = candidates[i + 1];
    return next === undefined ? Number.POSITIVE_INFINITY : gapBetween(marks[k]!, marks[next]!, letters);
  });
  const isBareRow = (i: number) => marks[candidates[i]!]?.pageNumber === true || gaps[i] === 0;
  const isRow = (i: number) =>
    isBareRow(i) ||
    (gaps[i]! <= MAX_ENTRIES && hasPagedEntries(marks[candidates[i]!]!, marks[candidates[i + 1]!]!, lines));
  let i = 0;
  while (i < candidates.length) {
    // A short item with a table of figures looks like a row with entries, too.
    if (!isRow(i) || !(isBareRow(i) || isBareRow(i + 1))) {
      i++;
      continue;
    }
    // A list names an item once. A repeated item begins something else.
    const seen = new Set<string>();
    const fits = (k: number) => seen.size < seen.add(keyOfMark(marks[candidates[k]!]!, family)).size;
    fits(i);
    let end = i;
    let others = 0;
    for (let j = i + 1; j < candidates.length && others <= 2; j++) {
      if (gaps[j - 1]! > MAX_CONTENTS_GAP && !isRow(j - 1)) break;
      if (!fits(j) || fallsBack(marks[candidates[j - 1]!]!, marks[candidates[j]!]!, family)) break;
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
    const members = candidates.slice(i, end + 1);
    const pageRows = members.filter((k) => marks[k]!.pageNumber).length;
    runs.push({ members, pageRows, tight: gaps.slice(i, end).every((gap) => gap === 0) });
    i = end + 1;
  }
  return runs;
}

/** Whether a list can't continue from one item to the next: exhibits, then business. A quarterly report begins again once. */
function fallsBack(mark: ItemMark, next: ItemMark, family: SectionFamily): boolean {
  if (!(orderOf(next) < orderOf(mark))) return false;
  return family !== '10-Q' || Number.parseInt(mark.number, 10) > LAST_OF_PART;
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
  return paged >= 2 && paged * 2 >= others;
}

function orderOf(mark: ItemMark): number {
  const last = mark.number.charCodeAt(mark.number.length - 1);
  return Number.parseInt(mark.number, 10) * 32 + (last > 0x40 ? last & 0x1f : 0);
}

function gapBetween(mark: ItemMark, next: ItemMark, letters: readonly number[]): number {
  return mark.tailLetters + Math.max(0, letters[next.line]! - letters[mark.lastLine + 1]!);
}
