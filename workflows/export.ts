/**
 * One export run. First every window of the selection is read and its new filings are committed: a request brings 10,000 of them.
 * Then what the filings owe is fetched pass by pass, the cheap ones first, in time-boxed batches, each committed while the next is
 * fetched. Rows never go through here, and what does stays small through continue-as-new.
 */
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  ContinueAsNew,
  condition,
  continueAsNew,
  isCancellation,
  log,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  BatchFetched,
  Clearing,
  Committed,
  RunFinished,
  Stop,
  Unneeded,
  WindowRead,
  WindowToPlan,
} from '../activities/index.ts';
import {
  addCommit,
  type ExportDefinition,
  type ExportProgress,
  type ExportWindow,
  failuresWindow,
  firstWindows,
  newProgress,
  PASSES,
  type Pass,
  type PassCounts,
  unreadAfter,
  type WindowOf,
} from '../src/export/index.ts';
import { activities, applicationFailure, RunState } from './run-state.ts';

export interface ExportRunInput {
  /** Absent where a schedule starts the run: each firing has the same input, and the run names itself. */
  run_id?: string;
  definition: ExportDefinition;
  /** What the export failed at before is tried again, and nothing else asked. */
  only?: 'failures';
  /** Absolute folder of the lake. */
  lake: string;
  /** ISO time at which the run was asked for: its day ends open ranges of dates. Absent as `run_id`. */
  started_at?: string;
  /** What the run was when its history had grown long; absent at its start. */
  carried?: CarriedRun;
}

interface CarriedRun {
  work: Work;
  progress: ExportProgress;
  /** Somebody asked for a pause that has not begun. */
  pause_asked: boolean;
}

/** What is left to do: JSON, handed on to the next history. */
interface Work {
  /** Windows that were not read yet. */
  unread: ExportWindow[];
  /** Windows that were read, and owe something. */
  owing: OwingWindow[];
  /** What is fetched now: a pass over the owing windows, and which of them is next. */
  pass: number;
  next: number;
  /** What was put off since its operation failed for everything. */
  put_off: Task[];
  /** How often what was put off has failed for everything again. */
  tries: number;
  /** Why and when, in milliseconds, the latest was put off. */
  failing: { message: string; at: number } | null;
  /** Windows whose filers are known only once their filings were fetched. */
  filers: ReadWindow[];
  /** What is staged and not needed any more: the next activity that commits clears it away. */
  unneeded: Unneeded[];
  /** How often windows were planned again since another run had brought some of theirs first. */
  contests: number;
}

/** A window that was read. */
interface ReadWindow {
  id: string;
  /** What it is of; absent: filings */
  of?: WindowOf;
  /** Staged pages of lookup records. */
  pages: number;
}

interface OwingWindow extends ReadWindow {
  /** Number of its latest plan. */
  plan: number;
  /** Version of the lake that the plan was made from. */
  base_version: number;
  /** A new plan must be made: the lake has moved on, or some of its batches were committed and others not. */
  is_stale: boolean;
  /** As of that plan, less what was fetched since. */
  owed: PassCounts;
  /** Another run has brought some of it first: whether with all that is asked here, a new plan tells. */
  is_contested: boolean;
  /** Filings that another run brought in another revision. */
  left: number;
}

/** One window's share of a pass. */
interface Task {
  pass: Pass;
  /** Among the owing ones. */
  window: number;
}

/** Why a task ended before all was fetched; `history`: it has grown long. */
type TaskStop = Stop | 'history';

/**
 * A plan of a lake that has moved on by so many versions since is made anew: each commit of its batches looks through all of them,
 * and another run may have brought what the plan owes.
 */
const PLAN_AGE_MAX = 64;
/** Windows that a reading is told of at a time: their number goes into the history each time. */
const UNREAD_AT_A_TIME = 50;
/** An operation that fails for everything is left alone for so long. */
const PUT_OFF_MS = 60_000;
/** So often windows are planned again which another run brings at the same time: beyond, the next run has the rest. */
const CONTESTS_MAX = 5;
/** An operation that refuses every record, though the service is well, is asked for all of them after so many tries: each is recorded. */
const TRIES_MAX = 2;

export interface ExportRunResult {
  progress: ExportProgress;
  finished: RunFinished;
}

export async function exportWorkflow(input: ExportRunInput): Promise<ExportRunResult> {
  const run = new ExportRun(input);
  try {
    return await run.toEnd();
  } catch (error) {
    // Not an end: the rest of the run goes on in a new history, with all that is staged.
    if (error instanceof ContinueAsNew) throw error;
    await CancellationScope.nonCancellable(() => run.end(isCancellation(error) ? 'cancelled' : 'failed', error));
    throw asRunFailure(error);
  }
}

/** The input of a run that knows its name. */
type NamedRunInput = ExportRunInput & { run_id: string; started_at: string };

class ExportRun {
  readonly #input: NamedRunInput;
  readonly #state: RunState;
  readonly #progress: ExportProgress;
  readonly #work: Work;
  /** The commit that goes on while the next windows are read or the next batch is fetched, be it of another window or pass. */
  #committing: Promise<unknown> = Promise.resolve();

  constructor(given: ExportRunInput) {
    const input = namedRun(given);
    const { run_id, lake, definition, only, started_at, carried } = input;
    this.#input = input;
    this.#progress = carried?.progress ?? newProgress(started_at);
    const identity = { run_id, started_at, lake, definition, workflow_id: workflowInfo().workflowId };
    this.#state = new RunState(identity, this.#progress, carried?.pause_asked ?? false);
    this.#work = carried?.work ?? {
      unread: only ? [failuresWindow(dayOf(started_at))] : firstWindows(definition, dayOf(started_at)),
      owing: [],
      pass: 0,
      next: 0,
      put_off: [],
      tries: 0,
      filers: [],
      unneeded: [],
      contests: 0,
      failing: null,
    };
  }

  async toEnd(): Promise<ExportRunResult> {
    this.#state.say('running');
    if (!this.#input.carried) await activities.openRun(this.#run());
    await this.#readWindows();
    do {
      await this.#fetchPasses();
      await this.#fetchPutOff();
      await this.#committing;
    } while (await this.#planContested());
    for (const { filers } = this.#work; filers.length > 0; filers.shift()) await this.#fetchFilers(filers[0]!);
    const { requests, bytes } = this.#progress;
    const { started_at } = this.#input;
    const finished = await activities.finishRun({ run: this.#run(), state: 'completed', started_at, requests, bytes });
    await this.end('completed', null);
    return { progress: this.#progress, finished };
  }

  /** The run is over: it says so, and gives back what it held of the budget. */
  async end(state: 'completed' | 'failed' | 'cancelled', error: unknown): Promise<void> {
    // What is being committed still needs its staging, and counts.
    await this.#committing.catch(() => {});
    this.#state.say(state, null, error === null || isCancellation(error) ? null : rootMessage(error));
    if (error === null) return;
    try {
      await activities.leaveRun(this.#run());
    } catch (leaving) {
      // The run fails with what it failed of, not with what its end met.
      log.warn('the run could not be left in order', { error: String(leaving) });
    }
  }

  /** Reads every window, commits what is new of the lookup, and learns what the filings owe: of some windows while the next ones are read. */
  async #readWindows(): Promise<void> {
    const { unread, filers } = this.#work;
    while (unread.length > 0) {
      this.#progress.windows_left = unread.length;
      const some = unread.slice(0, UNREAD_AT_A_TIME);
      const { reads, stop } = await this.#state.once(() => activities.readWindows({ run: this.#run(), unread: some }));
      const toPlan = this.#takeReads(reads);
      await this.#committing;
      if (toPlan.length > 0) this.#committing = this.#planRead(toPlan);
      // Whoever awaits it later gets the error; until then it is nobody's.
      this.#committing.catch(() => {});
      this.#progress.windows_left = unread.length;
      if (stop) {
        await this.#committing;
        await this.#state.standStill(stop);
      }
      if (toPlan.some(({ of }) => this.#wantsFilers(of))) {
        // They are looked for among those that the lake has.
        await this.#committing;
        for (const { of, window: id, pages } of toPlan) {
          const done: ReadWindow = { id, pages, ...(of ? { of } : {}) };
          if (of === undefined) {
            await this.#fetchFilers(done);
            if (!this.#work.owing.some((owing) => owing.id === id)) this.#dropWindow(done, 1);
          } else if (of !== 'entities') filers.push(done);
        }
      }
      if (workflowInfo().continueAsNewSuggested) await this.#handOn();
    }
    await this.#committing;
  }

  /** Takes what was read off what is left to read; gives the windows that were read whole. */
  #takeReads(reads: readonly WindowRead[]): WindowToPlan[] {
    const { unread } = this.#work;
    const toPlan: WindowToPlan[] = [];
    for (const read of reads) {
      const window = unread[0]!;
      unread.splice(0, unread.length, ...unreadAfter(unread, read));
      const { id, of } = window;
      const { pages, promised, found, proven } = read;
      if (read.split) {
        this.#dropWindow({ id, pages }, 0);
        continue;
      }
      this.#countRead(of, read);
      const record = of === 'failures' ? null : { window, read: { promised, found, proven } };
      toPlan.push({ window: id, pages, plan: 1, record, ...(of ? { of } : {}) });
    }
    return toPlan;
  }

  async #planRead(windows: WindowToPlan[]): Promise<void> {
    const batch_id = `plan-${windows[0]!.window}-1`;
    const planned = await activities.planWindows({ run: this.#run(), batch_id, windows, ...this.#clearing() });
    this.#committed(planned.committed);
    // Which of them another run was at isn't known: all are planned again.
    const is_contested = isContested(planned.committed);
    windows.forEach(({ window: id, of, pages }, i) => {
      const { filings = 0, known, failures, base_version, owed } = planned.windows[i]!;
      this.#progress.filings_promised += filings;
      this.#progress.filings_found += filings;
      if (of !== 'entities') this.#progress.filings_known += known;
      this.#progress.failures += failures;
      const done: ReadWindow = { id, pages, ...(of ? { of } : {}) };
      if (!owesAnything(owed) && !is_contested) {
        if (of === 'entities' || !this.#wantsFilers(of)) this.#dropWindow(done, 1);
        return;
      }
      this.#work.owing.push({ ...done, plan: 1, base_version, is_stale: false, owed, is_contested, left: 0 });
    });
    this.#countOwed();
    this.#state.remember();
  }

  #countRead(of: WindowOf | undefined, { promised, found, proven }: WindowRead): void {
    if (of === 'failures') return;
    const progress = this.#progress;
    progress.windows_read++;
    if (!proven) progress.windows_unproven++;
    if (of === 'entities') progress.entities_found += found;
    else if (of === undefined) {
      progress.filings_promised += promised;
      progress.filings_found += found;
    }
  }

  /** Whether entities are asked by their CIKs behind a window: those of its filings, or those that failed before. */
  #wantsFilers(of?: WindowOf): boolean {
    const { tables, select } = this.#state.definition;
    return tables.includes('entities') && (select.entities !== 'query' || of === 'failures');
  }

  async #fetchFilers(window: ReadWindow): Promise<void> {
    for (let plan = 1; ; plan++) {
      const entities = await this.#state.once(() =>
        activities.fetchEntities({ run: this.#run(), ...windowOf(window), plan, ...this.#clearing() }),
      );
      this.#work.unneeded.push({ batch: entities.batch_id });
      this.#committed(entities.committed);
      this.#progress.failures += entities.missing;
      if (entities.stop === null) return;
      await this.#state.standStill(entities.stop);
    }
  }

  /** Pass by pass, window by window. What can't be had since its operation fails for everything is put off: others may do. */
  async #fetchPasses(): Promise<void> {
    const work = this.#work;
    for (; work.pass < PASSES.length; work.pass++, work.next = 0) {
      const pass = PASSES[work.pass]!;
      for (; work.next < work.owing.length; work.next++) {
        const task: Task = { pass, window: work.next };
        try {
          await this.#fetchTask(task);
        } catch (error) {
          const message = failingOperation(error);
          if (message === null) throw error;
          work.failing = { message, at: Date.now() };
          // The rest of the pass asks the same operation.
          for (; work.next < work.owing.length; work.next++) work.put_off.push({ pass, window: work.next });
        }
        if (workflowInfo().continueAsNewSuggested) {
          work.next++;
          await this.#handOn();
        }
      }
    }
  }

  /** What was put off is tried again, after a wait, until it is had. */
  async #fetchPutOff(): Promise<void> {
    const work = this.#work;
    const { put_off } = work;
    while (put_off.length > 0) {
      if (workflowInfo().continueAsNewSuggested) await this.#handOn();
      // Where the other passes took a while, the wait is over.
      if (work.failing && Date.now() - work.failing.at < PUT_OFF_MS)
        await this.#state.whileUnwell(work.failing.message);
      work.failing = null;
      try {
        await this.#fetchTask(put_off[0]!);
        put_off.shift();
      } catch (error) {
        const message = failingOperation(error);
        if (message === null) throw error;
        work.failing = { message, at: Date.now() };
        work.tries++;
        // Another pass's operation may be well again.
        put_off.push(
          ...put_off.splice(
            0,
            put_off.findIndex(({ pass }) => pass !== put_off[0]!.pass),
          ),
        );
      }
    }
  }

  /** Fetches a window's share of a pass, over all stops. */
  async #fetchTask({ pass, window }: Task): Promise<void> {
    const owing = this.#work.owing[window]!;
    if (this.#versionsSince(owing.base_version) > PLAN_AGE_MAX) owing.is_stale = true;
    while (owing.owed[pass].filings > 0) {
      if (owing.is_stale) {
        await this.#planAgain(owing, pass);
        continue;
      }
      // Until its end is known: what was stopped in the middle is planned anew from the lake's coverage, so that nothing that is had is asked twice.
      owing.is_stale = true;
      const stop = await this.#fetchBatches(owing, pass);
      if (stop === null) {
        owing.is_stale = false;
        owing.owed[pass] = { filings: 0, requests: 0 };
        this.#countOwed();
        // Its last commit goes on, and tells whether another run has brought some of it.
        this.#committing = this.#committing.then(() => this.#dropIfDone(owing));
        this.#committing.catch(() => {});
        continue;
      }
      await this.#committing;
      if (stop === 'history') await this.#handOn();
      else await this.#state.standStill(stop);
    }
  }

  /**
   * What another run brought first is left out of a commit, and may be less than what is asked here, or of another revision: the windows of
   * such commits are planned again from what coverage has by now.
   * @returns whether there is more to fetch
   */
  async #planContested(): Promise<boolean> {
    const work = this.#work;
    const { owing } = work;
    for (const window of owing) {
      if (!window.is_contested) continue;
      window.is_contested = false;
      await this.#planAgain(window, PASSES[0]);
      if (workflowInfo().continueAsNewSuggested) await this.#handOn();
    }
    const isMore = owing.some(({ owed, is_contested }) => owesAnything(owed) || is_contested);
    const goesOn = isMore && work.contests < CONTESTS_MAX;
    if (goesOn) Object.assign(work, { pass: 0, next: 0, contests: work.contests + 1 });
    const leftOf = ({ left, owed }: OwingWindow) => left + (goesOn ? 0 : filingsOwing(owed));
    this.#progress.filings_left = owing.reduce((sum, window) => sum + leftOf(window), 0);
    return goesOn;
  }

  #versionsSince(version: number): number {
    return (this.#progress.last_commit?.version ?? version) - version;
  }

  async #planAgain(owing: OwingWindow, pass: Pass): Promise<void> {
    const plan = owing.plan + 1;
    // What it brings is not to be owed again.
    await this.#committing;
    const again = { ...windowOf(owing), plan, record: null };
    const batch_id = `plan-${owing.id}-${plan}`;
    const request = { run: this.#run(), batch_id, windows: [again], ...this.#clearing() };
    const { windows, committed } = await activities.planWindows(request);
    this.#committed(committed);
    this.#dropWindow({ id: owing.id, pages: 0 }, owing.plan);
    const [planned] = windows;
    owing.plan = plan;
    owing.base_version = planned!.base_version;
    owing.is_stale = false;
    owing.is_contested ||= isContested(committed);
    owing.left = planned!.left ?? 0;
    // What failed in an earlier pass is owed to the next run, not to this one.
    for (const each of PASSES.slice(PASSES.indexOf(pass))) owing.owed[each] = planned!.owed[each];
    this.#countOwed();
  }

  /** Fetches batch by batch; while one is fetched, the one before it is committed. The last commit goes on. */
  async #fetchBatches(owing: OwingWindow, pass: Pass): Promise<TaskStop | null> {
    const { id: window, plan, base_version } = owing;
    const insistent = this.#work.tries >= TRIES_MAX;
    let stop: TaskStop | null = null;
    for (let from: number | null = 0, batch = 1; from !== null && stop === null; batch++) {
      const batch_id = `batch-${window}-${plan}-${pass}-${batch}`;
      const first: number = from;
      let fetched: BatchFetched;
      try {
        fetched = await this.#state.once(() =>
          activities.fetchBatch({ run: this.#run(), window, plan, pass, batch_id, from: first, insistent }),
        );
      } catch (error) {
        if (!isCancellation(error)) await this.#salvage(owing, batch_id);
        throw error;
      }
      this.#progress.filings_fetched += fetched.filings;
      this.#progress.failures += fetched.failures;
      this.#progress.steps[pass].done += fetched.steps;
      owing.owed[pass].requests = Math.max(0, owing.owed[pass].requests - fetched.steps);
      this.#countOwed();
      await this.#committing;
      this.#committing = this.#commit(owing, fetched, base_version);
      // Whoever awaits it later gets the error; until then it is nobody's.
      this.#committing.catch(() => {});
      from = fetched.next;
      stop = fetched.stop;
      if (stop === null && from !== null && workflowInfo().continueAsNewSuggested) stop = 'history';
    }
    return stop;
  }

  /** Before a task fails: what its last batch has sealed was paid for, and is committed if the lake still takes it. */
  async #salvage(owing: OwingWindow, batch_id: string): Promise<void> {
    const { base_version } = owing;
    try {
      await this.#committing;
      const request = { run: this.#run(), batch_id, base_version, segments: null };
      const committed = await activities.commitBatch(request);
      this.#committed(committed);
      owing.is_contested ||= isContested(committed);
    } catch (error) {
      log.warn('what the last batch had sealed could not be committed', { error: String(error) });
    }
  }

  async #commit(
    owing: OwingWindow,
    { batch_id, segments, filings }: BatchFetched,
    base_version: number,
  ): Promise<void> {
    if (segments.length === 0) return;
    const request = { run: this.#run(), batch_id, base_version, segments, ...this.#clearing() };
    const committed = await activities.commitBatch(request);
    this.#committed(committed);
    owing.is_contested ||= isContested(committed);
    this.#progress.filings_committed += filings;
    this.#state.remember();
  }

  #dropIfDone(owing: OwingWindow): void {
    if (owing.is_stale || owing.is_contested || owesAnything(owing.owed)) return;
    const isLookedThrough = this.#work.filers.some(({ id }) => id === owing.id);
    this.#dropWindow(isLookedThrough ? { ...owing, pages: 0 } : owing, owing.plan);
  }

  #dropWindow({ id: window, pages }: ReadWindow, plan: number): void {
    this.#work.unneeded.push({ window, pages, plan });
  }

  /** An activity that has ended is not tried again: what it alone needed goes with the next that commits. */
  #clearing(): Clearing {
    const unneeded = this.#work.unneeded.splice(0);
    return unneeded.length > 0 ? { unneeded } : {};
  }

  #committed(committed: Committed | null): void {
    if (committed) addCommit(this.#progress, committed, new Date().toISOString());
  }

  #countOwed(): void {
    const { steps } = this.#progress;
    for (const pass of PASSES) {
      steps[pass].owed = this.#work.owing.reduce((sum, { owed }) => sum + owed[pass].requests, 0);
    }
    this.#progress.requests_owed = PASSES.reduce((sum, pass) => sum + steps[pass].owed, 0);
  }

  /** A long history slows every step: the rest of the run goes on in a new one. */
  async #handOn(): Promise<never> {
    await this.#committing;
    await condition(allHandlersFinished);
    const { definition, pauseAsked: pause_asked } = this.#state;
    const carried: CarriedRun = { work: this.#work, progress: this.#progress, pause_asked };
    return continueAsNew<typeof exportWorkflow>({ ...this.#input, definition, carried });
  }

  #run() {
    return this.#state.reference();
  }
}

function windowOf({ id: window, pages, of }: ReadWindow): { window: string; pages: number; of?: WindowOf } {
  return { window, pages, ...(of ? { of } : {}) };
}

function owesAnything(owed: PassCounts): boolean {
  return filingsOwing(owed) > 0;
}

/** At least: a filing may take part in several passes. */
function filingsOwing(owed: PassCounts): number {
  return Math.max(...PASSES.map((pass) => owed[pass].filings));
}

/** Whether another run had brought first what coverage was to say. */
function isContested(committed: Committed | null): boolean {
  return (committed?.tables.coverage?.rows_taken ?? 0) > 0;
}

/** Gives a scheduled run what the schedule couldn't know: a name of its own, and the time at which it began. */
function namedRun(input: ExportRunInput): NamedRunInput {
  const { runId, startTime } = workflowInfo();
  const started_at = input.started_at ?? startTime.toISOString();
  const run_id = input.run_id ?? `${started_at.replace(/[-:]|\.\d+/g, '')}-${runId.replaceAll('-', '').slice(-12)}`;
  return { ...input, run_id, started_at };
}

const SCHEDULED_FOR = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** The day for which the run is: a scheduled or backfilled one may begin later than it was to. */
function dayOf(startedAt: string): string {
  const scheduledFor = workflowInfo().typedSearchAttributes.get(SCHEDULED_FOR);
  return (scheduledFor?.toISOString() ?? startedAt).slice(0, 10);
}

/** What it says where one operation of the service fails for everything; null where the error is another. */
function failingOperation(error: unknown): string | null {
  const failure = applicationFailure(error);
  return failure?.type === 'operation-failing' ? failure.message : null;
}

function rootMessage(error: unknown): string {
  return applicationFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}

/** What a run fails with is what its activity failed with: type, message and remedy. */
function asRunFailure(error: unknown): unknown {
  const failure = applicationFailure(error);
  if (!failure) return error;
  const { type, message, details } = failure;
  return ApplicationFailure.create({
    message,
    nonRetryable: true,
    ...(type ? { type } : {}),
    ...(details ? { details } : {}),
  });
}
