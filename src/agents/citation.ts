/** Citations: what `verify` needs to read a passage or a row again. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Members of a record in the order of its digest: a list has them as the record itself has them. */
export const RECORDS = {
  filing: ['cik', 'entity_name', 'form_type', 'filing_date', 'acceptance_datetime', 'report_date'],
  hit: ['form_type', 'filing_date', 'acceptance_datetime'],
  party: ['name', 'sic', 'sic_description', 'state_of_incorporation', 'fiscal_year_end'],
  company: ['name', 'tickers', 'sic', 'sic_description', 'state_of_incorporation', 'fiscal_year_end'],
} as const;

export function recordDigest(record: keyof typeof RECORDS, values: object): string {
  const stated = values as Readonly<Record<string, unknown>>;
  return sha256(JSON.stringify(RECORDS[record].map((name) => stated[name] ?? null)));
}

export const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

/** Index page of a filing on EDGAR, which it serves under the CIK of each party; null without one. */
export function edgarUrl(accessionNumber: string, cik: string | null): string | null {
  return cik === null
    ? null
    : `https://www.sec.gov/Archives/edgar/data/${cik}/${accessionNumber.replaceAll('-', '')}/${accessionNumber}-index.htm`;
}

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.int().min(0);
const url = z.string().max(300).nullable().optional();
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
  url,
  source: z.enum(['lake', 'service']),
  lake_version: version.optional(),
  release,
});
export type PassageCitation = z.output<typeof passage>;

/** A row of a table or view of the lake. */
const row = z.strictObject({
  table: z.string().max(80),
  /** Values that tell the row from all others. */
  key: z.record(z.string().max(80), z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])),
  sha256: digest,
  lake_version: version,
  release,
  /** The moment of a view; absent: now, or a table. */
  as_of: z.string().max(30).optional(),
  accession_number: z.string().max(40).nullable().optional(),
  url,
});
export type RowCitation = z.output<typeof row>;

/** What a record of a service states of a filing, of a hit of a search, of a party in a filing, or of a company. */
const record = z.strictObject({
  record: z.enum(Object.keys(RECORDS) as [keyof typeof RECORDS]),
  accession_number: z.string().max(40).optional(),
  /** Of a party or a company. */
  cik: z.string().max(10).optional(),
  /** Of the values of RECORDS as a JSON list. */
  sha256: digest,
  source: z.literal('service'),
  url,
});
export type RecordCitation = z.output<typeof record>;

/** All parts of a filing, or of a section of it. */
const parts = z.strictObject({
  accession_number: z.string().max(40),
  /** How many. */
  parts: z.int().min(0),
  section: z.string().max(20).optional(),
  /** Of the parts as JSON lines. */
  sha256: digest,
  source: z.enum(['lake', 'service']),
  lake_version: version.optional(),
  release,
  url,
});
export type PartsCitation = z.output<typeof parts>;

/** All rows of a statement. */
const query = z.strictObject({
  sql: z.string().max(20_000),
  rows: z.int(),
  /** Of the rows as JSON lines, sorted. */
  sha256: digest,
  lake_version: version,
  release,
});

export const citationSchema = z.union([passage, row, record, parts, query], { error: NO_CITATION });
export type Citation = z.output<typeof citationSchema>;
