/**
 * The second part of a run: pending steps are fetched pass by pass in time-boxed batches. Each batch is committed while the next
 * one is fetched.
 */
import { isCancellation, log, sleep, workflowInfo } from '@temporalio/workflow';
import { addRefresh, PASSES, type Pass } from '../src/export/index.ts';
import type { BatchFetched, Committed } from '../src/export/pipeline/index.ts';
import type { ExportRun } from './export-run.ts';
import {
  filingsClaimed,
  filingsPending,
  hasConflict,
  isPending,
  type PendingWindow,
  type Task,
  type TaskStop,
  windowOf,
} from './remaining-work.ts';
import { failingOperation, isOutdated, mayPass } from './run-errors.ts';
import { ShardedPass } from './sharded-pass.ts';

/**
 * A plan is made again if the lake has this many newer versions. Each commit of its batches searches all of them, and another run may
 * have fetched the pending steps.
 */
const PLAN_AGE_MAX = 64;
/** An operation that fails for everything gets no requests for this time. */
const DEFER_MS = 60_000;
/** How often windows are planned again because filings have passed to another run. After that, the next run does the rest. */
const CONFLICTS_MAX = 5;
/**
 * An operation that refuses every record, though the service is well, is requested for all of them after this many tries. Each refusal is
 * recorded.
 */
const TRIES_MAX = 2;

/** More batches at a time than one committer and one budget were tried with. */
const FETCHERS_MAX = 64;

/** Between two looks at filings that other runs fetch: at first, and at most. */
const LOOK_MS = 1_000;
const LOOK_MS_MAX = 60_000;
/** The longest wait for other runs. Then the run ends, and counts their filings as deferred. */
const WAIT_MS_MAX = 12 * 3_600_000;
/** A claim expires if its run has sent nothing, and has done no claimed filing, for this time. */
const CLAIM_MS = 600_000;

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
    } while (await this.#lookAgain());
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
    const { work, state } = this.#run;
    // As before a task of another pass.
    await this.#run.committing;
    this.#pass = pass;
    while (work.next < work.pending.length) {
      const sharded = new ShardedPass(this.#run, work.pending.slice(work.next), {
        pass,
        record_refusals: work.tries >= TRIES_MAX,
        fetchers: () => Math.max(1, this.#fetchers()),
        fetched: ({ workers }) => {
          this.#salvaged = false;
          if (workers !== undefined) work.workers = workers;
        },
        planIfStale: async (pending) => {
          if (this.#versionsSince(pending.base_version) > PLAN_AGE_MAX) pending.is_stale = true;
          if (pending.is_stale) await this.#planAgain(pending, pass, [], true);
        },
        done: (pending) => this.#run.continueCommitting(this.#run.committing.then(() => this.#dropIfDone(pending))),
        salvage: (pending, batch_id) => this.#salvage(pending, batch_id),
      });
      try {
        const stop = await sharded.fetch();
        if (stop === null) work.next = work.pending.length;
        else if (stop === 'history') await this.#run.continueInNewHistory();
        else if (stop === 'pause') await state.whilePauseIsAsked();
        else await state.pauseFor(stop);
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
      else if (stop !== 'salvaged') await this.#run.state.pauseFor(stop);
    }
  }

  /**
   * Looks again at windows with filings that other runs fetch, or that have passed to another run. Filings that those runs have done
   * need nothing more. Filings that they no longer claim are planned for this run.
   * @returns whether there is more to fetch
   */
  async #lookAgain(): Promise<boolean> {
    const work = this.#run.work;
    const { pending: windows } = work;
    const isOpen = (one: PendingWindow) => one.has_conflict || filingsClaimed(one) > 0;
    for (;;) {
      // Steps that the last look has found, perhaps in the history before.
      if (windows.some(({ steps }) => isPending(steps))) {
        if (work.conflicts > CONFLICTS_MAX) break;
        Object.assign(work, { pass: 0, next: 0, look: { n: 0, next: 0 } });
        return true;
      }
      const look = work.look ?? { n: 0, next: 0 };
      work.look = look;
      if (look.next === 0) {
        const open = windows.filter(isOpen);
        if (open.length === 0) break;
        if (open.some(({ has_conflict }) => has_conflict)) work.conflicts++;
        else if (look.n > 0 && !(await this.#waitForOthers(open, look.n))) break;
      }
      while (look.next < windows.length) {
        const window = windows[look.next++]!;
        if (!isOpen(window)) continue;
        window.has_conflict = false;
        await this.#planAgain(window, PASSES[0], this.#expired());
        this.#noteOwners();
        if (workflowInfo().continueAsNewSuggested) await this.#run.continueInNewHistory();
      }
      work.look = { n: look.n + 1, next: 0 };
    }
    work.deferred_windows = windows.filter(({ steps }) => isPending(steps)).map(({ id }) => id);
    this.#run.progress.filings_deferred = windows.reduce(
      (sum, window) => sum + window.deferred + filingsClaimed(window) + filingsPending(window.steps),
      0,
    );
    return false;
  }

  /** @returns false if this run has waited long enough */
  async #waitForOthers(open: readonly PendingWindow[], look: number): Promise<boolean> {
    const { work, progress, state } = this.#run;
    const waitMs = Math.min(LOOK_MS_MAX, LOOK_MS * 2 ** Math.min(look, 10));
    const waited = (work.waited_ms ?? 0) + waitMs;
    if (waited > WAIT_MS_MAX) return false;
    work.waited_ms = waited;
    const filings = open.reduce((sum, window) => sum + filingsClaimed(window), 0);
    progress.message = `waiting for ${filings} ${filings === 1 ? 'filing' : 'filings'} that another run fetches`;
    await state.whilePauseIsAsked();
    await sleep(waitMs);
    progress.message = null;
    return true;
  }

  /** Only differences of this workflow's own clock count: clocks of other machines may be wrong. */
  #noteOwners(): void {
    const { work } = this.#run;
    const signs = new Map<string, string[]>();
    for (const { claimed_by = [] } of work.pending)
      for (const { run_id, filings, sign } of claimed_by)
        signs.set(run_id, [...(signs.get(run_id) ?? []), `${filings} ${sign}`]);
    const before = work.owners ?? {};
    work.owners = {};
    for (const [run_id, all] of signs) {
      const [sign, known] = [all.join(), before[run_id]];
      work.owners[run_id] = known?.sign === sign ? known : { sign, since: Date.now() };
    }
  }

  #expired(): string[] {
    const owners = Object.entries(this.#run.work.owners ?? {});
    return owners.flatMap(([run_id, { since }]) => (Date.now() - since >= CLAIM_MS ? [run_id] : []));
  }

  #versionsSince(version: number): number {
    return (this.#run.progress.last_commit?.version ?? version) - version;
  }

  /** @param isApart the running commits have no steps of the window */
  async #planAgain(pending: PendingWindow, pass: Pass, expired: string[] = [], isApart = false): Promise<void> {
    // The steps of the running commit must not become pending again.
    if (!isApart) await this.#run.committing;
    const { plan, windows, committed, workers } = await this.#run.planUnderFreeNumber(pending.plan + 1, (plan) => ({
      batch_id: `plan-${pending.id}-${plan}`,
      windows: [{ ...windowOf(pending), plan, record: null, expired }],
    }));
    this.#run.committed(committed);
    this.#run.dropWindow({ id: pending.id, pages: 0 }, pending.plan);
    if (workers !== undefined) this.#run.work.workers = workers;
    const [planned] = windows;
    pending.plan = plan;
    pending.lines = planned!.lines;
    pending.base_version = planned!.base_version;
    pending.is_stale = false;
    pending.has_conflict ||= hasConflict(committed);
    pending.deferred = planned!.deferred ?? 0;
    const claimedBefore = filingsClaimed(pending);
    pending.claimed_by = planned!.claimed_by ?? [];
    // Filings that the other run has completed.
    const done = claimedBefore - filingsClaimed(pending) - filingsPending(planned!.pending);
    this.#run.progress.filings_known += Math.max(0, done);
    // Steps that failed in an earlier pass are left to the next run.
    for (const each of PASSES.slice(PASSES.indexOf(pass))) pending.steps[each] = planned!.pending[each];
    this.#run.countPending();
  }

  /** Fetches batch by batch, and commits each batch while the next one is fetched. The last commit keeps running. */
  async #fetchBatches(pending: PendingWindow, pass: Pass): Promise<TaskStop | null> {
    const { id: window, plan, base_version } = pending;
    const record_refusals = this.#run.work.tries >= TRIES_MAX;
    let stop: TaskStop | null = null;
    for (let from: number | null = 0; from !== null && stop === null; ) {
      const batch_id = `batch-${window}-${plan}-${pass}-at${from}`;
      const first: number = from;
      let fetched: BatchFetched;
      try {
        fetched = await this.#run.state.runWithRetry(() =>
          this.#run.state.activities.fetchBatch({
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
        // Its rows are in the lake: a new plan has the rest. Twice in a row means that it gets nowhere.
        if (!isSalvaged || !mayPass(error) || this.#salvaged) throw error;
        this.#salvaged = true;
        return 'salvaged';
      }
      this.#salvaged = false;
      if (fetched.workers !== undefined) this.#run.work.workers = fetched.workers;
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
      if (stop === null && from !== null && workflowInfo().continueAsNewSuggested) stop = 'history';
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
      pending.has_conflict ||= hasConflict(committed);
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
      log.warn('another run was first', { batch_id, error: String(error) });
      pending.has_conflict = true;
      return;
    }
    this.#run.committed(committed);
    pending.has_conflict ||= hasConflict(committed);
    this.#run.progress.filings_committed += filings;
    this.#run.state.remember();
  }

  #dropIfDone(pending: PendingWindow): void {
    if (pending.is_stale || pending.has_conflict || isPending(pending.steps) || filingsClaimed(pending) > 0) return;
    const isLookedThrough = this.#run.work.filers.some(({ id }) => id === pending.id);
    this.#run.dropWindow(isLookedThrough ? { ...pending, pages: 0 } : pending, pending.plan);
  }
}
