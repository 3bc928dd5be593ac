/** The inline documents of a filing as one: each may refer to contexts, units, continuations and footnotes of the others. */
import { type Context, Definitions, sameContext } from '../model/contexts.ts';
import { FOOTNOTE_REFS, ID } from './fact-list.ts';
import type { InlineDocument, Piece } from './inline-document.ts';

/** Found, not found, or found with different content: twice in a document, or in several other documents. */
type Looked<T> = { readonly found: T } | { readonly found: null; readonly why: 'missing' | 'ambiguous' };

const MISSING = { found: null, why: 'missing' } as const;
const AMBIGUOUS = { found: null, why: 'ambiguous' } as const;

const isAmbiguous = (definitions: ReadonlyMap<string, unknown>, id: string) =>
  definitions instanceof Definitions && definitions.ambiguous.has(id);

export class InlineSet {
  readonly documents: readonly InlineDocument[];
  /** Ids of footnotes by fact, of the documents with footnoted facts. */
  readonly #footnotes: Map<InlineDocument, Map<number, Set<string>>>;

  constructor(documents: readonly InlineDocument[]) {
    this.documents = documents;
    this.#footnotes = footnotesByFact(documents);
  }

  context(document: InlineDocument, id: string): Looked<Context> {
    return this.#look(document, id, ({ contexts }) => contexts, sameContext);
  }

  unit(document: InlineDocument, id: string): Looked<string> {
    const looked = this.#look(
      document,
      id,
      ({ units }) => units,
      (a, b) => a === b,
    );
    return looked.found === null
      ? { found: null, why: 'why' in looked ? looked.why : 'missing' }
      : { found: looked.found };
  }

  continuation(document: InlineDocument, id: string): Looked<Piece> {
    return this.#look(
      document,
      id,
      ({ continuations }) => continuations,
      () => false,
    );
  }

  /** Ids of footnotes by fact of a document; those that no document has are left out. Null: its facts have none. */
  footnotes(document: InlineDocument): ReadonlyMap<number, ReadonlySet<string>> | null {
    return this.#footnotes.get(document) ?? null;
  }

  /** The own document first: a fee exhibit and a report may both have a context `c-1`. */
  #look<T>(
    document: InlineDocument,
    id: string,
    of: (document: InlineDocument) => Map<string, T>,
    same: (a: T, b: T) => boolean,
  ): Looked<T> {
    const own = of(document).get(id);
    if (own !== undefined) return isAmbiguous(of(document), id) ? AMBIGUOUS : { found: own };
    let found: T | undefined;
    for (const other of this.documents) {
      const one = of(other).get(id);
      if (one === undefined) continue;
      if (isAmbiguous(of(other), id) || (found !== undefined && !same(found, one))) return AMBIGUOUS;
      found = one;
    }
    return found === undefined ? MISSING : { found };
  }
}

function footnotesByFact(documents: readonly InlineDocument[]): Map<InlineDocument, Map<number, Set<string>>> {
  const byDocument = new Map<InlineDocument, Map<number, Set<string>>>();
  const noted = new Set(documents.flatMap(({ footnotes }) => footnotes.map(({ id }) => id)));
  if (noted.size === 0) return byDocument;
  const add = (document: InlineDocument, fact: number, ids: readonly string[]) => {
    for (const id of ids) {
      if (!noted.has(id)) continue;
      const byFact = byDocument.get(document) ?? new Map<number, Set<string>>();
      byDocument.set(document, byFact);
      const found = byFact.get(fact) ?? new Set<string>();
      byFact.set(fact, found);
      found.add(id);
    }
  };
  const factsById = documents.map(({ facts }) => {
    const byId = new Map<string | null, number>();
    for (let fact = 0; fact < facts.length; fact++) byId.set(facts.attribute(fact, ID), fact);
    return byId;
  });
  for (const [index, document] of documents.entries()) {
    const { facts, relationships } = document;
    for (let fact = 0; fact < facts.length; fact++) {
      const refs = facts.attribute(fact, FOOTNOTE_REFS);
      if (refs !== null) add(document, fact, refs.split(/\s+/));
    }
    for (const { from, to } of relationships)
      for (const id of from) {
        const place = factsById[index]!.has(id) ? index : factsById.findIndex((byId) => byId.has(id));
        if (place >= 0) add(documents[place]!, factsById[place]!.get(id)!, to);
      }
  }
  return byDocument;
}
