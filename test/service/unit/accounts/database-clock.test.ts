/** The time of the database, whatever this machine's clock says. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DatabaseClock } from '../../../../src/service/accounts/postgres/database-clock.ts';

const DAY_MS = 86_400_000;
/** True time at the begin; the monotonic clock continues from it. */
const BEGIN = Date.UTC(2026, 0, 31, 23, 0);

let monotonicMs = 0;
/** By how much this machine's time of day is wrong */
let wrongMs = 0;

beforeEach(() => {
  [monotonicMs, wrongMs] = [0, 0];
  vi.spyOn(performance, 'now').mockImplementation(() => monotonicMs);
  vi.spyOn(Date, 'now').mockImplementation(() => BEGIN + monotonicMs + wrongMs);
});
afterEach(() => void vi.restoreAllMocks());

const off = (clock: DatabaseClock) => clock.timeOf(new Date(Date.now())).getTime() - (BEGIN + monotonicMs);
/** Asks a database, which answers halfway. */
function ask(clock: DatabaseClock, tookMs: number, aheadMs = 0): void {
  const sentAt = monotonicMs;
  monotonicMs += tookMs;
  clock.note(BEGIN + aheadMs + sentAt + tookMs / 2, sentAt);
}

it.each([-DAY_MS, -3_600_000, 3_600_000, DAY_MS])('is known with a clock that is wrong by %i ms', (wrong) => {
  wrongMs = wrong;
  const clock = new DatabaseClock();
  expect(off(clock)).toBe(wrong);
  ask(clock, 20);
  expect(off(clock)).toBe(0);
  monotonicMs += 10 * DAY_MS;
  expect(off(clock)).toBe(0);
});

it('does not jump with the clock, back or forth, before the next answer of the database', () => {
  const clock = new DatabaseClock();
  ask(clock, 20);
  for (const wrong of [-DAY_MS, 3 * DAY_MS, -3_600_000, 0]) {
    wrongMs = wrong;
    expect(off(clock)).toBe(0);
  }
});

it('leaves a time as it is where the clocks agree to a tenth of a second', () => {
  const clock = new DatabaseClock();
  ask(clock, 20, 90);
  const fixed = new Date(Date.UTC(2020, 0, 1));
  expect(clock.timeOf(fixed)).toBe(fixed);
});

it('is known best from the quickest answer, and at once by one that contradicts it', () => {
  wrongMs = DAY_MS;
  const clock = new DatabaseClock();
  ask(clock, 10);
  // A slow answer is exact to a second.
  ask(clock, 2_000, 900);
  expect(off(clock)).toBe(0);
  // The database's clock was set, or the machine slept.
  ask(clock, 2_000, -3_600_000);
  expect(off(clock)).toBe(-3_600_000);
  ask(clock, 10, -3_600_000);
  expect(off(clock)).toBe(-3_600_000);
});
