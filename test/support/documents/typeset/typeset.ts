/** Sets a manuscript by a setting. The label's offsets are taken while the source is written, so they are exact. */
import type { Labelled } from '../../../../bench/section-score/score.ts';
import type { Block, Manuscript } from './manuscript.ts';
import { type Random, randomOf } from './random.ts';
import type { HeadingText, Place, PlacedItem, Setting } from './setting.ts';

export interface Typeset {
  text: string;
  label: Labelled;
  /** What stands on each page, which counts neither as an item's text nor against it */
  added: [number, number][];
}

const TEN_K = '1 1A 1B 1C 2 3 4 5 6 7 7A 8 9 9A 9B 9C 10 11 12 13 14 15 16'.split(' ');
const TEN_Q = 'I-1 I-2 I-3 I-4 II-1 II-1A II-2 II-3 II-4 II-5 II-6'.split(' ');

export function typeset(filing: Manuscript, setting: Setting, name: string): Typeset {
  return new Typesetter(filing, setting, randomOf(`${name}/${filing.file}`)).run();
}

class Typesetter {
  private readonly out: string[] = [];
  private length = 0;
  private onPage = 0;
  private page = 1;
  private part: string | null = null;
  private running: string | null = null;
  private readonly filing: Manuscript;
  private readonly setting: Setting;
  private readonly random: Random;
  private readonly html: boolean;
  private readonly added: [number, number][] = [];

  constructor(filing: Manuscript, setting: Setting, random: Random) {
    this.filing = filing;
    this.setting = setting;
    this.random = random;
    this.html = setting.medium === 'html';
  }

  run(): Typeset {
    const { setting, filing, random } = this;
    const items = setting.items(filing, random);
    const headings = items.map((item) => setting.heading(item, random));
    if (this.html) this.put(`<html><head><title>${filing.form}</title></head><body>\n`);
    if (setting.markup === 'pre' && this.html) this.put('<pre>\n');
    if (setting.markup === 'layout') this.put('<table width="100%"><tr><td>\n');
    this.cover();
    if (setting.contents.place === 'front' || setting.contents.place === 'each-part')
      this.contents(items, headings, null);
    for (const block of setting.front(filing, random)) this.block(block);
    const sections: Labelled['sections'] = [];
    const ends: number[] = [];
    let part: string | null = null;
    items.forEach((item, i) => {
      let line = '';
      if (item.part !== part) {
        this.breakPage();
        ends.push(this.length);
        part = item.part;
        this.part = part;
        const heading = setting.part(part, filing.form, random);
        if (heading?.place === 'own') this.centred(heading.line);
        else if (heading?.place === 'cell')
          this.put(`<table><tr><td><b>${this.escape(heading.line)}</b></td></tr></table>\n`);
        else if (heading) line = `${heading.line}${random.pick([' ', ', ', ' - ', '. '])}`;
        if (setting.contents.place === 'each-part') this.contents(items, headings, part);
      }
      const text = headings[i]!;
      this.running = [text.label, text.title].filter((piece) => piece !== '').join(' ');
      const place = setting.place(item, random);
      const body = setting.body(item, random);
      ends.push(this.length);
      const { start, bodyStart } = this.heading({ ...text, label: `${line}${text.label}` }, place, body[0]);
      for (const code of item.codes)
        sections.push({ section: code, title: text.title, start_index: start, body_index: bodyStart, end_index: -1 });
      const rest = place === 'run-in' || place === 'breaks' ? body.slice(1) : body;
      if (
        setting.bodies === 'own' &&
        item.markup !== null &&
        rest === item.body &&
        place !== 'run-in' &&
        place !== 'breaks'
      )
        this.put(`${item.markup}\n`);
      else for (const block of rest) this.block(block);
    });
    ends.push(this.length);
    if (setting.signatures !== '') this.centred(setting.signatures);
    this.block({
      kind: 'paragraph',
      text: 'Pursuant to the requirements of Section 13 or 15(d) of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf by the undersigned, thereunto duly authorized.',
    });
    this.block({
      kind: 'rows',
      rows: [
        [`Date: March 28`, filing.company],
        ['', 'By: /s/ Chief Financial Officer'],
      ],
    });
    for (const block of setting.back(filing, random)) this.block(block);
    if (setting.contents.place === 'end') this.contents(items, headings, null);
    if (setting.markup === 'layout') this.put('</td></tr></table>\n');
    if (setting.markup === 'pre' && this.html) this.put('</pre>\n');
    if (this.html) this.put('</body></html>\n');
    for (const section of sections) section.end_index = ends.find((end) => end > section.start_index)!;
    const scored = new Set(sections.map((section) => section.section));
    const codes = /10-?Q/.test(filing.form) ? TEN_Q : TEN_K;
    return {
      text: setting.finish(this.out.join('')),
      added: this.added,
      label: {
        file: filing.file,
        form_type: filing.form,
        company: filing.company,
        sections,
        absent: codes.filter((code) => !scored.has(code)),
      },
    };
  }

  private put(text: string): void {
    this.out.push(text);
    this.length += text.length;
  }

  private escape(text: string): string {
    if (!this.html) return text;
    const { entities } = this.setting;
    return text
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/[\u00a0-\uffff]/g, (character) => {
        const code = character.charCodeAt(0);
        if (entities === 'raw') return character;
        if (entities === 'named') {
          const name = { '\u00a0': 'nbsp', '’': 'rsquo', '“': 'ldquo', '”': 'rdquo', '—': 'mdash', '–': 'ndash' }[
            character
          ];
          if (name) return `&${name};`;
        }
        return `&#${code};`;
      });
  }

  /** Markup of a block. */
  private wrap(inner: string, { centre = false, strong = false } = {}): string {
    switch (this.setting.markup) {
      case 'font':
        return `<P${centre ? ' ALIGN="CENTER"' : ''}><FONT FACE="Times New Roman" SIZE="2">${inner}</FONT></P>\n\n`;
      case 'word':
        return `<p class=MsoNormal${centre ? ' align=center' : ''} style='margin-bottom:12.0pt;text-align:${centre ? 'center' : 'justify'}'><span\nstyle='font-size:10.0pt;font-family:"Times New Roman"'>${inner}</span></p>\n`;
      case 'workiva':
        return `<div style="margin-top:9pt;text-align:${centre ? 'center' : 'justify'}"><span style="color:#000000;font-family:'Times New Roman',sans-serif;font-size:10pt;font-weight:${strong ? 700 : 400};line-height:120%">${inner}</span></div>`;
      case 'divs':
        return `<div style="font-family:Arial;font-size:9pt${centre ? ';text-align:center' : ''}">${inner}</div>\n<div>&nbsp;</div>\n`;
      case 'pre':
        return `${inner}\n\n`;
      case 'headings':
        return strong ? `<h3${centre ? ' align="center"' : ''}>${inner}</h3>\n` : `<p>${inner}</p>\n`;
      case 'list':
        return strong ? `<ul><li>${inner}</li></ul>\n` : `<p>${inner}</p>\n`;
      case 'layout':
        return `${inner}<br><br>\n`;
      default:
        return `<p${centre ? ' align="center"' : ''}>${inner}</p>\n`;
    }
  }

  private centred(text: string): void {
    if (!this.html) this.put(`${' '.repeat(Math.max(0, Math.floor((78 - text.length) / 2)))}${text}\n\n`);
    else this.put(this.wrap(`<b>${this.escape(text)}</b>`, { centre: true, strong: true }));
  }

  private block(block: Block): void {
    if (block.kind === 'paragraph') this.paragraph(block.text);
    else if (block.kind === 'lines') {
      const lines = block.lines.map((line) => this.escape(line)).join('\n');
      this.put(this.html && this.setting.markup !== 'pre' ? `<pre>${lines}\n</pre>\n` : `${lines}\n\n`);
      this.advance(lines.length);
    } else this.rows(block.rows);
  }

  private paragraph(text: string): void {
    if (!this.html || this.setting.markup === 'pre') this.put(`${this.escape(wrapped(text, 78, '   '))}\n\n`);
    else this.put(this.wrap(this.escape(text)));
    this.advance(text.length);
  }

  private rows(rows: readonly (readonly string[])[]): void {
    if (!this.html || this.setting.markup === 'pre') {
      if (!this.html) this.put('<TABLE>\n<CAPTION>\n\n<S>                                   <C>            <C>\n');
      for (const cells of rows) {
        const [first = '', ...others] = cells;
        const line = `${first.slice(0, 400).padEnd(36)}${others.map((cell) => `  ${cell.padStart(10)}`).join('')}`;
        this.put(`${this.escape(line.trimEnd())}\n`);
        this.advance(line.length);
      }
      this.put(this.html ? '\n' : '</TABLE>\n\n');
      return;
    }
    this.put('<table border="0" cellspacing="0" cellpadding="0" width="100%">\n');
    for (const cells of rows)
      this.put(`<tr>${cells.map((cell) => `<td valign="top">${this.escape(cell)}</td>`).join('')}</tr>\n`);
    this.put('</table>\n');
    this.advance(rows.length * 80);
  }

  private advance(characters: number): void {
    this.onPage += characters;
    if (this.setting.pageLength > 0 && this.onPage >= this.setting.pageLength) this.breakPage();
  }

  private breakPage(): void {
    if (this.setting.pageLength === 0) return;
    this.onPage = 0;
    const page = () => ({
      number: this.page,
      part: this.part,
      item: this.running,
      company: this.filing.company,
      form: this.filing.form,
    });
    const { head, foot } = this.setting;
    const from = this.length;
    for (const line of foot(page(), this.random)) this.furniture(line);
    this.put(this.html ? '<hr style="page-break-after:always">\n' : '<PAGE>\n\n');
    this.page++;
    for (const line of head(page(), this.random)) this.furniture(line);
    this.added.push([from, this.length]);
  }

  private furniture(line: string): void {
    if (!this.html || this.setting.markup === 'pre')
      this.put(`${/^\d+$|^- \d+ -$/.test(line) ? ' '.repeat(38) : ''}${this.escape(line)}\n\n`);
    else if (line === 'Table of Contents') this.put(this.wrap('<a href="#toc">Table of Contents</a>'));
    else this.put(this.wrap(this.escape(line), { centre: true }));
  }

  private cover(): void {
    const { form, company } = this.filing;
    const annual = !/10-?Q/.test(form);
    this.centred('UNITED STATES');
    this.centred('SECURITIES AND EXCHANGE COMMISSION');
    this.centred('WASHINGTON, D.C. 20549');
    this.centred(`FORM ${form}`);
    this.paragraph(
      `(Mark One) [X] ${annual ? 'ANNUAL' : 'QUARTERLY'} REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934`,
    );
    this.centred(company.toUpperCase());
    this.paragraph(
      'Indicate by check mark whether the registrant (1) has filed all reports required to be filed by Section 13 or 15(d) of the Securities Exchange Act of 1934 during the preceding 12 months, and (2) has been subject to such filing requirements for the past 90 days. Yes [X] No [ ]',
    );
    if (annual) {
      this.paragraph(
        'Indicate by check mark if disclosure of delinquent filers pursuant to Item 405 of Regulation S-K is not contained herein, and will not be contained, in definitive proxy statements incorporated by reference in Part III of this Form 10-K.',
      );
      this.centred('DOCUMENTS INCORPORATED BY REFERENCE');
      this.paragraph(
        'Portions of the definitive proxy statement for the annual meeting of shareholders are incorporated by reference into Part III, Items 10, 11, 12 and 13.',
      );
    }
    this.breakPage();
  }

  private contents(items: readonly PlacedItem[], headings: readonly HeadingText[], only: string | null): void {
    const { contents, form } = { contents: this.setting.contents, form: this.filing.form };
    if (only === null) {
      if (this.html) this.put('<a name="toc"></a>');
      this.centred('TABLE OF CONTENTS');
    }
    let part: string | null = null;
    const rows: { link: string; label: string; title: string; page: string; part: string | null }[] = [];
    items.forEach((item, i) => {
      if (only !== null && item.part !== only) return;
      const text = headings[i]!;
      if (item.part !== part) {
        part = item.part;
        const line = this.setting.part(part, form, this.random)?.line;
        if (line && only === null) rows.push({ link: '', label: '', title: '', page: '', part: line });
      }
      const look = contents.look;
      rows.push({
        link: contents.linked ? `item${i}` : '',
        label: look === 'titles' ? '' : text.label,
        title: text.title,
        page: contents.pages ? String(3 + i * 4) : '',
        part: null,
      });
    });
    this.contentsRows(rows, contents.look);
    if (this.setting.pageLength > 0) this.breakPage();
  }

  private contentsRows(
    rows: readonly { link: string; label: string; title: string; page: string; part: string | null }[],
    look: Setting['contents']['look'],
  ): void {
    const line = (row: (typeof rows)[number]) =>
      row.part ?? `${row.label === '' ? '' : `${row.label}  `}${row.title}`.replace(/\s+/g, ' ').trim();
    if (!this.html || this.setting.markup === 'pre') {
      for (const row of rows) {
        const text = line(row).slice(0, 66);
        this.put(
          `${this.escape(text)}${row.page === '' ? '' : look === 'dots' ? `${'.'.repeat(72 - text.length)}${row.page}` : `${' '.repeat(72 - text.length)}${row.page}`}\n`,
        );
      }
      this.put('\n');
      return;
    }
    const linked = (row: (typeof rows)[number], text: string) =>
      row.link === '' ? this.escape(text) : `<a href="#${row.link}">${this.escape(text)}</a>`;
    if (look === 'lines' || look === 'dots') {
      for (const row of rows)
        this.put(this.wrap(`${linked(row, line(row))}${look === 'dots' ? '......' : '&nbsp;&nbsp;'}${row.page}`));
    } else if (look === 'one-block')
      this.put(this.wrap(rows.map((row) => `${linked(row, line(row))} ${row.page}`).join('<br>\n')));
    else if (look === 'two-columns') {
      const half = Math.ceil(rows.length / 2);
      this.put('<table>');
      for (let i = 0; i < half; i++)
        this.put(
          `<tr>${[rows[i]!, rows[i + half]].map((row) => (row ? `<td>${linked(row, line(row))}</td><td>${row.page}</td>` : '<td></td><td></td>')).join('')}</tr>\n`,
        );
      this.put('</table>\n');
    } else {
      this.put('<table width="100%">\n');
      for (const row of rows)
        this.put(
          row.part !== null
            ? `<tr><td colspan="3"><b>${this.escape(row.part)}</b></td></tr>\n`
            : `<tr><td>${linked(row, row.label)}</td><td>${linked(row, row.title)}</td><td align="right">${row.page}</td></tr>\n`,
        );
      this.put('</table>\n');
    }
  }

  private heading(text: HeadingText, place: Place, first: Block | undefined): { start: number; bodyStart: number } {
    const { label, between, title, after } = text;
    const whole = `${label}${label && title ? between : ''}${title}${after}`;
    if (!this.html || this.setting.markup === 'pre') return this.textHeading(text, whole, place, first);
    const anchor = this.random.chance(0.5) ? `<a name="i${this.length}"></a>` : '';
    this.put(anchor);
    const start = this.length;
    const mark = (piece: string) => this.setting.emphasis(this.escape(piece), this.random);
    const firstText = first?.kind === 'paragraph' ? first.text : '';
    switch (place) {
      case 'blocks':
        if (label) this.put(this.wrap(mark(label), { centre: true, strong: true }));
        if (title) this.put(this.wrap(mark(title + after), { centre: true, strong: true }));
        break;
      case 'cells':
        this.put(
          `<table><tr><td width="10%" valign="top">${mark(label || title)}</td>${label && title ? `<td>${mark(title + after)}</td>` : ''}</tr></table>\n`,
        );
        break;
      case 'three-cells': {
        const [word, ...number] = label.split(/[\s\u00a0]+/);
        this.put(
          `<table><tr><td>${mark(word!)}</td><td>${mark(number.join(' '))}</td><td>&nbsp;</td><td>${mark(title + after)}</td></tr></table>\n`,
        );
        break;
      }
      case 'one-cell':
        this.put(`<table width="100%" bgcolor="#cceeff"><tr><td>${mark(whole)}</td></tr></table>\n`);
        break;
      case 'run-in':
      case 'breaks': {
        const marked = mark(whole);
        const block = this.wrap(`\u0001${this.escape(firstText)}`);
        const [before, behind] = block.split('\u0001') as [string, string];
        this.put(`${before}${marked}${place === 'run-in' ? ' ' : '<br><br>\n'}`);
        const bodyStart = this.length;
        this.put(behind);
        if (first && first.kind !== 'paragraph') this.block(first);
        return { start, bodyStart };
      }
      case 'two-lines':
        this.put(this.wrap(`${mark(label)}<br>\n${mark(title + after)}`, { centre: true, strong: true }));
        break;
      case 'broken': {
        const words = whole.split(' ');
        const half = Math.max(1, Math.ceil(words.length / 2));
        this.put(this.wrap(mark(words.slice(0, half).join(' ')), { strong: true }));
        this.put(`${this.wrap(String(this.page), { centre: true })}<hr>\n`);
        if (half < words.length) this.put(this.wrap(mark(words.slice(half).join(' ')), { strong: true }));
        break;
      }
      default:
        this.put(this.wrap(mark(whole), { strong: true, centre: this.random.chance(0.3) }));
    }
    return { start, bodyStart: this.length };
  }

  private textHeading(
    { label, title, after }: HeadingText,
    whole: string,
    place: Place,
    first: Block | undefined,
  ): { start: number; bodyStart: number } {
    const start = this.length;
    const centre = (line: string) => `${' '.repeat(Math.max(0, Math.floor((78 - line.length) / 2)))}${line}`;
    const put = (text: string) => this.put(this.escape(text));
    switch (place) {
      case 'blocks':
        put(`${centre(label)}\n\n${centre(title + after)}\n\n`);
        break;
      case 'two-lines':
        put(`${label}\n${title}${after}\n${'-'.repeat(title.length)}\n\n`);
        break;
      case 'cells':
      case 'three-cells':
      case 'one-cell':
        put(`${wrapped(`${label.padEnd(12)}${title}${after}`, 64, ' '.repeat(12)).trimStart()}\n\n`);
        break;
      case 'run-in':
      case 'breaks': {
        const body = first?.kind === 'paragraph' ? first.text : '';
        const paragraph = wrapped(`${whole}  ${body}`, 78, '').trimStart();
        const letters = whole.replace(/\s/g, '').length;
        let at = 0;
        for (let seen = 0; seen < letters && at < paragraph.length; at++) if (/\S/.test(paragraph[at]!)) seen++;
        put(paragraph.slice(0, at));
        const bodyStart = this.length;
        put(`${paragraph.slice(at)}\n\n`);
        if (first && first.kind !== 'paragraph') this.block(first);
        return { start, bodyStart };
      }
      case 'broken': {
        const words = whole.split(' ');
        const half = Math.max(1, Math.ceil(words.length / 2));
        put(`${words.slice(0, half).join(' ')}\n\n`);
        this.put(`${centre(String(this.page))}\n${this.html ? '' : '<PAGE>\n'}\n`);
        put(`${words.slice(half).join(' ')}\n\n`);
        break;
      }
      default:
        put(`${wrapped(whole, 72, this.random.chance(0.5) ? '         ' : '').trimStart()}\n\n`);
    }
    return { start, bodyStart: this.length };
  }
}

/** Lines of at most a number of characters; all but the first start with the indent of continuation lines. */
function wrapped(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = indent === '   ' ? indent : '';
  for (const word of text.split(/[ \n]+/)) {
    if (line.trim() !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = indent === '   ' ? '' : indent;
    }
    line += line === '' || line.endsWith(' ') ? word : ` ${word}`;
  }
  lines.push(line);
  return lines.join('\n');
}
