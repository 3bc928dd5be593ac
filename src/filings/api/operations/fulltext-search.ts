/** fulltext_search: docs/api.md#fulltext_search. */
import { z } from 'zod';
import { dateOrderError, emptyFilterError, windowError } from '../combinations.ts';
import { ciks, filingFilter, SORT_ORDERS } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { apiKey, MAX_ARRAY_VALUES, oneOf, position, texts } from '../parameters.ts';
import { acceptanceText, accessionText, cikText, contentText, dateText, documentIdText, text } from '../records.ts';
import { operation } from './operation.ts';

export const FULLTEXT_WINDOW_DEFAULT = 100;
export const QUERY_TYPES = ['match', 'match_phrase', 'query_string'] as const;

export const fulltextSearchSchema = z.strictObject({
  ...apiKey,
  query: z.string().max(2000).optional().describe('required; up to 2,000 characters'),
  query_type: oneOf(QUERY_TYPES).optional().describe('default match'),
  ...filingFilter,
  ciks,
  accession_numbers: z
    .array(z.string().min(10).meta({ pattern: '^(\\d{10,18}|\\d{10}-(\\d{0,2}|\\d{2}-\\d{0,6}))$' }))
    .max(MAX_ARRAY_VALUES)
    .optional()
    .describe('whole or prefixes of 10 digits or more'),
  document_types: texts.optional().describe('EX-99.1; a value that ends in * is a prefix'),
  include_text: z.boolean().optional().describe('give the readable text of each document'),
  sort_by: oneOf(['filing_date', '_score'] as const)
    .optional()
    .describe('default filing_date'),
  sort_order: oneOf(SORT_ORDERS).optional().describe('default desc'),
  from: position.optional().describe('first position, default 0'),
  to: position.optional().describe(`default ${FULLTEXT_WINDOW_DEFAULT}`),
});
export type FulltextSearchParameters = z.infer<typeof fulltextSearchSchema>;

export const fulltextHitSchema = z
  .object({
    id: documentIdText.describe('the document_id'),
    score: z.number().nullable(),
    accession_number: accessionText,
    form_type: text,
    filing_date: dateText.nullable(),
    acceptance_date_time: acceptanceText.nullable(),
    document_type: text,
    document_description: text,
    file_name: text,
    ciks: z.array(cikText),
    sics: z.array(z.string()),
    size: z.int().nullable(),
    highlights: z.array(z.string()).describe('up to 3 passages, matched words in <mark>, all else HTML-escaped'),
    text_content: contentText.nullable().describe("the document's readable text, with include_text"),
  })
  .register(KINDS, { record: 'hit' });
export type FulltextHit = z.infer<typeof fulltextHitSchema>;

export const fulltextEnvelopeSchema = z.object({
  total_hits: z.int(),
  hits: z.array(fulltextHitSchema),
  entities: z.array(
    z.object({ cik: cikText, name: text, tickers: z.array(z.string()) }).register(KINDS, { record: 'entity' }),
  ),
  response_bytes: z.int(),
  truncated: z.boolean(),
});
export type FulltextEnvelope = z.infer<typeof fulltextEnvelopeSchema>;

export const fulltextSearchOperation = operation({
  path: '/v2/fulltext_search',
  summary: 'Full-text search across filing documents',
  parameters: fulltextSearchSchema,
  answer: fulltextEnvelopeSchema,
  example: {
    parameters: { query: '"emerging growth company"', query_type: 'query_string', form_types: ['8-K'], to: 1 },
    answer: {
      total_hits: 28,
      hits: [
        {
          id: '0000019617-26-000241-1',
          score: 4.37,
          accession_number: '0000019617-26-000241',
          form_type: '8-K',
          filing_date: '2026-06-25',
          acceptance_date_time: '2026-06-25T16:30:41',
          document_type: '8-K',
          document_description: '8-K',
          file_name: 'jpm-20260624.htm',
          ciks: ['19617'],
          sics: ['6021'],
          size: 41_210,
          highlights: ['an <mark>emerging</mark> <mark>growth</mark> <mark>company</mark>'],
          text_content: null,
        },
      ],
      entities: [{ cik: '19617', name: 'JPMORGAN CHASE & CO', tickers: ['JPM'] }],
      response_bytes: 660,
      truncated: false,
    },
  },
  required: ['query'],
  defaultTo: FULLTEXT_WINDOW_DEFAULT,
  combinationError(parameters) {
    if (parameters.query === undefined || parameters.query.trim() === '') return 'query is required';
    const wrong = parameters.accession_numbers?.find((given) => !ACCESSION_PREFIX.test(given.trim()));
    return (
      emptyFilterError(parameters.entity_query) ??
      dateOrderError(parameters) ??
      (wrong === undefined ? null : accessionPrefixError(wrong)) ??
      windowError(parameters, FULLTEXT_WINDOW_DEFAULT)
    );
  },
});

const ACCESSION_PREFIX = /^(\d{10,18}|\d{10}-(\d{0,2}|\d{2}-\d{0,6}))$/;

function accessionPrefixError(given: string): string {
  return `accession_numbers is invalid: '${given.slice(0, 60)}' must be an accession number or its first 10 digits or more`;
}
