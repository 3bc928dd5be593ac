/**
 * The lake: Delta tables under one lake-wide log, written a batch at a time, read by SQL. Knows nothing of exports or workflows.
 */

export type { LinesShape } from './commit/multi-table-ndjson.ts';
export type { TableRow } from './commit/open-segment.ts';
export { lakeReplaced } from './commit/preconditions.ts';
export type { Row } from './commit/rows.ts';
export type { SegmentWriter } from './commit/segment-writer.ts';
export type { Replacement, SegmentRef } from './commit/staging.ts';
export { Tally } from './commit/tally.ts';
export type { IcebergReport } from './faces/iceberg/iceberg.ts';
export { Lake, openLake, openLakeIfThere } from './lake.ts';
export {
  isCompaction,
  type LakeCommit,
  type LakeSnapshot,
  type LivePart,
  outdated,
  presentTables,
  tableState,
} from './log/log.ts';
export type { LakeVersionEntry, LogEntry } from './log/versions.ts';
export { type JsonRow, numberOf, rowsOf, terminalMemoryBytes } from './query/duckdb.ts';
export { csvText, inPieces, jsonLines, jsonText, plainText, separated } from './query/formats.ts';
export { selectReadable } from './query/lake-sql.ts';
export { PANEL_PERIODS, type Panel, type PanelPeriod, panelSql } from './query/panel.ts';
export { parquetColumn } from './query/parquet-column.ts';
export type { QueryResult } from './query/query.ts';
export { quoteList, quoteName, quoteText } from './query/quoting.ts';
export { LakeSandbox, SANDBOX_LIMITS, type SandboxAnswer, type SandboxLimits } from './query/sandbox.ts';
export type { LakeSession } from './query/session.ts';
export { type StataColumn, stataFile } from './query/stata.ts';
export { type Cell, cellJson } from './query/values.ts';
export { columnsOfView } from './query/view-columns.ts';
export { readAs, VIEWS, type View } from './query/views.ts';

export type { TableChanges } from './release/changes.ts';
export type { ComparedTable, TableComparison } from './release/compare-release.ts';
export { type LakeManifest, MANIFEST, type ReleasedTable, releaseDigest, SUMS, sumsText } from './release/manifest.ts';
export type { Release } from './release/releases.ts';
export { readManifest, type VerifyReport, verifyRelease } from './release/verify-release.ts';
export { sha256OfFile, type WriteOptions } from './release/write-release.ts';
export type { OpenLakeOptions } from './state.ts';
export { isCopy, lakeIdAt } from './storage/lake-file.ts';
export { partPath } from './storage/layout.ts';
export { absolutePlace, openStorage } from './storage/open.ts';
export type { LakeStorage } from './storage/storage.ts';
export { SIGN_MS, SILENT_MS, signOf, type Turn, turnText } from './turns.ts';
export type { AuditPlace, LakeCheckReport } from './upkeep/check.ts';
export type { CompactionReport } from './upkeep/compaction.ts';
export { PART_BYTES_TARGET_MAX } from './upkeep/compaction-plan.ts';
export type { DamagedPart } from './upkeep/damage.ts';
export type { LossPlace, Marked, RepairReport } from './upkeep/repair.ts';
export type { Removed, VacuumReport } from './upkeep/vacuum.ts';
export type { Batch, CommitResult } from './writer.ts';
