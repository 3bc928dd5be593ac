/** Positions of the parts of an inline document. No text is cut out yet: some parts are in other documents. */
import { XmlFault } from '../../xml/xml-fault.ts';
import { INLINE, XBRLI } from '../markup/namespaces.ts';
import { Positions } from '../markup/positions.ts';
import { TagReader } from '../markup/tag-reader.ts';
import { type Context, type Definitions, isNil, newDefinitions, readContext, readUnit } from '../model/contexts.ts';
import { usualContext } from '../model/usual-context.ts';
import { FACT_ATTRIBUTES, type FactKind, FactList } from './fact-list.ts';

/** Content of an element, in the text of its document. */
export interface Piece {
  readonly document: InlineDocument;
  start: number;
  end: number;
  /** Place of the first inner tag among the document's `cuts`. */
  readonly cut: number;
  /** Id of the ix:continuation that follows. */
  readonly continuedAt: string | null;
}

interface InlineFootnote extends Piece {
  readonly id: string;
  readonly language: string | null;
}

/** From facts to footnotes, by ids. */
interface Relationship {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface InlineDocument {
  readonly file: string;
  readonly text: string;
  readonly facts: FactList;
  /** Numerators and denominators of fractions, with their own format, scale and sign. */
  readonly parts: FactList;
  readonly contexts: Definitions<Context>;
  readonly units: Definitions<string | null>;
  readonly continuations: Map<string, Piece>;
  readonly footnotes: InlineFootnote[];
  readonly relationships: Relationship[];
  /** Alternating starts and ends of the parts that aren't text: tags of Inline XBRL, and ix:exclude with its content. */
  readonly cuts: Positions;
}

/** Whether a document declares a prefix for Inline XBRL: then it must be well-formed. */
export function isInline(text: string): boolean {
  return INLINE.some((namespace) => {
    for (let at = text.indexOf(namespace); at >= 0; at = text.indexOf(namespace, at + 1)) {
      const quote = text[at - 1];
      if ((quote === '"' || quote === "'") && text[at + namespace.length] === quote) return true;
    }
    return false;
  });
}

/** Other elements are the web page. */
const READ = [...INLINE, XBRLI];

/** @throws XmlFault if the document is not well-formed */
export function readInlineDocument(file: string, text: string): InlineDocument {
  try {
    return new InlineReading(new TagReader(text, false, READ, FACT_ATTRIBUTES), file).document;
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    // Each tag is read now: a page that was skipped wrongly is read after all, and a fault gets its place.
    return new InlineReading(new TagReader(text, false, null, FACT_ATTRIBUTES), file).document;
  }
}

/** An open element of Inline XBRL. A document reuses a few of them. */
interface Open {
  depth: number;
  /** One without its end yet. */
  piece: Piece | null;
  /** A fact without its end yet, or -1, and its list. */
  fact: number;
  facts: FactList | null;
  /** Place in `cuts` of the end of an ix:exclude. */
  exclude: number;
  hidden: boolean;
}

class InlineReading {
  readonly document: InlineDocument;
  readonly #reader: TagReader;
  /** The outermost first. Those from `#opened` on are closed. */
  readonly #open: Open[] = [];
  #opened = 0;
  #hidden = false;

  constructor(reader: TagReader, file: string) {
    this.#reader = reader;
    this.document = {
      file,
      text: reader.text,
      facts: new FactList(reader.text),
      parts: new FactList(reader.text),
      ...newDefinitions(),
      continuations: new Map(),
      footnotes: [],
      relationships: [],
      cuts: new Positions(),
    };
    while (reader.next()) {
      const { namespace, local } = reader.name;
      if (namespace === INLINE[0] || namespace === INLINE[1]) {
        this.document.cuts.add(reader.start, reader.end);
        if (reader.opens) this.#inline(local);
        else this.#close();
      } else if (namespace === XBRLI && reader.opens) this.#xbrl(local);
    }
  }

  #inline(local: string): void {
    if (local === 'nonFraction') this.#fact('number');
    else if (local === 'nonNumeric') this.#fact('text');
    else if (local === 'fraction') this.#fact('fraction');
    else if (local === 'numerator' || local === 'denominator') this.#fractionPart(local);
    else if (local === 'continuation') this.#continuation();
    else if (local === 'footnote') this.#footnote();
    else if (local === 'relationship') this.#relationship();
    else if (local === 'exclude') this.#push(null, this.document.cuts.length - 1);
    else {
      this.#push(null);
      if (local === 'hidden' && !this.#reader.empty) this.#hidden = true;
    }
  }

  #xbrl(local: string): void {
    if (local !== 'context' && local !== 'unit') return;
    const reader = this.#reader;
    const { contexts, units } = this.document;
    const usual = local === 'context' && !reader.empty ? usualContext(reader.text, reader.start, reader.scope) : null;
    if (usual !== null) {
      contexts.set(usual.context.id, usual.context);
      reader.skipElement(usual.end);
      return;
    }
    const id = attribute(reader.attributes(), 'id');
    if (id === null) return;
    if (local === 'context') contexts.set(id, readContext(reader, id));
    else units.set(id, readUnit(reader));
  }

  #push(piece: Piece | null, exclude = -1, facts: FactList | null = null, fact = -1): void {
    const { empty, depth } = this.#reader;
    if (empty) return;
    const hidden = this.#hidden;
    const place = this.#opened++;
    if (place === this.#open.length) this.#open.push({ depth, piece, fact, facts, exclude, hidden });
    else {
      const open = this.#open[place]!;
      open.depth = depth;
      open.piece = piece;
      open.fact = fact;
      open.facts = facts;
      open.exclude = exclude;
      open.hidden = hidden;
    }
  }

  /** An end tag ends the last open element, since tags nest. */
  #close(): void {
    const reader = this.#reader;
    if (this.#opened === 0) reader.fail('an end tag without its beginning');
    const opened = this.#open[--this.#opened]!;
    if (opened.depth !== reader.depth + 1) reader.fail('an end tag without its beginning');
    this.#hidden = opened.hidden;
    if (opened.exclude >= 0) this.document.cuts.set(opened.exclude, reader.end);
    if (opened.facts !== null) opened.facts.closed(opened.fact, reader.start, reader.end);
    else if (opened.piece !== null) opened.piece.end = reader.start;
  }

  #fact(kind: FactKind): void {
    const { facts } = this.document;
    this.#push(null, -1, facts, this.#factOfTag(facts, kind));
  }

  #fractionPart(which: 'numerator' | 'denominator'): void {
    const { facts, parts } = this.document;
    const part = this.#factOfTag(parts, 'number');
    // The innermost open fact, if it is a fraction.
    for (let i = this.#opened - 1; i >= 0; i--) {
      const open = this.#open[i]!;
      if (open.facts === null) continue;
      if (open.facts === facts && facts.kind(open.fact) === 'fraction') facts.part(open.fact, which, part);
      break;
    }
    this.#push(null, -1, parts, part);
  }

  #factOfTag(facts: FactList, kind: FactKind): number {
    const reader = this.#reader;
    const fact = facts.add(kind, reader.end, reader.start, this.document.cuts.length, this.#hidden);
    const { nil, plain } = reader.attributeRanges(facts.cells(), facts.place(fact));
    facts.attributesRead(fact, reader.scope, plain, nil && isNil(reader, reader.attributes()));
    return fact;
  }

  #continuation(): void {
    const attributes = this.#reader.attributes();
    const piece = this.#piece(attribute(attributes, 'continuedAt'));
    const id = attribute(attributes, 'id');
    if (id !== null && !this.document.continuations.has(id)) this.document.continuations.set(id, piece);
    this.#push(piece);
  }

  #footnote(): void {
    const reader = this.#reader;
    const attributes = reader.attributes();
    // Footnotes of Inline XBRL 1.0 have a footnoteID.
    const id = attribute(attributes, 'id') ?? attribute(attributes, 'footnoteID');
    const piece = this.#piece(attribute(attributes, 'continuedAt'));
    const footnote = { ...piece, id: id ?? '', language: reader.scope.language };
    if (id !== null) this.document.footnotes.push(footnote);
    this.#push(footnote);
  }

  #piece(continuedAt: string | null): Piece {
    const { end } = this.#reader;
    return { document: this.document, start: end, end, cut: this.document.cuts.length, continuedAt };
  }

  #relationship(): void {
    const attributes = this.#reader.attributes();
    const ids = (name: string) => (attribute(attributes, name) ?? '').split(/\s+/).filter((id) => id !== '');
    this.document.relationships.push({ from: ids('fromRefs'), to: ids('toRefs') });
    this.#push(null);
  }
}

function attribute(attributes: readonly string[], name: string): string | null {
  for (let i = 0; i < attributes.length; i += 2) if (attributes[i] === name) return attributes[i + 1]!;
  return null;
}
