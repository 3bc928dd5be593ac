/** Citations: what `verify` needs to read a passage or a row again. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A passage: UTF-16 positions in the readable text of a document or a section. */
export interface PassageCitation {
  readonly accession_number: string;
  readonly document_id: string | null;
  /** Code of the section whose text the positions count in; absent: the whole document. */
  readonly section?: string;
  /** Of the text that the positions count in; absent: plain. */
  readonly format?: 'markdown';
  readonly start: number;
  readonly end: number;
  /** Of the passage in UTF-8, hexadecimal. */
  readonly sha256: string;
  readonly url: string | null;
  readonly source: 'lake' | 'service';
  readonly lake_version?: number;
  /** Name of a release of that version. */
  readonly release?: string;
}

/** A row of a table or view of the lake. */
export interface RowCitation {
  readonly table: string;
  /** Values that tell the row from all others. */
  readonly key: Readonly<Record<string, string | number | boolean | null>>;
  readonly sha256: string;
  readonly lake_version: number;
  /** The moment of a view; absent: now, or a table. */
  readonly as_of?: string;
  readonly accession_number?: string | null;
  readonly url?: string | null;
}

/** What a record of a service states of a filing, of a hit of a search, of a party in a filing, or of a company. */
export interface RecordCitation {
  readonly record: keyof typeof RECORDS;
  readonly accession_number?: string | undefined;
  /** Of a party or a company. */
  readonly cik?: string | undefined;
  /** Of the values of RECORDS as a JSON list. */
  readonly sha256: string;
  readonly source: 'service';
  readonly url?: string | null | undefined;
}

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

/** All parts of a filing, or of a section of it. */
export interface PartsCitation {
  readonly accession_number: string;
  /** How many. */
  readonly parts: number;
  readonly section?: string;
  /** Of the parts as JSON lines. */
  readonly sha256: string;
  readonly source: 'lake' | 'service';
  readonly lake_version?: number;
  readonly url: string | null;
}

/** All rows of a statement. */
export interface QueryCitation {
  readonly sql: string;
  readonly rows: number;
  /** Of the rows as JSON lines, sorted. */
  readonly sha256: string;
  readonly lake_version: number;
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
const NO_CITATION = 'must be a citation of an earlier answer, unchanged, with its sha256';
export const citationSchema = z.union(
  [
    z.strictObject({
      accession_number: z.string().max(40),
      document_id: z.string().max(60).nullable(),
      section: z.string().max(20).optional(),
      format: z.literal('markdown').optional(),
      start: z.int().min(0),
      end: z.int().min(0),
      sha256: digest,
      url: z.string().max(300).nullable().optional(),
      source: z.enum(['lake', 'service']),
      lake_version: version.optional(),
      release: z.string().max(80).optional(),
    }),
    z.strictObject({
      table: z.string().max(80),
      key: z.record(z.string().max(80), z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])),
      sha256: digest,
      lake_version: version,
      release: z.string().max(80).optional(),
      as_of: z.string().max(30).optional(),
      accession_number: z.string().max(40).nullable().optional(),
      url: z.string().max(300).nullable().optional(),
    }),
    z.strictObject({
      record: z.enum(Object.keys(RECORDS) as [keyof typeof RECORDS]),
      accession_number: z.string().max(40).optional(),
      cik: z.string().max(10).optional(),
      sha256: digest,
      source: z.literal('service'),
      url: z.string().max(300).nullable().optional(),
    }),
    z.strictObject({
      ...{ accession_number: z.string().max(40), parts: z.int().min(0), section: z.string().max(20).optional() },
      ...{ sha256: digest, source: z.enum(['lake', 'service']), lake_version: version.optional() },
      release: z.string().max(80).optional(),
      url: z.string().max(300).nullable().optional(),
    }),
    z.strictObject({
      ...{ sql: z.string().max(20_000), rows: z.int(), sha256: digest, lake_version: version },
      release: z.string().max(80).optional(),
    }),
  ],
  { error: NO_CITATION },
);
export type Citation = z.output<typeof citationSchema>;
