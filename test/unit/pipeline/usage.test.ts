import { describe, expect, it } from 'vitest';
import { addSpent, spentBefore, withSpentBefore } from '../../../src/pipeline/usage.ts';

const spent = { requests: 7, bytes: 70, retries: 1 };

describe('what an activity has spent', () => {
  it('holds what earlier attempts told by their heartbeats', () => {
    expect(spentBefore({ ...spent, filings: 3 })).toEqual(spent);
    for (const none of [undefined, null, 'x', {}, { requests: 1 }]) {
      expect(spentBefore(none)).toEqual({ requests: 0, bytes: 0, retries: 0 });
    }
  });

  it('is added to a result that tells of it, and to no other', () => {
    const outcome = { spent: { requests: 1, bytes: 2, retries: 0 }, stop: null };
    expect(withSpentBefore(outcome, spent)).toEqual({ spent: addSpent(outcome.spent, spent), stop: null });
    expect(withSpentBefore({ version: 3 }, spent)).toEqual({ version: 3 });
    expect(withSpentBefore(undefined, spent)).toBeUndefined();
  });
});
