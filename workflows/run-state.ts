/** The run's status, its messages, and its stops: a stop is visible, and lasts until a person or an event ends it. */
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import {
  type ActivityOptions,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ExportActivities, FailureDetails } from '../activities/index.ts';
import type { ErrorCode } from '../src/core/index.ts';
import { DEFAULT_PATIENCE_SECONDS, type ExportDefinition } from '../src/export/definition/index.ts';
import type { Outcome, RunReference, Stop } from '../src/export/pipeline/index.ts';
import {
  addOutcome,
  type BudgetLimits,
  detailsText,
  type ExportProgress,
  type ExportState,
  type StoppedBy,
} from '../src/export/run/index.ts';
import { LakeTroubles } from './lake-troubles.ts';
import { ATTEMPTS_MAX, type Crash, lastingActivities } from './lasting-activities.ts';
import { pauseUpdate, progressQuery, quotaResetSignal, raiseBudgetUpdate, resumeUpdate } from './messages.ts';
import { Patience } from './patience.ts';
import type { HeldTurn } from './remaining-work.ts';

const OPTIONS: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  // Every activity sends heartbeats. A dead worker is noticed after this time, and its successor continues from the sealed
  // segments.
  heartbeatTimeout: '6 seconds',
  // A cancelled activity must stop writing before the run's staged files are deleted.
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: {
    initialInterval: '500 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '20 seconds',
  },
};

/** No heartbeat is sent while a document of 250 MB is parsed and checked: 14 s on two cores with nine busy processes each. */
const FETCH_HEARTBEAT = '15 seconds';

/**
 * Activities with a maximum of attempts. The run's own `activities` survive it.
 * @param withinMs a worker must take them within this time
 */
function triedActivities(attempts: number, withinMs?: number, taskQueue?: string): ExportActivities {
  const within = {
    ...(withinMs === undefined ? {} : { scheduleToStartTimeout: withinMs }),
    ...(taskQueue === undefined ? {} : { taskQueue }),
  };
  const options = { ...OPTIONS, ...within, retry: { ...OPTIONS.retry, maximumAttempts: attempts } };
  const { fetchBatch } = proxyActivities<ExportActivities>({ ...options, heartbeatTimeout: FETCH_HEARTBEAT });
  // By name: the object from `proxyActivities` has no members to spread.
  const {
    openRun,
    readWindows,
    planWindows,
    fetchEntities,
    commitBatch,
    commitBatches,
    finishRun,
    blockBudget,
    unblockBudget,
    leaveRun,
    takeTurn,
    endTurn,
  } = proxyActivities<ExportActivities>(options);
  const ofTheBudget = { blockBudget, unblockBudget };
  return {
    openRun,
    readWindows,
    planWindows,
    fetchEntities,
    fetchBatch,
    commitBatch,
    commitBatches,
    finishRun,
    leaveRun,
    takeTurn,
    endTurn,
    ...ofTheBudget,
  };
}

/** For a run that ends: it doesn't wait for ever for a worker that can use the lake. */
const ENDING_MS = 120_000;

export const activities = triedActivities(ATTEMPTS_MAX, ENDING_MS);

/** Types of failure that mean that the service is unreachable or has faults, after all retries of the client. */
const UNREACHABLE = new Set(['service-unreachable', 'service-failed', 'rate-limited']);
/** How long the run waits after the reset of a quota for the budget's signal. */
const UNTOLD_MS = 60_000;
/** An unreachable service is tried again after these waits, unless `resume` comes first. */
const UNREACHABLE_WAITS_MS = [60_000, 300_000, 900_000, 3_600_000];

/** Between two looks at the turn of another writer: at first, and at most. */
const LOOK_MS = 1_000;
const LOOK_MS_MAX = 15_000;
/** A run gives way to others after this time, and looks again when each of them has looked. */
const TURN_MS = 180_000;
const WAY_MS = LOOK_MS_MAX + 5_000;

/** The input that every activity of a run receives. */
export interface RunIdentity extends Omit<RunReference, 'lake_version'> {
  started_at: string;
}

export class RunState {
  readonly progress: ExportProgress;
  /** The limit of the run: if its worker dies in each attempt, the run pauses until someone resumes it. */
  readonly activities: ExportActivities;
  readonly #lasting: (raw: ExportActivities) => ExportActivities;
  #fetchers: ExportActivities | null = null;
  /** Time up to which parallel activities have been counted. */
  #countedAt = 0;
  readonly #patience: Patience;
  readonly #troubles: LakeTroubles;
  readonly #attempts: number;
  #identity: RunIdentity;
  #pauseAsked: boolean;
  /** The budget was changed since the last activity received it. */
  #budgetChanged = false;
  #mayContinue = false;
  #unreachableTimes = 0;
  /**
   * Number of requests sent when a person reported new quota, even if the quota was not known to be used up. Null if nobody did, or
   * if a request was sent since.
   */
  #quotaExpectedAt: number | null = null;
  #turn: HeldTurn | null = null;
  #onTurn: () => void = () => {};
  /** Another writer waits for the lake. */
  isWanted = false;
  #isLost = false;
  /** Work in the background. It must end before the run stops: otherwise its error would appear only hours later. */
  #meanwhile: () => Promise<unknown> = async () => {};

  /**
   * @param pauseAsked whether a pause was requested in the history before
   * @param attempts at an activity whose worker dies each time
   */
  constructor(identity: RunIdentity, progress: ExportProgress, pauseAsked: boolean, attempts: number = ATTEMPTS_MAX) {
    this.#identity = identity;
    this.#pauseAsked = pauseAsked;
    this.progress = progress;
    // A run that continues in a new history has been answered in the one before.
    this.#patience = new Patience(progress.requests > 0);
    this.#troubles = new LakeTroubles({
      progress,
      patienceMs: () => (this.definition.service.patience_seconds ?? DEFAULT_PATIENCE_SECONDS) * 1_000,
      within: (ms) => triedActivities(attempts, ms),
      setState: (...state) => this.setState(...state),
    });
    this.#lasting = (raw) =>
      lastingActivities(
        raw,
        (crash) => this.#whileCrashed(crash),
        ({ requests, bytes = 0, retries = 0 }) => {
          if (requests !== undefined) addOutcome(this.progress, { spent: { requests, bytes, retries }, quota: null });
        },
        attempts,
        this.#troubles,
      );
    this.activities = this.#lasting(triedActivities(attempts));
    this.#attempts = attempts;
    setHandler(progressQuery, () => this.progress);
    setHandler(pauseUpdate, () => {
      this.#pauseAsked = true;
    });
    setHandler(resumeUpdate, () => this.#resume());
    setHandler(quotaResetSignal, () => {
      this.#mayContinue = true;
    });
    setHandler(raiseBudgetUpdate, (limits) => this.#raiseBudget(limits));
  }

  /** @param meanwhile background work beside the awaited activity */
  beforeStop(meanwhile: () => Promise<unknown>): void {
    this.#meanwhile = meanwhile;
  }

  /** With the last raised budget. */
  get definition(): ExportDefinition {
    return this.#identity.definition;
  }

  get pauseAsked(): boolean {
    return this.#pauseAsked;
  }

  /** From now on the run waits for its lake. @param isOpen it was opened */
  waitForLake(isOpen: boolean): void {
    this.#troubles.waitForLake(isOpen);
  }

  /** From now on all activities refuse another lake. */
  holdToLake(lake_id: string): void {
    this.#identity = { ...this.#identity, lake_id };
  }

  /**
   * The person who starts a run may know of a larger plan: if the quota is known to be used up, one request is sent to find out.
   */
  expectQuota(): void {
    this.#quotaExpectedAt = this.progress.requests;
  }

  reference(): RunReference {
    return { ...this.#identity, ...(this.#turn && { term: this.#turn.term }) };
  }

  get turn(): HeldTurn | null {
    return this.#turn;
  }

  /** The turn of the history before. */
  holdTurn(turn: HeldTurn): void {
    this.#turn = turn;
  }

  /** @param taken called at the beginning of each turn */
  onTurn(taken: () => void): void {
    this.#onTurn = taken;
  }

  /** A batch was refused: another writer has had the lake. */
  loseTurn(): void {
    this.#isLost = true;
  }

  /** The turn is lost, or has been long enough for those who wait. */
  get isTurnOver(): boolean {
    return this.#isLost || (this.isWanted && this.#turn !== null && Date.now() - this.#turn.since >= TURN_MS);
  }

  /** Takes the lake, and waits while another writer has it. Only differences of this workflow's own clock count. */
  async takeTurn(): Promise<void> {
    let seen = { sign: '', since: 0, silent_ms: 0 };
    for (let look = 0; ; look++) {
      const isSilent = seen.sign !== '' && Date.now() - seen.since >= seen.silent_ms;
      const silent = isSilent ? { silent: seen.sign } : {};
      const taken = await this.activities.takeTurn({ run: this.reference(), ...silent });
      if ('term' in taken) {
        if (look > 0) this.setState('running');
        this.isWanted = false;
        this.#isLost = false;
        if (this.#turn?.term === taken.term) return;
        this.#turn = { term: taken.term, since: Date.now() };
        this.#onTurn();
        return;
      }
      const { sign, message, silent_ms } = taken;
      if (sign !== seen.sign) seen = { sign, since: Date.now(), silent_ms };
      this.setState('running', null, message);
      await sleep(Math.min(LOOK_MS_MAX, LOOK_MS * 2 ** Math.min(look, 10)));
      if (!this.#pauseAsked) continue;
      this.#mayContinue = false;
      await this.#untilContinued(PAUSE);
    }
  }

  /** Gives the lake to those who wait, and takes it again. */
  async nextTurn(): Promise<void> {
    await this.#meanwhile();
    await this.#endTurn();
    await sleep(WAY_MS);
    await this.takeTurn();
  }

  /** After a batch: `nextTurn`, if the turn is over. */
  async giveWay(): Promise<void> {
    if (this.isTurnOver) await this.nextTurn();
  }

  /** Runs an activity that commits. If the run has lost its turn, it takes the next one and tries again. */
  async inTurn<Result>(activity: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await activity();
      } catch (error) {
        if (applicationFailure(error)?.type !== ('plan-outdated' satisfies ErrorCode)) throw error;
        await this.takeTurn();
      }
    }
  }

  /** A turn that can't be given back, since no worker is there, ends by its silence. */
  async #endTurn(): Promise<void> {
    const run = this.reference();
    this.#turn = null;
    if (run.term === undefined) return;
    try {
      await activities.endTurn(run);
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
  }

  setState(
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

  /** Stores the progress so that it can be read without a worker. */
  remember(): void {
    const { run_id, lake_id } = this.#identity;
    setCurrentDetails(detailsText(this.progress));
    upsertMemo({ progress: this.progress, run_id, ...(lake_id === undefined ? {} : { lake_id }) });
  }

  /** Runs an activity that sends requests. While the service is unreachable, it waits and tries again. */
  async runWithRetry<Result extends Outcome>(activity: () => Promise<Result>): Promise<Result> {
    for (;;) {
      await this.whilePauseIsAsked();
      const startedAt = Date.now();
      this.#budgetChanged = false;
      try {
        const result = await activity();
        this.#answered(result);
        addOutcome(this.progress, result, Date.now() - startedAt);
        return result;
      } catch (error) {
        this.#countFailed(error, Date.now() - startedAt);
        if (!(await this.waitIfAway(error))) throw error;
      }
    }
  }

  /** Activities on the queue of batches that are fetched beside others: each worker takes one of them at a time. */
  get fetchers(): ExportActivities {
    const queue = `${workflowInfo().taskQueue}/fetch`;
    this.#fetchers ??= this.#lasting(triedActivities(this.#attempts, undefined, queue));
    return this.#fetchers;
  }

  /** Before activities beside each other. */
  startParallel(): void {
    this.#countedAt = Date.now();
    this.#budgetChanged = false;
  }

  /** Runs one of several activities that send requests. It waits for nothing: see `waitIfAway`. */
  async runParallel<Result extends Outcome>(activity: () => Promise<Result>): Promise<Result> {
    const tookMs = () => {
      const before = this.#countedAt;
      this.#countedAt = Date.now();
      return this.#countedAt - before;
    };
    try {
      const result = await activity();
      this.#answered(result);
      addOutcome(this.progress, result, tookMs());
      return result;
    } catch (error) {
      this.#countFailed(error, tookMs());
      throw error;
    }
  }

  /** @returns whether the service was unreachable: the run has waited then, and may try again */
  async waitIfAway(error: unknown): Promise<boolean> {
    const failure = applicationFailure(error);
    if (!failure || !UNREACHABLE.has(failure.type ?? '')) return false;
    await this.#whileAway(failure.message);
    return true;
  }

  #answered({ spent }: Outcome): void {
    this.#unreachableTimes = 0;
    if (spent.requests > 0) this.#patience.answered();
  }

  #countFailed(error: unknown, tookMs: number): void {
    const spent = (applicationFailure(error)?.details?.[0] as Partial<FailureDetails> | undefined)?.spent;
    if (spent) addOutcome(this.progress, { spent, quota: null }, tookMs);
  }

  async pauseFor(stop: Stop): Promise<void> {
    this.#mayContinue = false;
    if (stop.kind === 'budget') {
      // It was stopped by limits that no longer apply.
      if (this.#budgetChanged) return;
      await this.#while({ state: 'paused', by: 'budget', message: stop.message, until: null });
      return;
    }
    if (this.#quotaExpectedAt === this.progress.requests) {
      this.#quotaExpectedAt = null;
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
    this.#mayContinue = false;
    await this.#while(PAUSE);
  }

  /** The service is unreachable: during a run, wait as long as `service.patience` says. */
  async #whileAway(message: string): Promise<void> {
    const { patience_seconds = DEFAULT_PATIENCE_SECONDS } = this.definition.service;
    const wait = this.#patience.next(Date.now(), patience_seconds * 1_000);
    if (wait === null) return this.whileUnwell(message);
    this.#mayContinue = false;
    const [tryAt, patientUntil] = [Date.now() + wait.waitMs, wait.until].map((at) => new Date(at).toISOString());
    await this.#while(
      { state: 'paused', by: 'unreachable', message, until: tryAt!, patientUntil: patientUntil! },
      wait.waitMs,
    );
  }

  /** No worker survives an activity. The commit in the background may be the cause, and is not waited for. */
  async #whileCrashed({ message }: Crash): Promise<void> {
    this.#mayContinue = false;
    await this.#untilContinued({ state: 'paused', by: 'crash', message, until: null });
  }

  /** The service stays unreachable, or an operation of it fails for everything: waits, longer each time. */
  async whileUnwell(message: string): Promise<void> {
    const waitMs = UNREACHABLE_WAITS_MS[Math.min(this.#unreachableTimes++, UNREACHABLE_WAITS_MS.length - 1)]!;
    this.#mayContinue = false;
    const until = new Date(Date.now() + waitMs).toISOString();
    await this.#while({ state: 'paused', by: 'unreachable', message, until }, waitMs);
  }

  /** Stops visibly, until a person or an event continues the run, or the wait is over. */
  async #while(stop: StopState, waitMs?: number): Promise<void> {
    await this.#meanwhile();
    this.#setStop(stop);
    await this.#endTurn();
    await this.#untilContinued(stop, waitMs);
    await this.takeTurn();
  }

  #setStop({ state, by, message, until, patientUntil }: StopState): void {
    this.setState(state, by, message, until, patientUntil);
  }

  async #untilContinued(stop: StopState, waitMs?: number): Promise<void> {
    this.#setStop(stop);
    if (waitMs === undefined) await condition(() => this.#mayContinue);
    else await condition(() => this.#mayContinue, waitMs);
    this.setState('running');
  }

  async #resume(): Promise<void> {
    this.#pauseAsked = false;
    const { stopped_by, patient_until = null } = this.progress;
    if (stopped_by === 'unreachable' && patient_until === null) this.#patience.reset();
    // It tells within a minute. The update doesn't wait for that.
    if (stopped_by === 'lake' || stopped_by === 'worker') void this.#troubles.resume().catch(() => {});
    // The person knows of a larger plan, or of a month that started elsewhere.
    if (stopped_by === 'quota') await this.activities.unblockBudget(this.reference());
    else if (stopped_by !== null) this.expectQuota();
    this.#mayContinue = true;
  }

  /** An operation fails for every filing: the others are requested for all of them first. All pending windows must be planned again. */
  goBreadthFirst(): void {
    const budget = { ...this.definition.budget, order: 'breadth' as const };
    this.#identity = { ...this.#identity, definition: { ...this.definition, budget } };
  }

  #raiseBudget(limits: BudgetLimits): void {
    // The plans of the run have its order.
    const { order } = this.definition.budget;
    const budget = { ...limits, ...(order && { order }) };
    this.#identity = { ...this.#identity, definition: { ...this.definition, budget } };
    this.#budgetChanged = true;
    upsertMemo({ definition: this.definition });
    if (this.progress.stopped_by === 'budget') this.#mayContinue = true;
  }
}

interface StopState {
  state: ExportState;
  by: StoppedBy;
  message: string;
  /** ISO; null: until a person continues the run */
  until: string | null;
  /** ISO: the end of the patience with a service */
  patientUntil?: string;
}

const PAUSE: StopState = { state: 'paused', by: 'pause', message: 'paused by request', until: null };

/** The failure that an activity ended with, or null for any other error. */
export function applicationFailure(error: unknown): ApplicationFailure | null {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : null;
}
