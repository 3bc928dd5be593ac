/** Inputs and results of a remap's activities: names and counts. */
import type { RemapReport } from '../../export/index.ts';

/** The remap that an activity belongs to. */
export interface RemapReference {
  /** Absolute folder or URL of the lake. */
  lake: string;
  /** Its identity; absent until it is known: another lake in its place is refused. */
  lake_id?: string;
  /** The run id in coverage and in the lake's log. */
  run_id: string;
  /** Version of the mapping. A worker with another one refuses the work. */
  mapping_version: number;
}

export interface PlanRemapRequest extends RemapReference {
  /** Limits of a stretch; absent: the defaults. For tests. */
  limits?: Partial<StretchLimits>;
}

/** Limits of a stretch: one commit on one worker. A larger filing is a stretch of its own. */
export interface StretchLimits {
  filings: number;
  bytes: number;
}

export interface RemapPlanned {
  lake_id: string;
  /** Version of the lake that was read. */
  version: number;
  filings: number;
  bytes: number;
  /** Their staged lists are `<plan>-<number>`, with numbers from 0. */
  plan: string;
  stretches: number;
}

export interface RemapStretchRequest extends RemapReference {
  tables: readonly string[];
  plan: string;
  stretch: number;
  /** A version of the lake before the first attempt at this stretch: its commits are after it. */
  since: number;
}

/** The filings of a stretch. */
export interface StretchList {
  filings: { accession_number: string; bytes: number }[];
  /** Parts of document_contents with their documents, when the list was made. */
  parts: string[];
}

export interface RemapInput extends RemapReference {
  /** Tables of forms and XBRL. */
  tables: readonly string[];
  limits?: Partial<StretchLimits>;
  /** Its state before continue-as-new; absent at the start. */
  carried?: CarriedRemap;
}

interface CarriedRemap {
  plan: RemapPlanned;
  /** The first stretch that nobody has begun. */
  next: number;
  report: RemapReport;
}
