/** EDGAR's indexes of filings, read and merged: one entry for each filing, even if it has several parties. */
import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import {
  EdgarFileError,
  type FilingIndexEntry,
  readFilingIndex,
  readFolderListing,
} from '../../filings/edgar/index.ts';
import type { EdgarHttp, Validators } from './edgar-http.ts';
import { daysOfQuarter, type Places } from './places.ts';

/** An index with more rows that can't be read is damaged. */
const UNREAD_ROWS_MIN = 3;
const UNREAD_SHARE_MAX = 0.001;

export interface IndexedFiling {
  accession_number: string;
  form_type: string;
  filing_date: string;
  /** As its first row names it */
  path: string;
  ciks: string[];
  names: string[];
}

/**
 * Merges an index's rows. Repeated rows, and separate rows of the same filing, make one filing.
 * @param onUnread takes a row that can't be read
 * @throws EdgarFileError if the last row is not whole; if a row can't be read and nothing takes it; if that is so of many
 */
export function filingsOfIndex(bytes: Buffer, onUnread?: (error: EdgarFileError) => void): Map<string, IndexedFiling> {
  requireEnd(bytes);
  const filings = new Map<string, IndexedFiling>();
  const unread: EdgarFileError[] = [];
  let rows = 0;
  for (const entry of readFilingIndex(bytes, onUnread && ((error) => void unread.push(error)))) {
    rows++;
    const { accessionNumber, formType, filingDate, path, cik, entityName } = entry satisfies FilingIndexEntry;
    // Rows without an accession number name no submission (indexes of the first years).
    if (accessionNumber === null) continue;
    const known = filings.get(accessionNumber);
    if (known === undefined) {
      const about = { form_type: formType, filing_date: filingDate, path };
      filings.set(accessionNumber, { accession_number: accessionNumber, ...about, ciks: [cik], names: [entityName] });
    } else if (!known.ciks.includes(cik)) {
      known.ciks.push(cik);
      known.names.push(entityName);
    }
  }
  if (unread.length > Math.max(UNREAD_ROWS_MIN, rows * UNREAD_SHARE_MAX)) throw unread[0]!;
  for (const error of unread) onUnread?.(error);
  return filings;
}

/** Hash of an index entry, in 64 bits. Another hash means a correction. */
export function signatureOf({ form_type, filing_date, ciks, names }: IndexedFiling): string {
  const parties = ciks.map((cik, i) => `${cik} ${names[i]}`).sort();
  return hash('sha1', [form_type, filing_date, ...parties].join('|')).slice(0, 16);
}

/** Last day of an index: `Last Data Received: December 12, 2025`; null if it states none. */
export function lastDataReceived(bytes: Buffer): string | null {
  const text = /Last Data Received:\s*([A-Z][a-z]+)\s+(\d{1,2}),\s*(\d{4})/.exec(bytes.toString('latin1', 0, 2000));
  if (!text) return null;
  const at = Date.parse(`${text[1]} ${text[2]}, ${text[3]} UTC`);
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
}

/** A file of the index of a quarter, and its state. */
export interface QuarterFile extends Validators {
  /** `master.idx`; `master.gz`, where EDGAR has no other */
  file: string;
}

/** The master index of a quarter; null if EDGAR lacks it. @param unless its state at the last request */
export async function quarterIndex(
  { http, places }: { http: EdgarHttp; places: Places },
  quarter: string,
  { unless, signal }: { unless?: QuarterFile | undefined; signal?: AbortSignal | undefined } = {},
): Promise<({ bytes: Buffer } & QuarterFile) | 'unchanged' | null> {
  for (const file of ['master.idx', 'master.gz']) {
    const condition = unless?.file === file ? unless : null;
    const answer = await http.get(places.fullIndex(quarter, file), { unless: condition, signal });
    if (answer.kind === 'unchanged') return 'unchanged';
    if (answer.kind !== 'file') continue;
    const { body, etag, lastModified } = answer;
    return { bytes: unpacked(body), file, etag, lastModified };
  }
  return null;
}

/** A last row that ends within its path looks like a row without a filing: `edgar/data/320193/0000320193-25-00`. */
function requireEnd(bytes: Buffer): void {
  const at = bytes.lastIndexOf('\n');
  const last = bytes.toString('latin1', at + 1).trim();
  if (last.includes('|') && !last.endsWith('.txt'))
    throw new EdgarFileError('filing index', 'it is cut short: its last row is not whole', { offset: at + 1 });
}

function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (cause) {
    throw new EdgarFileError('filing index', 'its compressed data is damaged', { cause });
  }
}

/** The day of an index's name: `20250304`; `950304` from 1995 to March 1998; `030494` in 1994. Null: no day of this quarter */
function dayNamed(digits: string, quarter: string): string | null {
  const { first, last } = daysOfQuarter(quarter);
  const century = quarter.slice(0, 2);
  const written =
    digits.length === 8
      ? [digits.replace(/^(....)(..)(..)$/, '$1-$2-$3')]
      : [
          digits.replace(/^(..)(..)(..)$/, `${century}$1-$2-$3`),
          digits.replace(/^(..)(..)(..)$/, `${century}$3-$1-$2`),
        ];
  return written.find((day) => day >= first && day <= last) ?? null;
}

/**
 * Days of a quarter with an index, by date, with the index's file name. They are read from EDGAR: no calendar has them.
 * @throws FilinglakeError of EDGAR's hosts; EdgarFileError if neither listing of the folder can be read
 */
export async function indexedDays(
  { http, places }: { http: EdgarHttp; places: Places },
  quarter: string,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  let damaged: unknown = null;
  for (const file of ['index.json', '']) {
    const answer = await http.get(places.dailyIndex(quarter, file), { signal });
    if (answer.kind !== 'file') continue;
    let names: string[];
    try {
      names = readFolderListing(answer.body);
    } catch (error) {
      damaged = error;
      continue;
    }
    const days = new Map<string, string>();
    for (const name of names) {
      const [, digits, packed] = /^master\.(\d{6}|\d{8})\.idx(\.gz)?$/.exec(name) ?? [];
      const day = digits === undefined ? null : dayNamed(digits, quarter);
      // Both may be there.
      if (day !== null && (packed === undefined || !days.has(day))) days.set(day, name);
    }
    return days;
  }
  if (damaged !== null) throw damaged;
  return new Map();
}

export interface DayIndex extends Validators {
  filings: Map<string, IndexedFiling>;
  sha256: string;
}

/** A day's index; null: it is missing or unchanged. @throws EdgarFileError if it is damaged */
export async function dayIndex(
  { http, places }: { http: EdgarHttp; places: Places },
  quarter: string,
  file: string,
  signal?: AbortSignal,
  unless: Validators | null = null,
): Promise<DayIndex | null> {
  const answer = await http.get(places.dailyIndex(quarter, file), { signal, unless });
  if (answer.kind !== 'file') return null;
  const { body, etag, lastModified } = answer;
  return { filings: filingsOfIndex(unpacked(body)), sha256: hash('sha256', body), etag, lastModified };
}
