/** Filters on entities and filings that several operations take (docs/api.md#filters). */
import { z } from 'zod';
import { cik, date, MAX_ARRAY_VALUES, oneOf, texts } from './parameters.ts';

export const ENTITY_TYPES = ['OPERATING', 'INVESTMENT', 'OTHER'] as const;
export const EXCHANGES = ['NASDAQ', 'NYSE', 'OTC', 'CBOE'] as const;

export const ciks = z
  .array(cik)
  .max(MAX_ARRAY_VALUES)
  .optional()
  .describe('CIK numbers, with or without leading zeros');

export const entityFilter = {
  tickers: texts.optional().describe('ticker symbols; BRK.B, BRK-B and BRK/B are one'),
  ciks,
  name_includes: texts.optional().describe('substrings that must all occur in the name'),
  name_excludes: texts.optional().describe('substrings that must not occur in the name'),
  exchanges: z.array(oneOf(EXCHANGES)).max(MAX_ARRAY_VALUES).optional().describe('exchanges, any of the tickers'),
  sics: texts.optional().describe('SIC codes'),
  states: texts.optional().describe('states of incorporation'),
  entity_types: z.array(oneOf(ENTITY_TYPES)).max(MAX_ARRAY_VALUES).optional().describe('kinds of entities'),
};

export const entityFilterSchema = z.strictObject(entityFilter);
export type EntityFilter = z.infer<typeof entityFilterSchema>;
export const ENTITY_FILTER_NAMES = Object.keys(entityFilter) as (keyof EntityFilter)[];

export const filingFilter = {
  entity_query: entityFilterSchema.optional().describe('filings of any party that matches'),
  form_types: texts.optional().describe('whole form names; 10-K finds no 10-K/A'),
  excluded_form_types: texts.optional().describe('form names to leave out'),
  exclude_amendments: z.boolean().optional().describe('no form that ends in /A'),
  items: texts.optional().describe('8-K items, any of them'),
  date_from: date.optional().describe('first filing date, included'),
  date_to: date.optional().describe('last filing date, included'),
};

export const SORT_FIELDS = ['filing_date', 'acceptance_date_time', 'form', 'size', 'entity_name'] as const;
export const SORT_ORDERS = ['asc', 'desc'] as const;
