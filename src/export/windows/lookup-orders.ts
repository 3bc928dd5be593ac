/** The orders in which a window is read, and the parameters of the operation that pages the reading. */
import type { EntityFilter } from '../../filings/api/index.ts';
import type { FilingFilters } from '../definition/index.ts';
import type { ExportWindow, WindowOf } from './windows.ts';

export interface Order {
  sort_by: 'filing_date' | 'acceptance_date_time' | 'size' | 'entity_name';
  sort_order: 'asc' | 'desc';
}

/** Parameters of filing_lookup, from which those of the other lookups are made. */
export type LookupRequest = FilingFilters & Order & { from: number; to: number };

/** Oldest first: filings that arrive during paging are added at the end, and shift nothing. */
export const MAIN_ORDER: Order = { sort_by: 'filing_date', sort_order: 'asc' };
/** For windows that can't be split: reading from both ends reaches 20,000 matches. Ties are not mirrored, so other orders help. */
const OTHER_ORDERS_OF_FILINGS: readonly Order[] = [
  { sort_by: 'filing_date', sort_order: 'desc' },
  { sort_by: 'acceptance_date_time', sort_order: 'asc' },
  { sort_by: 'acceptance_date_time', sort_order: 'desc' },
  { sort_by: 'size', sort_order: 'asc' },
  { sort_by: 'size', sort_order: 'desc' },
  { sort_by: 'entity_name', sort_order: 'asc' },
  { sort_by: 'entity_name', sort_order: 'desc' },
];
/** Entities have one order, by CIK. A search keeps one order while it is paged. */
export const OTHER_ORDERS: Readonly<Record<WindowOf, readonly Order[]>> = {
  filings: OTHER_ORDERS_OF_FILINGS,
  entities: [],
  hits: OTHER_ORDERS_OF_FILINGS.slice(0, 1),
  list: [],
  numbers: [],
  failures: [],
};

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
