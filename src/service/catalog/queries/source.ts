/** What a query reads from. */
import type { PackReader } from '../packs/packs.ts';
import type { Statements } from '../rows/statements.ts';
import type { FulltextEngine } from './fulltext-engine.ts';

export interface CatalogSource {
  folder: string;
  statements: Statements;
  packs: PackReader;
  fulltext: FulltextEngine;
}
