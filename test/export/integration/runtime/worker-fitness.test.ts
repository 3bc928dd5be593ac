/** When a worker takes activities, and when it doesn't. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { slotsOfFit, WorkerFitness } from '../../../../src/export/runtime/worker/worker-fitness.ts';

/** A worker whose tests of the lake end as told. */
function worker(outcomes: readonly boolean[] = []) {
  const left = [...outcomes];
  const said: string[] = [];
  const tests: number[] = [];
  const fitness = new WorkerFitness({
    id: '7@here',
    others: async () => ['8@there'],
    reopen: (place) => said.push(`reopen ${place}`),
    log: {
      warn: (_: object, text?: string) => said.push(text!),
      info: (_: object, text?: string) => said.push(text!),
    } as never,
    test: async () => {
      tests.push(performance.now());
      if (!(left.shift() ?? true)) throw new Error('still refused');
    },
    testMs: 20,
  });
  return { fitness, said, tests };
}

const never = new AbortController().signal;

describe('a worker that has failed', () => {
  it('hands out no slots until it can use the lake again, and says so', async () => {
    const { fitness, said } = worker([false, true]);
    const slots = slotsOfFit(fitness, 2);
    expect(slots.tryReserveSlot({} as never)).not.toBeNull();
    expect(await fitness.failed(new Error('refused'), 's3://a/b')).toEqual({ id: '7@here', others: ['8@there'] });
    expect(fitness.problems).toMatchObject([{ lake: 's3://a/b', message: 'refused' }]);
    expect(slots.tryReserveSlot({} as never)).toBeNull();
    let got = false;
    const reserving = slots.reserveSlot({} as never, never).then(() => {
      got = true;
    });
    await sleep(5);
    expect(got).toBe(false);
    await reserving;
    expect(fitness.isUnfit()).toBe(false);
    expect(said).toEqual([
      'the worker takes no activities until it can use the lake',
      'reopen s3://a/b',
      'the worker takes activities again',
    ]);
    fitness.close();
  });

  it('waits longer for the next test if it fails again soon after a good one', async () => {
    const { fitness, tests } = worker();
    const waits: number[] = [];
    for (let n = 0; n < 4; n++) {
      const at = performance.now();
      await fitness.failed(new Error('refused'), 'lake');
      await fitness.whenFit(never);
      waits.push(tests[n]! - at);
    }
    expect(waits[3]!).toBeGreaterThanOrEqual(20 * 2 ** 3 - 5);
    fitness.close();
  });

  it('stays unfit while one of its lakes is', async () => {
    const { fitness } = worker([true, false, false, true]);
    await fitness.failed(new Error('refused'), 'one');
    await fitness.failed(new Error('refused'), 'two');
    await expect.poll(() => fitness.problems.length, { interval: 2 }).toBe(1);
    expect(fitness.isUnfit()).toBe(true);
    await fitness.whenFit(never);
    expect(fitness.problems).toEqual([]);
    fitness.close();
  });
});

describe('slots', () => {
  it('are as many as stated, and a reservation that is given up takes none', async () => {
    const slots = slotsOfFit(worker().fitness, 2);
    const ctx = {} as never;
    for (let n = 0; n < 2; n++) await slots.reserveSlot(ctx, never);
    expect(slots.tryReserveSlot(ctx)).toBeNull();
    const given = new AbortController();
    const reserving = slots.reserveSlot(ctx, given.signal);
    given.abort(new Error('aborted'));
    await expect(reserving).rejects.toThrow('aborted');
    const next = slots.reserveSlot(ctx, never);
    slots.releaseSlot({ permit: {} });
    await next;
    expect(slots.tryReserveSlot(ctx)).toBeNull();
  });
});
