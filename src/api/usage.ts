/** usage: what a key has used of a month. Not an operation: it reads no filings and counts nothing. docs/api.md#usage. */
import { z } from 'zod';
import { apiKey } from './parameters.ts';

export const USAGE_PATH = '/v2/usage';
export const USAGE_SUMMARY = 'Requests and bytes of this key by day and operation, its plan and its limits';

export const usageParametersSchema = z.strictObject({
  ...apiKey,
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM')
    .optional()
    .describe('YYYY-MM, UTC; default the current month'),
});

export const usageDaySchema = z.object({
  day: z.string().describe('YYYY-MM-DD, UTC'),
  operation: z.string().describe('name of the operation; empty if it is not known'),
  requests: z.int(),
  bytes: z.int(),
});

export const usageSchema = z.object({
  month: z.string(),
  plan: z.string().describe('the plan of today'),
  requests: z.int().describe('counted this month, requests under way included'),
  bytes: z.int(),
  requests_per_month: z.int().nullable().describe('null: no limit'),
  bytes_per_month: z.int().nullable(),
  resets_at: z.string().describe('UTC time at which the current month ends'),
  days: z.array(usageDaySchema).describe('by day, then by name of the operation'),
});
export type Usage = z.infer<typeof usageSchema>;
