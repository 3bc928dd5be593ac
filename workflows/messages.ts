/** What one may ask of a running export, and of the budget of a key: queries, updates and signals with their types. */
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
/** Goes on at once: after a pause, a stop by budget, an unreachable service, or before the quota's reset. */
export const resumeUpdate = defineUpdate<void>('resume');
/** Stands still at the next batch's end. */
export const pauseUpdate = defineUpdate<void>('pause');
/** New limits for the run; one that its budget stopped goes on with them. */
export const raiseBudgetUpdate = defineUpdate<void, [BudgetLimits]>('raise-budget');
/** From the budget: the month has turned, or somebody said that there is quota again. */
export const quotaResetSignal = defineSignal('quota-reset');

export const reserveUpdate = defineUpdate<BudgetReply, [Reservation]>('reserve');
export const settleUpdate = defineUpdate<void, [Settlement]>('settle');
/** Nothing is granted until then; the waiter is signalled when it is over. */
export const blockUpdate = defineUpdate<void, [{ until: string; limit: 'requests' | 'bytes'; waiter: string }]>(
  'block',
);
/** There may be quota again: the run asks once. Without a run, as it was told before there were such: what is known is forgotten. */
export const unblockUpdate = defineUpdate<void, [{ run_id: string }?]>('unblock');
/** The run is over: what it held is dropped. */
export const leaveUpdate = defineUpdate<void, [{ run_id: string }]>('leave');
/** The same of a run that was ended by force: heard also when no worker runs yet. */
export const leftSignal = defineSignal<[{ run_id: string }]>('left');
export const budgetQuery = defineQuery<BudgetState>('budget');
