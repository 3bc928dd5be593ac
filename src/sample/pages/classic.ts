/** HTML of 1998 to 2008: upper-case tags, FONT and ALIGN, tables with a column for each dollar sign. */
import { escapeHtml } from './modern.ts';
import { type ContentsEntry, Page, type TableOptions, type TableRow } from './page.ts';

export interface ClassicOptions {
  title: string;
  style: number;
  runningHeader: string;
}

export class ClassicPage extends Page {
  protected readonly pageLength = 7_500;
  readonly #font: string;
  readonly #runningHeader: string;
  readonly #underlined: boolean;

  constructor(options: ClassicOptions) {
    super();
    this.#font =
      options.style < 0.6 ? '<FONT STYLE="font-family:Times New Roman" SIZE="2">' : '<FONT FACE="ARIAL" SIZE="2">';
    this.#underlined = options.style * 10 - Math.floor(options.style * 10) < 0.4;
    this.#runningHeader = options.runningHeader;
    this.put(
      `<HTML><HEAD>\n<TITLE>${escapeHtml(options.title)}</TITLE>\n</HEAD>\n <BODY BGCOLOR="WHITE">\n<A NAME="toc"></A>\n`,
    );
  }

  item(sections: string[], label: string, title: string, anchor: string): void {
    const heading = `${label.toUpperCase()} ${title.toUpperCase()}`;
    const [open, close] = this.#underlined ? ['<B><U>', '</U></B>'] : ['<B>', '</B>'];
    this.put(`<P STYLE="margin-top:18px;margin-bottom:0px">${this.#font}${open}<A NAME="${anchor}"></A>\n`);
    this.openSection(sections, heading);
    this.put(
      `${label.toUpperCase().replace(' ', '&nbsp;')}&nbsp;&nbsp;${escapeHtml(title.toUpperCase())} ${close}</FONT></P>\n`,
    );
  }

  part(heading: string): void {
    this.put(`<P STYLE="margin-top:24px;margin-bottom:0px" ALIGN="center">${this.#font}<B>`);
    this.closeSection();
    this.put(`${escapeHtml(heading)} </B></FONT></P>\n`);
  }

  closing(heading: string): void {
    this.part(heading);
  }

  centered(text: string, emphasis?: 'bold' | 'large'): void {
    const font = emphasis === 'large' ? this.#font.replace('SIZE="2"', 'SIZE="5"') : this.#font;
    const [open, close] = emphasis ? ['<B>', '</B>'] : ['', ''];
    this.put(
      `<P STYLE="margin-top:0px;margin-bottom:0px" ALIGN="center">${font}${open}${escapeHtml(text)} ${close}</FONT></P>\n`,
    );
  }

  subheading(text: string): void {
    this.put(
      `<P STYLE="margin-top:18px;margin-bottom:0px">${this.#font}<B><I>${escapeHtml(text)} </I></B></FONT></P>\n`,
    );
  }

  paragraph(text: string): void {
    this.put(
      `<P STYLE="margin-top:6px;margin-bottom:0px; text-indent:4%">${this.#font}${wrapLines(escapeHtml(text), 230)} </FONT></P>\n`,
    );
    this.breakIfFull();
  }

  bullets(texts: readonly string[]): void {
    for (const text of texts) {
      this.put(
        `<TABLE STYLE="BORDER-COLLAPSE:COLLAPSE" BORDER="0" CELLPADDING="0" CELLSPACING="0" WIDTH="100%">\n<TR>\n<TD WIDTH="5%"><FONT SIZE="1">&nbsp;</FONT></TD>\n<TD WIDTH="3%" VALIGN="top" ALIGN="left">${this.#font}&#149;</FONT></TD>\n<TD ALIGN="left" VALIGN="top">${this.#font}${escapeHtml(text)} </FONT></TD></TR></TABLE>\n`,
      );
    }
  }

  table(rows: readonly TableRow[], options: TableOptions = {}): void {
    this.put('<TABLE CELLSPACING="0" CELLPADDING="0" WIDTH="100%" BORDER="0" ALIGN="center">\n');
    let first = true;
    let shaded = true;
    for (const row of rows) {
      if (row.kind === 'head') {
        this.put(`<TR>\n<TD VALIGN="bottom"><FONT SIZE="1">&nbsp;</FONT></TD>\n`);
        for (const value of row.values) {
          this.put(
            `<TD VALIGN="bottom"><FONT SIZE="1">&nbsp;&nbsp;</FONT></TD>\n<TD VALIGN="bottom" COLSPAN="2" ALIGN="center" STYLE="border-bottom:1px solid #000000"><FONT SIZE="1"><B>${escapeHtml(value ?? '')}</B></FONT></TD>\n`,
          );
        }
        this.put('</TR>\n');
        continue;
      }
      this.put(
        `<TR${shaded ? ' BGCOLOR="#cceeff"' : ''}>\n<TD VALIGN="top"><P STYLE="margin-left:1.00em; text-indent:-1.00em">${this.#font}${escapeHtml(row.label)}</FONT></P></TD>\n`,
      );
      shaded = !shaded;
      for (const value of row.values) {
        const dollar = options.money && (first || row.kind === 'total') ? '$' : '&nbsp;';
        this.put(
          `<TD VALIGN="bottom"><FONT SIZE="1">&nbsp;</FONT></TD>\n<TD VALIGN="bottom">${this.#font}${dollar}</FONT></TD>\n<TD VALIGN="bottom" ALIGN="right" NOWRAP>${this.#font}${value === null ? '&nbsp;' : escapeHtml(value)}</FONT></TD>\n`,
        );
      }
      this.put('</TR>\n');
      first = false;
    }
    this.put('</TABLE>\n');
    this.breakIfFull();
  }

  contents(entries: readonly ContentsEntry[]): void {
    this.put('<TABLE CELLSPACING="0" CELLPADDING="0" WIDTH="100%" BORDER="0">\n');
    let page = 1;
    for (const entry of entries) {
      page += entry.anchor ? 1 + (entry.title.length % 4) : 0;
      const title = entry.anchor
        ? `<A HREF="#${entry.anchor}">${escapeHtml(entry.title)}</A>`
        : `<B>${escapeHtml(entry.title)}</B>`;
      this.put(
        `<TR>\n<TD VALIGN="top" NOWRAP>${this.#font}${escapeHtml(entry.label)}</FONT></TD>\n<TD VALIGN="top">${this.#font}${title}</FONT></TD>\n<TD VALIGN="bottom" ALIGN="right">${this.#font}${entry.anchor ? page : '&nbsp;'}</FONT></TD></TR>\n`,
      );
    }
    this.put('</TABLE>\n');
  }

  image(file: string, alternative: string): void {
    this.put(`<P ALIGN="center"><IMG SRC="${file}" ALT="${escapeHtml(alternative)}"></P>\n`);
  }

  pageBreak(): void {
    this.put(
      ` <P STYLE="margin-top:0px;margin-bottom:0px" ALIGN="center">${this.#font}${this.pages++} </FONT></P>\n\n<p Style='page-break-before:always'>\n<HR SIZE="3" style="COLOR:#999999" WIDTH="100%" ALIGN="CENTER">\n<H5 ALIGN="left"><A HREF="#toc">Table of Contents</A></H5>\n<P ALIGN="center">${this.#font}${escapeHtml(this.#runningHeader)}</FONT></P>\n`,
    );
  }

  protected ending(): void {
    this.put('</BODY></HTML>\n');
  }
}

/** Breaks long lines at blanks: EDGAR's tools of the time broke lines anywhere a blank stood. */
export function wrapLines(text: string, width: number): string {
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
