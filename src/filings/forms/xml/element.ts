/** An XML element for the forms: local names only, since prefixes differ between filings of one form. */

const NONE: Element[] = [];

export class Element {
  /** Local name. */
  readonly name: string;
  readonly parent: Element | null;
  /** Its place among the records, from 1, if it is a record: its parent doesn't have it. */
  recordOrdinal = 0;
  /** Alternating names and values, without namespace declarations and `xsi:` attributes. */
  attributes: readonly string[];
  children: Element[] = NONE;
  /** Direct text, character references and CDATA resolved, not trimmed. */
  text = '';

  constructor(name: string, parent: Element | null, attributes: readonly string[]) {
    this.name = name;
    this.parent = parent;
    this.attributes = attributes;
  }

  add(child: Element): void {
    if (this.children === NONE) this.children = [child];
    else this.children.push(child);
  }

  attribute(name: string): string | null {
    const { attributes } = this;
    for (let i = 0; i < attributes.length; i += 2) if (attributes[i] === name) return attributes[i + 1]!;
    return null;
  }

  child(name: string): Element | null {
    for (const child of this.children) if (child.name === name) return child;
    return null;
  }

  /** All elements at a path of local names below this one, in the order of the document; `*` is any name. */
  all(steps: readonly string[]): Element[] {
    let found: Element[] = [this];
    for (const step of steps) {
      const next: Element[] = [];
      for (const element of found)
        for (const child of element.children) if (step === '*' || child.name === step) next.push(child);
      found = next;
    }
    return found;
  }

  /** `edgarSubmission/formData/infoTable[3]`: with a number if an element is not the first of its name. */
  get path(): string {
    const { ordinal } = this;
    const own = ordinal > 1 ? `${this.name}[${ordinal}]` : this.name;
    return this.parent === null ? own : `${this.parent.path}/${own}`;
  }

  /** Place among the elements of this name in its parent, from 1, as in XPath. */
  get ordinal(): number {
    if (this.recordOrdinal > 0 || this.parent === null) return this.recordOrdinal || 1;
    let ordinal = 1;
    for (const sibling of this.parent.children) {
      if (sibling === this) break;
      if (sibling.name === this.name) ordinal++;
    }
    return ordinal;
  }
}

/** The same text as an object key. V8 compares such strings by address, which makes finding children by name fast. */
export function internalized(name: string): string {
  return Object.keys({ [name]: 0 })[0]!;
}

/** Removes Unicode's white space at both ends, also a no-break space, but not a byte order mark. */
export function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

export function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x85) return false;
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** White space of XML's grammar: blank, tab and line ends. */
export function isXmlSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

/** The element's own text: trimmed, line ends as LF, null if nothing is left. */
export function textOf(element: Element): string | null {
  return tidy(element.text);
}

export function tidy(raw: string): string | null {
  const text = trimmed(raw);
  if (text === '') return null;
  // A carriage return can only come from a character reference: the reader has replaced the others by LF.
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
