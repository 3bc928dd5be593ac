/** Inputs and results of the compaction's activities: names and counts. */
import type { CompactionReport } from '../../lake/index.ts';

export interface CompactTableRequest {
  /** Absolute folder or URL of the lake. */
  lake: string;
  table: string;
  /** Null: a size that suits the table. */
  target_bytes: number | null;
  /** A table with fewer small parts stays as it is. */
  smallest: number;
}

export type TableCompacted = Omit<CompactionReport, 'lake' | 'tables'> & CompactionReport['tables'][string];

export interface LakeReference {
  lake: string;
}

export interface TablesToCompact {
  /** Version of the lake now. */
  version: number;
  /** Those with more than one small part, most first. */
  tables: string[];
}

/** Heartbeat of a step: bytes that it has rewritten (a compaction) or examined (a remap), of those that it plans to. */
export interface BytesBeat {
  bytes: number;
  of: number;
}

export interface CompactionInput {
  /** Absolute folder or URL of the lake. */
  lake: string;
  /** Null: all. */
  tables: string[] | null;
  /** Bytes of a part; null: a size that suits each table. */
  target_bytes: number | null;
  /** A table with fewer small parts stays as it is. */
  smallest: number;
  /** Its state before continue-as-new; absent at the start. */
  carried?: CarriedCompaction;
}

interface CarriedCompaction {
  left: string[];
  progress: CompactionProgress;
}

/** Counts of one table, over all steps. */
export type CompactedCounts = Omit<TableCompacted, 'version' | 'commits' | 'groups_lost' | 'whole'>;

export interface CompactionProgress {
  /** The table that is being compacted; null before the first and after the last. */
  table: string | null;
  tables_left: number;
  /** Version of the lake after the last step; -1 before it. */
  version: number;
  commits: number;
  groups_lost: number;
  /** Tables examined. */
  tables: Record<string, CompactedCounts>;
}
