/** `filinglake`: start and follow exports; and all that the other doors (`/client`, `/lake`, `/sections`) open. */

export { EXIT, type ExitCode } from '../core/index.ts';
export type { ExportProgress, ExportState } from '../export/index.ts';
export * from './client.ts';
export { type ExportOptions, ExportRun, type ExportSummary, startExport } from './export-run.ts';
export * from './lake.ts';
export * from './sections.ts';
