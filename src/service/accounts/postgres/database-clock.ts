/**
 * The clock of the database, which all servers share. Between two readings this machine's monotonic clock continues it: its time of
 * day may be wrong, and may jump.
 */

/** SQL: milliseconds since 1970 */
export const TIME = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';
/** Two clocks can't be compared more exactly on a busy machine. */
const ERROR_MS = 100;
const HOLDS_MS = 60_000;

export class DatabaseClock {
  /** `readAt` by performance.now() */
  #reading: { at: number; readAt: number; errorMs: number } | null = null;

  /** @param at what the database said, in milliseconds. @param sentAt when it was asked, by performance.now() */
  note(at: number, sentAt: number): void {
    const errorMs = (performance.now() - sentAt) / 2;
    const readAt = sentAt + errorMs;
    const known = this.#reading;
    if (known !== null) {
      const differMs = Math.abs(known.at + readAt - known.readAt - at);
      // A clock of the database that was set, another database, or a machine that slept.
      const isWrong = differMs > errorMs + known.errorMs + ERROR_MS;
      // The quickest answer of a minute tells the time best.
      if (!isWrong && errorMs > known.errorMs && readAt - known.readAt < HOLDS_MS) return;
    }
    this.#reading = { at, readAt, errorMs };
  }

  /** @param now by the clock of this machine */
  timeOf(now: Date): Date {
    if (this.#reading === null) return now;
    const { at, readAt } = this.#reading;
    const aheadMs = Math.round(at + performance.now() - readAt - Date.now());
    return Math.abs(aheadMs) > ERROR_MS ? new Date(now.getTime() + aheadMs) : now;
  }
}
