/**
 * One linear pass over markup: text runs and tags with their positions (UTF-16 units). Not an HTML parser: no tree, nothing is
 * inserted or moved. Filings are malformed in every way, so nothing here fails. A piece that can't be a tag is text.
 */
import { isLetter, withUnits } from './units.ts';

export interface MarkupSink {
  /** Raw text between tags: character references unresolved. */
  text(start: number, end: number): void;
  /** A start tag `source.slice(start, end)`; `name` in lower case. */
  open(name: string, start: number, end: number, selfClosing: boolean, tag: Tag): void;
  close(name: string, start: number, end: number, tag: Tag): void;
}

/** A tag as written. Filings repeat the same few tags thousands of times: within one scan they are mostly the same object. */
export interface Tag {
  /** In lower case */
  readonly name: string;
  readonly closing: boolean;
  readonly selfClosing: boolean;
  /** Its content is not markup. */
  readonly raw: boolean;
  /** What the line reader found out about the tag, and what the reader of typography did */
  memo: unknown;
  look: unknown;
}

interface KnownTag {
  readonly tag: Tag;
  readonly hash: number;
  /** Position of its first one, and its length without its `>` */
  readonly at: number;
  readonly length: number;
  /** The one that came after it last time */
  next: KnownTag | undefined;
}

/** Elements without content: they have no end tag. */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'br hr img input meta link col area base wbr embed param source track frame'.split(' '),
);

/** Elements whose content is not markup, up to their end tag. */
const RAW_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea', 'xmp']);

/** SGML tags of typewritten filings, which have neither end tags nor attributes. */
const PAGE_TAGS: ReadonlySet<string> = new Set(
  'page table caption s c fn f1 f2 f3 f4 f5 f6 f7 f8 f9 btb article legend multiplier pdf type sequence filename description text document'.split(
    ' ',
  ),
);

/** Tags that a scan remembers, at most: a page of a million different ones must not fill the memory. Powers of two. */
const KNOWN_TAGS = 4_096;
/** Of four bytes: characters beyond ASCII, which `unitsOf` doesn't tell apart. */
const NOT_ASCII = 0x80808080;

/**
 * Scans `whole` from `from` to `to`, in time linear in that range. Comments, declarations and processing instructions are
 * skipped.
 * @param plain a typewritten document: only the SGML tags that EDGAR allowed in one are tags, all else is text
 */
export function scanMarkup(whole: string, from: number, to: number, plain: boolean, sink: MarkupSink): void {
  const source = from === 0 && to === whole.length ? whole : whole.slice(from, to);
  withUnits(source, (units) => scan(source, new Tags(source, plain, units), from, sink));
}

function scan(source: string, tags: Tags, from: number, sink: MarkupSink): void {
  let textStart = 0;
  for (let open = source.indexOf('<'); open >= 0; ) {
    const tag = tags.at(open);
    if (tag === undefined) {
      open = source.indexOf('<', open + 1);
      continue;
    }
    if (open > textStart) sink.text(from + textStart, from + open);
    textStart = tags.end;
    if (tag !== null) {
      if (tag.closing) sink.close(tag.name, from + open, from + textStart, tag);
      else sink.open(tag.name, from + open, from + textStart, tag.selfClosing, tag);
      const end = tag.raw ? tags.rawEnd(tag) : textStart;
      if (end > textStart) sink.text(from + textStart, from + end);
      textStart = end;
    }
    open = source.indexOf('<', textStart);
  }
  if (source.length > textStart) sink.text(from + textStart, from + source.length);
}

/** The tags of a text, for a reader that asks at each `<` in its order. */
export class Tags {
  /** Position after what `at` found */
  end = 0;
  readonly #source: string;
  readonly #plain: boolean;
  readonly #bytes: Uint8Array;
  readonly #words: DataView;
  /** By their hash */
  readonly #known: (KnownTag | undefined)[];
  readonly #facts: KnownTag[] = [];
  #last: KnownTag | undefined;
  // A closing character that is missing up to the end is searched for only once: repeated searches would make the pass quadratic.
  readonly #missing: Missing = { comment: false, tag: false, double: false, single: false, raw: new Set() };

  /** @param units of `withUnits` */
  constructor(source: string, plain: boolean, units: Uint8Array) {
    this.#source = source;
    this.#plain = plain;
    this.#bytes = units;
    this.#words = new DataView(units.buffer, units.byteOffset, units.length);
    this.#known = new Array(plain ? 0 : KNOWN_TAGS);
  }

  /** The tag that begins at `open`, a `<`. Null: a comment or declaration. Undefined: the `<` is text. */
  at(open: number): Tag | null | undefined {
    const bytes = this.#bytes;
    if (open + 2 >= bytes.length) return undefined;
    const next = bytes[open + 1]!;
    const closing = next === 0x2f;
    if (isLetter(closing ? bytes[open + 2]! : next)) {
      if (this.#plain) return this.#read(open, closing);
      const isFact = next === 0x69 && bytes[open + 2] === 0x78 && bytes[open + 3] === 0x3a;
      return isFact ? this.#fact(open) : this.#tag(open, closing);
    }
    if (this.#plain || !(next === 0x21 || next === 0x3f || closing)) return undefined;
    const end = declarationEnd(this.#source, open, this.#missing);
    if (end < 0) return undefined;
    this.end = end;
    return null;
  }

  /** Position of the end tag of a raw text element, whose start tag was found last; that of its beginning without one. */
  rawEnd({ name }: Tag): number {
    const { raw } = this.#missing;
    if (raw.has(name)) return this.end;
    const endTag = new RegExp(`</${name}`, 'gi');
    endTag.lastIndex = this.end;
    const at = endTag.exec(this.#source)?.index;
    if (at === undefined) raw.add(name);
    return at ?? this.end;
  }

  /** Facts of XBRL are written once each: only their names repeat. Those with attributes of HTML are read as other tags are. */
  #fact(open: number): Tag | undefined {
    const bytes = this.#bytes;
    const close = this.#missing.tag ? -1 : this.#source.indexOf('>', open);
    // Behind a value in quotes, which may have a `>` in it.
    const isEnd = bytes[close - 1] === 0x22 && bytes[close - 2]! > 0x20 && bytes[close - 2] !== 0x3d;
    if (!isEnd || this.#source.slice(open, close).includes('style')) return this.#read(open, false);
    const known = this.#facts.find((one) => bytes[open + one.length]! <= 0x20 && isSame(this.#words, one, open));
    const tag = known?.tag ?? this.#read(open, false);
    this.end = close + 1;
    if (known === undefined && tag !== undefined && this.#facts.length < 8)
      this.#facts.push({ tag, hash: 0, at: open, length: tag.name.length + 1, next: undefined });
    return tag;
  }

  #tag(open: number, closing: boolean): Tag | undefined {
    if (this.#missing.tag) return undefined;
    const words = this.#words;
    const last = this.#last;
    const next = last?.next;
    if (next !== undefined && this.#bytes[open + next.length] === 0x3e && isSame(words, next, open))
      return this.#found(next, open);
    const { length } = this.#bytes;
    // Four bytes at a time up to those with the `>`.
    let hash = 0;
    let all = 0;
    let close = open + 1;
    for (; close + 4 <= length; close += 4) {
      const word = words.getInt32(close, true);
      const ends = word ^ 0x3e3e3e3e;
      if ((ends - 0x01010101) & ~ends & NOT_ASCII) break;
      hash = (Math.imul(hash, 0x5bd1e995) + word) | 0;
      all |= word;
    }
    for (; close < length && this.#bytes[close] !== 0x3e; close++) {
      const byte = this.#bytes[close]!;
      hash = (Math.imul(hash, 0x5bd1e995) + byte) | 0;
      all |= byte;
    }
    if (close === length) {
      this.#missing.tag = true;
      return undefined;
    }
    const slot = slotOf(hash, this.#known.length);
    const known = this.#known[slot];
    if (known !== undefined && known.hash === hash && known.length === close - open && isSame(words, known, open)) {
      if (last !== undefined) last.next = known;
      return this.#found(known, open);
    }
    const tag = this.#read(open, closing);
    if (tag !== undefined && this.end === close + 1 && !(all & NOT_ASCII))
      this.#known[slot] = { tag, hash, at: open, length: close - open, next: undefined };
    return tag;
  }

  #found(known: KnownTag, open: number): Tag {
    this.#last = known;
    this.end = open + known.length + 1;
    return known.tag;
  }

  #read(open: number, closing: boolean): Tag | undefined {
    const source = this.#source;
    const start = closing ? open + 2 : open + 1;
    let end = start + 1;
    while (isNameCode(source.charCodeAt(end))) end++;
    const name = source.slice(start, end).toLowerCase();
    if (this.#plain && !isPageTag(source, end, name)) return undefined;
    const close = this.#missing.tag ? -1 : tagEnd(source, end, this.#missing);
    if (close < 0) {
      this.#missing.tag = true;
      return undefined;
    }
    this.end = close + 1;
    const selfClosing = source.charCodeAt(close - 1) === 0x2f;
    return { name, closing, selfClosing, raw: !closing && !selfClosing && RAW_TEXT.has(name), memo: null, look: null };
  }
}

function slotOf(hash: number, slots: number): number {
  return (Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 16) & (slots - 1);
}

/** Whether a known tag is written at `start`: eight bytes at a time. */
function isSame(words: DataView, { at, length }: KnownTag, start: number): boolean {
  const end = start + length;
  let i = start;
  let k = at;
  for (; i + 8 <= end; i += 8, k += 8) if (words.getFloat64(i) !== words.getFloat64(k)) return false;
  for (; i < end; i++, k++) if (words.getUint8(i) !== words.getUint8(k)) return false;
  return true;
}

function isNameCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x3a) ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x5f
  );
}

function isPageTag(source: string, nameEnd: number, name: string): boolean {
  if (!PAGE_TAGS.has(name)) return false;
  const after = source.charCodeAt(nameEnd);
  return after === 0x3e || after === 0x20;
}

interface Missing {
  comment: boolean;
  tag: boolean;
  double: boolean;
  single: boolean;
  readonly raw: Set<string>;
}

/** Position of the `>` that ends a tag; quoted values may have one. -1 without one. */
function tagEnd(source: string, from: number, missing: Missing): number {
  let i = from;
  while (i < source.length) {
    const code = source.charCodeAt(i);
    if (code === 0x3e) return i;
    // A quote opens a value only after an equals sign, as in `a="b"`. A stray apostrophe in a tag opens nothing.
    if ((code === 0x22 || code === 0x27) && isAfterEquals(source, i)) {
      const double = code === 0x22;
      if (double ? missing.double : missing.single) {
        i++;
        continue;
      }
      const close = source.indexOf(double ? '"' : "'", i + 1);
      if (close < 0) {
        if (double) missing.double = true;
        else missing.single = true;
        i++;
        continue;
      }
      i = close;
    }
    i++;
  }
  return -1;
}

function isAfterEquals(source: string, at: number): boolean {
  let i = at - 1;
  while (i > at - 4 && source.charCodeAt(i) <= 0x20) i--;
  return source.charCodeAt(i) === 0x3d;
}

/** End of a comment, a declaration, a processing instruction or a bogus end tag that starts at `open`; -1: it never ends. */
function declarationEnd(source: string, open: number, missing: Missing): number {
  if (source.startsWith('<!--', open) && !missing.comment) {
    const end = source.indexOf('-->', open + 4);
    if (end >= 0) return end + 3;
    missing.comment = true;
  }
  if (missing.tag) return -1;
  const end = source.indexOf('>', open);
  if (end < 0) {
    missing.tag = true;
    return -1;
  }
  return end + 1;
}
