/** Connects an activity to the budget workflow of its service and key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import type { BudgetPort, RunReference, Settlement } from '../src/export/pipeline/index.ts';
import { type BudgetReplies, type BudgetReply, budgetIdOf, type Reservation } from '../src/export/run/index.ts';

/** Name of the budget workflow and its messages. The workflows room defines them; only types are imported from there. */
const BUDGET_WORKFLOW = 'budgetWorkflow';
/** Without a worker of the key nobody answers. */
const ANSWER_TIMEOUT_MS = 30_000;
/** The memo of the budget workflow that has its last replies. */
const REPLIES = 'replies';
/** Between two looks for a reply: at first, and at most. */
const POLL_MS = 8;
const POLL_MOST_MS = 250;
const ASK_AGAIN_MS = 3_000;

/**
 * All messages are signals, of which any number may be in flight. The workflow puts its replies into its memo, which many may read at a
 * time without a worker.
 */
export class BudgetClient implements BudgetPort {
  readonly #client: WorkflowClient;
  readonly #taskQueue: string;
  readonly #keyFingerprint: string;

  constructor(client: WorkflowClient, taskQueue: string, keyFingerprint: string) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#keyFingerprint = keyFingerprint;
  }

  /** Returns at once: how many requests may be sent, or until when none may. */
  async reserve(run: RunReference, batchId: string, requests: number): Promise<BudgetReply> {
    const { max_requests, max_bytes, reserve } = run.definition.budget;
    const limits = { max_requests, max_bytes, reserve };
    return this.#ask(this.#idOf(run), { run_id: run.run_id, batch_id: batchId, requests, limits });
  }

  async settle(run: RunReference, settlement: Settlement): Promise<void> {
    await this.#signal(run, 'settled', { run_id: run.run_id, ...settlement });
  }

  /** Nothing is granted before `until`. Then the run's workflow is signalled. */
  block(run: RunReference, until: string, limit: 'requests' | 'bytes'): Promise<void> {
    return this.#signal(run, 'blocked', { until, limit, waiter: run.workflow_id });
  }

  /** There may be quota again: the run may send one request to find out. */
  unblock(run: RunReference): Promise<void> {
    return this.#signal(run, 'unblock', { run_id: run.run_id });
  }

  /** The run has ended. */
  async leave(run: RunReference): Promise<void> {
    await this.#signal(run, 'left', { run_id: run.run_id });
  }

  /** Stored when this returns. A budget that has ended needs no settlement. */
  async #signal(run: RunReference, name: string, message: object): Promise<void> {
    try {
      await this.#client.getHandle(this.#idOf(run)).signal(name, message);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /** A repeated question gets the same grant. The first one starts the workflow, which ends when no run needs it. */
  async #ask(workflowId: string, asked: Reservation): Promise<BudgetReply> {
    const budget = this.#client.getHandle(workflowId);
    const until = Date.now() + ANSWER_TIMEOUT_MS;
    while (Date.now() < until) {
      const options = { workflowId, taskQueue: this.#taskQueue, args: [], signal: 'asked', signalArgs: [asked] };
      await this.#client.signalWithStart(BUDGET_WORKFLOW, options);
      const askAgainAt = Date.now() + ASK_AGAIN_MS;
      for (let wait = POLL_MS; Date.now() < askAgainAt; wait = Math.min(POLL_MOST_MS, wait * 1.5)) {
        await sleep(wait);
        const { memo } = await budget.describe();
        const reply = (memo?.[REPLIES] as BudgetReplies | undefined)?.[asked.batch_id];
        if (reply) return reply;
      }
    }
    throw new Error(`${workflowId} gave no answer within ${ANSWER_TIMEOUT_MS / 1000} s: does a worker of the key run?`);
  }

  #idOf(run: RunReference): string {
    return budgetIdOf(run.definition.service.base_url, this.#keyFingerprint);
  }
}
