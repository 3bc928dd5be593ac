/** Connects an activity to the budget workflow of its service and key. */
import { WithStartWorkflowOperation, type WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import { type BudgetReply, budgetIdOf } from '../src/export/index.ts';
import type { RunReference, Settlement, ShareOffice, ShareSettlement } from '../src/pipeline/index.ts';

/** Name of the budget workflow and its messages. The workflows room defines them; only types are imported from there. */
const BUDGET_WORKFLOW = 'budgetWorkflow';
const ANSWER_TIMEOUT_MS = 20_000;
/** A worker that stops waits for it. What fails is tried again, or expires. */
const SHARE_TIMEOUT_MS = 3_000;

export class BudgetClient implements ShareOffice {
  readonly #client: WorkflowClient;
  readonly #taskQueue: string;
  readonly #keyFingerprint: string;

  constructor(client: WorkflowClient, taskQueue: string, keyFingerprint: string) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#keyFingerprint = keyFingerprint;
  }

  /** Returns at once: how many requests may be sent, or until when none may. */
  reserve(run: RunReference, batchId: string, requests: number): Promise<BudgetReply> {
    const { max_requests, max_bytes, reserve } = run.definition.budget;
    const limits = { max_requests, max_bytes, reserve };
    return this.#update(run, 'reserve', { run_id: run.run_id, batch_id: batchId, requests, limits });
  }

  settle(run: RunReference, settlement: Settlement): Promise<void> {
    return this.#update(run, 'settle', { run_id: run.run_id, ...settlement });
  }

  reserveShare(run: RunReference, shareId: string, requests: number): Promise<BudgetReply> {
    const { max_requests, max_bytes, reserve } = run.definition.budget;
    const limits = { max_requests, max_bytes, reserve };
    return this.#update(run, 'reserve', { run_id: run.run_id, batch_id: shareId, requests, limits, share: true });
  }

  async settleShare(run: RunReference, settlement: ShareSettlement): Promise<void> {
    const budget = this.#client.getHandle(this.#idOf(run));
    try {
      await this.#client.withDeadline(Date.now() + SHARE_TIMEOUT_MS, () =>
        budget.executeUpdate<void, [object]>('settle', { args: [{ run_id: run.run_id, ...settlement }] }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /** Nothing is granted before `until`. Then the run's workflow is signalled. */
  block(run: RunReference, until: string, limit: 'requests' | 'bytes'): Promise<void> {
    return this.#update(run, 'block', { until, limit, waiter: run.workflow_id });
  }

  /** There may be quota again: the run may send one request to find out. */
  unblock(run: RunReference): Promise<void> {
    return this.#update(run, 'unblock', { run_id: run.run_id });
  }

  /** The run has ended. */
  async leave(run: RunReference): Promise<void> {
    await this.#update(run, 'leave', { run_id: run.run_id });
  }

  /** The first caller starts the budget workflow. It ends automatically when no run needs it. */
  #update<Result>(run: RunReference, name: string, ...args: object[]): Promise<Result> {
    const startWorkflowOperation = new WithStartWorkflowOperation(BUDGET_WORKFLOW, {
      workflowId: this.#idOf(run),
      taskQueue: this.#taskQueue,
      args: [],
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    // If no worker serves the budget, an update would wait for ever.
    return this.#client.withDeadline(
      Date.now() + ANSWER_TIMEOUT_MS,
      () => this.#client.executeUpdateWithStart(name, { args, startWorkflowOperation }) as Promise<Result>,
    );
  }

  #idOf(run: RunReference): string {
    return budgetIdOf(run.definition.service.base_url, this.#keyFingerprint);
  }
}
