/** The remaining work of an export run: JSON, so that a new history can continue with it. */
import type { Unneeded } from '../src/export/pipeline/index.ts';
import type { ExportProgress } from '../src/export/run/index.ts';
import { PASSES, type Pass, type PassCounts } from '../src/export/steps/index.ts';
import type { ExportWindow, WindowOf } from '../src/export/windows/index.ts';

/** The state of a run at continue-as-new. */
export interface CarriedRun {
  work: Work;
  progress: ExportProgress;
  /** A pause was requested and has not begun. */
  pause_asked: boolean;
  turn: HeldTurn | null;
}

/** The turn of a run that has the lake. */
export interface HeldTurn {
  term: number;
  /** Milliseconds */
  since: number;
}

/** The remaining work. */
export interface Work {
  /** Windows that were not read yet. */
  unread: ExportWindow[];
  /** Windows that were read, and have pending steps. */
  pending: PendingWindow[];
  /** The current pass over the pending windows. */
  pass: number;
  /** Passes deferred because an operation failed for everything. */
  deferred: Pass[];
  /** How often deferred work has failed for everything again. */
  tries: number;
  /** Why and when, in milliseconds, work was deferred last. */
  failing: { message: string; at: number } | null;
  /** Windows whose filers are known only after their filings were fetched. */
  filers: ReadWindow[];
  /** Staged files that are not needed any more: the next activity that commits deletes them. */
  unneeded: Unneeded[];
  /** Workers that may fetch at the same time, as the last activity said. Absent: one. */
  workers?: number;
}

export interface ReadWindow {
  id: string;
  /** Its kind; absent: filings */
  of?: WindowOf;
  /** Staged pages of lookup records. */
  pages: number;
}

export interface PendingWindow extends ReadWindow {
  /** The first day of its filings; absent: it has none */
  since?: string;
  /** Number of its latest plan. */
  plan: number;
  /** Version of the lake from which the plan was made. */
  base_version: number;
  /** A new plan must be made: it is of an earlier turn, the lake has many newer versions, or only some of its batches were committed. */
  is_stale: boolean;
  /** Pending steps: those of that plan, minus those fetched since. */
  steps: PassCounts;
  /** Lines of that plan's work list. */
  lines: number;
  /** A batch of it was not committed: the run had lost its turn, or the lake failed. A new plan will show what is missing. */
  is_refused?: boolean;
  /** Filings that another run wrote in another revision. */
  deferred: number;
}

/** @param unread the windows of the whole selection */
export function newWork(unread: ExportWindow[]): Work {
  const lists = { pending: [], deferred: [], filers: [], unneeded: [] };
  return { unread, ...lists, pass: 0, tries: 0, failing: null };
}

export function windowOf({ id: window, pages, of }: ReadWindow): { window: string; pages: number; of?: WindowOf } {
  return { window, pages, ...(of ? { of } : {}) };
}

export function isPending(counts: PassCounts): boolean {
  return PASSES.some((pass) => counts[pass].filings > 0);
}
