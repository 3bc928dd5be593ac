/** Identifiers of EDGAR as the /v2 interface writes them. The types are branded: a CIK can't be passed as an accession number. */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** `0000320193-24-000123`: always with dashes. */
export type AccessionNumber = Branded<'AccessionNumber'>;
/** Decimal digits without leading zeros. */
export type Cik = Branded<'Cik'>;
/** `<accession_number>-<sequence>`. */
export type DocumentId = Branded<'DocumentId'>;

const ACCESSION_WITH_DASHES = /^\d{10}-\d{2}-\d{6}$/;
const ACCESSION_PLAIN = /^\d{18}$/;
const DOCUMENT_ID = /^(\d{10}-\d{2}-\d{6}|\d{18})-(\d{1,9})$/;

/** Reads an accession number with dashes or as 18 digits; null for anything else. */
export function parseAccessionNumber(text: string): AccessionNumber | null {
  if (ACCESSION_WITH_DASHES.test(text)) return text as AccessionNumber;
  if (!ACCESSION_PLAIN.test(text)) return null;
  return `${text.slice(0, 10)}-${text.slice(10, 12)}-${text.slice(12)}` as AccessionNumber;
}

/** Reads a CIK with or without leading zeros (at most 10 digits); null for anything else. */
export function parseCik(text: string): Cik | null {
  if (!/^\d{1,10}$/.test(text)) return null;
  return (text.replace(/^0+/, '') || '0') as Cik;
}

/** Reads a document id; its accession number may lack the dashes. Null for anything else. */
export function parseDocumentId(text: string): DocumentId | null {
  const match = DOCUMENT_ID.exec(text);
  if (!match) return null;
  return documentId(parseAccessionNumber(match[1]!)!, Number(match[2]));
}

/** The id of the document with this sequence number (1 or more, EDGAR's own, gaps included). */
export function documentId(accessionNumber: AccessionNumber, sequence: number): DocumentId {
  return `${accessionNumber}-${sequence}` as DocumentId;
}

export function splitDocumentId(id: DocumentId): { accessionNumber: AccessionNumber; sequence: number } {
  const at = id.lastIndexOf('-');
  return { accessionNumber: id.slice(0, at) as AccessionNumber, sequence: Number(id.slice(at + 1)) };
}

/** Whether the text is a day of the calendar, `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** `BRK.B`, `BRK-B` and `BRK/B` are one ticker: upper case, one separator. */
export function normalTicker(ticker: string): string {
  return ticker.trim().toUpperCase().replace(/[./]/g, '-');
}
