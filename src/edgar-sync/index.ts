/** EDGAR itself, fetched and followed into a catalog: within SEC's rate, resumable, with a proof of each day. */
export { backfill } from './backfill.ts';

export { edgarDays } from './days.ts';
export type { SyncEvent } from './events.ts';
export { type FetchPlan, type FetchSelection, fetchSelected, selectFilings } from './fetch.ts';
export { follow, followOnce } from './follow.ts';
export { Ledger, ledgerError } from './ledger.ts';
export { openSession, type Session } from './session.ts';
export { type EdgarSettings, readEdgarSettings } from './settings.ts';
