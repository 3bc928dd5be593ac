/** The day of each key's last request: an owner sees which key nobody uses. Written in batches. */

const KEYS_MAX = 10_000;

export class KeyUses {
  /** The day that is written, by key */
  readonly #known = new Map<number, string>();
  #batch = new Map<number, string>();

  get unwritten(): ReadonlyMap<number, string> {
    return this.#batch;
  }

  /** @param day `YYYY-MM-DD`, UTC */
  note(key: number, day: string): void {
    if (this.#known.get(key) !== day) this.#batch.set(key, day);
  }

  /** @param batch what `unwritten` was */
  written(batch: ReadonlyMap<number, string>): void {
    if (this.#known.size > KEYS_MAX) this.#known.clear();
    for (const [key, day] of batch) {
      this.#known.set(key, day);
      if (this.#batch.get(key) === day) this.#batch.delete(key);
    }
  }
}
