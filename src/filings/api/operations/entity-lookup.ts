/** entity_lookup: docs/api.md#entity_lookup. */
import { z } from 'zod';
import { ENTITY_FILTER_REQUIRED, windowError } from '../combinations.ts';
import { ENTITY_FILTER_NAMES, ENTITY_TYPES, entityFilter } from '../filters.ts';
import { KINDS } from '../kinds.ts';
import { apiKey, position } from '../parameters.ts';
import { addressSchema, cikText, digitsText, text } from '../records.ts';
import { FILER_ADDRESS } from './example-filing.ts';
import { operation } from './operation.ts';

export const ENTITY_WINDOW_DEFAULT = 100;

export const entityLookupSchema = z.strictObject({
  ...apiKey,
  ...entityFilter,
  from: position.optional().describe('first position, default 0'),
  to: position.optional().describe(`position after the last, default ${ENTITY_WINDOW_DEFAULT}`),
});
export type EntityLookupParameters = z.infer<typeof entityLookupSchema>;

export const entitySchema = z
  .object({
    cik: cikText,
    name: text,
    tickers: z.array(z.string()).describe('ticker symbols'),
    exchanges: z.array(z.string()).describe("exchange of the ticker at the same position, '' if none is known"),
    sic: digitsText(4).describe('SIC industry code'),
    sic_description: text,
    state_of_incorporation: text.describe('state code of EDGAR, foreign places included'),
    fiscal_year_end: digitsText(4).describe('MMDD'),
    entity_type: z.enum(ENTITY_TYPES).nullable(),
    category: text.describe('filer category, free text'),
    addresses: z.record(z.string(), addressSchema).describe('keyed business and mailing'),
  })
  .register(KINDS, { record: 'entity' });
export type Entity = z.infer<typeof entitySchema>;

export const entityEnvelopeSchema = z.object({
  count: z.int().describe('how many entities match in all'),
  entities: z.array(entitySchema),
  response_bytes: z.int().describe('bytes of the JSON text of `entities`'),
  truncated: z.boolean().describe('the page was cut short at the size limit of a response'),
});
export type EntityEnvelope = z.infer<typeof entityEnvelopeSchema>;

export const entityLookupOperation = operation({
  path: '/v2/entity_lookup',
  summary: 'Search filers by ticker, CIK, name, exchange, SIC code, state, entity type',
  parameters: entityLookupSchema,
  answer: entityEnvelopeSchema,
  example: {
    parameters: { ciks: ['18230'] },
    answer: {
      count: 1,
      entities: [
        {
          cik: '18230',
          name: 'CATERPILLAR INC',
          tickers: ['CAT'],
          exchanges: ['NYSE'],
          sic: '3531',
          sic_description: 'CONSTRUCTION MACHINERY & EQUIP',
          state_of_incorporation: 'DE',
          fiscal_year_end: '1231',
          entity_type: 'OPERATING',
          category: null,
          addresses: { business: FILER_ADDRESS },
        },
      ],
      response_bytes: 380,
      truncated: false,
    },
  },
  oneOf: ENTITY_FILTER_NAMES,
  defaultTo: ENTITY_WINDOW_DEFAULT,
  combinationError(parameters) {
    if (!ENTITY_FILTER_NAMES.some((name) => parameters[name] !== undefined)) return ENTITY_FILTER_REQUIRED;
    return windowError(parameters, ENTITY_WINDOW_DEFAULT);
  },
});
