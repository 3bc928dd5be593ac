/** Fetches the filings of a selection: picked from EDGAR's quarterly indexes, downloaded, ingested. */
import { FilinglakeError, nearestWord } from '../core/index.ts';
import { EdgarFileError } from '../edgar/index.ts';
import { storedAmong } from './catalog-contents.ts';
import { easternTime } from './clock.ts';
import { type CompanyFilings, filingsOfCompanies } from './company-filings.ts';
import { isHeadAlone, publishedFiling, weeklyQuarters } from './days.ts';
import { tryRefreshEntityFiles } from './entity-files.ts';
import {
  dayIndex,
  filingsOfIndex,
  type IndexedFiling,
  indexedDays,
  lastDataReceived,
  quarterIndex,
} from './indexes.ts';
import type { KnownFiling } from './ledger.ts';
import { daysOfQuarter, quarterOf, quartersBetween } from './places.ts';
import type { Session } from './session.ts';
import { areTickersDue, refreshTickers, tickerList } from './tickers.ts';
import { typicalBytes } from './typical-sizes.ts';

/** Filters combine by AND. Dates as `YYYY-MM-DD`, both ends included. */
export interface FetchSelection {
  /** Whole names, or families: `10-K`, `10-K*` */
  forms?: readonly string[];
  ciks?: readonly string[];
  tickers?: readonly string[];
  from?: string;
  to?: string;
  accessionNumbers?: readonly string[];
}

/** EDGAR's first quarter. */
const FIRST_DAY = '1993-01-01';
/** Size of a quarter's master index, packed as EDGAR sends it: some 300,000 rows */
const INDEX_MB = 6;
/** Quarters after which the reading of the indexes says how far it is */
const STEP_QUARTERS = 10;
/** Five requests a second, with room for retries. */
const FILINGS_PER_HOUR = 4.7 * 3600;

export interface FetchPlan {
  /** Filings of the selection in the indexes */
  filings: number;
  /** Those that are in the catalog */
  stored: number;
  to_fetch: number;
  /** Bytes to fetch, from the typical size of each form */
  bytes_estimate: number;
  hours_estimate: number;
  /** Requested accession numbers that no index names */
  unknown: string[];
  /** Quarters, and days after the end of their quarter's index, whose own index could not be read */
  unindexed: string[];
  /** What was read to find the filings: quarterly indexes, and SEC's records of companies with their older pages */
  read: { quarters: number; company_records: number };
}

interface Selected {
  plan: FetchPlan;
  /** Not in the catalog yet */
  filings: IndexedFiling[];
  /** CIKs of the selection, by number or ticker */
  companies: string[];
}

/**
 * Picks the filings of a selection from the indexes.
 * @throws FilinglakeError `selection-too-wide`, `ticker-unknown` (exit 2); of EDGAR's hosts
 */
export async function selectFilings(
  session: Session,
  selection: FetchSelection,
  onStep: (line: string) => void = () => {},
): Promise<Selected> {
  const today = easternTime(session.clock.now()).date;
  const companies = [...new Set([...(selection.ciks ?? []), ...(await ciksOf(session, selection.tickers ?? []))])];
  const matches = matcherOf(selection, companies);
  const { from, to } = rangeOf(selection, today);
  const picked = new Map<string, IndexedFiling>();
  const unindexed: string[] = [];
  const openQuarters = new Set(weeklyQuarters(today));
  const wanted = selection.accessionNumbers && new Set(selection.accessionNumbers);
  /** Requested numbers that no index has named yet. */
  const unknown = new Set(wanted);
  const ofCompanies = await closedQuartersOfCompanies(session, selection, companies, { from, to });
  for (const filing of ofCompanies?.filings ?? []) if (matches(filing)) picked.set(filing.accession_number, filing);
  // Records of companies go back to the beginning: no open quarter is before it.
  let hasBegun = ofCompanies !== null;
  const quarters = quartersBetween(from, to).filter((quarter) => !ofCompanies || openQuarters.has(quarter));
  onStep(costOf(session, quarters, ofCompanies));
  let quartersRead = 0;
  for (const quarter of quarters) {
    session.signal?.throwIfAborted();
    if (quartersRead > 0 && quartersRead % STEP_QUARTERS === 0)
      onStep(`${quartersRead} of ${quarters.length} quarterly indexes read`);
    quartersRead++;
    if (wanted && unknown.size === 0) break;
    const bytes = await quarterIndex(session, quarter, session.signal);
    // Without a first day the selection begins with EDGAR's first index.
    const isBefore = selection.from === undefined && !hasBegun;
    hasBegun ||= bytes !== null;
    if (bytes === null && quarter !== quarterOf(today) && !isBefore) unindexed.push(quarter);
    const add = (filings: ReadonlyMap<string, IndexedFiling>) => {
      for (const [accession, filing] of filings) {
        unknown.delete(accession);
        if (matches(filing) && !picked.has(accession)) picked.set(accession, filing);
      }
    };
    if (bytes !== null) add(filingsOfIndex(bytes));
    // The index of the current quarter lacks the last days, and that of the quarter before may. The daily indexes have the rest.
    const until = bytes && lastDataReceived(bytes);
    const isCut = openQuarters.has(quarter) && until !== null && until < daysOfQuarter(quarter).last;
    if (quarter !== quarterOf(today) && !isCut) continue;
    for (const [day, file] of await indexedDays(session, quarter, session.signal)) {
      if ((until && day <= until) || day > today || day < from) continue;
      const index = await dayIndex(session, quarter, file, session.signal).catch((error) => {
        if (!(error instanceof EdgarFileError)) throw error;
        return null;
      });
      if (index === null || isHeadAlone(index.filings, day, session.clock)) unindexed.push(day);
      else add(index.filings);
    }
  }
  const filings = [...picked.values()].filter(
    ({ filing_date }) => wanted || (filing_date >= from && filing_date <= to),
  );
  const stored = storedAmong(
    session.catalogFolder,
    filings.map(({ accession_number }) => accession_number),
  );
  const missing = filings.filter(({ accession_number }) => !stored.has(accession_number));
  return {
    companies,
    filings: missing,
    plan: {
      filings: filings.length,
      stored: stored.size,
      to_fetch: missing.length,
      bytes_estimate: missing.reduce((sum, { form_type }) => sum + typicalBytes(form_type), 0),
      hours_estimate: missing.length / FILINGS_PER_HOUR,
      unknown: [...unknown].sort(),
      unindexed,
      read: { quarters: quartersRead, company_records: ofCompanies?.files ?? 0 },
    },
  };
}

/** By SEC's records, if that costs less than the indexes. A selection by numbers does not name the companies. */
async function closedQuartersOfCompanies(
  session: Session,
  { accessionNumbers }: FetchSelection,
  ciks: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<CompanyFilings | null> {
  if (ciks.length === 0 || accessionNumbers) return null;
  const open = weeklyQuarters(easternTime(session.clock.now()).date);
  const closed = quartersBetween(from, to).filter((quarter) => !open.includes(quarter));
  const indexes = { all: closed.length, kept: closed.filter((quarter) => isKept(session, quarter)).length };
  return filingsOfCompanies(session, { ciks, from, to, indexes });
}

function isKept({ kept, places }: Session, quarter: string): boolean {
  return kept.has(places.fullIndex(quarter, 'master.idx'));
}

function costOf(session: Session, quarters: readonly string[], ofCompanies: CompanyFilings | null): string {
  const fresh = quarters.filter((quarter) => !isKept(session, quarter)).length;
  const indexes = `${quarters.length} quarterly indexes (${fresh} to download, about ${fresh * INDEX_MB} MB)`;
  return ofCompanies === null
    ? `finding the filings in ${indexes}`
    : `finding the filings in ${ofCompanies.files} records of companies and ${indexes}`;
}

/**
 * Downloads and ingests the selected filings. If one can't be fetched, that is an event, and counted. @throws as
 * `Collector.collect`
 */
export async function fetchSelected(session: Session, { filings, plan, companies }: Selected): Promise<void> {
  const { ledger, clock, collector, counts, onEvent } = session;
  const due = ledger.transaction(() => {
    ledger.note(
      filings.map((filing) => publishedFiling(filing, 'selection')),
      clock.now(),
    );
    return filings.map(({ accession_number }) => ledger.filing(accession_number)!);
  });
  // In the order of filing; filings marked as withdrawn are included.
  due.sort((a, b) => order(a).localeCompare(order(b)));
  await collector.collect(due);
  for (const accession_number of plan.unknown) {
    counts.missing++;
    onEvent({ event: 'missing', accession_number, reason: 'no index of EDGAR names it' });
  }
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

function order({ filing_date, accession_number }: KnownFiling): string {
  return `${filing_date} ${accession_number}`;
}

function rangeOf({ from, to, ciks, tickers, accessionNumbers }: FetchSelection, today: string) {
  const last = to ?? today;
  if (accessionNumbers) {
    const years = accessionNumbers.map((accession) => {
      const year = Number(accession.slice(11, 13));
      return year >= 90 ? 1900 + year : 2000 + year;
    });
    const first = `${Math.max(
      1993,
      years.reduce((a, b) => Math.min(a, b), 9999),
    )}-01-01`;
    return { from: from ?? first, to: last };
  }
  if (from === undefined && !ciks && !tickers) {
    throw new FilinglakeError('selection-too-wide', 'without a first day this selects everything since 1993');
  }
  return { from: from ?? FIRST_DAY, to: last };
}

function matcherOf(selection: FetchSelection, companies: readonly string[]): (filing: IndexedFiling) => boolean {
  const forms = selection.forms?.map((form) => form.trim().toUpperCase());
  const whole = new Set(forms?.filter((form) => !form.endsWith('*')));
  const families = forms?.filter((form) => form.endsWith('*')).map((form) => form.slice(0, -1)) ?? [];
  const ciks = selection.ciks || selection.tickers ? new Set(companies) : null;
  const numbers = selection.accessionNumbers && new Set(selection.accessionNumbers);
  return (filing) => {
    const form = filing.form_type.toUpperCase();
    if (forms && !whole.has(form) && !families.some((family) => form.startsWith(family))) return false;
    if (ciks && !filing.ciks.some((cik) => ciks.has(cik))) return false;
    return !numbers || numbers.has(filing.accession_number);
  };
}

async function ciksOf(session: Session, tickers: readonly string[]): Promise<string[]> {
  if (tickers.length === 0) return [];
  const key = (ticker: string) => ticker.toUpperCase().replace(/[./]/g, '-');
  const list = new Map((await tickerList(session)).map(({ ticker, cik }) => [key(ticker), cik as string]));
  return tickers.map((ticker) => {
    const cik = list.get(key(ticker));
    if (cik !== undefined) return cik;
    const near = nearestWord(key(ticker), [...list.keys()]);
    throw new FilinglakeError(
      'ticker-unknown',
      `SEC's list has no ticker '${ticker}'${near ? `; did you mean '${near}'?` : ''}`,
    );
  });
}
