/** The operations that reader threads run; `pdf` has a thread of its own. `statements`, `form` and `search_facets` are for pages, not for /v2. */
import { coverage } from './coverage.ts';
import { document } from './document.ts';
import { entityLookup } from './entity-lookup.ts';
import { filingInfo } from './filing-info.ts';
import { filingLookup } from './filing-lookup.ts';
import { filingSections } from './filing-sections.ts';
import { form } from './form.ts';
import { fulltextSearch } from './fulltext-search.ts';
import type { JobName, ReaderOperation } from './operation.ts';
import { searchFacets } from './search-facets.ts';
import { statements } from './statements.ts';

export type ReaderOperationName = Exclude<JobName, 'pdf'>;

export const READER_OPERATIONS: { readonly [Name in ReaderOperationName]: ReaderOperation<Name> } = {
  entity_lookup: entityLookup,
  filing_lookup: filingLookup,
  fulltext_search: fulltextSearch,
  document,
  filing_info: filingInfo,
  filing_sections: filingSections,
  coverage,
  statements,
  form,
  search_facets: searchFacets,
};
