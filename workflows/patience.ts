/**
 * How long to wait for a service or a lake that becomes unreachable during a run: growing pauses, until `service.patience` is over. After
 * that, and for an operation that fails for everything, the waits are longer, unless `resume` comes first.
 */

/** After the client's own retries, which take some seconds each time. The last pause is repeated. */
const WAITS_MS = [5_000, 10_000, 20_000, 40_000, 60_000, 120_000, 300_000];
const LATER_MS = [60_000, 300_000, 900_000, 3_600_000];
/** A shorter remainder is not waited for. */
const WAIT_MS_MIN = 1_000;

interface AwayWait {
  waitMs: number;
  /** When the patience ends, in milliseconds. */
  until: number;
}

export class Patience {
  /** Whether the service has answered since a person last reported that it works. Only then does the run wait for it. */
  #hasAnswered: boolean;
  /** Since when, in milliseconds. */
  #awaySince: number | null = null;
  #waits = 0;
  #laterWaits = 0;

  constructor(hasAnswered: boolean) {
    this.#hasAnswered = hasAnswered;
  }

  /** @param hasAnswered false: a person reports that the service works again. If it doesn't, the person should see that within seconds */
  answered(hasAnswered = true): void {
    this.#hasAnswered = hasAnswered;
    this.#awaySince = null;
    this.#waits = 0;
    this.#laterWaits = 0;
  }

  /** @param now milliseconds @returns the next pause; null if the patience is over, or doesn't apply */
  next(now: number, patienceMs: number): AwayWait | null {
    if (!this.#hasAnswered) return null;
    this.#awaySince ??= now;
    const until = this.#awaySince + patienceMs;
    if (until - now < WAIT_MS_MIN) return null;
    const waitMs = WAITS_MS[Math.min(this.#waits++, WAITS_MS.length - 1)]!;
    return { waitMs: Math.min(waitMs, until - now), until };
  }

  /** The patience is over, or one operation fails. @returns the next wait */
  later(): number {
    return LATER_MS[Math.min(this.#laterWaits++, LATER_MS.length - 1)]!;
  }
}
