/**
 * The lake: Delta tables under one lake-wide log, written a batch at a time, read by SQL. Knows nothing of exports or workflows. Its tables
 * and views as data have doors of their own (`tables`, `views`), and so has what it says of its exports (`report`).
 */

export type { LinesShape } from './commit/multi-table-ndjson.ts';
export type { TableRow } from './commit/open-segment.ts';
export type { SegmentWriter } from './commit/segment-writer.ts';
export type { Replacement, SegmentRef } from './commit/staging.ts';
export type { Batch, CommitResult } from './commit/writer.ts';
export type { IcebergReport } from './faces/iceberg/iceberg.ts';
export { Lake, type OpenLakeOptions, openLake, openLakeIfThere } from './lake.ts';
export type { LakeVersionEntry, LogEntry } from './log/versions.ts';
export { csvText, delimited, jsonLines, jsonText } from './query/formats.ts';
export { keepPanel, PANEL_PERIODS, type Panel } from './query/panel.ts';
export { parquetColumn } from './query/parquet-column.ts';
export type { QueryResult } from './query/query.ts';
export { LakeSandbox, type SandboxAnswer } from './query/sandbox.ts';
export type { LakeSession } from './query/session.ts';
export { stataRows } from './query/stata.ts';
export { type Cell, cellJson } from './query/values.ts';
export type { TableChanges } from './release/changes.ts';
export type { Release } from './release/releases.ts';
export { absolutePlace, isCopy, lakeIdAt, openStorage } from './state/places.ts';
export { SIGN_MS, turnText } from './state/turns.ts';
export type { CompactionReport } from './upkeep/compaction.ts';
export type { RepairReport } from './upkeep/repair.ts';
export type { VacuumReport } from './upkeep/vacuum.ts';
