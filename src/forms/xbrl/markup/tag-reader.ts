/**
 * One pass over an XBRL document: its tags with their positions (UTF-16 units) and namespaces. There is no tree: only open
 * elements are in memory. In web pages, elements without a prefix are skipped, but every end tag must match.
 */
import { internalized } from '../../xml/element.ts';
import { XmlFault, type XmlFaultCode } from '../../xml/xml-fault.ts';
import { type ResolvedName, Scope, XHTML } from '../namespaces.ts';
import { attributeText } from './character-data.ts';

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;

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
  #names = new Int32Array(2 * 64);
  /** Names of the open elements that are not skipped. */
  readonly #resolved: ResolvedName[] = [];
  /** Names of tags and attributes, each with the name that last followed it: it mostly follows again. */
  #tagName = knownName('');
  #attributeName = knownName('');
  readonly #known = new Map<string, KnownName>();
  /** Position of the next of these characters. Most tags end before any of them. */
  #ampersand = -1;
  #lineFeed = -1;
  #tab = -1;
  #return = -1;
  #xml = -1;
  readonly #declared: string[] = [];

  /** @param all every element counts, as in instances: else those with a prefix, and those of a default namespace that is not XHTML */
  constructor(text: string, all = false) {
    this.text = text;
    this.#all = all;
    this.#plainCounts = all;
    this.scope = new Scope();
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  /**
   * Goes to the next tag that is not skipped.
   * @returns false at the end
   * @throws XmlFault if the document is not well-formed
   */
  next(): boolean {
    const { text } = this;
    if (!this.opens || this.empty) this.#leave();
    for (;;) {
      const less = text.indexOf('<', this.#at);
      if (less < 0) return this.#finish();
      const code = text.charCodeAt(less + 1);
      if (code === SLASH) {
        if (this.#close(less)) return true;
      } else if (code === 0x21 || code === 0x3f) this.#at = this.#declaration(less, code);
      else if (this.#open(less)) return true;
    }
  }

  /** Alternating names and values of the current start tag; references in values are resolved. */
  attributes(): string[] {
    const { text } = this;
    const found: string[] = [];
    const last = this.end - (this.empty ? 2 : 1);
    const plain = this.#isPlain(this.end);
    for (let at = this.#nameEnd; ; ) {
      while (isSpace(text.charCodeAt(at))) at++;
      if (at >= last) return found;
      const name = this.#attributeNameAt(at, last);
      at += name.length;
      while (isSpace(text.charCodeAt(at))) at++;
      if (text.charCodeAt(at) !== EQUALS) this.fail(`attribute '${name.slice(0, 40)}' has no value`);
      at++;
      while (isSpace(text.charCodeAt(at))) at++;
      const quote = text.charCodeAt(at);
      if (quote !== QUOTE && quote !== APOSTROPHE) this.fail(`attribute '${name.slice(0, 40)}' is not quoted`);
      const close = text.indexOf(quote === QUOTE ? '"' : "'", at + 1);
      const raw = text.slice(at + 1, close);
      found.push(name, plain ? raw : attributeText(raw));
      at = close + 1;
    }
  }

  #attributeNameAt(at: number, last: number): string {
    const { text } = this;
    const before = this.#attributeName;
    const guess = before.next;
    if (guess !== null && text.charCodeAt(at + guess.text.length) === EQUALS && text.startsWith(guess.text, at)) {
      this.#attributeName = guess;
      return guess.text;
    }
    let end = at;
    let code = text.charCodeAt(end);
    while (code !== EQUALS && end < last && !isSpace(code)) code = text.charCodeAt(++end);
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
      name = knownName(text);
      this.#known.set(name.text, name);
    }
    return name;
  }

  /** Whether the attributes of the current tag have no references, and no white space except spaces. */
  #isPlain(end: number): boolean {
    const { start } = this;
    if (this.#ampersand < start) this.#ampersand = this.#nextOf('&');
    if (this.#lineFeed < start) this.#lineFeed = this.#nextOf('\n');
    if (this.#tab < start) this.#tab = this.#nextOf('\t');
    if (this.#return < start) this.#return = this.#nextOf('\r');
    return this.#ampersand >= end && this.#lineFeed >= end && this.#tab >= end && this.#return >= end;
  }

  #nextOf(searched: string): number {
    const at = this.text.indexOf(searched, this.start);
    return at < 0 ? Number.MAX_SAFE_INTEGER : at;
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

  #open(less: number): boolean {
    const { text } = this;
    let at = less + 1;
    let prefixed = false;
    let code = text.charCodeAt(at);
    // NaN, at the end of the text, is greater than nothing.
    while (code > 0x20 && code !== GREATER && code !== SLASH && code !== LESS) {
      if (code === COLON) prefixed = true;
      code = text.charCodeAt(++at);
    }
    const nameEnd = at;
    if (nameEnd === less + 1) this.fail("'<' that begins no tag", 'xml-malformed', less);
    let declares = false;
    if (code !== GREATER) {
      at = this.#tagEnd(at, less);
      if (this.#xml < less) {
        const found = text.indexOf('xml', nameEnd);
        this.#xml = found < 0 ? Number.MAX_SAFE_INTEGER : found;
      }
      declares = this.#xml < at;
    }
    const empty = text.charCodeAt(at - 1) === SLASH;
    if (this.depth === 0) {
      if (this.#rootSeen) this.fail('a second root element', 'xml-malformed', less);
      this.#rootSeen = true;
    }
    this.#at = at + 1;
    const counts = prefixed || this.#plainCounts || declares;
    if (empty && !counts) return false;
    this.start = less;
    this.end = at + 1;
    this.#nameEnd = nameEnd;
    this.opens = true;
    this.empty = empty;
    if (!empty) this.#push(less + 1, nameEnd - less - 1);
    if (declares) this.#declare(empty ? this.depth + 1 : this.depth);
    if (prefixed || this.#plainCounts) {
      this.name = this.#tagNameAt(less + 1, nameEnd);
      if (!empty) this.#resolved.push(this.name);
      return true;
    }
    this.opens = !empty;
    if (empty) this.#leave();
    return false;
  }

  /** Position of the `>` that ends a tag; values may have one. */
  #tagEnd(from: number, less: number): number {
    const { text } = this;
    // The `>` after a quote ends the tag, unless the quote opens a value that begins with `>`.
    let at = text.indexOf('>', from);
    if (at < 0) this.fail('a tag that does not end', 'xml-malformed', less);
    const before = text.charCodeAt(at - 1) === SLASH ? at - 2 : at - 1;
    if (text.charCodeAt(before) === QUOTE && text.charCodeAt(before - 1) !== EQUALS) {
      const inner = text.indexOf('<', from);
      if (inner < 0 || inner > at) return at;
    }
    at = from;
    for (let code = text.charCodeAt(at); code !== GREATER; code = text.charCodeAt(++at)) {
      if (code === QUOTE || code === APOSTROPHE) {
        at = text.indexOf(code === QUOTE ? '"' : "'", at + 1);
        if (at < 0) this.fail('a tag that does not end', 'xml-malformed', less);
      } else if (code === LESS || Number.isNaN(code)) this.fail('a tag that does not end', 'xml-malformed', less);
    }
    return at;
  }

  #push(nameStart: number, nameLength: number): void {
    if (this.depth >= MAX_DEPTH) this.fail(`elements are nested deeper than ${MAX_DEPTH}`, 'xml-too-deep');
    const i = 2 * this.depth++;
    if (i === this.#names.length) {
      const more = new Int32Array(2 * i);
      more.set(this.#names);
      this.#names = more;
    }
    this.#names[i] = nameStart;
    this.#names[i + 1] = nameLength;
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

  #close(less: number): boolean {
    const { text } = this;
    const depth = this.depth - 1;
    if (depth < 0) this.fail('an end tag without an open element', 'xml-malformed', less);
    const from = this.#names[2 * depth]!;
    const length = this.#names[2 * depth + 1]!;
    const nameStart = less + 2;
    const nameEnd = nameStart + length;
    let prefixed = false;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(from + i);
      if (code !== text.charCodeAt(nameStart + i)) this.#misfit(from, length, less);
      if (code === COLON) prefixed = true;
    }
    let at = nameEnd;
    while (isSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== GREATER) this.#misfit(from, length, less);
    this.#at = at + 1;
    this.depth = depth;
    const counts = prefixed || this.#plainCounts;
    if (counts) {
      this.start = less;
      this.end = at + 1;
      this.name = this.#resolved.pop()!;
    }
    this.opens = false;
    this.empty = false;
    if (!counts) this.#leave();
    return counts;
  }

  #misfit(from: number, length: number, at: number): never {
    this.fail(`an end tag where </${this.text.slice(from, from + length)}> is due`, 'xml-malformed', at);
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
    if (this.depth > 0) {
      const from = this.#names[2 * this.depth - 2]!;
      const name = text.slice(from, from + this.#names[2 * this.depth - 1]!);
      this.fail(`the document ends within <${name}>`, 'xml-malformed', text.length);
    }
    if (!this.#rootSeen) this.fail('there is no element', 'xml-malformed', 0);
    return false;
  }
}

interface KnownName {
  readonly text: string;
  next: KnownName | null;
  /** The last meaning of a tag, with its scope. */
  scope: Scope | null;
  resolved: ResolvedName;
}

function knownName(text: string): KnownName {
  return { text: internalized(text), next: null, scope: null, resolved: NO_NAME };
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}
