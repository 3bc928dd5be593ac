/** The lake: Delta tables under one lake-wide log, written a batch at a time, read by SQL. Knows nothing of exports or workflows. */
export { type Batch, type CommitResult, type CommittedTable, Lake, type OpenLakeOptions, openLake } from './lake.ts';
export type { LakeCommit, LakeSnapshot, LivePart, Part, TableChange, TableState } from './log.ts';
export type { Row } from './rows.ts';
export type { Replacement, SegmentRef, SegmentTable, SegmentWriter } from './staging.ts';
export { type ColumnDefinition, type ColumnType, TABLES, type TableDefinition } from './tables.ts';
