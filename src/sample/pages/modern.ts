/** HTML as reporting software has made it since about 2009: a styled span for every run of text, and inline XBRL since 2019. */
import { type ContentsEntry, Page, type TableOptions, type TableRow } from './page.ts';

export interface ModernOptions {
  title: string;
  /** 0 to 1: fonts, sizes, heading styles */
  style: number;
  /** inline XBRL: `ix:` elements around numbers, and a hidden header */
  inline: InlineFacts | null;
  runningFooter: string;
}

export interface InlineFacts {
  prefix: string;
  cik: string;
  name: string;
  form: string;
  /** YYYY-MM-DD */
  periodStart: string;
  periodEnd: string;
  fiscalYear: number;
  fiscalPeriod: string;
}

const FONTS = ["'Times New Roman',sans-serif", "'Arial',sans-serif", "'Helvetica',sans-serif"];

export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/'/g, '&#8217;')
    .replace(/(^|[\s(])"/g, '$1&#8220;')
    .replace(/"/g, '&#8221;');
}

export class ModernPage extends Page {
  protected readonly pageLength = 16_000;
  readonly #options: ModernOptions;
  readonly #plain: string;
  readonly #bold: string;
  readonly #italic: string;
  readonly #small: string;
  readonly #align: string;
  readonly #upper: boolean;
  readonly #gap: string;
  #fact = 40;

  constructor(options: ModernOptions) {
    super();
    this.#options = options;
    const font = FONTS[Math.floor(options.style * 7) % 3]!;
    const size = options.style < 0.5 ? '10pt' : '9pt';
    const span = (weight: number, extra = '', height = '120%') =>
      `<span style="color:#000000;font-family:${font};font-size:${size};${extra}font-weight:${weight};line-height:${height}">`;
    this.#plain = span(400);
    this.#bold = span(700);
    this.#italic = span(400, 'font-style:italic;');
    this.#small = span(400, '', '100%');
    this.#align = options.style * 10 - Math.floor(options.style * 10) < 0.5 ? ';text-align:justify' : '';
    this.#upper = options.style * 100 - Math.floor(options.style * 100) < 0.5;
    this.#gap = options.style < 0.3 ? '&#160;&#160;&#160;&#160;' : options.style < 0.7 ? ' ' : '&#160;&#160;';
    this.#head();
  }

  #head(): void {
    const { inline, title } = this.#options;
    if (!inline) {
      this.put(
        `<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">\n<html>\n<head>\n<title>${escapeHtml(title)}</title>\n</head>\n<body>\n`,
      );
      return;
    }
    const { prefix, cik } = inline;
    this.put(
      `<?xml version='1.0' encoding='ASCII'?>\n<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12" xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:iso4217="http://www.xbrl.org/2003/iso4217" xmlns:dei="http://xbrl.sec.gov/dei/${inline.fiscalYear}" xmlns:us-gaap="http://fasb.org/us-gaap/${inline.fiscalYear}" xmlns:${prefix}="http://www.${prefix}.example/${inline.periodEnd.replaceAll('-', '')}" xml:lang="en-US"><head><meta http-equiv="Content-Type" content="text/html"/>\n<title>${prefix}-${inline.periodEnd.replaceAll('-', '')}</title></head><body><div style="display:none"><ix:header><ix:hidden>`,
    );
    const hidden = (name: string, value: string, id: number) =>
      `<ix:nonNumeric contextRef="c-1" name="dei:${name}" id="f-${id}">${value}</ix:nonNumeric>`;
    this.put(
      hidden('EntityCentralIndexKey', cik.padStart(10, '0'), 1) +
        hidden('DocumentFiscalYearFocus', String(inline.fiscalYear), 2) +
        hidden('DocumentFiscalPeriodFocus', inline.fiscalPeriod, 3) +
        hidden('AmendmentFlag', inline.form.endsWith('/A') ? 'true' : 'false', 4),
    );
    this.put(
      `</ix:hidden><ix:references><link:schemaRef xlink:type="simple" xlink:href="${prefix}-${inline.periodEnd.replaceAll('-', '')}.xsd"/></ix:references><ix:resources>`,
    );
    const year = Number(inline.periodEnd.slice(0, 4));
    for (let i = 0; i < 3; i++) {
      const shift = (date: string) => `${Number(date.slice(0, 4)) - i}${date.slice(4)}`;
      this.put(
        `<xbrli:context id="c-${i + 1}"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">${cik.padStart(10, '0')}</xbrli:identifier></xbrli:entity><xbrli:period><xbrli:startDate>${shift(inline.periodStart)}</xbrli:startDate><xbrli:endDate>${year - i}${inline.periodEnd.slice(4).replace('02-29', '02-28')}</xbrli:endDate></xbrli:period></xbrli:context>`,
      );
    }
    this.put(
      '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit><xbrli:unit id="shares"><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unit></ix:resources></ix:header></div>',
    );
  }

  item(sections: string[], label: string, title: string, anchor: string): void {
    const words = this.#upper ? [label.toUpperCase(), title.toUpperCase()] : [label, title];
    const heading = `${words[0]} ${words[1]}`;
    this.put(`<div id="${anchor}"></div><div style="margin-bottom:6pt;margin-top:12pt${this.#align}">${this.#bold}`);
    this.openSection(sections, heading);
    this.put(`${escapeHtml(words[0]!)}${this.#gap}${escapeHtml(words[1]!)}</span></div>`);
  }

  part(heading: string): void {
    this.put('<div style="margin-bottom:6pt;margin-top:18pt;text-align:center">');
    this.put(this.#bold);
    this.closeSection();
    this.put(`${escapeHtml(heading)}</span></div>`);
  }

  closing(heading: string): void {
    this.part(heading);
  }

  centered(text: string, emphasis?: 'bold' | 'large'): void {
    const open =
      emphasis === 'large'
        ? this.#bold.replace(/font-size:\d+pt/, 'font-size:16pt')
        : emphasis
          ? this.#bold
          : this.#plain;
    this.put(`<div style="margin-bottom:4pt;text-align:center">${open}${escapeHtml(text)}</span></div>`);
  }

  subheading(text: string): void {
    this.put(
      `<div style="margin-bottom:6pt;margin-top:9pt${this.#align}">${this.#italic}${escapeHtml(text)}</span></div>`,
    );
  }

  paragraph(text: string): void {
    this.put(
      `<div style="margin-bottom:6pt;margin-top:6pt${this.#align}">${this.#plain}${escapeHtml(text)}</span></div>`,
    );
    this.breakIfFull();
  }

  bullets(texts: readonly string[]): void {
    for (const text of texts) {
      this.put(
        `<div style="padding-left:36pt;text-indent:-18pt${this.#align}">${this.#plain}&#8226;</span>${this.#plain.replace('400', '400;padding-left:14.5pt')}${escapeHtml(text)}</span></div>`,
      );
    }
    this.breakIfFull();
  }

  table(rows: readonly TableRow[], options: TableOptions = {}): void {
    const columns = rows[0]!.values.length;
    const width = (58 / (columns * 3)).toFixed(3);
    const filler = '<td colspan="3" style="padding:0 1pt"/>';
    this.put(
      `<div style="margin-top:6pt;text-align:center"><table style="border-collapse:collapse;display:inline-table;margin-bottom:5pt;vertical-align:text-bottom;width:100.000%"><tr><td style="width:1.0%"></td><td style="width:40.000%"></td><td style="width:0.1%"></td>${`<td style="width:1.0%"></td><td style="width:${width}%"></td><td style="width:0.1%"></td>`.repeat(columns)}</tr>`,
    );
    let first = true;
    let shaded = false;
    for (const row of rows) {
      if (row.kind === 'head') {
        this.put(`<tr><td colspan="3" style="padding:0 1pt"/>`);
        for (const value of row.values) {
          this.put(
            `${filler}<td colspan="3" style="border-bottom:1pt solid #000000;padding:2px 1pt;text-align:center;vertical-align:bottom">${this.#bold}${escapeHtml(value ?? '')}</span></td>`,
          );
        }
        this.put('</tr>');
        continue;
      }
      const total = row.kind === 'total';
      const fill = shaded ? 'background-color:#cceeff;' : 'background-color:#ffffff;';
      const border = total ? 'border-bottom:3pt double #000000;border-top:1pt solid #000000;' : '';
      shaded = !shaded;
      this.put(
        `<tr><td colspan="3" style="${fill}padding:2px 1pt;text-align:left;vertical-align:bottom">${this.#small}${escapeHtml(row.label)}</span></td>`,
      );
      row.values.forEach((value, column) => {
        const dollar = options.money && (first || total) ? '$' : '';
        const cell = `style="${fill}${border}padding:2px 0;text-align:right;vertical-align:bottom"`;
        this.put(`<td colspan="3" style="${fill}padding:0 1pt"/>`);
        if (value === null) {
          this.put(`<td colspan="3" ${cell}/>`);
          return;
        }
        this.put(
          `<td style="${fill}${border}padding:2px 0 2px 1pt;text-align:left;vertical-align:bottom">${dollar ? `${this.#small}$</span>` : ''}</td><td ${cell}>${this.#small}${this.#number(value, row.concept, column)}</span></td><td ${cell}/>`,
        );
      });
      this.put('</tr>');
      first = false;
    }
    this.put('</table></div>');
    this.breakIfFull();
  }

  #number(value: string, concept: string | undefined, column: number): string {
    if (!this.#options.inline || !concept || !/^\(?[\d,.]+\)?$/.test(value)) return `${escapeHtml(value)}&#160;`;
    const negative = value.startsWith('(');
    const digits = value.replace(/[()]/g, '');
    const fact = `<ix:nonFraction unitRef="usd" contextRef="c-${column + 1}" decimals="-3" name="us-gaap:${concept}" format="ixt:num-dot-decimal"${negative ? ' sign="-"' : ''} scale="3" id="f-${this.#fact++}">${digits}</ix:nonFraction>`;
    return negative ? `(${fact})` : `${fact}&#160;`;
  }

  contents(entries: readonly ContentsEntry[]): void {
    this.put(
      '<div style="text-align:center"><table style="border-collapse:collapse;display:inline-table;margin-bottom:5pt;width:100.000%">',
    );
    let page = 2;
    for (const entry of entries) {
      page += entry.anchor ? 1 + (entry.title.length % 5) : 0;
      const link = (text: string) =>
        entry.anchor
          ? `<a href="#${entry.anchor}" style="color:#0000ff;text-decoration:none">${escapeHtml(text)}</a>`
          : escapeHtml(text);
      this.put(
        `<tr><td style="padding:2px 1pt;text-align:left;vertical-align:bottom">${this.#small}${link(entry.label)}</span></td><td style="padding:2px 1pt;text-align:left;vertical-align:bottom">${this.#small}${link(entry.title)}</span></td><td style="padding:2px 1pt;text-align:right;vertical-align:bottom">${this.#small}${entry.anchor ? link(String(page)) : ''}</span></td></tr>`,
      );
    }
    this.put('</table></div>');
  }

  image(file: string, alternative: string): void {
    this.put(
      `<div style="margin-top:6pt;text-align:center"><img src="${file}" alt="${escapeHtml(alternative)}" style="height:180px;width:320px"/></div>`,
    );
  }

  pageBreak(): void {
    this.put(
      `<div style="height:42.75pt;position:relative;width:100%"><div style="bottom:0;position:absolute;width:100%"><div style="text-align:center">${this.#small}${escapeHtml(this.#options.runningFooter)} | ${this.pages++}</span></div></div></div><hr style="page-break-after:always"/><div style="min-height:42.75pt;width:100%"><div>${this.#small}<a href="#toc" style="color:#0000ff">Table of Contents</a></span></div></div>\n`,
    );
  }

  protected ending(): void {
    this.put('</body></html>\n');
  }
}
