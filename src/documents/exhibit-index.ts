/** The exhibit index of a report: what it says each exhibit is. */
import { type DocumentLines, type Line, lineText } from './lines.ts';

/** The exhibit's number in a document's type: `99.1` of `EX-99.1`; null where the document is no exhibit. */
export function exhibitNumber(type: string | null): string | null {
  const match = /^EX-(\S.*)$/i.exec(type?.trim() ?? '');
  return match ? match[1]!.trim() : null;
}

/** `99(a)`, `99.a`, `Exhibit 99-A` are one number. */
function plain(number: string): string {
  return number
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.|\.$/g, '');
}

const NUMBER_LINE =
  /^[^a-z0-9]{0,4}(?:exhibit\s*(?:no\.?|number)?\s*)?\(?(\d{1,3}(?:[.-]\d{1,3})*(?:[.-]?\(?[a-z]{1,3}\)?(?:[.-]?\d{1,2})?)?)\)?[*+\u2020#\u2021^]{0,4}(?=[\s:.\u2014\u2013-]|$)/i;
const LONGEST_DESCRIPTION = 1000;

/**
 * Descriptions of the exhibits asked for, by number, from the rows of the index: the number in front, the words behind it in the same line,
 * in the next cell or below.
 * @param from the line at which to begin: that of the item that lists exhibits
 */
export function describeExhibits(
  { lines, source }: DocumentLines,
  numbers: readonly string[],
  from: number,
): Map<string, string> {
  const wanted = new Map(numbers.map((number) => [plain(number), number]));
  const found = new Map<string, string>();
  if (wanted.size === 0) return found;
  for (let i = from; i < lines.length; i++) {
    const line = lines[i]!;
    if (line.digits === 0 || !/^[^a-z0-9]{0,4}(?:e|\d)/i.test(line.text)) continue;
    const match = NUMBER_LINE.exec(line.text);
    // A number at the foot of a page is the page's.
    if (!match || (line.letters === 0 && lines[i + 1]?.pageBreak)) continue;
    const number = lookUp(wanted, plain(match[1]!));
    if (number === null || found.has(number)) continue;
    const description = describe(lines, source, i, match[0].length);
    if (description !== null) found.set(number, description);
  }
  return found;
}

/** An index may say 99.1 where the document's type is EX-99, and the other way round, as long as there is only one. */
function lookUp(wanted: ReadonlyMap<string, string>, number: string): string | null {
  const exact = wanted.get(number);
  if (exact !== undefined) return exact;
  const near = [...wanted.keys()].filter(
    (known) => known === number.split('.')[0] || (number === known.split('.')[0] && !/[a-z]/.test(known)),
  );
  return near.length === 1 ? wanted.get(near[0]!)! : null;
}

function describe(lines: readonly Line[], source: string, at: number, behind: number): string | null {
  const line = lines[at]!;
  let text = lineText(source, line)
    .slice(behind)
    .replace(/^[\s:.\u2014\u2013*+-]+/, '');
  let last = at;
  if (!/[a-z]{2}/i.test(text)) {
    // The words stand in a later cell of the row, or in the line below.
    last = at + 1;
    while (last < lines.length && last < at + 4 && !/[a-z]{2}/i.test(lines[last]!.text)) last++;
    const next = lines[last];
    if (!next || (NUMBER_LINE.test(next.text) && next.row !== line.row)) return null;
    text = lineText(source, next);
  }
  if (lines[last]!.typed) {
    // Typewritten descriptions go on over lines until a blank one or the next number.
    for (let i = last + 1; i < lines.length && i < last + 12; i++) {
      const next = lines[i]!;
      if (!next.follows || NUMBER_LINE.test(next.text) || /^\W*(?:signature|pursuant to the req)/i.test(next.text))
        break;
      // Underlines run between and beside the words.
      if (next.letters > 0) text += ` ${next.text.replace(/^[-=_]{3,}\s*/, '')}`;
    }
  }
  const clean = text
    .replace(/\s+/g, ' ')
    .replace(/(?:\s*\.){4,}\s*\d{0,3}$|\s+\d{1,3}$/, (tail) => (/\.\s*\./.test(tail) ? '' : tail))
    .trim();
  // A sentence about the exhibit is not its entry.
  if (!/[a-z]{2}/i.test(clean) || /^(?:item\s*\d|signatures?\b|exhibit index)/i.test(clean)) return null;
  if (/^(?:to|of|and|is|hereto|attached|which|shall)\b/i.test(clean)) return null;
  return clean.slice(0, LONGEST_DESCRIPTION);
}
