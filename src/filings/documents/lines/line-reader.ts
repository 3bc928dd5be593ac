/** Makes lines of the tags and texts of one scan. */
import { readReference } from '../../api/index.ts';
import type { Line, Markup } from './line.ts';
import { nextMark, type OpenList } from './list-marks.ts';
import { type MarkupSink, type Tag, Tags } from './markup.ts';
import {
  BOLD,
  CELL,
  ITEM,
  LIST,
  meaningOf,
  PAGE,
  PAGE_AFTER,
  PAGE_BEFORE,
  ROW,
  TABLE,
  type TagMeaning,
  TYPED,
  UNDERLINE,
} from './tag-meaning.ts';
import { isBlank, isLetter } from './units.ts';
import { Visibility } from './visibility.ts';

const HEAD_LENGTH = 320;
/** Deeper formatting than this is ignored: a page of a million open tags must not cost more than its length. */
const MAX_FORMAT_DEPTH = 400;
/** Open tags among which an end tag looks for its own. */
const FORMATS_BACK = 24;
/** Full stop, colon, exclamation and question mark, closing bracket. */
const ENDS_SENTENCE: ReadonlySet<number> = new Set([0x2e, 0x3a, 0x21, 0x3f, 0x29]);
const RUN_IN_ITEM = /^\s*items?\s*\d{1,2}\s?[a-c]?\s*[.:\u2013\u2014-]/i;

/** Hidden facts of inline XBRL, megabytes of them: nothing in it counts but its end. */
const FACTS = 'ix:header';

const AMPERSAND = 0x26;
const LESS_THAN = 0x3c;
const LINE_FEED = 0x0a;
/** Kinds of characters: bits, so that a loop counts them without a branch for each. */
const LETTER = 1;
const DIGIT = 2;
/** A letter beyond ASCII */
const HIGH = 4;
const SPACE = 8;
/** Another blank, an ampersand or `<` */
const STOP = 16;
const KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code === 0x20) return SPACE;
  if (code === AMPERSAND || code === LESS_THAN || isBlank(code)) return STOP;
  if (isLetter(code)) return LETTER;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  return code > 0xbf ? HIGH : 0;
});

interface OpenTable {
  readonly id: number;
  row: number;
  cell: number;
  column: number;
  span: number;
}

export class LineReader {
  readonly lines: Line[] = [];
  readonly letters = [0];
  readonly firsts: number[] = [];
  readonly links: { line: number; to: string }[] = [];
  readonly anchors = new Map<string, number>();
  private readonly source: string;
  private readonly units: Uint8Array;
  private readonly tags: Tags;
  private readonly plain: boolean;
  private readonly visibility = new Visibility();
  /** Open tags that set the typography; `before`: the typography outside them. */
  private readonly formats: { name: string; format: number; before: number }[] = [];
  private readonly tables: OpenTable[] = [];
  private table: OpenTable | null = null;
  private tableCount = 0;
  private readonly lists: OpenList[] = [];
  private marker = '';
  private apart = false;
  /** Line breaks since the last line, and 2 for each end of another block */
  private breaks = 2;
  private readonly xml: boolean;
  private rows = 0;
  private typed: boolean;
  private typedDepth = 0;
  private format = 0;
  private pageBreak = false;
  private blankLines = 2;
  private indent = 0;
  private line: Line | null = null;
  /** The visible text of the open line up to `pieceAt`, white space collapsed */
  private visible = '';
  /** Position of the text that `visible` lacks; -1: it lacks none. */
  private pieceAt = -1;
  /** A blank stands before the next piece. */
  private space = false;
  private lastCode = 0;

  private readonly also: MarkupSink | undefined;

  constructor(source: string, units: Uint8Array, markup: Markup, also?: MarkupSink) {
    this.also = also;
    this.source = source;
    this.units = units;
    this.plain = markup === 'typed';
    this.tags = new Tags(source, this.plain, units);
    this.typed = this.plain;
    this.xml = markup === 'xml';
  }

  read(): this {
    const { source, units, tags, visibility, also } = this;
    const { length } = units;
    // The content of a raw text element goes up to here.
    let rawEnd = 0;
    // `also` lacks the text from here on.
    let textStart = 0;
    for (let i = 0; i < length; ) {
      const code = units[i]!;
      if (KINDS[code]! < SPACE) i = this.words(i);
      else if (code === LESS_THAN) {
        const tag = i < rawEnd ? undefined : tags.at(i);
        if (tag === undefined) i = visibility.hidden ? i + 1 : this.words(i);
        else {
          const start = i;
          this.flush(start);
          i = tags.end;
          if (tag !== null) {
            if (tag.closing) this.close(tag);
            else this.open(tag, start);
            if (tag.raw || (visibility.hidden && tag.name === FACTS && !tag.closing)) rawEnd = tags.rawEnd(tag);
          }
          if (also !== undefined) {
            tell(also, tag, textStart, start, i);
            textStart = Math.max(i, rawEnd);
            if (rawEnd > i) also.text(i, rawEnd);
          }
          if (!visibility.hidden && this.format & (BOLD | UNDERLINE) && this.runsIn(i)) this.endLine();
        }
        if (visibility.hidden) {
          const next = source.indexOf('<', Math.max(i, rawEnd));
          i = next < 0 ? length : next;
        }
      } else if (code !== AMPERSAND) {
        if (code === LINE_FEED && this.typed) {
          this.endTypedLine(i);
          i++;
          continue;
        }
        const from = i++;
        while (i < length && units[i] === 0x20) i++;
        this.blank(from, i - from);
      } else if (units[i + 1] === 0x6e && source.startsWith('nbsp;', i + 1)) {
        this.blank(i, 1);
        i += 6;
      } else {
        const reference = readReference(source, i);
        if (reference === null) i = this.words(i);
        else {
          this.referred(i, reference.end, reference.value);
          i = reference.end;
        }
      }
    }
    if (textStart < length) also?.text(textStart, length);
    this.flush(length);
    this.endLine();
    return this;
  }

  get pageEnded(): boolean {
    return this.pageBreak;
  }

  private open(tag: Tag, start: number): void {
    if (this.xml) {
      this.endLine();
      return;
    }
    const { name, selfClosing } = tag;
    const { visibility } = this;
    if (visibility.staysHidden(name, selfClosing)) return;
    const wasHidden = visibility.hidden;
    tag.memo ??= meaningOf(name, this.source.slice(start, this.tags.end));
    const meaning = tag.memo as TagMeaning;
    if (wasHidden || meaning.hides) visibility.openKnown(name, meaning.hides, selfClosing);
    if (wasHidden) return;
    if (meaning.block) {
      this.endLine();
      this.breaks += name === 'br' ? 1 : 2;
      if (meaning.paragraph) this.apart = true;
      if (meaning.role !== 0) this.openBlock(name, selfClosing, meaning);
    }
    // An open line is not counted yet: it and the next one have the same number.
    if (meaning.anchor !== null && !this.anchors.has(meaning.anchor))
      this.anchors.set(meaning.anchor, this.lines.length);
    if (meaning.to !== null) this.links.push({ line: this.lines.length, to: meaning.to });
    const { format } = meaning;
    if (format === 0) return;
    if (format & PAGE_BEFORE || (name === 'hr' && format & PAGE_AFTER)) this.pageBreak = true;
    if (!selfClosing && meaning.formats) {
      if (this.formats.length < MAX_FORMAT_DEPTH) this.formats.push({ name, format, before: this.format });
      this.format |= format & 0xff;
    }
  }

  private close(tag: Tag): void {
    if (this.xml) {
      this.endLine();
      return;
    }
    const { name } = tag;
    const { visibility } = this;
    if (visibility.hidden) {
      visibility.close(name);
      return;
    }
    tag.memo ??= meaningOf(name, '');
    const { block, paragraph, role } = tag.memo as TagMeaning;
    if (block) {
      this.endLine();
      if (name !== 'br') this.breaks += 2;
      if (paragraph) this.apart = true;
      if (role === LIST) this.lists.pop();
      else if (role === TABLE) {
        this.tables.pop();
        this.table = this.tables.at(-1) ?? null;
      } else if (role === ROW) {
        if (this.table !== null) this.table.row = 0;
      } else if (role === TYPED && this.typedDepth > 0) {
        this.typedDepth--;
        this.typed = this.typedDepth > 0;
      }
    }
    if (this.formats.length > 0) this.closeFormat(name);
  }

  private openBlock(name: string, selfClosing: boolean, { role, marks, span }: TagMeaning): void {
    const { table } = this;
    if (role === CELL) {
      if (table === null) return;
      if (table.row === 0) table.row = ++this.rows;
      table.cell++;
      table.column += table.span;
      table.span = span;
    } else if (role === ROW) {
      if (table === null) return;
      table.row = ++this.rows;
      table.cell = -1;
      table.column = 0;
      table.span = 0;
    } else if (role === TABLE) {
      if (this.tables.length >= MAX_FORMAT_DEPTH) return;
      this.table = { id: ++this.tableCount, row: 0, cell: -1, column: 0, span: 0 };
      this.tables.push(this.table);
    } else if (role === ITEM) this.marker = nextMark(this.lists.at(-1), marks);
    else if (role === LIST) {
      if (this.lists.length < MAX_FORMAT_DEPTH)
        this.lists.push({ next: name === 'ol' ? (marks.number ?? 1) : null, style: marks.style ?? '1' });
    } else if (role === PAGE) this.pageBreak = true;
    else if (role === TYPED && !selfClosing) {
      this.typedDepth++;
      this.typed = true;
      this.blankLines = 2;
    }
  }

  private closeFormat(name: string): void {
    const formats = this.formats;
    for (let i = formats.length - 1, least = Math.max(0, formats.length - FORMATS_BACK); i >= least; i--) {
      const { name: own, format, before } = formats[i]!;
      if (own !== name) continue;
      if (format & PAGE_AFTER) this.pageBreak = true;
      this.format = before;
      formats.length = i;
      return;
    }
  }

  /** A heading in bold after other text of the same paragraph starts a new line. */
  private runsIn(start: number): boolean {
    const { source, line } = this;
    return (
      line !== null &&
      line.letters > 0 &&
      !(line.format & this.format & (BOLD | UNDERLINE)) &&
      ENDS_SENTENCE.has(this.lastCode) &&
      RUN_IN_ITEM.test(source.slice(start, start + 24).split('<', 1)[0]!)
    );
  }

  /** Reads visible characters, with single blanks between, as one piece. @returns the position after them */
  private words(from: number): number {
    const { units } = this;
    const { length } = units;
    const line = this.line ?? this.begin(from);
    if (this.pieceAt < 0) this.pieceAt = from;
    let letters = 0;
    let high = 0;
    let digits = 0;
    let before = 0;
    // The first may be an ampersand that begins no reference, or a `<` that begins no tag.
    let i = KINDS[units[from]!]! < SPACE ? from : from + 1;
    for (; i < length; i++) {
      const kind = KINDS[units[i]!]!;
      if ((kind | ((kind & before & SPACE) << 1)) & STOP) break;
      letters += kind & LETTER;
      digits += kind & DIGIT;
      high += kind & HIGH;
      before = kind;
    }
    // A blank at the end is none between two.
    if (before === SPACE) i--;
    line.end = i;
    line.letters += letters + high / HIGH;
    line.digits += digits / DIGIT;
    if (letters > 0) line.format &= this.format;
    this.lastCode = units[i - 1]!;
    return i;
  }

  /** A character that is written as a reference. */
  private referred(at: number, end: number, value: string): void {
    const code = value.charCodeAt(0);
    if (isBlank(code)) {
      this.blank(at, 1);
      return;
    }
    this.flush(at);
    const line = this.line ?? this.begin(at);
    line.end = end;
    this.lastCode = code;
    if (isLetter(code)) {
      line.letters++;
      line.format &= this.format;
    } else if (code >= 0x30 && code <= 0x39) line.digits++;
    else if (code > 0xbf) line.letters++;
    this.append(value);
  }

  private blank(at: number, count: number): void {
    if (this.line === null) this.indent += count;
    else {
      this.flush(at);
      this.space = true;
    }
  }

  /** Opens a line whose first visible character is at `at`. */
  private begin(at: number): Line {
    const { table, format, typed } = this;
    const line: Line = {
      start: at,
      end: at,
      text: '',
      whole: '',
      letters: 0,
      digits: 0,
      row: table === null ? 0 : table.row,
      cell: table === null ? 0 : table.cell,
      table: table === null ? 0 : table.id,
      column: table === null ? 0 : table.column,
      marker: this.marker,
      apart: this.apart || (typed && this.blankLines > 0),
      broken: this.breaks === 1,
      format,
      firstFormat: format,
      follows: typed && this.blankLines === 0,
      indent: this.indent,
      typed,
      plain: this.plain,
      pageBreak: this.pageBreak,
    };
    this.line = line;
    this.pageBreak = false;
    this.apart = false;
    this.breaks = 0;
    this.marker = '';
    return line;
  }

  /** Adds the piece that ends before `end`. */
  private flush(end: number): void {
    if (this.pieceAt < 0) return;
    const piece = this.source.slice(this.pieceAt, end);
    this.pieceAt = -1;
    this.append(piece);
  }

  private append(piece: string): void {
    const { visible } = this;
    this.visible = visible === '' ? piece : this.space ? `${visible} ${piece}` : visible + piece;
    this.space = false;
  }

  private endTypedLine(at: number): void {
    this.flush(at);
    if (this.line === null) {
      this.blankLines++;
      this.indent = 0;
    } else {
      this.endLine();
      this.blankLines = 0;
    }
  }

  private endLine(): void {
    const { line } = this;
    if (line !== null) {
      line.whole = this.visible;
      line.text = headOf(this.visible);
      this.lines.push(line);
      this.letters.push(this.letters.at(-1)! + line.letters);
      this.firsts.push(this.units[line.start]!);
      this.blankLines = 1;
      this.line = null;
      this.visible = '';
      this.space = false;
    }
    this.indent = 0;
  }
}

function tell(sink: MarkupSink, tag: Tag | null, textStart: number, start: number, end: number): void {
  if (textStart < start) sink.text(textStart, start);
  if (tag === null) return;
  if (tag.closing) sink.close(tag.name, start, end, tag);
  else sink.open(tag.name, start, end, tag.selfClosing, tag);
}

/** The head ends with the word that fills it. A longer word is cut. */
function headOf(text: string): string {
  if (text.length < HEAD_LENGTH) return text;
  const blank = text.indexOf(' ', HEAD_LENGTH);
  const word = text.lastIndexOf(' ', HEAD_LENGTH - 1) + 1;
  return text.slice(0, Math.min(blank < 0 ? text.length : blank, word + HEAD_LENGTH));
}
