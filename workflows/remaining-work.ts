/** The remaining work of an export run: JSON, so that a new history can continue with it. */

import {
  type ExportProgress,
  type ExportWindow,
  PASSES,
  type Pass,
  type PassCounts,
  type WindowOf,
} from '../src/export/index.ts';
import type { Committed, LeftTo, Stop, Unneeded } from '../src/pipeline/index.ts';

/**
 * Version of the carried state and of messages: raised if an older worker could not continue with it. Absent: 0.1.0 before its
 * release.
 */
export const CARRIED_VERSION = 2;

/** The state of a run at continue-as-new. */
export interface CarriedRun {
  version?: number;
  work: Work;
  progress: ExportProgress;
  /** A pause was requested and has not begun. */
  pause_asked: boolean;
}

/** Names of counts in the state of versions before 2. */
const RENAMED = {
  filings_expected: 'filings_promised',
  filings_deferred: 'filings_left',
  rows_conflicted: 'rows_taken',
  requests_pending: 'requests_owed',
} as const;

/** Progress as an older worker may have carried it, with the current names. */
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

/** The remaining work. The state of a run outlives an upgrade: `owing` and `owed` are the names of pending work in it. */
export interface Work {
  /** Windows that were not read yet. */
  unread: ExportWindow[];
  /** Windows that were read, and have pending steps. */
  owing: PendingWindow[];
  /** The current pass over the pending windows, and which of them is next. */
  pass: number;
  next: number;
  /** Work deferred because its operation failed for everything. */
  put_off: Task[];
  /** How often deferred work has failed for everything again. */
  tries: number;
  /** Why and when, in milliseconds, work was deferred last. */
  failing: { message: string; at: number } | null;
  /** Windows whose filers are known only after their filings were fetched. */
  filers: ReadWindow[];
  /** Staged files that are not needed any more: the next activity that commits deletes them. */
  unneeded: Unneeded[];
  /** How often windows were planned again because another run had written some of their filings first. */
  contests: number;
  /** Windows in which another run kept writing the same filings: their missing steps are left to the next run. Absent: none. */
  given_up?: string[];
  /** Runs that fetch filings of this one, with their last sign of progress, and when it was new, in milliseconds. */
  owners?: Record<string, { sign: string; since: number }>;
  /** How often it has looked at their filings again since it fetched something, and the next window of the current look. */
  look?: { n: number; next: number };
  /** For how long this run has waited for them, in milliseconds. */
  waited_ms?: number;
  /** How often all windows were read again because another history of this run had deleted the staged files. */
  restarts?: number;
}

/** A window that was read. */
export interface ReadWindow {
  id: string;
  /** Its kind; absent: filings */
  of?: WindowOf;
  /** Staged pages of lookup records. */
  pages: number;
}

export interface PendingWindow extends ReadWindow {
  /** Number of its latest plan. */
  plan: number;
  /** Version of the lake from which the plan was made. */
  base_version: number;
  /** A new plan must be made: the lake has many newer versions, or only some of its batches were committed. */
  is_stale: boolean;
  /** From that plan, minus the steps fetched since. */
  owed: PassCounts;
  /** Another run has written some of it first. A new plan will show whether everything that this run needs is there. */
  is_contested: boolean;
  /** Filings that another run wrote in another revision. */
  left: number;
  /** Filings that other runs fetch. Absent: none. */
  left_to?: LeftTo[];
}

/** One window's share of a pass. */
export interface Task {
  pass: Pass;
  /** Index among the pending windows. */
  window: number;
}

/**
 * Why a task ended before everything was fetched. `history`: it has grown long. `overtaken`: the lake has more than the history
 * knows.
 */
export type TaskStop = Stop | 'history' | 'overtaken';

/** @param unread the windows of the whole selection */
export function newWork(unread: ExportWindow[]): Work {
  const lists = { owing: [], put_off: [], filers: [], unneeded: [] };
  return { unread, ...lists, pass: 0, next: 0, tries: 0, failing: null, contests: 0 };
}

export function windowOf({ id: window, pages, of }: ReadWindow): { window: string; pages: number; of?: WindowOf } {
  return { window, pages, ...(of ? { of } : {}) };
}

export function isPending(counts: PassCounts): boolean {
  return filingsPending(counts) > 0;
}

/** Filings of a window that other runs fetch. */
export function filingsLeftTo({ left_to = [] }: Pick<PendingWindow, 'left_to'>): number {
  return left_to.reduce((sum, { filings }) => sum + filings, 0);
}

/** A minimum: a filing may take part in several passes. */
export function filingsPending(counts: PassCounts): number {
  return Math.max(...PASSES.map((pass) => counts[pass].filings));
}

/** Whether another run had already written this coverage. */
export function isContested(committed: Committed | null): boolean {
  return (committed?.tables.coverage?.rows_taken ?? 0) > 0;
}
