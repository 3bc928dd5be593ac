/** What an export will request, before it runs. No I/O, no clock, nothing of Node. */

export {
  type ListedFiling,
  matchesOf,
  type PlanPage,
  pagesOf,
  planCompanies,
  planEntities,
  planListed,
  planLookup,
  planSampleSize,
  scaleOf,
} from './estimate.ts';
export { type ExportPlan, type PlanPart, type PlanQuota, type PlanStep, wholePlan } from './plan.ts';
