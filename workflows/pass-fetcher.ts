/** The second part of a run: pending steps are fetched pass by pass. Work whose operation fails for everything waits for the others. */
import { log, workflowInfo } from '@temporalio/workflow';
import type { BatchFetched } from '../src/export/pipeline/index.ts';
import { PASSES, type Pass } from '../src/export/steps/index.ts';
import type { ExportRun } from './export-run.ts';
import { isPending, type PendingWindow, windowOf } from './remaining-work.ts';
import { failingOperation, isOutdated, mayPass } from './run-errors.ts';
import { type Passes, type PassStop, ShardedPass } from './sharded-pass.ts';

/** A plan is made again if the lake has this many newer versions. Each commit of its batches searches all of them. */
const PLAN_AGE_MAX = 64;
/** An operation that fails for everything gets no requests for this time. */
const DEFER_MS = 60_000;
/** After so many tries, an operation that refuses every record is requested for all: each refusal is recorded. */
const TRIES_MAX = 2;

/** More batches at a time than one committer and one budget were tried with. */
const FETCHERS_MAX = 64;

export class PassFetcher implements Passes {
  readonly #run: ExportRun;
  /** The last batch failed, and its rows were committed. */
  #salvaged = false;

  constructor(run: ExportRun) {
    this.#run = run;
  }

  async fetchAll(): Promise<void> {
    do {
      await this.#fetchPasses();
      await this.#fetchDeferred();
    } while (await this.#hasMore());
    this.#run.progress.filings_deferred = this.#run.work.pending.reduce((sum, { deferred }) => sum + deferred, 0);
  }

  /** Pass by pass. If an operation fails for everything, its pass is deferred: other operations may work. */
  async #fetchPasses(): Promise<void> {
    const { work, state } = this.#run;
    for (; work.pass < PASSES.length; work.pass++) {
      const pass = PASSES[work.pass]!;
      if (await this.#fetchPass(pass)) continue;
      if (pass !== 'whole') work.deferred.push(pass);
      else {
        // The passes of the other operations follow, and only its own is deferred.
        state.goBreadthFirst();
        for (const pending of work.pending) if (isPending(pending.steps)) await this.#planAgain(pending, PASSES[0]);
      }
    }
  }

  /** Deferred work is tried again, after a wait, until it succeeds. */
  async #fetchDeferred(): Promise<void> {
    const { work, state } = this.#run;
    while (work.deferred.length > 0) {
      if (workflowInfo().continueAsNewSuggested) await this.#run.continueInNewHistory();
      // If the other passes took a while, the wait is over.
      if (work.failing && Date.now() - work.failing.at < DEFER_MS) await state.whileUnwell(work.failing.message);
      work.failing = null;
      const pass = work.deferred[0]!;
      const isDone = await this.#fetchPass(pass);
      work.deferred.shift();
      if (isDone) continue;
      work.tries++;
      // Another pass's operation may work again.
      work.deferred.push(pass);
    }
  }

  /**
   * How many batches are fetched at the same time: as many as the definition says, or as there are workers. Batches that no worker
   * takes wait in the queue, where an autoscaler sees them.
   */
  fetchers(): number {
    const { workers } = this.#run.work;
    const { parallel = workers ?? 1 } = this.#run.state.definition.service;
    return workers === undefined ? 1 : Math.max(1, Math.min(parallel, FETCHERS_MAX));
  }

  fetched(batch: BatchFetched): void {
    this.#salvaged = false;
    this.#run.told(batch);
  }

  async planIfStale(pending: PendingWindow, pass: Pass): Promise<void> {
    if (this.#versionsSince(pending.base_version) > PLAN_AGE_MAX) pending.is_stale = true;
    if (pending.is_stale) await this.#planAgain(pending, pass, true);
  }

  done(pending: PendingWindow): void {
    this.#run.continueCommitting(this.#run.committing.then(() => this.#dropIfDone(pending)));
  }

  /** A pass over all windows, across all stops. @returns false if an operation fails for everything */
  async #fetchPass(pass: Pass): Promise<boolean> {
    const { work } = this.#run;
    // What filing_info lists decides what other passes request, and what their 404 means: it must be in the lake.
    await this.#run.committing;
    for (;;) {
      const sharded = new ShardedPass(this.#run, this, pass, work.tries >= TRIES_MAX);
      try {
        const stop = await sharded.fetch();
        if (stop === null) return true;
        await this.#whileStopped(stop);
      } catch (error) {
        this.#run.continueCommitting(Promise.resolve());
        const message = failingOperation(error);
        if (message !== null) {
          work.failing = { message, at: Date.now() };
          return false;
        }
        await this.#afterFailure(error);
      }
    }
  }

  async #whileStopped(stop: PassStop): Promise<void> {
    const { state } = this.#run;
    if (stop === 'history') await this.#run.continueInNewHistory();
    else if (stop === 'pause') await state.whilePauseIsAsked();
    else if (stop === 'turn') await state.nextTurn();
    else await state.pauseFor(stop);
  }

  /** @throws the error if the run can't continue after it */
  async #afterFailure(error: unknown): Promise<void> {
    const { state } = this.#run;
    if (isOutdated(error)) return state.nextTurn();
    if (await state.waitIfAway(error)) return;
    // The sealed rows were committed: a new plan has the rest. Twice in a row means that it gets nowhere.
    if (!mayPass(error) || this.#salvaged) throw error;
    this.#salvaged = true;
  }

  /** Plans windows again of which a batch was refused. @returns whether there is more to fetch */
  async #hasMore(): Promise<boolean> {
    const { work, state } = this.#run;
    const refused = work.pending.filter(({ is_refused }) => is_refused);
    if (refused.length > 0) await state.nextTurn();
    for (const window of refused) await this.#planAgain(window, PASSES[0]);
    const hasMore = work.pending.some(({ steps }) => isPending(steps));
    if (hasMore) work.pass = 0;
    return hasMore;
  }

  #versionsSince(version: number): number {
    return (this.#run.progress.last_commit?.version ?? version) - version;
  }

  /** @param isApart the running commits have no steps of the window */
  async #planAgain(pending: PendingWindow, pass: Pass, isApart = false): Promise<void> {
    // The steps of the running commit must not become pending again.
    if (!isApart) await this.#run.committing;
    const told = await this.#run.planUnderFreeNumber(pending.plan + 1, (plan) => ({
      batch_id: `plan-${pending.id}-${plan}`,
      windows: [{ ...windowOf(pending), plan, record: null }],
    }));
    const { plan, windows, committed } = told;
    this.#run.told(told);
    this.#run.committed(committed);
    this.#run.dropWindow({ id: pending.id, pages: 0 }, pending.plan);
    const [planned] = windows;
    pending.plan = plan;
    pending.lines = planned!.lines;
    pending.base_version = planned!.base_version;
    pending.is_stale = false;
    pending.deferred = planned!.deferred ?? 0;
    // Steps that failed in an earlier pass are left to the next run, but the refused batch may be of any.
    const first = pending.is_refused ? 0 : PASSES.indexOf(pass);
    for (const each of PASSES.slice(first)) pending.steps[each] = planned!.pending[each];
    delete pending.is_refused;
    this.#run.countPending();
  }

  /** Commits the sealed rows of a batch that has failed if the lake still accepts them, since their requests count. */
  async salvage(pending: PendingWindow, batch_id: string): Promise<void> {
    const { base_version } = pending;
    try {
      await this.#run.committing;
      const of = { run: this.#run.reference(), base_version };
      const { commitBatches } = this.#run.state.activities;
      this.#run.committed(await commitBatches({ ...of, batches: [{ batch_id, segments: null }] }));
    } catch (error) {
      log.warn('the sealed rows of the last batch could not be committed', { error: String(error) });
    }
  }

  #dropIfDone(pending: PendingWindow): void {
    if (pending.is_stale || pending.is_refused || isPending(pending.steps)) return;
    const isLookedThrough = this.#run.work.filers.some(({ id }) => id === pending.id);
    this.#run.dropWindow(isLookedThrough ? { ...pending, pages: 0 } : pending, pending.plan);
  }
}
