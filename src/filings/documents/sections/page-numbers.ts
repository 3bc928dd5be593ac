/** Numbers of pages behind titles, as contents have them. */
import { besides, type Line } from '../lines/lines.ts';
import { LONGEST_TITLE } from './item-titles.ts';

const PAGE_NUMBER_TAIL =
  /(?:\.{3,}|\s{2,}|[\s.\u2026_]|^)\(?(?:[a-z]{1,2}-?)?\d{1,3}\)?\s*(?:(?:-|\u2013|to|,|&|and)\s*(?:[a-z]-?)?\d{1,3})*\s*$/i;

/** Words of a sentence before a figure: the sentence continues in the next line. */
const BEFORE_A_FIGURE =
  /\s(?:pages?|notes?|exhibits?|sections?|rules?|the|of|to|and|at|by|for|in|on|is|was|are|were|approximately|about)\s+\(?\d{1,3}\)?\s*$/i;

/** Whether a page number follows the heading, as in contents: in its line, a later cell of its row, or below. */
export function hasPageNumber(lines: readonly Line[], first: number, last: number, rest: string): boolean {
  const line = lines[last]!;
  if (line.text.length < 300 && endsWithPage(rest)) return true;
  for (let i = last + 1; i < lines.length && i <= last + 4; i++) {
    const next = lines[i]!;
    const sameRow = besides(next, line) && next.row === lines[first]!.row;
    if (!sameRow && i > last + 1) return false;
    // Alone at the foot of a page or below a paragraph, it is the number of that page, not the page of the item.
    if (isPageNumber(next, sameRow))
      return (
        sameRow || (line.letters <= LONGEST_TITLE && !lines.slice(i + 1, i + 4).some(({ pageBreak }) => pageBreak))
      );
    if (!sameRow) return false;
  }
  return false;
}

/** Whether words are followed by the number of a page. */
export function endsWithPage(text: string): boolean {
  // Not each figure of a long line is tried.
  const end = text.slice(-80);
  return (
    /[a-z\]]/i.test(text) &&
    PAGE_NUMBER_TAIL.test(end) &&
    !/\b(?:19|20)\d\d\s*$/.test(end) &&
    !/form\s+(?:10|8)-?\s*$|10-\d$|8-\d$/i.test(end) &&
    !BEFORE_A_FIGURE.test(end)
  );
}

/** A line that is only a page number or a range. @param marks `N/A`, a dash, an asterisk in a table's row counts too */
export function isPageNumber(line: Line, marks: boolean): boolean {
  return (
    line.digits <= 18 &&
    line.text.length <= 40 &&
    (/^[^a-z0-9]{0,3}(?:pages?\s*|p\.\s*)?(?:[a-z]{1,2}-?)?\d{1,3}(?:\s*(?:-|\u2013|\u2014|,|&|and|to)\s*(?:[a-z]{1,2}-?)?\d{1,3})*[^a-z0-9]{0,3}$/i.test(
      line.text,
    ) ||
      (marks && /^(?:n\/?a|\*+|\u2014|\u2013|-+|none|[ivx]{1,5})\.?$/i.test(line.text)))
  );
}
