/** What activities work with: the worker's key, the lakes it has open, the way to the budget of the key, and the heartbeat. */
import { type Lake, lakeReplaced, openLake } from '../lake/index.ts';
import type { JobContext } from './job-context.ts';
import type { PagesReadLast, Plans } from './plan/staged-files.ts';
import type { BudgetPort, CompactionPort } from './ports.ts';

/** What a worker gives to all its activities. */
export interface WorkerDependencies {
  /** Of the worker's environment; in no input, history, heartbeat or log. */
  apiKey: string;
  budget: BudgetPort;
  compactions: CompactionPort;
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

/** What one call of the engine works with. */
export interface Dependencies extends WorkerDependencies, JobContext {}

/** Where a lake lies, and which it is to be; without `lake_id` any will do. */
interface LakePlace {
  /** Absolute folder. */
  readonly lake: string;
  readonly lake_id?: string;
  /** A version that it has had: an older copy has it no more. */
  readonly lake_version?: number;
}

/** Lakes that this worker has open: opening one reads its log. */
export class Lakes {
  readonly #open = new Map<string, Promise<Lake>>();
  /** Lakes that others have taken the place of: somebody may still be reading them. */
  readonly #replaced: Promise<Lake>[] = [];

  /**
   * The lake of a run that has begun: it is never made here, since a worker that doesn't see it would go on with an empty one.
   * @throws FilinglakeError `lake-missing`, `lake-replaced`, `lake-unwritable`, `lake-newer`, …
   */
  async at({ lake: folder, lake_id, lake_version }: LakePlace): Promise<Lake> {
    const lake = await this.#at(folder, false);
    if (lake_id !== undefined && lake.id !== lake_id) throw lakeReplaced(folder);
    if (lake_version !== undefined && (await lake.currentVersion()) < lake_version) throw lakeReplaced(folder);
    return lake;
  }

  /** The lake that a run begins with: made if there is none. @throws FilinglakeError `lake-unwritable`, `lake-newer`, … */
  openOrMake({ lake }: Pick<LakePlace, 'lake'>): Promise<Lake> {
    return this.#at(lake, true);
  }

  async #at(folder: string, create: boolean): Promise<Lake> {
    const open = this.#open.get(folder);
    // Somebody may have removed, restored or replaced the folder since the last activity.
    if (open && (await (await open).isStillThere())) return open;
    // Of several that find it gone, the first opens it anew.
    const others = this.#open.get(folder);
    if (others && others !== open) return others;
    if (open) this.#replaced.push(open);
    const lake = openLake(folder, { create });
    this.#open.set(folder, lake);
    // A lake that couldn't be opened is tried again by the next attempt.
    lake.catch(() => this.#open.delete(folder));
    return lake;
  }

  async close(): Promise<void> {
    const lakes = [...this.#open.values(), ...this.#replaced];
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
