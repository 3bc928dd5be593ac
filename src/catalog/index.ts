/** The service's store over EDGAR files: ingest, look-ups, full text, documents; API keys and their usage. */
export { Accounts } from './accounts.ts';
export { openAccountsDatabase } from './accounts-database.ts';
export { newApiKey } from './api-key.ts';
export { type BackupSummary, backupCatalog } from './backup.ts';
export { Catalog, type CatalogTotals } from './catalog.ts';
export {
  type CheckOptions,
  type CheckProblem,
  type CheckProblemCode,
  type CheckReport,
  checkCatalog,
} from './check.ts';
export { requireCatalog } from './database-file.ts';
export { ENRICHMENTS } from './enrichments/index.ts';
export { QueryError } from './fulltext/query-error.ts';
export {
  type IngestFailure,
  type IngestOptions,
  type IngestProgress,
  type IngestSummary,
  type IngestWarning,
  ingest,
} from './ingest.ts';
export type {
  Admission,
  AnsweredRequest,
  CountedAnswer,
  KnownKey,
  QuotaState,
  UsageTicket,
} from './keys/admission.ts';
export type { CreatedKey, KeySummary } from './keys/key-register.ts';
export { LivePlans } from './live-plans.ts';
export { monthEnd, monthOf, planIn, requirePlan } from './plan-of-month.ts';
export { coverageOf, daysBetween, type NotedDay } from './queries/coverage.ts';
export type { FulltextPage } from './queries/fulltext-search.ts';
export type { CatalogQueries } from './queries/index.ts';
export type { FilingsPage, LookupPage, PageLimits } from './queries/page.ts';
export { defaultPlansFile, loadPlans } from './quota-plans.ts';
export { READER_VERSIONS } from './revision.ts';
export { requireReadable } from './schema.ts';
export type { StoredDocument } from './stored-document.ts';
export { type MonthUsage, type UsageDay, usageOfMeter } from './usage-days.ts';
