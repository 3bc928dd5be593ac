/** What a run says of itself, what others may tell it, and how it stands still: visibly, until somebody or something lets it go on. */
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import {
  type ActivityOptions,
  condition,
  proxyActivities,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { ExportActivities, FailureDetails } from '../activities/index.ts';
import {
  addOutcome,
  type BudgetLimits,
  DEFAULT_PATIENCE_SECONDS,
  type ExportDefinition,
  type ExportProgress,
  type ExportState,
  type StoppedBy,
} from '../src/export/index.ts';
import type { Outcome, RunReference, Stop } from '../src/pipeline/index.ts';
import { ATTEMPTS_MAX, type Crash, lastingActivities } from './lasting-activities.ts';
import { pauseUpdate, progressQuery, quotaResetSignal, raiseBudgetUpdate, resumeUpdate } from './messages.ts';
import { Patience } from './patience.ts';

const OPTIONS: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  // Every activity beats, if only to say that it lives: a worker that died is missed after this long; its successor goes on from the sealed segments.
  heartbeatTimeout: '6 seconds',
  // What a cancelled activity still writes must be over before the run's staging is dropped.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '20 seconds',
  },
};

/** No beat is sent while a document of 250 MB is read as JSON and checked: 14 s on two cores with nine processes each wanting one. */
const FETCH_HEARTBEAT = '15 seconds';

/** Tried so often and no more: the run's own `activities` outlast that. */
function triedActivities(attempts: number): ExportActivities {
  const options = { ...OPTIONS, retry: { ...OPTIONS.retry, maximumAttempts: attempts } };
  const { fetchBatch } = proxyActivities<ExportActivities>({ ...options, heartbeatTimeout: FETCH_HEARTBEAT });
  // By name: what `proxyActivities` gives has no members to be spread.
  const {
    openRun,
    readWindows,
    planWindows,
    fetchEntities,
    commitBatch,
    finishRun,
    blockBudget,
    unblockBudget,
    leaveRun,
  } = proxyActivities<ExportActivities>(options);
  const ofTheBudget = { blockBudget, unblockBudget };
  return {
    openRun,
    readWindows,
    planWindows,
    fetchEntities,
    fetchBatch,
    commitBatch,
    finishRun,
    leaveRun,
    ...ofTheBudget,
  };
}

export const activities = triedActivities(ATTEMPTS_MAX);

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
  /** Those of the run: where a worker dies each time, the run stops until somebody has looked. */
  readonly activities: ExportActivities;
  readonly #patience: Patience;
  #identity: RunIdentity;
  #pauseAsked: boolean;
  /** The budget was changed since the last activity was told of it. */
  #budgetChanged = false;
  #goOn = false;
  #unreachableTimes = 0;
  /** Requests at the time when somebody said that there is quota, however much was known of it; null: nobody did, or it was asked since. */
  #believedAt: number | null = null;
  /** What goes on meanwhile, and must have ended before the run stands still: its error would be heard only hours later. */
  #meanwhile: () => Promise<unknown> = async () => {};

  /**
   * @param pauseAsked that somebody had asked for a pause in the history before
   * @param attempts at an activity whose worker dies each time
   */
  constructor(identity: RunIdentity, progress: ExportProgress, pauseAsked: boolean, attempts: number = ATTEMPTS_MAX) {
    this.#identity = identity;
    this.#pauseAsked = pauseAsked;
    this.progress = progress;
    // A run that goes on in a new history has been answered in the one before.
    this.#patience = new Patience(progress.requests > 0);
    this.activities = lastingActivities(
      triedActivities(attempts),
      (crash) => this.#whileCrashed(crash),
      ({ requests, bytes = 0, retries = 0 }) => {
        if (requests !== undefined) addOutcome(this.progress, { spent: { requests, bytes, retries }, quota: null });
      },
      attempts,
    );
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

  /** Whoever starts a run may know of a larger plan: where the quota is known to be used up, the service is asked once. */
  believe(): void {
    this.#believedAt = this.progress.requests;
  }

  reference(): RunReference {
    return { ...this.#identity };
  }

  say(
    state: ExportState,
    by: StoppedBy | null = null,
    message: string | null = null,
    until: string | null = null,
    patient_until: string | null = null,
  ): void {
    Object.assign(this.progress, {
      state,
      stopped_by: by,
      message,
      waiting_until: until,
      patient_until,
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
        if (result.spent.requests > 0) this.#patience.answered();
        addOutcome(this.progress, result, Date.now() - startedAt);
        return result;
      } catch (error) {
        const failure = applicationFailure(error);
        const spent = (failure?.details?.[0] as Partial<FailureDetails> | undefined)?.spent;
        if (spent) addOutcome(this.progress, { spent, quota: null }, Date.now() - startedAt);
        if (!failure || !UNREACHABLE.has(failure.type ?? '')) throw error;
        await this.#whileAway(failure.message);
      }
    }
  }

  async standStill(stop: Stop): Promise<void> {
    this.#goOn = false;
    if (stop.kind === 'budget') {
      // It was stopped by limits that hold no more.
      if (this.#budgetChanged) return;
      await this.#while({ state: 'paused', by: 'budget', message: stop.message, until: null });
      return;
    }
    if (this.#believedAt === this.progress.requests) {
      this.#believedAt = null;
      await this.activities.unblockBudget(this.reference());
      return;
    }
    const { retry_at, limit, message } = stop;
    await this.activities.blockBudget({ run: this.reference(), until: retry_at, limit });
    const waitMs = Math.max(0, Date.parse(retry_at) - Date.now()) + UNTOLD_MS;
    await this.#while({ state: 'waiting_for_quota', by: 'quota', message, until: retry_at }, waitMs);
  }

  async whilePauseIsAsked(): Promise<void> {
    if (!this.#pauseAsked) return;
    this.#goOn = false;
    await this.#while({ state: 'paused', by: 'pause', message: 'paused by request', until: null });
  }

  /** The service is away: in mid-run it is waited for as long as `service.patience` says. */
  async #whileAway(message: string): Promise<void> {
    const { patience_seconds = DEFAULT_PATIENCE_SECONDS } = this.definition.service;
    const wait = this.#patience.next(Date.now(), patience_seconds * 1_000);
    if (wait === null) return this.whileUnwell(message);
    this.#goOn = false;
    const [tryAt, patientUntil] = [Date.now() + wait.waitMs, wait.until].map((at) => new Date(at).toISOString());
    await this.#while(
      { state: 'paused', by: 'unreachable', message, until: tryAt!, patientUntil: patientUntil! },
      wait.waitMs,
    );
  }

  /** No worker survives an activity. Its commit may be what goes on meanwhile, and is not waited for. */
  async #whileCrashed({ message }: Crash): Promise<void> {
    this.#goOn = false;
    await this.#untilGoOn({ state: 'paused', by: 'crash', message, until: null });
  }

  /** The service stays away, or an operation of it fails for everything: waits, longer each time. */
  async whileUnwell(message: string): Promise<void> {
    const waitMs = UNREACHABLE_WAITS_MS[Math.min(this.#unreachableTimes++, UNREACHABLE_WAITS_MS.length - 1)]!;
    this.#goOn = false;
    const until = new Date(Date.now() + waitMs).toISOString();
    await this.#while({ state: 'paused', by: 'unreachable', message, until }, waitMs);
  }

  /** Stands still, visibly, until someone or something says to go on, or the wait is over. */
  async #while(standstill: Standstill, waitMs?: number): Promise<void> {
    await this.#meanwhile();
    await this.#untilGoOn(standstill, waitMs);
  }

  async #untilGoOn({ state, by, message, until, patientUntil }: Standstill, waitMs?: number): Promise<void> {
    this.say(state, by, message, until, patientUntil);
    if (waitMs === undefined) await condition(() => this.#goOn);
    else await condition(() => this.#goOn, waitMs);
    this.say('running');
  }

  async #resume(): Promise<void> {
    this.#pauseAsked = false;
    const { stopped_by, patient_until = null } = this.progress;
    if (stopped_by === 'unreachable' && patient_until === null) this.#patience.startOver();
    // Somebody who says so knows of a larger plan, or of a month that turned elsewhere.
    if (stopped_by === 'quota') await this.activities.unblockBudget(this.reference());
    else if (stopped_by !== null) this.believe();
    this.#goOn = true;
  }

  #raiseBudget(limits: BudgetLimits): void {
    this.#identity = { ...this.#identity, definition: { ...this.definition, budget: limits } };
    this.#budgetChanged = true;
    upsertMemo({ definition: this.definition });
    if (this.progress.stopped_by === 'budget') this.#goOn = true;
  }
}

interface Standstill {
  state: ExportState;
  by: StoppedBy;
  message: string;
  /** ISO; null: until somebody says so */
  until: string | null;
  /** ISO: how long patience with a service lasts */
  patientUntil?: string;
}

/** The failure that an activity ended with, or null where it was something else. */
export function applicationFailure(error: unknown): ApplicationFailure | null {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : null;
}
