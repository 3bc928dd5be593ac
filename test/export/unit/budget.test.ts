import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BudgetLimits,
  type BudgetState,
  blockBudget,
  leaveBudget,
  letRunAsk,
  newBudget,
  reserveRequests,
  settleRequests,
  unblockBudget,
} from '../../../src/export/run/index.ts';

const NOW = '2024-02-10T12:00:00.000Z';
const LATER = '2024-02-10T12:30:00.000Z';
const FREE: BudgetLimits = { max_requests: null, max_bytes: null, reserve: 0 };

class Office {
  state: BudgetState = newBudget();
  now = NOW;
  reserve(batch_id: string, requests: number, limits: Partial<BudgetLimits> = {}, run_id = 'run') {
    const { state, reply } = reserveRequests(
      this.state,
      { run_id, batch_id, requests, limits: { ...FREE, ...limits } },
      this.now,
    );
    this.state = state;
    return reply;
  }
  settle(batch_id: string, requests: number, bytes = 0, requests_left: number | null = null, run_id = 'run') {
    this.state = settleRequests(this.state, { run_id, batch_id, requests, bytes, requests_left }, this.now);
  }
}

describe('a run whose starter may know of a larger quota', () => {
  const blocked = (): Office => {
    const office = new Office();
    office.reserve('b0', 1);
    office.state = blockBudget(office.state, '2024-03-01T00:00:00.000Z', 'requests');
    office.state = letRunAsk(office.state, 'run');
    return office;
  };
  const settled = (office: Office, batch_id: string, admitted: boolean, requests_left: number | null = null) => {
    const settlement = { run_id: 'run', batch_id, requests: 1, bytes: 0, requests_left, admitted };
    office.state = settleRequests(office.state, settlement, office.now);
  };

  it('sends one request, and no other run sends any', () => {
    const office = blocked();
    expect(office.reserve('other', 10, {}, 'another').granted).toBe(0);
    expect(office.reserve('b1', 10).granted).toBe(1);
    expect(office.reserve('b2', 10).granted).toBe(0);
    expect(office.reserve('other2', 10, {}, 'another').granted).toBe(0);
  });

  it('frees all runs if that one is answered', () => {
    const office = blocked();
    office.reserve('b1', 10);
    settled(office, 'b1', true, 70);
    expect(office.state).toMatchObject({ blocked: null, quota: { requests_left: 70 }, asking: null });
    expect(office.reserve('b2', 10).granted).toBe(10);
    const untold = blocked();
    untold.reserve('b1', 10);
    settled(untold, 'b1', true);
    expect(untold.state).toMatchObject({ blocked: null, quota: null });
  });

  it('changes nothing if that one is refused, and may not ask again', () => {
    const office = blocked();
    office.reserve('b1', 10);
    settled(office, 'b1', false, 0);
    expect(office.state).toMatchObject({ blocked: { until: '2024-03-01T00:00:00.000Z' }, asking: null });
    expect(office.reserve('b2', 10)).toMatchObject({ granted: 0, reason: 'quota' });
  });

  it('is not freed by what an older batch was answered', () => {
    const office = blocked();
    settled(office, 'b0', true, 3);
    expect(office.state.blocked).not.toBeNull();
    expect(office.reserve('b1', 10).granted).toBe(1);
  });

  it('keeps to its own limits, and asks nothing if the quota is not known to be used up', () => {
    const office = blocked();
    expect(office.reserve('b1', 10, { max_requests: 0 }).granted).toBe(0);
    expect(letRunAsk(newBudget(), 'run')).toEqual(newBudget());
    const quota = new Office();
    quota.reserve('b1', 1);
    quota.settle('b1', 1, 0, 0);
    quota.state = letRunAsk(quota.state, 'run');
    expect(quota.reserve('b2', 10).granted).toBe(1);
    expect(leaveBudget(quota.state, 'run').asking).toBeNull();
  });
});

describe('the budget of a key', () => {
  it('grants the requested number without limits', () => {
    expect(new Office().reserve('b', 500)).toEqual({ granted: 500, retry_at: null, reason: null });
  });

  it('gives a retry of the same batch the same grant, once', () => {
    const office = new Office();
    expect(office.reserve('b1', 80, { max_requests: 100 }).granted).toBe(80);
    expect(office.reserve('b1', 80, { max_requests: 100 }).granted).toBe(80);
    expect(office.reserve('b2', 80, { max_requests: 100 })).toEqual({
      granted: 20,
      retry_at: null,
      reason: 'max_requests',
    });
  });

  it('takes back what a batch did not use', () => {
    const office = new Office();
    office.reserve('b1', 100, { max_requests: 100 });
    office.settle('b1', 30);
    expect(office.reserve('b2', 100, { max_requests: 100 }).granted).toBe(70);
  });

  it('counts a repeated settlement once', () => {
    const office = new Office();
    office.reserve('b1', 10, { max_requests: 100 });
    office.settle('b1', 10);
    office.settle('b1', 10);
    expect(office.reserve('b2', 100, { max_requests: 100 }).granted).toBe(90);
  });

  it('says to ask again soon while others hold the rest, and no more once their attempts are taken for dead', () => {
    const office = new Office();
    office.reserve('b1', 100, { max_requests: 100 });
    expect(office.reserve('b2', 1, { max_requests: 100 })).toEqual({
      granted: 0,
      retry_at: '2024-02-10T12:00:05.000Z',
      reason: 'held',
    });
    office.now = LATER;
    expect(office.reserve('b2', 1, { max_requests: 100 })).toEqual({
      granted: 0,
      retry_at: null,
      reason: 'max_requests',
    });
    expect(office.reserve('b2', 1, { max_requests: 101 }).granted).toBe(1);
  });

  it('grants nothing once the bytes are reached', () => {
    const office = new Office();
    office.reserve('b1', 10, { max_bytes: 1_000 });
    office.settle('b1', 10, 1_000);
    expect(office.reserve('b2', 1, { max_bytes: 1_000 })).toEqual({ granted: 0, retry_at: null, reason: 'max_bytes' });
    expect(office.reserve('b2', 1, { max_bytes: 2_000 }).granted).toBe(1);
  });

  it("grants no more than the service states is left of the month, and waits for the month's end", () => {
    const office = new Office();
    office.reserve('b1', 10);
    office.settle('b1', 10, 0, 5);
    expect(office.reserve('b2', 50)).toEqual({ granted: 5, retry_at: null, reason: 'quota' });
    office.settle('b2', 5, 0, 0);
    expect(office.reserve('b3', 50)).toEqual({ granted: 0, retry_at: '2024-03-01T00:00:00.000Z', reason: 'quota' });
    office.now = '2024-03-01T00:00:00.000Z';
    expect(office.reserve('b3', 50).granted).toBe(50);
  });

  it('leaves the reserve untouched, and finds out with one request how much is left', () => {
    const office = new Office();
    expect(office.reserve('b1', 50, { reserve: 10 })).toMatchObject({ granted: 1, reason: 'reserve' });
    office.settle('b1', 1, 0, 12);
    expect(office.reserve('b2', 50, { reserve: 10 })).toMatchObject({ granted: 2, reason: 'reserve' });
    office.settle('b2', 2, 0, 10);
    expect(office.reserve('b3', 50, { reserve: 10 })).toEqual({
      granted: 0,
      retry_at: '2024-03-01T00:00:00.000Z',
      reason: 'reserve',
    });
    expect(office.reserve('b4', 50, {}, 'other').granted).toBe(10);
  });

  it('grants nothing after a monthly 429 until its end, to no run', () => {
    const office = new Office();
    office.reserve('b1', 10);
    office.state = blockBudget(office.state, '2024-03-01T00:00:00.000Z', 'requests');
    office.state = blockBudget(office.state, '2024-02-20T00:00:00.000Z', 'requests');
    const refusal = { granted: 0, retry_at: '2024-03-01T00:00:00.000Z', reason: 'quota' };
    expect(office.reserve('b1', 10)).toEqual(refusal);
    expect(office.reserve('b2', 10, {}, 'other')).toEqual(refusal);
    office.now = '2024-03-01T00:00:01.000Z';
    expect(office.reserve('b2', 10).granted).toBe(10);
  });

  it('grants again when a person reports new quota', () => {
    const office = new Office();
    office.reserve('b1', 10);
    office.settle('b1', 10, 0, 0);
    office.state = blockBudget(office.state, '2024-03-01T00:00:00.000Z', 'bytes');
    office.state = unblockBudget(office.state);
    expect(office.reserve('b2', 10).granted).toBe(10);
  });

  it('forgets a run that has left', () => {
    const office = new Office();
    office.reserve('b1', 10, { max_requests: 10 });
    office.state = leaveBudget(office.state, 'run');
    expect(office.state.runs).toEqual({});
  });

  it('never lets more be sent than max_requests, whatever is reserved, used, settled and lost', () => {
    const action = fc.record({
      batch: fc.integer({ min: 0, max: 30 }),
      asked: fc.integer({ min: 1, max: 40 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      dies: fc.boolean(),
      minutes: fc.integer({ min: 0, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), fc.integer({ min: 0, max: 200 }), (actions, max_requests) => {
        const office = new Office();
        let sent = 0;
        actions.forEach(({ batch, asked, share, dies, minutes }, i) => {
          office.now = new Date(Date.parse(office.now) + minutes * 60_000).toISOString();
          // Each attempt reserves under a name of its own, as activities do.
          const { granted } = office.reserve(`${batch}/${i}`, asked, { max_requests });
          expect(granted).toBeLessThanOrEqual(asked);
          const used = Math.round(granted * share);
          sent += used;
          if (!dies) office.settle(`${batch}/${i}`, used);
        });
        expect(sent).toBeLessThanOrEqual(max_requests);
      }),
    );
  });

  it('never lets several fetchers pass a quota that is nearly used up, nor the reserve, in any order', () => {
    const action = fc.record({
      fetcher: fc.nat(11),
      does: fc.constantFrom('send', 'send', 'send', 'settle', 'die'),
      asked: fc.integer({ min: 1, max: 60 }),
      seconds: fc.nat(1),
    });
    const order = fc.array(action, { minLength: 30, maxLength: 60 });
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 40 }), fc.nat(10), (actions, quota, reserve) => {
        const office = new Office();
        let left = quota;
        office.reserve('first', 1);
        office.settle('first', 1, 0, left);
        const held = new Map<number, { id: string; granted: number; used: number; said: number | null }>();
        actions.forEach(({ fetcher, does, asked, seconds }, i) => {
          office.now = new Date(Date.parse(office.now) + seconds * 1_000).toISOString();
          const batch = held.get(fetcher);
          if (batch === undefined) {
            const id = `${fetcher}/${i}`;
            const of = { run_id: 'run', batch_id: id, requests: asked, limits: { ...FREE, reserve } };
            const { state, reply } = reserveRequests(office.state, of, office.now);
            office.state = state;
            if (reply.granted > 0) held.set(fetcher, { id, granted: reply.granted, used: 0, said: null });
          } else if (does === 'send' && batch.used < batch.granted) {
            batch.used++;
            // Answers may be settled long after others have sent more.
            batch.said = --left;
            expect(left).toBeGreaterThanOrEqual(Math.min(reserve, quota));
          } else {
            held.delete(fetcher);
            if (does === 'die') return;
            const { id: batch_id, used: requests, said: requests_left } = batch;
            const settlement = { run_id: 'run', batch_id, requests, bytes: 0, requests_left };
            office.state = settleRequests(office.state, settlement, office.now);
          }
        });
      }),
      { numRuns: 5_000 },
    );
  });

  it('does not grow with the batches of a run', () => {
    const office = new Office();
    for (let i = 0; i < 2_000; i++) {
      office.reserve(`b${i}`, 10);
      office.settle(`b${i}`, 10, 100, 5_000);
    }
    expect(JSON.stringify(office.state).length).toBeLessThan(2_000);
    expect(office.state.runs.run).toMatchObject({ requests: 20_000, bytes: 200_000 });
  });
});

describe("the service's statements of the quota", () => {
  const asked = (office: Office) => {
    office.reserve('first', 1);
    office.settle('first', 1, 0, 100);
    office.reserve('a', 20);
    office.reserve('b', 20);
    office.settle('b', 20, 0, 75);
  };

  it('are not taken if they are older than what is known: the quota was granted since', () => {
    const office = new Office();
    asked(office);
    // The answer to the five requests of `a` came before those of `b`.
    office.settle('a', 5, 0, 95);
    expect(office.state.quota?.requests_left).toBe(75);
    expect(office.reserve('c', 100).granted).toBe(75);
  });

  it('are taken if they are higher than that explains: the plan is larger now', () => {
    const office = new Office();
    asked(office);
    office.settle('a', 5, 0, 995);
    expect(office.reserve('c', 1_000).granted).toBe(995);
  });

  it('are taken if nobody else sent anything', () => {
    const office = new Office();
    asked(office);
    office.settle('a', 5, 0, 70);
    office.reserve('c', 10);
    office.settle('c', 10, 0, 71);
    expect(office.state.quota?.requests_left).toBe(71);
  });
});
