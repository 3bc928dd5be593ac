/** Turns of keys at the reader threads: by the time that each has used. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairLine } from '../../../src/service/readers/fair-line.ts';
import { TimeUsed } from '../../../src/service/readers/time-used.ts';
import { runs } from '../../support/property-runs.ts';

interface Job {
  key: string;
  ms: number;
}

/** One thread serves the line until it is empty. @returns the keys in their turns, with the time of each */
function served(line: FairLine<Job>, used: TimeUsed): Job[] {
  const turns: Job[] = [];
  for (let job = line.take(); job !== undefined; job = line.take()) {
    used.add(job.key, job.ms);
    turns.push(job);
  }
  return turns;
}

describe('turns', () => {
  it('go round among keys whose jobs take the same time', () => {
    const used = new TimeUsed();
    const line = new FairLine<Job>(used);
    for (const key of 'aaabbc') line.push({ key, ms: 10 });
    expect(
      served(line, used)
        .map(({ key }) => key)
        .join(''),
    ).toBe('abcaba');
  });

  it('give a key with short jobs as much time as one with long jobs', () => {
    const used = new TimeUsed();
    const line = new FairLine<Job>(used);
    for (let k = 0; k < 10; k++) line.push({ key: 'long', ms: 1_000 });
    for (let k = 0; k < 100; k++) line.push({ key: 'short', ms: 10 });
    const turns = served(line, used);
    // After one long job, all hundred short ones come before the next but one.
    const secondLong = turns.findIndex(
      ({ key }, at) => key === 'long' && turns.slice(0, at).some((one) => one.key === 'long'),
    );
    expect(turns.slice(0, secondLong).filter(({ key }) => key === 'short').length).toBeGreaterThan(80);
  });

  it('save nothing up: a key that comes back after a pause does not go before all others for long', () => {
    const used = new TimeUsed();
    const line = new FairLine<Job>(used);
    for (let k = 0; k < 100; k++) line.push({ key: 'busy', ms: 100 });
    for (let k = 0; k < 50; k++) used.add(line.take()!.key, 100);
    for (let k = 0; k < 50; k++) line.push({ key: 'back', ms: 100 });
    const next = served(line, used).slice(0, 20);
    expect(Math.abs(next.filter(({ key }) => key === 'back').length - 10)).toBeLessThanOrEqual(2);
  });

  it('lose no job and double none, and keep the order of each key', () => {
    const jobs = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), ms: fc.integer({ min: 0, max: 500 }) }),
    );
    fc.assert(
      fc.property(jobs, (all) => {
        const used = new TimeUsed();
        const line = new FairLine<Job>(used);
        for (const job of all) line.push(job);
        const turns = served(line, used);
        expect([turns.length, line.length]).toEqual([all.length, 0]);
        for (const key of 'abcd') {
          const of = (list: readonly Job[]) => list.filter((one) => one.key === key);
          expect(of(turns)).toEqual(of(all));
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('never let two keys that both wait drift apart by more than the longest job', () => {
    const jobs = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(jobs, jobs, (a, b) => {
        const used = new TimeUsed();
        const line = new FairLine<Job>(used);
        for (const ms of a) line.push({ key: 'a', ms });
        for (const ms of b) line.push({ key: 'b', ms });
        const time = { a: 0, b: 0 };
        for (
          let job = line.take();
          job !== undefined && line.lengthOf('a') > 0 && line.lengthOf('b') > 0;
          job = line.take()
        ) {
          used.add(job.key, job.ms);
          time[job.key as 'a' | 'b'] += job.ms + 1;
          expect(Math.abs(time.a - time.b)).toBeLessThanOrEqual(501);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
