/**
 * The thread time that each key has used, for turns: the key that has used least is next (start-time fair queueing). A key that comes
 * back after a pause starts where the others are: a pause gives it no advantage.
 */
const KEYS_MAX = 10_000;
/** Until its time is known, a job counts as this. */
const STARTED_MS = 1;

export class TimeUsed {
  readonly #ms = new Map<string, number>();
  /** Of the key that had the last turn, before it */
  #floor = 0;

  of(key: string): number {
    return Math.max(this.#ms.get(key) ?? 0, this.#floor);
  }

  /** A job of the key starts. */
  start(key: string): void {
    const used = this.of(key);
    this.#floor = used;
    this.add(key, STARTED_MS);
  }

  add(key: string, ms: number): void {
    this.#ms.set(key, this.of(key) + ms);
    if (this.#ms.size <= KEYS_MAX) return;
    // Those below the floor are as if they had used nothing.
    for (const [one, used] of this.#ms) if (used <= this.#floor) this.#ms.delete(one);
  }
}
