/** The export engine: reads windows, plans, fetches and commits. Knows nothing of Temporal: its caller passes a JobContext. */

export { commitBatches } from './commit/commit-batch.ts';
export { COMPACTION_BOX_MS, compactIfDue } from './commit/compact-if-due.ts';
export { endRunForIt, endTurn, takeTurn } from './commit/ended-runs.ts';
export { finishRun, leaveRun, openRun } from './commit/run-lifecycle.ts';
export { Coverage } from './coverage/coverage.ts';
export { filingsInLake } from './coverage/filings-in-lake.ts';
export { messageOf } from './failures/verdict.ts';
export { fetchBatch } from './fetch/fetch-batch.ts';
export { fetchEntities } from './fetch/fetch-entities.ts';
export type { HeartbeatReporter, JobContext } from './job-context.ts';
export { companyOf } from './lookup/company-of-name.ts';
export { readListFile } from './lookup/list-file.ts';
export { listOfSelection, VALUES_OF_A_WINDOW } from './lookup/read-list.ts';
export { readWindows } from './lookup/read-windows.ts';
export { type CompanyOfFilings, pendingCompanies, takeFiling } from './plan/pending-companies.ts';
export { planWindows } from './plan/plan-windows.ts';
export type {
  BudgetPort,
  FitnessPort,
  RunsPort,
  Settlement,
} from './ports.ts';
export { filingsOfOlderMapping } from './remap/mapping-version.ts';
export { remapLake } from './remap/remap.ts';
export type { RemapReport } from './remap/remap-report.ts';
export { SentByRuns } from './sent-by-runs.ts';
export { PagesReadLast, PlansReadLast } from './staging/staged-files.ts';
export { removeStaged } from './staging/staging-cleanup.ts';
export type * from './types.ts';
export { Busy, type Dependencies, Lakes, type WorkerDependencies } from './worker/dependencies.ts';
