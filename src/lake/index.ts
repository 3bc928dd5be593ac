/** The lake: Delta tables under one lake-wide log, written a batch at a time, read by SQL. Knows nothing of exports or workflows. */

export type { UnprovenWindow, WindowsReport } from './check-windows.ts';
export type { LinesShape } from './commit/multi-table-ndjson.ts';
export type { RecordLine } from './commit/open-segment.ts';
export { lakeReplaced } from './commit/preconditions.ts';
export type { Row } from './commit/rows.ts';
export type { SegmentWriter } from './commit/segment-writer.ts';
export type { Replacement, SegmentRef, SegmentTable } from './commit/staging.ts';
export { plannedSteps } from './expected-steps.ts';
export { type Batch, type CommitResult, type CommittedTable, Lake, type OpenLakeOptions, openLake } from './lake.ts';
export type { LakeCommit, LakeSnapshot, LivePart, Part, TableChange, TableState } from './log/log.ts';
export type { LakeVersionEntry, LogEntry } from './log/versions.ts';
export type { OlderRevisions } from './older-revisions.ts';
export { terminalMemoryBytes } from './query/duckdb.ts';
export { csvText, jsonText, plainText } from './query/formats.ts';
export type { QueryResult, ResultColumn } from './query/query.ts';
export { type Cell, cellJson } from './query/values.ts';
export type { LakeReport } from './report/figures.ts';
export { reportPage } from './report/page.ts';
export type { LakeCheckReport, LakeProblem, ProblemCode } from './upkeep/check.ts';
export type { CompactedTable, CompactionOptions, CompactionReport } from './upkeep/compaction.ts';
export { PART_BYTES_TARGET_MAX } from './upkeep/compaction-plan.ts';
export type { LostPart, RepairReport } from './upkeep/repair.ts';
export type { Removed, VacuumOptions, VacuumReport } from './upkeep/vacuum.ts';
