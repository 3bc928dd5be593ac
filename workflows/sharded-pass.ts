/**
 * A pass over the windows of a run, by one worker or several at the same time. Each takes lines of the work lists that nobody else has,
 * for some seconds. One committer joins the batches that are ready into one version of the lake, while others are fetched. The first stop
 * of a batch ends all: the caller decides what follows.
 */
import { log, workflowInfo } from '@temporalio/workflow';
import type { BatchFetched, Stop } from '../src/export/pipeline/index.ts';
import { addRefresh } from '../src/export/run/index.ts';
import type { Pass } from '../src/export/steps/index.ts';
import type { ExportRun } from './export-run.ts';
import { FreeLines, filingsOfBatch, type Lines } from './free-lines.ts';
import type { PendingWindow } from './remaining-work.ts';
import { isOutdated } from './run-errors.ts';

/** Batches that wait for the committer, for each fetcher. More of them would only fill the disks. */
const READY_MAX = 2;
/** Batches in one version. */
const JOINED_MAX = 32;

export type PassStop = Stop | 'history' | 'pause' | 'turn';

/** What a pass leaves to those who know all passes. */
export interface Passes {
  /** How many fetch at the same time, now. */
  fetchers(): number;
  /** Called with each batch. */
  fetched(batch: BatchFetched): void;
  /** Makes a new plan of a window, if it needs one. */
  planIfStale(window: PendingWindow, pass: Pass): Promise<void>;
  /** All batches of the window are fetched; their last commits are still running. */
  done(window: PendingWindow): void;
  /** A batch has failed: commits its sealed rows. */
  salvage(window: PendingWindow, batch_id: string): Promise<void>;
}

interface OpenWindow {
  pending: PendingWindow;
  free: FreeLines;
  /** Lines for each filing of the pass. */
  linesEach: number;
  inFlight: number;
  /** A batch was stopped, perhaps within a filing whose line it had taken: only a new plan shows what is left. */
  isCut: boolean;
}

interface Ready {
  pending: PendingWindow;
  base_version: number;
  fetched: BatchFetched;
}

export class ShardedPass {
  readonly #run: ExportRun;
  readonly #passes: Passes;
  readonly #pass: Pass;
  readonly #recordsRefusals: boolean;
  /** Windows that no batch was taken from, in order. */
  readonly #left: PendingWindow[];
  readonly #open: OpenWindow[] = [];
  readonly #ready: Ready[] = [];
  readonly #waiting: (() => void)[] = [];
  #opening: Promise<void> | null = null;
  #isCommitting = false;
  #fetching = 0;
  #stop: PassStop | 'error' | null = null;
  #error: unknown = null;

  constructor(run: ExportRun, passes: Passes, pass: Pass, recordsRefusals: boolean) {
    this.#run = run;
    this.#passes = passes;
    this.#pass = pass;
    this.#recordsRefusals = recordsRefusals;
    this.#left = run.work.pending.filter(({ steps }) => steps[pass].filings > 0);
  }

  /**
   * @returns why it ended before everything was fetched, or null. All its batches are committed then.
   * @throws the first error of an activity, when all others have ended
   */
  async fetch(): Promise<PassStop | null> {
    await this.#run.committing;
    this.#run.state.startParallel();
    do {
      // Workers that come while it runs get work with the next batch.
      while (this.#fetching < this.#passes.fetchers() && this.#mayTake()) {
        this.#fetching++;
        const one = this.#fetcher().finally(() => {
          this.#fetching--;
          this.#changed();
        });
        one.catch((error: unknown) => this.#failed(error));
      }
      if (this.#fetching > 0) await this.#change();
    } while (this.#fetching > 0 || this.#mayTake());
    await this.#run.committing.catch((error: unknown) => this.#failed(error));
    if (this.#stop === 'error') {
      // A window may be fetched whole while its last batches wait.
      for (const { pending } of this.#ready) pending.is_refused = true;
      throw this.#error;
    }
    return this.#stop;
  }

  /** Resolves when a batch was fetched or committed, or a fetcher has ended. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #mayTake(): boolean {
    if (this.#stop !== null) return false;
    if (this.#opening !== null) return true;
    return this.#left.length > 0 || this.#open.some(({ free }) => free.count > 0);
  }

  async #fetcher(): Promise<void> {
    while (this.#stop === null && this.#fetching <= this.#passes.fetchers()) {
      const isFull = () => this.#ready.length >= READY_MAX * this.#passes.fetchers();
      while (isFull() && this.#stop === null) await this.#change();
      if (this.#run.state.pauseAsked) this.#stop ??= 'pause';
      if (this.#stop !== null) return;
      const taken = await this.#take();
      if (taken === null) return;
      await this.#fetchLines(taken.window, taken.lines);
      if (this.#run.state.isTurnOver) this.#stop ??= 'turn';
      if (workflowInfo().continueAsNewSuggested) this.#stop ??= 'history';
    }
  }

  /** Lines that nobody has. Null: none are left, or it has stopped. */
  async #take(): Promise<{ window: OpenWindow; lines: Lines } | null> {
    while (this.#stop === null) {
      const pass = this.#pass;
      const fetchers = this.#passes.fetchers();
      const free = this.#open.reduce((sum, one) => sum + one.free.count / one.linesEach, 0);
      const unopened = this.#left.reduce((sum, { steps }) => sum + steps[pass].filings, 0);
      const { connections } = this.#run.state.definition.service;
      for (const window of this.#open) {
        const { filings, requests } = window.pending.steps[pass];
        const requestsEach = filings === 0 ? 1 : requests / filings;
        // One alone takes all, until its time is over.
        const isAlone = fetchers === 1;
        const size = isAlone
          ? window.pending.lines
          : filingsOfBatch(free + unopened, fetchers, connections, requestsEach);
        // The next plan is made while these lines are fetched.
        if (!isAlone && free < size * fetchers) this.#openNext();
        const lines = window.free.take(Math.ceil(size * window.linesEach));
        if (lines === null) continue;
        window.inFlight++;
        return { window, lines };
      }
      this.#openNext();
      if (this.#opening === null) return null;
      await this.#opening;
    }
    return null;
  }

  #openNext(): void {
    if (this.#opening !== null || this.#left.length === 0 || this.#stop !== null) return;
    const pending = this.#left.shift()!;
    const pass = this.#pass;
    const open = async () => {
      await this.#passes.planIfStale(pending, pass);
      const { filings } = pending.steps[pass];
      const { lines } = pending;
      if (filings === 0) return;
      // Until the outcome is known.
      pending.is_stale = true;
      this.#open.push({
        pending,
        free: new FreeLines(lines),
        linesEach: Math.max(1, lines / filings),
        inFlight: 0,
        isCut: false,
      });
    };
    this.#opening = open()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#opening = null;
        this.#changed();
      });
  }

  async #fetchLines(window: OpenWindow, lines: Lines): Promise<void> {
    const { pending } = window;
    const { id, plan, base_version } = pending;
    const pass = this.#pass;
    const batch_id = `batch-${id}-${plan}-${pass}-at${lines.from}`;
    const { state } = this.#run;
    try {
      const fetched = await state.runParallel(() =>
        this.#queue().fetchBatch({
          run: this.#run.reference(),
          window: id,
          plan,
          pass,
          batch_id,
          record_refusals: this.#recordsRefusals,
          ...lines,
        }),
      );
      this.#count(pending, fetched);
      if (fetched.next !== null) window.free.giveBack({ from: fetched.next, to: lines.to });
      this.#ready.push({ pending, base_version, fetched });
      this.#commitReady();
      if (fetched.stop !== null) {
        window.isCut = true;
        this.#stop ??= fetched.stop;
      }
    } catch (error) {
      this.#failed(error);
      await this.#passes.salvage(pending, batch_id);
    } finally {
      window.inFlight--;
      this.#changed();
    }
    if (this.#stop === 'error' || window.isCut || window.inFlight > 0 || window.free.count > 0) return;
    this.#open.splice(this.#open.indexOf(window), 1);
    pending.is_stale = false;
    pending.steps[pass] = { filings: 0, requests: 0 };
    this.#run.countPending();
    this.#passes.done(pending);
  }

  /** One alone needs no queue beside the run's own. */
  #queue() {
    const { state } = this.#run;
    return this.#passes.fetchers() > 1 ? state.fetchers : state.activities;
  }

  #count(pending: PendingWindow, fetched: BatchFetched): void {
    const { progress } = this.#run;
    const pass = this.#pass;
    progress.filings_fetched += fetched.filings;
    progress.failures += fetched.failures;
    addRefresh(progress, fetched);
    progress.steps[pass].done += fetched.steps;
    pending.steps[pass].requests = Math.max(0, pending.steps[pass].requests - fetched.steps);
    this.#run.countPending();
    this.#passes.fetched(fetched);
  }

  #failed(error: unknown): void {
    if (this.#stop === 'error') return;
    this.#stop = 'error';
    this.#error = error;
    this.#changed();
  }

  /** One at a time: what becomes ready meanwhile is joined in the next version. */
  #commitReady(): void {
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    const committing = this.#run.committing.then(() => this.#commitAll());
    committing.catch((error: unknown) => this.#failed(error));
    this.#run.continueCommitting(committing);
  }

  async #commitAll(): Promise<void> {
    try {
      while (this.#ready.length > 0) {
        const base = this.#ready[0]!.base_version;
        // With another base, it would be unknown what its plan has seen.
        const joined = this.#ready.filter(({ base_version }) => base_version === base).slice(0, JOINED_MAX);
        for (const one of joined) this.#ready.splice(this.#ready.indexOf(one), 1);
        await this.#commit(joined);
        this.#changed();
      }
    } finally {
      // In the same step as the last look: a batch that becomes ready afterwards starts the committer again.
      this.#isCommitting = false;
    }
  }

  async #commit(joined: readonly Ready[]): Promise<void> {
    const batches = joined.flatMap(({ fetched: { batch_id, segments } }) =>
      segments.length > 0 ? [{ batch_id, segments }] : [],
    );
    if (batches.length === 0) return;
    const { activities } = this.#run.state;
    const { base_version } = joined[0]!;
    const of = { run: this.#run.reference(), base_version, ...this.#run.clearing() };
    try {
      this.#run.committed(await activities.commitBatches({ ...of, batches }));
    } catch (error) {
      for (const { pending } of joined) pending.is_refused = true;
      if (!isOutdated(error)) throw error;
      log.warn('the run has lost its turn', { batches: batches.length, error: String(error) });
      this.#run.state.isTurnLost = true;
      return;
    }
    this.#run.progress.filings_committed += joined.reduce((sum, { fetched }) => sum + fetched.filings, 0);
    this.#run.state.remember();
  }
}
