/** plans.yaml: what a key may use in a calendar month (UTC). */
import { z } from 'zod';

export const quotaPlanSchema = z.strictObject({
  requests_per_month: z.int().positive().nullable(),
  bytes_per_month: z.int().positive().nullable(),
  /** Seconds of the threads that read the catalog; absent: no limit */
  work_seconds_per_month: z.int().positive().optional(),
  /** In each second, and five times as many at once; absent: no limit. Each process of a service counts for itself */
  requests_per_second: z.number().positive().optional(),
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
