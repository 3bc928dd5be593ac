/** The page of a report: HTML as reporting software makes it, a styled span for a run of text. Records its items. */
import { BALANCE, grouped, type Line, type Period } from '../companies/accounts.ts';
import { longDay } from '../companies/calendar.ts';
import type { SampleDocument } from '../companies/filing.ts';
import type { Passage } from '../companies/prose.ts';
import type { Tags } from './inline.ts';

export interface TableRow {
  label: string;
  /** HTML, one a column */
  values: readonly string[];
  total?: boolean;
  /** `$` in the first line and the total */
  dollars?: true;
}

const FONTS = ["'Times New Roman',sans-serif", "'Arial',sans-serif", "'Helvetica',sans-serif"];
/** Characters of output to a page. */
const PAGE_LENGTH = 16_000;

export function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

const escapeHtml = (text: string) => escapeXml(text).replace(/'/g, '&#8217;').replace(/\xa0/g, '&#160;');

export class Page {
  /** Its items, in order */
  readonly sections: SampleDocument['sections'] = [];
  readonly tags: Tags | null;
  readonly #out: string[] = [];
  readonly #style: number;
  readonly #footer: string;
  readonly #plain: string;
  readonly #bold: string;
  readonly #italic: string;
  readonly #align: string;
  #length = 0;
  #pages = 1;
  #pageStart = 0;

  /** @param style 0 to 1: fonts, sizes, heading styles; @param tags for inline XBRL */
  constructor(title: string, style: number, footer: string, tags: Tags | null) {
    this.tags = tags;
    this.#style = style;
    this.#footer = footer;
    const span = (weight: number, extra = '') =>
      `<span style="color:#000000;font-family:${FONTS[Math.floor(style * 7) % 3]};font-size:${style < 0.5 ? 10 : 9}pt;${extra}font-weight:${weight};line-height:120%">`;
    this.#plain = span(400);
    this.#bold = span(700);
    this.#italic = span(400, 'font-style:italic;');
    this.#align = (style * 10) % 1 < 0.5 ? ';text-align:justify' : '';
    const doctype =
      '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">\n<html>';
    this.#put(
      `${tags ? `<?xml version="1.0" encoding="ASCII"?>\n<html${tags.namespaces()}>` : doctype}\n<head>\n<title>${escapeHtml(title)}</title>\n</head>\n<body>\n`,
    );
  }

  #put(text: string): void {
    this.#out.push(text);
    this.#length += text.length;
  }

  #div(style: string, open: string, text: string): void {
    this.#put(`<div style="${style}">${open}${escapeHtml(text)}</span></div>`);
  }

  /** An item's heading: `Item 1A.` and `Risk Factors`. */
  item(section: string, label: string, title: string, anchor: string): void {
    const style = this.#style;
    const [first, second] = (style * 100) % 1 < 0.5 ? [label.toUpperCase(), title.toUpperCase()] : [label, title];
    const gap = style < 0.3 ? '\xa0\xa0\xa0\xa0' : style < 0.7 ? ' ' : '\xa0\xa0';
    this.sections.push({ section, heading: `${first} ${second}` });
    this.#put(`<div id="${anchor}"></div>`);
    this.#div(`margin-bottom:6pt;margin-top:12pt${this.#align}`, this.#bold, `${first}${gap}${second}`);
  }

  /** A heading that ends the item before it: PART II, SIGNATURES. */
  part(heading: string): void {
    this.#div('margin-bottom:6pt;margin-top:18pt;text-align:center', this.#bold, heading);
  }

  centered(text: string, emphasis?: 'bold' | 'large'): void {
    const bold = emphasis === 'large' ? this.#bold.replace(/font-size:\d+pt/, 'font-size:16pt') : this.#bold;
    this.#div('margin-bottom:4pt;text-align:center', emphasis ? bold : this.#plain, text);
  }

  subheading(text: string): void {
    this.#div(`margin-bottom:6pt;margin-top:9pt${this.#align}`, this.#italic, text);
  }

  paragraph(text: string): void {
    this.#div(`margin-bottom:6pt;margin-top:6pt${this.#align}`, this.#plain, text);
    this.#breakIfFull();
  }

  passages(list: readonly Passage[]): void {
    for (const { heading, text } of list) {
      if (heading) this.subheading(heading);
      this.paragraph(text);
    }
  }

  table(heads: readonly string[], rows: readonly TableRow[], caption = ''): void {
    if (caption) this.centered(caption, 'bold');
    this.#put(
      `<div style="margin-top:6pt;text-align:center"><table style="border-collapse:collapse;display:inline-table;margin-bottom:5pt;vertical-align:text-bottom;width:100.000%">${this.#headRow(heads)}`,
    );
    for (const [i, row] of rows.entries()) this.#put(this.#row(row, i + 1));
    this.#put('</table></div>');
    this.#breakIfFull();
  }

  /** Amounts, one column a period; the last line is set off. */
  statement(title: string, lines: readonly Line[], of: readonly Period[]): void {
    const rows = lines.map((line, i): TableRow => {
      const values = of.map((one) => this.#amount(line, one));
      return { label: line[1], values, dollars: true, total: i === lines.length - 1 };
    });
    const heads = of.map(({ head, to }) => (lines === BALANCE ? longDay(to) : head));
    this.table(heads, rows, `${title} (in thousands, except per share)`);
  }

  #amount(line: Line, of: Period): string {
    const [key, , concept] = line;
    const shown = concept.startsWith('-') ? -of[key] : of[key];
    const digits = key === 'earningsPerShare' ? Math.abs(shown).toFixed(2) : grouped(Math.abs(shown));
    const tagged = this.tags?.amount(line, of, digits) ?? digits;
    return shown < 0 ? `(${tagged})` : tagged;
  }

  revenue(of: readonly Period[]): void {
    const rows: TableRow[] = of[0]!.segments.map(({ name }, i) => {
      return { label: name, values: of.map((one) => grouped(one.segments[i]!.revenue)) };
    });
    rows.push({ label: 'Total revenue', values: of.map((one) => grouped(one.revenue)), dollars: true, total: true });
    const heads = of.map(({ head }) => head);
    this.table(heads, rows, 'Revenue by Segment (in thousands)');
  }

  #headRow(heads: readonly string[]): string {
    const style = 'border-bottom:1pt solid #000000;padding:2px 1pt;text-align:center;vertical-align:bottom';
    const filler = '<td colspan="3" style="padding:0 1pt"/>';
    const cells = heads.map(
      (v) => `${filler}<td colspan="3" style="${style}">${this.#bold}${escapeHtml(v)}</span></td>`,
    );
    return `<tr>${filler}${cells.join('')}</tr>`;
  }

  #row(row: TableRow, line: number): string {
    const fill = `background-color:#${line % 2 ? 'cceeff' : 'ffffff'};`;
    const border = row.total ? 'border-bottom:3pt double #000000;border-top:1pt solid #000000;' : '';
    const cell = `style="${fill}${border}padding:2px 0;text-align:right;vertical-align:bottom"`;
    const cells = row.values.map((value) => {
      const sign = row.dollars && (line === 1 || row.total) ? `${this.#plain}$</span>` : '';
      const dollar = `<td style="${fill}${border}padding:2px 0 2px 1pt;text-align:left;vertical-align:bottom">${sign}</td>`;
      return `<td colspan="3" style="${fill}padding:0 1pt"/>${dollar}<td ${cell}>${this.#plain}${value}&#160;</span></td><td ${cell}/>`;
    });
    const label = `<td colspan="3" style="${fill}padding:2px 1pt;text-align:left;vertical-align:bottom">${this.#plain}${escapeHtml(row.label)}</span></td>`;
    return `<tr>${label}${cells.join('')}</tr>`;
  }

  /** @param entries the anchor is null for a PART line */
  contents(entries: readonly { label: string; title: string; anchor: string | null }[]): void {
    this.#put('<div style="text-align:center"><table style="border-collapse:collapse;width:100.000%">');
    for (const { label, title, anchor } of entries) {
      const cell = (text: string) => {
        const linked = anchor ? `<a href="#${anchor}" style="color:#0000ff">${escapeHtml(text)}</a>` : escapeHtml(text);
        return `<td style="padding:2px 1pt;text-align:left;vertical-align:bottom">${this.#plain}${linked}</span></td>`;
      };
      this.#put(`<tr>${cell(label)}${cell(title)}</tr>`);
    }
    this.#put('</table></div>');
    this.#pageBreak();
  }

  image(file: string, alternative: string): void {
    this.#put(`<div style="text-align:center"><img src="${file}" alt="${escapeHtml(alternative)}"/></div>`);
  }

  #pageBreak(): void {
    this.#put(
      `<div style="height:42.75pt;position:relative;width:100%"><div style="text-align:center">${this.#plain}${escapeHtml(this.#footer)} | ${this.#pages++}</span></div></div><hr style="page-break-after:always"/><div style="min-height:42.75pt;width:100%"><div>${this.#plain}<a href="#toc" style="color:#0000ff">Table of Contents</a></span></div></div>\n`,
    );
    this.#pageStart = this.#length;
  }

  #breakIfFull(): void {
    if (this.#length - this.#pageStart >= PAGE_LENGTH) this.#pageBreak();
  }

  finish(): string {
    return `${this.#out.join('').replace('<body>', `<body>${this.tags?.header() ?? ''}`)}</body></html>\n`;
  }
}
