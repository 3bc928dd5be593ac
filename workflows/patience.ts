/** How long a service that went away in mid-run is waited for: pauses that grow, until `service.patience` is over. */

/** Behind the client's own retries, which take some seconds each time. The last one is repeated. */
const WAITS_MS = [5_000, 10_000, 20_000, 40_000, 60_000, 120_000, 300_000];
/** A shorter rest of the patience is no wait. */
const WAIT_MS_MIN = 1_000;

export interface AwayWait {
  waitMs: number;
  /** When patience ends, in milliseconds. */
  until: number;
}

export class Patience {
  /** Whether the service has answered since somebody last asked it: only then is it waited for. */
  #hasAnswered: boolean;
  /** Since when, in milliseconds. */
  #awaySince: number | null = null;
  #waits = 0;

  constructor(hasAnswered: boolean) {
    this.#hasAnswered = hasAnswered;
  }

  answered(): void {
    this.#hasAnswered = true;
    this.#awaySince = null;
    this.#waits = 0;
  }

  /** Somebody says that the service is there: if it isn't, they should know within seconds. */
  startOver(): void {
    this.#hasAnswered = false;
    this.#awaySince = null;
    this.#waits = 0;
  }

  /**
   * The service is away.
   * @param now milliseconds
   * @returns the next pause; null where patience is over, or was never due
   */
  next(now: number, patienceMs: number): AwayWait | null {
    if (!this.#hasAnswered) return null;
    this.#awaySince ??= now;
    const until = this.#awaySince + patienceMs;
    if (until - now < WAIT_MS_MIN) return null;
    const waitMs = WAITS_MS[Math.min(this.#waits++, WAITS_MS.length - 1)]!;
    return { waitMs: Math.min(waitMs, until - now), until };
  }
}
