/** The lake: Delta tables under one lake-wide log, written a batch at a time, read by SQL. Knows nothing of exports or workflows. */

export { lakeReplaced } from './before-commit.ts';
export type { LakeCheckReport, LakeProblem, ProblemCode } from './check.ts';
export type { UnprovenWindow, WindowsReport } from './check-windows.ts';
export type { CompactedTable, CompactionOptions, CompactionReport } from './compaction.ts';
export { PART_BYTES_TARGET_MAX } from './compaction-plan.ts';
export { terminalMemoryBytes } from './duckdb.ts';
export { plannedSteps } from './expected-steps.ts';
export { csvText, jsonText, plainText } from './formats.ts';
export { type Batch, type CommitResult, type CommittedTable, Lake, type OpenLakeOptions, openLake } from './lake.ts';
export type { LakeCommit, LakeSnapshot, LivePart, Part, TableChange, TableState } from './log.ts';
export type { OlderRevisions } from './older-revisions.ts';
export type { RecordLine } from './open-segment.ts';
export type { QueryResult, ResultColumn } from './query.ts';
export type { LostPart, RepairReport } from './repair.ts';
export type { LakeReport } from './report/figures.ts';
export { reportPage } from './report/page.ts';
export type { Row } from './rows.ts';
export type { SegmentWriter } from './segment-writer.ts';
export type { LinesShape } from './shared-lines.ts';
export type { Replacement, SegmentRef, SegmentTable } from './staging.ts';
export { type ColumnDefinition, type ColumnType, TABLES, type TableDefinition } from './tables.ts';
export type { Removed, VacuumOptions, VacuumReport } from './vacuum.ts';
export { type Cell, cellJson } from './values.ts';
export type { LakeVersionEntry, LogEntry } from './versions.ts';
