/** What other rooms may use of the runtime: Temporal, runs, schedules, the doctor. */

export { type RemapReport, readListFile, remapLake } from '../pipeline/index.ts';
export type { Check } from './doctor/check.ts';
export { examine } from './doctor/examine.ts';
export type { ServiceToCheck } from './doctor/service.ts';
export { type PlannedExport, planOf } from './runs/estimate-export.ts';
export { type ExportRunResult, ExportRuns, type RunStatus, type StartedRun } from './runs/export-runs.ts';
export { checkTimes } from './runs/schedule-times.ts';
export {
  type ScheduleDetails,
  type ScheduleStatus,
  Schedules,
} from './runs/schedules.ts';
export { selectionText, serviceRange } from './runs/service-range.ts';
export { exitOfResult, exitOfStandstill, type Watched, type WatchOptions, watchRun } from './runs/watch-run.ts';
export { findTemporal } from './temporal/fetch.ts';
export { freePort } from './temporal/free-port.ts';
export { commandNameOf } from './temporal/run-names.ts';
export { ensureTemporal, type TemporalSession } from './temporal/server.ts';
export { temporalStatus } from './temporal/status.ts';
export type { OpenedService } from './worker/service-addresses.ts';
export { type RunningWorker, startWorker } from './worker/worker.ts';
