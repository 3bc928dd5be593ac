/**
 * The budget of one service and key: every request of every run is reserved here before it is sent. A refusal for the month's quota
 * blocks it until the reset, with a durable timer. Then it signals the exports that wait. It ends when no run needs it.
 */
import {
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  log,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type BudgetReplies,
  type BudgetState,
  blockBudget,
  leaveBudget,
  letRunAsk,
  newBudget,
  reserveRequests,
  settleRequests,
  unblockBudget,
  withReply,
} from '../src/export/run/index.ts';
import {
  askedSignal,
  blockedSignal,
  budgetQuery,
  leftSignal,
  quotaResetSignal,
  settledSignal,
  unblockSignal,
} from './messages.ts';

export interface CarriedBudget {
  state: BudgetState;
  /** Ids of the exports that wait for the reset. */
  waiters: string[];
}

export async function budgetWorkflow(carried?: CarriedBudget): Promise<void> {
  let state = carried?.state ?? newBudget();
  const waiters = new Set(carried?.waiters);
  let asked = carried !== undefined;
  const now = () => new Date().toISOString();

  setHandler(budgetQuery, () => state);
  let replies: BudgetReplies = {};
  let hasNewReplies = false;
  setHandler(askedSignal, (reservation) => {
    asked = true;
    const next = reserveRequests(state, reservation, now());
    state = next.state;
    replies = withReply(replies, reservation.batch_id, next.reply, now());
    hasNewReplies = true;
  });
  /** One change of the memo answers all reservations that arrived together. */
  const publishReplies = () => {
    if (hasNewReplies) upsertMemo({ replies });
    hasNewReplies = false;
  };
  setHandler(settledSignal, (settlement) => {
    asked = true;
    state = settleRequests(state, settlement, now());
  });
  setHandler(blockedSignal, ({ until, limit, waiter }) => {
    asked = true;
    state = blockBudget(state, until, limit);
    waiters.add(waiter);
  });
  setHandler(unblockSignal, ({ run_id }) => {
    asked = true;
    state = letRunAsk(state, run_id);
  });
  setHandler(leftSignal, ({ run_id }) => {
    asked = true;
    state = leaveBudget(state, run_id);
  });

  const isUnneeded = () => asked && Object.keys(state.runs).length === 0 && state.blocked === null;
  const isLong = () => workflowInfo().continueAsNewSuggested;
  while (!isUnneeded()) {
    publishReplies();
    if (isLong()) await continueAsNew<typeof budgetWorkflow>({ state, waiters: [...waiters] });
    if (state.blocked === null) {
      await condition(() => state.blocked !== null || isUnneeded() || isLong() || hasNewReplies);
      continue;
    }
    const { until } = state.blocked;
    const waitMs = Math.max(1, Date.parse(until) - Date.now());
    const changed = await condition(() => state.blocked?.until !== until || isLong() || hasNewReplies, waitMs);
    if (!changed) state = unblockBudget(state);
    if (state.blocked === null) {
      // An export that is refused again while others are still being signalled waits for the next reset.
      const told = [...waiters];
      waiters.clear();
      await tellWaiters(told);
    }
  }
  publishReplies();
}

async function tellWaiters(waiters: readonly string[]): Promise<void> {
  for (const waiter of waiters) {
    try {
      await getExternalWorkflowHandle(waiter).signal(quotaResetSignal);
    } catch (error) {
      // It was cancelled, or has ended, since it asked for the signal.
      log.info('an export that waited for the quota is gone', { waiter, error: String(error) });
    }
  }
}
