/** How long a service that went away is waited for. */
import { describe, expect, it } from 'vitest';
import { Patience } from '../../../../workflows/patience.ts';

const HOUR_MS = 3_600_000;

/** Waits until patience is over. @returns the pauses in seconds, by a clock that only the pauses move */
function waitsOf(patience: Patience, patienceMs: number, start = 0): { seconds: number[]; endedAt: number } {
  const seconds: number[] = [];
  let now = start;
  for (;;) {
    const wait = patience.next(now, patienceMs);
    if (wait === null) return { seconds, endedAt: now };
    expect(wait.until).toBe(start + patienceMs);
    seconds.push(wait.waitMs / 1_000);
    now += wait.waitMs;
  }
}

describe('patience with a service', () => {
  it('is none before the service has answered', () => {
    expect(new Patience(false).next(0, HOUR_MS)).toBeNull();
  });

  it('waits longer each time, and as long as was asked in all', () => {
    const patience = new Patience(false);
    patience.answered();
    const { seconds, endedAt } = waitsOf(patience, HOUR_MS, 5_000);
    expect(seconds.slice(0, 8)).toEqual([5, 10, 20, 40, 60, 120, 300, 300]);
    expect(endedAt).toBe(5_000 + HOUR_MS);
  });

  it('starts again with each answer', () => {
    const patience = new Patience(true);
    expect(waitsOf(patience, 60_000).seconds).toEqual([5, 10, 20, 25]);
    patience.answered();
    expect(waitsOf(patience, 60_000, 90_000).seconds).toEqual([5, 10, 20, 25]);
  });

  it('is over once it has ended, however often the service is tried', () => {
    const patience = new Patience(true);
    const { endedAt } = waitsOf(patience, 60_000);
    expect(patience.next(endedAt + HOUR_MS, 60_000)).toBeNull();
  });

  it('is none if a person says that the service works and it does not', () => {
    const patience = new Patience(true);
    patience.next(0, HOUR_MS);
    patience.answered(false);
    expect(patience.next(1, HOUR_MS)).toBeNull();
  });

  it('may be none at all', () => {
    expect(new Patience(true).next(0, 0)).toBeNull();
  });
});
