/** A queue of jobs in which the keys take turns, one job each, however many jobs a key has. */

export class FairLine<Job extends { readonly key: string }> {
  /** Keys with jobs, in the order of their turns. */
  readonly #jobs = new Map<string, Job[]>();
  #length = 0;

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
    for (const [key, line] of this.#jobs) {
      if (!allowed(key)) continue;
      const job = line.shift()!;
      this.#jobs.delete(key);
      if (line.length > 0) this.#jobs.set(key, line);
      this.#length--;
      return job;
    }
    return undefined;
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
