/** Ways to write the same filing differently: what a reader sees stays the same, so the sections must too. */
import { scanMarkup } from '../../../src/filings/documents/lines/markup.ts';

/** A small deterministic generator: the same seed writes the same document. */
export function random(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

/**
 * Rewrites the text between tags; scripts and the title stay unchanged. `map` receives whether white space counts at the place of
 * the text.
 */
export function mapText(
  source: string,
  html: boolean,
  map: (text: string, typed: boolean) => string,
  mapTag: (tag: string, name: string) => string = (tag) => tag,
): string {
  const out: string[] = [];
  let raw = 0;
  let typed = html ? 0 : 1;
  let at = 0;
  const copyTo = (end: number) => {
    if (end > at) out.push(source.slice(at, end));
    at = Math.max(at, end);
  };
  const isRaw = (name: string) => name === 'script' || name === 'style' || name === 'title';
  scanMarkup(source, 0, source.length, !html, {
    text(start, end) {
      copyTo(start);
      out.push(raw > 0 ? source.slice(start, end) : map(source.slice(start, end), typed > 0));
      at = end;
    },
    open(name, start, end, selfClosing) {
      copyTo(start);
      out.push(mapTag(source.slice(start, end), name));
      at = end;
      if (isRaw(name) && !selfClosing) raw++;
      if (name === 'pre' && !selfClosing) typed++;
    },
    close(name, start, end) {
      copyTo(start);
      out.push(mapTag(source.slice(start, end), name));
      at = end;
      if (isRaw(name) && raw > 0) raw--;
      if (name === 'pre' && typed > 0) typed--;
    },
  });
  copyTo(source.length);
  return out.join('');
}

/** Character references are kept whole while `map` changes the text between them. */
function betweenReferences(text: string, map: (text: string) => string): string {
  return text
    .split(/(&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?)/)
    .map((piece, i) => (i % 2 === 1 ? piece : map(piece)))
    .join('');
}

const BLOCK = /^(?:p|div|tr|td|table|h[1-6]|li|ul)$/;

export interface Rearrangement {
  name: string;
  /** Of documents that are HTML, of typewritten ones, or of both. */
  of: 'html' | 'typed' | 'both';
  apply(source: string, html: boolean): string;
}

export const REARRANGEMENTS: readonly Rearrangement[] = [
  {
    name: 'lines broken elsewhere',
    of: 'html',
    apply(source, html) {
      const next = random(7);
      return mapText(source, html, (text, typed) =>
        typed ? text : text.replace(/[ \t\r\n]+/g, () => (next() < 0.3 ? '\n' : next() < 0.1 ? ' \n  ' : ' ')),
      );
    },
  },
  {
    name: 'indented again',
    of: 'html',
    apply(source, html) {
      const next = random(11);
      return mapText(
        source,
        html,
        (text) => text,
        (tag, name) => (BLOCK.test(name) ? `\n${' '.repeat(Math.floor(next() * 8))}${tag}` : tag),
      );
    },
  },
  {
    name: 'tags split',
    of: 'html',
    apply(source, html) {
      const next = random(13);
      return mapText(source, html, (text) =>
        betweenReferences(text, (piece) =>
          piece.replace(/[A-Za-z0-9]{2,}/g, (word) => {
            if (next() > (/^(?:item|part)/i.test(word) ? 0.6 : 0.04)) return word;
            const cut = 1 + Math.floor(next() * (word.length - 1));
            return `<span>${word.slice(0, cut)}</span><font>${word.slice(cut)}</font>`;
          }),
        ),
      );
    },
  },
  {
    name: 'upper case',
    of: 'both',
    apply: (source, html) => mapText(source, html, (text) => betweenReferences(text, (piece) => piece.toUpperCase())),
  },
  {
    name: 'lower case',
    of: 'both',
    apply: (source, html) => mapText(source, html, (text) => betweenReferences(text, (piece) => piece.toLowerCase())),
  },
  {
    name: 'other spaces',
    of: 'html',
    apply(source, html) {
      const next = random(17);
      const spaces = ['&nbsp;', '&#160;', '  ', '&#8194;', '&nbsp; ', ' '];
      return mapText(source, html, (text, typed) =>
        typed
          ? text
          : betweenReferences(text, (piece) => piece.replace(/ /g, () => spaces[Math.floor(next() * spaces.length)]!)),
      );
    },
  },
  {
    name: 'letters as references',
    of: 'both',
    apply(source, html) {
      const next = random(19);
      return mapText(source, html, (text) =>
        betweenReferences(text, (piece) =>
          piece.replace(/[A-Za-z.,'\u2019-]/g, (letter) =>
            next() < 0.1
              ? `&#${next() < 0.5 ? letter.charCodeAt(0) : `x${letter.charCodeAt(0).toString(16)}`};`
              : letter,
          ),
        ),
      );
    },
  },
  { name: 'indented as a whole', of: 'typed', apply: (source) => source.replace(/^(?=[^<\n])/gm, '     ') },
  { name: 'spaces doubled', of: 'typed', apply: (source) => source.replace(/(?<=[A-Za-z]) (?=[A-Za-z])/g, '  ') },
  { name: 'line ends of Windows', of: 'both', apply: (source) => source.replace(/\r?\n/g, '\r\n') },
];

export interface ListedItem {
  /** `Item 7A.` */
  item: string;
  title: string;
  /** `PART II`, at the beginning of a new part. */
  part: string | null;
}

/** A table of contents put in front of a document: with page numbers, as bare lines, or as links. */
export function withContents(
  source: string,
  html: boolean,
  items: readonly ListedItem[],
  style: 'pages' | 'lines' | 'links',
): string {
  if (!html) {
    const rows = items.map((item, i) => {
      const row = `${item.item} ${item.title}`.slice(0, 62);
      return `${item.part ? `\n${item.part}\n\n` : ''}${style === 'pages' ? `${row} ${'.'.repeat(66 - row.length)} ${i * 3 + 1}` : row}\n`;
    });
    return `TABLE OF CONTENTS\n\n${rows.join('')}\n\n${source}`;
  }
  const rows = items.map((item, i) => {
    const part = item.part
      ? style === 'pages'
        ? `<tr><td colspan="3"><b>${item.part}</b></td></tr>`
        : `<p>${item.part}</p>`
      : '';
    if (style === 'pages') return `${part}<tr><td>${item.item}</td><td>${item.title}</td><td>${i * 3 + 1}</td></tr>`;
    if (style === 'links') return `${part}<p><a href="#s${i}">${item.item} ${item.title}</a></p>`;
    return `${part}<div>${item.item} ${item.title}</div>`;
  });
  const contents = `<p>TABLE OF CONTENTS</p>${style === 'pages' ? `<table>${rows.join('')}</table>` : rows.join('')}<p>This report holds statements about what is to come.</p>`;
  const body = /<body[^>]*>/i.exec(source);
  const at = body ? body.index + body[0].length : firstTextAt(source);
  return source.slice(0, at) + contents + source.slice(at);
}

function firstTextAt(source: string): number {
  const text = /<text>\s*/i.exec(source.slice(0, 4000));
  return text ? text.index + text[0].length : 0;
}

/** Ways to set a heading: in table cells, on two lines, alone. `$1` is the item with its number, `$2` the title. */
export const HEADING_LAYOUTS: readonly { name: string; of: 'html' | 'typed'; pattern: string }[] = [
  { name: 'two cells of a row', of: 'html', pattern: '<table><tr><td>$1</td><td>$2</td></tr></table>' },
  {
    name: 'cells with empty ones between',
    of: 'html',
    pattern:
      '<table width="100%"><tr><td></td><td><b>$1</b></td><td>&nbsp;</td><td><b>$2</b></td><td></td></tr></table>',
  },
  { name: 'two rows', of: 'html', pattern: '<table><tr><td>$1</td></tr><tr><td>$2</td></tr></table>' },
  {
    name: 'blocks one below the other',
    of: 'html',
    pattern: '<div align="center">$1</div><div align="center">$2</div>',
  },
  { name: 'a plain paragraph', of: 'html', pattern: '<p>$1 $2</p>' },
  { name: 'a heading element', of: 'html', pattern: '<h2>$1&#8212;$2</h2>' },
  { name: 'parted by a line break', of: 'html', pattern: '<p><u>$1</u><br>$2</p>' },
  { name: 'two centred lines', of: 'typed', pattern: '\n                    $1\n                    $2\n\n' },
  { name: 'indented', of: 'typed', pattern: '\n     $1   $2\n\n' },
];

/** Formats the headings between `start_index` and `body_index` again; those that run into their text stay unchanged. */
export function withHeadings(
  source: string,
  html: boolean,
  headings: readonly { start_index: number; body_index: number }[],
  pattern: string,
): string {
  const out: string[] = [];
  let at = 0;
  const seen = new Set<number>();
  for (const heading of headings.toSorted((a, b) => a.start_index - b.start_index)) {
    if (heading.start_index < at || seen.has(heading.start_index) || heading.body_index - heading.start_index < 8)
      continue;
    seen.add(heading.start_index);
    const words: string[] = [];
    const tags: string[] = [];
    scanMarkup(source, heading.start_index, heading.body_index, !html, {
      text: (start, end) => words.push(source.slice(start, end)),
      open: (_name, start, end) => tags.push(source.slice(start, end)),
      close: (_name, start, end) => tags.push(source.slice(start, end)),
    });
    const text = words
      .join('')
      .replace(/(?:\s|&nbsp;|&#160;|\u00a0)+/g, ' ')
      .trim();
    const parts = /^(items?\s?[\dA-C]+(?:\(T\))?\s?[.:]?)\s?[\u2013\u2014-]?\s?(\S.*)$/is.exec(text);
    // A rule of dashes under a typewritten heading is part of its layout.
    if (!parts || /-{5,}|={5,}|<t[dr]/i.test(text)) continue;
    out.push(
      source.slice(at, heading.start_index),
      pattern.replace('$1', () => parts[1]!).replace('$2', () => parts[2]!),
      tags.join(''),
    );
    at = heading.body_index;
  }
  out.push(source.slice(at));
  return out.join('');
}

/** The whole document in a cell of a layout table, as from some filer agents' software. */
export function inLayoutTable(source: string): string {
  const body = /<body[^>]*>/i.exec(source);
  const start = body ? body.index + body[0].length : firstTextAt(source);
  const close = source.search(/<\/body/i);
  const end = close < 0 ? source.length : close;
  return `${source.slice(0, start)}<table><tr><td width="20"></td><td>${source.slice(start, end)}</td></tr></table>${source.slice(end)}`;
}

/** All type alike: neither bold nor underlined nor centred. */
export function withoutType(source: string): string {
  return mapText(
    source,
    true,
    (text) => text,
    (tag, name) =>
      /^(?:b|strong|u|i|em|center|h[1-6])$/.test(name)
        ? ''
        : tag.replace(
            /font-weight\s*:[^;"']*|text-decoration[a-z-]*\s*:[^;"']*|text-align\s*:[^;"']*|\balign\s*=\s*["']?center["']?/gi,
            '',
          ),
  );
}

interface Placed {
  section: string;
  heading: string;
  start_index: number;
  end_index: number;
}

/**
 * A header after each page break, as some filers print: the part and the item at the page's top (`first`), the last item of the
 * page (`last`), or only that item's number. `moved` returns the new position of a position of the source.
 */
export function withRunningHeaders(
  source: string,
  html: boolean,
  sections: readonly Placed[],
  style: 'first' | 'last' | 'number',
): { text: string; moved: (position: number) => number } {
  const [first, last] = [sections[0], sections.at(-1)];
  const breaks = [...source.matchAll(html ? /<hr[^>]*>/gi : /<PAGE>\s*\n/g)]
    .map((match) => match.index + match[0].length)
    .filter((at) => first && last && at > first.start_index && at < last.end_index);
  if (breaks.length < 10) return { text: source, moved: (position) => position };
  const inserted: { at: number; length: number }[] = [];
  const out: string[] = [];
  let at = 0;
  for (const [k, place] of breaks.entries()) {
    const pageEnd = breaks[k + 1] ?? last!.end_index;
    const item =
      style === 'last'
        ? sections.findLast((section) => section.start_index < pageEnd)
        : sections.find((section) => section.start_index <= place && place < section.end_index);
    if (!item) continue;
    const number = item.section.replace(/.*-/, '');
    const words = style === 'number' ? `Item ${number}.` : item.heading.replace(/[<>&]/g, '');
    const header = html ? `<div><p>${words}</p></div>` : `${words}\n\n`;
    out.push(source.slice(at, place), header);
    inserted.push({ at: place, length: header.length });
    at = place;
  }
  out.push(source.slice(at));
  return {
    text: out.join(''),
    moved: (position) => position + inserted.reduce((sum, one) => sum + (one.at <= position ? one.length : 0), 0),
  };
}
