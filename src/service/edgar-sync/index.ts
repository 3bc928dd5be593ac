/** EDGAR itself, fetched and followed into a catalog: within SEC's rate, resumable, with a proof of each day. */
export { backfill } from './backfill.ts';

export { edgarDays } from './days.ts';
export type { SyncEvent } from './events.ts';
export { fetchSelected, recheckSelected } from './fetch.ts';
export { follow, followOnce } from './follow.ts';
export { Ledger, ledgerError } from './ledger.ts';
export { type FetchPlan, type FetchSelection, type Selected, selectFilings } from './selection.ts';
export { openSession, type Session } from './session.ts';
export { type EdgarSettings, readEdgarSettings } from './settings.ts';
