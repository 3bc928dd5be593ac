/** The parameters of the operation that pages a reading. */
import type { EntityFilter } from '../../filings/api/index.ts';
import type { LookupRequest } from './lookup-orders.ts';
import type { ExportWindow } from './windows.ts';

/** For entity_lookup, which has only one order. */
export function entityRequest({ entity_query, from, to }: LookupRequest): EntityFilter & { from: number; to: number } {
  return { ...entity_query, from, to };
}

type HitRequest = Omit<LookupRequest, 'sort_by'> &
  Partial<NonNullable<ExportWindow['fulltext']>> & { sort_by: 'filing_date' };

/** For fulltext_search: the search within the window's filters. */
export function hitRequest({ fulltext }: ExportWindow, request: LookupRequest): HitRequest {
  return { ...fulltext, ...request, sort_by: 'filing_date' };
}
