/** The messages of a running export and of a key's budget: queries, updates and signals with their types. */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type {
  BudgetLimits,
  BudgetReply,
  BudgetState,
  ExportProgress,
  Reservation,
  Settlement,
} from '../src/export/index.ts';

export const progressQuery = defineQuery<ExportProgress>('progress');
/** Continues at once: after a pause, a stop by budget, an unreachable service, or before the quota's reset. */
export const resumeUpdate = defineUpdate<void>('resume');
/** Pauses at the end of the batch. */
export const pauseUpdate = defineUpdate<void>('pause');
/** New limits for the run. A run that its budget stopped continues with them. */
export const raiseBudgetUpdate = defineUpdate<void, [BudgetLimits]>('raise-budget');
/** From the budget: a new month has started, or a person reported new quota. */
export const quotaResetSignal = defineSignal('quota-reset');

export const reserveUpdate = defineUpdate<BudgetReply, [Reservation]>('reserve');
export const settleUpdate = defineUpdate<void, [Settlement]>('settle');
/** Nothing is granted until then. The waiting run is signalled afterwards. */
export const blockUpdate = defineUpdate<void, [{ until: string; limit: 'requests' | 'bytes'; waiter: string }]>(
  'block',
);
/**
 * There may be quota again: the run sends one request to find out. Without a run, as in older releases: the stored state of the
 * quota is dropped.
 */
export const unblockUpdate = defineUpdate<void, [{ run_id: string }?]>('unblock');
/** The run has ended: its grants are dropped. */
export const leaveUpdate = defineUpdate<void, [{ run_id: string }]>('leave');
/** The same for a run that was terminated. It is received even if no worker runs yet. */
export const leftSignal = defineSignal<[{ run_id: string }]>('left');
export const budgetQuery = defineQuery<BudgetState>('budget');
