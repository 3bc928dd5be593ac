/** A run as all its parts work on it: what is left to do, how far it is, and the commit that goes on meanwhile. */
import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { Clearing, Committed, RunReference } from '../activities/index.ts';
import {
  addCommit,
  type ExportProgress,
  failuresWindow,
  firstWindows,
  newProgress,
  PASSES,
} from '../src/export/index.ts';
import { dayOf, type ExportRunInput, type NamedRunInput, namedRun } from './run-input.ts';
import { RunState } from './run-state.ts';
import { type CarriedRun, newWork, type ReadWindow, type Work } from './work.ts';

export class RunInHand {
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
    this.state = new RunState(identity, this.progress, carried?.pause_asked ?? false);
    if (input.by_person && !carried) this.state.believe();
    this.state.beforeStandingStill(() => this.#committing);
    const today = dayOf(started_at);
    this.work = carried?.work ?? newWork(only ? [failuresWindow(today)] : firstWindows(definition, today));
  }

  reference(): RunReference {
    const reference = this.state.reference();
    const { last_commit } = this.progress;
    return last_commit ? { ...reference, lake_version: last_commit.version } : reference;
  }

  /** The commit that goes on while the next windows are read or the next batch is fetched, be it of another window or pass. */
  get committing(): Promise<unknown> {
    return this.#committing;
  }

  goOnCommitting(commit: Promise<unknown>): void {
    this.#committing = commit;
    // Whoever awaits it later gets the error; until then it is nobody's.
    commit.catch(() => {});
  }

  committed(committed: Committed | null): void {
    if (committed) addCommit(this.progress, committed, new Date().toISOString());
  }

  countOwed(): void {
    const { steps } = this.progress;
    for (const pass of PASSES) {
      steps[pass].owed = this.work.owing.reduce((sum, { owed }) => sum + owed[pass].requests, 0);
    }
    this.progress.requests_owed = PASSES.reduce((sum, pass) => sum + steps[pass].owed, 0);
  }

  /** Its pages, and one of its plans, are not needed any more. */
  dropWindow({ id: window, pages }: ReadWindow, plan: number): void {
    this.work.unneeded.push({ window, pages, plan });
  }

  /** An activity that has ended is not tried again: what it alone needed goes with the next that commits. */
  clearing(): Clearing {
    const unneeded = this.work.unneeded.splice(0);
    return unneeded.length > 0 ? { unneeded } : {};
  }

  /** A long history slows every step: the rest of the run goes on in a new one. */
  async handOn(): Promise<never> {
    await this.#committing;
    await condition(allHandlersFinished);
    const { definition, pauseAsked: pause_asked } = this.state;
    const { lake_id } = this.reference();
    const input = lake_id === undefined ? this.input : { ...this.input, lake_id };
    const carried: CarriedRun = { work: this.work, progress: this.progress, pause_asked };
    return continueAsNew<(input: ExportRunInput) => Promise<unknown>>({ ...input, definition, carried });
  }
}
