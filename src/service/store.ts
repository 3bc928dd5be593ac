/** What the service asks of a catalog. The catalog room's Catalog gives it; another store can take its place behind these words. */
import type { Catalog } from '../catalog/index.ts';

export type { StoredDocument } from '../catalog/index.ts';

export type FilingStore = Pick<
  Catalog,
  | 'entityLookup'
  | 'filingLookup'
  | 'fulltextSearch'
  | 'filingInfoJson'
  | 'smallFilingInfo'
  | 'filing'
  | 'document'
  | 'documentByName'
  | 'documents'
  | 'mainDocument'
>;
