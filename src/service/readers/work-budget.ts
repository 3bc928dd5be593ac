/** Limits the rows that a look-up on the main thread may read. Rows, not time: a busy machine must not change which way a request takes. */

/** The look-up reads too many rows for the main thread. */
export class TooManyRows extends Error {
  override name = 'TooManyRows';
}

export class WorkBudget {
  #most = Number.POSITIVE_INFINITY;
  #spent = 0;

  /** The catalog calls it for about each sixteenth row, as its `stillWanted`. @throws TooManyRows */
  readonly spend = (): void => {
    if (++this.#spent > this.#most) throw new TooManyRows();
  };

  /** Calls of `spend` during the latest work. */
  get spent(): number {
    return this.#spent;
  }

  /** @param calls of `spend` that `work` may cause */
  within<T>(calls: number, work: () => T): T {
    this.#most = calls;
    this.#spent = 0;
    try {
      return work();
    } finally {
      this.#most = Number.POSITIVE_INFINITY;
    }
  }
}
