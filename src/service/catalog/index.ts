/** The service's store over EDGAR files: ingest, look-ups, full text, documents. */
export { backupCatalog } from './backup.ts';
export { Catalog, type CatalogTotals } from './catalog.ts';
export { checkCatalog } from './check.ts';
export { ENRICHMENTS } from './enrichments/index.ts';
export { QueryError } from './fulltext/query-error.ts';
export { type IngestSummary, ingest, stateOnEdgar } from './ingest.ts';
export { movePacks } from './move-packs.ts';
export { OpenSearch } from './opensearch/client.ts';
export { type FillSummary, fillIndex } from './opensearch/fill.ts';
export type { StoredDocument } from './packs/stored-document.ts';
export { ParsePool } from './parse-pool.ts';
export { coverageOf, daysBetween, type NotedDay } from './queries/coverage.ts';
export type { FulltextPage } from './queries/fulltext-search.ts';
export type { CatalogQueries } from './queries/index.ts';
export type { FilingsPage } from './queries/page.ts';
export type { FacetValue, SearchFacets } from './queries/search-facets.ts';
export { READER_VERSIONS } from './revision.ts';
export {
  ACCOUNTS_FILE,
  DATABASE_FILE,
  databaseError,
  isBusy,
  isFileThere,
  isWriteFailure,
  requireCatalog,
} from './store/database-file.ts';
export { makeFolder } from './store/folder.ts';
export { SameFiles } from './store/same-files.ts';
export { requireReadable } from './store/schema.ts';
