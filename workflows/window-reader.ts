/** The first part of a run: every window is read, new rows of the lookup are committed, and the pending steps are found. */
import { workflowInfo } from '@temporalio/workflow';
import type { WindowRead, WindowToPlan } from '../src/export/pipeline/index.ts';
import { takeReads, type WindowOf } from '../src/export/windows/index.ts';
import type { ExportRun } from './export-run.ts';
import { isPending, type ReadWindow, windowOf } from './remaining-work.ts';

/** Windows in the input of a reading: their number goes into the history each time. */
const UNREAD_AT_A_TIME = 50;

export class WindowReader {
  readonly #run: ExportRun;

  constructor(run: ExportRun) {
    this.#run = run;
  }

  /** Reads every window, commits its rows, finds the pending steps: some are planned while the next are read. */
  async readAll(): Promise<void> {
    while (this.#run.work.unread.length > 0) {
      const { unread, filers } = this.#run.work;
      this.#run.progress.windows_left = unread.length;
      const some = unread.slice(0, UNREAD_AT_A_TIME);
      const { reads, stop } = await this.#run.state.runWithRetry(() =>
        this.#run.state.activities.readWindows({ run: this.#run.reference(), unread: some }),
      );
      const toPlan = this.#takeReads(reads);
      await this.#run.committing;
      if (toPlan.length > 0) this.#run.continueCommitting(this.#planRead(toPlan));
      this.#run.progress.windows_left = unread.length;
      if (stop) {
        await this.#run.committing;
        await this.#run.state.pauseFor(stop);
      } else await this.#run.state.giveWay();
      if (toPlan.some(({ of }) => this.#wantsFilers(of))) {
        // Filers are found by the lake's filings, so these must be committed first.
        await this.#run.committing;
        for (const { of, window: id, pages } of toPlan) {
          const done: ReadWindow = { id, pages, ...(of ? { of } : {}) };
          if (of === undefined) {
            await this.#fetchFilers(done);
            if (!this.#run.work.pending.some((window) => window.id === id)) this.#run.dropWindow(done, 1);
          } else if (of !== 'entities') filers.push(done);
        }
      }
      if (workflowInfo().continueAsNewSuggested) await this.#run.continueInNewHistory();
    }
    await this.#run.committing;
  }

  /** Entities of filings that were known only after their rows were in the lake. */
  async fetchFilers(): Promise<void> {
    for (const { filers } = this.#run.work; filers.length > 0; filers.shift()) await this.#fetchFilers(filers[0]!);
  }

  /** Removes the windows that were read from the remaining ones, and returns those read whole. */
  #takeReads(reads: readonly WindowRead[]): WindowToPlan[] {
    const toPlan: WindowToPlan[] = [];
    takeReads(this.#run.work.unread, reads).forEach((window, i) => {
      const read = reads[i]!;
      const { id, of } = window;
      const { pages, promised, found, proven } = read;
      if (read.split) {
        this.#run.dropWindow({ id, pages }, 0);
        return;
      }
      this.#countRead(of, read);
      const record = of === 'failures' ? null : { window, read: { promised, found, proven } };
      toPlan.push({ window: id, pages, plan: 1, record, ...(of ? { of } : {}) });
    });
    return toPlan;
  }

  async #planRead(windows: WindowToPlan[]): Promise<void> {
    const planned = await this.#run.planUnderFreeNumber(1, (plan) => ({
      batch_id: `plan-${windows[0]!.window}-${plan}`,
      windows: windows.map((window) => ({ ...window, plan })),
    }));
    const { plan } = planned;
    this.#run.told(planned);
    this.#run.committed(planned.committed);
    windows.forEach(({ window: id, of, pages, record }, i) => {
      const { filings = 0, known, failures, base_version, pending, lines } = planned.windows[i]!;
      this.#run.progress.filings_expected += filings;
      this.#run.progress.filings_found += filings;
      if (of !== 'entities') this.#run.progress.filings_known += known;
      this.#run.progress.failures += failures;
      const done: ReadWindow = { id, pages, ...(of ? { of } : {}) };
      if (!isPending(pending)) {
        if (of === 'entities' || !this.#wantsFilers(of)) this.#run.dropWindow(done, plan);
        return;
      }
      const since = record?.window.filter.date_from;
      // Newest first.
      const { pending: all } = this.#run.work;
      const at = all.findIndex((other) => (other.since ?? '') < (since ?? ''));
      all.splice(at < 0 ? all.length : at, 0, {
        ...done,
        ...(since !== undefined && { since }),
        plan,
        base_version,
        is_stale: false,
        steps: pending,
        deferred: 0,
        lines,
      });
    });
    this.#run.countPending();
    this.#run.state.remember();
  }

  #countRead(
    of: WindowOf | undefined,
    { promised, found, proven }: Pick<WindowRead, 'promised' | 'found' | 'proven'>,
  ): void {
    if (of === 'failures') return;
    const progress = this.#run.progress;
    progress.windows_read++;
    if (!proven) progress.windows_unproven++;
    if (of === 'entities') progress.entities_found += found;
    else if (of === undefined) {
      progress.filings_expected += promised;
      progress.filings_found += found;
    }
  }

  /** Whether entities are requested by their CIKs after a window: those of its filings, or those that failed before. */
  #wantsFilers(of?: WindowOf): boolean {
    const { tables, select } = this.#run.state.definition;
    return tables.includes('entities') && (select.entities !== 'query' || of === 'failures');
  }

  async #fetchFilers(window: ReadWindow): Promise<void> {
    for (let plan = 1; ; ) {
      const entities = await this.#run.state.inTurn(() =>
        this.#run.state.runWithRetry(() =>
          this.#run.state.activities.fetchEntities({
            run: this.#run.reference(),
            ...windowOf(window),
            plan: plan++,
            ...this.#run.clearing(),
          }),
        ),
      );
      this.#run.work.unneeded.push({ batch: entities.batch_id });
      this.#run.committed(entities.committed);
      this.#run.progress.failures += entities.missing;
      if (entities.stop === null) return;
      await this.#run.state.pauseFor(entities.stop);
    }
  }
}
