/** The clock of the database, by which all servers begin a month together. */

/** Two clocks can't be compared more exactly on a busy machine. */
const ERROR_MS = 100;
const HOLDS_MS = 60_000;

export class DatabaseClock {
  /** How far it is ahead of this machine's */
  #known = { aheadMs: 0, roundTripMs: Number.POSITIVE_INFINITY, readAt: 0 };

  /** @param at what the database said, in milliseconds. @param sentAt when it was asked, by Date.now() */
  note(at: number, sentAt: number): void {
    const [now, readAt] = [Date.now(), performance.now()];
    const roundTripMs = now - sentAt;
    // The quickest answer of a minute tells the time best.
    if (roundTripMs > this.#known.roundTripMs && readAt - this.#known.readAt < HOLDS_MS) return;
    const aheadMs = Math.round(at - (sentAt + now) / 2);
    this.#known = { roundTripMs, readAt, aheadMs: Math.abs(aheadMs) > ERROR_MS ? aheadMs : 0 };
  }

  timeOf(now: Date): Date {
    return new Date(now.getTime() + this.#known.aheadMs);
  }
}
