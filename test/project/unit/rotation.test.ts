import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secondsOf } from '../../support/durations.ts';
import { GROUPS, rotated, runNumber } from '../../support/rotation.ts';

const FILES = globSync('test/*/slow/**/*.test.ts', { cwd: join(import.meta.dirname, '../../..') }).map((file) =>
  file.replaceAll('\\', '/'),
);

/** What `.ci/run` leaves of its hour, if all that comes before takes twice as long as it should. */
const SECONDS = 30 * 60;
/** Two cores run four: one less here, so that files which take longer than stated have room. */
const AT_A_TIME = 3;

/** The files that a run with a time limit runs: each starts when a worker is free, if its seconds are left. */
function runWithin(order: readonly string[], seconds: number): string[] {
  const free = Array.from({ length: AT_A_TIME }, () => 0);
  return order.filter((file) => {
    const worker = free.indexOf(Math.min(...free));
    const end = free[worker]! + secondsOf(file);
    if (end > seconds) return false;
    free[worker] = end;
    return true;
  });
}

const missing = (runs: readonly number[]) => {
  const run = new Set(runs.flatMap((number) => runWithin(rotated(FILES, number), SECONDS)));
  return FILES.filter((file) => !run.has(file));
};

describe('the order of slow files', () => {
  it('runs every file within any four runs whose numbers follow each other', () => {
    expect(FILES.length).toBeGreaterThan(100);
    for (let run = 20_000; run < 20_000 + GROUPS; run++) expect(missing([run, run + 1, run + 2, run + 3])).toEqual([]);
  });

  it('runs every file within seven days of which any two in a row are skipped', () => {
    for (let skipped = 0; skipped < 6; skipped++) {
      expect(missing([0, 1, 2, 3, 4, 5, 6].filter((day) => day !== skipped && day !== skipped + 1))).toEqual([]);
    }
  });

  it('has each file once, in the same order for the same number', () => {
    expect(rotated(FILES, 3).sort()).toEqual(FILES.toSorted());
    expect(rotated(FILES.toReversed(), 7)).toEqual(rotated(FILES, 3));
    expect(rotated(FILES, 4)[0]).not.toBe(rotated(FILES, 3)[0]);
  });

  it('follows the count of the CI service, else the day', () => {
    const now = Date.UTC(2026, 10, 28, 23);
    expect(runNumber({ GITHUB_RUN_NUMBER: '812' }, now)).toBe(812);
    for (const env of [{}, { GITHUB_RUN_NUMBER: '' }, { GITHUB_RUN_NUMBER: 'x' }]) {
      expect(runNumber(env, now)).toBe(Date.UTC(2026, 10, 28) / 86_400_000);
      expect(runNumber(env, now + 3_600_000)).toBe(runNumber(env, now) + 1);
    }
  });
});
