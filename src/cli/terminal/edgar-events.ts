/** Events of EDGAR as lines for people. Single filings are only counted. */
import type { SyncEvent } from '../../service/edgar-sync/index.ts';

/** The line of an event; null: it needs none. */
export function eventLine(event: SyncEvent): string | null {
  switch (event.event) {
    case 'missing':
      return `missing: ${event.accession_number}: ${event.reason}`;
    case 'corrected':
    case 'withdrawn':
      return `${event.event}: ${event.accession_number} (${event.form_type}, ${event.filing_date})`;
    case 'blocked':
      return `EDGAR refuses requests from this address; filinglake sends none until ${event.until}`;
    case 'gap':
      return event.message;
    case 'day':
      return event.proven_at === null
        ? `${event.day}: ${event.in_catalog} of ${event.expected} filings, ${event.missing} missing`
        : `${event.day}: complete, ${event.expected} filings`;
    default:
      return null;
  }
}
