/** In which orders a window is read: the main one, and others for what can't be cut. */
import type { FilingFilters } from '../definition/definition.ts';
import type { WindowOf } from './windows.ts';

export interface Order {
  sort_by: 'filing_date' | 'acceptance_date_time' | 'size' | 'entity_name';
  sort_order: 'asc' | 'desc';
}

/** Parameters of filing_lookup; of the other lookups what they are made of (lookup-requests.ts). */
export type LookupRequest = FilingFilters & Order & { from: number; to: number };

/** Oldest first: what arrives while paging is added at the end, and shifts nothing. */
export const MAIN_ORDER: Order = { sort_by: 'filing_date', sort_order: 'asc' };
/** For what can't be cut: up to 20,000 matches are reached from both ends. Ties don't mirror, so other orders help. */
const OTHER_ORDERS_OF_FILINGS: readonly Order[] = [
  { sort_by: 'filing_date', sort_order: 'desc' },
  { sort_by: 'acceptance_date_time', sort_order: 'asc' },
  { sort_by: 'acceptance_date_time', sort_order: 'desc' },
  { sort_by: 'size', sort_order: 'asc' },
  { sort_by: 'size', sort_order: 'desc' },
  { sort_by: 'entity_name', sort_order: 'asc' },
  { sort_by: 'entity_name', sort_order: 'desc' },
];
/** Entities have one order, by CIK; a search one that doesn't change while it is paged. */
export const OTHER_ORDERS: Readonly<Record<WindowOf, readonly Order[]>> = {
  filings: OTHER_ORDERS_OF_FILINGS,
  entities: [],
  hits: OTHER_ORDERS_OF_FILINGS.slice(0, 1),
  numbers: [],
  failures: [],
};
