/** Citations: what `verify` needs to read a passage, or the rows of an answer, again. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

export const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Index page of a filing on EDGAR, which it serves under the CIK of each party; null without one. */
export function edgarUrl(accessionNumber: string, cik: string | null): string | null {
  return cik === null
    ? null
    : `https://www.sec.gov/Archives/edgar/data/${cik}/${accessionNumber.replaceAll('-', '')}/${accessionNumber}-index.htm`;
}

const digest = z.string().regex(/^[0-9a-f]{64}$/);
/** -1: of a new lake. */
const version = z.int().min(-1).optional();
/** Name of a release of the version. */
const release = z.string().max(80).optional();
const NO_CITATION = 'must be a citation of an earlier answer, unchanged, with its sha256';

/** A passage: UTF-16 positions in the readable text of a document or a section. */
const passage = z.strictObject({
  accession_number: z.string().max(40),
  document_id: z.string().max(60).nullable(),
  /** Code of the section whose text the positions count in; absent: the whole document. */
  section: z.string().max(20).optional(),
  /** Of the text that the positions count in; absent: plain. */
  format: z.literal('markdown').optional(),
  start: z.int().min(0),
  end: z.int().min(0),
  /** Of the passage in UTF-8, hexadecimal. */
  sha256: digest,
  url: z.string().max(300).nullable().optional(),
  source: z.enum(['lake', 'service']),
  lake_version: version,
  release,
});
export type PassageCitation = z.output<typeof passage>;

/** The rows of an answer, and what stands above them: the call that gives them again. */
const rows = z.strictObject({
  tool: z.string().max(40),
  args: z.record(z.string().max(80), z.json()),
  /** Rows of earlier pages; absent: none. */
  from: z.int().min(0).optional(),
  rows: z.int().min(0),
  /** Of the head and the rows as JSON; of a statement of SQL, of its sorted rows as JSON lines. */
  sha256: digest,
  lake_version: version,
  release,
});
export type RowsCitation = z.output<typeof rows>;

export const citationSchema = z.union([passage, rows], { error: NO_CITATION });
export type Citation = z.output<typeof citationSchema>;
