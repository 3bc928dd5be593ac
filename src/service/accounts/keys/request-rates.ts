/** Requests a second by meter, as a bucket that fills with time. */

/** A bucket holds the requests of this time: pages of a program come in bursts. */
const BUCKET_SECONDS = 5;
const METERS_MAX = 10_000;

export class RequestRates {
  readonly #buckets = new Map<number, { left: number; at: number }>();

  /** @param perSecond undefined: no limit. @returns false: too many */
  take(meter: number, perSecond: number | undefined, now: Date): boolean {
    if (perSecond === undefined) return true;
    const most = Math.max(1, perSecond * BUCKET_SECONDS);
    const at = now.getTime();
    const before = this.#buckets.get(meter) ?? { left: most, at };
    const left = Math.min(most, before.left + (Math.max(0, at - before.at) / 1_000) * perSecond);
    const isTaken = left >= 1;
    // The oldest bucket is full by now, or nearly.
    if (this.#buckets.size >= METERS_MAX) this.#buckets.delete(this.#buckets.keys().next().value!);
    this.#buckets.delete(meter);
    this.#buckets.set(meter, { left: isTaken ? left - 1 : left, at });
    return isTaken;
  }
}
