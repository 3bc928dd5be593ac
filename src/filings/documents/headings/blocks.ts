/** Lines joined to what a reader sees as one: a paragraph of typewritten lines, a heading over two lines, the cells of a row. */
import { besides, type DocumentLines, type Line } from '../text/lines.ts';
import { isCapitals, isTitleCase } from './title-case.ts';
import type { Typography } from './typography.ts';

export interface Block {
  /** Its lines: `lines.slice(first, end)` */
  readonly first: number;
  readonly end: number;
  /** White space collapsed; of a long paragraph the beginning. */
  readonly text: string;
  readonly letters: number;
  readonly digits: number;
  /** Cells of a table row; 1 outside tables. */
  readonly cells: number;
  /** Typewritten: rules of dashes or equals signs under it. */
  readonly ruled: boolean;
}

const RULE = /^[-=_\u2014\u2500~*]{3,}$/;
/** Elements that break a line within a paragraph. */
const PARAGRAPH_BETWEEN = /<\/?(?:p|div|table|tr|td|th|ul|ol|li|h[1-6]|hr|center|blockquote|page)\b/i;
/** What joins lines of one heading is looked for in this much of the source at most. */
const BETWEEN_MAX = 2_000;
const TEXT_MAX = 1_200;
/** A typewritten line of this width continues in the next one, however that is indented. */
const FULL_LINE = 58;

/** The blocks of a document without lines that are left out. */
export function blocksOf(
  document: DocumentLines,
  typography: readonly Typography[],
  left: ReadonlySet<number>,
): Block[] {
  const { lines } = document;
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; ) {
    if (left.has(i)) {
      i++;
      continue;
    }
    let end = i + 1;
    let ruled = false;
    const isTyped = lines[i]!.typed;
    for (; end < lines.length && !left.has(end); end++) {
      const next = lines[end]!;
      const isJoined = isTyped
        ? next.typed && runsOn(lines[end - 1]!, next) && !(end === i + 1 && isTitleOver(lines[i]!, next))
        : isSameBlock(document, typography, end);
      if (!isJoined) break;
      if (isTyped && RULE.test(next.text)) {
        ruled = true;
        end++;
        break;
      }
    }
    const own = lines.slice(i, ruled ? end - 1 : end);
    blocks.push({
      first: i,
      end,
      ruled,
      text: textOf(own),
      letters: own.reduce((sum, { letters }) => sum + letters, 0),
      digits: own.reduce((sum, { digits }) => sum + digits, 0),
      cells: isTyped || own.length === 1 ? 1 : new Set(own.map(({ row, cell }) => `${row} ${cell}`)).size,
    });
    i = end;
  }
  return blocks;
}

function textOf(lines: readonly Line[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length > TEXT_MAX) break;
    text += `${text === '' ? '' : ' '}${line.whole}`;
  }
  return text;
}

/** A typewritten line continues in the next one, unless that is set apart or indented like a new paragraph. */
function runsOn(line: Line, next: Line): boolean {
  if (!next.follows || next.pageBreak || RULE.test(line.text)) return false;
  return next.indent <= line.indent + 2 || line.indent > 20 || line.indent + line.text.length >= FULL_LINE;
}

/** A title directly above its paragraph: there was room for the paragraph's first word in its line. */
export function isTitleOver(line: Line, next: Line): boolean {
  const { text } = line;
  if (!(line.apart || line.pageBreak) || line.table !== 0 || /[.,;:-]$/.test(text) || !/^[A-Z]/.test(next.text))
    return false;
  const firstWord = next.text.split(' ', 1)[0]!.length;
  if (line.indent + text.length + firstWord + 3 > next.indent + next.text.length) return false;
  return isCapitals(text) ? !isCapitals(next.text) : isTitleCase(text) && text.includes(' ') && !isTitleCase(next.text);
}

function isSameBlock({ source, lines }: DocumentLines, typography: readonly Typography[], at: number): boolean {
  const line = lines[at - 1]!;
  const next = lines[at]!;
  if (next.typed || line.typed) return false;
  if (besides(line, next)) return true;
  if (line.table !== next.table || line.row !== next.row || next.pageBreak) return false;
  const [own, its] = [typography[at - 1]!, typography[at]!];
  if (own.emphasis !== its.emphasis || own.size !== its.size || its.emphasis === 0) return false;
  if (own.leadEnd < line.end) return false;
  const between = source.slice(line.end, Math.min(next.start, line.end + BETWEEN_MAX));
  // A heading of several lines; or one whose first line can't be its end.
  return !PARAGRAPH_BETWEEN.test(between) || (/^[a-z]/.test(next.text) && !/[.:!?]$/.test(line.text));
}
