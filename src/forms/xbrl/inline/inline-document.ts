/**
 * The parts of an inline document, by positions: facts, contexts, units, continuations, footnotes.
 * No text is cut out yet: some parts are in other documents of the filing.
 */

import { XmlFault } from '../../xml/xml-fault.ts';
import { type Context, isNil, readContext, readUnit } from '../contexts.ts';
import { TagReader } from '../markup/tag-reader.ts';
import { INLINE, type Scope, XBRLI } from '../namespaces.ts';
import { usualContext } from '../usual-context.ts';

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

export interface InlineFact extends Piece {
  readonly kind: 'number' | 'text' | 'fraction';
  /** The element's range: the start of its first tag and the end of its last. */
  readonly elementStart: number;
  elementEnd: number;
  readonly scope: Scope;
  readonly hidden: boolean;
  id: string | null;
  name: string;
  context: string | null;
  unit: string | null;
  decimals: string | null;
  scale: string | null;
  sign: string | null;
  format: string | null;
  escape: boolean;
  nil: boolean;
  target: string | null;
  /** Inline XBRL 1.0: footnotes were attributes of the fact. */
  footnoteRefs: string | null;
  /** Parts of a fraction, with their own format, scale and sign. */
  numerator: InlineFact | null;
  denominator: InlineFact | null;
}

export interface InlineFootnote extends Piece {
  readonly id: string;
  readonly language: string | null;
}

/** From facts to footnotes, by ids. */
export interface Relationship {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface InlineDocument {
  readonly file: string;
  readonly text: string;
  readonly facts: InlineFact[];
  readonly contexts: Map<string, Context>;
  readonly units: Map<string, string | null>;
  readonly continuations: Map<string, Piece>;
  readonly footnotes: InlineFootnote[];
  readonly relationships: Relationship[];
  /** Alternating starts and ends of the parts that aren't text: tags of Inline XBRL, and ix:exclude with its content. */
  readonly cuts: number[];
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
    return new InlineReading(new TagReader(text, false, READ), file).document;
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    // Each tag is read now: a page that was skipped wrongly is read after all, and a fault gets its place.
    return new InlineReading(new TagReader(text), file).document;
  }
}

/** Open elements of Inline XBRL, the outermost first. */
interface Open {
  readonly depth: number;
  /** Those without their end yet. */
  readonly piece: (Piece & { elementEnd?: number }) | null;
  /** Place in `cuts` of the end of an ix:exclude. */
  readonly exclude: number;
  readonly hidden: boolean;
}

class InlineReading {
  readonly document: InlineDocument;
  readonly #reader: TagReader;
  readonly #open: Open[] = [];
  #hidden = false;

  constructor(reader: TagReader, file: string) {
    this.#reader = reader;
    this.document = {
      file,
      text: reader.text,
      facts: [],
      contexts: new Map(),
      units: new Map(),
      continuations: new Map(),
      footnotes: [],
      relationships: [],
      cuts: [],
    };
    while (reader.next()) {
      const { namespace, local } = reader.name;
      if (namespace === INLINE[0] || namespace === INLINE[1]) {
        this.document.cuts.push(reader.start, reader.end);
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

  #push(piece: (Piece & { elementEnd?: number }) | null, exclude = -1): void {
    const { empty, depth } = this.#reader;
    if (empty) return;
    this.#open.push({ depth, piece, exclude, hidden: this.#hidden });
  }

  /** An end tag ends the last open element, since tags nest. */
  #close(): void {
    const reader = this.#reader;
    const opened = this.#open.pop();
    if (opened === undefined || opened.depth !== reader.depth + 1) reader.fail('an end tag without its beginning');
    this.#hidden = opened!.hidden;
    if (opened!.exclude >= 0) this.document.cuts[opened!.exclude] = reader.end;
    const { piece } = opened!;
    if (piece === null) return;
    piece.end = reader.start;
    if (piece.elementEnd !== undefined) piece.elementEnd = reader.end;
  }

  #fact(kind: InlineFact['kind']): void {
    const fact = this.#factOfTag(kind);
    this.document.facts.push(fact);
    this.#push(fact);
  }

  #fractionPart(local: 'numerator' | 'denominator'): void {
    const part = this.#factOfTag('number');
    const fraction = this.#open.findLast(({ piece }) => piece !== null && 'kind' in piece)?.piece as
      | InlineFact
      | undefined;
    if (fraction?.kind === 'fraction') fraction[local] ??= part;
    this.#push(part);
  }

  #factOfTag(kind: InlineFact['kind']): InlineFact {
    const reader = this.#reader;
    const attributes = reader.attributes();
    const fact = {
      document: this.document,
      start: reader.end,
      end: reader.end,
      cut: this.document.cuts.length,
      continuedAt: null as string | null,
      kind,
      elementStart: reader.start,
      elementEnd: reader.end,
      scope: reader.scope,
      hidden: this.#hidden,
      id: null,
      name: '',
      context: null,
      unit: null,
      decimals: null,
      scale: null,
      sign: null,
      format: null,
      escape: false,
      nil: false,
      target: null,
      footnoteRefs: null,
      numerator: null,
      denominator: null,
    } as Writable<InlineFact>;
    for (let i = 0; i < attributes.length; i += 2) {
      const value = attributes[i + 1]!;
      switch (attributes[i]) {
        case 'contextRef':
          fact.context = value;
          break;
        case 'name':
          fact.name = value.trim();
          break;
        case 'unitRef':
          fact.unit = value;
          break;
        case 'id':
          fact.id = value;
          break;
        case 'decimals':
          fact.decimals = value;
          break;
        case 'scale':
          fact.scale = value;
          break;
        case 'format':
          fact.format = value;
          break;
        case 'sign':
          fact.sign = value;
          break;
        case 'escape':
          fact.escape = value === 'true' || value === '1';
          break;
        case 'continuedAt':
          fact.continuedAt = value;
          break;
        case 'target':
          fact.target = value;
          break;
        case 'footnoteRefs':
          fact.footnoteRefs = value;
          break;
        default:
          if (attributes[i]!.endsWith(':nil')) fact.nil = isNil(reader, attributes);
      }
    }
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

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function attribute(attributes: readonly string[], name: string): string | null {
  for (let i = 0; i < attributes.length; i += 2) if (attributes[i] === name) return attributes[i + 1]!;
  return null;
}
