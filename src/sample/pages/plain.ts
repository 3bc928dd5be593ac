/** Plain text of the 1990s: eighty columns, `<PAGE>` between pages, tables held by `<S>` and `<C>`, dots to lead the eye. */
import { type ContentsEntry, Page, type TableOptions, type TableRow } from './page.ts';

export interface PlainOptions {
  style: number;
  runningHeader: string;
}

const WIDTH = 72;

function center(text: string): string {
  return `${' '.repeat(Math.max(0, Math.floor((WIDTH - text.length) / 2)))}${text}`;
}

export class PlainPage extends Page {
  protected readonly pageLength = 3_200;
  readonly #options: PlainOptions;
  readonly #indent: string;
  /** heading of a page that continues an item, in the style of some companies */
  #continued: string | null = null;

  constructor(options: PlainOptions) {
    super();
    this.#options = options;
    this.#indent = options.style < 0.5 ? '     ' : '';
  }

  item(sections: string[], label: string, title: string): void {
    const upper = this.#options.style * 10 - Math.floor(this.#options.style * 10) < 0.5;
    const heading = upper ? `${label.toUpperCase()}  ${title.toUpperCase()}` : `${label}  ${title}`;
    this.put('\n\n');
    this.openSection(sections, heading.replace(/ {2}/, ' '));
    this.put(`${wrapLines(heading, WIDTH)}\n\n`);
    if (this.#options.style > 0.6) this.#continued = `${label} ${title} (Continued)`;
  }

  part(heading: string): void {
    this.put('\n\n');
    const line = center(heading);
    this.put(line.slice(0, line.length - heading.length));
    this.closeSection();
    this.#continued = null;
    this.put(`${heading}\n\n`);
  }

  closing(heading: string): void {
    this.part(heading);
  }

  centered(text: string): void {
    for (const line of wrapLines(text, WIDTH - 8).split('\n')) this.put(`${center(line)}\n`);
  }

  subheading(text: string): void {
    this.put(`\n${this.#options.style < 0.5 ? center(text) : text}\n\n`);
  }

  paragraph(text: string): void {
    this.put(`${wrapLines(this.#indent + text, WIDTH)}\n\n`);
    this.breakIfFull();
  }

  bullets(texts: readonly string[]): void {
    for (const text of texts) this.put(`  o  ${wrapLines(text, WIDTH - 5).replaceAll('\n', '\n     ')}\n`);
    this.put('\n');
  }

  table(rows: readonly TableRow[], options: TableOptions = {}): void {
    const columns = rows[0]!.values.length;
    const width = columns > 3 ? 11 : 14;
    const stub = WIDTH + 6 - columns * width;
    this.put(`<TABLE>\n<CAPTION>\n${options.caption ? `${center(options.caption)}\n` : ''}`);
    let first = true;
    let tagged = false;
    for (const row of rows) {
      if (row.kind === 'head') {
        this.put(`${' '.repeat(stub)}${row.values.map((v) => (v ?? '').padStart(width)).join('')}\n`);
        continue;
      }
      if (!tagged) {
        this.put(`${'<S>'.padEnd(stub + 2)}${'<C>'.padEnd(width).repeat(columns).trimEnd()}\n`);
        tagged = true;
      }
      if (row.kind === 'total') this.put(`${' '.repeat(stub)}${'--------'.padStart(width).repeat(columns)}\n`);
      const label = row.label.length >= stub ? row.label.slice(0, stub - 1) : row.label;
      const cells = row.values.map((v) => {
        if (v === null) return ' '.repeat(width);
        return (options.money && (first || row.kind === 'total') ? `$${v.padStart(width - 3)}` : v).padStart(width);
      });
      this.put(`${label.padEnd(stub, '.')}${cells.join('')}\n`);
      if (row.kind === 'total') this.put(`${' '.repeat(stub)}${'========'.padStart(width).repeat(columns)}\n`);
      first = false;
    }
    this.put('</TABLE>\n\n');
    this.breakIfFull();
  }

  contents(entries: readonly ContentsEntry[]): void {
    let page = 1;
    for (const entry of entries) {
      if (!entry.anchor) {
        this.put(`\n${center(entry.title)}\n\n`);
        continue;
      }
      page += 1 + (entry.title.length % 3);
      const line = `${entry.label.padEnd(9)} ${entry.title.slice(0, 52)} `;
      this.put(`${line.padEnd(66, '.')} ${page}\n`);
    }
    this.put('\n');
  }

  /** Plain text shows no pictures. Their place is named, as filers did in appendices. */
  image(_file: string, alternative: string): void {
    this.put(`[Graphic omitted: ${alternative}]\n\n`);
  }

  pageBreak(): void {
    this.put(`\n${center(`-${this.pages++}-`)}\n<PAGE>\n${this.#continued ?? this.#options.runningHeader}\n\n`);
  }

  protected ending(): void {
    this.put('\n');
  }
}

/** Breaks long lines at blanks. */
function wrapLines(text: string, width: number): string {
  if (text.length <= width) return text;
  const lines: string[] = [];
  let at = 0;
  while (text.length - at > width) {
    let cut = text.lastIndexOf(' ', at + width);
    if (cut <= at) cut = text.indexOf(' ', at + width);
    if (cut < 0) break;
    lines.push(text.slice(at, cut));
    at = cut + 1;
  }
  lines.push(text.slice(at));
  return lines.join('\n');
}
