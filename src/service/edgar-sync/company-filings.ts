/**
 * The filings of companies by SEC's own record of each, instead of by every quarterly index: a few small files, where the indexes since
 * 1993 are some 130 of 30 MB. A record may be hours late, so quarters that still change are read from their indexes all the same.
 */
import { EdgarFileError, readSubmissionsJson, type SubmissionsJson } from '../../filings/edgar/index.ts';
import type { IndexedFiling } from './indexes.ts';
import { submissionPath } from './places.ts';
import type { Session } from './session.ts';

/** Seconds that a file costs: its turn at the gate, and its bytes. */
const RECORD_S = 0.4;
const INDEX_S = 3;
/** The same for a cached index: EDGAR answers "unchanged". */
const KEPT_INDEX_S = 0.25;

export interface CompanyFilings {
  filings: IndexedFiling[];
  /** Records and older pages of records that were read */
  files: number;
}

interface CompanyRange {
  ciks: readonly string[];
  /** Filing dates, both included */
  from: string;
  to: string;
  /** Indexes that would be read instead: of these, some are kept already. */
  indexes: { all: number; kept: number };
}

/**
 * Filings of companies between two days, closed quarters for certain.
 * @returns null: the indexes cost less, or some record is not there, is broken, or lacks filings that it announces
 * @throws FilinglakeError of EDGAR's hosts; the signal's reason
 */
export async function filingsOfCompanies(session: Session, range: CompanyRange): Promise<CompanyFilings | null> {
  const { ciks, from, to, indexes } = range;
  const worth = (indexes.all - indexes.kept) * INDEX_S + indexes.kept * KEPT_INDEX_S;
  if (ciks.length * RECORD_S >= worth) return null;
  let files = ciks.length;
  const found = new Map<string, IndexedFiling>();
  const records: { cik: string; pages: SubmissionsJson['olderPages'] }[] = [];
  for (const cik of ciks) {
    const record = await readRecord(session, session.places.entity(cik));
    if (record?.entity?.cik !== cik) return null;
    add(found, cik, record);
    const pages = record.olderPages.filter(({ filingFrom, filingTo }) => filingFrom <= to && filingTo >= from);
    records.push({ cik, pages });
    files += pages.length;
    if (files * RECORD_S >= worth) return null;
  }
  for (const { cik, pages } of records) {
    for (const { name, filingCount } of pages) {
      const page = await readRecord(session, session.places.entityPage(name));
      // A page of another day than its record may lack what moved between them.
      if (page === null || page.filings.length < filingCount) return null;
      add(found, cik, page);
    }
  }
  return { filings: [...found.values()], files };
}

/** Null if it is missing or damaged. */
async function readRecord(session: Session, url: string): Promise<SubmissionsJson | null> {
  const answer = await session.http.get(url, { signal: session.signal, retries: 1 }).catch((error) => {
    session.signal?.throwIfAborted();
    if ((error as { code?: string }).code !== 'edgar-unreachable') throw error;
    return null;
  });
  if (answer?.kind !== 'file') return null;
  try {
    return readSubmissionsJson(answer.body);
  } catch (error) {
    if (!(error instanceof EdgarFileError)) throw error;
    return null;
  }
}

function add(found: Map<string, IndexedFiling>, cik: string, { filings }: SubmissionsJson): void {
  for (const { accessionNumber, formType, filingDate } of filings) {
    const known = found.get(accessionNumber);
    if (known) {
      if (!known.ciks.includes(cik)) known.ciks.push(cik);
      continue;
    }
    const path = submissionPath(cik, accessionNumber);
    const about = { form_type: formType, filing_date: filingDate, path };
    found.set(accessionNumber, { accession_number: accessionNumber, ...about, ciks: [cik], names: [] });
  }
}
