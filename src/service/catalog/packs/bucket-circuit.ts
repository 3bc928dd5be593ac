/**
 * Whether the bucket of moved packs is asked at all. If it did not answer some requests in a row, the next ones fail at once, but for
 * one every few seconds: readers that wait for a bucket answer nobody. All threads of a process share the state.
 */
import { sharedNumbers } from './shared-numbers.ts';

/** Failures in a row after which the bucket counts as away. */
export const FAILURES_MAX = 3;
/** An answer that takes longer is a failure. S3 answers a range of a pack in 20 to 200 ms. */
export const SLOW_MS = 2_000;
/** Between two requests to a bucket that is away. The service's `Retry-After` says the same. */
export const AWAY_MS = 5_000;

const [FAILURES, NEXT_AT_MS] = [0, 1];
const state = sharedNumbers('filinglake: the bucket of packs', 2);

export const bucketCircuit = {
  isAway: (): boolean => Atomics.load(state, FAILURES) >= FAILURES_MAX,

  /** Whether to send a request now. While the bucket is away, the first to ask in a while may try it. */
  mayAsk(): boolean {
    if (!this.isAway()) return true;
    const now = Date.now();
    const next = Atomics.load(state, NEXT_AT_MS);
    const isDue = now >= Number(next);
    return isDue && Atomics.compareExchange(state, NEXT_AT_MS, next, BigInt(now + AWAY_MS)) === next;
  },

  answered(): void {
    Atomics.store(state, FAILURES, 0n);
  },

  failed(): void {
    if (Atomics.add(state, FAILURES, 1n) + 1n >= FAILURES_MAX)
      Atomics.store(state, NEXT_AT_MS, BigInt(Date.now() + AWAY_MS));
  },

  /** The request was given up before it could fail: another may try. */
  unproven(): void {
    Atomics.store(state, NEXT_AT_MS, 0n);
  },
};
