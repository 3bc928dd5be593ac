/** The export engine: reads windows, plans, fetches and commits. Knows nothing of Temporal: its caller passes a JobContext. */
export { NOTHING_SENT, RequestCounter, type Sent } from '../client/index.ts';
export { commitBatch } from './commit/commit-batch.ts';
export { finishRun, leaveRun, openRun } from './commit/run-lifecycle.ts';
export { removeStaged } from './commit/staging-cleanup.ts';
export { COMPACTION_BOX_MS, compactTable, tablesToCompact } from './compaction/compact-table.ts';
export type * from './compaction/types.ts';
export { Busy, type Dependencies, Lakes, type WorkerDependencies } from './dependencies.ts';
export { messageOf } from './failures/verdict.ts';
export { fetchBatch } from './fetch/fetch-batch.ts';
export { fetchEntities } from './fetch/fetch-entities.ts';
export type { HeartbeatReporter, JobContext } from './job-context.ts';
export { readWindows } from './lookup/read-windows.ts';
export { planWindows } from './plan/plan-windows.ts';
export { PagesReadLast, PlansReadLast } from './plan/staged-files.ts';
export type { BudgetPort, CompactionPort, Settlement } from './ports.ts';
export { filingsOfOlderMapping, type RemapReport, remapLake } from './remap/remap.ts';
export { SentByRuns } from './sent-by-runs.ts';
export type * from './types.ts';
