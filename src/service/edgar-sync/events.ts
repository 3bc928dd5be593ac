/** The events of a command; with `--json` each is a line. Times are ISO 8601, UTC. */
export type SyncEvent =
  | { event: 'filing'; accession_number: string; form_type: string; filing_date: string; lag_s: number | null }
  | { event: 'corrected'; accession_number: string; form_type: string; filing_date: string }
  | { event: 'withdrawn'; accession_number: string; form_type: string; filing_date: string }
  | { event: 'missing'; accession_number: string; reason: string }
  | { event: 'blocked'; until: string }
  /** The feed of current filings no longer reaches back to the last look. The daily indexes name the rest. */
  | { event: 'gap'; message: string }
  | { event: 'day'; day: string; expected: number; in_catalog: number; missing: number; proven_at: string | null }
  | DoneEvent;

/** The last line of every command. */
interface DoneEvent {
  event: 'done';
  /** Filings that are in the catalog now and were not before */
  stored: number;
  corrected: number;
  withdrawn: number;
  /** Filings that could not be fetched */
  missing: number;
  requests: number;
  bytes: number;
  /** Submissions that were downloaded */
  downloads: number;
}

export interface SyncCounts extends Omit<DoneEvent, 'event'> {}

export function noCounts(): SyncCounts {
  return { stored: 0, corrected: 0, withdrawn: 0, missing: 0, requests: 0, bytes: 0, downloads: 0 };
}
