import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AWAY_MS, bucketCircuit } from '../../../../src/service/catalog/packs/bucket-circuit.ts';

describe('the circuit of a bucket', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    bucketCircuit.answered();
  });
  afterEach(() => {
    bucketCircuit.answered();
    vi.useRealTimers();
  });
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) bucketCircuit.failed();
  };
  const asked = (times: number) => Array.from({ length: times }, () => bucketCircuit.mayAsk());

  it('lets every request pass while failures are not in a row', () => {
    fail(2);
    bucketCircuit.answered();
    fail(2);
    expect([bucketCircuit.isAway(), ...asked(3)]).toEqual([false, true, true, true]);
  });

  it('lets one request pass every few seconds after three failures in a row', () => {
    fail(3);
    expect([bucketCircuit.isAway(), ...asked(2)]).toEqual([true, false, false]);
    vi.advanceTimersByTime(AWAY_MS);
    expect(asked(3)).toEqual([true, false, false]);
    fail(1);
    vi.advanceTimersByTime(AWAY_MS - 1);
    expect(asked(2)).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect(asked(2)).toEqual([true, false]);
    bucketCircuit.answered();
    expect([bucketCircuit.isAway(), ...asked(3)]).toEqual([false, true, true, true]);
  });

  it('lets another try if the first gave up, as a look-up does that changes its lane', () => {
    fail(3);
    vi.advanceTimersByTime(AWAY_MS);
    expect(asked(2)).toEqual([true, false]);
    bucketCircuit.unproven();
    expect(asked(2)).toEqual([true, false]);
  });
});
