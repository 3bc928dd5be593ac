/** A full-text query as a tree of terms, written in FTS5's language. */
import { fold } from './words.ts';

/** What the matched words of a document are: a word, or the beginning of one. */
export interface MarkedTerm {
  /** Words in the order of the query: one, or those of a phrase. FTS5 folds them by its own tables. */
  written: string[];
  /** The same, folded */
  words: string[];
  /** The last word is only the beginning of one. */
  prefix: boolean;
}

export type QueryNode =
  | { kind: 'term'; term: MarkedTerm }
  | { kind: 'near'; terms: MarkedTerm[]; distance: number }
  | { kind: 'all'; members: QueryNode[]; without: QueryNode[] }
  | { kind: 'any'; members: QueryNode[] };

export function termOf(written: string[], prefix: boolean): MarkedTerm {
  return { written, words: written.map(fold), prefix };
}

export function writeTerm(term: MarkedTerm): string {
  return `"${term.written.join(' ')}"${term.prefix ? ' *' : ''}`;
}

export function write(node: QueryNode): string {
  switch (node.kind) {
    case 'term':
      return writeTerm(node.term);
    case 'near':
      return `NEAR(${node.terms.map(writeTerm).join(' ')}, ${node.distance})`;
    case 'any':
      return `(${node.members.map(write).join(' OR ')})`;
    case 'all': {
      const all = node.members.map(write).join(' AND ');
      if (node.without.length === 0) return node.members.length === 1 ? all : `(${all})`;
      return `((${all}) NOT (${node.without.map(write).join(' OR ')}))`;
    }
  }
}

/** Drops repeated terms: FTS5 would do their work twice. */
export function unique(nodes: readonly QueryNode[]): QueryNode[] {
  return [...new Map(nodes.map((node) => [write(node), node])).values()];
}

/** The terms that must or may occur. */
export function markedIn(node: QueryNode): MarkedTerm[] {
  if (node.kind === 'term') return [node.term];
  return node.kind === 'near' ? node.terms : node.members.flatMap(markedIn);
}

/** Whether it has a beginning of a word anywhere, refused ones included. */
export function hasPrefix(node: QueryNode): boolean {
  if (node.kind === 'term') return node.term.prefix;
  if (node.kind === 'near') return node.terms.some(({ prefix }) => prefix);
  return [...node.members, ...(node.kind === 'all' ? node.without : [])].some(hasPrefix);
}
