/** Facts of an inline document as positions in one array of numbers. Texts are cut out when a row needs them. */
import { attributeText } from '../markup/character-data.ts';
import type { Scope } from '../markup/namespaces.ts';

/** Attributes of facts: the places of their ranges. */
export const ID = 0;
export const NAME = 1;
export const CONTEXT = 2;
export const UNIT = 3;
export const DECIMALS = 4;
export const SCALE = 5;
export const SIGN = 6;
export const FORMAT = 7;
export const ESCAPE = 8;
export const CONTINUED_AT = 9;
export const TARGET = 10;
/** Inline XBRL 1.0: footnotes were attributes of the fact. */
export const FOOTNOTE_REFS = 11;

export const FACT_ATTRIBUTES: readonly string[] =
  'id name contextRef unitRef decimals scale sign format escape continuedAt target footnoteRefs'.split(' ');
const RANGES = 2 * FACT_ATTRIBUTES.length;

export type FactKind = 'number' | 'text' | 'fraction';
const KINDS: readonly FactKind[] = ['number', 'text', 'fraction'];

/** Cells of a fact, after the ranges of its attributes. */
const START = RANGES;
const END = RANGES + 1;
const ELEMENT_START = RANGES + 2;
const ELEMENT_END = RANGES + 3;
const CUT = RANGES + 4;
const SCOPE = RANGES + 5;
const FLAGS = RANGES + 6;
const NUMERATOR = RANGES + 7;
const DENOMINATOR = RANGES + 8;
const WIDTH = RANGES + 9;

const KIND = 3;
const HIDDEN = 4;
const NIL = 8;
/** Attributes have neither references nor white space except spaces: their texts are as written. */
const PLAIN = 16;

export class FactList {
  readonly text: string;
  length = 0;
  #cells = new Int32Array(256 * WIDTH);
  readonly #scopes: Scope[] = [];

  constructor(text: string) {
    this.text = text;
  }

  /** Adds a fact. Its attributes are written to the returned place of `cells`. */
  add(kind: FactKind, start: number, elementStart: number, cut: number, hidden: boolean): number {
    const fact = this.length++;
    const at = fact * WIDTH;
    if (at + WIDTH > this.#cells.length) {
      const grown = new Int32Array(this.#cells.length * 2);
      grown.set(this.#cells);
      this.#cells = grown;
    }
    const cells = this.#cells;
    cells[at + START] = start;
    cells[at + END] = start;
    cells[at + ELEMENT_START] = elementStart;
    cells[at + ELEMENT_END] = start;
    cells[at + CUT] = cut;
    cells[at + FLAGS] = (kind === 'number' ? 0 : kind === 'text' ? 1 : 2) | (hidden ? HIDDEN : 0);
    return fact;
  }

  /** A reader writes the start and the end of each attribute here, at the fact's place. A missing one has 0. */
  cells(): Int32Array {
    return this.#cells;
  }

  place(fact: number): number {
    return fact * WIDTH;
  }

  attributesRead(fact: number, scope: Scope, plain: boolean, nil: boolean): void {
    const scopes = this.#scopes;
    // Nearly all facts of a document have one scope.
    if (scopes.length === 0 || scopes[scopes.length - 1] !== scope) scopes.push(scope);
    const at = fact * WIDTH;
    this.#cells[at + SCOPE] = scopes.length - 1;
    this.#cells[at + FLAGS]! |= (plain ? PLAIN : 0) | (nil ? NIL : 0);
  }

  closed(fact: number, end: number, elementEnd: number): void {
    this.#cells[fact * WIDTH + END] = end;
    this.#cells[fact * WIDTH + ELEMENT_END] = elementEnd;
  }

  /** Numerator and denominator of a fraction: facts of the list of parts. The first of each counts. */
  part(fact: number, which: 'numerator' | 'denominator', part: number): void {
    const at = fact * WIDTH + (which === 'numerator' ? NUMERATOR : DENOMINATOR);
    if (this.#cells[at] === 0) this.#cells[at] = part + 1;
  }

  /** @returns the number of the part, or -1 */
  partOf(fact: number, which: 'numerator' | 'denominator'): number {
    return this.#cells[fact * WIDTH + (which === 'numerator' ? NUMERATOR : DENOMINATOR)]! - 1;
  }

  kind(fact: number): FactKind {
    return KINDS[this.#cells[fact * WIDTH + FLAGS]! & KIND]!;
  }

  isHidden(fact: number): boolean {
    return (this.#cells[fact * WIDTH + FLAGS]! & HIDDEN) !== 0;
  }

  isNil(fact: number): boolean {
    return (this.#cells[fact * WIDTH + FLAGS]! & NIL) !== 0;
  }

  scope(fact: number): Scope {
    return this.#scopes[this.#cells[fact * WIDTH + SCOPE]!]!;
  }

  start(fact: number): number {
    return this.#cells[fact * WIDTH + START]!;
  }

  end(fact: number): number {
    return this.#cells[fact * WIDTH + END]!;
  }

  elementStart(fact: number): number {
    return this.#cells[fact * WIDTH + ELEMENT_START]!;
  }

  elementEnd(fact: number): number {
    return this.#cells[fact * WIDTH + ELEMENT_END]!;
  }

  /** Place of the first inner tag among the document's cuts. */
  cut(fact: number): number {
    return this.#cells[fact * WIDTH + CUT]!;
  }

  /** Text of an attribute; null if the fact lacks it. */
  attribute(fact: number, which: number): string | null {
    const at = fact * WIDTH;
    const start = this.#cells[at + 2 * which]!;
    if (start === 0) return null;
    const raw = this.text.slice(start, this.#cells[at + 2 * which + 1]);
    return (this.#cells[at + FLAGS]! & PLAIN) === 0 ? attributeText(raw) : raw;
  }
}
