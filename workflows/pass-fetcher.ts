/**
 * The second part of a run: pending steps are fetched pass by pass in time-boxed batches. Each batch is committed while the next
 * one is fetched.
 */
import { isCancellation, log, workflowInfo } from '@temporalio/workflow';
import { addRefresh, PASSES, type Pass } from '../src/export/index.ts';
import type { BatchFetched, Committed, Stop } from '../src/export/pipeline/index.ts';
import type { ExportRun } from './export-run.ts';
import { isPending, type PendingWindow, type Task, type TaskStop, windowOf } from './remaining-work.ts';
import { failingOperation, isOutdated, mayPass } from './run-errors.ts';
import { ShardedPass } from './sharded-pass.ts';

/** A plan is made again if the lake has this many newer versions. Each commit of its batches searches all of them. */
const PLAN_AGE_MAX = 64;
/** An operation that fails for everything gets no requests for this time. */
const DEFER_MS = 60_000;
/**
 * An operation that refuses every record, though the service is well, is requested for all of them after this many tries. Each refusal is
 * recorded.
 */
const TRIES_MAX = 2;

/** More batches at a time than one committer and one budget were tried with. */
const FETCHERS_MAX = 64;

export class PassFetcher {
  readonly #run: ExportRun;
  /** Pass of the last task. */
  #pass: Pass | null = null;
  /** The last batch failed, and its rows were committed. */
  #salvaged = false;

  constructor(run: ExportRun) {
    this.#run = run;
  }

  async fetchAll(): Promise<void> {
    do {
      await this.#fetchPasses();
      await this.#fetchDeferred();
      await this.#run.committing;
    } while (await this.#hasMore());
    this.#run.progress.filings_deferred = this.#run.work.pending.reduce((sum, { deferred }) => sum + deferred, 0);
  }

  /** Pass by pass, window by window. If an operation fails for everything, its work is deferred: other operations may work. */
  async #fetchPasses(): Promise<void> {
    const work = this.#run.work;
    for (; work.pass < PASSES.length; work.pass++, work.next = 0) {
      const pass = PASSES[work.pass]!;
      // The sizes of documents, which filing_info states, decide what is requested: they must be in the lake.
      if (pass === 'documents') await this.#run.committing;
      if (this.#fetchers() > 1) await this.#fetchSharded(pass);
      for (; work.next < work.pending.length; work.next++) {
        const task: Task = { pass, window: work.next };
        try {
          await this.#fetchTask(task);
        } catch (error) {
          const message = failingOperation(error);
          if (message === null) throw error;
          work.failing = { message, at: Date.now() };
          if (pass === 'whole') await this.#goBreadthFirst();
          // The rest of the pass needs the same operation.
          else for (; work.next < work.pending.length; work.next++) work.deferred.push({ pass, window: work.next });
        }
        if (workflowInfo().continueAsNewSuggested) {
          work.next++;
          await this.#run.continueInNewHistory();
        }
      }
    }
  }

  /**
   * How many batches are fetched at the same time: as many as the definition says, or as there are workers. Batches that no worker
   * takes wait in the queue, where an autoscaler sees them.
   */
  #fetchers(): number {
    const { workers } = this.#run.work;
    const { parallel = workers ?? 1 } = this.#run.state.definition.service;
    return workers === undefined ? 1 : Math.min(parallel, FETCHERS_MAX);
  }

  /**
   * The windows of a pass from `work.next` on, by several workers. If an operation fails for everything, the rest is deferred, as in
   * `#fetchPasses`.
   */
  async #fetchSharded(pass: Pass): Promise<void> {
    const { work } = this.#run;
    // As before a task of another pass.
    await this.#run.committing;
    this.#pass = pass;
    while (work.next < work.pending.length) {
      const sharded = new ShardedPass(this.#run, work.pending.slice(work.next), {
        pass,
        record_refusals: work.tries >= TRIES_MAX,
        fetchers: () => Math.max(1, this.#fetchers()),
        fetched: (batch) => {
          this.#salvaged = false;
          this.#run.told(batch);
        },
        planIfStale: async (pending) => {
          if (this.#versionsSince(pending.base_version) > PLAN_AGE_MAX) pending.is_stale = true;
          if (pending.is_stale) await this.#planAgain(pending, pass, true);
        },
        done: (pending) => this.#run.continueCommitting(this.#run.committing.then(() => this.#dropIfDone(pending))),
        salvage: (pending, batch_id) => this.#salvage(pending, batch_id),
      });
      try {
        const stop = await sharded.fetch();
        if (stop === null) work.next = work.pending.length;
        else if (stop === 'history') await this.#run.continueInNewHistory();
        else await this.#whileStopped(stop);
      } catch (error) {
        this.#run.continueCommitting(Promise.resolve());
        await this.#afterFailure(error, pass);
      }
    }
  }

  /** @throws the error if the run can't continue after it */
  async #afterFailure(error: unknown, pass: Pass): Promise<void> {
    const { work, state } = this.#run;
    const message = failingOperation(error);
    if (message !== null) {
      work.failing = { message, at: Date.now() };
      if (pass === 'whole') await this.#goBreadthFirst();
      else for (; work.next < work.pending.length; work.next++) work.deferred.push({ pass, window: work.next });
      return;
    }
    if (isOutdated(error)) return state.nextTurn();
    if (await state.waitIfAway(error)) return;
    // The sealed rows were committed: a new plan has the rest. Twice in a row means that it gets nowhere.
    if (!mayPass(error) || this.#salvaged) throw error;
    this.#salvaged = true;
  }

  /** An operation fails for every filing: the passes of the others follow, and only its own is deferred. */
  async #goBreadthFirst(): Promise<void> {
    const { work, state } = this.#run;
    state.goBreadthFirst();
    for (const pending of work.pending) if (isPending(pending.steps)) await this.#planAgain(pending, PASSES[0]);
    work.next = work.pending.length;
  }

  /** Deferred work is tried again, after a wait, until it succeeds. */
  async #fetchDeferred(): Promise<void> {
    const work = this.#run.work;
    const { deferred } = work;
    while (deferred.length > 0) {
      if (workflowInfo().continueAsNewSuggested) await this.#run.continueInNewHistory();
      // If the other passes took a while, the wait is over.
      if (work.failing && Date.now() - work.failing.at < DEFER_MS)
        await this.#run.state.whileUnwell(work.failing.message);
      work.failing = null;
      try {
        await this.#fetchTask(deferred[0]!);
        deferred.shift();
      } catch (error) {
        const message = failingOperation(error);
        if (message === null) throw error;
        work.failing = { message, at: Date.now() };
        work.tries++;
        // Another pass's operation may work again.
        deferred.push(
          ...deferred.splice(
            0,
            deferred.findIndex(({ pass }) => pass !== deferred[0]!.pass),
          ),
        );
      }
    }
  }

  /** Fetches a window's share of a pass, across all stops. */
  async #fetchTask({ pass, window }: Task): Promise<void> {
    const pending = this.#run.work.pending[window]!;
    // The sections that filing_info lists decide what a 404 of filing_sections means: they must be in the lake.
    if (pass !== this.#pass) await this.#run.committing;
    this.#pass = pass;
    if (this.#versionsSince(pending.base_version) > PLAN_AGE_MAX) pending.is_stale = true;
    while (pending.steps[pass].filings > 0) {
      if (pending.is_stale) {
        await this.#planAgain(pending, pass);
        continue;
      }
      // Until the outcome is known. Interrupted work is planned again from the lake's coverage, so that nothing is fetched twice.
      pending.is_stale = true;
      const stop = await this.#fetchBatches(pending, pass);
      if (stop === null) {
        pending.is_stale = false;
        pending.steps[pass] = { filings: 0, requests: 0 };
        this.#run.countPending();
        // Its last commit is still running, and will show whether another run has written some of it.
        this.#run.continueCommitting(this.#run.committing.then(() => this.#dropIfDone(pending)));
        continue;
      }
      await this.#run.committing;
      if (stop === 'history') await this.#run.continueInNewHistory();
      else if (stop !== 'again') await this.#whileStopped(stop);
    }
  }

  #whileStopped(stop: Stop | 'pause' | 'turn'): Promise<void> {
    const { state } = this.#run;
    if (stop === 'pause') return state.whilePauseIsAsked();
    return stop === 'turn' ? state.nextTurn() : state.pauseFor(stop);
  }

  /** Plans windows again of which a batch was refused. @returns whether there is more to fetch */
  async #hasMore(): Promise<boolean> {
    const { work, state } = this.#run;
    const refused = work.pending.filter(({ is_refused }) => is_refused);
    if (refused.length > 0) await state.nextTurn();
    for (const window of refused) await this.#planAgain(window, PASSES[0]);
    const hasMore = work.pending.some(({ steps }) => isPending(steps));
    if (hasMore) Object.assign(work, { pass: 0, next: 0 });
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
    delete pending.is_refused;
    pending.deferred = planned!.deferred ?? 0;
    // Steps that failed in an earlier pass are left to the next run.
    for (const each of PASSES.slice(PASSES.indexOf(pass))) pending.steps[each] = planned!.pending[each];
    this.#run.countPending();
  }

  /** Fetches batch by batch, and commits each batch while the next one is fetched. The last commit keeps running. */
  async #fetchBatches(pending: PendingWindow, pass: Pass): Promise<TaskStop | null> {
    const { id: window, plan, base_version } = pending;
    const { state } = this.#run;
    const record_refusals = this.#run.work.tries >= TRIES_MAX;
    let stop: TaskStop | null = null;
    for (let from: number | null = 0; from !== null && stop === null; ) {
      const batch_id = `batch-${window}-${plan}-${pass}-at${from}`;
      const first: number = from;
      let fetched: BatchFetched;
      if (state.pauseAsked) return 'pause';
      state.startParallel();
      try {
        fetched = await state.runParallel(() =>
          state.activities.fetchBatch({
            run: this.#run.reference(),
            window,
            plan,
            pass,
            batch_id,
            from: first,
            record_refusals,
          }),
        );
      } catch (error) {
        if (isCancellation(error)) throw error;
        const isSalvaged = await this.#salvage(pending, batch_id);
        if (isOutdated(error)) return 'turn';
        // Others may have the lake while this run waits: a new plan has the rest.
        if (await state.waitIfAway(error)) return 'again';
        // Its rows are in the lake: a new plan has the rest. Twice in a row means that it gets nowhere.
        if (!isSalvaged || !mayPass(error) || this.#salvaged) throw error;
        this.#salvaged = true;
        return 'again';
      }
      this.#salvaged = false;
      this.#run.told(fetched);
      this.#run.progress.filings_fetched += fetched.filings;
      this.#run.progress.failures += fetched.failures;
      addRefresh(this.#run.progress, fetched);
      this.#run.progress.steps[pass].done += fetched.steps;
      pending.steps[pass].requests = Math.max(0, pending.steps[pass].requests - fetched.steps);
      this.#run.countPending();
      await this.#run.committing;
      this.#run.continueCommitting(this.#commit(pending, fetched, base_version));
      from = fetched.next;
      stop = fetched.stop;
      if (stop !== null || from === null) continue;
      if (state.isTurnOver) stop = 'turn';
      else if (workflowInfo().continueAsNewSuggested) stop = 'history';
    }
    return stop;
  }

  /**
   * Before a task fails: commits the sealed rows of its last batch if the lake still accepts them, since their requests count.
   * @returns whether the lake has them
   */
  async #salvage(pending: PendingWindow, batch_id: string): Promise<boolean> {
    const { base_version } = pending;
    try {
      await this.#run.committing;
      const request = { run: this.#run.reference(), batch_id, base_version, segments: null };
      const committed = await this.#run.state.activities.commitBatch(request);
      this.#run.committed(committed);
      return committed !== null;
    } catch (error) {
      log.warn('the sealed rows of the last batch could not be committed', { error: String(error) });
      return false;
    }
  }

  async #commit(
    pending: PendingWindow,
    { batch_id, segments, filings }: BatchFetched,
    base_version: number,
  ): Promise<void> {
    if (segments.length === 0) return;
    const request = { run: this.#run.reference(), batch_id, base_version, segments, ...this.#run.clearing() };
    let committed: Committed | null;
    try {
      committed = await this.#run.state.activities.commitBatch(request);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      log.warn('the run has lost its turn', { batch_id, error: String(error) });
      pending.is_refused = true;
      this.#run.state.loseTurn();
      return;
    }
    this.#run.committed(committed);
    this.#run.progress.filings_committed += filings;
    this.#run.state.remember();
  }

  #dropIfDone(pending: PendingWindow): void {
    if (pending.is_stale || pending.is_refused || isPending(pending.steps)) return;
    const isLookedThrough = this.#run.work.filers.some(({ id }) => id === pending.id);
    this.#run.dropWindow(isLookedThrough ? { ...pending, pages: 0 } : pending, pending.plan);
  }
}
