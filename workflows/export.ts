/**
 * One export run: reads filing_lookup window by window, works out what the lake lacks, fetches it in time-boxed batches and
 * commits each batch. Rows never pass through here, and what does stays small through continue-as-new.
 */

import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  ContinueAsNew,
  condition,
  continueAsNew,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  BatchFetched,
  Committed,
  ExportActivities,
  FailureDetails,
  Outcome,
  RunFinished,
  RunReference,
  Stop,
  WindowRead,
} from '../activities/index.ts';
import {
  addCommit,
  addOutcome,
  type BudgetLimits,
  type ExportDefinition,
  type ExportProgress,
  type ExportState,
  type ExportWindow,
  firstWindows,
  newProgress,
  type StoppedBy,
} from '../src/export/index.ts';
import { pauseUpdate, progressQuery, quotaResetSignal, raiseBudgetUpdate, resumeUpdate } from './messages.ts';

export interface ExportRunInput {
  /** Absent where a schedule starts the run: each firing has the same input, and the run names itself. */
  run_id?: string;
  definition: ExportDefinition;
  /** Absolute folder of the lake. */
  lake: string;
  /** ISO time at which the run was asked for: its day ends open ranges of dates. Absent as `run_id`. */
  started_at?: string;
  /** What the run was when its history had grown long; absent at its start. */
  carried?: CarriedRun;
}

interface CarriedRun {
  pending: ExportWindow[];
  /** Of the first pending window, where it was read already: what of it is owed is planned anew. */
  current: ReadWindow | null;
  progress: ExportProgress;
}

interface ReadWindow {
  read: WindowRead;
  /** Number of the next plan. */
  plan: number;
}

export interface ExportRunResult {
  progress: ExportProgress;
  finished: RunFinished;
}

const activities = proxyActivities<ExportActivities>({
  startToCloseTimeout: '30 minutes',
  // Every activity beats, if only to say that it lives: a worker that died is missed after this long; its successor goes on from the sealed segments.
  heartbeatTimeout: '6 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
});

/** Types of failure that mean that the service is away or unwell, after all that the client tried. */
const UNREACHABLE = new Set(['service-unreachable', 'service-failed', 'rate-limited']);
/** An unreachable service is tried again after these waits, unless `resume` comes first. */
const UNREACHABLE_WAITS_MS = [60_000, 300_000, 900_000, 3_600_000];

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
  readonly #pending: ExportWindow[];
  readonly #progress: ExportProgress;
  #current: ReadWindow | null;
  #definition: ExportDefinition;
  #pauseAsked = false;
  #goOn = false;
  #unreachableTimes = 0;

  constructor(given: ExportRunInput) {
    const input = namedRun(given);
    this.#input = input;
    this.#definition = input.definition;
    this.#pending = input.carried?.pending ?? firstWindows(input.definition, dayOf(input.started_at));
    this.#current = input.carried?.current ?? null;
    this.#progress = input.carried?.progress ?? newProgress(input.started_at);
    setHandler(progressQuery, () => this.#progress);
    setHandler(pauseUpdate, () => {
      this.#pauseAsked = true;
    });
    setHandler(resumeUpdate, () => this.#resume());
    setHandler(quotaResetSignal, () => {
      this.#goOn = true;
    });
    setHandler(raiseBudgetUpdate, (limits) => this.#raiseBudget(limits));
  }

  async toEnd(): Promise<ExportRunResult> {
    this.#say('running');
    if (!this.#input.carried) await activities.openRun(this.#run());
    while (this.#pending.length > 0) {
      const parts = await this.#exportWindow(this.#pending[0]!);
      this.#pending.splice(0, 1, ...parts);
      this.#current = null;
      if (this.#pending.length > 0 && workflowInfo().continueAsNewSuggested) await this.#handOn();
    }
    const { requests, bytes } = this.#progress;
    const { started_at } = this.#input;
    const finished = await activities.finishRun({ run: this.#run(), state: 'completed', started_at, requests, bytes });
    await this.end('completed', null);
    return { progress: this.#progress, finished };
  }

  /** The run is over: it says so, and gives back what it held of the budget. */
  async end(state: ExportState, error: unknown): Promise<void> {
    this.#say(state, null, error === null || isCancellation(error) ? null : rootMessage(error));
    if (error === null) return;
    try {
      await activities.leaveRun(this.#run());
    } catch (leaving) {
      // The run fails with what it failed of, not with what its end met.
      log.warn('the run could not be left in order', { error: String(leaving) });
    }
  }

  /** Exports one window; or gives the windows that it must be cut into. */
  async #exportWindow(window: ExportWindow): Promise<ExportWindow[]> {
    this.#current ??= { read: await this.#readWindow(window), plan: 1 };
    const { read } = this.#current;
    if (read.split) return read.split;
    for (;;) {
      const stop = await this.#fetchWindow(window, read, this.#current.plan);
      if (stop === null) return [];
      // What was stopped in the middle is planned anew from the lake's coverage: nothing that is had is asked twice.
      this.#current.plan++;
      if (stop === 'history') await this.#handOn();
      else await this.#standStill(stop);
    }
  }

  async #readWindow(window: ExportWindow): Promise<WindowRead> {
    const read = await this.#ask(() => activities.readWindow({ run: this.#run(), window }));
    if (read.split) return read;
    const progress = this.#progress;
    progress.windows_read++;
    if (!read.proven) progress.windows_unproven++;
    progress.filings_promised += read.promised;
    progress.filings_found += read.found;
    return read;
  }

  /** Plans a window and fetches what it owes; gives why that ended early (`history`: it has grown long), or null. */
  async #fetchWindow(window: ExportWindow, read: WindowRead, plan: number): Promise<Stop | 'history' | null> {
    const progress = this.#progress;
    const planned = await activities.planWindow({ run: this.#run(), window, read, plan });
    this.#committed(planned.committed);
    if (plan === 1) {
      progress.filings_known += planned.known;
      progress.failures += planned.failures;
    }
    progress.requests_owed = planned.requests_owed;
    if (this.#definition.tables.includes('entities')) {
      const { pages } = read;
      const entities = await this.#once(() =>
        activities.fetchEntities({ run: this.#run(), window: window.id, plan, pages }),
      );
      this.#committed(entities.committed);
      progress.failures += entities.missing;
      if (entities.stop) return entities.stop;
    }
    return this.#fetchOwed(window, plan, planned.owed, planned.base_version);
  }

  /** Fetches a work list batch by batch; while one is fetched, the one before it is committed. */
  async #fetchOwed(
    window: ExportWindow,
    plan: number,
    owed: number,
    base_version: number,
  ): Promise<Stop | 'history' | null> {
    let committing: Promise<unknown> = Promise.resolve();
    let stop: Stop | 'history' | null = null;
    for (let from = 0, batch = 1; from < owed && stop === null; batch++) {
      if (this.#pauseAsked) {
        await committing;
        await this.#whilePaused();
      }
      const batch_id = `batch-${window.id}-${plan}-${batch}`;
      let fetched: BatchFetched;
      try {
        fetched = await this.#once(() =>
          activities.fetchBatch({ run: this.#run(), window: window.id, plan, batch_id, from }),
        );
      } catch (error) {
        if (!isCancellation(error)) await this.#salvage(committing, batch_id, base_version);
        throw error;
      }
      this.#progress.filings_fetched += fetched.filings;
      this.#progress.failures += fetched.failures;
      this.#progress.requests_owed = Math.max(0, this.#progress.requests_owed - fetched.steps);
      await committing;
      committing = this.#commit(fetched, base_version);
      // Whoever awaits it later gets the error; until then it is nobody's.
      committing.catch(() => {});
      from = fetched.next;
      stop = fetched.stop;
      if (stop === null && from < owed && workflowInfo().continueAsNewSuggested) stop = 'history';
    }
    await committing;
    return stop;
  }

  /** Before a run fails: what its last batch has sealed was paid for, and is committed if the lake still takes it. */
  async #salvage(committing: Promise<unknown>, batch_id: string, base_version: number): Promise<void> {
    try {
      await committing;
      const commit = await activities.commitBatch({ run: this.#run(), batch_id, base_version, segments: null });
      this.#committed(commit);
    } catch (error) {
      log.warn('what the last batch had sealed could not be committed', { error: String(error) });
    }
  }

  async #commit({ batch_id, segments, filings }: BatchFetched, base_version: number): Promise<void> {
    if (segments.length === 0) return;
    this.#committed(await activities.commitBatch({ run: this.#run(), batch_id, base_version, segments }));
    this.#progress.filings_committed += filings;
    upsertMemo({ progress: this.#progress });
  }

  #committed(committed: Committed | null): void {
    if (committed) addCommit(this.#progress, committed, new Date().toISOString());
  }

  /** Asks until the answer is whole: stands still where the quota or the budget ends. */
  async #ask<Result extends Outcome>(activity: () => Promise<Result>): Promise<Result> {
    for (;;) {
      const result = await this.#once(activity);
      if (result.stop === null) return result;
      await this.#standStill(result.stop);
    }
  }

  /** Runs an activity that sends requests; while the service can't be reached, waits and tries again. */
  async #once<Result extends Outcome>(activity: () => Promise<Result>): Promise<Result> {
    for (;;) {
      if (this.#pauseAsked) await this.#whilePaused();
      const startedAt = Date.now();
      try {
        const result = await activity();
        this.#unreachableTimes = 0;
        addOutcome(this.#progress, result, Date.now() - startedAt);
        return result;
      } catch (error) {
        const failure = applicationFailure(error);
        const spent = (failure?.details?.[0] as Partial<FailureDetails> | undefined)?.spent;
        if (spent) addOutcome(this.#progress, { spent, quota: null }, Date.now() - startedAt);
        if (!failure || !UNREACHABLE.has(failure.type ?? '')) throw error;
        await this.#whileUnreachable(failure.message);
      }
    }
  }

  async #standStill(stop: Stop): Promise<void> {
    this.#goOn = false;
    if (stop.kind === 'budget') {
      await this.#while('paused', 'budget', stop.message, null);
      return;
    }
    const { retry_at, limit, message } = stop;
    await activities.blockBudget({ run: this.#run(), until: retry_at, limit });
    await this.#while('waiting_for_quota', 'quota', message, retry_at);
  }

  async #whilePaused(): Promise<void> {
    this.#goOn = false;
    await this.#while('paused', 'pause', 'paused by request', null);
  }

  async #whileUnreachable(message: string): Promise<void> {
    const waitMs = UNREACHABLE_WAITS_MS[Math.min(this.#unreachableTimes++, UNREACHABLE_WAITS_MS.length - 1)]!;
    this.#goOn = false;
    await this.#while('paused', 'unreachable', message, new Date(Date.now() + waitMs).toISOString(), waitMs);
  }

  /** Stands still, visibly, until someone or something says to go on, or the wait is over. */
  async #while(
    state: ExportState,
    by: StoppedBy,
    message: string,
    until: string | null,
    waitMs?: number,
  ): Promise<void> {
    this.#say(state, by, message, until);
    if (waitMs === undefined) await condition(() => this.#goOn);
    else await condition(() => this.#goOn, waitMs);
    this.#say('running');
  }

  async #resume(): Promise<void> {
    this.#pauseAsked = false;
    // Somebody who says so knows of a larger plan, or of a month that turned elsewhere.
    if (this.#progress.stopped_by === 'quota') await activities.unblockBudget(this.#run());
    this.#goOn = true;
  }

  #raiseBudget(limits: BudgetLimits): void {
    this.#definition = { ...this.#definition, budget: limits };
    if (this.#progress.stopped_by === 'budget') this.#goOn = true;
  }

  #say(
    state: ExportState,
    by: StoppedBy | null = null,
    message: string | null = null,
    until: string | null = null,
  ): void {
    Object.assign(this.#progress, {
      state,
      stopped_by: by,
      message,
      waiting_until: until,
    } satisfies Partial<ExportProgress>);
    upsertMemo({ progress: this.#progress });
    upsertSearchAttributes({ ExportState: [state] });
  }

  /** A long history slows every step: the rest of the run goes on in a new one. */
  async #handOn(): Promise<never> {
    await condition(allHandlersFinished);
    const carried: CarriedRun = { pending: this.#pending, current: this.#current, progress: this.#progress };
    return continueAsNew<typeof exportWorkflow>({ ...this.#input, definition: this.#definition, carried });
  }

  #run(): RunReference {
    const { run_id, lake } = this.#input;
    return { run_id, lake, workflow_id: workflowInfo().workflowId, definition: this.#definition };
  }
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

/** The failure that an activity ended with, or null where it was something else. */
function applicationFailure(error: unknown): ApplicationFailure | null {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : null;
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
