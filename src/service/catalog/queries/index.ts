/** The catalog's queries: one file for each operation of /v2. `filing_sections` and `pdf` read documents. */
import { coverage } from './coverage.ts';
import { document, documentByName, documents, mainDocument } from './document.ts';
import { entityLookup } from './entity-lookup.ts';
import { filing, filingInfoJson } from './filing-info.ts';
import { filingLookup } from './filing-lookup.ts';
import { followedAt, newestFilingAt } from './freshness.ts';
import { fulltextSearch } from './fulltext-search.ts';
import { searchFacets } from './search-facets.ts';
import type { CatalogSource } from './source.ts';

const QUERIES = {
  entityLookup,
  filingLookup,
  fulltextSearch,
  searchFacets,
  coverage,
  newestFilingAt,
  followedAt,
  filingInfoJson,
  filing,
  document,
  documentByName,
  documents,
  mainDocument,
};

type Bound<Query> = Query extends (source: CatalogSource, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;
export type CatalogQueries = { readonly [Name in keyof typeof QUERIES]: Bound<(typeof QUERIES)[Name]> };

/** The queries of one opened catalog. Synchronous. */
export function queriesOf(source: CatalogSource): CatalogQueries {
  const queries = Object.entries(QUERIES) as [string, (source: CatalogSource, ...rest: never[]) => unknown][];
  const bound = queries.map(([name, query]) => [name, (...rest: never[]) => query(source, ...rest)]);
  return Object.fromEntries(bound) as CatalogQueries;
}
