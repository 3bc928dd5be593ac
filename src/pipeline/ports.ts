/** What the engine needs of services that its caller provides. */
import type { BudgetReply } from '../export/index.ts';
import type { Lake } from '../lake/index.ts';
import type { RunReference } from './types.ts';

/** What an attempt reports of requests it reserved: sent, and what the service said of the key's quota. */
export interface Settlement {
  batch_id: string;
  requests: number;
  bytes: number;
  requests_left: number | null;
  resets_at: string | null;
  /** An answer came that counts against the month. */
  admitted: boolean;
}

/** The budget that all runs of one key at one service share. */
export interface BudgetPort {
  /** Answers at once: how many requests may be sent, or until when none. */
  reserve(run: RunReference, batchId: string, requests: number): Promise<BudgetReply>;
  settle(run: RunReference, settlement: Settlement): Promise<void>;
  /** Nothing is granted before `until`; then the run's workflow is signalled. */
  block(run: RunReference, until: string, limit: 'requests' | 'bytes'): Promise<void>;
  /** There may be quota again: the run may ask the service once. */
  unblock(run: RunReference): Promise<void>;
  /** The run is over. */
  leave(run: RunReference): Promise<void>;
}

/** Compactions that start automatically. */
export interface CompactionPort {
  /** @returns why none could be started, or null; the commit before it stands either way */
  startIfDue(lake: Lake, folder: string): Promise<string | null>;
}
