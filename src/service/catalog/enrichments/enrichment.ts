/** Files that enrich entities: how the content of a kind of EDGAR file is applied to the catalog. */
import type { DatabaseSync } from 'node:sqlite';
import type { FileKind, RecordKind } from '../../../filings/edgar/index.ts';
import type { EntityWriter } from '../rows/entity-writer.ts';

/** What a file changes, in the transaction of its batch. */
export interface EnrichmentTarget {
  db: DatabaseSync;
  entities: EntityWriter;
  /** Eastern times by accession number. @returns whether any was new */
  stateAcceptances: (times: ReadonlyMap<string, string>) => boolean;
}

/** Applies the content of one file. @returns whether it said anything new */
export type Apply = (target: EnrichmentTarget) => boolean;

export interface Enrichment {
  kind: FileKind;
  /** What the summary calls one such file, and several */
  nouns: readonly [one: string, many: string];
  /** @param stamp orders files of one kind, newest last @throws EdgarFileError for bytes that can't be read */
  read(bytes: Buffer, stamp: string): Apply;
}

export function enrichment<Content>(
  kind: RecordKind<string, Content>,
  nouns: Enrichment['nouns'],
  apply: (content: Content, target: EnrichmentTarget, stamp: string) => boolean,
): Enrichment {
  return {
    kind,
    nouns,
    read(bytes, stamp) {
      const content = kind.read(bytes);
      return (target) => apply(content, target, stamp);
    },
  };
}
