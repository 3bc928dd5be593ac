/** A queue of jobs in which the keys take turns, however many jobs a key has: the one that has used least time is next. */
import { TimeUsed } from './time-used.ts';

export class FairLine<Job extends { readonly key: string }> {
  /** Keys with jobs, in the order of their turns. */
  readonly #jobs = new Map<string, Job[]>();
  readonly #used: TimeUsed;
  #length = 0;

  /** @param used by key. Without it, each key has one job a turn */
  constructor(used = new TimeUsed()) {
    this.#used = used;
  }

  get length(): number {
    return this.#length;
  }

  lengthOf(key: string): number {
    return this.#jobs.get(key)?.length ?? 0;
  }

  push(job: Job): void {
    const line = this.#jobs.get(job.key);
    if (line) line.push(job);
    else this.#jobs.set(job.key, [job]);
    this.#length++;
  }

  /** The next job of the first allowed key in turn. Undefined: no job waits, or no key is allowed. */
  take(allowed: (key: string) => boolean = () => true): Job | undefined {
    let next: string | undefined;
    for (const key of this.#jobs.keys()) {
      if ((next === undefined || this.#used.of(key) < this.#used.of(next)) && allowed(key)) next = key;
    }
    if (next === undefined) return undefined;
    const line = this.#jobs.get(next)!;
    const job = line.shift()!;
    // Among equals, those that waited longest come first.
    this.#jobs.delete(next);
    if (line.length > 0) this.#jobs.set(next, line);
    this.#length--;
    this.#used.start(next);
    return job;
  }

  remove(job: Job): boolean {
    const line = this.#jobs.get(job.key);
    const at = line?.indexOf(job) ?? -1;
    if (at < 0) return false;
    line!.splice(at, 1);
    if (line!.length === 0) this.#jobs.delete(job.key);
    this.#length--;
    return true;
  }

  /** All jobs, taken out. */
  drain(): Job[] {
    const all = [...this.#jobs.values()].flat();
    this.#jobs.clear();
    this.#length = 0;
    return all;
  }

  *[Symbol.iterator](): Generator<Job> {
    for (const line of this.#jobs.values()) yield* line;
  }
}
