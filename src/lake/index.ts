/**
 * The lake: Delta tables under one lake-wide log, written a batch at a time, read by SQL. Knows nothing of exports or workflows.
 */

export type { LinesShape } from './commit/multi-table-ndjson.ts';
export type { TableRow } from './commit/open-segment.ts';
export type { Row } from './commit/rows.ts';
export type { SegmentWriter } from './commit/segment-writer.ts';
export type { Replacement, SegmentRef } from './commit/staging.ts';
export { Tally } from './commit/tally.ts';
export type { Batch, CommitResult } from './commit/writer.ts';
export { type JsonRow, numberOf, rowsOf, terminalMemoryBytes } from './engine/duckdb.ts';
export { quoteList, quoteName, quoteText } from './engine/quoting.ts';
export type { IcebergReport } from './faces/iceberg/iceberg.ts';
export { Lake, type OpenLakeOptions, openLake, openLakeIfThere } from './lake.ts';
export {
  isCompaction,
  type LakeCommit,
  type LakeSnapshot,
  type LivePart,
  outdated,
  presentTables,
  tableState,
} from './log/log.ts';
export { lakeReplaced } from './log/preconditions.ts';
export type { LakeVersionEntry, LogEntry } from './log/versions.ts';
export { csvText, inPieces, jsonLines, jsonText, plainText, separated } from './query/formats.ts';
export { PANEL_PERIODS, type Panel, type PanelPeriod, panelSql } from './query/panel.ts';
export { parquetColumn } from './query/parquet-column.ts';
export type { QueryResult } from './query/query.ts';
export { LakeSandbox, SANDBOX_LIMITS, type SandboxAnswer, type SandboxLimits } from './query/sandbox.ts';
export type { LakeSession } from './query/session.ts';
export { type StataColumn, stataFile } from './query/stata.ts';
export { type Cell, cellJson } from './query/values.ts';
export type { TableChanges } from './release/changes.ts';
export type { ComparedTable, TableComparison } from './release/compare-release.ts';
export { type LakeManifest, MANIFEST, type ReleasedTable, releaseDigest, SUMS, sumsText } from './release/manifest.ts';
export type { Release } from './release/releases.ts';
export { readManifest, type VerifyReport, verifyRelease } from './release/verify-release.ts';
export { sha256OfFile, type WriteOptions } from './release/write-release.ts';
export type { DamagedPart } from './state/damage.ts';
export { absolutePlace, isCopy, lakeIdAt, openStorage } from './state/places.ts';
export { SIGN_MS, SILENT_MS, signOf, type Turn, turnText } from './state/turns.ts';
export { partPath } from './storage/layout.ts';
export type { LakeStorage } from './storage/storage.ts';
export type { AuditPlace, LakeCheckReport } from './upkeep/check.ts';
export type { CompactionReport } from './upkeep/compaction.ts';
export { PART_BYTES_TARGET_MAX } from './upkeep/compaction-plan.ts';
export type { LossPlace, Marked, RepairReport } from './upkeep/repair.ts';
export type { Removed, VacuumReport } from './upkeep/vacuum.ts';
export { selectReadable } from './views/lake-sql.ts';
export { columnsOfView } from './views/view-columns.ts';
export { readAs, VIEWS, type View } from './views/views.ts';
