/** The readable text of a document as Markdown: headings, lists and tables are marked. It has the same words as the plain text. */
import { type Heading, headingsOf } from '../headings/headings.ts';
import type { DocumentLines, Line } from './lines.ts';
import { alignColumns, type Cell, rowsOf, TextWriter, typedText } from './text-writer.ts';
import { xmlLabels } from './xml-labels.ts';

/** HTML has as many. */
const DEEPEST = 6;
const BULLET = /^[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6\u2023\u2043*\u2013-]$/;
/** A mark of a list in its own cell: `•`, `(a)`, `1.` */
const MARK = /^(?:[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6\u2023\u2043*\u2013-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)])$/i;
/** Columns of typewritten tables: the blanks between them count. */
const COLUMNS = /\S {3,}\S|\t/;
/** A line that underlines the one above. */
const RULE = /^[-=_\u2014~*]{3,}$/;

export function writeMarkdown(
  document: DocumentLines,
  left: ReadonlySet<number>,
  tops: ReadonlyMap<number, string>,
): TextWriter {
  const { source, lines, markup } = document;
  const writer = new MarkdownWriter(source);
  if (markup === 'xml') {
    const labels = xmlLabels(source, lines);
    for (const [i, line] of lines.entries()) {
      const { group, label } = labels[i]!;
      if (group !== '') writer.name(group);
      writer.value(line, { group: '', label: label === '' ? '' : `- ${label}` });
    }
    return writer;
  }
  const headings = new Map(headingsOf(document, { left, tops }).map((heading) => [heading.line, heading]));
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!;
    const heading = headings.get(i);
    if (left.has(i)) i++;
    else if (heading !== undefined && heading.bodyLine > i) {
      const own = lines.slice(i, heading.bodyLine).filter((_, k) => !left.has(i + k));
      writer.heading(heading, own);
      i = heading.bodyLine;
    } else if (line.typed) i = typed(writer, lines, i, left, headings);
    else if (line.table !== 0) {
      const rows: Line[] = [];
      const { table } = line;
      for (; i < lines.length && lines[i]!.table === table && !lines[i]!.typed; i++) {
        if (rows.length > 0 && (headings.get(i)?.bodyLine ?? i) > i) break;
        if (!left.has(i)) rows.push(lines[i]!);
      }
      writer.table(rows);
    } else {
      writer.paragraph([line], heading?.text);
      i++;
    }
  }
  return writer;
}

/** Typewritten lines up to a blank one, or a heading: a paragraph, or a block whose columns stay. @returns the line after them */
function typed(
  writer: MarkdownWriter,
  lines: readonly Line[],
  from: number,
  left: ReadonlySet<number>,
  headings: ReadonlyMap<number, Heading>,
): number {
  const own: Line[] = [];
  let i = from;
  const isColumns = writer.hasColumns(lines[from]!);
  for (; i < lines.length && lines[i]!.typed && !(i > from && headings.has(i)); i++) {
    const line = lines[i]!;
    if (left.has(i)) continue;
    // A table keeps its blank lines; a paragraph ends with one.
    if (
      own.length > 0 &&
      (isColumns ? !line.follows && !writer.hasColumns(line) : !line.follows || writer.hasColumns(line))
    )
      break;
    own.push(line);
  }
  if (isColumns) writer.columns(own);
  else
    writer.paragraph(
      own.filter(({ text }) => !RULE.test(text)),
      headings.get(from)?.text,
    );
  return i;
}

class MarkdownWriter extends TextWriter {
  /** The last piece was an item of a list. */
  #inList = false;

  hasColumns(line: Line): boolean {
    return line.table !== 0 || COLUMNS.test(typedText(this.source, line).trimStart());
  }

  name(group: string): void {
    this.#apart();
    this.write(`### ${group}`);
  }

  heading({ level }: Heading, lines: readonly Line[]): void {
    this.#apart();
    if (lines[0] !== undefined) this.begin(lines[0]);
    this.write(`${'#'.repeat(Math.min(level, DEEPEST))} `);
    this.#joined(lines, false);
  }

  /** @param lead the heading that it begins with */
  paragraph(lines: readonly Line[], lead?: string): void {
    const [first] = lines;
    if (first === undefined) return;
    const text = this.#textOf(first);
    const [, mark] = /^(\S{1,5})\s/.exec(text) ?? [];
    const isItem = first.marker !== '' || (mark !== undefined && BULLET.test(mark));
    this.#apart(isItem);
    if (first.marker !== '' && !/^[\u2022\u00b7\u25cf\u25aa-]/.test(text))
      this.write(BULLET.test(first.marker) ? '- ' : `${first.marker} `);
    if (lead !== undefined && lead !== '' && text.startsWith(lead) && /^[^\p{L}\p{N}]/u.test(text.slice(lead.length))) {
      this.begin(first);
      this.write(`**${escaped(lead)}**${escaped(text.slice(lead.length))}`);
      this.#joined(lines.slice(1), true);
    } else this.#joined(lines, false);
  }

  columns(lines: readonly Line[]): void {
    this.#apart();
    this.write('```');
    for (const line of lines) {
      this.write(line.apart ? '\n\n' : '\n');
      this.begin(line);
      this.write(typedText(this.source, line).replaceAll('```', "'''"));
    }
    this.write('\n```');
  }

  override table(lines: readonly Line[]): void {
    const rows = rowsOf(lines);
    const columnOf = alignColumns(rows);
    const columns = Math.max(0, ...columnOf.values()) + 1;
    if (rows.length < 2 || columns < 2 || rows.every((row) => row.length < 2 || isItem(row))) {
      for (const row of rows) this.#row(row);
      return;
    }
    this.#apart();
    for (const [k, row] of rows.entries()) {
      if (k > 0) this.write('\n');
      this.write('|');
      let column = 0;
      for (const cell of row) {
        for (const wanted = columnOf.get(cell.column) ?? column; column < wanted; column++) this.write(' |');
        this.write(' ');
        this.#joined(cell.lines, true, true);
        this.write(' |');
        column++;
      }
      for (; column < columns; column++) this.write(' |');
      if (k === 0) this.write(`\n|${' --- |'.repeat(columns)}`);
    }
  }

  /** A row of a table that only places text. */
  #row(row: readonly Cell[]): void {
    if (row.length === 1) {
      for (const line of row[0]!.lines) this.paragraph([line]);
      return;
    }
    this.#apart(isItem(row));
    const mark = this.#textOf(row[0]!.lines[0]!);
    const isBullet = isItem(row) && BULLET.test(mark);
    if (isBullet) {
      this.begin(row[0]!.lines[0]!);
      this.write('- ');
    }
    for (const [k, cell] of row.slice(isBullet ? 1 : 0).entries()) {
      if (k > 0) this.write(' ');
      this.#joined(cell.lines, k > 0 || isBullet);
    }
  }

  /** @param inside not at the beginning of a line */
  #joined(lines: readonly Line[], inside: boolean, inCell = false): void {
    for (const [k, line] of lines.entries()) {
      if (k > 0 || (inside && !inCell && !this.endsBlank)) this.write(' ');
      this.begin(line);
      const text = this.#textOf(line);
      this.write(inCell ? escaped(text).replaceAll('|', '\\|') : inside || k > 0 ? escaped(text) : begun(text));
    }
  }

  #textOf(line: Line): string {
    return line.typed ? typedText(this.source, line).trim().replace(/\s+/g, ' ') : line.whole;
  }

  #apart(isItem = false): void {
    if (this.length > 0) this.write(isItem && this.#inList ? '\n' : '\n\n');
    this.#inList = isItem;
  }
}

function isItem(row: readonly Cell[]): boolean {
  return row.length === 2 && row[0]!.lines.length === 1 && MARK.test(row[0]!.lines[0]!.text);
}

/** Characters that would begin emphasis, code or HTML. */
function escaped(text: string): string {
  return text.replace(/[*`<\\]/g, '\\$&');
}

/** As `escaped`, at the beginning of a line: a bullet is an item, other marks are text. */
function begun(text: string): string {
  if (/^[\u2022\u00b7\u25cf\u25aa\u25cb\u25e6\u2023\u2043]\s*/.test(text))
    return `- ${escaped(text.replace(/^\S\s*/, ''))}`;
  return escaped(text).replace(/^(?:#{1,6}\s|>|[+-]\s)/, '\\$&');
}
