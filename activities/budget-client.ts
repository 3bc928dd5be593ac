/** Connects an activity to the budget workflow of its service and key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WithStartWorkflowOperation, type WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import type { BudgetPort, RunReference, Settlement } from '../src/export/pipeline/index.ts';
import { type BudgetReplies, type BudgetReply, budgetIdOf, type Reservation } from '../src/export/run/index.ts';
import { pollersOf, UpdateTurns } from './update-turns.ts';

/** Name of the budget workflow and its messages. The workflows room defines them; only types are imported from there. */
const BUDGET_WORKFLOW = 'budgetWorkflow';
/** Under many workers, Temporal refuses some updates at first. They are sent again within this time. */
const ANSWER_TIMEOUT_MS = 30_000;
/** The memo of the budget workflow that has its last replies. */
const REPLIES = 'replies';
/** Between two looks for a reply: at first, and at most. */
const POLL_MS = 20;
const POLL_MOST_MS = 250;
const ASK_AGAIN_MS = 3_000;
/** Requests of the month above which the quota is far from used up. */
const PLENTY = 20_000;

/**
 * A message without an answer is a signal: any number may be in flight. A few processes reserve by updates. If there are many, they
 * reserve by signals too, and poll for the reply.
 */
export class BudgetClient implements BudgetPort {
  readonly #client: WorkflowClient;
  readonly #taskQueue: string;
  readonly #keyFingerprint: string;
  /** The rest of the month's requests by budget, as the service stated it last. */
  readonly #left = new Map<string, number>();
  readonly #turns: UpdateTurns;

  /** @param processes how many use the key. Default: those that poll its queue */
  constructor(
    client: WorkflowClient,
    taskQueue: string,
    keyFingerprint: string,
    processes: () => Promise<number> = () => pollersOf(client, taskQueue),
  ) {
    this.#client = client;
    this.#turns = new UpdateTurns(processes);
    this.#taskQueue = taskQueue;
    this.#keyFingerprint = keyFingerprint;
  }

  /** Returns at once: how many requests may be sent, or until when none may. */
  async reserve(run: RunReference, batchId: string, requests: number): Promise<BudgetReply> {
    const { max_requests, max_bytes, reserve } = run.definition.budget;
    const limits = { max_requests, max_bytes, reserve };
    const reply = await this.#reserve(run, { run_id: run.run_id, batch_id: batchId, requests, limits });
    const left = this.#left.get(this.#idOf(run));
    const isPlenty = left !== undefined && left - reserve >= PLENTY && max_requests === null && max_bytes === null;
    return isPlenty ? { ...reply, is_plenty: true } : reply;
  }

  async settle(run: RunReference, settlement: Settlement): Promise<void> {
    const { requests_left, admitted } = settlement;
    if (requests_left !== null || admitted) this.#left.set(this.#idOf(run), requests_left ?? Number.POSITIVE_INFINITY);
    await this.#signal(run, 'settled', { run_id: run.run_id, ...settlement });
  }

  /** Nothing is granted before `until`. Then the run's workflow is signalled. */
  block(run: RunReference, until: string, limit: 'requests' | 'bytes'): Promise<void> {
    this.#left.delete(this.#idOf(run));
    return this.#signal(run, 'blocked', { until, limit, waiter: run.workflow_id });
  }

  /** There may be quota again: the run may send one request to find out. */
  unblock(run: RunReference): Promise<void> {
    this.#left.delete(this.#idOf(run));
    return this.#update(run, 'unblock', { run_id: run.run_id });
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

  async #reserve(run: RunReference, asked: Reservation): Promise<BudgetReply> {
    return (await this.#turns.areMany()) ? this.#ask(this.#idOf(run), asked) : this.#update(run, 'reserve', asked);
  }

  /** By a signal. The workflow puts its reply into its memo: many may read that at a time, without a worker. */
  async #ask(workflowId: string, asked: Reservation): Promise<BudgetReply> {
    const budget = this.#client.getHandle(workflowId);
    const until = Date.now() + ANSWER_TIMEOUT_MS;
    while (Date.now() < until) {
      await this.#signalWithStart(workflowId, asked);
      const askAgainAt = Date.now() + ASK_AGAIN_MS;
      for (let wait = POLL_MS; Date.now() < askAgainAt; wait = Math.min(POLL_MOST_MS, wait * 2)) {
        await sleep(wait);
        const { memo } = await budget.describe();
        const reply = (memo?.[REPLIES] as BudgetReplies | undefined)?.[asked.batch_id];
        if (reply) return { granted: reply.granted, retry_at: reply.retry_at, reason: reply.reason };
      }
    }
    throw new Error(`${workflowId} gave no answer within ${ANSWER_TIMEOUT_MS / 1000} s: does a worker of the key run?`);
  }

  /** A repeated question gets the same grant. */
  async #signalWithStart(workflowId: string, asked: Reservation): Promise<void> {
    try {
      await this.#client.getHandle(workflowId).signal('asked', asked);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      const taskQueue = this.#taskQueue;
      const options = { workflowId, taskQueue, args: [], signal: 'asked', signalArgs: [asked] };
      await this.#client.signalWithStart(BUDGET_WORKFLOW, options);
    }
  }

  #update<Result>(run: RunReference, name: string, asked: object): Promise<Result> {
    const id = this.#idOf(run);
    const args: [object] = [asked];
    const send = async () => {
      try {
        return await this.#client.getHandle(id).executeUpdate<Result, [object]>(name, { args });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
      return this.#updateWithStart<Result>(id, name, args);
    };
    // If no worker serves the budget, an update would wait for ever.
    return this.#turns.take(id, () => this.#client.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, send));
  }

  /** The first caller starts the budget workflow. It ends automatically when no run needs it. */
  #updateWithStart<Result>(workflowId: string, name: string, args: [object]): Promise<Result> {
    const startWorkflowOperation = new WithStartWorkflowOperation(BUDGET_WORKFLOW, {
      workflowId,
      taskQueue: this.#taskQueue,
      args: [],
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    return this.#client.executeUpdateWithStart(name, { args, startWorkflowOperation }) as Promise<Result>;
  }

  #idOf(run: RunReference): string {
    return budgetIdOf(run.definition.service.base_url, this.#keyFingerprint);
  }
}
