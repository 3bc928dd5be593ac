/** What passes between the compaction workflow and its activities: names and counts. */

export interface CompactTableRequest {
  /** Absolute folder of the lake. */
  lake: string;
  table: string;
  /** Null: what suits the table. */
  target_bytes: number | null;
  /** Small parts below which the table is left as it is. */
  smallest: number;
}

export interface TableCompacted {
  /** Version of the lake afterwards. */
  version: number;
  commits: number;
  parts_before: number;
  parts_after: number;
  bytes_before: number;
  bytes_after: number;
  /** Parts that were written, and those that they stand for now. */
  written: number;
  replaced: number;
  /** Groups of parts that a writer changed meanwhile. */
  groups_lost: number;
  /** False: its time was over first, and there is more to do. */
  whole: boolean;
}

export interface LakeReference {
  lake: string;
}

export interface TablesToCompact {
  /** Version of the lake now. */
  version: number;
  /** Those with more than one small part, most first. */
  tables: string[];
}

/** Heartbeat of a compaction: bytes of small parts that were written anew, of those that this step set out to write. */
export interface CompactionBeat {
  bytes: number;
  of: number;
}

/** What a compaction is started with. */
export interface CompactionInput {
  /** Absolute folder of the lake. */
  lake: string;
  /** Null: all. */
  tables: string[] | null;
  /** Bytes of a part; null: what suits each table. */
  target_bytes: number | null;
  /** Small parts below which a table is left as it is. */
  smallest: number;
  /** What it was when its history had grown long; absent at its start. */
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
  /** Tables that were looked at. */
  tables: Record<string, CompactedCounts>;
}
