/** What a query reads from. */
import type { PackReader } from '../packs.ts';
import type { Statements } from '../statements.ts';

export interface CatalogSource {
  statements: Statements;
  packs: PackReader;
}
