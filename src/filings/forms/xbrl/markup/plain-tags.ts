/**
 * Skips the web page between the tags that matter. It counts elements and looks at the end of each tag, but reads no names: a page
 * with a tag too few, or a quote too few, is damaged.
 */

const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;

export class PlainTags {
  readonly #text: string;
  readonly #watched: readonly string[];
  /** First characters of the watched names: 1. */
  readonly #first = new Uint8Array(128);
  #open = 0;
  #odd = false;

  /** @param watched beginnings of the names at which to stop: `ix:`, `html` */
  constructor(text: string, watched: readonly string[]) {
    this.#text = text;
    this.#watched = watched;
    for (const name of watched) this.#first[name.charCodeAt(0) & 0x7f] = 1;
  }

  /** Whether the skipped elements are closed, as far as their number tells. If not, they must be read. */
  get sound(): boolean {
    return this.#open === 0 && !this.#odd;
  }

  /** @returns position of the next `<` that isn't a skipped tag's: of a watched name, a comment, a declaration, or a fault; -1 at the end */
  skip(from: number): number {
    const text = this.#text;
    const first = this.#first;
    let open = this.#open;
    let less = text.indexOf('<', from);
    while (less >= 0) {
      let at = less + 1;
      let code = text.charCodeAt(at);
      const closes = code === SLASH;
      if (closes) code = text.charCodeAt(++at);
      if (!isLetter(code) || (first[code] === 1 && this.#isWatched(at))) break;
      if (closes) {
        open--;
        // A name of one character, and `>`.
        at += 2;
      } else {
        at = text.indexOf('>', at);
        let last = at - 1;
        code = text.charCodeAt(last);
        if (code === SLASH) code = text.charCodeAt(--last);
        else open++;
        if (code !== QUOTE || text.charCodeAt(last - 1) === EQUALS) this.#lookAtEnd(less, last);
        if (at++ < 0) break;
      }
      less = text.charCodeAt(at) === LESS ? at : text.indexOf('<', at);
    }
    this.#open = open;
    return less;
  }

  #isWatched(at: number): boolean {
    for (const name of this.#watched) if (this.#text.startsWith(name, at)) return true;
    return false;
  }

  /** A tag that doesn't end with a quote has white space there, or only a name. Else its `>` may be within a value. */
  #lookAtEnd(less: number, last: number): void {
    const text = this.#text;
    let end = last;
    while (end > less && text.charCodeAt(end) <= SPACE) end--;
    const code = text.charCodeAt(end);
    if ((code === QUOTE || code === APOSTROPHE) && text.charCodeAt(end - 1) !== EQUALS) return;
    for (; end > less; end--) {
      const inner = text.charCodeAt(end);
      if (inner <= SPACE || inner === EQUALS) break;
    }
    if (end !== less) this.#odd = true;
  }
}

/** More declarations than this are read one by one. */
const MAX_DECLARATIONS = 1000;

/**
 * Positions of declarations in watched tags after the root's: of a language, or of a namespace in an element without content.
 * Null if others declare something that reaches further than themselves.
 */
export function watchedDeclarations(text: string, rootEnd: number, watched: readonly string[]): number[] | null {
  const found: number[] = [];
  let seen = 0;
  for (let at = text.indexOf('xml', rootEnd); at >= 0; at = text.indexOf('xml', at + 3)) {
    const language = text.startsWith(':lang', at + 3);
    if (!language && !text.startsWith('ns', at + 3)) continue;
    if (++seen > MAX_DECLARATIONS) return null;
    const start = text.lastIndexOf('<', at) + 1;
    const isWatched = watched.some((name) => text.startsWith(name, start));
    if (!language || !isWatched) {
      const end = text.indexOf('>', at);
      if (end < 0 || !(text[end - 1] === '/' || text.startsWith('</', end + 1))) return null;
    }
    if (isWatched) found.push(at);
  }
  return found;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}
