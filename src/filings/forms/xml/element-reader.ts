/**
 * Reads an XML document into elements, strictly. It returns records one at a time, so that a table of 100,000 rows needs the
 * memory of one row. It is our own scanner, since it is faster than saxes (docs/internals/decisions/forms-xml-reader.md); a test
 * compares their verdicts.
 */
import { Element, internalized, isSpace, isXmlSpace, trimmed } from './element.ts';
import { decodeReferences } from './references.ts';
import { type TextPieces, unixLines } from './text-pieces.ts';
import { XmlFault, type XmlFaultCode } from './xml-fault.ts';

const MAX_DEPTH = 256;

const NAME_START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME = new RegExp(`^[${NAME_START}][${NAME_START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*$`, 'u');
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\uFFFE\uFFFF]/;
const NO_ATTRIBUTES: readonly string[] = [];
/** Every element is returned when it ends, with all its attributes as written, and none is kept: memory has the open ones only. */
export const EACH = Symbol('each element');
/** A construct may end in the next piece of the text: it is read again when the piece is there. */
const INCOMPLETE = new Error('more of the document is needed');
const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;

interface Name {
  /** The name as written in tags. */
  qualified: string;
  local: string;
  /** Characters of the written name: comparing them one by one is faster than V8's `startsWith`. */
  codes: Uint16Array;
  /** The name that last followed it. Rows of a table repeat their order, so it is tried first. */
  next: Name | null;
}

/** Names of all documents so far: the few hundred of the forms. Others would not end. */
const NAMES = new Map<string, Name>();
const MAX_NAMES = 5000;
/** Stands before the root's name. */
const FIRST = nameOf('');

function nameOf(qualified: string): Name {
  const codes = new Uint16Array(qualified.length);
  for (let k = 0; k < codes.length; k++) codes[k] = qualified.charCodeAt(k);
  const local = internalized(qualified.slice(qualified.indexOf(':') + 1));
  return { qualified: internalized(qualified), local, codes, next: null };
}

function isAt(text: string, at: number, codes: Uint16Array): boolean {
  for (let k = 0; k < codes.length; k++) if (text.charCodeAt(at + k) !== codes[k]) return false;
  return true;
}

export class ElementReader {
  /** The document, or the part of it that is needed now. */
  #text: string;
  /** The rest of the document; null if `#text` has all of it. */
  #pieces: TextPieces | null;
  /** Tags that begin behind this position may not be whole. */
  #limit = Number.POSITIVE_INFINITY;
  /** Lines before `#text`. */
  #lines = 0;
  readonly #isRecord: ((element: Element) => boolean) | null;
  readonly #each: boolean;
  /** Names of the open elements, as closing tags must repeat them. */
  readonly #open: Name[] = [];
  /** The innermost open element. */
  #top: Element | null = null;
  /** Number of open elements at the start of the current record; -1 outside records. */
  #recordDepth = -1;
  /** The name of the previous tag. */
  #name = FIRST;
  #mayEndCdata = false;
  /** Start of the document, after white space. */
  #start = 0;
  #at = 0;
  #records = 0;
  #root: Element | null = null;
  readonly #proven: boolean;
  #begun = false;

  /**
   * @param source the document; white space and a byte order mark before it are skipped. In pieces, only a part of it is in memory
   * @param isRecord elements that `next` returns; they are not kept in the tree. Called at the opening tag, for elements outside a
   * record only. Null: the document has none. EACH: every element, the inner ones first
   * @param proven the same text was read to its end before
   */
  constructor(
    source: string | TextPieces,
    isRecord: ((element: Element) => boolean) | typeof EACH | null,
    proven = false,
  ) {
    this.#text = typeof source === 'string' ? unixLines(source) : '';
    this.#pieces = typeof source === 'string' ? null : source;
    this.#each = isRecord === EACH;
    this.#isRecord = isRecord === EACH ? null : isRecord;
    this.#proven = proven;
  }

  /** The root without records, as far as it has been read. */
  get root(): Element | null {
    return this.#root;
  }

  /** The next record; null at the end. @throws XmlFault malformed XML, a doctype with entities, depth over 256 */
  next(): Element | null {
    if (!this.#begun) this.#begin();
    for (;;) {
      try {
        return this.#scan();
      } catch (error) {
        if (error !== INCOMPLETE) throw error;
        this.#refill();
      }
    }
  }

  /** A fault leaves `#at` where the faulty construct begins. */
  #scan(): Element | null {
    for (;;) {
      const text = this.#text;
      const less = text.indexOf('<', this.#at);
      if (less < 0 || less > this.#limit) {
        if (this.#refill()) continue;
        return this.#end();
      }
      if (less > this.#at) this.#characters(this.#at, less);
      this.#at = less;
      const code = text.charCodeAt(less + 1);
      if (code === SLASH) {
        const record = this.#close(less);
        if (record !== null) return record;
      } else if (code === 0x21) this.#declaration(less);
      else if (code === 0x3f) this.#instruction(less);
      else {
        const record = this.#element(less);
        if (record !== null) return record;
      }
    }
  }

  #begin(): void {
    this.#begun = true;
    if (this.#pieces === null) this.#look(this.#text, 0);
    do {
      while (isSpace(this.#text.charCodeAt(this.#at)) || this.#text.charCodeAt(this.#at) === 0xfeff) this.#at++;
    } while (this.#at === this.#text.length && this.#refill());
    this.#start = this.#at;
  }

  /** Looks at new text, which begins at `from`. */
  #look(text: string, from: number): void {
    if (this.#proven) return;
    const added = from === 0 ? text : text.slice(from);
    const found = FORBIDDEN.exec(added);
    if (found) throw this.#fault('a character that XML forbids', text, from + found.index);
    if (!added.isWellFormed()) throw this.#fault('half a character', text, from);
    this.#mayEndCdata = text.includes(']]>');
  }

  /** Adds at least as much text as is left, and drops the text that was read. @returns false at the end of the document */
  #refill(): boolean {
    const pieces = this.#pieces;
    if (pieces === null) return false;
    for (let end = this.#text.indexOf('\n'); end >= 0 && end < this.#at; end = this.#text.indexOf('\n', end + 1))
      this.#lines++;
    const kept = this.#text.slice(this.#at);
    let text = kept;
    while (this.#pieces !== null && (text.length < 2 * kept.length || text.length === kept.length)) {
      const piece = pieces.next();
      if (piece === null) this.#pieces = null;
      else text += piece;
    }
    this.#start -= this.#at;
    this.#at = 0;
    this.#text = text;
    this.#limit = this.#pieces === null ? Number.POSITIVE_INFINITY : text.length - pieces.ahead;
    this.#look(text, kept.length);
    return true;
  }

  #end(): null {
    const text = this.#text;
    const top = this.#open.at(-1);
    if (top !== undefined) this.#fail(`the document ends within <${top.qualified}>`, text.length);
    for (; this.#at < text.length; this.#at++)
      if (!isXmlSpace(text.charCodeAt(this.#at))) this.#fail('text outside the root element', this.#at);
    if (this.#root === null) this.#fail('there is no element', 0);
    return null;
  }

  #characters(start: number, end: number): void {
    const text = this.#text;
    let at = start;
    while (at < end && isXmlSpace(text.charCodeAt(at))) at++;
    const top = this.#top;
    if (top === null) {
      if (at < end) this.#fail('text outside the root element', at);
      return;
    }
    // White space between elements. Before the first word it would be removed anyway.
    if (at === end && top.text === '' && !this.#each) return;
    const raw = text.slice(start, end);
    if (this.#mayEndCdata && raw.includes(']]>')) this.#fail("']]>' in text", start);
    const decoded = raw.includes('&') ? this.#decode(raw, start) : raw;
    top.text = top.text === '' ? decoded : top.text + decoded;
  }

  #decode(raw: string, at: number): string {
    const text = decodeReferences(raw);
    if (text === null) throw this.#fault('a character reference that XML does not know', this.#text, at);
    return text;
  }

  #element(less: number): Element | null {
    const text = this.#text;
    const name = this.#nameAt(less);
    let at = less + 1 + name.qualified.length;
    const parent = this.#top;
    if (parent === null && this.#root !== null) this.#fail('a second root element', less);
    if (this.#open.length >= MAX_DEPTH)
      this.#fail(`elements are nested deeper than ${MAX_DEPTH}`, less, 'xml-too-deep');
    let attributes = NO_ATTRIBUTES;
    let code = text.charCodeAt(at);
    if (code !== GREATER && !(code === SLASH && text.charCodeAt(at + 1) === GREATER)) {
      attributes = this.#attributes(at, less);
      at = this.#at;
      code = text.charCodeAt(at);
    }
    const empty = code === SLASH;
    if (empty && text.charCodeAt(at + 1) !== GREATER) {
      this.#at = less;
      this.#fail('a tag that does not end', less);
    }
    this.#at = at + (empty ? 2 : 1);
    const element = new Element(name.local, parent, attributes);
    const record = this.#each || (this.#recordDepth < 0 && this.#isRecord !== null && this.#isRecord(element));
    if (parent === null) this.#root = element;
    else if (!record) parent.add(element);
    // White space before a child is layout.
    else if (this.#each && trimmed(parent.text) === '') parent.text = '';
    if (record) element.recordOrdinal = ++this.#records;
    if (empty || this.#leaf(element, name)) return record ? element : null;
    if (record && !this.#each) this.#recordDepth = this.#open.length;
    this.#open.push(name);
    this.#top = element;
    return null;
  }

  /** Reads plain text and the closing tag, if there is nothing else, as in most elements. */
  #leaf(element: Element, name: Name): boolean {
    const text = this.#text;
    const start = this.#at;
    const end = text.indexOf('<', start);
    if (end < 0 || text.charCodeAt(end + 1) !== SLASH) return false;
    const after = end + 2 + name.qualified.length;
    if (text.charCodeAt(after) !== GREATER || !isAt(text, end + 2, name.codes)) return false;
    const raw = text.slice(start, end);
    if (this.#mayEndCdata && raw.includes(']]>')) return false;
    element.text = raw.includes('&') ? this.#decode(raw, start) : raw;
    this.#at = after + 1;
    return true;
  }

  #nameAt(less: number): Name {
    const text = this.#text;
    const before = this.#name;
    const guess = before.next;
    if (guess !== null && isAt(text, less + 1, guess.codes)) {
      const code = text.charCodeAt(less + 1 + guess.qualified.length);
      if (code === GREATER || code === SLASH || isXmlSpace(code)) {
        this.#name = guess;
        return guess;
      }
    }
    let at = less + 1;
    let code = text.charCodeAt(at);
    while (code !== GREATER && code !== SLASH && !isXmlSpace(code)) {
      if (Number.isNaN(code) || code === LESS) this.#fail('a tag that does not end', less);
      code = text.charCodeAt(++at);
    }
    const qualified = text.slice(less + 1, at);
    const name = NAMES.get(qualified) ?? this.#newName(qualified, less);
    before.next = name;
    this.#name = name;
    return name;
  }

  #newName(qualified: string, at: number): Name {
    if (!NAME.test(qualified)) this.#fail(`'${qualified.slice(0, 40)}' is not a name of an element`, at);
    const name = nameOf(qualified);
    if (NAMES.size >= MAX_NAMES) NAMES.clear();
    NAMES.set(name.qualified, name);
    return name;
  }

  /** Reads attributes from `at` to the `>` or `/` of the tag, and leaves `#at` there. */
  #attributes(at: number, less: number): readonly string[] {
    const text = this.#text;
    const kept: string[] = [];
    const names: string[] = [];
    for (;;) {
      const before = at;
      while (isXmlSpace(text.charCodeAt(at))) at++;
      const code = text.charCodeAt(at);
      if (code === GREATER || code === SLASH) {
        this.#at = at;
        return kept;
      }
      if (at === before) this.#fail('attributes that no white space divides', less);
      const start = at;
      let here = code;
      while (here !== 0x3d && here !== GREATER && here !== LESS && !isXmlSpace(here)) {
        if (Number.isNaN(here)) this.#fail('a tag that does not end', less);
        here = text.charCodeAt(++at);
      }
      const name = text.slice(start, at);
      while (isXmlSpace(text.charCodeAt(at))) at++;
      if (text.charCodeAt(at) !== 0x3d) this.#fail(`attribute '${name.slice(0, 40)}' has no value`, less);
      at++;
      while (isXmlSpace(text.charCodeAt(at))) at++;
      const quote = text[at];
      if (quote !== '"' && quote !== "'") this.#fail(`attribute '${name.slice(0, 40)}' is not quoted`, less);
      const end = text.indexOf(quote!, at + 1);
      if (end < 0) this.#fail('a tag that does not end', less);
      const raw = text.slice(at + 1, end);
      if (raw.includes('<')) this.#fail(`'<' in attribute '${name.slice(0, 40)}'`, less);
      if (names.includes(name)) this.#fail(`attribute '${name.slice(0, 40)}' is repeated`, less);
      if (!NAME.test(name)) this.#fail(`'${name.slice(0, 40)}' is not a name of an attribute`, less);
      names.push(name);
      const spaced = /[\t\n]/.test(raw) ? raw.replace(/[\t\n]/g, ' ') : raw;
      const value = spaced.includes('&') ? this.#decode(spaced, less) : spaced;
      if (this.#each) {
        if (!/^xmlns(:|$)/.test(name)) kept.push(name, value);
      } else if (name !== 'xmlns' && !/^(xmlns|xsi|xml):/.test(name))
        kept.push(name.slice(name.indexOf(':') + 1), value);
      at = end + 1;
    }
  }

  #close(less: number): Element | null {
    const text = this.#text;
    const qualified = this.#open.at(-1)?.qualified;
    if (qualified === undefined || !text.startsWith(qualified, less + 2))
      this.#fail(`a closing tag where ${qualified === undefined ? 'nothing is open' : `</${qualified}> is due`}`, less);
    let at = less + 2 + qualified!.length;
    while (isXmlSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== GREATER) this.#fail(`a closing tag where </${qualified}> is due`, less);
    this.#at = at + 1;
    this.#open.pop();
    const element = this.#top!;
    this.#top = element.parent;
    if (this.#each) return element;
    if (this.#open.length !== this.#recordDepth) return null;
    this.#recordDepth = -1;
    return element;
  }

  #declaration(less: number): void {
    const text = this.#text;
    if (text.startsWith('<!--', less)) {
      const end = text.indexOf('--', less + 4);
      if (end < 0 || text.charCodeAt(end + 2) !== GREATER) this.#fail('a comment that does not end, or holds --', less);
      this.#at = end + 3;
    } else if (text.startsWith('<![CDATA[', less)) {
      const top = this.#top;
      const end = text.indexOf(']]>', less + 9);
      if (end < 0 || top === null) this.#fail('a CDATA section that does not end, or outside the root', less);
      top.text += text.slice(less + 9, end);
      this.#at = end + 3;
    } else if (text.startsWith('<!DOCTYPE', less) && this.#root === null) {
      const end = text.indexOf('>', less);
      const subset = text.slice(less, end < 0 ? undefined : end);
      if (subset.includes('['))
        this.#fail('a document type with declarations, which are not read', less, 'xml-entities-declared');
      if (end < 0) this.#fail('a document type that does not end', less);
      this.#at = end + 1;
    } else this.#fail("'<!' that begins nothing", less);
  }

  #instruction(less: number): void {
    const text = this.#text;
    const end = text.indexOf('?>', less + 2);
    const target = /^[^\s?]*/.exec(text.slice(less + 2, less + 60))![0];
    if (end < 0 || !NAME.test(target)) this.#fail('an instruction that does not end, or has no name', less);
    if (/^xml$/i.test(target) && less !== this.#start) this.#fail('an XML declaration in the middle', less);
    this.#at = end + 2;
  }

  #fail(message: string, at: number, code: XmlFaultCode = 'xml-malformed'): never {
    throw this.#pieces === null ? this.#fault(message, this.#text, at, code) : INCOMPLETE;
  }

  #fault(message: string, text: string, at: number, code: XmlFaultCode = 'xml-malformed'): XmlFault {
    const subject = code === 'xml-malformed' ? `not well-formed XML: ${message}` : message;
    return new XmlFault(code, subject, text, at, this.#lines);
  }
}
