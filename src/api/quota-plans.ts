/** plans.yaml: what a key may use in a calendar month (UTC). */
import { z } from 'zod';

export const quotaPlanSchema = z.strictObject({
  requests_per_month: z.int().positive().nullable(),
  bytes_per_month: z.int().positive().nullable(),
  price: z.string(),
  description: z.string(),
  /** false: only the operator gives it to a key or an account; absent: it is on the page of plans */
  offered: z.boolean().optional(),
});
export type QuotaPlan = z.infer<typeof quotaPlanSchema>;

export const quotaPlansSchema = z.strictObject({
  /** Page that 429 links to. A path (`/plans`) is a page of the service itself */
  pricing_url: z.string(),
  /** Plan of a new account, without payment; absent: nobody can sign up */
  sign_up: z.string().optional(),
  plans: z.record(z.string(), quotaPlanSchema),
});
export type QuotaPlans = z.infer<typeof quotaPlansSchema>;
