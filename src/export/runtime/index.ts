/** What other rooms may use of the runtime: Temporal, runs, schedules, the doctor. */
import type * as Pipeline from '../pipeline/index.ts';
import type * as Doctor from './doctor/examine.ts';
import type * as Estimate from './runs/estimate-export.ts';
import type * as Runs from './runs/export-runs.ts';
import type * as Scheduled from './runs/schedules.ts';
import type * as Worker from './worker/worker.ts';

export type { RemapReport } from '../pipeline/index.ts';
export type { Check } from './doctor/check.ts';
export type { ServiceToCheck } from './doctor/service.ts';
export type { PlannedExport } from './runs/estimate-export.ts';
export type { ExportRunResult, RunStatus, StartedRun } from './runs/export-runs.ts';
export { checkTimes } from './runs/schedule-times.ts';
export type { ScheduleDetails, ScheduleStatus } from './runs/schedules.ts';
export { selectionText, serviceRange } from './runs/service-range.ts';
export { exitOfResult, exitOfStandstill, type Watched, type WatchOptions, watchRun } from './runs/watch-run.ts';
export { findTemporal } from './temporal/fetch.ts';
export { freePort } from './temporal/free-port.ts';
export { commandNameOf } from './temporal/run-names.ts';
export { ensureTemporal, type OpeningSession, type TemporalSession } from './temporal/server.ts';
export { temporalStatus } from './temporal/status.ts';
export type { OpenedService } from './worker/service-addresses.ts';
export type { RunningWorker } from './worker/worker.ts';

// Temporal's client and a worker: a tenth of a second, in which Temporal starts.
export type ExportRuns = Runs.ExportRuns;
export const ExportRuns: Pick<typeof Runs.ExportRuns, 'of'> = {
  of: async (...call) => (await import('./runs/export-runs.ts')).ExportRuns.of(...call),
};
export type Schedules = Scheduled.Schedules;
export const Schedules: Pick<typeof Scheduled.Schedules, 'of'> = {
  of: async (...call) => (await import('./runs/schedules.ts')).Schedules.of(...call),
};
export const startWorker: typeof Worker.startWorker = async (...call) =>
  (await import('./worker/worker.ts')).startWorker(...call);

// `status` and most other commands need none of these, nor the client, readers of documents and engine behind them: a third of a second.
export const examine: typeof Doctor.examine = async (...call) => (await import('./doctor/examine.ts')).examine(...call);
export const planOf: typeof Estimate.planOf = async (request) =>
  (await import('./runs/estimate-export.ts')).planOf(request);
export const readListFile: typeof Pipeline.readListFile = async (...call) =>
  (await import('../pipeline/index.ts')).readListFile(...call);
export const remapLake: typeof Pipeline.remapLake = async (...call) =>
  (await import('../pipeline/index.ts')).remapLake(...call);
