/** A document as rows of cells, HTML tables and typewritten columns alike: words, numbers, and where each number stands. */
import { type Line, readLines } from '../lines/lines.ts';
import { LEADING, rowsOf } from '../lines/rows.ts';
import { parseNumber } from './numbers.ts';

export interface PageCell {
  /** White space collapsed, a sign or bracket joined to its number. */
  readonly text: string;
  /** First column: of the table's grid, or of the typewritten line. */
  readonly from: number;
  /** Last column; of a cell of a table that of its digits. */
  readonly to: number;
  /** Decimal, without scale; null: not one number. */
  readonly number: string | null;
  /** `$`, `%` or another sign beside the number */
  readonly unit: string | null;
  /** A dash in place of a number */
  readonly dash: boolean;
  /** UTF-16 positions in the document: of a number's digits, else of the text. */
  readonly start: number;
  readonly end: number;
}

export interface PageRow {
  readonly start: number;
  readonly end: number;
  /** Number of its table; 0: outside all of them, or typewritten. */
  readonly table: number;
  readonly typed: boolean;
  /** A page ends before it. */
  readonly pageBreak: boolean;
  /** Blanks before a typewritten line */
  readonly indent: number;
  /** In typewritten text: the line above is not blank. */
  readonly follows: boolean;
  readonly cells: readonly PageCell[];
}

export function pageRows(source: string): PageRow[] {
  const { lines } = readLines(source);
  const rows: PageRow[] = [];
  const isTyped = hasTypedParagraphs(source, lines)
    ? (line: Line) => line.typed || line.row === 0
    : (line: Line) => line.typed;
  for (let k = 0; k < lines.length; k++) {
    const line = lines[k]!;
    if (isTyped(line)) {
      const cells = typedCells(source, line);
      if (cells.length > 0) rows.push({ ...rowOf(line, line, cells), table: 0, typed: true });
    } else if (line.row === 0) rows.push(rowOf(line, line, [cellOf(source, [line], line.column)]));
    else {
      let last = k;
      while (last + 1 < lines.length && lines[last + 1]!.row === line.row && !lines[last + 1]!.typed) last++;
      const [cells = []] = rowsOf(lines.slice(k, last + 1));
      rows.push(
        rowOf(
          line,
          lines[last]!,
          cells.map((cell) => cellOf(source, cell.lines, cell.column)),
        ),
      );
      k = last;
    }
  }
  return rows;
}

/** Lines with columns of spaces that a web page has at least, to be typewritten in truth. */
const TYPED_PARAGRAPHS = 10;
const SPACED = /(?:&nbsp;|&#160;|\u00a0){3,}\s*[$(]*(?:&nbsp;|\s)*\d/;

/** Some web pages are typewritten: paragraphs with columns of hard spaces. */
function hasTypedParagraphs(source: string, lines: readonly Line[]): boolean {
  let count = 0;
  for (const { row, typed, digits, start, end } of lines)
    if (
      row === 0 &&
      !typed &&
      digits > 0 &&
      end - start > 20 &&
      end - start < 2_000 &&
      SPACED.test(source.slice(start, end)) &&
      ++count >= TYPED_PARAGRAPHS
    )
      return true;
  return false;
}

/** `(6)` is -6; directly behind a number it is the mark of a footnote, and alone perhaps the number of a row. */
function withBrackets(cells: readonly PageCell[]): readonly PageCell[] {
  const isNegative = (cell: PageCell, k: number) => {
    const before = cells[k - 1];
    return (
      before !== undefined && (before.number === null || cell.from > before.to + 1) && /^\([1-9]\)$/.test(cell.text)
    );
  };
  if (!cells.some(isNegative)) return cells;
  return cells.map((cell, k) =>
    isNegative(cell, k) ? { ...cell, number: `-${cell.text[1]}`, start: cell.start + 1, end: cell.start + 2 } : cell,
  );
}

const rowOf = (first: Line, last: Line, cells: readonly PageCell[]): PageRow => ({
  start: first.start,
  end: last.end,
  table: first.typed ? 0 : first.table,
  typed: first.typed,
  pageBreak: first.pageBreak,
  indent: first.indent,
  follows: first.follows,
  cells: withBrackets(cells),
});

const DASH = /^[$\u20ac\u00a3\u00a5]?\s*\(?[-\u2010-\u2015\u2212_]{1,4}\)?$|^[$\u20ac\u00a3\u00a5]?\s*(?:nil|none)$/i;
const DIGIT = /\d/;
/** What begins behind a number */
const SUPERSCRIPT = /^(?:<(?!sup\b)[^>]*>)*<(?:sup\b|[^>]*\bsuper\b)/i;
/** Blanks at the comma of a number that a typist or a converter left: `1, 481` */
const BROKEN = /(?<=\d) ?, ?(?=\d{3}(?!\d))/g;
const numberIn = (text: string) => parseNumber(text) ?? parseNumber(text.replace(BROKEN, ','));
/** The mark of a footnote at the end of a cell: `1,481<sup>a</sup>` */
const MARK = /<sup\b[^>]*>(?!st|nd|rd|th)([^<>/%$]{1,9})(?:\s|<[^>]*>)*$/i;
const ASIDE = /<[^>]*>|&[^;<\s]{1,9};/g;
const TAG_OR_NUMBER = /<[^>]*>|&[^;<\s]{1,9};|(\.?\d(?:[\d,]*\d)?(?:\.\d+)?)/g;

function cellOf(source: string, lines: readonly Line[], column: number): PageCell {
  const [first] = lines as readonly [Line];
  const withDigits = lines.filter(({ digits }) => digits > 0);
  const isOne = withDigits.length === 1 && lines.every(({ letters }) => letters <= 3);
  const text = lines.map(({ whole }) => whole).join(isOne ? '' : ' ');
  const mark = isOne ? MARK.exec(source.slice(first.start, lines.at(-1)!.end))?.[1]?.trim() : undefined;
  const unmarked = mark !== undefined && mark !== '' && text.endsWith(mark) ? text.slice(0, -mark.length).trim() : '';
  let number = isOne ? numberIn(unmarked || text) : null;
  let [start, end, to] = [first.start, lines.at(-1)!.end, first.column];
  if (number !== null) {
    const line = withDigits[0]!;
    to = line.column;
    const all = number.number.replace(/\D/g, '');
    let own = '';
    for (const { 1: digits, index } of source.slice(line.start, line.end).matchAll(TAG_OR_NUMBER)) {
      if (digits === undefined) continue;
      const at = line.start + index;
      if (own === '') start = at;
      // A tag may stand within one number: `1,<b>481</b>`, `1,4<b>81</b>`.
      else if (!digits.startsWith('.') && !/(?:,\d?\d?|\.)\s*$/.test(source.slice(start, at).replace(ASIDE, ''))) break;
      own += digits.replace(/\D/g, '');
      end = at + digits.length;
      if (!all.startsWith(own) || own === all) break;
    }
    // Digits behind a tag are the mark of a footnote, or of another number.
    if (own !== all && all.startsWith(own)) {
      const shown = source.slice(start, end).replace(ASIDE, '');
      const isMark = SUPERSCRIPT.test(source.slice(end, line.end));
      number = isMark ? parseNumber(text.slice(0, text.indexOf(shown) + shown.length)) : null;
    }
  }
  return {
    text,
    from: column,
    to,
    number: number?.number ?? null,
    unit: number?.unit ?? null,
    dash: number === null && DASH.test(text),
    start,
    end,
  };
}

/** Blanks between words of one cell, at most */
const MARGIN = 2;
/** Dots between words and numbers */
const LEADERS = /(?: ?\.){3,}|\.{2,}|(?<= )\.(?= )/g;
const RULE = /^[\s\-=_*.$]*$/;
/** Words, or a number; a sign with blanks behind it is the next number's: `$ (816) $   424`. */
const PIECE = /\S+(?: (?!\$ {2})\S+)*/g;
const BETWEEN_NUMBERS = /(?<=[\d)%]) (?=[$(\d.-])/;
const NUMBER_BEHIND_WORDS = /^(.*[a-z):*] ?)(\$ ?\(?[\d,.]+\)?|\(?\d{1,3}(?:,\d{3})+(?:\.\d+)?\)?)$/i;

function typedCells(source: string, line: Line): PageCell[] {
  const { text, at } = plainText(source, line.start, line.end, !line.typed);
  if (RULE.test(text)) return [];
  const shown = text.replace(LEADERS, (dots) => ' '.repeat(dots.length)).replaceAll(/[\t\u00a0]/g, ' ');
  const columnOf = tabbed(source, line, text);
  const cells: PageCell[] = [];
  let sign: { from: number; text: string } | null = null;
  const put = (piece: string, from: number) => {
    const joined = sign === null ? piece : `${sign.text}${piece}`;
    const number = numberIn(joined);
    if (sign !== null && number === null && !DASH.test(joined)) {
      const { text: alone, from: place } = sign;
      sign = null;
      add(alone, place, null);
      put(piece, from);
      return;
    }
    if (number === null && LEADING.test(piece) && piece !== '') {
      sign = { from, text: piece };
      return;
    }
    const begin = sign?.from ?? from;
    sign = null;
    add(joined, begin, number, from, piece);
  };
  const add = (
    words: string,
    from: number,
    number: ReturnType<typeof parseNumber>,
    pieceFrom = from,
    piece = words,
  ) => {
    const digit = number === null ? 0 : piece.search(/\.?\d/);
    const length =
      number === null ? piece.length : /^\.?(?:[\d,]| (?=,)|(?<=,) )*(?:\.\d+)?/.exec(piece.slice(digit))![0].length;
    const before = cells.at(-1);
    // Words set to a margin: two blanks between them begin no column.
    if (
      before !== undefined &&
      number === null &&
      /^[a-z]/.test(words) &&
      /[a-z,]$/i.test(before.text) &&
      columnOf(from) - before.to <= MARGIN
    ) {
      cells[cells.length - 1] = {
        ...before,
        text: `${before.text} ${words}`,
        to: columnOf(from + words.length),
        end: at(from + words.length - 1) + 1,
      };
      return;
    }
    cells.push({
      text: words,
      from: columnOf(from),
      to: columnOf(pieceFrom + piece.length),
      number: number?.number ?? null,
      unit: number?.unit ?? null,
      dash: number === null && DASH.test(words),
      start: at(pieceFrom + digit),
      end: at(pieceFrom + digit + length - 1) + 1,
    });
  };
  for (const { 0: piece, index } of shown.matchAll(PIECE)) {
    if (DIGIT.test(piece) && numberIn(piece) === null) {
      const parts = piece.split(BETWEEN_NUMBERS);
      if (parts.length > 1 && parts.every((part) => numberIn(part) !== null)) {
        let from = index;
        for (const part of parts) {
          put(part, from);
          from += part.length + 1;
        }
        continue;
      }
      const behind = NUMBER_BEHIND_WORDS.exec(piece);
      if (behind !== null) {
        put(behind[1]!.trimEnd(), index);
        put(behind[2]!, index + behind[1]!.length);
        continue;
      }
    }
    put(piece, index);
  }
  if (sign !== null) add((sign as { text: string }).text, (sign as { from: number }).from, null);
  return cells;
}

const TAB = 8;
const BLANK = /[ \t\r\n]/;

/** The column of each character of a typewritten line: a tab goes to the next of its stops. */
function tabbed(source: string, line: Line, text: string): (index: number) => number {
  const begin = source.lastIndexOf('\n', line.start) + 1;
  if (!line.typed || (!text.includes('\t') && !source.slice(begin, line.start).includes('\t')))
    return (index) => line.indent + index;
  const columns: number[] = [];
  let column = 0;
  for (const character of `${source.slice(begin, line.start).replace(/<[^>]*>/g, '')}${text} `) {
    columns.push(column);
    column = character === '\t' ? (Math.floor(column / TAB) + 1) * TAB : column + 1;
  }
  const skipped = columns.length - text.length - 1;
  return (index) => columns[skipped + index] ?? column;
}

/** A typewritten line without tags, each reference one character; and where each of its characters stands. */
function plainText(
  source: string,
  from: number,
  to: number,
  collapses: boolean,
): { text: string; at: (index: number) => number } {
  const raw = source.slice(from, to);
  if (!collapses && !/[<&]/.test(raw)) return { text: raw, at: (index) => from + index };
  let text = '';
  const places: number[] = [];
  for (let k = 0; k < raw.length; k++) {
    const tag = raw[k] === '<' ? /^<\/?[a-z][^<>]*>/i.exec(raw.slice(k)) : null;
    if (tag !== null) {
      k += tag[0].length - 1;
      continue;
    }
    if (collapses && BLANK.test(raw[k]!) && BLANK.test(raw[k - 1] ?? '')) continue;
    const reference = raw[k] === '&' ? /^&(?:#\d{1,5}|\w{2,8});/.exec(raw.slice(k, k + 10)) : null;
    places.push(from + k);
    text += reference === null ? raw[k] : reference[0] === '&amp;' ? '&' : ' ';
    if (reference !== null) k += reference[0].length - 1;
  }
  return { text, at: (index) => places[index] ?? to };
}
