/** The run's status, its messages, and its stops: a stop is visible, and lasts until a person or an event ends it. */
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
import type { ExportActivities } from '../activities/index.ts';
import { DEFAULT_PATIENCE_SECONDS, type ExportDefinition } from '../src/export/definition/index.ts';
import type { Heartbeat, Outcome, RunReference, Stop } from '../src/export/pipeline/index.ts';
import {
  addOutcome,
  type BudgetLimits,
  detailsText,
  type ExportProgress,
  type ExportState,
} from '../src/export/run/index.ts';
import { LakeTroubles } from './lake-troubles.ts';
import { ATTEMPTS_MAX, type Crash, lastingActivities } from './lasting-activities.ts';
import { pauseUpdate, progressQuery, quotaResetSignal, raiseBudgetUpdate, resumeUpdate } from './messages.ts';
import { Patience } from './patience.ts';
import type { CarriedRun, HeldTurn } from './remaining-work.ts';
import { applicationFailure, isOutdated, spentOf } from './run-errors.ts';

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

/** Activities with a maximum of attempts; the run's own survive it. @param withinMs a worker must take them so soon */
function triedActivities(attempts: number, withinMs?: number, taskQueue?: string): ExportActivities {
  const within = { ...(withinMs && { scheduleToStartTimeout: withinMs }), ...(taskQueue && { taskQueue }) };
  const options = { ...OPTIONS, ...within, retry: { ...OPTIONS.retry, maximumAttempts: attempts } };
  const { fetchBatch } = proxyActivities<ExportActivities>({ ...options, heartbeatTimeout: FETCH_HEARTBEAT });
  const others = proxyActivities<ExportActivities>(options);
  return new Proxy(others, {
    get: (_, name) => (name === 'fetchBatch' ? fetchBatch : others[name as keyof ExportActivities]),
  });
}

/** For a run that ends: it doesn't wait for ever for a worker that can use the lake. */
const ENDING_MS = 120_000;

export const activities = triedActivities(ATTEMPTS_MAX, ENDING_MS);

/** Types of failure that mean that the service is unreachable or has faults, after all retries of the client. */
const UNREACHABLE = new Set(['service-unreachable', 'service-failed', 'rate-limited']);
/** How long the run waits after the reset of a quota for the budget's signal. */
const UNTOLD_MS = 60_000;

/** Between two looks at the turn of another writer: at first, and at most. */
const LOOK_MS = 1_000;
const LOOK_MS_MAX = 15_000;
/** A run gives way to others after this time, and looks again when each of them has looked. */
const TURN_MS = 180_000;
const WAY_MS = LOOK_MS_MAX + 5_000;

/** Why and until when a run stops: the members of its progress. */
type Stopped = Pick<ExportProgress, 'stopped_by' | 'message' | 'waiting_until' | 'patient_until'>;

const NOT_STOPPED: Stopped = { stopped_by: null, message: null, waiting_until: null, patient_until: null };
const PAUSE: Partial<Stopped> = { stopped_by: 'pause', message: 'paused by request' };

/** The input that every activity of a run receives. */
export interface RunIdentity extends Omit<RunReference, 'lake_version'> {
  started_at: string;
}

interface RunStateOptions {
  /** Work in the background. It must end before the run stops: otherwise its error would appear only hours later. */
  meanwhile: () => Promise<unknown>;
  /** Called at the beginning of each turn. */
  onTurn: () => void;
  /** Of the history before. */
  carried?: Pick<CarriedRun, 'pause_asked' | 'turn'> | undefined;
  /** At an activity whose worker dies each time. */
  attempts?: number | undefined;
}

export class RunState {
  readonly progress: ExportProgress;
  /** The limit of the run: if its worker dies in each attempt, the run pauses until someone resumes it. */
  readonly activities: ExportActivities;
  /** The same on the queue of batches that are fetched beside others: each worker takes one of them at a time. */
  readonly fetchers: ExportActivities;
  /** Time up to which parallel activities have been counted. */
  #countedAt = 0;
  readonly #patience: Patience;
  readonly troubles: LakeTroubles;
  #identity: RunIdentity;
  pauseAsked: boolean;
  /** The budget was changed since the last activity received it. */
  #budgetChanged = false;
  #mayContinue = false;
  /**
   * Number of requests sent when a person reported new quota, even if the quota was not known to be used up. Null if nobody did, or
   * if a request was sent since.
   */
  #quotaExpectedAt: number | null = null;
  turn: HeldTurn | null;
  /** Another writer waits for the lake. */
  isWanted = false;
  /** A batch was refused: another writer has had the lake. */
  isTurnLost = false;
  readonly #meanwhile: RunStateOptions['meanwhile'];
  readonly #onTurn: RunStateOptions['onTurn'];

  constructor(
    identity: RunIdentity,
    progress: ExportProgress,
    { meanwhile, onTurn, carried, attempts = ATTEMPTS_MAX }: RunStateOptions,
  ) {
    this.#identity = identity;
    this.#meanwhile = meanwhile;
    this.#onTurn = onTurn;
    this.pauseAsked = carried?.pause_asked ?? false;
    this.turn = carried?.turn ?? null;
    this.progress = progress;
    // A run that continues in a new history has been answered in the one before.
    this.#patience = new Patience(progress.requests > 0);
    const troubles = new LakeTroubles(this, (ms) => triedActivities(attempts, ms));
    this.troubles = troubles;
    const crashed = ({ message }: Crash) => this.#whileCrashed(message);
    const lost = ({ requests, bytes = 0, retries = 0 }: Partial<Heartbeat>) => {
      if (requests !== undefined) addOutcome(this.progress, { spent: { requests, bytes, retries }, quota: null });
    };
    const lasting = (raw: ExportActivities) => lastingActivities({ raw, attempts, crashed, lost, troubles });
    this.activities = lasting(triedActivities(attempts));
    this.fetchers = lasting(triedActivities(attempts, undefined, `${workflowInfo().taskQueue}/fetch`));
    setHandler(progressQuery, () => this.progress);
    setHandler(pauseUpdate, () => {
      this.pauseAsked = true;
    });
    setHandler(resumeUpdate, () => this.#resume());
    setHandler(quotaResetSignal, () => {
      this.#mayContinue = true;
    });
    setHandler(raiseBudgetUpdate, (limits) => this.#raiseBudget(limits));
  }

  get patienceMs(): number {
    return (this.definition.service.patience_seconds ?? DEFAULT_PATIENCE_SECONDS) * 1_000;
  }

  /** With the last raised budget. */
  get definition(): ExportDefinition {
    return this.#identity.definition;
  }

  /** From now on all activities refuse another lake. */
  holdToLake(lake_id: string): void {
    this.#identity = { ...this.#identity, lake_id };
  }

  /** Who starts a run may know of a larger plan: if the quota is known to be used up, one request finds out. */
  expectQuota(): void {
    this.#quotaExpectedAt = this.progress.requests;
  }

  reference(): RunReference {
    return { ...this.#identity, ...(this.turn && { term: this.turn.term }) };
  }

  /** The turn is lost, or has been long enough for those who wait. */
  get isTurnOver(): boolean {
    return this.isTurnLost || (this.isWanted && this.turn !== null && Date.now() - this.turn.since >= TURN_MS);
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
        this.isTurnLost = false;
        if (this.turn?.term === taken.term) return;
        this.turn = { term: taken.term, since: Date.now() };
        this.#onTurn();
        return;
      }
      const { sign, message, silent_ms } = taken;
      if (sign !== seen.sign) seen = { sign, since: Date.now(), silent_ms };
      this.setState('running', { message });
      await sleep(Math.min(LOOK_MS_MAX, LOOK_MS * 2 ** Math.min(look, 10)));
      if (!this.pauseAsked) continue;
      this.#mayContinue = false;
      await this.#untilContinued('paused', PAUSE);
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
        if (!isOutdated(error)) throw error;
        await this.takeTurn();
      }
    }
  }

  /** A turn that can't be given back, since no worker is there, ends by its silence. */
  async #endTurn(): Promise<void> {
    const run = this.reference();
    this.turn = null;
    if (run.term === undefined) return;
    try {
      await activities.endTurn(run);
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
  }

  setState(state: ExportState, stop: Partial<Stopped> = {}): void {
    Object.assign(this.progress, { state, ...NOT_STOPPED, ...stop });
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
      this.startParallel();
      try {
        return await this.runParallel(activity);
      } catch (error) {
        if (!(await this.waitIfAway(error))) throw error;
      }
    }
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
      if (result.spent.requests > 0) this.#patience.answered();
      addOutcome(this.progress, result, tookMs());
      return result;
    } catch (error) {
      const spent = spentOf(error);
      if (spent) addOutcome(this.progress, { spent, quota: null }, tookMs());
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

  async pauseFor(stop: Stop): Promise<void> {
    this.#mayContinue = false;
    if (stop.kind === 'budget') {
      // It was stopped by limits that no longer apply.
      if (this.#budgetChanged) return;
      await this.#while('paused', { stopped_by: 'budget', message: stop.message });
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
    await this.#while('waiting_for_quota', { stopped_by: 'quota', message, waiting_until: retry_at }, waitMs);
  }

  async whilePauseIsAsked(): Promise<void> {
    if (!this.pauseAsked) return;
    this.#mayContinue = false;
    await this.#while('paused', PAUSE);
  }

  /** The service is unreachable: during a run, wait as long as `service.patience` says. */
  async #whileAway(message: string): Promise<void> {
    const wait = this.#patience.next(Date.now(), this.patienceMs);
    if (wait === null) await this.whileUnwell(message);
    else await this.#whileUnreachable(message, wait.waitMs, new Date(wait.until).toISOString());
  }

  /** No worker survives an activity. The commit in the background may be the cause, and is not waited for. */
  async #whileCrashed(message: string): Promise<void> {
    this.#mayContinue = false;
    await this.#untilContinued('paused', { stopped_by: 'crash', message });
  }

  /** The service stays unreachable, or an operation of it fails for everything: waits, longer each time. */
  whileUnwell(message: string): Promise<void> {
    return this.#whileUnreachable(message, this.#patience.later(), null);
  }

  async #whileUnreachable(message: string, waitMs: number, patient_until: string | null): Promise<void> {
    this.#mayContinue = false;
    const waiting_until = new Date(Date.now() + waitMs).toISOString();
    await this.#while('paused', { stopped_by: 'unreachable', message, waiting_until, patient_until }, waitMs);
  }

  /** Stops visibly, until a person or an event continues the run, or the wait is over. */
  async #while(state: ExportState, stop: Partial<Stopped>, waitMs?: number): Promise<void> {
    await this.#meanwhile();
    this.setState(state, stop);
    await this.#endTurn();
    await this.#untilContinued(state, stop, waitMs);
    await this.takeTurn();
  }

  async #untilContinued(state: ExportState, stop: Partial<Stopped>, waitMs?: number): Promise<void> {
    this.setState(state, stop);
    if (waitMs === undefined) await condition(() => this.#mayContinue);
    else await condition(() => this.#mayContinue, waitMs);
    this.setState('running');
  }

  async #resume(): Promise<void> {
    this.pauseAsked = false;
    const { stopped_by, patient_until = null } = this.progress;
    if (stopped_by === 'unreachable' && patient_until === null) this.#patience.answered(false);
    // It tells within a minute. The update doesn't wait for that.
    if (stopped_by === 'lake' || stopped_by === 'worker') void this.troubles.resume().catch(() => {});
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
