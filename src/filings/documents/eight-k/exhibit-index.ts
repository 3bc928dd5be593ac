/**
 * Reads the exhibit index of a report: the description of each exhibit. Only rows of an index count. Such a row has a number
 * under a heading about exhibits, or after the word "Exhibit". Its words are in the same line or row, or directly below. Page
 * numbers, footnotes and rows of statements look similar, but are elsewhere.
 */
import { besides, type DocumentLines, type Line } from '../lines/lines.ts';

/** The exhibit's number in a document's type: `99.1` of `EX-99.1`; null if the document is not an exhibit. */
export function exhibitNumber(type: string | null): string | null {
  const match = /^EX-(\S.*)$/i.exec(type?.trim() ?? '');
  return match ? match[1]!.trim() : null;
}

/** `99(a)`, `99.a`, `99a`, `Exhibit 99-A` are one number. */
function plain(number: string): string {
  return number
    .toLowerCase()
    .replace(/(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/g, '.')
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '');
}

const NUMBER_LINE =
  /^[^a-z0-9]{0,4}(?:\(?[a-d]\)\s{0,4})?(exhibit\s*(?:no\.?|number)?\s*|ex[-.]\s?)?\(?(\d{1,3}(?:[.-]\d{1,3})*(?:[.-]?\(?[a-z]{1,3}\)?(?:[.-]?\d{1,2})?)?)\)?(?:\(\d{1,2}\))?[*+\u2020#\u2021^]{0,4}(?=[\s:.\u2014\u2013-]|$)/i;
const LONGEST_DESCRIPTION = 1000;
/** Letters of a line that may head a list of exhibits, and of text between two rows. */
const LONGEST_LIST_HEADING = 220;
const SHORT_LIST_HEADING = 60;
const LONGEST_GAP = 600;
/** Letters in the cells before the number of a row. */
const LONGEST_BEFORE_NUMBER = 24;

/** How well a row describes an exhibit. */
const IN_LIST = 4;
const WITH_WORD = 3;
/** `Ex-99.1`: the software of filing agents lists the documents in this form before the report, with its own descriptions. */
const ABBREVIATED = 2;
const BELOW_NUMBER = 1;

interface Row {
  /** From `plain`. */
  number: string;
  /** `(1)`, `2.`: may number the entries of any list. */
  enumerated: boolean;
  description: string;
  fit: number;
}

/**
 * Descriptions of the given exhibits, in their order: the words of each exhibit's row in the index; null without a row. An index
 * may have 99.1 for the document type EX-99, or the reverse: that counts if there is only one such row.
 * @param from the line of the item that lists exhibits: rows after it count before earlier ones
 */
export function describeExhibits(document: DocumentLines, numbers: readonly string[], from: number): (string | null)[] {
  const wanted = numbers.map(plain);
  if (wanted.length === 0) return [];
  const after = readRows(document, from, document.lines.length);
  const rows =
    from > 0 ? [...after, ...readRows(document, 0, from).map((row) => ({ ...row, fit: row.fit / 10 }))] : after;
  const exact = (number: string) => bestOf(rows.filter((row) => row.number === number));
  return wanted.map((number, k) => {
    const own = exact(number);
    const alike = wanted.flatMap((other, i) => (other === number ? [i] : []));
    // Several documents of one number: their rows in order, if there are as many.
    if (alike.length > 1) return own.length === alike.length ? own[alike.indexOf(k)]! : null;
    if (own.length > 0) return own[0]!;
    const near = [...new Set(rows.filter((row) => !row.enumerated).map((row) => row.number))].filter(
      (other) => !wanted.includes(other) && isNear(other, number),
    );
    const rivals = wanted.filter((other) => other !== number && near.some((row) => isNear(row, other)));
    return near.length === 1 && rivals.length === 0 ? (exact(near[0]!)[0] ?? null) : null;
  });
}

function isNear(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return /^\d+$/.test(shorter) && longer.startsWith(`${shorter}.`);
}

/** The different descriptions among the rows that fit best, in their order. */
function bestOf(rows: readonly Row[]): string[] {
  const fit = Math.max(...rows.map((row) => row.fit));
  return [...new Set(rows.filter((row) => row.fit === fit).map((row) => row.description))];
}

const LIST_HEADING = /\bexhibits?\b(?!\s*(?:no\.?\s*)?\d)/i;
/** A longer line is the heading of a list if it begins or ends like a heading. */
const LONG_LIST_HEADING = /^\W*(?:items?\s*\d|\(?[a-d]\)|the following)|[:\u2014-]\s*$/i;
const LIST_END =
  /^\W*(?:signatures?\W*$|pursuant to the requirements? of|\(?[a-d][.)]\s*(?:financial statements?|pro forma|shell company))|^\W*items?\s*\d/i;

function readRows(document: DocumentLines, from: number, until: number): Row[] {
  const { lines, source } = document;
  const rows: Row[] = [];
  // Letters since the list's heading or its last row: infinite outside of lists.
  let gap = Number.POSITIVE_INFINITY;
  for (let i = from; i < until; i++) {
    const line = lines[i]!;
    const match = line.digits > 0 && /^[^a-z0-9]{0,4}[ea-d\d(]/i.test(line.text) ? NUMBER_LINE.exec(line.text) : null;
    const row = match && !isPageFoot(lines, i) ? readRow(lines, source, i, match, gap <= LONGEST_GAP) : null;
    if (row) {
      rows.push(row.row);
      gap = 0;
      i = row.last;
    } else if (headsList(line)) gap = 0;
    else if (LIST_END.test(line.text)) gap = Number.POSITIVE_INFINITY;
    else gap += line.letters + line.digits;
  }
  return rows;
}

function headsList({ letters, text }: Line): boolean {
  if (letters > LONGEST_LIST_HEADING || !LIST_HEADING.test(text)) return false;
  return letters <= SHORT_LIST_HEADING || LONG_LIST_HEADING.test(text);
}

/** A number alone at the foot of a page is a page number. */
function isPageFoot(lines: readonly Line[], i: number): boolean {
  return lines[i]!.letters === 0 && (lines[i + 1]?.pageBreak ?? false) && !besides(lines[i]!, lines[i + 1]!);
}

function readRow(
  lines: readonly Line[],
  source: string,
  at: number,
  match: RegExpExecArray,
  inList: boolean,
): { row: Row; last: number } | null {
  const line = lines[at]!;
  const word = match[1] !== undefined;
  if ((!inList && !word) || lettersBefore(lines, at) > LONGEST_BEFORE_NUMBER) return null;
  // Some agents' software sets the two halves of a number into two cells.
  const next = lines[at + 1];
  const split = /^\d{1,3}$/.test(line.text) && next && besides(line, next) ? HALF_NUMBER.exec(next.text) : null;
  if (split) {
    const row = readWords(lines, at + 1, '', { inList, fit: IN_LIST, separated: true });
    return row && { ...row, row: { ...row.row, number: plain(`${line.text}${split[1]}`), enumerated: false } };
  }
  const behind = line.whole.slice(match[0].length);
  const separated = /^\s*[:.\u2014\u2013-]|^\s{2}|^\s*$/.test(line.typed ? typedTail(source, line, match[0]) : behind);
  const row = readWords(lines, at, behind.replace(/^[\s:.\u2014\u2013*+-]+/, ''), {
    inList,
    fit: /^ex[^h]/i.test(match[1] ?? '') ? ABBREVIATED : inList ? IN_LIST : WITH_WORD,
    separated,
  });
  if (!row) return null;
  const enumerated = !word && /^\d+$/.test(match[2]!) && (/\(/.test(match[0]) || /^[).]/.test(behind));
  return { ...row, row: { ...row.row, number: plain(match[2]!), enumerated } };
}

/** `.1` in the cell after `99`. */
const HALF_NUMBER = /^(\.\d{1,2}[a-z]?)[*+\u2020#\u2021^]{0,4}$/i;

/**
 * The words of the row with the number in line `at`: after it in the line, else in a later cell, else below.
 * @param behind text after the number in its line
 */
function readWords(
  lines: readonly Line[],
  at: number,
  behind: string,
  { inList, fit, separated }: { inList: boolean; fit: number; separated: boolean },
): { row: Pick<Row, 'description' | 'fit'>; last: number } | null {
  let text = behind;
  let last = at;
  let below = false;
  if (!/[a-z]{2}/i.test(text)) {
    last = wordsBehind(lines, at);
    const next = lines[last];
    if (!next) return null;
    below = !besides(lines[at]!, next);
    // Words below the number belong to it only in a list, on the same page, and if they are neither a number nor a heading.
    if (below && (!inList || lettersBefore(lines, at) > 0 || !mayStandBelow(lines, at, last))) return null;
    // Several numbers in one cell have several descriptions in another, line by line or not.
    if (!below && sharesCell(lines, at)) return null;
    text = next.whole;
  }
  const first = lines[last]!;
  for (let i = last + 1; i < lines.length && goesOn(lines, first, i) && i <= at + 16; i++) {
    // Underlines are between and beside the words.
    last = i;
    if (lines[i]!.letters > 0) text += ` ${lines[i]!.text.replace(/^[-=_]{3,}\s*/, '')}`;
  }
  const description = cleaned(text);
  if (description === null || (!below && !separated && !/^["\u201c(]?[A-Z0-9]/.test(description))) return null;
  return { row: { description, fit: below ? BELOW_NUMBER : fit }, last };
}

/** Whether the cell of the number holds another number. */
function sharesCell(lines: readonly Line[], at: number): boolean {
  const own = lines[at]!;
  return [lines[at - 1], lines[at + 1]].some(
    (line) => line && own.row !== 0 && line.row === own.row && line.cell === own.cell && NUMBER_LINE.test(line.text),
  );
}

/** Letters in the earlier cells of the row. */
function lettersBefore(lines: readonly Line[], at: number): number {
  let letters = 0;
  for (let i = at - 1; i >= 0 && besides(lines[i]!, lines[at]!); i--) letters += lines[i]!.letters;
  return letters;
}

/** The typewritten line after the number, unchanged: blanks separate its columns. */
function typedTail(source: string, line: Line, number: string): string {
  const set = source.slice(line.start, line.end);
  const at = set.indexOf(number.trim());
  return at < 0 ? '' : set.slice(at + number.trim().length);
}

/** The first line with words in a later cell of the row, else below. */
function wordsBehind(lines: readonly Line[], at: number): number {
  let i = at + 1;
  while (i < lines.length && i < at + 5 && besides(lines[at]!, lines[i]!) && !/[a-z]{2}/i.test(lines[i]!.text)) i++;
  return i;
}

const NO_ENTRY =
  /^\W*(?:table of contents|(?:back|return) to|index\b|exhibits?\b|items?\s*\d|signatures?\b|part\s+i|page\b|pursuant to|\(?continued|none\W*$|n\/a\W*$|not applicable)/i;

function mayStandBelow(lines: readonly Line[], at: number, below: number): boolean {
  const next = lines[below]!;
  for (let i = at + 1; i <= below; i++) if (lines[i]!.pageBreak) return false;
  return (
    /[a-z]{2}/i.test(next.text) && !NUMBER_LINE.test(next.text) && !NO_ENTRY.test(next.text) && next.letters <= 600
  );
}

/** Whether the description continues in this line: in its cell, or typewritten until a blank line or a number. */
function goesOn(lines: readonly Line[], first: Line, i: number): boolean {
  const line = lines[i]!;
  if (first.typed) {
    return line.follows && !NUMBER_LINE.test(line.text) && !/^\W*(?:signature|pursuant to the req)/i.test(line.text);
  }
  return (
    first.row !== 0 && line.row === first.row && line.cell === first.cell && !line.apart && !NUMBER_LINE.test(line.text)
  );
}

/** Another exhibit's row in the same paragraph. */
const NEXT_ROW = /;\s+(?:and\s+)?exhibit\s+(?:no\.?\s*)?\d.*$/is;

/** The description without leaders and page number; null if it is not an entry, but a heading, furniture, or a sentence about the exhibit. */
function cleaned(text: string): string | null {
  const clean = text
    .replace(/\s+/g, ' ')
    .replace(NEXT_ROW, '')
    .replace(/(?:\s*\.){4,}\s*\d{0,3}$|\s+\d{1,3}$/, (tail) => (/\.\s*\./.test(tail) ? '' : tail))
    .trim();
  if (!/[a-z]{2}/i.test(clean) || NO_ENTRY.test(clean)) return null;
  if (
    /^(?:to|of|and|or|is|are|was|were|has|have|hereto|herewith|attached|which|that|shall|will|contains?|includes?|sets|presents|in|on|by|as|above|below|from|with|for|under|furnished|filed|incorporated)\s/i.test(
      clean,
    )
  )
    return null;
  return clean.slice(0, LONGEST_DESCRIPTION);
}
