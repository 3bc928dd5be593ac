/** The content of a complete submission: the reader's result. */
import type { AccessionNumber, FundSeries, Party } from '../../api/index.ts';

export interface Warning {
  message: string;
  /** Byte offset in the file. */
  offset: number;
}

/** A key that has no member here, as written in the file: `SROS`, `EFFECTIVENESS DATE`, `PRIVATE-TO-PUBLIC`. */
export interface HeaderField {
  name: string;
  value: string;
  /** Position in `parties` of the party it belongs to; null for the submission's own. */
  party: number | null;
}

export interface SubmissionDocument {
  /** EDGAR's number, gaps included. If it is missing, repeated or invalid, a new one is assigned, with a warning. */
  sequence: number;
  /** The whole line: `EX-99.1 CHARTER`; '' (with a warning) without one. */
  type: string;
  /** Null in many documents until 2000. */
  filename: string | null;
  description: string | null;
  kind: 'text' | 'uuencoded';
  /** The pair of lines around the content, which is not part of it: `XML`, `XBRL`, `PDF` ... */
  wrapper: string | null;
  /** Tags before `<TEXT>` that have no member here: `FLAWED`. */
  otherFields: { name: string; value: string }[];
  /** Byte offset of the content in the file: after `<TEXT>` and the wrapper's line. */
  offset: number;
  /** The document's bytes as EDGAR publishes the file: without wrapper, uudecoded. Throws SubmissionError for invalid uuencode. */
  read(): Buffer;
}

export interface Submission {
  /**
   * `txt`: complete submission text file; `nc`: file of the daily feed; `loose`: documents without their submission; `header`: a
   * header alone, as EDGAR has some submissions of the 1990s.
   */
  dialect: 'txt' | 'nc' | 'loose' | 'header';
  /** A correction replaces the submission with the same accession number, a deletion removes it (feed only). */
  dissemination: 'filing' | 'correction' | 'deletion';
  /** Filed on paper: there is only the header, or a document that says so. */
  paper: boolean;
  accessionNumber: AccessionNumber;
  formType: string;
  /** `YYYY-MM-DD`: FILED AS OF DATE, neither the day of publication nor of acceptance. */
  filingDate: string;
  /** `YYYY-MM-DDThh:mm:ss`, Eastern time; null if the header has none (before 2002, and all of the feed dialect). */
  acceptanceDatetime: string | null;
  /** `YYYY-MM-DD`. */
  reportDate: string | null;
  /** The number in the header, which is often larger than the number of documents present. */
  publicDocumentCount: number | null;
  /** Words of `ITEM INFORMATION:` (.txt; '' kept) or codes of `<ITEMS>` (.nc), in order with repeats. */
  items: string[];
  /** In order of the header, with repeats: the same CIK may have two roles. */
  parties: Party[];
  series: FundSeries[];
  otherFields: HeaderField[];
  /** Bytes of the whole file. */
  size: number;
  documents: SubmissionDocument[];
  /** Oddities that could be read. */
  warnings: Warning[];
}
