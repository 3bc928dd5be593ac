/** Forms, years and companies of a search's hits, for the page of the search. It is not an operation of /v2. */
import { jsonOutcome } from '../answers/outcome.ts';
import type { ReaderOperation } from './operation.ts';

export const searchFacets: ReaderOperation<'search_facets'> = {
  lane: 'long',
  // The page of the search is shown without them.
  deadlineMs: 5_000,
  answer: (parameters, { store }) => jsonOutcome(JSON.stringify(store.searchFacets(parameters)), { tagged: false }),
};
