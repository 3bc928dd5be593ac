import { describe, expect, it } from 'vitest';
import { sentBefore } from '../../../../activities/heartbeat.ts';
import { countsAgainstMonth, RequestCounter, type Sent } from '../../../../src/export/client/index.ts';

const before: Sent = { requests: 7, bytes: 70, retries: 1 };

describe('a counter of requests', () => {
  it('counts each request that is sent, with what earlier attempts sent', () => {
    const counter = new RequestCounter(before);
    counter.sent();
    counter.answered({ attempt: 1, bytes: 0 });
    counter.sent();
    counter.answered({ attempt: 2, bytes: 5 });
    counter.sent();
    expect(counter.own).toEqual({ requests: 3, bytes: 5, retries: 1 });
    expect(counter.total).toEqual({ requests: 10, bytes: 75, retries: 2 });
  });

  it('charges each request once, what earlier attempts sent not at all', () => {
    const counter = new RequestCounter(before);
    counter.sent();
    const first = counter.unsettled;
    expect(first).toEqual({ requests: 1, bytes: 0, retries: 0 });
    // Sent while the first one is being reserved.
    counter.sent();
    counter.settled(first);
    expect(counter.unsettled).toEqual({ requests: 1, bytes: 0, retries: 0 });
  });

  it('tells each change to another', () => {
    const counter = new RequestCounter(before);
    const told: Sent[] = [];
    counter.alsoTo((more) => told.push(more));
    counter.sent();
    counter.answered({ attempt: 2, bytes: 5 });
    expect(told).toEqual([
      { requests: 1, bytes: 0, retries: 0 },
      { requests: 0, bytes: 5, retries: 1 },
    ]);
  });
});

describe('the requests that the month is charged for', () => {
  it('is answers, and neither refusals nor faults', () => {
    expect([200, 304, 404, 422].every(countsAgainstMonth)).toBe(true);
    expect([301, 400, 401, 403, 429, 500, 503, null].some(countsAgainstMonth)).toBe(false);
  });
});

describe('what earlier attempts sent', () => {
  it('are in the last heartbeat', () => {
    expect(sentBefore({ ...before, filings: 3 })).toEqual(before);
    for (const none of [undefined, null, 'x', {}, { requests: 1 }])
      expect(sentBefore(none)).toEqual({ requests: 0, bytes: 0, retries: 0 });
  });
});
