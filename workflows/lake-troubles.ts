/**
 * Workers that can't use the lake: their credentials are refused, their disk is full, or the lake doesn't answer. Another worker is
 * tried first. If none is left, the run pauses: its activity waits in the queue until a worker can do it.
 */
import { sleep } from '@temporalio/workflow';
import type { ExportActivities } from '../activities/index.ts';
import type { ErrorCode } from '../src/core/index.ts';
import type { ExportProgress, ExportState, StoppedBy } from '../src/export/run/index.ts';
import type { Trouble, Troubles } from './lasting-activities.ts';
import { Patience } from './patience.ts';

/** How long an activity waits for another worker before the run counts as paused. */
const ANOTHER_MS = 60_000;
/** Unattended runs: how long an activity waits for a worker before it asks again. */
const LATER_MS = 3_600_000;
const RETRY_DELAY_MAX_MS = 60_000;

interface LakeTroublesOptions {
  progress: ExportProgress;
  patienceMs: () => number;
  within: (ms: number) => ExportActivities;
  setState: (
    state: ExportState,
    by?: StoppedBy | null,
    message?: string | null,
    until?: string | null,
    patient_until?: string | null,
  ) => void;
}

export class LakeTroubles implements Troubles {
  readonly within: (ms: number) => ExportActivities;
  readonly #options: LakeTroublesOptions;
  /** A person who starts a run sees within seconds that it can't use its lake. */
  readonly #patience = new Patience(false);
  #hasLake = false;
  #isWaiting = false;
  /** Workers that have failed since an activity succeeded. */
  readonly #failed = new Set<string>();
  #last: { by: 'lake' | 'worker'; message: string; error: unknown } | null = null;

  constructor(options: LakeTroublesOptions) {
    this.#options = options;
    this.within = options.within;
  }

  /** From now on the run waits for the lake. @param isOpen the run has opened it, so that it never fails for want of it */
  waitForLake(isOpen: boolean): void {
    this.#hasLake = isOpen;
    this.#patience.answered();
  }

  async met({ failed, error }: Trouble): Promise<number> {
    if (failed !== null) {
      const { type, message, worker } = failed;
      const by = type === ('lake-unreachable' satisfies ErrorCode) ? 'lake' : 'worker';
      this.#last = { by, message: `${message} (worker ${worker.id})`, error };
      const isNew = !this.#failed.has(worker.id);
      this.#failed.add(worker.id);
      if (isNew && worker.others.some((id) => !this.#failed.has(id))) return ANOTHER_MS;
    }
    this.#failed.clear();
    const wait = this.#patience.next(Date.now(), this.#options.patienceMs());
    if (wait === null && !this.#hasLake) throw this.#last!.error;
    this.#isWaiting = true;
    this.#pause(wait === null ? null : new Date(wait.until).toISOString());
    // A worker that can use the lake takes the activity at once. This pause is for one that only seems to be able.
    if (failed !== null && wait !== null) await sleep(Math.min(wait.waitMs, RETRY_DELAY_MAX_MS));
    return wait === null ? LATER_MS : Math.max(1_000, wait.until - Date.now());
  }

  over(): void {
    this.#isWaiting = false;
    this.#failed.clear();
    this.#patience.answered();
    if (this.#isPaused()) this.#options.setState('running');
  }

  /** A person says that the lake can be used. If it can't, the person sees that soon. */
  async resume(): Promise<void> {
    const { stopped_by, patient_until = null } = this.#options.progress;
    if (stopped_by === 'lake' && patient_until !== null) return;
    this.#patience.reset();
    this.#options.setState('running');
    await sleep(ANOTHER_MS);
    if (this.#isWaiting && this.#options.progress.stopped_by === null) this.#pause(null);
  }

  #pause(patientUntil: string | null): void {
    const { by, message } = this.#last!;
    this.#options.setState('paused', by, message, null, patientUntil);
  }

  #isPaused(): boolean {
    const { stopped_by } = this.#options.progress;
    return stopped_by === 'lake' || stopped_by === 'worker';
  }
}
