/** The dependencies of activities: the worker's key, its open lakes, the budget of the key, the heartbeat. */
import { type Lake, openLake } from '../../../lake/index.ts';
import type { JobContext } from '../job-context.ts';
import type { BudgetPort, FitnessPort, RunsPort } from '../ports.ts';
import type { SentByRuns } from '../sent-by-runs.ts';
import type { PagesReadLast, PlansReadLast } from '../staging/staged-files.ts';

/** What a worker gives to all its activities. */
export interface WorkerDependencies {
  /** From the worker's environment; never in an input, history, heartbeat or log. */
  apiKey: string;
  /** The address of a definition's service: its own, or that of a catalog's service in this process. */
  addressOf: (baseUrl: string) => Promise<string>;
  budget: BudgetPort;
  runs: RunsPort;
  /** Number of small parts of a table above which a commit compacts the lake; 0: never. */
  compactParts: number;
  /** For how long a compaction after a commit starts new parts, in milliseconds. */
  compactionBoxMs: number;
  lakes: Lakes;
  pages: PagesReadLast;
  plans: PlansReadLast;
  sent: SentByRuns;
  /** For how long a batch takes new filings, in milliseconds. */
  batchMs: number;
  /** Aborted when the worker is about to end: batches end early, and another worker does the rest. */
  leaving: AbortSignal;
  busy: Busy;
  /** How many workers may fetch batches of a run at the same time. Absent: one. */
  fetchers?: () => Promise<number>;
  /** Absent: each failure is the run's. */
  fitness?: FitnessPort;
}

/** The dependencies of one call of the engine. */
export interface Dependencies extends WorkerDependencies, JobContext {}

/** Place and identity of a lake. Without `lake_id` any lake is accepted. */
interface LakePlace {
  /** Absolute folder or URL. */
  readonly lake: string;
  readonly lake_id?: string;
  /** A version that the lake had before. An older copy doesn't have it. */
  readonly lake_version?: number;
}

/** Lakes that this worker has open: opening one reads its log. */
export class Lakes {
  readonly #open = new Map<string, Promise<Lake>>();
  /** Lakes that were replaced in this map: somebody may still be reading them. */
  readonly #replaced: Promise<Lake>[] = [];

  /**
   * The lake of a run that has started. It is never created here: a worker that can't see it would continue with an empty one.
   * @throws FilinglakeError `lake-missing`, `lake-replaced`, `lake-unwritable`, `lake-newer`, …
   */
  async at({ lake: folder, lake_id, lake_version }: LakePlace): Promise<Lake> {
    const lake = await this.#at(folder, false);
    if (lake_id !== undefined || lake_version !== undefined)
      await lake.refuseOther({ id: lake_id, version: lake_version });
    return lake;
  }

  /** The lake at the start of a run: created if it does not exist. @throws FilinglakeError `lake-unwritable`, `lake-newer`, … */
  openOrMake({ lake }: Pick<LakePlace, 'lake'>): Promise<Lake> {
    return this.#at(lake, true);
  }

  async #at(folder: string, create: boolean): Promise<Lake> {
    const open = this.#open.get(folder);
    // Somebody may have removed, restored or replaced the folder since the last activity.
    if (open && (await (await open).isStillThere())) return open;
    // If several callers find it gone, the first one opens it again.
    const others = this.#open.get(folder);
    if (others && others !== open) return others;
    if (open) this.#replaced.push(open);
    const lake = openLake(folder, { create });
    this.#open.set(folder, lake);
    // The next attempt tries again to open a lake that could not be opened.
    lake.catch(() => this.#open.delete(folder));
    return lake;
  }

  /** The next activity opens the lake again: with the credentials that are there then. */
  reopen(folder: string): void {
    const open = this.#open.get(folder);
    this.#open.delete(folder);
    if (open) this.#replaced.push(open);
  }

  async close(): Promise<void> {
    const lakes = [...this.#open.values(), ...this.#replaced];
    this.#open.clear();
    // One that could not be opened needs no end.
    for (const lake of lakes) await (await lake.catch(() => null))?.close();
  }
}

/** Active activities. A worker that shuts down waits for them: they end with an update that it must serve. */
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
