/** The records of /v2 answers, exactly as the service writes them: a scalar without a value is null, an array without members is []. */
import { z } from 'zod';

const text = z.string().nullable();

export const ENTITY_TYPES = ['OPERATING', 'INVESTMENT', 'OTHER'] as const;
export const EXCHANGES = ['NASDAQ', 'NYSE', 'OTC', 'CBOE'] as const;

export const addressSchema = z.object({ street1: text, street2: text, city: text, state: text, zip: text });
export type Address = z.infer<typeof addressSchema>;

export const entitySchema = z.object({
  cik: z.string(),
  name: text,
  tickers: z.array(z.string()).describe('ticker symbols'),
  exchanges: z.array(z.string()).describe("exchange of the ticker at the same position, '' where none is known"),
  sic: text.describe('SIC industry code'),
  sic_description: text,
  state_of_incorporation: text.describe('state code of EDGAR, foreign places included'),
  fiscal_year_end: text.describe('MMDD'),
  entity_type: z.enum(ENTITY_TYPES).nullable(),
  category: text.describe('filer category, free text'),
  addresses: z.record(z.string(), addressSchema).describe('keyed business and mailing'),
});
export type Entity = z.infer<typeof entitySchema>;

export const entityEnvelopeSchema = z.object({
  count: z.int().describe('how many entities match in all'),
  entities: z.array(entitySchema),
  response_bytes: z.int().describe('bytes of the JSON text of `entities`'),
  truncated: z.boolean().describe('the page was cut short at the size limit of a response'),
});
export type EntityEnvelope = z.infer<typeof entityEnvelopeSchema>;

/** A document as filing_lookup names it: without `size`. */
export const documentReferenceSchema = z.object({
  document_id: z.string(),
  sequence: z.int().describe("EDGAR's number, gaps included"),
  filename: text,
  description: text,
  type: text,
  size: z.int().nullable().optional().describe('bytes of the document; absent in filing lookup'),
});
export type DocumentReference = z.infer<typeof documentReferenceSchema>;

export const filingSchema = z.object({
  accession_number: z.string(),
  cik: text,
  form_type: text,
  filing_date: text,
  acceptance_datetime: text.describe('Eastern time as EDGAR states it, without zone'),
  entity_name: text,
  report_date: text,
  size: z.int().nullable().describe('bytes of the complete submission'),
  documents: z.array(documentReferenceSchema),
});
export type Filing = z.infer<typeof filingSchema>;

export const filingEnvelopeSchema = z.object({
  count: z.int().describe('how many filings match in all'),
  filings: z.array(filingSchema),
  truncated: z.boolean(),
});
export type FilingEnvelope = z.infer<typeof filingEnvelopeSchema>;

export const sectionReferenceSchema = z.object({
  exhibit: text.describe('number of the exhibit (13: the annual report to shareholders), or `proxy statement`'),
  pages: text.describe('pages named: 32-43'),
  heading: text.describe('captions named, several parted by semicolons'),
});
/** What a section refers to in place of its text. */
export type SectionReference = z.infer<typeof sectionReferenceSchema>;

/** Where a section's text stands; services that don't say leave both out. */
const sectionPlace = {
  document_id: text.optional().describe('the document that holds the section'),
  by_reference: sectionReferenceSchema
    .nullable()
    .optional()
    .describe('what the section refers to in place of its text; null where it holds its text'),
};

export const sectionIndexSchema = z.object({
  section: z.string().describe('code: 1A for a 10-K, II-1A for a 10-Q'),
  title: text,
  heading: text.describe("the filing's own words"),
  start_index: z.int().nullable().describe('UTF-16 position in the text of the main document'),
  end_index: z.int().nullable().describe('UTF-16 position, exclusive'),
  ...sectionPlace,
});
export type SectionIndex = z.infer<typeof sectionIndexSchema>;

export const exhibitSchema = z.object({ exhibit: text, description: text, document_id: text });
export type Exhibit = z.infer<typeof exhibitSchema>;

export const ITEM_PLACES = ['header', 'body', 'both'] as const;

export const eightKItemSchema = z.object({
  item: z.string().describe('2.02 since 2004, 1 to 12 before'),
  title: text.describe('in force on the filing date'),
  named_in: z
    .enum(ITEM_PLACES)
    .nullable()
    .optional()
    .describe(
      'where the item is named: headings of the body decide, the header is a hint; other services leave it out',
    ),
  exhibits: z.array(exhibitSchema),
});
export type EightKItem = z.infer<typeof eightKItemSchema>;

export const partySchema = z.object({
  role: z.string().describe('filer, subject_company, filed_by, issuer, reporting_owner, filed_for, ...'),
  cik: text,
  name: text,
  former_names: z.array(z.object({ name: z.string(), date_of_change: text })),
  state_of_incorporation: text,
  fiscal_year_end: text,
  sic: text,
  sic_description: text,
  irs_number: text,
  file_number: text,
  film_number: text,
  sec_act: text,
  relationship: text,
  addresses: z.record(z.string(), addressSchema),
});
export type Party = z.infer<typeof partySchema>;

export const filingInfoSchema = z.object({
  accession_number: z.string(),
  cik: text,
  entity_name: text,
  form_type: text,
  filing_date: text,
  acceptance_datetime: text,
  report_date: text,
  documents: z.array(documentReferenceSchema),
  sections: z.array(sectionIndexSchema),
  items_8k: z.array(eightKItemSchema).nullable().describe('null for a form that has no 8-K items'),
  parties: z.array(partySchema),
  not_read: z
    .array(
      z.object({
        part: z.enum(['text', 'sections', 'items_8k']).describe('text: full text does not find the document'),
        document_id: text,
        reason: z.string(),
      }),
    )
    .optional()
    .describe('what the service left out of this record or of full text; absent where nothing was'),
});
export type FilingInfo = z.infer<typeof filingInfoSchema>;

export const sectionContentSchema = z.object({
  section: z.string(),
  title: text,
  heading: text,
  html: z.string().describe('starts with the heading; stands alone as HTML'),
  ...sectionPlace,
});
export type SectionContent = z.infer<typeof sectionContentSchema>;

export const filingSectionsSchema = z.object({
  accession_number: z.string(),
  form_type: text,
  sections: z.array(sectionContentSchema),
});
export type FilingSections = z.infer<typeof filingSectionsSchema>;

export const fulltextHitSchema = z.object({
  id: z.string().describe('the document_id'),
  score: z.number().nullable(),
  accession_number: z.string(),
  form_type: text,
  filing_date: text,
  acceptance_date_time: text,
  document_type: text,
  document_description: text,
  file_name: text,
  ciks: z.array(z.string()),
  sics: z.array(z.string()),
  size: z.int().nullable(),
  highlights: z.array(z.string()).describe('up to 3 passages, matched words in <mark>, all else HTML-escaped'),
  text_content: text.describe("the document's readable text, with include_text"),
});
export type FulltextHit = z.infer<typeof fulltextHitSchema>;

export const fulltextEnvelopeSchema = z.object({
  total_hits: z.int(),
  hits: z.array(fulltextHitSchema),
  entities: z.array(z.object({ cik: z.string(), name: text, tickers: z.array(z.string()) })),
  response_bytes: z.int(),
  truncated: z.boolean(),
});
export type FulltextEnvelope = z.infer<typeof fulltextEnvelopeSchema>;

export const documentContentSchema = z.object({
  document_id: z.string(),
  accession_number: z.string(),
  sequence: z.int(),
  type: text,
  filename: text,
  description: text,
  content_type: z.string(),
  encoding: z.enum(['utf-8', 'base64', 'json']),
  size: z.int().describe('bytes as EDGAR publishes the file'),
  sha256: z.string().describe('of those bytes, hexadecimal'),
  content: z.unknown().describe('a string; with encoding json the converted XML'),
});
export type DocumentContent = z.infer<typeof documentContentSchema>;

export const pdfSchema = z.object({
  accession_number: z.string(),
  document_id: text.describe('null where a filing was asked for'),
  filename: z.string(),
  content_type: z.literal('application/pdf'),
  encoding: z.literal('base64'),
  pages: z.int(),
  size: z.int(),
  sha256: z.string(),
  content: z.string(),
});
export type Pdf = z.infer<typeof pdfSchema>;

export const errorSchema = z.object({ error: z.string() });
export type ErrorAnswer = z.infer<typeof errorSchema>;
