/** Fetches the filings of a selection that the catalog lacks: downloads and ingests them. */
import { EdgarFileError } from '../../filings/edgar/index.ts';
import { tryRefreshEntityFiles } from './entity-files.ts';
import type { Selected } from './selection.ts';
import type { Session } from './session.ts';
import { areTickersDue, refreshTickers } from './tickers.ts';
import { noteWithdrawn } from './weekly.ts';
import { tellWithdrawn } from './withdrawals.ts';

/** Downloads and ingests selected filings. One that fails is an event, and counted. @throws as `Collector.collect` */
export async function fetchSelected(session: Session, selected: Selected): Promise<void> {
  const { ledger, clock, collector, counts, onEvent, catalogFolder } = session;
  const { plan, companies } = selected;
  for (const { accession_number, form_type, filing_date } of await noteWithdrawn(session, [])) {
    counts.withdrawn++;
    onEvent({ event: 'withdrawn', accession_number, form_type, filing_date });
  }
  await tellWithdrawn(ledger, catalogFolder);
  const refused = [...selected.pages('refused')].flat();
  let done = 0;
  // Filings that are marked as withdrawn are included.
  for (const page of selected.pages('missing')) {
    const due = ledger.transaction(() => {
      ledger.note(page, clock.now());
      return page.map(({ accession_number }) => ledger.filing(accession_number)!);
    });
    await collector.collect(due, { done, total: plan.to_fetch });
    done += page.length;
  }
  const missing = (accession_number: string, reason: string) => {
    counts.missing++;
    onEvent({ event: 'missing', accession_number, reason });
  };
  for (const { accession_number, reason } of refused)
    missing(accession_number, `${reason}; it is requested again later`);
  for (const accession_number of plan.unknown) missing(accession_number, 'no index of EDGAR names it');
  if (areTickersDue(session)) {
    await refreshTickers(session).catch((error) => {
      // The filings are stored, even if the list of tickers has a fault.
      if (!(error instanceof EdgarFileError)) throw error;
      onEvent({ event: 'gap', message: `the list of tickers: ${error.message}` });
    });
  }
  if (companies.length > 0) await tryRefreshEntityFiles(session, companies);
  counts.requests = session.http.requests;
}

/** Asks EDGAR again for selected filings in the catalog: changed ones are replaced. @throws as `Collector.collect` */
export async function recheckSelected(session: Session, selected: Selected): Promise<void> {
  const { ledger, clock, collector, counts } = session;
  let done = 0;
  for (const page of selected.pages('stored')) {
    const due = ledger.transaction(() => {
      for (const filing of page) {
        ledger.noteForRecheck(filing, clock.now());
        ledger.recheck(filing.accession_number);
      }
      return page.map(({ accession_number }) => ledger.filing(accession_number)!);
    });
    await collector.collect(due, { done, total: selected.plan.stored });
    done += page.length;
  }
  counts.requests = session.http.requests;
}
