/** Rules of a run: its budget, its progress, and when a schedule tells of it. No I/O, no clock, nothing of Node. */

export {
  type BudgetLimits,
  type BudgetReason,
  type BudgetReplies,
  type BudgetReply,
  type BudgetState,
  blockBudget,
  budgetIdOf,
  leaveBudget,
  letRunAsk,
  newBudget,
  type Reservation,
  reserveRequests,
  type Settlement,
  settleRequests,
  unblockBudget,
  withReply,
} from './budget.ts';
export {
  addCommit,
  addOutcome,
  addRefresh,
  detailsText,
  type ExportProgress,
  type ExportState,
  newProgress,
  ratesOf,
  stateText,
} from './progress.ts';
export {
  CONDITIONS,
  type Condition,
  conditionOf,
  decide,
  type Remembered,
  type RunSeen,
  type ScheduleSeen,
} from './schedule-condition.ts';
