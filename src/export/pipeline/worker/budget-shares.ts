/**
 * The part of a key's budget that this process hands out itself. Without it, each activity of each worker would send two updates to
 * one workflow. Only runs without limits of their own take part, and only while the quota is far from used up: near its end, and for
 * limits of a run, each activity reserves for itself, so that both stay exact.
 */
import { type BudgetReply, budgetIdOf } from '../../run/index.ts';
import type { BudgetPort, Settlement, ShareOffice } from '../ports.ts';
import type { RunReference } from '../types.ts';
import { SHARE_DEFAULTS, SharePool, type SharePoolOptions } from './share-pool.ts';

export class BudgetShares implements BudgetPort {
  readonly #office: ShareOffice;
  readonly #options: SharePoolOptions;
  /** By service and reserve. */
  readonly #pools = new Map<string, SharePool>();

  constructor(office: ShareOffice, options: Partial<SharePoolOptions> = {}) {
    this.#office = office;
    this.#options = { ...SHARE_DEFAULTS, ...options };
  }

  async reserve(run: RunReference, batchId: string, requests: number): Promise<BudgetReply> {
    const pool = this.#poolOf(run);
    if (pool === null) return this.#office.reserve(await this.#withoutUnsettled(run), batchId, requests);
    const granted = await pool.take(run, batchId, requests);
    if (granted > 0) return { granted, retry_at: null, reason: null, is_plenty: true };
    const reply = await this.#office.reserve(run, batchId, requests);
    pool.runs.add(run.run_id);
    return reply;
  }

  /** A run that got limits while it was active has spent from shares here, and the budget does not know it yet. */
  async #withoutUnsettled(run: RunReference): Promise<RunReference> {
    const unsettled = { requests: 0, bytes: 0 };
    for (const pool of this.#pools.values()) {
      const { requests, bytes } = await pool.unsettledOf(run.run_id);
      unsettled.requests += requests;
      unsettled.bytes += bytes;
    }
    const { budget } = run.definition;
    const less = (limit: number | null, by: number) => (limit === null ? null : Math.max(0, limit - by));
    const max_requests = less(budget.max_requests, unsettled.requests);
    const max_bytes = less(budget.max_bytes, unsettled.bytes);
    return { ...run, definition: { ...run.definition, budget: { ...budget, max_requests, max_bytes } } };
  }

  async settle(run: RunReference, settlement: Settlement): Promise<void> {
    const pool = this.#poolOf(run);
    pool?.hear(settlement);
    if (!(await pool?.putBack(run, settlement))) await this.#office.settle(run, settlement);
  }

  async block(run: RunReference, until: string, limit: 'requests' | 'bytes'): Promise<void> {
    await this.#poolOf(run)?.stop();
    await this.#office.block(run, until, limit);
  }

  async unblock(run: RunReference): Promise<void> {
    await this.#poolOf(run)?.stop();
    await this.#office.unblock(run);
  }

  async leave(run: RunReference): Promise<void> {
    const pool = this.#poolOf(run);
    pool?.runs.delete(run.run_id);
    // The budget ends with its last run, and accepts no settlement afterwards.
    if (pool?.runs.size === 0) await pool.stop();
    await this.#office.leave(run);
  }

  /** Returns what is left. Requests of activities that did not settle count as spent. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  /** Null: the run has limits of its own. */
  #poolOf({ definition: { service, budget } }: RunReference): SharePool | null {
    if (budget.max_requests !== null || budget.max_bytes !== null) return null;
    const key = `${budgetIdOf(service.base_url, '')} ${budget.reserve}`;
    let pool = this.#pools.get(key);
    if (pool === undefined) {
      pool = new SharePool(this.#office, budget.reserve, this.#options);
      this.#pools.set(key, pool);
    }
    return pool;
  }
}
