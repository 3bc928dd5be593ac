/** plans.yaml: what a key may use in a calendar month (UTC). */
import { z } from 'zod';

export const quotaPlanSchema = z.strictObject({
  requests_per_month: z.int().positive().nullable(),
  bytes_per_month: z.int().positive().nullable(),
  price: z.string(),
  description: z.string(),
});
export type QuotaPlan = z.infer<typeof quotaPlanSchema>;

export const quotaPlansSchema = z.strictObject({
  pricing_url: z.string(),
  plans: z.record(z.string(), quotaPlanSchema),
});
export type QuotaPlans = z.infer<typeof quotaPlansSchema>;
