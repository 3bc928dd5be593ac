/** The revision of a filing: a short text that changes when an answer about the filing changes. */
import { createHash } from 'node:crypto';
import { isAnnualReport } from '../../filings/documents/index.ts';

/**
 * Versions of what is read from a submission. Raise one if the same submission gives another answer, and record the new digests
 * (test/service/integration/reader-versions.test.ts).
 * A stored filing of other versions is read again when it is ingested again. Then it gets another revision
 * - `ingest` (header, documents, texts, sections, 8-K items): if its answers differ, or if it has an annual report, whose sections
 *   are found with each answer;
 * - `sections` (the HTML of sections, made with each answer): if its form has sections;
 * - `document` (the text and JSON of documents, made with each answer): always.
 */
export const READER_VERSIONS = { ingest: 19, sections: 5, document: 1 } as const;

/** Stored with each filing. */
export const READERS = Object.values(READER_VERSIONS).join('.');

/** Of 6 bits each. */
export const REVISION_CHARACTERS = 10;

interface RevisionParts {
  /** JSON text of the FilingInfo record, without its revision */
  info: string;
  documents: readonly { type: string | null; contentType: string; sha256: Uint8Array; text: object | null }[];
  /** The readable texts of the documents, one after another */
  texts: Uint8Array;
  /** Whether the form has sections */
  hasSections: boolean;
}

/** Without the size of the submission: a lookup has it beside, and its two dialects differ in little else. */
export function filingRevision({ info, documents, texts, hasSections }: RevisionParts): string {
  const hash = createHash('sha256').update(info);
  for (const { contentType, sha256, text } of documents)
    hash.update(`\0${contentType} ${text === null ? '' : 'searched '}`).update(sha256);
  hash.update('\0').update(texts);
  hash.update(`\0${READER_VERSIONS.document}`);
  if (hasSections) hash.update(` ${READER_VERSIONS.sections}`);
  if (documents.some(({ type }) => isAnnualReport(type))) hash.update(` ${READER_VERSIONS.ingest}`);
  return hash.digest('base64url').slice(0, REVISION_CHARACTERS);
}

/** The revision in the JSON text of a record; null in older records. */
export function revisionIn(record: string): string | null {
  return (JSON.parse(record) as { revision?: string }).revision ?? null;
}
