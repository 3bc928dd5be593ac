/** The clock of the process, and pauses. Tests pass another clock, with which thirty days take seconds. */
import { setTimeout } from 'node:timers/promises';
import { easternTime as easternText } from '../../filings/api/index.ts';

export interface Clock {
  /** Milliseconds since 1970, as `Date.now()` */
  now(): number;
  /** Milliseconds of a counter that all processes of the machine share, and that can't be set */
  monotonic(): number;
  /** @throws the signal's reason when it is raised */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node fires longer timers at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  async sleep(ms, signal) {
    await setTimeout(Math.min(Math.max(0, ms), TIMER_MS_MAX), undefined, signal ? { signal } : undefined);
  },
};

/** EDGAR's days and hours are Eastern: `{date: '2025-12-12', hour: 18, minute: 3}`. */
export function easternTime(ms: number): { date: string; hour: number; minute: number } {
  const text = easternText(ms);
  return { date: text.slice(0, 10), hour: Number(text.slice(11, 13)), minute: Number(text.slice(14, 16)) };
}
