/** usage: what a key has used of a month. Not an operation: it reads no filings and counts nothing. docs/api.md#usage. */
import { z } from 'zod';
import { apiKey } from '../parameters.ts';
import { operation } from './operation.ts';

const usageParametersSchema = z.strictObject({
  ...apiKey,
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM')
    .optional()
    .describe('YYYY-MM, UTC; default the current month'),
});

const usageDaySchema = z.object({
  day: z.string().describe('YYYY-MM-DD, UTC'),
  operation: z.string().describe('name of the operation; empty if it is not known'),
  requests: z.int(),
  bytes: z.int(),
});

const usageSchema = z.object({
  month: z.string(),
  plan: z.string().describe('the plan of today'),
  requests: z.int().describe('counted this month, requests under way included'),
  bytes: z.int(),
  requests_per_month: z.int().nullable().describe('null: no limit'),
  bytes_per_month: z.int().nullable(),
  work_seconds: z.number().describe('seconds of the threads that read the catalog'),
  work_seconds_per_month: z.int().nullable(),
  resets_at: z.string().describe('UTC time at which the current month ends'),
  days: z.array(usageDaySchema).describe('by day, then by name of the operation'),
});
export type Usage = z.infer<typeof usageSchema>;

export const USAGE = operation({
  path: '/v2/usage',
  summary: 'Requests and bytes of this key by day and operation, its plan and its limits',
  parameters: usageParametersSchema,
  answer: usageSchema,
  example: {
    parameters: { month: '2024-11' },
    answer: {
      month: '2024-11',
      plan: 'free',
      requests: 12,
      bytes: 48_210,
      requests_per_month: 100,
      bytes_per_month: null,
      work_seconds: 1.4,
      work_seconds_per_month: 600,
      resets_at: '2024-12-01T00:00:00Z',
      days: [{ day: '2024-11-03', operation: 'filing_info', requests: 12, bytes: 48_210 }],
    },
  },
  combinationError: () => null,
});
