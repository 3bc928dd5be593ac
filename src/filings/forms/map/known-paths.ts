/** The paths that a form's mapping reads. Other elements of a document are unknown. */
import { type Element, internalized, textOf, tidy } from '../xml/element.ts';
import type { Value } from './descriptor.ts';
import type { DocumentRows, MappedRow } from './document-rows.ts';
import { formUnknownElements, MAPPING_VERSION } from './problems.ts';

/** A place in the tree of known paths. */
export class KnownPath {
  /** Children by name, side by side: V8 compares such names by address. */
  readonly #names: string[] = [];
  readonly #children: KnownPath[] = [];
  /** The child of any name. */
  any: KnownPath | undefined;
  readonly attributes = new Set<string>();
  /** Its text is read. */
  text = false;
  repeats = false;
  /** Everything below it is known. */
  whole = false;
  /** The parent in which it was last found. Found again, it is repeated. */
  metIn: Element | null = null;

  child(name: string): KnownPath {
    const place = this.#names.indexOf(name);
    if (place >= 0) return this.#children[place]!;
    if (name === '*' && this.any !== undefined) return this.any;
    const child = new KnownPath();
    if (name === '*') {
      child.repeats = true;
      this.any = child;
    } else {
      this.#names.push(internalized(name));
      this.#children.push(child);
    }
    return child;
  }

  /** Children by name; `*` is any. */
  entries(): [string, KnownPath][] {
    const named = this.#names.map((name, k): [string, KnownPath] => [name, this.#children[k]!]);
    return this.any === undefined ? named : [...named, ['*', this.any]];
  }

  of(name: string): KnownPath | undefined {
    const names = this.#names;
    for (let i = 0; i < names.length; i++) if (names[i] === name) return this.#children[i];
    return this.any;
  }
}

/** Counts the elements of a document that no mapping reads. */
export class UnknownElements {
  readonly #counts = new Map<string, { occurrences: number; example: string }>();
  readonly #rows: DocumentRows;

  constructor(rows: DocumentRows) {
    this.#rows = rows;
  }

  /** @param known of `element` itself */
  look(element: Element, known: KnownPath): void {
    if (known.whole) return;
    const { attributes } = element;
    for (let i = 0; i < attributes.length; i += 2)
      if (!known.attributes.has(attributes[i]!)) this.#count(element, tidy(attributes[i + 1]!), attributes[i]!);
    if (!known.text && element.text !== '') this.#count(element, textOf(element), null);
    for (const child of element.children) {
      const below = known.of(child.name);
      if (below === undefined) {
        this.#countAll(child);
        continue;
      }
      if (!below.repeats && !below.whole) {
        if (below.metIn === element) this.#repeated(child);
        below.metIn = element;
      }
      this.look(child, below);
    }
  }

  rows(): MappedRow[] {
    return [...this.#counts].map(([path, { occurrences, example }]) => ({
      table: formUnknownElements.name,
      row: {
        accession_number: this.#rows.problems.accessionNumber,
        document: this.#rows.document,
        path,
        occurrences,
        example: example.slice(0, 200),
        mapping_version: MAPPING_VERSION,
      } satisfies Record<string, Value>,
    }));
  }

  #countAll(element: Element): void {
    this.#count(element, textOf(element), null);
    const { attributes } = element;
    for (let i = 0; i < attributes.length; i += 2) this.#count(element, tidy(attributes[i + 1]!), attributes[i]!);
    for (const child of element.children) this.#countAll(child);
  }

  #count(element: Element, value: string | null, attribute: string | null): void {
    if (value === null) return;
    const path = attribute === null ? plainPath(element) : `${plainPath(element)}/@${attribute}`;
    const count = this.#counts.get(path);
    if (count) count.occurrences++;
    else this.#counts.set(path, { occurrences: 1, example: value });
  }

  /** A second element of which the form has one. The rows have the first that isn't empty. */
  #repeated(element: Element): void {
    const value = allText(element);
    if (value === '') return;
    this.#rows.problems.add(this.#rows.document, 'repeated', value.slice(0, 1000), { path: element.path });
  }
}

function plainPath(element: Element): string {
  return element.parent === null ? element.name : `${plainPath(element.parent)}/${element.name}`;
}

function allText(element: Element): string {
  const values = element.attributes.filter((_, k) => k % 2 === 1);
  return [...values, textOf(element) ?? '', ...element.children.map(allText)].filter((text) => text !== '').join(' ');
}
