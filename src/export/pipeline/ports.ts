/** Services that the engine needs from its caller. */
import type { BudgetReply } from '../run/index.ts';
import type { RunReference } from './types.ts';

/** An attempt's report on its reserved requests: how many were sent, and the key's quota as the service states it. */
export interface Settlement {
  batch_id: string;
  requests: number;
  bytes: number;
  requests_left: number | null;
  resets_at: string | null;
  /** The service gave an answer that counts against the month. */
  admitted: boolean;
}

/** The budget shared by all runs of one key at one service. */
export interface BudgetPort {
  /** Returns at once: how many requests may be sent, or until when none may. */
  reserve(run: RunReference, batchId: string, requests: number): Promise<BudgetReply>;
  settle(run: RunReference, settlement: Settlement): Promise<void>;
  /** Nothing is granted before `until`. Then the run's workflow is signalled. */
  block(run: RunReference, until: string, limit: 'requests' | 'bytes'): Promise<void>;
  /** There may be quota again: the run may send one request to find out. */
  unblock(run: RunReference): Promise<void>;
  /** The run has ended. */
  leave(run: RunReference): Promise<void>;
}

/** What Temporal knows of runs. */
export interface RunsPort {
  /** Identity of the server: another one knows other runs. */
  server(): Promise<string>;
  /** Whether a run of this server has ended, or its history was deleted. */
  isOver(workflowId: string, runId: string): Promise<boolean>;
}

/** Whether this worker can do activities: its credentials, disk and network may not suffice. */
export interface FitnessPort {
  /** It takes no activities now. */
  isUnfit(): boolean;
  /**
   * An activity has failed, perhaps because of this worker. It takes no more until it can use the lake again.
   * @param place of the lake
   * @returns its name, and the workers that may do the activity
   */
  failed(error: Error, place: string): Promise<{ id: string; others: string[] }>;
}
