/**
 * The typography at the beginning of each line: size, emphasis, indentation, and how far the first emphasis reaches. Lines know the
 * typography of a line as a whole only; headings that run into their paragraph (`Competition. The market …`) need its parts.
 */
import { BOLD, CENTER, type DocumentLines, ITALIC, LINK, type Line, UNDERLINE } from '../lines/lines.ts';
import { type MarkupSink, scanMarkup, type Tag, VOID_ELEMENTS } from '../lines/markup.ts';
import { depthAt } from '../lines/open-elements.ts';
import { FORMAT_TAGS } from '../lines/tag-meaning.ts';

export interface Typography {
  /** Points; 0 in typewritten text */
  size: number;
  /** BOLD, UNDERLINE, ITALIC, CENTER, LINK of the first words: a mark or a letter before them has often none. */
  emphasis: number;
  /** Those of all words */
  common: number;
  /** Points from the left margin of the page, and those of the first line alone */
  indent: number;
  firstLine: number;
  /** Position in the source after the last visible character that has the emphasis of the first one. */
  leadEnd: number;
}

/** Of one element; null: as outside it. */
interface Style {
  size: number | null;
  /** A factor of the size outside */
  scale: number;
  on: number;
  off: number;
  margin: number;
  firstLine: number | null;
}

interface Open {
  readonly name: string;
  readonly style: Style;
  /** Of text in it */
  readonly here: Here;
}

interface Here {
  readonly size: number;
  readonly emphasis: number;
  readonly margin: number;
  readonly firstLine: number;
}

const NORMAL: Here = { size: 12, emphasis: 0, margin: 0, firstLine: 0 };
/** Points of `<font size=1>` to 7, and of the keywords of CSS */
const FONT_SIZES = [7.5, 7.5, 10, 12, 13.5, 18, 24, 36];
const HEADING_SIZES: Readonly<Record<string, number>> = { h1: 24, h2: 18, h3: 14, h4: 12, h5: 10, h6: 8 };
const KEYWORDS = 'xx-small x-small small medium large x-large xx-large'.split(' ');
const TYPOGRAPHIC = new Set([...FORMAT_TAGS.keys(), ...Object.keys(HEADING_SIZES), 'table']);
/** Deeper elements are ignored: the cost of a page must not exceed its length. */
const MAX_DEPTH = 400;
const PLAIN: Style = { size: null, scale: 1, on: 0, off: 0, margin: 0, firstLine: null };
/** For each line of the document. @param read the same document, if a scan told it */
export function typographyOf(
  { source, markup, lines }: Pick<DocumentLines, 'source' | 'markup' | 'lines'>,
  read?: TypographyReader,
): readonly Typography[] {
  if (markup === 'html' && read !== undefined) return read.of(lines);
  const reader = new TypographyReader(source);
  if (markup === 'html') scanMarkup(source, 0, source.length, false, reader);
  return reader.of(lines);
}

/** Keeps the typography of each text of a scan. */
export class TypographyReader implements MarkupSink {
  readonly #source: string;
  readonly #open: Open[] = [];
  #here = NORMAL;
  /** Of each text: where it begins and ends, and its typography */
  readonly #places: number[] = [];
  readonly #looks: Here[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  open(name: string, from: number, to: number, selfClosing: boolean, tag: Tag): void {
    const open = this.#open;
    if (selfClosing || VOID_ELEMENTS.has(name) || open.length >= MAX_DEPTH) return;
    const depth = depthAt(name, open);
    if (depth < open.length) this.#cut(depth);
    tag.look ??= styleOf(name, this.#source.slice(from, to));
    this.#push(name, tag.look as Style);
  }

  close(name: string): void {
    const open = this.#open;
    let i = open.length - 1;
    while (i >= 0 && open[i]!.name !== name) i--;
    if (i < 0) return;
    if (i === open.length - 1 || !FORMAT_TAGS.has(name) || name === 'center') {
      this.#cut(i);
      return;
    }
    // `<b><i>…</b>…</i>`: only this one ends.
    const rest = open.splice(i).slice(1);
    this.#here = open.at(-1)?.here ?? NORMAL;
    for (const { name, style } of rest) this.#push(name, style);
  }

  text(from: number, to: number): void {
    this.#places.push(from, to);
    this.#looks.push(this.#here);
  }

  #push(name: string, style: Style): void {
    if (style !== PLAIN) this.#here = within(this.#here, style);
    this.#open.push({ name, style, here: this.#here });
  }

  #cut(depth: number): void {
    const open = this.#open;
    // Mostly the last one: cutting a list is slow.
    if (depth === open.length - 1) open.pop();
    else open.length = depth;
    this.#here = depth === 0 ? NORMAL : open[depth - 1]!.here;
  }

  of(lines: readonly Line[]): Typography[] {
    const source = this.#source;
    const found = lines.map(untold);
    let next = 0;
    let known = -1;
    let leads = false;
    for (const [k, here] of this.#looks.entries()) {
      const [from, to] = [this.#places[2 * k]!, this.#places[2 * k + 1]!];
      while (next < lines.length && lines[next]!.end <= from) next++;
      for (let i = next; i < lines.length && lines[i]!.start < to; i++) {
        const line = lines[i]!;
        const one = found[i]!;
        const end = Math.min(to, line.end);
        if (line.start >= from) {
          const { size, emphasis, margin, firstLine } = here;
          found[i] = { size, emphasis, common: emphasis, indent: margin + firstLine, firstLine, leadEnd: end };
          known = i;
          leads = true;
        } else if (known === i && (leads || one.common !== 0)) {
          const { size, emphasis } = here;
          if (leads && size === one.size && ((emphasis ^ one.emphasis) & EMPHASIS) === 0) one.leadEnd = end;
          else if (/[A-Za-z\d]/.test(source.slice(from, Math.min(end, from + PIECE_MAX)).replace(REFERENCE, ''))) {
            leads &&= MARK.test(source.slice(line.start, Math.min(from, line.start + PIECE_MAX)));
            if (leads) Object.assign(one, { size, emphasis, common: emphasis, leadEnd: end });
            else one.common &= emphasis;
          }
        }
      }
    }
    return found;
  }
}

const PLACED = { size: 0, indent: 0, firstLine: 0 };
const untold = ({ format, end }: Line) => ({ ...PLACED, emphasis: format, common: format, leadEnd: end });
export const EMPHASIS = BOLD | UNDERLINE | ITALIC;

/** The number of a title, a bullet, or a first letter, with the tags behind it */
const MARK = /^(?:\W|&#?\w+;)*(?:[A-Z]|\(?(?:[a-z]|\d{1,2}|[ivx]{2,4})[.)])?(?:<[^>]*>|&#?\w+;|[^\w<&])*$/i;
const REFERENCE = /&#?\w+;/g;
const PIECE_MAX = 500;

function within(outside: Here, style: Style): Here {
  return {
    size: style.size ?? outside.size * style.scale,
    emphasis: (outside.emphasis & ~style.off) | style.on,
    margin: outside.margin + style.margin,
    firstLine: style.firstLine ?? outside.firstLine,
  };
}

/** Attributes that count */
const STATED = /style|align|href|size/i;

function styleOf(name: string, tag: string): Style {
  if (!STATED.test(tag) && !TYPOGRAPHIC.has(name)) return PLAIN;
  const style: Style = { ...PLAIN, on: FORMAT_TAGS.get(name) ?? 0, size: HEADING_SIZES[name] ?? null };
  if (tag.length > 2000) return style;
  if (name === 'font') {
    const [, sign = '', digits] = /\ssize\s*=\s*["']?([+-]?)(\d)/i.exec(tag) ?? [];
    if (digits !== undefined) {
      const size = sign === '' ? Number(digits) : 3 + Number(`${sign}${digits}`);
      style.size = FONT_SIZES[Math.min(7, Math.max(1, size))]!;
    }
  }
  if (name === 'a' && /\shref\s*=/i.test(tag)) style.on |= LINK;
  // A table in the middle, or within what is, has its cells at the left.
  const align =
    name === 'table' ? 'left' : /\salign\s*=\s*["']?(center|left|right|justify)/i.exec(tag)?.[1]?.toLowerCase();
  if (align !== undefined) set(style, CENTER, align === 'center');
  const css = /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag);
  if (css !== null) readCss(style, css[1] ?? css[2] ?? '');
  return style;
}

function readCss(style: Style, css: string): void {
  for (const declaration of css.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const name = declaration.slice(0, colon).trim();
    const value = declaration.slice(colon + 1).trim();
    if (name === 'font-size') readSize(style, value);
    else if (name === 'font') {
      readSize(style, /(?:^|\s)([\d.]+(?:pt|px|em|rem|%|in))/.exec(value)?.[1] ?? '');
      set(style, BOLD, /\b(?:bold|[6-9]00)\b/.test(value));
      set(style, ITALIC, /\b(?:italic|oblique)\b/.test(value));
    } else if (name === 'font-weight') set(style, BOLD, /bold|[6-9]00/.test(value));
    else if (name === 'font-style') set(style, ITALIC, /italic|oblique/.test(value));
    else if (name.startsWith('text-decoration')) {
      if (value.includes('underline')) set(style, UNDERLINE, true);
    } else if (name === 'text-align') set(style, CENTER, value.startsWith('center'));
    else if (name === 'margin-left' || name === 'padding-left') style.margin += pointsOf(value) ?? 0;
    else if (name === 'margin' || name === 'padding') {
      const sides = value.split(/\s+/);
      style.margin += pointsOf(sides[3] ?? sides[1] ?? sides[0] ?? '') ?? 0;
    } else if (name === 'text-indent') style.firstLine = pointsOf(value);
  }
}

function set(style: Style, mark: number, on: boolean): void {
  style.on = on ? style.on | mark : style.on & ~mark;
  style.off = on ? style.off & ~mark : style.off | mark;
}

function readSize(style: Style, value: string): void {
  const [, number, unit] = /^([\d.]+)(em|rem|%)$/.exec(value) ?? [];
  if (number !== undefined) style.scale = Number(number) / (unit === '%' ? 100 : 1);
  else style.size = FONT_SIZES[KEYWORDS.indexOf(value)] ?? pointsOf(value) ?? style.size;
}

/** Null for lengths in other units. Percentages are of a page 468 points wide. */
function pointsOf(value: string): number | null {
  const [, number, unit] = /^(-?[\d.]+)(pt|px|in|em|cm|mm|%)?/.exec(value) ?? [];
  if (number === undefined || Number.isNaN(Number(number))) return null;
  const factor = { pt: 1, px: 0.75, in: 72, em: 12, cm: 28.35, mm: 2.835, '%': 4.68 }[unit ?? 'px'] ?? 1;
  return Math.round(Number(number) * factor * 10) / 10;
}
