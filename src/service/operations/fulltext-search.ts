/** GET /v2/fulltext_search: docs/api.md#fulltext_search. */
import type { ParametersOf } from '../../filings/api/index.ts';
import { jsonOutcome } from '../answers/outcome.ts';
import { ENVELOPE_BYTES, pageOf } from '../answers/page.ts';
import { badRequest } from '../answers/problem.ts';
import { type CatalogQueries, type FulltextPage, QueryError } from '../catalog/index.ts';
import type { ReaderOperation } from './operation.ts';

export const fulltextSearch: ReaderOperation<'fulltext_search'> = {
  lane: 'long',
  deadlineMs: 30_000,
  answer(parameters, { store, maxResponseBytes, limitMs }) {
    const found = search(store, parameters, { maxBytes: maxResponseBytes - ENVELOPE_BYTES, limitMs });
    const parties = new Map(found.entities.map((entity) => [entity.cik, JSON.stringify(entity)]));
    // The entities of the hits on the page: their bytes count with the first hit that needs them.
    const brought = new Set<string>();
    const newEntities = (index: number): string[] => {
      const fresh = (found.hits[index]?.ciks ?? []).filter((cik) => parties.has(cik) && !brought.has(cik));
      return [...new Set(fresh)];
    };
    const page = pageOf(found.records, maxResponseBytes, (index) => {
      const fresh = newEntities(index);
      for (const cik of fresh) brought.add(cik);
      return fresh.reduce((bytes, cik) => bytes + Buffer.byteLength(parties.get(cik)!) + 1, 0);
    });
    const onPage = new Set(found.hits.slice(0, page.length).flatMap((hit) => hit.ciks));
    const entities = [...parties].filter(([cik]) => onPage.has(cik)).map(([, json]) => json);
    const rest = `"entities":[${entities.join(',')}],"response_bytes":${page.bytes},"truncated":${found.truncated || page.truncated}`;
    return jsonOutcome(`{"total_hits":${found.total},"hits":${page.array},${rest}}`, { tagged: false });
  },
};

/** The caller must correct an unreadable query: the message gives the position of the mistake. */
function search(
  store: CatalogQueries,
  parameters: ParametersOf<'fulltext_search'>,
  limits: { maxBytes: number; limitMs: number | undefined },
): FulltextPage {
  try {
    return store.fulltextSearch(parameters, limits);
  } catch (error) {
    if (error instanceof QueryError) throw badRequest(error.message);
    throw error;
  }
}
