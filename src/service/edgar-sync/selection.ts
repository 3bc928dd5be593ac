/** Picks the filings of a selection from EDGAR's register, and those of them that the catalog lacks. */
import { FilinglakeError, nearestWord } from '../../core/index.ts';
import { EdgarFileError } from '../../filings/edgar/index.ts';
import { withStored } from './catalog-contents.ts';
import { easternTime } from './clock.ts';
import { REFUSED } from './collector.ts';
import { type CompanyFilings, filingsOfCompanies } from './company-filings.ts';
import { isHeadAlone, weeklyQuarters } from './days.ts';
import { dayIndex, indexedDays } from './indexes.ts';
import type { PublishedFiling } from './ledger.ts';
import { daysOfQuarter, quarterOf, quartersBetween } from './places.ts';
import type { RegisterRow } from './register.ts';
import type { Session } from './session.ts';
import { TICKER_LISTS, tickerList } from './tickers.ts';
import { typicalBytes } from './typical-sizes.ts';
import { lookAtQuarter } from './weekly.ts';

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
/** Numbers of filings on paper: their year is that of the scan, at times long after the filing. */
const PAPER = /^9999999997-/;
/** Size of a quarter's master index, packed as EDGAR sends it: some 300,000 rows */
const INDEX_MB = 6;
/** Quarters after which the reading of the indexes says how far it is */
const STEP_QUARTERS = 10;
/** Five requests a second, with room for retries. */
const FILINGS_PER_HOUR = 4.7 * 3600;
/** Filings that are in memory at a time. */
const PAGE = 5_000;

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

export interface SelectedFiling extends PublishedFiling {
  /** Why an earlier request for it gave nothing; null: there was none */
  reason: string | null;
}

/** A selection, in a table of the ledger that goes with the session: it may have millions of filings. */
export class Selected {
  readonly #session: Session;
  readonly plan: FetchPlan;
  /** CIKs of the selection, by number or ticker */
  readonly companies: readonly string[];

  constructor(session: Session, plan: FetchPlan, companies: readonly string[]) {
    this.#session = session;
    this.plan = plan;
    this.companies = companies;
  }

  /**
   * In the order of filing; those that could not be fetched before come last.
   * @param which `missing`: the catalog lacks them, or EDGAR has corrected them since. `stored`: the others. `refused`: missing, and
   * EDGAR has refused the file too recently
   */
  *pages(which: 'missing' | 'stored' | 'refused'): Generator<SelectedFiling[]> {
    const { ledger, clock } = this.#session;
    const refused = `f.reason IS '${REFUSED}' AND f.next_try_at > ${clock.now()}`;
    const where = {
      missing: `NOT stored AND NOT (${refused})`,
      stored: 'stored',
      refused: `NOT stored AND ${refused}`,
    };
    ledger.db.exec(`DROP TABLE IF EXISTS temp.${which};
      CREATE TEMP TABLE ${which} AS SELECT row_number() OVER (
        ORDER BY f.reason IS NOT NULL, s.filing_date, s.accession_number) AS n, s.*, f.reason
      FROM selected s LEFT JOIN main.filings f USING (accession_number) WHERE ${where[which]};
      CREATE UNIQUE INDEX temp.${which}_n ON ${which} (n)`);
    const page = ledger.db.prepare(
      `SELECT accession_number, form_type, filing_date, path, NULL AS accepted_at, 'selection' AS source, reason
       FROM temp.${which} WHERE n > ? AND n <= ? ORDER BY n`,
    );
    for (let from = 0; ; from += PAGE) {
      const rows = page.all(from, from + PAGE) as unknown as SelectedFiling[];
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
    }
  }
}

/** Picks filings from the indexes. @throws FilinglakeError `selection-too-wide`, `ticker-unknown`; of EDGAR's hosts */
export async function selectFilings(
  session: Session,
  selection: FetchSelection,
  onStep: (line: string) => void = () => {},
): Promise<Selected> {
  const { ledger, signal } = session;
  const today = easternTime(session.clock.now()).date;
  const companies = [...new Set([...(selection.ciks ?? []), ...(await ciksOf(session, selection.tickers ?? []))])];
  const range = rangeOf(selection, today);
  const { from, to } = range;
  const picker = new Picker(session, matcherOf(selection, companies), selection.accessionNumbers ?? null, range);
  const unindexed: string[] = [];
  const openQuarters = new Set(weeklyQuarters(today));
  const ofCompanies = await closedQuartersOfCompanies(session, selection, companies, { from, to });
  if (ofCompanies !== null) picker.add(ofCompanies.filings);
  // Records of companies go back to the beginning: no open quarter is before it.
  let hasBegun = ofCompanies !== null;
  const quarters = quartersBetween(from, to).filter((quarter) => !ofCompanies || openQuarters.has(quarter));
  const isEarlier = (quarter: string) => !quarters.includes(quarter);
  const earlier = (selection.accessionNumbers ?? []).some((accession) => PAPER.test(accession))
    ? quartersBetween(FIRST_DAY, from).filter(isEarlier).reverse()
    : [];
  onStep(costOf(session, quarters, ofCompanies));
  let quartersRead = 0;
  for (const quarter of [...quarters, ...earlier]) {
    signal?.throwIfAborted();
    if (quartersRead > 0 && quartersRead % STEP_QUARTERS === 0)
      onStep(`${quartersRead} of ${quarters.length} quarterly indexes read`);
    if (picker.hasAllWanted || (isEarlier(quarter) && !picker.wantsPaper)) break;
    quartersRead++;
    const isThere = (await lookAtQuarter(session, quarter, null)) !== 'absent';
    // Without a first day the selection begins with EDGAR's first index.
    const isBefore = isEarlier(quarter) || (selection.from === undefined && !hasBegun);
    hasBegun ||= isThere;
    if (!isThere && quarter !== quarterOf(today) && !isBefore) unindexed.push(quarter);
    picker.addQuarter(quarter);
    // The index of the current quarter lacks the last days, and that of the quarter before may. The daily indexes have the rest.
    const until = ledger.register.until(quarter);
    const isCut = openQuarters.has(quarter) && until !== null && until < daysOfQuarter(quarter).last;
    if (quarter !== quarterOf(today) && !isCut) continue;
    for (const [day, file] of await indexedDays(session, quarter, signal)) {
      if ((until && day <= until) || day > today || day < from) continue;
      const index = await dayIndex(session, quarter, file, signal).catch((error) => {
        if (!(error instanceof EdgarFileError)) throw error;
        return null;
      });
      if (index === null || isHeadAlone(index.filings, day, session.clock)) unindexed.push(day);
      else picker.add(index.filings.values());
    }
  }
  const read = { quarters: quartersRead, company_records: ofCompanies?.files ?? 0 };
  return new Selected(session, { ...picker.counts(), unknown: picker.unknown(), unindexed, read }, companies);
}

/** Fills the table of the selection. */
class Picker {
  readonly #session: Session;
  readonly #matches: (filing: RegisterRow) => boolean;
  readonly #range: { from: string; to: string };
  /** Requested numbers; null: the selection names none */
  readonly #wanted: ReadonlySet<string> | null;
  /** Requested numbers that no index has named yet. */
  readonly #unknown: Set<string>;

  constructor(
    session: Session,
    matches: (filing: RegisterRow) => boolean,
    wanted: readonly string[] | null,
    range: { from: string; to: string },
  ) {
    this.#session = session;
    this.#matches = matches;
    this.#range = range;
    this.#wanted = wanted && new Set(wanted);
    this.#unknown = new Set(wanted);
    session.ledger.db.exec(`DROP TABLE IF EXISTS temp.selected; CREATE TEMP TABLE selected (
      accession_number TEXT PRIMARY KEY, form_type TEXT, filing_date TEXT, path TEXT, stored INTEGER) WITHOUT ROWID`);
  }

  get hasAllWanted(): boolean {
    return this.#wanted !== null && this.#unknown.size === 0;
  }

  get wantsPaper(): boolean {
    return [...this.#unknown].some((accession) => PAPER.test(accession));
  }

  unknown(): string[] {
    return [...this.#unknown].sort();
  }

  addQuarter(quarter: string): void {
    const { register } = this.#session.ledger;
    if (this.#wanted === null) {
      this.add(register.rows(quarter));
      return;
    }
    const rows = [...this.#unknown].map((accession) => register.row(quarter, accession));
    this.add(rows.filter((row) => row !== null));
  }

  /** A filing that another index has named counts once. */
  add(filings: Iterable<RegisterRow>): void {
    const { ledger, catalogFolder } = this.#session;
    const { from, to } = this.#range;
    // Stored filings that EDGAR has corrected since.
    const rows = ledger.db.prepare("SELECT accession_number FROM filings WHERE state = 'recheck'").all();
    const toCheck = new Set((rows as { accession_number: string }[]).map((row) => row.accession_number));
    const insert = ledger.db.prepare('INSERT OR IGNORE INTO temp.selected VALUES (?, ?, ?, ?, ?)');
    withStored(catalogFolder, (isStored) =>
      ledger.transaction(() => {
        for (const filing of filings) {
          const { accession_number, form_type, filing_date, path } = filing;
          this.#unknown.delete(accession_number);
          const isInRange = this.#wanted !== null || (filing_date >= from && filing_date <= to);
          if (!isInRange || !this.#matches(filing)) continue;
          const stored = isStored(accession_number) && !toCheck.has(accession_number) ? 1 : 0;
          insert.run(accession_number, form_type, filing_date, path, stored);
        }
      }),
    );
  }

  counts(): Pick<FetchPlan, 'filings' | 'stored' | 'to_fetch' | 'bytes_estimate' | 'hours_estimate'> {
    const rows = this.#session.ledger.db
      .prepare('SELECT form_type, count(*) AS n, sum(stored) AS stored FROM temp.selected GROUP BY form_type')
      .all() as { form_type: string; n: number; stored: number }[];
    const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
    const filings = sum(({ n }) => n);
    const stored = sum((row) => row.stored);
    return {
      filings,
      stored,
      to_fetch: filings - stored,
      bytes_estimate: sum((row) => (row.n - row.stored) * typicalBytes(row.form_type)),
      hours_estimate: (filings - stored) / FILINGS_PER_HOUR,
    };
  }
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
  const indexes = { all: closed.length, kept: closed.filter((quarter) => session.ledger.register.has(quarter)).length };
  return filingsOfCompanies(session, { ciks, from, to, indexes });
}

function costOf({ ledger }: Session, quarters: readonly string[], ofCompanies: CompanyFilings | null): string {
  const fresh = quarters.filter((quarter) => !ledger.register.has(quarter)).length;
  const indexes = `${quarters.length} quarterly indexes (${fresh} to download, about ${fresh * INDEX_MB} MB)`;
  return ofCompanies === null
    ? `finding the filings in ${indexes}`
    : `finding the filings in ${ofCompanies.files} records of companies and ${indexes}`;
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

function matcherOf(selection: FetchSelection, companies: readonly string[]): (filing: RegisterRow) => boolean {
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
  const list = new Map<string, string>();
  for (const name of TICKER_LISTS) {
    if (tickers.every((ticker) => list.has(key(ticker)))) break;
    for (const { ticker, cik } of await tickerList(session, name))
      if (!list.has(key(ticker))) list.set(key(ticker), cik);
  }
  return tickers.map((ticker) => {
    const cik = list.get(key(ticker));
    if (cik !== undefined) return cik;
    const near = nearestWord(key(ticker), [...list.keys()]);
    throw new FilinglakeError(
      'ticker-unknown',
      `none of SEC's lists has the ticker '${ticker}'${near ? `; did you mean '${near}'?` : ''}`,
    );
  });
}
