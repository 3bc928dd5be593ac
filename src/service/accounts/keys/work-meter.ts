/** Thread time by meter and month, in milliseconds, that is not written yet. It counts when it is over, so it is written in batches. */

interface Work {
  meter: number;
  month: string;
  ms: number;
}

export class WorkMeter {
  #batch = new Map<string, Work>();

  get unwritten(): ReadonlyMap<string, Work> {
    return this.#batch;
  }

  add(meter: number, month: string, ms: number): void {
    const name = `${meter} ${month}`;
    const row = this.#batch.get(name);
    if (row) row.ms += ms;
    else this.#batch.set(name, { meter, month, ms });
  }

  ms(meter: number, month: string): number {
    return this.#batch.get(`${meter} ${month}`)?.ms ?? 0;
  }

  /** Gives up the batch, to write it. */
  take(): ReadonlyMap<string, Work> {
    const taken = this.#batch;
    this.#batch = new Map();
    return taken;
  }

  /** The batch was not written. */
  putBack(batch: ReadonlyMap<string, Work>): void {
    for (const { meter, month, ms } of batch.values()) this.add(meter, month, ms);
  }
}
