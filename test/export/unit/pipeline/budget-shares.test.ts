/** Shares of a budget that processes hand out themselves: few updates, nothing sent beyond the quota, nothing lost for long. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunReference, Settlement, ShareOffice, ShareSettlement } from '../../../../src/export/pipeline/index.ts';
import { BudgetShares } from '../../../../src/export/pipeline/worker/budget-shares.ts';
import {
  blockBudget,
  leaveBudget,
  newBudget,
  reserveRequests,
  settleRequests,
} from '../../../../src/export/run/index.ts';
import { definitionOf } from '../../../support/pipeline/activity-harness.ts';
import { runs } from '../../../support/property-runs.ts';

const definitions = new Map<string, RunReference['definition']>();

/** @param budget of its definition, e.g. `max_requests: 25` */
function runOf(run_id: string, budget = ''): RunReference {
  const definition = definitions.get(budget) ?? definitionOf('shared', 'filings', budget && `budget: { ${budget} }`);
  definitions.set(budget, definition);
  return { run_id, workflow_id: run_id, lake: '/', definition };
}

/** The budget workflow's logic, and the updates that reached it. */
class Office implements ShareOffice {
  state = newBudget();
  updates: string[] = [];
  now = Date.UTC(2024, 1, 10);
  /** If it is set, the next answers to a share's question wait for it. */
  held: Promise<void> | null = null;
  /** If it is set, updates fail. */
  error: Error | null = null;

  async reserve(run: RunReference, batch_id: string, requests: number) {
    return this.#reserve('reserve', { run_id: run.run_id, batch_id, requests, limits: run.definition.budget });
  }
  async reserveShare(run: RunReference, batch_id: string, requests: number) {
    const limits = run.definition.budget;
    await this.held;
    return this.#reserve('share', { run_id: run.run_id, batch_id, requests, limits, share: true });
  }
  async settle(run: RunReference, settlement: Settlement) {
    this.#settle('settle', run, settlement);
  }
  async settleShare(run: RunReference, settlement: ShareSettlement) {
    this.#settle('settle share', run, settlement);
  }
  async block(_run: RunReference, until: string, limit: 'requests' | 'bytes') {
    this.state = blockBudget(this.state, until, limit);
  }
  async unblock() {}
  async leave(run: RunReference) {
    this.state = leaveBudget(this.state, run.run_id);
  }
  get time(): string {
    return new Date(this.now).toISOString();
  }
  #reserve(name: string, asked: Parameters<typeof reserveRequests>[1]) {
    this.#hear(name);
    const { state, reply } = reserveRequests(this.state, asked, this.time);
    this.state = state;
    return reply;
  }
  #settle(name: string, run: RunReference, settlement: Settlement) {
    this.#hear(name);
    this.state = settleRequests(this.state, { run_id: run.run_id, ...settlement }, this.time);
  }
  #hear(name: string) {
    if (this.error) throw this.error;
    this.updates.push(name);
  }
}

const settlement = (batch_id: string, requests: number, requests_left: number | null): Settlement => {
  return { batch_id, requests, bytes: 10 * requests, requests_left, resets_at: null, admitted: true };
};

function machine(office: Office): BudgetShares {
  // By chance, the next share comes with the last request that a test sends, or with the one before.
  return new BudgetShares(office, { idleMs: 1_000_000, clock: () => office.now, random: () => 0.5 });
}

/** Reserves, sends and settles. @returns requests sent */
async function work(shares: BudgetShares, run: RunReference, id: string, wanted: number, left: number | null) {
  const { granted } = await shares.reserve(run, id, wanted);
  await shares.settle(run, settlement(id, granted, left === null ? null : left - granted));
  return granted;
}

describe('a process whose runs have no limits of their own', () => {
  it('sends two updates for each share, and two for the first batch of a run', async () => {
    const office = new Office();
    const shares = machine(office);
    for (let n = 0; n < 100; n++) {
      await work(shares, runOf(`run-${n % 4}`), `b${n}`, 20, null);
      office.now += 100;
    }
    await shares.close();
    // Four runs, one batch each; then 96 batches of 20 requests out of shares of 1,000 or more.
    expect(office.updates.filter((name) => name === 'reserve')).toHaveLength(4);
    expect(office.updates.filter((name) => name === 'settle')).toHaveLength(4);
    expect(office.updates.filter((name) => name === 'share').length).toBeLessThanOrEqual(2);
    expect(office.state.shares).toEqual({});
    expect(Object.values(office.state.runs).map(({ requests }) => requests)).toEqual([500, 500, 500, 500]);
  });

  it('takes larger shares if it sends more, and none that is older than twenty seconds', async () => {
    const office = new Office();
    const shares = machine(office);
    const run = runOf('run');
    // 800 requests a second, for a minute.
    for (let n = 0; n < 60; n++) {
      for (let sent = 0; sent < 800; ) sent += await work(shares, run, `b${n} ${sent}`, 800 - sent, null);
      office.now += 1_000;
    }
    expect(office.updates.length).toBeLessThan(20);
    const before = office.updates.length;
    office.now += 25_000;
    await work(shares, run, 'later', 1, null);
    expect(office.updates.slice(before)).toEqual(['settle share', 'share']);
  });

  it('asks for the next share ahead, and nobody waits for it', async () => {
    const office = new Office();
    const shares = machine(office);
    await work(shares, runOf('run'), 'b0', 20, null);
    await work(shares, runOf('run'), 'b1', 20, null);
    let answer = () => {};
    office.held = new Promise((resolve) => {
      answer = resolve;
    });
    office.now += 18_500;
    // Nineteen seconds later the first share still serves, although the second one has not come.
    for (let n = 2; n < 40; n++) expect(await work(shares, runOf('run'), `b${n}`, 20, null)).toBe(20);
    expect(office.updates).toEqual(['reserve', 'settle', 'share']);
    answer();
    await expect.poll(() => office.updates.at(-1)).toBe('share');
    office.now += 5_000;
    expect(await work(shares, runOf('run'), 'b40', 20, null)).toBe(20);
    expect(office.updates.slice(3)).toEqual(['share', 'settle share']);
    await shares.close();
    expect(office.state.runs.run?.requests).toBe(41 * 20);
    expect(office.state.shares).toEqual({});
  });

  it.each([
    [
      'a refusal for the month',
      (shares: BudgetShares) => shares.block(runOf('run'), '2024-03-01T00:00:00.000Z', 'requests'),
    ],
    ['the end of its last run', (shares: BudgetShares) => shares.leave(runOf('run'))],
  ])('returns a share that comes after %s', async (_when, happens) => {
    const office = new Office();
    const shares = machine(office);
    await work(shares, runOf('run'), 'b0', 20, null);
    await work(shares, runOf('run'), 'b1', 20, null);
    let answer = () => {};
    office.held = new Promise((resolve) => {
      answer = resolve;
    });
    office.now += 18_500;
    await work(shares, runOf('run'), 'b2', 20, null);
    const { blocked } = office.state;
    await happens(shares);
    office.state = { ...office.state, blocked };
    answer();
    await expect.poll(() => office.updates.slice(3)).toEqual(['settle share', 'share', 'settle share']);
    expect(office.state.shares).toEqual({});
    await shares.reserve(runOf('run'), 'b3', 20);
    expect(office.updates.at(-1)).toBe('reserve');
  });

  it('reserves for each batch if the quota is scarce', async () => {
    const office = new Office();
    const shares = machine(office);
    for (let n = 0; n < 5; n++) await work(shares, runOf('run'), `b${n}`, 20, 19_000 - 20 * n);
    expect(office.updates).toEqual(Array.from({ length: 5 }, () => ['reserve', 'settle']).flat());
    expect(office.state.quota?.requests_left).toBe(19_000 - 100);
  });

  it('returns its share at once when the quota becomes scarce', async () => {
    const office = new Office();
    const shares = machine(office);
    await work(shares, runOf('run'), 'b0', 20, 1_000_000);
    await work(shares, runOf('run'), 'b1', 20, 999_000);
    expect(Object.keys(office.state.shares ?? {})).toHaveLength(1);
    await work(shares, runOf('run'), 'b2', 20, 900);
    expect(office.state.shares).toEqual({});
    expect(office.state.quota?.requests_left).toBe(880);
  });

  it('returns an unused share after some seconds', async () => {
    const office = new Office();
    const shares = new BudgetShares(office, { idleMs: 5, clock: () => office.now });
    await work(shares, runOf('run'), 'b0', 20, null);
    await work(shares, runOf('run'), 'b1', 20, null);
    await expect.poll(() => office.updates.at(-1)).toBe('settle share');
    expect(office.state.shares).toEqual({});
  });

  it('hands out nothing after a refusal for the month, until the service has answered again', async () => {
    const office = new Office();
    const shares = machine(office);
    await work(shares, runOf('run'), 'b0', 20, null);
    await work(shares, runOf('run'), 'b1', 20, null);
    await shares.block(runOf('run'), '2024-03-01T00:00:00.000Z', 'requests');
    expect(await shares.reserve(runOf('run'), 'b2', 20)).toMatchObject({ granted: 0, reason: 'quota' });
    expect(office.state.shares).toEqual({});
  });

  it('tries again to settle a share if the budget did not answer', async () => {
    const office = new Office();
    const shares = machine(office);
    for (let n = 0; n < 3; n++) await work(shares, runOf('run'), `b${n}`, 20, null);
    office.error = new Error('Temporal is away');
    await shares.close();
    office.error = null;
    expect(office.state.runs.run?.requests).toBe(20);
    await shares.close();
    expect(office.state.runs.run?.requests).toBe(60);
  });
});

describe('a run with a limit of its own', () => {
  it('reserves each batch at the budget, although others have a share', async () => {
    const office = new Office();
    const shares = machine(office);
    const limited = runOf('limited', 'max_requests: 25');
    let sent = 0;
    for (let n = 0; n < 5; n++) {
      await work(shares, runOf('run'), `a${n}`, 20, null);
      sent += await work(shares, limited, `b${n}`, 10, null);
    }
    expect(sent).toBe(25);
  });

  it('counts what it spent of shares before it got the limit', async () => {
    const office = new Office();
    const shares = machine(office);
    for (let n = 0; n < 3; n++) await work(shares, runOf('run'), `a${n}`, 20, null);
    await shares.close();
    const { granted } = await shares.reserve(runOf('run', 'max_requests: 65'), 'b', 100);
    expect(granted).toBe(5);
  });
});

describe('a run that gets a limit while it is active', () => {
  it('is counted with what it spent from shares that are not settled', async () => {
    const office = new Office();
    const shares = machine(office);
    for (let n = 0; n < 3; n++) await work(shares, runOf('run'), `a${n}`, 20, null);
    expect(office.state.runs.run?.requests).toBe(20);
    expect((await shares.reserve(runOf('run', 'max_requests: 65'), 'b', 100)).granted).toBe(5);
  });

  it('is counted with what it still holds of a share', async () => {
    const office = new Office();
    const shares = machine(office);
    await work(shares, runOf('run'), 'a0', 20, null);
    await shares.reserve(runOf('run'), 'a1', 40);
    expect(await shares.reserve(runOf('run', 'max_requests: 60'), 'b', 100)).toMatchObject({
      granted: 0,
      reason: 'max_requests',
    });
  });
});

describe('a process that is killed', () => {
  it('leaves a share that counts as spent for three minutes', async () => {
    const office = new Office();
    const killed = machine(office);
    // 24,000 left: a share of 1,000 is taken, then the quota becomes scarce for the others.
    await work(killed, runOf('run'), 'b0', 1, 24_000);
    await killed.reserve(runOf('run'), 'b1', 500);
    const other = machine(office);
    await work(other, runOf('other'), 'c0', 1, 1_200);
    expect((await other.reserve(runOf('other'), 'c1', 1_000)).granted).toBe(199);
    office.now += 180_001;
    expect((await other.reserve(runOf('other'), 'c2', 1_000)).granted).toBe(1_000);
  });

  it('and many others never send more than the quota, whatever happens in which order', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('reserve' as const),
          of: fc.nat(5),
          n: fc.integer({ min: 1, max: 1_500 }),
        }),
      },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), of: fc.nat(30), n: fc.nat(1_500) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), of: fc.nat(30), n: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), of: fc.nat(5), n: fc.constant(0) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), of: fc.constant(0), n: fc.nat(9_000) }) },
    );
    const quotas = fc.integer({ min: 1, max: 60_000 });
    await fc.assert(
      fc.asyncProperty(quotas, fc.array(step, { maxLength: 200, size: 'max' }), async (quota, steps) => {
        const office = new Office();
        let used = 0;
        const machines = Array.from({ length: 6 }, () => machine(office));
        // Each machine has learnt the quota.
        for (const [m, shares] of machines.entries()) {
          const { granted } = await shares.reserve(runOf('run'), `first ${m}`, 1);
          used += granted;
          await shares.settle(runOf('run'), settlement(`first ${m}`, granted, Math.max(0, quota - used)));
          if (used >= quota) return;
        }
        const open: { m: BudgetShares; id: string; left: number; sent: number; said: number | null }[] = [];
        for (const [n, { kind, of, n: amount }] of steps.entries()) {
          const shares = machines[of % machines.length]!;
          const activity = open[of % Math.max(1, open.length)];
          if (kind === 'reserve') {
            const { granted } = await shares.reserve(runOf('run'), `b${n}`, amount);
            if (granted > 0) open.push({ m: shares, id: `b${n}`, left: granted, sent: 0, said: null });
          } else if (kind === 'send' && activity) {
            const sent = Math.min(amount, activity.left);
            used += sent;
            activity.left -= sent;
            activity.sent += sent;
            activity.said = quota - used;
          } else if (kind === 'settle' && activity) {
            await activity.m.settle(runOf('run'), settlement(activity.id, activity.sent, activity.said));
            open.splice(open.indexOf(activity), 1);
          } else if (kind === 'kill') {
            machines[of] = machine(office);
            for (const dead of open.filter(({ m }) => m === shares)) open.splice(open.indexOf(dead), 1);
          } else if (kind === 'wait') office.now += amount;
          expect(used).toBeLessThanOrEqual(quota);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
