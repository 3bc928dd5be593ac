/** The readable text of a document as Markdown: headings, lists and tables are marked. It has the same words as the plain text. */
import type { Heading } from '../headings/candidates.ts';
import { headingsOf } from '../headings/headings.ts';
import type { DocumentLines, Line } from '../lines/lines.ts';
import type { Cell } from '../lines/rows.ts';
import { BULLET, isItem, type Paragraph, type TextBlock, textBlocks } from './paragraphs.ts';
import { BULLETED, TextWriter, typedText } from './text-writer.ts';
import { xmlLabels } from './xml-labels.ts';

/** HTML has as many. */
const DEEPEST = 6;

export function writeMarkdown(
  document: DocumentLines,
  left: ReadonlySet<number>,
  tops: ReadonlyMap<number, string>,
): TextWriter {
  const { source, lines, markup } = document;
  const headings = markup === 'xml' ? [] : headingsOf(document, { left, tops });
  const writer = new MarkdownWriter(source, new Map(headings.map((heading) => [lines[heading.line]!, heading])));
  if (markup === 'xml') {
    const labels = xmlLabels(source, lines);
    for (const [i, line] of lines.entries()) {
      const { group, label } = labels[i]!;
      if (group !== '') writer.name(group);
      writer.value(line, { group: '', label: label === '' ? '' : `- ${label}` });
    }
    return writer;
  }
  const starts = new Map(headings.map(({ line, bodyLine }) => [line, bodyLine]));
  for (const block of textBlocks(document, left, starts)) writer.block(block);
  return writer;
}

class MarkdownWriter extends TextWriter {
  readonly #headings: ReadonlyMap<Line, Heading>;

  constructor(source: string, headings: ReadonlyMap<Line, Heading>) {
    super(source);
    this.#headings = headings;
  }

  name(group: string): void {
    this.apart();
    this.write(`### ${group}`);
  }

  override block(block: TextBlock): void {
    if (block.kind === 'columns') this.#columns(block.lines);
    else if (block.kind === 'heading') this.#heading(block.lines);
    else super.block(block);
  }

  #heading(lines: readonly Line[]): void {
    const { level } = this.#headings.get(lines[0]!)!;
    this.apart();
    this.begin(lines[0]!);
    this.write(`${'#'.repeat(Math.min(level, DEEPEST))} `);
    this.#spaced(lines, (text, k) => (k === 0 ? begun(text) : escaped(text)));
  }

  protected override paragraph(paragraph: Paragraph): void {
    const { mark, lines } = paragraph;
    const [first] = lines as [Line, ...Line[]];
    this.apart(isItem(paragraph));
    for (const line of mark) {
      this.begin(line);
      this.write(BULLET.test(line.text) ? '- ' : `${escaped(line.text)} `);
    }
    if (first.marker !== '' && !BULLETED.test(first.text))
      this.write(BULLET.test(first.marker) ? '- ' : `${first.marker} `);
    const lead = mark.length === 0 ? (this.#headings.get(first)?.text ?? '') : '';
    const isLed = lead !== '' && first.whole.startsWith(lead) && /^[^\p{L}\p{N}]/u.test(first.whole.slice(lead.length));
    this.joined(paragraph, (text, k) => {
      if (k > 0 || mark.length > 0) return escaped(text);
      return isLed ? `**${escaped(lead)}**${escaped(text.slice(lead.length))}` : begun(text);
    });
  }

  #columns(lines: readonly Line[]): void {
    this.apart();
    this.write('```');
    for (const line of lines) {
      this.write(line.apart ? '\n\n' : '\n');
      this.begin(line);
      this.write(typedText(this.source, line).replaceAll('```', "'''"));
    }
    this.write('\n```');
  }

  override table(rows: readonly (readonly Cell[])[], columnOf: ReadonlyMap<number, number>): void {
    const columns = Math.max(0, ...columnOf.values()) + 1;
    if (rows.length < 2 || columns < 2) {
      for (const row of rows) this.#row(row);
      return;
    }
    this.apart();
    for (const [k, row] of rows.entries()) {
      if (k > 0) this.write('\n');
      this.write('|');
      let column = 0;
      for (const cell of row) {
        for (const wanted = columnOf.get(cell.column) ?? column; column < wanted; column++) this.write(' |');
        this.write(' ');
        this.#spaced(cell.lines, (text) => escaped(text).replaceAll('|', '\\|'));
        this.write(' |');
        column++;
      }
      for (; column < columns; column++) this.write(' |');
      if (k === 0) this.write(`\n|${' --- |'.repeat(columns)}`);
    }
  }

  /** A row of a table that only places text. */
  #row(row: readonly Cell[]): void {
    this.apart();
    for (const [k, cell] of row.entries()) {
      if (k > 0) this.write(' ');
      this.#spaced(cell.lines, (text, place) => (k + place === 0 ? begun(text) : escaped(text)));
    }
  }

  #spaced(lines: readonly Line[], form: (text: string, place: number) => string): void {
    this.joined({ lines, joints: lines.slice(1).map(() => ' ') }, form);
  }
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
