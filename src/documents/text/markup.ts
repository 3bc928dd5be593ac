/**
 * One linear pass over markup: text runs and tags with their positions (UTF-16 units). Not an HTML parser: no tree, nothing is
 * inserted or moved. Filings are malformed in every way, so nothing here fails. A piece that can't be a tag is text.
 */

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
  /** What the sink found out about the tag */
  memo: unknown;
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

/** Tags that a scan remembers. A page of a million different ones must not fill the memory. */
const KNOWN_TAGS_MAX = 4_000;
const KNOWN_TAG_LENGTH_MAX = 2_000;

/**
 * Scans `whole` from `from` to `to`, in time linear in that range. Comments, declarations and processing instructions are
 * skipped.
 * @param plain a typewritten document: only the SGML tags that EDGAR allowed in one are tags, all else is text
 */
export function scanMarkup(whole: string, from: number, to: number, plain: boolean, sink: MarkupSink): void {
  // Cut off (V8 copies nothing), so that every search ends at `to`. Otherwise each scan of a line could read to the end of the
  // document.
  const source = to < whole.length ? whole.slice(0, to) : whole;
  // A closing character that is missing up to the end is searched for only once: repeated searches would make the pass quadratic.
  const missing = { comment: false, tag: false, double: false, single: false, raw: new Set<string>() };
  // By their text up to the first `>`: only tags that end there.
  const known = new Map<string, Tag>();
  let at = from;
  let textStart = from;
  while (at < to) {
    const open = source.indexOf('<', at);
    if (open < 0 || open >= to) break;
    const next = source.charCodeAt(open + 1);
    const closing = next === 0x2f;
    const letter = (closing ? source.charCodeAt(open + 2) : next) | 0x20;
    if (letter >= 0x61 && letter <= 0x7a) {
      const first = plain || missing.tag ? -1 : source.indexOf('>', open);
      const written = first < 0 || first - open > KNOWN_TAG_LENGTH_MAX ? null : source.slice(open, first + 1);
      let tag = written === null ? undefined : known.get(written);
      if (tag === undefined) {
        const nameStart = closing ? open + 2 : open + 1;
        let nameEnd = nameStart + 1;
        while (isNameCode(source.charCodeAt(nameEnd))) nameEnd++;
        if (nameEnd > to) break;
        const name = source.slice(nameStart, nameEnd).toLowerCase();
        if (plain && !isPageTag(source, nameEnd, name)) {
          at = open + 1;
          continue;
        }
        const close = missing.tag ? -1 : tagEnd(source, nameEnd, to, missing);
        if (close < 0) {
          missing.tag = true;
          at = open + 1;
          continue;
        }
        at = close + 1;
        tag = { name, closing, selfClosing: source.charCodeAt(close - 1) === 0x2f, memo: null };
        if (written !== null && close === first && known.size < KNOWN_TAGS_MAX) known.set(written, tag);
      } else at = first + 1;
      if (open > textStart) sink.text(textStart, open);
      textStart = at;
      const { name, selfClosing } = tag;
      if (closing) {
        sink.close(name, open, at, tag);
        continue;
      }
      sink.open(name, open, at, selfClosing, tag);
      if (!selfClosing && RAW_TEXT.has(name) && !missing.raw.has(name)) {
        const end = rawTextEnd(source, at, to, name);
        if (end < 0) missing.raw.add(name);
        else {
          if (end > at) sink.text(at, end);
          at = end;
          textStart = end;
        }
      }
    } else if (!plain && (next === 0x21 || next === 0x3f || closing)) {
      const end = declarationEnd(source, open, to, missing);
      if (end < 0) {
        at = open + 1;
        continue;
      }
      if (open > textStart) sink.text(textStart, open);
      at = end;
      textStart = end;
    } else {
      at = open + 1;
    }
  }
  if (to > textStart) sink.text(textStart, to);
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
}

/** Position of the `>` that ends a tag; quoted values may have one. -1 without one. */
function tagEnd(source: string, from: number, to: number, missing: Missing): number {
  let i = from;
  while (i < to) {
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
      if (close < 0 || close >= to) {
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
function declarationEnd(source: string, open: number, to: number, missing: Missing): number {
  if (source.startsWith('<!--', open) && !missing.comment) {
    const end = source.indexOf('-->', open + 4);
    if (end >= 0 && end + 3 <= to) return end + 3;
    missing.comment = true;
  }
  if (missing.tag) return -1;
  const end = source.indexOf('>', open);
  if (end < 0 || end >= to) {
    missing.tag = true;
    return -1;
  }
  return end + 1;
}

/** Position of the end tag of a raw text element; -1 without one. */
function rawTextEnd(source: string, from: number, to: number, name: string): number {
  let at = source.indexOf('</', from);
  while (at >= 0 && at < to) {
    if (source.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
    at = source.indexOf('</', at + 2);
  }
  return -1;
}
