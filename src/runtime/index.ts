/** What other rooms may use of the runtime: settings, Temporal, logs. */

export { workflowBundle, writeWorkflowBundle } from './bundle.ts';
export { type CompactionProgress, type CompactionStatus, Compactions } from './compactions.ts';
export type { Check } from './doctor/check.ts';
export { type DoctorReport, type ExamineOptions, examine } from './doctor/examine.ts';
export { OLDEST_NODE } from './doctor/machine.ts';
export { FAMILY_TITLE, type ServiceToCheck } from './doctor/service.ts';
export { type ExportRunResult, ExportRuns, type RunStatus, type StartedRun } from './export-runs.ts';
export { type Home, openHome } from './home.ts';
export { type Logger, openLog, withoutKeys } from './logging.ts';
export { type PlannedExport, type PlanRequest, planOf } from './plan-export.ts';
export { type ProcessLock, takeProcessLock } from './process-lock.ts';
export { commandNameOf, exportNameOf, workflowIdOf } from './run-names.ts';
export {
  type BackfillRequest,
  type ScheduleDetails,
  type ScheduleRequest,
  type ScheduleStatus,
  Schedules,
  startOfDay,
} from './schedules.ts';
export {
  type LogLevel,
  type LogTarget,
  readSettings,
  SETTING_VARIABLES,
  type Settings,
  type SettingVariable,
} from './settings.ts';
export { EMBEDDED_NAMESPACE, SEARCH_ATTRIBUTES } from './temporal-connection.ts';
export { findTemporal, TEMPORAL_VERSION, type TemporalExecutable } from './temporal-fetch.ts';
export { type EnsureTemporalOptions, ensureTemporal, type TemporalSession } from './temporal-server.ts';
export { type TemporalStatus, temporalStatus } from './temporal-status.ts';
export { keyFingerprint, type RunningWorker, startWorker, taskQueueOf } from './worker.ts';
