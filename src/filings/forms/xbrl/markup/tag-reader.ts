/**
 * One pass over an XBRL document: its tags with their positions (UTF-16 units) and namespaces. There is no tree: only open
 * elements are in memory. In web pages, elements without a prefix are skipped, but every end tag must match.
 */
import { internalized, isXmlSpace } from '../../xml/element.ts';
import { XmlFault, type XmlFaultCode } from '../../xml/xml-fault.ts';
import { attributeText } from './character-data.ts';
import { type ResolvedName, Scope, XHTML } from './namespaces.ts';
import { PlainTags, watchedDeclarations } from './plain-tags.ts';

const SPACE = 0x20;
const EXCLAMATION = 0x21;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

/** Beyond every text. A greater number would not be a small integer of V8, and would slow its fields down. */
const FAR = 2 ** 30;

const PLAIN = { nil: false, plain: true };
const OTHER = { nil: false, plain: false };
const NIL_PLAIN = { nil: true, plain: true };
const NIL_OTHER = { nil: true, plain: false };

const NO_NAME: ResolvedName = { namespace: null, local: '', name: '' };

/** Deeper than any real web page. */
const MAX_DEPTH = 2000;

export class TagReader {
  readonly text: string;
  readonly #all: boolean;
  /** Positions of the tag: of its `<`, and after its `>`. */
  start = 0;
  end = 0;
  /** A start tag or an element without content; else an end tag. */
  opens = false;
  /** `<a/>`: no end tag follows. */
  empty = false;
  /** Number of open elements, with the tag's own if it opens one. */
  depth = 0;
  /** The scope inside the tag's element. */
  scope: Scope;
  /** The name of the tag's element. */
  name: ResolvedName = NO_NAME;
  #nameEnd = 0;
  #at = 0;
  #rootSeen = false;
  /** Scope above each element that declares something, with its depth. */
  readonly #scopes: { depth: number; above: Scope }[] = [];
  #scopeDepth = -1;
  /** Whether elements without a prefix count. */
  #plainCounts = false;
  /** Names of the open elements: a hash, and the position, negative if the element counts. */
  readonly #hashes = new Int32Array(MAX_DEPTH);
  readonly #starts = new Int32Array(MAX_DEPTH);
  /** Names of the open elements that are not skipped. */
  readonly #resolved: ResolvedName[] = [];
  /** Names of tags and attributes, each with the name that last followed it: it mostly follows again. */
  #tagName = knownName('');
  #attributeName = knownName('');
  readonly #known = new Map<string, KnownName>();
  /** Position of the next `xml`. Most tags end before it. */
  #xml = -1;
  /** The value of the attribute that was read last. */
  #valueStart = 0;
  #valueEnd = 0;
  readonly #declared: string[] = [];
  readonly #only: readonly string[] | null;
  readonly #ranged: readonly string[];
  /** Skips what is between elements of these namespaces; null if it must be read. */
  #plain: PlainTags | null = null;
  /** Positions of all declarations below the root that matter, while `#plain` skips. */
  #declarations: readonly number[] | null = null;
  /** Depth of the element whose content counts whole: of a context. */
  #wholeFrom = FAR;

  /**
   * @param all every element counts, as in instances: else those with a prefix, and those of a default namespace that is not XHTML
   * @param only namespaces: in a web page, elements of others are counted, but not read. Elements of the last one are read whole.
   * @param ranged names of attributes for `attributeRanges`
   */
  constructor(text: string, all = false, only: readonly string[] | null = null, ranged: readonly string[] = []) {
    this.text = text;
    this.#all = all;
    this.#only = only;
    this.#ranged = ranged;
    this.#plainCounts = all;
    this.scope = new Scope();
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  /**
   * Goes to the next tag that is not skipped. Nearly all tags of a report are skipped: for them the loop has no calls.
   * @returns false at the end
   * @throws XmlFault if the document is not well-formed
   */
  next(): boolean {
    const { text } = this;
    if (!this.opens || this.empty) this.#leave();
    let plain = this.#skippable();
    let less = plain === null ? text.indexOf('<', this.#at) : plain.skip(this.#at);
    while (less >= 0) {
      let at = less + 1;
      let code = text.charCodeAt(at);
      if (code === SLASH) {
        let hash = 0;
        // NaN, at the end of the text, is greater than nothing.
        for (code = text.charCodeAt(++at); code > SPACE && code !== GREATER; code = text.charCodeAt(++at))
          hash = hashed(hash, code);
        while (isXmlSpace(code)) code = text.charCodeAt(++at);
        if (code !== GREATER || this.depth === 0 || hash !== this.#hashes[this.depth - 1]) this.#misfit(less);
        const depth = --this.depth;
        if (this.#starts[depth]! < 0) return this.#closed(less, at + 1);
        if (depth < this.#scopeDepth) this.#leave();
        less = text.indexOf('<', at);
      } else if (code === EXCLAMATION || code === QUESTION) {
        at = this.#declaration(less, code);
        less = plain === null ? text.indexOf('<', at) : plain.skip(at);
      } else {
        let hash = 0;
        let prefixed = false;
        for (; code > SPACE && code !== GREATER && code !== SLASH && code !== LESS; code = text.charCodeAt(++at)) {
          if (code === COLON) prefixed = true;
          hash = hashed(hash, code);
        }
        const nameEnd = at;
        if (nameEnd === less + 1) this.fail("'<' that begins no tag", 'xml-malformed', less);
        let after = text.indexOf('<', at);
        let declares = false;
        if (code !== GREATER) {
          at = this.#tagEnd(at, less, after);
          declares = this.#nextXml(less) < at;
          if (after < at && after >= 0) after = text.indexOf('<', at);
        }
        const empty = text.charCodeAt(at - 1) === SLASH;
        if (this.depth === 0) this.#root(less);
        if (!empty) this.#push(less + 1, hash);
        if (prefixed || declares || this.#plainCounts) {
          this.start = less;
          this.end = at + 1;
          this.#nameEnd = nameEnd;
          this.empty = empty;
          if (this.#opened(prefixed, declares)) return true;
          plain = this.#skippable();
          if (plain !== null) after = plain.skip(at);
        }
        less = after;
      }
    }
    return this.#finish();
  }

  /** Goes to the end tag of the element that the reader has just opened. @param end position after that tag, if the caller knows the content */
  skipElement(end: number): void {
    this.depth--;
    this.#closed(this.text.lastIndexOf('<', end - 1), end);
  }

  /** Alternating names and values of the current start tag; references in values are resolved. */
  attributes(): string[] {
    const { text } = this;
    const found: string[] = [];
    const last = this.end - (this.empty ? 2 : 1);
    const plain = this.#arePlain();
    for (let at = this.#attributeAt(this.#nameEnd, last); at >= 0; at = this.#attributeAt(at, last)) {
      const raw = text.slice(this.#valueStart, this.#valueEnd);
      found.push(this.#attributeName.text, plain ? raw : attributeText(raw));
    }
    return found;
  }

  /**
   * Writes the start and the end of each value of the ranged names, and leaves the others unchanged. No text is cut out.
   * @param from place of the first start in `into`
   * @returns whether there is an attribute `nil`, and whether the values are as written
   */
  attributeRanges(into: Int32Array, from: number): { readonly nil: boolean; readonly plain: boolean } {
    const last = this.end - (this.empty ? 2 : 1);
    let nil = false;
    for (let at = this.#attributeAt(this.#nameEnd, last); at >= 0; at = this.#attributeAt(at, last)) {
      const { range } = this.#attributeName;
      if (range >= 0) {
        into[from + 2 * range] = this.#valueStart;
        into[from + 2 * range + 1] = this.#valueEnd;
      } else if (this.#attributeName.text.endsWith(':nil')) nil = true;
    }
    const plain = this.#arePlain();
    return nil ? (plain ? NIL_PLAIN : NIL_OTHER) : plain ? PLAIN : OTHER;
  }

  /** Reads one attribute. @returns position after it; -1 at the end of the tag */
  #attributeAt(from: number, last: number): number {
    const { text } = this;
    let at = from;
    while (isXmlSpace(text.charCodeAt(at))) at++;
    if (at >= last) return -1;
    const name = this.#attributeNameAt(at, last);
    at += name.length;
    while (isXmlSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== EQUALS) this.fail(`attribute '${name.slice(0, 40)}' has no value`);
    at++;
    while (isXmlSpace(text.charCodeAt(at))) at++;
    const quote = text.charCodeAt(at);
    if (quote !== QUOTE && quote !== APOSTROPHE) this.fail(`attribute '${name.slice(0, 40)}' is not quoted`);
    this.#valueStart = at + 1;
    this.#valueEnd = text.indexOf(quote === QUOTE ? '"' : "'", at + 1);
    return this.#valueEnd + 1;
  }

  #attributeNameAt(at: number, last: number): string {
    const { text } = this;
    const before = this.#attributeName;
    const guess = before.next;
    if (guess !== null) {
      const { codes } = guess;
      let same = 0;
      while (same < codes.length && text.charCodeAt(at + same) === codes[same]) same++;
      if (same === codes.length && text.charCodeAt(at + same) === EQUALS) {
        this.#attributeName = guess;
        return guess.text;
      }
    }
    let end = at;
    let code = text.charCodeAt(end);
    while (code !== EQUALS && end < last && !isXmlSpace(code)) code = text.charCodeAt(++end);
    const name = this.#knownName(text.slice(at, end));
    before.next = name;
    this.#attributeName = name;
    return name.text;
  }

  #tagNameAt(start: number, end: number): ResolvedName {
    const { text, scope } = this;
    const before = this.#tagName;
    let name = before.next;
    if (name === null || name.text.length !== end - start || !text.startsWith(name.text, start)) {
      name = this.#knownName(text.slice(start, end));
      before.next = name;
    }
    this.#tagName = name;
    if (name.scope !== scope) {
      name.scope = scope;
      name.resolved = scope.resolve(name.text);
    }
    return name.resolved;
  }

  #knownName(text: string): KnownName {
    let name = this.#known.get(text);
    if (name === undefined) {
      name = knownName(text, this.#ranged.indexOf(text));
      this.#known.set(name.text, name);
    }
    return name;
  }

  /** Whether the current tag has no references, and no white space except spaces. */
  #arePlain(): boolean {
    const tag = this.text.slice(this.start, this.end);
    return !(tag.includes('&') || tag.includes('\n') || tag.includes('\t') || tag.includes('\r'));
  }

  fail(message: string, code: XmlFaultCode = 'xml-malformed', at = this.start): never {
    throw new XmlFault(code, code === 'xml-malformed' ? `not well-formed XML: ${message}` : message, this.text, at);
  }

  /** Leaves the element that the last tag closed, and its scope. */
  #leave(): void {
    if (this.depth < this.#scopeDepth) {
      const { above } = this.#scopes.pop()!;
      this.#setScope(above, this.#scopes.at(-1)?.depth ?? -1);
    }
  }

  #setScope(scope: Scope, depth: number): void {
    this.scope = scope;
    this.#scopeDepth = depth;
    const plain = scope.namespace('');
    this.#plainCounts = this.#all || (plain !== null && plain !== '' && plain !== XHTML);
  }

  /** @returns whether the start tag counts */
  #opened(prefixed: boolean, declares: boolean): boolean {
    const { empty } = this;
    this.opens = true;
    if (declares) this.#declare(empty ? this.depth + 1 : this.depth);
    if (this.depth === 1 && !empty && this.#only !== null) this.#skipPlain(this.#only, this.end);
    if (prefixed || this.#plainCounts) {
      this.#at = this.end;
      this.name = this.#tagNameAt(this.start + 1, this.#nameEnd);
      if (!empty) {
        this.#resolved.push(this.name);
        this.#starts[this.depth - 1] = -this.#starts[this.depth - 1]!;
        if (this.#plain !== null && this.#wholeFrom === FAR && this.name.namespace === this.#only!.at(-1))
          this.#wholeFrom = this.depth;
      }
      return true;
    }
    if (empty) this.#leave();
    return false;
  }

  #skippable(): PlainTags | null {
    return this.depth > 0 && this.depth < this.#wholeFrom ? this.#plain : null;
  }

  /** At the root's start tag. */
  #skipPlain(only: readonly string[], end: number): void {
    if (this.#plainCounts) return;
    const watched = this.scope.prefixes(only).map((prefix) => `${prefix}:`);
    watched.push(this.#openName());
    const declarations = watchedDeclarations(this.text, end, watched);
    if (declarations === null) return;
    this.#plain = new PlainTags(this.text, watched);
    this.#declarations = declarations;
  }

  #closed(start: number, end: number): true {
    if (this.depth < this.#wholeFrom) this.#wholeFrom = FAR;
    this.start = start;
    this.end = end;
    this.#at = end;
    this.name = this.#resolved.pop()!;
    this.opens = false;
    this.empty = false;
    return true;
  }

  #root(less: number): void {
    if (this.#rootSeen) this.fail('a second root element', 'xml-malformed', less);
    this.#rootSeen = true;
  }

  /** Position of the next `xml`, of `xmlns` or `xml:lang`: most tags end before it. */
  #nextXml(from: number): number {
    if (this.#xml < from) {
      const known = this.#declarations;
      const found = known === null ? this.text.indexOf('xml', from) : (known.find((at) => at >= from) ?? -1);
      this.#xml = found < 0 ? FAR : found;
    }
    return this.#xml;
  }

  /** Position of the `>` that ends a tag; values may have one. @param inner position of the next `<` */
  #tagEnd(from: number, less: number, inner: number): number {
    const { text } = this;
    // The `>` after a quote ends the tag, unless the quote opens a value that begins with `>`.
    let at = text.indexOf('>', from);
    if (at < 0) this.fail('a tag that does not end', 'xml-malformed', less);
    const before = text.charCodeAt(at - 1) === SLASH ? at - 2 : at - 1;
    if (text.charCodeAt(before) === QUOTE && text.charCodeAt(before - 1) !== EQUALS && (inner < 0 || inner > at))
      return at;
    at = from;
    for (let code = text.charCodeAt(at); code !== GREATER; code = text.charCodeAt(++at)) {
      if (code === QUOTE || code === APOSTROPHE) {
        at = text.indexOf(code === QUOTE ? '"' : "'", at + 1);
        if (at < 0) this.fail('a tag that does not end', 'xml-malformed', less);
      } else if (code === LESS || Number.isNaN(code)) this.fail('a tag that does not end', 'xml-malformed', less);
    }
    return at;
  }

  #push(nameStart: number, hash: number): void {
    const depth = this.depth++;
    if (depth >= MAX_DEPTH) this.fail(`elements are nested deeper than ${MAX_DEPTH}`, 'xml-too-deep');
    this.#hashes[depth] = hash;
    this.#starts[depth] = nameStart;
  }

  #declare(depth: number): void {
    const declared = this.#declared;
    declared.length = 0;
    let { language } = this.scope;
    const attributes = this.attributes();
    for (let i = 0; i < attributes.length; i += 2) {
      const name = attributes[i]!;
      const value = attributes[i + 1]!;
      if (name === 'xml:lang') language = value === '' ? null : value;
      else if (name === 'xmlns' || name.startsWith('xmlns:')) {
        const prefix = name.slice(6);
        if (this.scope.namespace(prefix) !== value) declared.push(prefix, value);
      }
    }
    if (declared.length === 0 && language === this.scope.language) return;
    this.#scopes.push({ depth, above: this.scope });
    this.#setScope(this.scope.below(declared, language), depth);
  }

  #misfit(at: number): never {
    if (this.depth === 0) this.fail('an end tag without an open element', 'xml-malformed', at);
    this.fail(`an end tag where </${this.#openName()}> is due`, 'xml-malformed', at);
  }

  /** Name of the innermost open element. */
  #openName(): string {
    return /^[^\s<>/]*/.exec(this.text.slice(Math.abs(this.#starts[this.depth - 1]!)))![0];
  }

  /** @returns position after a comment, a CDATA section, a declaration or an instruction */
  #declaration(less: number, code: number): number {
    const { text } = this;
    const [close, what] =
      code === 0x3f
        ? ['?>', 'an instruction']
        : text.startsWith('<!--', less)
          ? ['-->', 'a comment']
          : text.startsWith('<![CDATA[', less)
            ? [']]>', 'a CDATA section']
            : ['>', 'a declaration'];
    const end = text.indexOf(close, less + (close === '-->' ? 4 : 2));
    if (end < 0) this.fail(`${what} that does not end`, 'xml-malformed', less);
    if (close === '>') {
      if (!text.startsWith('<!DOCTYPE', less) && !text.startsWith('<!doctype', less))
        this.fail("'<!' that begins nothing", 'xml-malformed', less);
      if (text.slice(less, end).includes('['))
        this.fail('a document type with declarations, which are not read', 'xml-entities-declared', less);
    }
    return end + close.length;
  }

  #finish(): boolean {
    const { text } = this;
    if (this.depth > 0) this.fail(`the document ends within <${this.#openName()}>`, 'xml-malformed', text.length);
    if (this.#plain?.sound === false) this.fail('a tag too few', 'xml-malformed', text.length);
    if (!this.#rootSeen) this.fail('there is no element', 'xml-malformed', 0);
    return false;
  }
}

interface KnownName {
  readonly text: string;
  readonly codes: Uint16Array;
  /** Its place among the ranged names, or -1. */
  readonly range: number;
  next: KnownName | null;
  /** The last meaning of a tag, with its scope. */
  scope: Scope | null;
  resolved: ResolvedName;
}

function knownName(text: string, range = -1): KnownName {
  const codes = new Uint16Array(text.length);
  for (let k = 0; k < codes.length; k++) codes[k] = text.charCodeAt(k);
  return { text: internalized(text), codes, range, next: null, scope: null, resolved: NO_NAME };
}

/** A step of FNV-1a. */
function hashed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
