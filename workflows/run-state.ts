/** What a run says of itself, what others may tell it, and how it stands still: visibly, until somebody or something lets it go on. */
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { condition, proxyActivities, setHandler, upsertMemo, upsertSearchAttributes } from '@temporalio/workflow';
import type { ExportActivities, FailureDetails, Outcome, RunReference, Stop } from '../activities/index.ts';
import {
  addOutcome,
  type BudgetLimits,
  type ExportDefinition,
  type ExportProgress,
  type ExportState,
  type StoppedBy,
} from '../src/export/index.ts';
import { pauseUpdate, progressQuery, quotaResetSignal, raiseBudgetUpdate, resumeUpdate } from './messages.ts';

export const activities = proxyActivities<ExportActivities>({
  startToCloseTimeout: '30 minutes',
  // Every activity beats, if only to say that it lives: a worker that died is missed after this long; its successor goes on from the sealed segments.
  heartbeatTimeout: '6 seconds',
  // What a cancelled activity still writes must be over before the run's staging is dropped.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
});

/** Types of failure that mean that the service is away or unwell, after all that the client tried. */
const UNREACHABLE = new Set(['service-unreachable', 'service-failed', 'rate-limited']);
/** Behind the reset of a quota: the budget should have told by then. */
const UNTOLD_MS = 60_000;
/** An unreachable service is tried again after these waits, unless `resume` comes first. */
const UNREACHABLE_WAITS_MS = [60_000, 300_000, 900_000, 3_600_000];

/** What a run is of: all that its activities are told of it. */
export interface RunIdentity {
  run_id: string;
  workflow_id: string;
  started_at: string;
  lake: string;
  /** As `openRun` found it. */
  lake_id?: string;
  definition: ExportDefinition;
}

export class RunState {
  readonly progress: ExportProgress;
  #identity: RunIdentity;
  #pauseAsked: boolean;
  /** The budget was changed since the last activity was told of it. */
  #budgetChanged = false;
  #goOn = false;
  #unreachableTimes = 0;
  /** What goes on meanwhile, and must have ended before the run stands still: its error would be heard only hours later. */
  #meanwhile: () => Promise<unknown> = async () => {};

  /** @param pauseAsked that somebody had asked for a pause in the history before */
  constructor(identity: RunIdentity, progress: ExportProgress, pauseAsked: boolean) {
    this.#identity = identity;
    this.#pauseAsked = pauseAsked;
    this.progress = progress;
    setHandler(progressQuery, () => this.progress);
    setHandler(pauseUpdate, () => {
      this.#pauseAsked = true;
    });
    setHandler(resumeUpdate, () => this.#resume());
    setHandler(quotaResetSignal, () => {
      this.#goOn = true;
    });
    setHandler(raiseBudgetUpdate, (limits) => this.#raiseBudget(limits));
  }

  /** @param meanwhile what goes on beside the activity that is awaited */
  beforeStandingStill(meanwhile: () => Promise<unknown>): void {
    this.#meanwhile = meanwhile;
  }

  /** With the budget as it was raised last. */
  get definition(): ExportDefinition {
    return this.#identity.definition;
  }

  get pauseAsked(): boolean {
    return this.#pauseAsked;
  }

  /** All activities from now on refuse another lake. */
  holdToLake(lake_id: string | undefined): void {
    if (lake_id !== undefined) this.#identity = { ...this.#identity, lake_id };
  }

  reference(): RunReference {
    return { ...this.#identity };
  }

  say(
    state: ExportState,
    by: StoppedBy | null = null,
    message: string | null = null,
    until: string | null = null,
  ): void {
    Object.assign(this.progress, {
      state,
      stopped_by: by,
      message,
      waiting_until: until,
    } satisfies Partial<ExportProgress>);
    this.remember();
    upsertSearchAttributes({ ExportState: [state] });
  }

  /** Keeps the progress where it can be read without a worker. */
  remember(): void {
    upsertMemo({ progress: this.progress, run_id: this.#identity.run_id });
  }

  /** Runs an activity that sends requests; while the service can't be reached, waits and tries again. */
  async once<Result extends Outcome>(activity: () => Promise<Result>): Promise<Result> {
    for (;;) {
      await this.whilePauseIsAsked();
      const startedAt = Date.now();
      this.#budgetChanged = false;
      try {
        const result = await activity();
        this.#unreachableTimes = 0;
        addOutcome(this.progress, result, Date.now() - startedAt);
        return result;
      } catch (error) {
        const failure = applicationFailure(error);
        const spent = (failure?.details?.[0] as Partial<FailureDetails> | undefined)?.spent;
        if (spent) addOutcome(this.progress, { spent, quota: null }, Date.now() - startedAt);
        if (!failure || !UNREACHABLE.has(failure.type ?? '')) throw error;
        await this.whileUnwell(failure.message);
      }
    }
  }

  async standStill(stop: Stop): Promise<void> {
    this.#goOn = false;
    if (stop.kind === 'budget') {
      // It was stopped by limits that hold no more.
      if (this.#budgetChanged) return;
      await this.#while('paused', 'budget', stop.message, null);
      return;
    }
    const { retry_at, limit, message } = stop;
    await activities.blockBudget({ run: this.reference(), until: retry_at, limit });
    const waitMs = Math.max(0, Date.parse(retry_at) - Date.now()) + UNTOLD_MS;
    await this.#while('waiting_for_quota', 'quota', message, retry_at, waitMs);
  }

  async whilePauseIsAsked(): Promise<void> {
    if (!this.#pauseAsked) return;
    this.#goOn = false;
    await this.#while('paused', 'pause', 'paused by request', null);
  }

  /** The service is away, or an operation of it fails for everything: waits, longer each time. */
  async whileUnwell(message: string): Promise<void> {
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
    await this.#meanwhile();
    this.say(state, by, message, until);
    if (waitMs === undefined) await condition(() => this.#goOn);
    else await condition(() => this.#goOn, waitMs);
    this.say('running');
  }

  async #resume(): Promise<void> {
    this.#pauseAsked = false;
    // Somebody who says so knows of a larger plan, or of a month that turned elsewhere.
    if (this.progress.stopped_by === 'quota') await activities.unblockBudget(this.reference());
    this.#goOn = true;
  }

  #raiseBudget(limits: BudgetLimits): void {
    this.#identity = { ...this.#identity, definition: { ...this.definition, budget: limits } };
    this.#budgetChanged = true;
    upsertMemo({ definition: this.definition });
    if (this.progress.stopped_by === 'budget') this.#goOn = true;
  }
}

/** The failure that an activity ended with, or null where it was something else. */
export function applicationFailure(error: unknown): ApplicationFailure | null {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : null;
}
