/** A clock that runs only while everybody sleeps: thirty days take as long as their requests. */
import type { Clock } from '../../../src/service/edgar-sync/clock.ts';

interface Sleeper {
  until: number;
  wake: () => void;
}

export class SimulatedClock implements Clock {
  #now: number;
  readonly #sleepers: Sleeper[] = [];
  #isRunning = false;
  /** Called with each step of time. */
  onTime: (now: number) => void = () => {};

  constructor(start: string) {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  /** Time that passes while nobody is awake: a machine that sleeps. */
  jump(ms: number): void {
    this.#now += ms;
    this.onTime(this.#now);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((settle, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      this.#sleepers.push({ until: this.#now + Math.max(0, ms), wake: settle });
      if (!this.#isRunning) this.#run();
    });
  }

  /** The next sleeper wakes once the event loop has been idle for a moment. */
  #run(): void {
    this.#isRunning = true;
    setTimeout(() => {
      this.#sleepers.sort((a, b) => a.until - b.until);
      const next = this.#sleepers.shift();
      if (next) {
        if (next.until > this.#now) {
          this.#now = next.until;
          this.onTime(this.#now);
        }
        next.wake();
      }
      if (this.#sleepers.length > 0) this.#run();
      else this.#isRunning = false;
    }, 1);
  }
}
