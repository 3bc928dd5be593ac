/** What activities work with: the worker's key, the lakes it has open, the way to the budget of the key, and the heartbeat. */
import { type Lake, openLake } from '../../src/lake/index.ts';
import type { CompactionOffice } from '../lake/compaction-office.ts';
import type { BudgetOffice } from './budget-office.ts';
import type { Pulse } from './pulse.ts';
import type { PagesReadLast, Plans } from './staged.ts';

/** What a worker gives to all its activities. */
export interface WorkerDependencies {
  /** Of the worker's environment; in no input, history, heartbeat or log. */
  apiKey: string;
  budget: BudgetOffice;
  compactions: CompactionOffice;
  /** How long a step of a compaction begins new parts, in milliseconds. */
  compactionBoxMs: number;
  lakes: Lakes;
  pages: PagesReadLast;
  plans: Plans;
  /** How long a batch takes filings, in milliseconds. */
  batchMs: number;
  /** Aborted when the worker is about to end: batches end early, and what is left of them is another worker's. */
  leaving: AbortSignal;
  busy: Busy;
}

export interface Dependencies extends WorkerDependencies {
  pulse: Pulse;
}

/** Lakes that this worker has open: opening one reads its log. */
export class Lakes {
  readonly #open = new Map<string, Promise<Lake>>();

  /** @throws FilinglakeError `lake-unwritable`, `lake-newer`, … */
  at(folder: string): Promise<Lake> {
    let lake = this.#open.get(folder);
    if (!lake) {
      lake = openLake(folder, { create: true });
      this.#open.set(folder, lake);
      // A lake that couldn't be opened is tried again by the next attempt.
      lake.catch(() => this.#open.delete(folder));
    }
    return lake;
  }

  async close(): Promise<void> {
    const lakes = [...this.#open.values()];
    this.#open.clear();
    for (const lake of lakes) await (await lake).close();
  }
}

/** How many activities are at work: a worker that leaves waits for them, since their last word is an update that it must itself serve. */
export class Busy {
  #count = 0;
  #idle: (() => void)[] = [];

  enter(): () => void {
    this.#count++;
    return () => {
      this.#count--;
      if (this.#count === 0) for (const settle of this.#idle.splice(0)) settle();
    };
  }

  untilIdle(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((settle) => this.#idle.push(settle));
  }
}
