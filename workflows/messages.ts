/** The messages of a running export and of a key's budget: queries, updates and signals with their types. */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { BudgetLimits, BudgetState, ExportProgress, Reservation, Settlement } from '../src/export/run/index.ts';

export const progressQuery = defineQuery<ExportProgress>('progress');
/** Continues at once: after a pause, a stop by budget, an unreachable service, or before the quota's reset. */
export const resumeUpdate = defineUpdate<void>('resume');
/** Pauses at the end of the batch. */
export const pauseUpdate = defineUpdate<void>('pause');
/** New limits for the run. A run that its budget stopped continues with them. */
export const raiseBudgetUpdate = defineUpdate<void, [BudgetLimits]>('raise-budget');
/** From the budget: a new month has started, or a person reported new quota. */
export const quotaResetSignal = defineSignal('quota-reset');

/** The reply is in the workflow's memo. A signal, as all messages of a budget: Temporal admits ten updates of a workflow at a time. */
export const askedSignal = defineSignal<[Reservation]>('asked');
/** What a reservation spent. */
export const settledSignal = defineSignal<[Settlement]>('settled');
export interface Block {
  until: string;
  limit: 'requests' | 'bytes';
  /** Workflow id of the run that waits. */
  waiter: string;
}

/** Nothing is granted until then. The waiting run is signalled afterwards. */
export const blockedSignal = defineSignal<[Block]>('blocked');
/** There may be quota again: the run sends one request to find out. */
export const unblockSignal = defineSignal<[{ run_id: string }]>('unblock');
/** The run has ended: its grants are dropped. It is received even if no worker runs yet. */
export const leftSignal = defineSignal<[{ run_id: string }]>('left');
export const budgetQuery = defineQuery<BudgetState>('budget');
