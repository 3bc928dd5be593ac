/** The state of a run that its parts share: the remaining work, the progress, and the commit in the background. */
import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type {
  Clearing,
  Committed,
  PlanWindowsRequest,
  RunReference,
  WindowsPlanned,
} from '../src/export/pipeline/index.ts';
import { addCommit, type ExportProgress, newProgress } from '../src/export/run/index.ts';
import { PASSES } from '../src/export/steps/index.ts';
import { failuresWindow, firstWindows } from '../src/export/windows/index.ts';
import { type CarriedRun, isPending, newWork, type ReadWindow, type Work } from './remaining-work.ts';
import { tooManyWindows } from './run-errors.ts';
import { dayOf, type ExportRunInput, type NamedRunInput, namedRun } from './run-input.ts';
import { RunState } from './run-state.ts';

/** Windows that a new history continues with. They take 250 bytes each, packed 27, and Temporal refuses 2 MB. */
const WINDOWS_MAX = 60_000;

export class ExportRun {
  readonly input: NamedRunInput;
  readonly state: RunState;
  readonly progress: ExportProgress;
  readonly work: Work;
  #committing: Promise<unknown> = Promise.resolve();

  constructor(given: ExportRunInput) {
    const input = namedRun(given);
    const { run_id, lake, definition, only, started_at, carried } = input;
    this.input = input;
    this.progress = carried?.progress ?? newProgress(started_at);
    const identity = { run_id, started_at, lake, definition, workflow_id: workflowInfo().workflowId };
    if (input.lake_id !== undefined) Object.assign(identity, { lake_id: input.lake_id });
    this.state = new RunState(identity, this.progress, {
      meanwhile: () => this.#committing,
      // The plans of an earlier turn hold no more.
      onTurn: () => {
        for (const window of this.work.pending) if (isPending(window.steps)) window.is_stale = true;
      },
      carried,
      attempts: input.attempts,
    });
    if (input.by_person && !carried) this.state.expectQuota();
    // Nobody watches a scheduled run: a lake that is away for a while does not end it.
    if (carried || !input.by_person) this.state.troubles.waitForLake(carried !== undefined);
    const today = dayOf(started_at);
    this.work = carried?.work ?? newWork(only ? [failuresWindow(today)] : [...firstWindows(definition, today)]);
  }

  reference(): RunReference {
    const reference = this.state.reference();
    const { last_commit } = this.progress;
    return last_commit ? { ...reference, lake_version: last_commit.version } : reference;
  }

  /** The commit in the background, while the next windows are read or the next batch is fetched, even of another window or pass. */
  get committing(): Promise<unknown> {
    return this.#committing;
  }

  continueCommitting(commit: Promise<unknown>): void {
    this.#committing = commit;
    // The code that awaits it later gets the error. Until then it must not count as unhandled.
    commit.catch(() => {});
  }

  committed(committed: Committed | null): void {
    if (committed) addCommit(this.progress, committed, new Date().toISOString());
  }

  countPending(): void {
    const { steps } = this.progress;
    for (const pass of PASSES) {
      steps[pass].pending = this.work.pending.reduce((sum, { steps: of }) => sum + of[pass].requests, 0);
    }
    this.progress.requests_pending = PASSES.reduce((sum, pass) => sum + steps[pass].pending, 0);
  }

  /** Marks a window's pages and one of its plans as no longer needed. */
  dropWindow({ id: window, pages }: ReadWindow, plan: number): void {
    this.work.unneeded.push({ window, pages, plan });
  }

  /** A finished activity is never retried: the next commit deletes the files that only it needed. */
  clearing(): Clearing {
    const unneeded = this.work.unneeded.splice(0);
    return unneeded.length > 0 ? { unneeded } : {};
  }

  /** What an activity tells of the workers and of others that want the lake. */
  told({ workers, wanted }: { workers?: number; wanted?: true }): void {
    if (workers !== undefined) this.work.workers = workers;
    if (wanted) this.state.isWanted = true;
  }

  /** Plans windows; a plan whose turn was lost is made again under the next number. @param from the first to try */
  async planUnderFreeNumber(
    from: number,
    requestOf: (plan: number) => Pick<PlanWindowsRequest, 'batch_id' | 'windows'>,
  ): Promise<WindowsPlanned & { plan: number }> {
    let plan = from - 1;
    const planned = await this.state.inTurn(() => {
      plan++;
      return this.state.activities.planWindows({ run: this.reference(), ...requestOf(plan), ...this.clearing() });
    });
    return { plan, ...planned };
  }

  /** A long history slows every step: the run continues in a new one. */
  async continueInNewHistory(): Promise<never> {
    await this.#committing;
    await condition(allHandlersFinished);
    const windows = this.work.unread.length + this.work.pending.length;
    if (windows > WINDOWS_MAX) throw tooManyWindows(windows);
    const { definition, pauseAsked: pause_asked, turn } = this.state;
    const { lake_id } = this.reference();
    const input = lake_id === undefined ? this.input : { ...this.input, lake_id };
    const carried: CarriedRun = { work: this.work, progress: this.progress, pause_asked, turn };
    return continueAsNew<(input: ExportRunInput) => Promise<unknown>>({ ...input, definition, carried });
  }
}
