/**
 * A document as the lines that a reader sees: paragraphs, table cells, lines of typewritten pages. Each has its position in the
 * source, its table row and its typography. Everything that looks for headings uses these lines, never markup.
 */

import { decodeReferences, readReference } from './character-references.ts';
import { type ListMarks, listMarks, nextMark, type OpenList } from './list-marks.ts';
import { type MarkupSink, scanMarkup, type Tag } from './markup.ts';
import { looksLikeHtml } from './media-type.ts';
import { hides, Visibility } from './visibility.ts';

/** The typography of text: bits of `Line.format`, for the whole line. */
export const BOLD = 1;
export const UNDERLINE = 2;
export const ITALIC = 4;
export const CENTER = 8;
export const LINK = 16;

export interface Line {
  /** Position of the first visible character in the source. */
  start: number;
  /** Position after the last visible character. */
  end: number;
  /** The visible text with white space collapsed, its first 320 characters. */
  text: string;
  /** Letters in the whole line. */
  letters: number;
  /** Digits in the whole line. */
  digits: number;
  /** Number of its table row (0: none), unique in the document. */
  row: number;
  /** Cell within the row. */
  cell: number;
  /** Number of the table, and the column at which the cell starts, spanned columns counted. */
  table: number;
  column: number;
  /** Mark of the list item that it begins: `\u2022`, `1.`; else empty. */
  marker: string;
  /** A paragraph, a list or a table begins or ends before it, not just a line. */
  apart: boolean;
  /** The typography of the whole line. */
  format: number;
  /** The typography of its first character. */
  firstFormat: number;
  /** In typewritten text: whether the line before it was not blank, so that a sentence may run on into this one. */
  follows: boolean;
  /** In typewritten text: blanks before the first character. */
  indent: number;
  /** Typewritten text: white space counts. */
  typed: boolean;
  /** For a document that is not HTML. */
  plain: boolean;
  /** A page ends just before this line. */
  pageBreak: boolean;
}

/** The kind of a document: markup with paragraphs and tables, typewritten pages, or XML in which every element is separate. */
type Markup = 'html' | 'typed' | 'xml';

export interface DocumentLines {
  source: string;
  markup: Markup;
  html: boolean;
  lines: Line[];
  /** A page ends after the last line. */
  breakBehind: boolean;
  /** Links within the document: the line at which each begins, and the name of its aim. */
  links: readonly { line: number; to: string }[];
  /** By name: the line at which an aim stands, or the next one. */
  anchors: ReadonlyMap<string, number>;
}

const HEAD_LENGTH = 320;

const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br caption center dd dir div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main menu nav ol ' +
    'option p page pre section select table tbody td tfoot th thead title tr ul'
  ).split(' '),
);
/** Blocks with space above and below. */
const PARAGRAPHS: ReadonlySet<string> = new Set('p table ul ol dl h1 h2 h3 h4 h5 h6 blockquote pre hr'.split(' '));
const FORMAT_TAGS: ReadonlyMap<string, number> = new Map([
  ['b', BOLD],
  ['strong', BOLD],
  ['h1', BOLD],
  ['h2', BOLD],
  ['h3', BOLD],
  ['h4', BOLD],
  ['h5', BOLD],
  ['h6', BOLD],
  ['u', UNDERLINE],
  ['i', ITALIC],
  ['em', ITALIC],
  ['center', CENTER],
]);
/** Runs of blanks, as in `isBlank`, but for a single space: most runs are one already. */
const BLANKS =
  /[\0-\u001f\u00a0\u00ad\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff][\0-\u0020\u00a0\u00ad\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]*| [\0-\u0020\u00a0\u00ad\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]+/g;
const PAGE_BEFORE = 256;
const PAGE_AFTER = 512;
/** Deeper formatting than this is ignored: a page of a million open tags must not cost more than its length. */
const MAX_FORMAT_DEPTH = 400;
/** Full stop, colon, exclamation and question mark, closing bracket. */
const ENDS_SENTENCE: ReadonlySet<number> = new Set([0x2e, 0x3a, 0x21, 0x3f, 0x29]);
const RUN_IN_ITEM = /^\s*items?\s*\d{1,2}\s?[a-c]?\s*[.:\u2013\u2014-]/i;

const LETTER = 1;
const DIGIT = 2;
/** By code below U+00A0: 0 for blanks and the ampersand, else LETTER, DIGIT or another number. */
const KINDS = Uint8Array.from({ length: 0xa0 }, (_, code) => {
  if (code <= 0x20 || code === 0x26) return 0;
  if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return LETTER;
  return code >= 0x30 && code <= 0x39 ? DIGIT : 3;
});

/** Whether two lines are in different cells of one table row. */
export function besides(a: Line, b: Line): boolean {
  return a.row !== 0 && a.row === b.row && a.cell !== b.cell;
}

/** The kind of a document of which nothing but its text is known. */
function markupOf(source: string): Markup {
  return looksLikeHtml(source) ? 'html' : 'typed';
}

/** The lines of a document as `readLines` finds them. Those that the caller has are used if they were read in the same way. */
export function linesOf(source: string, known: DocumentLines | null = null): DocumentLines {
  const markup = markupOf(source);
  return known !== null && known.source === source && known.markup === markup ? known : readLines(source, markup);
}

/** Splits a document into lines. Its kind is detected from the text if it is not given. */
export function readLines(source: string, markup: Markup = markupOf(source)): DocumentLines {
  const reader = new LineReader(source, markup);
  scanMarkup(source, 0, source.length, markup === 'typed', reader);
  reader.finish();
  const { lines, pageEnded, links, anchors } = reader;
  return { source, markup, html: markup !== 'typed', lines, breakBehind: pageEnded, links, anchors };
}

/** White space that a reader doesn't see as a character: blanks, no-break and zero-width spaces, soft hyphen. */
function isBlank(code: number): boolean {
  return (
    code <= 0x20 ||
    code === 0xa0 ||
    code === 0xad ||
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x2060 ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** The whole visible text of a line, white space collapsed. */
export function lineText(source: string, line: Line): string {
  if (line.text.length < HEAD_LENGTH) return line.text;
  const written = source.slice(line.start, line.end);
  if (!written.includes('<')) return decodeReferences(written).replace(BLANKS, ' ').trim();
  const visibility = new Visibility();
  const pieces: string[] = [];
  scanMarkup(source, line.start, line.end, line.plain, {
    open: (name, start, end, selfClosing) => visibility.open(name, source.slice(start, end), selfClosing),
    close: (name) => visibility.close(name),
    text(start, end) {
      if (!visibility.hidden) pieces.push(source.slice(start, end));
    },
  });
  return decodeReferences(pieces.join('')).replace(BLANKS, ' ').trim();
}

/** Position in the source of the visible, non-blank character number `count` (from 0) of a line. */
export function positionOf(source: string, line: Line, count: number): number {
  let left = count;
  let position = -1;
  const visibility = new Visibility();
  scanMarkup(source, line.start, line.end, line.plain, {
    open: (name, start, end, selfClosing) => visibility.open(name, source.slice(start, end), selfClosing),
    close: (name) => visibility.close(name),
    text(start, end) {
      if (visibility.hidden) return;
      for (let i = start; i < end && position < 0; i++) {
        const reference = source.charCodeAt(i) === 0x26 ? readReference(source, i) : null;
        if (!isBlank((reference?.value ?? source).charCodeAt(reference ? 0 : i))) {
          if (left === 0) position = i;
          left--;
        }
        if (reference) i = reference.end - 1;
      }
    },
  });
  return position < 0 ? line.start : position;
}

/** Columns that a cell's tag spans. */
function spanOf(tag: string): number {
  const at = tag.search(/colspan/i);
  if (at < 0) return 1;
  const span = Number.parseInt(/^colspan\s*=\s*["']?\s*(\d{1,3})/i.exec(tag.slice(at, at + 24))?.[1] ?? '1', 10);
  return Math.max(1, span);
}

/** The typography of a tag's attributes. */
function styleOf(name: string, tag: string): number {
  let format = 0;
  if (tag === '' || tag.length >= 2000) return format;
  if (/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(tag)) format |= BOLD;
  if (/text-decoration[a-z-]*\s*:[^;"']{0,40}underline/i.test(tag)) format |= UNDERLINE;
  if (/font-style\s*:\s*italic/i.test(tag)) format |= ITALIC;
  if (/text-align\s*:\s*center|align\s*=\s*["']?center/i.test(tag)) format |= CENTER;
  if (/page-break-before\s*:\s*always|break-before\s*:\s*page/i.test(tag)) format |= PAGE_BEFORE;
  if (/page-break-after\s*:\s*always|break-after\s*:\s*page/i.test(tag)) format |= PAGE_AFTER;
  if (name === 'a' && /\shref\s*=/i.test(tag)) format |= LINK;
  return format;
}

/** What a start tag means to a LineReader. */
interface TagMeaning extends ClosingMeaning {
  hides: boolean;
  /** Typography and page breaks */
  format: number;
  /** Columns of a table's cell */
  span: number;
  marks: ListMarks;
  /** The name under which links lead here, and the name to which a link leads. */
  anchor: string | null;
  to: string | null;
}

interface ClosingMeaning {
  block: boolean;
  paragraph: boolean;
}

const CLOSING: ReadonlyMap<string, ClosingMeaning> = new Map(
  [...BLOCKS].map((name) => [name, { block: true, paragraph: PARAGRAPHS.has(name) }]),
);
const CLOSES_NOTHING: ClosingMeaning = { block: false, paragraph: false };

/** Facts of inline XBRL have ids of their own, thousands of them. */
const NAMED = /\s(?:id|name)\s*=\s*["']?([^"'\s>]+)/i;
const TO_ANCHOR = /\shref\s*=\s*["']?#([^"'\s>]+)/i;

class LineReader implements MarkupSink {
  readonly lines: Line[] = [];
  readonly links: { line: number; to: string }[] = [];
  readonly anchors = new Map<string, number>();
  private readonly source: string;
  private readonly plain: boolean;
  private readonly visibility = new Visibility();
  /** Open tags that set the typography; `before`: the typography outside them. */
  private readonly formats: { name: string; format: number; before: number }[] = [];
  private readonly tables: { id: number; row: number; cell: number; column: number; span: number }[] = [];
  private tableCount = 0;
  private readonly lists: OpenList[] = [];
  private marker = '';
  private apart = false;
  private readonly xml: boolean;
  private rows = 0;
  private typed: boolean;
  private typedDepth = 0;
  private format = 0;
  private pageBreak = false;
  private blankLines = 2;
  private indent = 0;
  private pieces = '';
  private pieceAt = -1;
  private pieceHasBlank = false;
  private space = false;
  private lastCode = 0;
  private line: Line | null = null;

  constructor(source: string, markup: Markup) {
    this.source = source;
    this.plain = markup === 'typed';
    this.typed = this.plain;
    this.xml = markup === 'xml';
  }

  finish(): void {
    this.endLine();
  }

  get pageEnded(): boolean {
    return this.pageBreak;
  }

  open(name: string, start: number, end: number, selfClosing: boolean, tag: Tag): void {
    if (this.xml) {
      this.endLine();
      return;
    }
    tag.memo ??= this.meaningOf(name, start, end);
    const meaning = tag.memo as TagMeaning;
    const { visibility } = this;
    const wasHidden = visibility.hidden;
    if (wasHidden || meaning.hides) visibility.openKnown(name, meaning.hides, selfClosing);
    if (wasHidden) return;
    if (meaning.block) {
      this.endLine();
      this.openBlock(name, selfClosing, meaning);
    } else if (this.typed) this.openTyped(name);
    // An open line is not counted yet: it and the next one have the same number.
    if (meaning.anchor !== null && !this.anchors.has(meaning.anchor))
      this.anchors.set(meaning.anchor, this.lines.length);
    if (meaning.to !== null) this.links.push({ line: this.lines.length, to: meaning.to });
    const { format } = meaning;
    if (format === 0) return;
    if (format & PAGE_BEFORE) this.pageBreak = true;
    if (name === 'hr' && format & PAGE_AFTER) this.pageBreak = true;
    if (!selfClosing && name !== 'br' && name !== 'hr' && name !== 'img') {
      if (this.formats.length < MAX_FORMAT_DEPTH) this.formats.push({ name, format, before: this.format });
      this.format |= format & 0xff;
    }
  }

  private meaningOf(name: string, start: number, end: number): TagMeaning {
    const tag = end - start > 6 ? this.source.slice(start, end) : '';
    const isNamed =
      !name.includes(':') &&
      (tag.includes('id=') || tag.includes('name=') || tag.includes('NAME=') || tag.includes('ID='));
    return {
      anchor: isNamed ? (NAMED.exec(tag)?.[1] ?? null) : null,
      to: name === 'a' ? (TO_ANCHOR.exec(tag)?.[1] ?? null) : null,
      block: BLOCKS.has(name),
      paragraph: PARAGRAPHS.has(name),
      hides: hides(name, tag),
      format: (FORMAT_TAGS.get(name) ?? 0) | styleOf(name, tag),
      span: name === 'td' || name === 'th' ? spanOf(tag) : 1,
      marks: listMarks(name === 'ol' || name === 'li' ? tag : ''),
    };
  }

  close(name: string, _start: number, _end: number, tag: Tag): void {
    if (this.xml) {
      this.endLine();
      return;
    }
    const { visibility } = this;
    if (visibility.hidden) {
      visibility.close(name);
      return;
    }
    tag.memo ??= CLOSING.get(name) ?? CLOSES_NOTHING;
    const meaning = tag.memo as ClosingMeaning;
    if (meaning.block) {
      this.endLine();
      if (meaning.paragraph) this.apart = true;
      if (name === 'ul' || name === 'ol') this.lists.pop();
      else if (name === 'table') this.tables.pop();
      else if (name === 'tr') {
        const table = this.tables.at(-1);
        if (table) table.row = 0;
      } else if (name === 'pre' && this.typedDepth > 0) {
        this.typedDepth--;
        this.typed = this.typedDepth > 0;
      }
    }
    if (this.formats.length > 0) this.closeFormat(name);
  }

  private openBlock(name: string, selfClosing: boolean, meaning: TagMeaning): void {
    if (meaning.paragraph) this.apart = true;
    if (name === 'li') this.marker = nextMark(this.lists.at(-1), meaning.marks);
    else if (name === 'ul' || name === 'ol') {
      if (this.lists.length < MAX_FORMAT_DEPTH)
        this.lists.push({
          next: name === 'ol' ? (meaning.marks.number ?? 1) : null,
          style: meaning.marks.style ?? '1',
        });
    } else if (name === 'table') {
      if (this.tables.length < MAX_FORMAT_DEPTH)
        this.tables.push({ id: ++this.tableCount, row: 0, cell: -1, column: 0, span: 0 });
    } else if (name === 'tr') {
      const table = this.tables.at(-1);
      if (table) {
        table.row = ++this.rows;
        table.cell = -1;
        table.column = 0;
        table.span = 0;
      }
    } else if (name === 'td' || name === 'th') {
      const table = this.tables.at(-1);
      if (table) {
        if (table.row === 0) table.row = ++this.rows;
        table.cell++;
        table.column += table.span;
        table.span = meaning.span;
      }
    } else if (name === 'pre' && !selfClosing) {
      this.typedDepth++;
      this.typed = true;
      this.blankLines = 2;
    } else if (name === 'hr' || name === 'page') this.pageBreak = true;
  }

  private openTyped(name: string): void {
    if (name === 'page') this.pageBreak = true;
  }

  private closeFormat(name: string): void {
    const formats = this.formats;
    for (let i = formats.length - 1, least = Math.max(0, formats.length - 24); i >= least; i--) {
      if (formats[i]!.name !== name) continue;
      if (formats[i]!.format & PAGE_AFTER) this.pageBreak = true;
      this.format = formats[i]!.before;
      formats.length = i;
      return;
    }
  }

  text(start: number, end: number): void {
    if (this.visibility.hidden) return;
    const { source } = this;
    // A heading in bold after other text of the same paragraph starts a new line.
    if (
      this.line !== null &&
      this.line.letters > 0 &&
      this.format & (BOLD | UNDERLINE) &&
      !(this.line.format & this.format & (BOLD | UNDERLINE)) &&
      ENDS_SENTENCE.has(this.lastCode) &&
      end - start > 5 &&
      RUN_IN_ITEM.test(source.slice(start, Math.min(end, start + 24)))
    ) {
      this.endLine();
    }
    for (let i = start; i < end; ) {
      const code = source.charCodeAt(i);
      if (code < 0xa0 && KINDS[code] !== 0) {
        i = this.words(i, end);
        continue;
      }
      const reference = code === 0x26 ? readReference(source, i) : null;
      if (reference) {
        if (isBlank(reference.value.charCodeAt(0))) this.blank(i);
        else {
          this.flushPiece(i);
          this.visible(i, reference.end, reference.value.charCodeAt(0));
          this.append(reference.value);
        }
        i = reference.end;
      } else if (isBlank(code)) {
        if (this.typed && code === 0x0a) this.endTypedLine(i);
        else this.blank(i);
        i++;
      } else {
        this.visible(i, i + 1, code);
        if (this.pieceAt < 0) this.pieceAt = i;
        i++;
      }
    }
    this.flushPiece(end);
  }

  /**
   * Reads ordinary characters from `from` on, with single blanks between them: most of every text. They become one piece.
   * @returns the position after them
   */
  private words(from: number, end: number): number {
    const { source } = this;
    this.visible(from, from + 1, source.charCodeAt(from));
    if (this.pieceAt < 0) this.pieceAt = from;
    let letters = 0;
    let digits = 0;
    let i = from + 1;
    for (; i < end; i++) {
      const code = source.charCodeAt(i);
      const kind = code < 0xa0 ? KINDS[code]! : 0;
      if (kind === LETTER) letters++;
      else if (kind === DIGIT) digits++;
      else if (kind === 0) {
        if (code !== 0x20 || i + 1 >= end) break;
        const next = source.charCodeAt(i + 1);
        if (next >= 0xa0 || KINDS[next] === 0) break;
        this.pieceHasBlank = true;
      }
    }
    const line = this.line!;
    line.end = i;
    line.letters += letters;
    line.digits += digits;
    if (letters > 0) line.format &= this.format;
    this.lastCode = source.charCodeAt(i - 1);
    return i;
  }

  private blank(at: number): void {
    if (this.line === null) {
      this.indent++;
      return;
    }
    this.flushPiece(at);
    this.space = true;
  }

  /** Counts one visible character at `at`, and opens a line if none is open. */
  private visible(at: number, end: number, code: number): void {
    let line = this.line;
    if (line === null) {
      const table = this.tables.at(-1);
      line = {
        start: at,
        end,
        text: '',
        letters: 0,
        digits: 0,
        row: table ? table.row : 0,
        cell: table ? table.cell : 0,
        table: table ? table.id : 0,
        column: table ? table.column : 0,
        marker: this.marker,
        apart: this.apart || (this.typed && this.blankLines > 0),
        format: this.format,
        firstFormat: this.format,
        follows: this.typed && this.blankLines === 0,
        indent: this.indent,
        typed: this.typed,
        plain: this.plain,
        pageBreak: this.pageBreak,
      };
      this.line = line;
      this.pageBreak = false;
      this.apart = false;
      this.marker = '';
    }
    line.end = end;
    this.lastCode = code;
    const lower = code | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) {
      line.letters++;
      line.format &= this.format;
    } else if (code >= 0x30 && code <= 0x39) line.digits++;
    else if (code > 0xbf) line.letters++;
  }

  private flushPiece(end: number): void {
    if (this.pieceAt < 0) return;
    const from = this.pieceAt;
    this.pieceAt = -1;
    const hasBlank = this.pieceHasBlank;
    this.pieceHasBlank = false;
    if (this.pieces.length + 1 + end - from < HEAD_LENGTH) {
      this.append(this.source.slice(from, end));
      return;
    }
    // The head ends with the word that fills it.
    const piece = hasBlank && this.pieces.length < HEAD_LENGTH ? this.source.slice(from, end) : '';
    let at = 0;
    for (; at < piece.length && this.pieces.length < HEAD_LENGTH; ) {
      const blank = piece.indexOf(' ', at);
      const to = blank < 0 ? piece.length : blank;
      if (at > 0) this.space = true;
      this.append(piece.slice(at, Math.min(to, at + HEAD_LENGTH)));
      at = to + 1;
    }
    if (!hasBlank && this.pieces.length < HEAD_LENGTH)
      this.append(this.source.slice(from, Math.min(end, from + HEAD_LENGTH)));
    else if (hasBlank && (piece === '' || at < piece.length)) this.space = true;
  }

  private append(piece: string): void {
    if (this.space && this.pieces !== '') this.pieces += ' ';
    this.space = false;
    if (this.pieces.length < HEAD_LENGTH) this.pieces += piece;
  }

  private endTypedLine(at: number): void {
    this.flushPiece(at);
    if (this.line === null) {
      this.blankLines++;
      this.indent = 0;
    } else {
      this.endLine();
      this.blankLines = 0;
    }
  }

  private endLine(): void {
    this.flushPiece(this.source.length);
    const { line } = this;
    if (line !== null) {
      line.text = this.pieces;
      this.lines.push(line);
      this.blankLines = 1;
    }
    this.line = null;
    this.pieces = '';
    this.space = false;
    this.indent = 0;
  }
}
