/** What a query reads from. */
import type { PackReader } from '../packs.ts';
import type { Statements } from '../statements.ts';

export interface CatalogSource {
  folder: string;
  statements: Statements;
  packs: PackReader;
}
