/** The inline documents of a filing as one: each may refer to contexts, units, continuations and footnotes of the others. */
import type { Context } from '../contexts.ts';
import type { InlineDocument, InlineFact, Piece } from './inline-document.ts';

/** Found, not found, or found with different content in several other documents. */
export type Looked<T> = { readonly found: T } | { readonly found: null; readonly why: 'missing' | 'ambiguous' };

const MISSING = { found: null, why: 'missing' } as const;

export class InlineSet {
  readonly documents: readonly InlineDocument[];
  readonly #footnotes: Map<InlineFact, Set<string>>;

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

  /** Ids of a fact's footnotes, sorted; those that no document has are left out. */
  footnotes(fact: InlineFact): string[] {
    const ids = this.#footnotes.get(fact);
    return ids === undefined ? [] : [...ids].sort();
  }

  /** The own document first: a fee exhibit and a report may both have a context `c-1`. */
  #look<T>(
    document: InlineDocument,
    id: string,
    of: (document: InlineDocument) => Map<string, T>,
    same: (a: T, b: T) => boolean,
  ): Looked<T> {
    const own = of(document).get(id);
    if (own !== undefined) return { found: own };
    let found: T | undefined;
    for (const other of this.documents) {
      const one = of(other).get(id);
      if (one === undefined) continue;
      if (found !== undefined && !same(found, one)) return { found: null, why: 'ambiguous' };
      found = one;
    }
    return found === undefined ? MISSING : { found };
  }
}

function sameContext(a: Context, b: Context): boolean {
  return a.cik === b.cik && a.start === b.start && a.end === b.end && a.dimensionsJson === b.dimensionsJson;
}

function footnotesByFact(documents: readonly InlineDocument[]): Map<InlineFact, Set<string>> {
  const byFact = new Map<InlineFact, Set<string>>();
  const noted = new Set(documents.flatMap(({ footnotes }) => footnotes.map(({ id }) => id)));
  if (noted.size === 0) return byFact;
  const add = (fact: InlineFact, ids: readonly string[]) => {
    for (const id of ids) {
      if (!noted.has(id)) continue;
      if (!byFact.has(fact)) byFact.set(fact, new Set());
      byFact.get(fact)!.add(id);
    }
  };
  const factsById = documents.map(({ facts }) => new Map(facts.map((fact) => [fact.id, fact])));
  for (const [index, { relationships, facts }] of documents.entries()) {
    for (const fact of facts) if (fact.footnoteRefs !== null) add(fact, fact.footnoteRefs.split(/\s+/));
    for (const { from, to } of relationships)
      for (const id of from) {
        const fact = factsById[index]!.get(id) ?? factsById.find((byId) => byId.has(id))?.get(id);
        if (fact !== undefined) add(fact, to);
      }
  }
  return byFact;
}
