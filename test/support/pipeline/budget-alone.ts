/** The budget workflow's logic, without a workflow: for activities that are driven by hand. */

import type { BudgetPort, RunReference } from '../../../src/export/pipeline/index.ts';
import { newBudget, reserveRequests, settleRequests } from '../../../src/export/run/index.ts';

export class BudgetAlone {
  /** If it is false, a caller that settles dies before it is received. */
  isHeard = true;
  /** How far the budget's clock is ahead, in milliseconds: what a dead attempt holds is known to be dead after two minutes. */
  ahead = 0;
  #state = newBudget();

  /** Requests of the run `r`. */
  get spent(): number {
    return this.#state.runs.r?.requests ?? 0;
  }

  async reserve({ definition }: RunReference, batch_id: string, requests: number) {
    const asked = { run_id: 'r', batch_id, requests, limits: definition.budget };
    const { state, reply } = reserveRequests(this.#state, asked, this.#now());
    this.#state = state;
    return reply;
  }

  async settle(_run: RunReference, settlement: Parameters<BudgetPort['settle']>[1]) {
    if (this.isHeard) this.#state = settleRequests(this.#state, { run_id: 'r', ...settlement }, this.#now());
  }

  #now(): string {
    return new Date(Date.now() + this.ahead).toISOString();
  }
}
