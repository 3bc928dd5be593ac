/** What is left of an export run: JSON, so that a new history goes on with it. */

import {
  type ExportProgress,
  type ExportWindow,
  PASSES,
  type Pass,
  type PassCounts,
  type WindowOf,
} from '../src/export/index.ts';
import type { Committed, Stop, Unneeded } from '../src/pipeline/index.ts';

/** Of what is carried and of messages: raised when an older worker could not go on with it. Absent: 0.1.0 before its release. */
export const CARRIED_VERSION = 2;

/** What a run was when its history had grown long. */
export interface CarriedRun {
  version?: number;
  work: Work;
  progress: ExportProgress;
  /** Somebody asked for a pause that has not begun. */
  pause_asked: boolean;
}

/** Names of counts as versions before 2 carried them. */
const RENAMED = {
  filings_expected: 'filings_promised',
  filings_deferred: 'filings_left',
  rows_conflicted: 'rows_taken',
  requests_pending: 'requests_owed',
} as const;

/** Progress as an older worker may have carried it, by the names of today. */
export function progressOf({ version = 0, progress }: CarriedRun): ExportProgress {
  if (version >= 2) return progress;
  const before = progress as unknown as Record<string, number | undefined>;
  const counts = Object.entries(RENAMED).map(([name, old]) => [name, before[old] ?? 0]);
  const steps = PASSES.map((pass) => {
    const { done, owed = 0 } = progress.steps[pass] as unknown as { done: number; owed?: number };
    return [pass, { done, pending: owed }];
  });
  return { ...progress, ...Object.fromEntries(counts), steps: Object.fromEntries(steps) };
}

/** What is left to do. */
export interface Work {
  /** Windows that were not read yet. */
  unread: ExportWindow[];
  /** Windows that were read, and owe something. */
  owing: OwingWindow[];
  /** What is fetched now: a pass over the owing windows, and which of them is next. */
  pass: number;
  next: number;
  /** What was put off since its operation failed for everything. */
  put_off: Task[];
  /** How often what was put off has failed for everything again. */
  tries: number;
  /** Why and when, in milliseconds, the latest was put off. */
  failing: { message: string; at: number } | null;
  /** Windows whose filers are known only once their filings were fetched. */
  filers: ReadWindow[];
  /** What is staged and not needed any more: the next activity that commits clears it away. */
  unneeded: Unneeded[];
  /** How often windows were planned again since another run had brought some of theirs first. */
  contests: number;
  /** Windows that another run kept bringing the filings of: what they lack is left to the next run. Absent: none. */
  given_up?: string[];
  /** How often all windows were read anew, since another history of this run had dropped what was staged. */
  restarts?: number;
}

/** A window that was read. */
export interface ReadWindow {
  id: string;
  /** What it is of; absent: filings */
  of?: WindowOf;
  /** Staged pages of lookup records. */
  pages: number;
}

export interface OwingWindow extends ReadWindow {
  /** Number of its latest plan. */
  plan: number;
  /** Version of the lake that the plan was made from. */
  base_version: number;
  /** A new plan must be made: the lake has moved on, or some of its batches were committed and others not. */
  is_stale: boolean;
  /** As of that plan, less what was fetched since. */
  owed: PassCounts;
  /** Another run has brought some of it first: whether with all that is asked here, a new plan tells. */
  is_contested: boolean;
  /** Filings that another run brought in another revision. */
  left: number;
}

/** One window's share of a pass. */
export interface Task {
  pass: Pass;
  /** Among the owing ones. */
  window: number;
}

/** Why a task ended before all was fetched; `history`: it has grown long; `overtaken`: the lake has more than the history knows. */
export type TaskStop = Stop | 'history' | 'overtaken';

/** @param unread the windows of the whole selection */
export function newWork(unread: ExportWindow[]): Work {
  const lists = { owing: [], put_off: [], filers: [], unneeded: [] };
  return { unread, ...lists, pass: 0, next: 0, tries: 0, failing: null, contests: 0 };
}

export function windowOf({ id: window, pages, of }: ReadWindow): { window: string; pages: number; of?: WindowOf } {
  return { window, pages, ...(of ? { of } : {}) };
}

export function owesAnything(owed: PassCounts): boolean {
  return filingsOwing(owed) > 0;
}

/** At least: a filing may take part in several passes. */
export function filingsOwing(owed: PassCounts): number {
  return Math.max(...PASSES.map((pass) => owed[pass].filings));
}

/** Whether another run had brought first what coverage was to say. */
export function isContested(committed: Committed | null): boolean {
  return (committed?.tables.coverage?.rows_taken ?? 0) > 0;
}
