/** Windows of a lookup: how they are read, proven and split. No I/O, no clock, nothing of Node. */

export { companiesOfName, searchTexts } from './company-names.ts';
export type { LookupRequest } from './lookup-orders.ts';
export { entityRequest, hitRequest } from './lookup-orders.ts';
export { ReadingOrder } from './reading-order.ts';
export type { ReadingState } from './reading-state.ts';
export { NAME_CUTS_MAX, otherHalvesBefore } from './split-by-name.ts';
export { takeReads } from './split-shortfall.ts';
export { OVERLAP_RECORDS_MIN, WindowReading } from './window-reading.ts';
export {
  datedFilters,
  type ExportWindow,
  failuresWindow,
  firstWindows,
  isEmptyRange,
  PLANNED_MATCHES,
  type SampleRecord,
  type WindowOf,
  windowRecord,
} from './windows.ts';
