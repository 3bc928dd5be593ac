/** What a run owes already when another of its windows is planned: a filing that stands in two of them is asked for once. */
import { NAME_CUTS_MAX, otherHalvesBefore } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';
import type { RunReference, WindowToPlan } from '../types.ts';
import { readFirstNumbers } from './staged-files.ts';

export class AlreadyPlanned {
  readonly #lake: Lake;
  readonly #run: RunReference;
  /** Windows whose lines are in `#numbers`, or come there by `add`. */
  readonly #looked: Set<string>;
  readonly #numbers = new Set<string>();

  /** @param together the windows that are planned together */
  constructor(lake: Lake, run: RunReference, together: readonly WindowToPlan[]) {
    this.#lake = lake;
    this.#run = run;
    this.#looked = new Set(together.map(({ window }) => window));
  }

  /** Tells what one of them owes. */
  add(numbers: readonly string[]): void {
    for (const number of numbers) this.#numbers.add(number);
  }

  /**
   * Accession numbers that are owed by windows before this one: by those planned together with it, where a filing may have moved from one to
   * the other while they were read, and by those that names were cut into, which share the filings with parties in both. Of others, which may
   * be thousands, none is looked through.
   */
  async of({ window, of, record }: WindowToPlan): Promise<ReadonlySet<string>> {
    if (record === null || (of !== undefined && of !== 'hits')) return this.#numbers;
    const { select } = this.#run.definition;
    for (const half of otherHalvesBefore(window, record.window.filter.entity_query, select.entity_query))
      await this.#lookThrough(half, NAME_CUTS_MAX);
    return this.#numbers;
  }

  /** A window that was planned, or the halves that it was cut into. */
  async #lookThrough(window: string, cutsLeft: number): Promise<void> {
    if (this.#looked.has(window)) return;
    this.#looked.add(window);
    const numbers = await readFirstNumbers(this.#lake, this.#run.run_id, window);
    if (numbers !== null) this.add(numbers);
    else if (cutsLeft > 0) for (const half of [1, 2]) await this.#lookThrough(`${window}-${half}`, cutsLeft - 1);
  }
}
