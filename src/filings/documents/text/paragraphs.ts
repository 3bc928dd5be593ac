/**
 * What a reader sees as one: paragraphs, tables, columns of typewritten pages. A paragraph that a page's end cuts is whole: its
 * pieces are joined if nothing but furniture stands between them and a sentence runs on.
 */
import { isTitleOver, RULE, underlinesWords, widthOf } from '../headings/blocks.ts';
import { BOLD, CENTER, type DocumentLines, type Line, UNDERLINE } from '../lines/lines.ts';
import { alignColumns, type Cell, rowsOf } from '../lines/rows.ts';
import { isTitleCase } from '../lines/title-case.ts';

/** What stands between two lines of a paragraph: nothing behind a hyphen that stays; `-`: the hyphen goes. */
export type Joint = '' | '-' | ' ' | '\n';

export interface Paragraph {
  readonly kind: 'paragraph';
  /** The mark of a list in a cell of its own, and the paragraph's lines. */
  readonly mark: readonly Line[];
  readonly lines: Line[];
  /** Of each line but the first. */
  readonly joints: Joint[];
}

export type TextBlock =
  | Paragraph
  | { readonly kind: 'table'; readonly rows: readonly Cell[][]; readonly columnOf: ReadonlyMap<number, number> }
  | { readonly kind: 'columns' | 'heading'; readonly lines: readonly Line[] };

export const BULLET = /^[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6\u2023\u2043*\u2013-]$/;
/** A mark of a list in its own cell: `•`, `(a)`, `1.` */
const MARK = /^(?:[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6\u2023\u2043*\u2013-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])$/i;
/** A bullet in the text. */
const BULLETED = /^(?:[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6\u2023\u2043]|[*o\u2013-]\s)/;
/** The same without dashes, which also begin lines. */
const BULLET_ONLY = /^(?:[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6\u2023\u2043]|[*o]\s)/;
/** A mark at the beginning of a line. */
const MARKED =
  /^(?:[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6\u2023\u2043*\u2013-]|\*{2,5}|[a-z]\/|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\d{1,2}\.\d{1,3}\.?)\s/i;
/** Columns of typewritten tables: the blanks between them count. A gap alone before a word may stand in a sentence. */
const COLUMNS = /\S {5,}\S|\t|\S {3,}[\d$(]|[^\s.!?:;"] {3,}\S.*[^\s.!?:;"] {3,}\S/;
/** Blanks that fill a line of prose up to the margin differ by this much at most; a table has fewer words in a row. */
const EVEN = 2;
const LEAST_GAPS = 4;
/** `Item 1.    Business`, `(a)   the text`: no columns. */
const GAP_AFTER_MARK =
  /^\s*(?:item\s+\S{1,6}|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\d{1,2}\.\d{1,3}\.?(?=\s+[A-Z])|[\u2022\u00b7\u25cf\u25aa*o\u2013-])\s+/i;
const ENDS_SENTENCE = /[.!?:;]["\u201d\u2019')\]*]*$/;
/** An initial, as in `U.S.`, or an abbreviation: what follows in small letters is the same sentence. */
const ABBREVIATED = /(?:\b[A-Z]|\b(?:Inc|Corp|Co|Ltd|No|vs|approx|etc))\.$/;
/** Of a row of contents */
const LEADERS = /\.{4}/;
/** Items of a list end so. */
const ENDS_ITEM = /(?:[;,]|[;,]\s*(?:and|or))$/;
/** A word that begins nothing: no `a.` or `iv)`, no name of a product with a capital behind a small letter. */
const SMALL = /^[("\u201c]?(?!(?:[a-z]|[ivx]{1,4})[.)])[a-z]+(?![A-Za-z])/;
/** `(in millions)` */
const CAPTION = /^(?:\([^)]*\)\s*)+$/;
/** A sentence can't end with these. */
const UNFINISHED =
  /(?:,|\u2014|\b(?:a|an|the|and|or|of|to|in|for|with|by|on|at|from|as|that|which|our|its|their|his|her|is|are|was|were|be|been|has|have|had|not|than|under|this|these|those|such|each|any|every|other|will|would|may|could|should|must|if|who|whose|into|upon|between|during|including|whether|because|The|In|On|At|For|By|From|As|Our|This|These))$/;
/** Letters of a line that is more than a title. */
const LEAST_PROSE = 100;
/** Elements of a paragraph that show how it is set. */
const LEAST_LINES = 3;
const LAST_LINES = 8;
/** Letters of an element that may be one line of a paragraph. */
const LEAST_SET = 50;
/** Letters of a line before a line break that is not meant. */
const LEAST_BROKEN = 40;
const EMPHASIS = BOLD | CENTER | UNDERLINE;
/** Typewritten lines are at least so wide. */
const LEAST_WIDTH = 58;
/** EDGAR's Filer Manual allows no more. */
const MOST_WIDTH = 132;
/** Wider lines are judged by their beginning. */
const WIDEST = 320;
/** Of a page's width, from which on a line without an end of a sentence runs on. */
const NEARLY_FULL = 0.7;
/** A long word had no room. */
const ALMOST_FULL = 0.85;

/**
 * The blocks of a document without the lines that are left out.
 * @param starts lines at which something new begins, each with the line after its heading; the same line if the heading runs on in
 * its paragraph, or is a line like others
 */
export function textBlocks(
  { source, lines }: DocumentLines,
  left: ReadonlySet<number>,
  starts: ReadonlyMap<number, number>,
): TextBlock[] {
  const blocks: TextBlock[] = [];
  const words = new Words(lines);
  const typed = { source, prose: proseInTables(source, lines) };
  let isCut = false;
  for (let i = 0; i < lines.length; ) {
    if (left.has(i)) {
      i++;
      continue;
    }
    const line = lines[i]!;
    // A rule under a running head is nothing of its own.
    isCut ||= i > 0 && (line.pageBreak || left.has(i - 1));
    const body = starts.get(i);
    const end = body !== undefined && body > i ? body : endOfBlock(typed, lines, i, left, starts);
    const own: Line[] = [];
    for (let k = i; k < end; k++) if (!left.has(k)) own.push(lines[k]!);
    const found =
      body !== undefined && body > i ? [{ kind: 'heading' as const, lines: own }] : blocksOf(typed, own, words);
    const [first] = found;
    const last = blocks.at(-1);
    if (
      body === undefined &&
      first?.kind === 'paragraph' &&
      last?.kind === 'paragraph' &&
      runsOver(last, first, isCut)
    ) {
      for (const [k, own] of first.lines.entries()) {
        last.joints.push(first.joints[k - 1] ?? words.joint(last.lines.at(-1)!, own));
        last.lines.push(own);
      }
      found.shift();
    }
    if (first !== undefined) isCut = false;
    for (const block of found) blocks.push(block);
    i = end;
  }
  return blocks;
}

/** @returns the line after those of a table, of typewritten columns, between two blank lines, or with line breaks only */
function endOfBlock(
  typed: Typed,
  lines: readonly Line[],
  from: number,
  left: ReadonlySet<number>,
  starts: ReadonlyMap<number, number>,
): number {
  const line = lines[from]!;
  const isColumns = line.typed && hasColumns(typed, line, lines[from + 1]);
  const isTable = line.table !== 0 && !line.typed;
  const goesOn = (next: Line) => {
    if (isTable) return next.table === line.table;
    if (isColumns) return (next.follows && !left.has(end - 1) && !typed.prose.has(next)) || hasColumns(typed, next);
    if (next.pageBreak) return false;
    return line.typed ? next.follows && !hasColumns(typed, next, lines[end + 1]) : next.broken && next.table === 0;
  };
  let end = from + 1;
  for (; end < lines.length; end++) {
    if (left.has(end)) {
      if (isTable || isColumns) continue;
      break;
    }
    const start = starts.get(end);
    const next = lines[end]!;
    if (next.typed !== line.typed || (start !== undefined && (start > end || !isTable)) || !goesOn(next)) break;
  }
  return end;
}

function blocksOf(typed: Typed, lines: readonly Line[], words: Words): TextBlock[] {
  const [line] = lines as [Line, ...Line[]];
  if (line.typed)
    return hasColumns(typed, line, lines[1]) ? [{ kind: 'columns', lines }] : typedParagraphs(lines, words);
  if (line.table !== 0) return blocksOfTable(lines);
  const paragraph = paragraphOf(line);
  for (let k = 1; k < lines.length; k++) {
    const [before, next] = [lines[k - 1]!, lines[k]!];
    const joins = before.letters >= LEAST_BROKEN && runsInto(before, next, line);
    paragraph.joints.push(joins ? words.joint(before, next) : '\n');
    paragraph.lines.push(next);
  }
  return [paragraph];
}

function paragraphOf(line: Line, mark: readonly Line[] = []): Paragraph {
  return { kind: 'paragraph', mark, lines: [line], joints: [] };
}

/** @param below the next line: if it stands at the margin, a sentence runs on in it, and the blanks are those behind a title */
function hasColumns(typed: Typed, line: Line, below?: Line): boolean {
  if (line.table !== 0 || RULE.test(line.text)) return line.table !== 0 && !typed.prose.has(line);
  const text = hasGaps(typed.source, line);
  return text !== null && !(below !== undefined && leadsInto(typed, text, line, below));
}

/** The text of a line if blanks in it part columns. */
function hasGaps(source: string, line: Line): string | null {
  const whole = source.slice(line.start, Math.min(line.end, line.start + WIDEST));
  // Most lines have no gap at all.
  if (!whole.includes('   ') && !whole.includes('\t')) return null;
  const text = whole.replace(GAP_AFTER_MARK, '');
  return COLUMNS.test(text) && !isJustified(text, line) ? text : null;
}

/** A typewritten document, with the lines of sentences that it has within tables: notes below the figures. */
interface Typed {
  readonly source: string;
  readonly prose: ReadonlySet<Line>;
}

function proseInTables(source: string, lines: readonly Line[]): Set<Line> {
  const prose = new Set<Line>();
  for (let i = 0, end = 0; i < lines.length; i = Math.max(end, i + 1)) {
    const first = lines[i]!;
    if (!first.typed || first.letters < LEAST_SET) continue;
    if (first.follows ? !RULE.test(lines[i - 1]?.text ?? '') : first.table === 0) continue;
    end = i + 1;
    while (lines[end]?.follows && !RULE.test(lines[end]!.text)) end++;
    const own = lines.slice(i, end);
    const isProse = own.every(
      (line) => line.letters > 3 * line.digits && !LEADERS.test(line.text) && hasGaps(source, line) === null,
    );
    if (own.length > 1 && isProse) for (const line of own) prose.add(line);
  }
  return prose;
}

/** A full line with one gap, and a sentence that runs on below at the margin: in a table the rest of a cell stands under the cell. */
function leadsInto(typed: Typed, text: string, line: Line, below: Line): boolean {
  if (!below.follows || below.indent > line.indent || ENDS_SENTENCE.test(line.text)) return false;
  if (!SMALL.test(below.text) && !UNFINISHED.test(line.text)) return false;
  return (
    widthOf(line) >= LEAST_WIDTH &&
    line.letters >= LEAST_BROKEN &&
    text.split(/ {3,}|\t/).length === 2 &&
    !hasColumns(typed, below)
  );
}

/** Prose filled up with blanks to the margin. */
function isJustified(text: string, line: Line): boolean {
  if (widthOf(line) < LEAST_WIDTH || line.letters < 3 * line.digits) return false;
  const gaps = (text.match(/ +/g) ?? []).map(({ length }) => length);
  return gaps.length >= LEAST_GAPS && Math.max(...gaps) - Math.min(...gaps) <= EVEN;
}

/** A table of data; or the paragraphs of one that only places text. */
function blocksOfTable(lines: readonly Line[]): TextBlock[] {
  const rows = rowsOf(lines);
  const columnOf = alignColumns(rows);
  const isPlacing = rows.every((row) => row.length === 1 || isItemRow(row));
  if (!isPlacing) return [{ kind: 'table', rows, columnOf }];
  return rows.flatMap((row): Paragraph[] => {
    const mark = row.length === 2 ? row[0]!.lines : [];
    return row.at(-1)!.lines.map((line, k) => paragraphOf(line, k === 0 ? mark : []));
  });
}

function isItemRow(row: readonly Cell[]): boolean {
  return row.length === 2 && row[0]!.lines.length === 1 && MARK.test(row[0]!.lines[0]!.text);
}

/** Whether it has the mark of a list. */
export function isItem({ mark, lines }: Paragraph): boolean {
  return mark.length > 0 || lines[0]!.marker !== '' || BULLETED.test(lines[0]!.text);
}

/**
 * Whether a sentence of one paragraph runs on in the next: over the end of a page, or as a filer set each line of a paragraph.
 * @param isCut a page ends between them
 */
function runsOver(above: Paragraph, below: Paragraph, isCut: boolean): boolean {
  const [first, last, line] = [above.lines[0]!, above.lines.at(-1)!, below.lines[0]!];
  if (below.mark.length > 0 || line.marker !== '' || MARKED.test(line.text) || BULLETED.test(line.text)) return false;
  // An item of a list may have no full stop.
  const isItemCut = isCut && !last.typed && isItem(above) && /^["\u201c]?[A-Z]/.test(line.text);
  if (isItemCut && !UNFINISHED.test(last.whole.slice(-24))) return false;
  if (!isCut && isFull(above)) return last.format === line.format && !ENDS_SENTENCE.test(last.whole.slice(-24));
  return (isCut || isSetInLines(last, line, first)) && (runsInto(last, line, first) || runsOverPage(above, below));
}

/** Typewritten prose on both sides of a page's end, at the same margin: the last line above is full, or a sentence can't end so. */
function runsOverPage({ lines: above }: Paragraph, { lines: below }: Paragraph): boolean {
  const [last, first, end] = [above.at(-1)!, below[0]!, below.at(-1)!];
  if (!last.typed || !first.typed || above.length < 2 || Math.abs(first.indent - last.indent) > 1) return false;
  const width = Math.max(...above.slice(-LAST_LINES).map(widthOf));
  if (width < LEAST_WIDTH || width > MOST_WIDTH || !/^["\u201c($]?[A-Z\d]/.test(first.text)) return false;
  if (
    CAPTION.test(first.text) ||
    GAP_AFTER_MARK.test(first.text) ||
    below.slice(0, LEAST_LINES).every(({ text }) => isTitleCase(text))
  )
    return false;
  if (UNFINISHED.test(last.whole.slice(-24))) return true;
  if (!/[a-z\d]$/.test(last.whole) || isTitleCase(last.text) || !ENDS_SENTENCE.test(end.whole.slice(-24))) return false;
  // A new paragraph would be indented.
  return widthOf(last) >= width * NEARLY_FULL || above[0]!.indent >= last.indent + 2;
}

/** A paragraph of several elements that are its lines, and the last one is full. */
function isFull({ lines }: Paragraph): boolean {
  if (lines.length < LEAST_LINES || lines[0]!.typed) return false;
  // The last ones tell: a look at all for each line would cost the square of the lines.
  const longest = Math.max(...lines.slice(-LAST_LINES).map(({ whole }) => whole.length));
  return longest <= MOST_WIDTH && lines.at(-1)!.whole.length >= longest * NEARLY_FULL;
}

/** A paragraph of which each line is an element: no word ends a sentence, and none begins one. */
function isSetInLines(above: Line, below: Line, first: Line): boolean {
  if (above.typed || above.table !== 0 || below.table !== 0 || above.letters < LEAST_SET) return false;
  return SMALL.test(below.text)
    ? !SMALL.test(first.text) && !above.text.endsWith(',')
    : /[a-z]$/.test(above.whole) && UNFINISHED.test(above.whole.slice(-24));
}

/** @param first the first line of the paragraph above */
function runsInto(above: Line, below: Line, first: Line): boolean {
  if (above.typed !== below.typed || (above.format & EMPHASIS) !== (below.format & EMPHASIS)) return false;
  const end = above.whole.slice(-24);
  if (CAPTION.test(below.text)) return false;
  if (SMALL.test(below.text)) {
    if (ENDS_SENTENCE.test(end)) return ABBREVIATED.test(end);
    return !(ENDS_ITEM.test(end) && SMALL.test(first.text));
  }
  if (ENDS_SENTENCE.test(end) || (above.format & EMPHASIS) !== 0 || !/^["\u201c($]?[A-Z\d]/.test(below.text))
    return false;
  const isUnfinished = UNFINISHED.test(end);
  const isProse = above.typed
    ? widthOf(above) >= LEAST_WIDTH
    : above.letters >= (isUnfinished ? LEAST_BROKEN : LEAST_PROSE);
  return isProse && (isUnfinished || (/[a-z]$/.test(end) && ENDS_SENTENCE.test(below.whole.slice(-24))));
}

/** Typewritten lines between two blank ones. */
function typedParagraphs(lines: readonly Line[], words: Words): Paragraph[] {
  const found: Paragraph[] = [];
  const margin = lines.reduce((most, line) => Math.max(most, Math.min(widthOf(line), MOST_WIDTH)), LEAST_WIDTH);
  let before: Line | null = null;
  for (let k = 0; k < lines.length; k++) {
    const line = lines[k]!;
    if (RULE.test(line.text)) {
      const isWhole = before !== null && !underlinesWords(before, line, lines[k + 1]);
      // A title of two lines may have each underlined.
      const [next, below] = [lines[k + 1]?.text ?? '', lines[k + 2]?.text ?? ''];
      if (isWhole && !(SMALL.test(next) && RULE.test(below))) before = null;
      continue;
    }
    const own = found.at(-1);
    if (before === null || own === undefined || beginsParagraph(before, line, own, margin))
      found.push(paragraphOf(line));
    else {
      own.joints.push(wraps(before, line, margin) ? words.joint(before, line) : '\n');
      own.lines.push(line);
    }
    before = line;
  }
  return found;
}

/** Without a blank line above: an item of a list, an indented first line, or a line for which there was room above. */
function beginsParagraph(above: Line, line: Line, { lines }: Paragraph, margin: number): boolean {
  if (isTitleOver(above, line) || BULLET_ONLY.test(line.text)) return true;
  if (!isOver(above, line) && !ENDS_ITEM.test(above.text)) return false;
  const [first, body = above] = lines as [Line, Line?];
  const isFull = line.indent <= body.indent && widthOf(above) >= margin * ALMOST_FULL;
  // `(ii)` may stand in a sentence.
  if (MARKED.test(line.text)) return !isFull || !ENDS_ITEM.test(above.text) || MARKED.test(first.text);
  if (!isOver(above, line) || SMALL.test(line.text)) return false;
  if (lines.length > 1 && line.indent >= body.indent + 2) return true;
  return !(isFull && first.indent >= body.indent + 2) && !wraps(above, line, margin);
}

/** Whether a sentence ends with a line: not with `No.` before a number, nor before the name that it gives (the "Company"). */
function isOver(above: Line, line: Line): boolean {
  return ENDS_SENTENCE.test(above.text) && !(ABBREVIATED.test(above.text) && /^(?:\d|\(["\u201c])/.test(line.text));
}

/** Whether a typewritten line continues in the next: the next word had no room in it, or a sentence runs on. */
function wraps(above: Line, line: Line, margin: number): boolean {
  if (SMALL.test(line.text) && !/[;:]$/.test(above.text)) return true;
  const [word] = line.text.split(' ', 1);
  if (widthOf(above) + 1 + word!.length > margin) return true;
  if (isOver(above, line)) return false;
  return (
    widthOf(above) - above.indent >= margin * NEARLY_FULL ||
    (/[a-z]$/.test(above.text) && UNFINISHED.test(above.text.slice(-24)) && !MARKED.test(line.text))
  );
}

/** Words of a document, read if the hyphen at the end of a line asks for them. */
class Words {
  readonly #lines: readonly Line[];
  readonly #known = new Set<string>();

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  /** A hyphen at the end of a typewritten line goes if the document has the word without it, and not with it. */
  joint(above: Line, below: Line): Joint {
    if (!above.whole.endsWith('-')) return ' ';
    const [, head] = /([A-Za-z\d]+)-$/.exec(above.whole.slice(-40)) ?? [];
    const [tail] = /^[A-Za-z\d]+/.exec(below.text) ?? [];
    if (head === undefined || tail === undefined || /^(?:and|or|to)$/.test(tail)) return ' ';
    if (!above.typed) return '';
    // Not by way of an array of all words: in a long document they would outlive its making.
    if (this.#known.size === 0)
      for (const { whole } of this.#lines)
        for (const word of whole.toLowerCase().match(/[a-z\d]+(?:-[a-z\d]+)*/g) ?? []) this.#known.add(word);
    const [one, two] = [head.toLowerCase(), tail.toLowerCase()];
    return this.#known.has(one + two) && !this.#known.has(`${one}-${two}`) ? '-' : '';
  }
}
