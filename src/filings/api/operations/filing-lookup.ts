/** filing_lookup: docs/api.md#filing_lookup. */
import { z } from 'zod';
import { dateOrderError, emptyFilterError, windowError } from '../combinations.ts';
import { filingFilter, SORT_FIELDS, SORT_ORDERS } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { apiKey, oneOf, position } from '../parameters.ts';
import {
  acceptanceText,
  accessionText,
  cikText,
  dateText,
  documentReferenceSchema,
  revisionText,
  text,
} from '../records.ts';
import { REPORT_DOCUMENT, REPORT_FILING } from './example-filing.ts';
import { operation } from './operation.ts';

export const FILING_WINDOW_DEFAULT = 10_000;

export const filingLookupSchema = z.strictObject({
  ...apiKey,
  ...filingFilter,
  sort_by: oneOf(SORT_FIELDS).optional().describe('default filing_date'),
  sort_order: oneOf(SORT_ORDERS).optional().describe('default desc'),
  from: position.optional().describe('first position, default 0'),
  to: position.optional().describe(`position after the last, default ${FILING_WINDOW_DEFAULT}`),
});
export type FilingLookupParameters = z.infer<typeof filingLookupSchema>;

export const filingSchema = z
  .object({
    accession_number: accessionText,
    cik: cikText.nullable(),
    form_type: text,
    filing_date: dateText.nullable(),
    acceptance_datetime: acceptanceText.nullable(),
    entity_name: text,
    report_date: dateText.nullable(),
    size: z.int().nullable().describe('bytes of the complete submission'),
    documents: z.array(documentReferenceSchema),
    revision: revisionText,
  })
  .register(KINDS, { record: 'filing' });
export type Filing = z.infer<typeof filingSchema>;

export const filingEnvelopeSchema = z.object({
  count: z.int().describe('how many filings match in all'),
  filings: z.array(filingSchema),
  truncated: z.boolean(),
});
export type FilingEnvelope = z.infer<typeof filingEnvelopeSchema>;

export const filingLookupOperation = operation({
  path: '/v2/filing_lookup',
  summary: 'Search filings by entity, form type, date range and 8-K item',
  parameters: filingLookupSchema,
  answer: filingEnvelopeSchema,
  example: {
    parameters: { entity_query: { ciks: ['18230'] }, form_types: ['8-K'], date_from: '1993-01-01', to: 1 },
    answer: {
      count: 1,
      filings: [{ ...REPORT_FILING, size: 1_652_441, documents: [REPORT_DOCUMENT] }],
      truncated: false,
    },
  },
  defaultTo: FILING_WINDOW_DEFAULT,
  combinationError: (parameters) =>
    emptyFilterError(parameters.entity_query) ??
    dateOrderError(parameters) ??
    windowError(parameters, FILING_WINDOW_DEFAULT),
});
