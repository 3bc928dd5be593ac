/** `filinglake`: start and follow exports. It also exports everything of `/client`, `/lake` and `/sections`. */

export { EXIT, type ExitCode } from '../core/index.ts';
export type { ExportProgress, ExportState } from '../export/index.ts';
export * from './client.ts';
export { type ExportOptions, ExportRun, type ExportSummary, startExport } from './export-run.ts';
export * from './lake.ts';
export * from './sections.ts';
