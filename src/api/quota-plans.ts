/** plans.yaml: what a key may use in a calendar month (UTC). */
import { z } from 'zod';

export const planSchema = z.strictObject({
  requests_per_month: z.int().positive().nullable(),
  bytes_per_month: z.int().positive().nullable(),
  price: z.string(),
  description: z.string(),
});
export type Plan = z.infer<typeof planSchema>;

export const plansSchema = z.strictObject({ pricing_url: z.string(), plans: z.record(z.string(), planSchema) });
export type Plans = z.infer<typeof plansSchema>;
