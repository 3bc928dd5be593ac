/**
 * One pass over an XBRL document: its tags with their positions (UTF-16 units) and namespaces. No tree: memory is what is open.
 * Elements without a prefix are passed over in web pages, which consist of them; but every end tag must fit.
 */
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

/** Deeper than any web page that means it. */
const MAX_DEPTH = 2000;

export class TagReader {
  readonly text: string;
  readonly #all: boolean;
  /** Of the tag: its `<`, and behind its `>`. */
  start = 0;
  end = 0;
  /** A start tag or an element without content; else an end tag. */
  opens = false;
  /** `<a/>`: no end tag follows. */
  empty = false;
  /** Elements that are open, the tag's own included if it opens one. */
  depth = 0;
  /** In force inside the tag's element. */
  scope: Scope;
  #nameEnd = 0;
  #at = 0;
  #rootSeen = false;
  /** Scope above each element that declares something, with its depth. */
  readonly #scopes: { depth: number; above: Scope }[] = [];
  #scopeDepth = -1;
  /** Whether elements without a prefix count. */
  #plainCounts = false;
  #names = new Int32Array(2 * 64);
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
   * Goes to the next tag that counts.
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

  /** Of the current tag, as written. */
  get qualified(): string {
    return this.text.slice(this.start + (this.opens ? 1 : 2), this.#nameEnd);
  }

  get name(): ResolvedName {
    return this.scope.resolve(this.qualified);
  }

  /** Names and values of the current start tag, in turn; references in values are resolved. */
  attributes(): string[] {
    const { text } = this;
    const found: string[] = [];
    const last = this.end - (this.empty ? 2 : 1);
    for (let at = this.#nameEnd; ; ) {
      while (isSpace(text.charCodeAt(at))) at++;
      if (at >= last) return found;
      const from = at;
      let code = text.charCodeAt(at);
      while (code !== EQUALS && at < last && !isSpace(code)) code = text.charCodeAt(++at);
      const name = text.slice(from, at);
      while (isSpace(text.charCodeAt(at))) at++;
      if (text.charCodeAt(at) !== EQUALS) this.fail(`attribute '${name.slice(0, 40)}' has no value`);
      at++;
      while (isSpace(text.charCodeAt(at))) at++;
      const quote = text.charCodeAt(at);
      if (quote !== QUOTE && quote !== APOSTROPHE) this.fail(`attribute '${name.slice(0, 40)}' is not quoted`);
      const close = text.indexOf(quote === QUOTE ? '"' : "'", at + 1);
      found.push(name, attributeText(text.slice(at + 1, close)));
      at = close + 1;
    }
  }

  fail(message: string, code: XmlFaultCode = 'xml-malformed', at = this.start): never {
    throw new XmlFault(code, code === 'xml-malformed' ? `not well-formed XML: ${message}` : message, this.text, at);
  }

  /** Leaves the element that the last tag closed: until then its scope is in force. */
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
    while (code !== GREATER) {
      if (code === QUOTE || code === APOSTROPHE) {
        at = text.indexOf(code === QUOTE ? '"' : "'", at + 1);
        if (at < 0) this.fail('a tag that does not end', 'xml-malformed', less);
      } else if (code === 0x78 && text.charCodeAt(at + 1) === 0x6d && text.charCodeAt(at + 2) === 0x6c) declares = true;
      else if (code === LESS || Number.isNaN(code)) this.fail('a tag that does not end', 'xml-malformed', less);
      code = text.charCodeAt(++at);
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
    if (prefixed || this.#plainCounts) return true;
    this.opens = !empty;
    if (empty) this.#leave();
    return false;
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
      this.#nameEnd = nameEnd;
    }
    this.opens = false;
    this.empty = false;
    if (!counts) this.#leave();
    return counts;
  }

  #misfit(from: number, length: number, at: number): never {
    this.fail(`an end tag where </${this.text.slice(from, from + length)}> is due`, 'xml-malformed', at);
  }

  /** @returns position behind a comment, a CDATA section, a declaration or an instruction */
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

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}
