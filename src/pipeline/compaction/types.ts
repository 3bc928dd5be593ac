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
