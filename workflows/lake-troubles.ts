/**
 * Workers that can't use the lake: their credentials are refused, their disk is full, or the lake doesn't answer. Another worker is
 * tried first. If none is left, the run pauses: its activity waits in the queue until a worker can do it.
 */
import { sleep } from '@temporalio/workflow';
import type { ExportActivities, FailedWorker } from '../activities/index.ts';
import type { ErrorCode } from '../src/core/index.ts';
import type { ExportProgress, ExportState } from '../src/export/run/index.ts';
import { Patience } from './patience.ts';

/** How long an activity waits for another worker before the run counts as paused. */
const ANOTHER_MS = 60_000;
/** Unattended runs: how long an activity waits for a worker before it asks again. */
const LATER_MS = 3_600_000;
const RETRY_DELAY_MAX_MS = 60_000;

/** A worker that could not do an activity, perhaps for reasons of its own; or no worker took it in time. */
export type Trouble = { type: string; message: string; worker: FailedWorker } | 'nobody';

/** A run that can be paused. */
interface Pausable {
  readonly progress: Pick<ExportProgress, 'stopped_by' | 'patient_until'>;
  readonly patienceMs: number;
  setState(state: ExportState, stop?: Pick<Partial<ExportProgress>, 'stopped_by' | 'message' | 'patient_until'>): void;
}

export class LakeTroubles {
  /** The activities of the run, which a worker must take within a time. */
  readonly within: (ms: number) => ExportActivities;
  readonly #run: Pausable;
  /** A person who starts a run sees within seconds that it can't use its lake. */
  readonly #patience = new Patience(false);
  #hasLake = false;
  #isWaiting = false;
  /** Workers that have failed since an activity succeeded. */
  readonly #failed = new Set<string>();
  #last: { by: 'lake' | 'worker'; message: string; error: unknown } | null = null;

  constructor(run: Pausable, within: (ms: number) => ExportActivities) {
    this.#run = run;
    this.within = within;
  }

  /** From now on the run waits for the lake. @param isOpen the run has opened it, so that it never fails for want of it */
  waitForLake(isOpen: boolean): void {
    this.#hasLake = isOpen;
    this.#patience.answered();
  }

  /** @param error with which the run may end @returns how long the activity waits for a fit worker */
  async met(trouble: Trouble, error: unknown): Promise<number> {
    if (trouble !== 'nobody') {
      const { type, message, worker } = trouble;
      const by = type === ('lake-unreachable' satisfies ErrorCode) ? 'lake' : 'worker';
      this.#last = { by, message: `${message} (worker ${worker.id})`, error };
      const isNew = !this.#failed.has(worker.id);
      this.#failed.add(worker.id);
      if (isNew && worker.others.some((id) => !this.#failed.has(id))) return ANOTHER_MS;
    }
    this.#failed.clear();
    const wait = this.#patience.next(Date.now(), this.#run.patienceMs);
    if (wait === null && !this.#hasLake) throw this.#last!.error;
    this.#isWaiting = true;
    this.#pause(wait === null ? null : new Date(wait.until).toISOString());
    // A worker that can use the lake takes the activity at once. This pause is for one that only seems to be able.
    if (trouble !== 'nobody' && wait !== null) await sleep(Math.min(wait.waitMs, RETRY_DELAY_MAX_MS));
    return wait === null ? LATER_MS : Math.max(1_000, wait.until - Date.now());
  }

  /** The activity has succeeded. */
  over(): void {
    this.#isWaiting = false;
    this.#failed.clear();
    this.#patience.answered();
    const { stopped_by } = this.#run.progress;
    if (stopped_by === 'lake' || stopped_by === 'worker') this.#run.setState('running');
  }

  /** A person says that the lake can be used. If it can't, the person sees that soon. */
  async resume(): Promise<void> {
    const { stopped_by, patient_until = null } = this.#run.progress;
    if (stopped_by === 'lake' && patient_until !== null) return;
    this.#patience.answered(false);
    this.#run.setState('running');
    await sleep(ANOTHER_MS);
    if (this.#isWaiting && this.#run.progress.stopped_by === null) this.#pause(null);
  }

  #pause(patientUntil: string | null): void {
    const { by, message } = this.#last!;
    this.#run.setState('paused', { stopped_by: by, message, patient_until: patientUntil });
  }
}
