/** Filings that another window of the run has planned already: a filing in two windows is requested once. */
import type { Lake } from '../../../lake/index.ts';
import { NAME_CUTS_MAX, otherHalvesBefore } from '../../windows/index.ts';
import { readFirstNumbers } from '../staging/staged-files.ts';
import type { RunReference, WindowToPlan } from '../types.ts';

export class AlreadyPlanned {
  readonly #lake: Lake;
  readonly #run: RunReference;
  /** Windows whose numbers are in `#numbers`, or are added by `add`. */
  readonly #looked: Set<string>;
  readonly #numbers = new Set<string>();

  /** @param together the windows that are planned together */
  constructor(lake: Lake, run: RunReference, together: readonly WindowToPlan[]) {
    this.#lake = lake;
    this.#run = run;
    this.#looked = new Set(together.map(({ window }) => window));
  }

  /** Adds the pending filings of one window. */
  add(numbers: readonly string[]): void {
    for (const number of numbers) this.#numbers.add(number);
  }

  /**
   * Accession numbers that earlier windows have planned: those of this plan, since a filing may have moved between them while they
   * were read; and those split by names, which share filings with several parties. Other windows, perhaps thousands, need no check.
   */
  async of({ window, of, record }: WindowToPlan): Promise<ReadonlySet<string>> {
    if (record === null || (of !== undefined && of !== 'hits')) return this.#numbers;
    const { select } = this.#run.definition;
    for (const half of otherHalvesBefore(window, record.window.filter.entity_query, select.entity_query))
      await this.#lookThrough(half, NAME_CUTS_MAX);
    return this.#numbers;
  }

  /** A window that was planned, or the halves that it was split into. */
  async #lookThrough(window: string, cutsLeft: number): Promise<void> {
    if (this.#looked.has(window)) return;
    this.#looked.add(window);
    const numbers = await readFirstNumbers(this.#lake, this.#run.run_id, window);
    if (numbers !== null) this.add(numbers);
    else if (cutsLeft > 0) for (const half of [1, 2]) await this.#lookThrough(`${window}-${half}`, cutsLeft - 1);
  }
}
