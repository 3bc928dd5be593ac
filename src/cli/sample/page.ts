/**
 * The page of a report: HTML as reporting software makes it, with a styled span for every run of text, and inline XBRL since 2019.
 * Records the position of each item.
 */

/** A section with its true position in the document's text. */
export interface TrueSection {
  section: string;
  heading: string;
  /** UTF-16 position of the first character of the heading */
  start: number;
  /** UTF-16 position of what comes next: an item's heading, a PART heading, SIGNATURES */
  end: number;
}

export interface TableRow {
  label: string;
  /** one a column */
  values: readonly string[];
  kind?: 'line' | 'total' | 'head';
  /** us-gaap concept, for inline XBRL */
  concept?: string;
}

export interface InlineFacts {
  prefix: string;
  cik: string;
  form: string;
  /** YYYY-MM-DD */
  periodStart: string;
  periodEnd: string;
  fiscalYear: number;
  fiscalPeriod: string;
}

interface PageOptions {
  title: string;
  /** 0 to 1: fonts, sizes, heading styles */
  style: number;
  /** `ix:` elements around numbers, and a hidden header */
  inline: InlineFacts | null;
  footer: string;
}

const FONTS = ["'Times New Roman',sans-serif", "'Arial',sans-serif", "'Helvetica',sans-serif"];
/** Characters of output to a page. */
const PAGE_LENGTH = 16_000;

export function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

const escapeHtml = (text: string) => escapeXml(text).replace(/'/g, '&#8217;');

export class Page {
  readonly sections: TrueSection[] = [];
  readonly #out: string[] = [];
  readonly #options: PageOptions;
  readonly #plain: string;
  readonly #bold: string;
  readonly #italic: string;
  readonly #align: string;
  #length = 0;
  #pages = 1;
  #pageStart = 0;
  #open: TrueSection | null = null;
  #fact = 40;

  constructor(options: PageOptions) {
    this.#options = options;
    const font = FONTS[Math.floor(options.style * 7) % 3]!;
    const size = options.style < 0.5 ? '10pt' : '9pt';
    const span = (weight: number, extra = '') =>
      `<span style="color:#000000;font-family:${font};font-size:${size};${extra}font-weight:${weight};line-height:120%">`;
    this.#plain = span(400);
    this.#bold = span(700);
    this.#italic = span(400, 'font-style:italic;');
    this.#align = (options.style * 10) % 1 < 0.5 ? ';text-align:justify' : '';
    this.#put(options.inline ? inlineHead(options.inline) : htmlHead(options.title));
  }

  #put(text: string): void {
    this.#out.push(text);
    this.#length += text.length;
  }

  #close(): void {
    if (this.#open) this.sections.push({ ...this.#open, end: this.#length });
    this.#open = null;
  }

  /** An item's heading: `Item 1A.` and `Risk Factors`. */
  item(section: string, label: string, title: string, anchor: string): void {
    const { style } = this.#options;
    const [first, second] = (style * 100) % 1 < 0.5 ? [label.toUpperCase(), title.toUpperCase()] : [label, title];
    const gap = style < 0.3 ? '&#160;&#160;&#160;&#160;' : style < 0.7 ? ' ' : '&#160;&#160;';
    this.#put(`<div id="${anchor}"></div><div style="margin-bottom:6pt;margin-top:12pt${this.#align}">${this.#bold}`);
    this.#close();
    this.#open = { section, heading: `${first} ${second}`, start: this.#length, end: this.#length };
    this.#put(`${escapeHtml(first)}${gap}${escapeHtml(second)}</span></div>`);
  }

  /** A heading that ends the item before it: PART II, SIGNATURES. */
  part(heading: string): void {
    this.#put(`<div style="margin-bottom:6pt;margin-top:18pt;text-align:center">${this.#bold}`);
    this.#close();
    this.#put(`${escapeHtml(heading)}</span></div>`);
  }

  centered(text: string, emphasis?: 'bold' | 'large'): void {
    const bold = emphasis === 'large' ? this.#bold.replace(/font-size:\d+pt/, 'font-size:16pt') : this.#bold;
    const open = emphasis ? bold : this.#plain;
    this.#put(`<div style="margin-bottom:4pt;text-align:center">${open}${escapeHtml(text)}</span></div>`);
  }

  subheading(text: string): void {
    this.#block('margin-bottom:6pt;margin-top:9pt', this.#italic, text);
  }

  paragraph(text: string): void {
    this.#block('margin-bottom:6pt;margin-top:6pt', this.#plain, text);
    this.#breakIfFull();
  }

  bullets(texts: readonly string[]): void {
    for (const text of texts) this.#block('padding-left:36pt;text-indent:-18pt', `${this.#plain}&#8226; `, text);
    this.#breakIfFull();
  }

  #block(style: string, open: string, text: string): void {
    this.#put(`<div style="${style}${this.#align}">${open}${escapeHtml(text)}</span></div>`);
  }

  /** Dollars have `$` in the first line and the total. */
  table(rows: readonly TableRow[], caption = ''): void {
    if (caption) this.centered(caption, 'bold');
    const columns = rows[0]!.values.length;
    const width = (58 / (columns * 3)).toFixed(3);
    const widths = `<td style="width:1.0%"></td><td style="width:${width}%"></td><td style="width:0.1%"></td>`;
    this.#put(
      `<div style="margin-top:6pt;text-align:center"><table style="border-collapse:collapse;display:inline-table;margin-bottom:5pt;vertical-align:text-bottom;width:100.000%"><tr><td style="width:1.0%"></td><td style="width:40.000%"></td><td style="width:0.1%"></td>${widths.repeat(columns)}</tr>`,
    );
    for (const [i, row] of rows.entries()) this.#put(row.kind === 'head' ? this.#headRow(row) : this.#row(row, i));
    this.#put('</table></div>');
    this.#breakIfFull();
  }

  #headRow({ values }: TableRow): string {
    const style = 'border-bottom:1pt solid #000000;padding:2px 1pt;text-align:center;vertical-align:bottom';
    const filler = '<td colspan="3" style="padding:0 1pt"/>';
    const cells = values.map(
      (v) => `${filler}<td colspan="3" style="${style}">${this.#bold}${escapeHtml(v)}</span></td>`,
    );
    return `<tr>${filler}${cells.join('')}</tr>`;
  }

  #row(row: TableRow, line: number): string {
    const fill = `background-color:#${line % 2 ? 'cceeff' : 'ffffff'};`;
    const total = row.kind === 'total';
    const border = total ? 'border-bottom:3pt double #000000;border-top:1pt solid #000000;' : '';
    const cell = `style="${fill}${border}padding:2px 0;text-align:right;vertical-align:bottom"`;
    const cells = row.values.map((value, column) => {
      const sign = row.concept && (line === 1 || total) ? `${this.#plain}$</span>` : '';
      const dollar = `<td style="${fill}${border}padding:2px 0 2px 1pt;text-align:left;vertical-align:bottom">${sign}</td>`;
      return `<td colspan="3" style="${fill}padding:0 1pt"/>${dollar}<td ${cell}>${this.#plain}${this.#number(value, row.concept, column)}</span></td><td ${cell}/>`;
    });
    const label = `<td colspan="3" style="${fill}padding:2px 1pt;text-align:left;vertical-align:bottom">${this.#plain}${escapeHtml(row.label)}</span></td>`;
    return `<tr>${label}${cells.join('')}</tr>`;
  }

  #number(value: string, concept: string | undefined, column: number): string {
    if (!this.#options.inline || !concept) return `${escapeHtml(value)}&#160;`;
    const negative = value.startsWith('(');
    const fact = `<ix:nonFraction unitRef="usd" contextRef="c-${column + 1}" decimals="-3" name="us-gaap:${concept}" format="ixt:num-dot-decimal"${negative ? ' sign="-"' : ''} scale="3" id="f-${this.#fact++}">${value.replace(/[()]/g, '')}</ix:nonFraction>`;
    return negative ? `(${fact})` : `${fact}&#160;`;
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
    this.pageBreak();
  }

  image(file: string, alternative: string): void {
    this.#put(`<div style="text-align:center"><img src="${file}" alt="${escapeHtml(alternative)}"/></div>`);
  }

  pageBreak(): void {
    this.#put(
      `<div style="height:42.75pt;position:relative;width:100%"><div style="text-align:center">${this.#plain}${escapeHtml(this.#options.footer)} | ${this.#pages++}</span></div></div><hr style="page-break-after:always"/><div style="min-height:42.75pt;width:100%"><div>${this.#plain}<a href="#toc" style="color:#0000ff">Table of Contents</a></span></div></div>\n`,
    );
    this.#pageStart = this.#length;
  }

  #breakIfFull(): void {
    if (this.#length - this.#pageStart >= PAGE_LENGTH) this.pageBreak();
  }

  finish(): string {
    this.#close();
    return `${this.#out.join('')}</body></html>\n`;
  }
}

function htmlHead(title: string): string {
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">\n<html>\n<head>\n<title>${escapeHtml(title)}</title>\n</head>\n<body>\n`;
}

function inlineHead({ prefix, cik, form, periodStart, periodEnd, fiscalYear, fiscalPeriod }: InlineFacts): string {
  const compact = periodEnd.replaceAll('-', '');
  const hidden = [
    ['EntityCentralIndexKey', cik.padStart(10, '0')],
    ['DocumentFiscalYearFocus', fiscalYear],
    ['DocumentFiscalPeriodFocus', fiscalPeriod],
    ['AmendmentFlag', form.endsWith('/A')],
  ].map(
    ([name, value], i) => `<ix:nonNumeric contextRef="c-1" name="dei:${name}" id="f-${i + 1}">${value}</ix:nonNumeric>`,
  );
  const back = (date: string, years: number) =>
    `${Number(date.slice(0, 4)) - years}${date.slice(4)}`.replace('02-29', '02-28');
  const contexts = [0, 1, 2].map(
    (i) =>
      `<xbrli:context id="c-${i + 1}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">${cik.padStart(10, '0')}</xbrli:identifier></xbrli:entity><xbrli:period><xbrli:startDate>${back(periodStart, i)}</xbrli:startDate><xbrli:endDate>${back(periodEnd, i)}</xbrli:endDate></xbrli:period></xbrli:context>`,
  );
  return `<?xml version='1.0' encoding='ASCII'?>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12" xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:iso4217="http://www.xbrl.org/2003/iso4217" xmlns:dei="http://xbrl.sec.gov/dei/${fiscalYear}" xmlns:us-gaap="http://fasb.org/us-gaap/${fiscalYear}" xmlns:${prefix}="http://www.${prefix}.example/${compact}" xml:lang="en-US"><head><meta http-equiv="Content-Type" content="text/html"/>\n<title>${prefix}-${compact}</title></head><body><div style="display:none"><ix:header><ix:hidden>${hidden.join('')}</ix:hidden><ix:references><link:schemaRef xlink:type="simple" xlink:href="${prefix}-${compact}.xsd"/></ix:references><ix:resources>${contexts.join('')}<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit></ix:resources></ix:header></div>`;
}
