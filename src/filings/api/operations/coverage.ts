/** coverage: docs/api.md#coverage. */
import { z } from 'zod';
import { dateOrderError, windowError } from '../combinations.ts';
import { KINDS } from '../kinds.ts';
import { apiKey, date, position } from '../parameters.ts';
import { dateText } from '../records.ts';
import { operation } from './operation.ts';

export const COVERAGE_WINDOW_DEFAULT = 100;

export const coverageSchema = z.strictObject({
  ...apiKey,
  date_from: date.optional().describe('first day of publication, included'),
  date_to: date.optional().describe('last day of publication, included'),
  from: position.optional().describe('first position, default 0'),
  to: position.optional().describe(`default ${COVERAGE_WINDOW_DEFAULT}`),
});
export type CoverageParameters = z.infer<typeof coverageSchema>;

export const coverageDaySchema = z
  .object({
    day: dateText.describe('day of publication'),
    expected: z.int().nullable().describe("filings that EDGAR's index of the day names, each once; null: not read yet"),
    in_catalog: z.int().describe('of those: in the catalog'),
    missing: z.int().describe('of those: neither in the catalog nor withdrawn by EDGAR'),
    lag_p50_s: z
      .int()
      .nullable()
      .describe('median seconds from acceptance to the catalog, of filings that the feed named'),
    lag_p99_s: z.int().nullable().describe('99th percentile of the same'),
    proven_at: z.string().nullable().describe('UTC time at which nothing was missing any more; null: not proven'),
  })
  .register(KINDS, { record: 'day' });
export type CoverageDay = z.infer<typeof coverageDaySchema>;

export const coverageEnvelopeSchema = z.object({
  count: z.int().describe('how many days match in all'),
  days: z.array(coverageDaySchema),
  truncated: z.boolean().describe('the page was cut short'),
});

export const coverageOperation = operation({
  path: '/v2/coverage',
  summary: 'Which days of EDGAR are complete in this catalog, and how far the others are',
  parameters: coverageSchema,
  answer: coverageEnvelopeSchema,
  example: {
    parameters: { date_from: '1993-01-01', to: 1 },
    answer: {
      count: 1,
      days: [
        {
          day: '2024-11-01',
          expected: 3_912,
          in_catalog: 3_912,
          missing: 0,
          lag_p50_s: 34,
          lag_p99_s: 118,
          proven_at: '2024-11-02T04:10:12.000Z',
        },
      ],
      truncated: false,
    },
  },
  addition: true,
  defaultTo: COVERAGE_WINDOW_DEFAULT,
  combinationError: (parameters) => dateOrderError(parameters) ?? windowError(parameters, COVERAGE_WINDOW_DEFAULT),
});
