/** The seven operations of /v2: path, parameters and answer of each. The one truth for service, client and OpenAPI. */
import { z } from 'zod';
import { isCalendarDate, parseAccessionNumber, parseCik, parseDocumentId } from './identifiers.ts';
import * as records from './records.ts';

/** No query reaches past this position; narrow it instead. */
export const MAX_WINDOW = 10_000;
export const MAX_ARRAY_VALUES = 1_000;

const nonEmpty = z.string().min(1, 'must not be empty');
const texts = z.array(nonEmpty).max(MAX_ARRAY_VALUES);
const date = z
  .string()
  .refine(isCalendarDate, 'must be a date, YYYY-MM-DD')
  .meta({ description: 'YYYY-MM-DD', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const position = z.int().min(0).max(MAX_WINDOW);

/** Accepts a text that `parse` can read and gives its normal form. */
function identifier<T extends string>(parse: (text: string) => T | null, shape: string) {
  return z.string().transform((value, context): T => {
    const parsed = parse(value.trim());
    if (parsed !== null) return parsed;
    context.addIssue({ code: 'custom', message: `must be ${shape}` });
    return z.NEVER;
  });
}
const accessionNumber = identifier(parseAccessionNumber, 'an accession number, 0000000000-00-000000');
const cik = identifier(parseCik, 'a CIK of 1 to 10 digits');
const documentId = identifier(parseDocumentId, 'a document id, 0000000000-00-000000-1');

/** An enumerated value, compared without regard to case. */
function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .string()
    .transform((value) => values.find((v) => v.toLowerCase() === value.trim().toLowerCase()) ?? value)
    .pipe(z.enum(values));
}

const apiKey = { api_key: z.string().optional().describe("the caller's API key") };

const entityFilter = {
  tickers: texts.optional().describe('ticker symbols; BRK.B, BRK-B and BRK/B are one'),
  ciks: z.array(cik).max(MAX_ARRAY_VALUES).optional().describe('CIK numbers, with or without leading zeros'),
  name_includes: texts.optional().describe('substrings that must all occur in the name'),
  name_excludes: texts.optional().describe('substrings that must not occur in the name'),
  exchanges: z.array(oneOf(records.EXCHANGES)).optional().describe('exchanges, any of the tickers'),
  sics: texts.optional().describe('SIC codes'),
  states: texts.optional().describe('states of incorporation'),
  entity_types: z.array(oneOf(records.ENTITY_TYPES)).optional().describe('kinds of entities'),
};

export const entityFilterSchema = z.strictObject(entityFilter);
export type EntityFilter = z.infer<typeof entityFilterSchema>;
export const ENTITY_FILTER_NAMES = Object.keys(entityFilter) as (keyof EntityFilter)[];

const filingFilter = {
  entity_query: entityFilterSchema.optional().describe('filings of any party that matches'),
  form_types: texts.optional().describe('whole form names; 10-K finds no 10-K/A'),
  excluded_form_types: texts.optional(),
  exclude_amendments: z.boolean().optional().describe('no form that ends in /A'),
  items: texts.optional().describe('8-K items, any of them'),
  date_from: date.optional().describe('first filing date, included'),
  date_to: date.optional().describe('last filing date, included'),
};

export const SORT_FIELDS = ['filing_date', 'acceptance_date_time', 'form', 'size', 'entity_name'] as const;
export const SORT_ORDERS = ['asc', 'desc'] as const;

export const entityLookupSchema = z.strictObject({
  ...apiKey,
  ...entityFilter,
  from: position.optional().describe('first position, default 0'),
  to: position.optional().describe('position after the last, default 100'),
});

export const filingLookupSchema = z.strictObject({
  ...apiKey,
  ...filingFilter,
  sort_by: oneOf(SORT_FIELDS).optional().describe('default filing_date'),
  sort_order: oneOf(SORT_ORDERS).optional().describe('default desc'),
  from: position.optional().describe('first position, default 0'),
  to: position.optional().describe('position after the last, default 10000'),
});

export const QUERY_TYPES = ['match', 'match_phrase', 'query_string'] as const;

export const fulltextSearchSchema = z.strictObject({
  ...apiKey,
  query: z.string().max(2000).optional().describe('required; up to 2,000 characters'),
  query_type: oneOf(QUERY_TYPES).optional().describe('default match'),
  ...filingFilter,
  ciks: entityFilter.ciks,
  accession_numbers: z
    .array(z.string().min(10))
    .max(MAX_ARRAY_VALUES)
    .optional()
    .describe('whole or prefixes of 10 digits or more'),
  document_types: texts.optional().describe('EX-99.1; a value that ends in * is a prefix'),
  include_text: z.boolean().optional().describe('give the readable text of each document'),
  sort_by: oneOf(['filing_date', '_score'] as const)
    .optional()
    .describe('default filing_date'),
  sort_order: oneOf(SORT_ORDERS).optional(),
  from: position.optional(),
  to: position.optional().describe('default 100'),
});

export const documentSchema = z.strictObject({
  ...apiKey,
  document_id: documentId.optional(),
  accession_number: accessionNumber.optional(),
  filename: nonEmpty.optional(),
  output_format: oneOf(['raw', 'json'] as const)
    .optional()
    .describe('default raw'),
  convert_xml_to_json: z.boolean().optional().describe('default true; matters with json only'),
  xml_style: oneOf(['simple', 'ordered'] as const)
    .optional()
    .describe('default simple'),
});

export const filingInfoParametersSchema = z.strictObject({ ...apiKey, accession_number: accessionNumber.optional() });

export const filingSectionsParametersSchema = z.strictObject({
  ...apiKey,
  accession_number: accessionNumber.optional(),
  document_id: documentId.optional(),
  form_type: nonEmpty.optional().describe('10-K or 10-Q: which section labels'),
});

export const pdfParametersSchema = z.strictObject({
  ...apiKey,
  accession_number: accessionNumber.optional(),
  document_id: documentId.optional(),
  exhibits: z.boolean().optional().describe('default true'),
  page_size: oneOf(['letter', 'a4'] as const)
    .optional()
    .describe('default letter'),
});

export type EntityLookupParameters = z.infer<typeof entityLookupSchema>;
export type FilingLookupParameters = z.infer<typeof filingLookupSchema>;
export type FulltextSearchParameters = z.infer<typeof fulltextSearchSchema>;
export type DocumentParameters = z.infer<typeof documentSchema>;
export type FilingInfoParameters = z.infer<typeof filingInfoParametersSchema>;
export type FilingSectionsParameters = z.infer<typeof filingSectionsParametersSchema>;
export type PdfParameters = z.infer<typeof pdfParametersSchema>;

export const OPERATIONS = {
  entity_lookup: {
    path: '/v2/entity_lookup',
    summary: 'Search filers by ticker, CIK, name, exchange, SIC code, state, entity type',
    parameters: entityLookupSchema,
    answer: records.entityEnvelopeSchema,
  },
  filing_lookup: {
    path: '/v2/filing_lookup',
    summary: 'Search filings by entity, form type, date range and 8-K item',
    parameters: filingLookupSchema,
    answer: records.filingEnvelopeSchema,
  },
  fulltext_search: {
    path: '/v2/fulltext_search',
    summary: 'Full-text search across filing documents',
    parameters: fulltextSearchSchema,
    answer: records.fulltextEnvelopeSchema,
  },
  document: {
    path: '/v2/document',
    summary: 'Fetch raw document content, with XML to JSON conversion',
    parameters: documentSchema,
    answer: records.documentContentSchema,
  },
  filing_info: {
    path: '/v2/filing_info',
    summary: 'Metadata, documents, sections and 8-K items of one filing',
    parameters: filingInfoParametersSchema,
    answer: records.filingInfoSchema,
  },
  filing_sections: {
    path: '/v2/filing_sections',
    summary: 'HTML content of the sections of a 10-K or 10-Q filing',
    parameters: filingSectionsParametersSchema,
    answer: records.filingSectionsSchema,
  },
  pdf: {
    path: '/v2/pdf',
    summary: 'Generate a PDF from a filing, with cover page and table of contents',
    parameters: pdfParametersSchema,
    answer: records.pdfSchema,
  },
} as const;
export type OperationName = keyof typeof OPERATIONS;
