/** The budget workflow alone: the test plays Temporal, so that two events can happen at one moment. */
import { beforeEach, describe, expect, it, vi } from 'vitest';

type Handler = (argument?: unknown) => unknown;

/** What the workflow waits for, which runs it signalled, and its handlers. */
const played = vi.hoisted(() => ({
  handlers: new Map<string, Handler>(),
  isLong: false,
  handedOn: null as unknown,
  waits: [] as { until: () => boolean; timed: boolean; settle: (met: boolean) => void }[],
  told: [] as string[],
  onTold: (_waiter: string): void => {},
}));

vi.mock('@temporalio/workflow', () => {
  const define = (name: string) => ({ name });
  return {
    ...{ defineQuery: define, defineSignal: define, defineUpdate: define },
    setHandler: ({ name }: { name: string }, handler: Handler) => played.handlers.set(name, handler),
    condition: (until: () => boolean, ms?: number) =>
      until()
        ? Promise.resolve(true)
        : new Promise<boolean>((settle) => played.waits.push({ until, timed: ms !== undefined, settle })),
    getExternalWorkflowHandle: (waiter: string) => ({
      signal: async () => {
        played.told.push(waiter);
        played.onTold(waiter);
      },
    }),
    workflowInfo: () => ({ continueAsNewSuggested: played.isLong }),
    allHandlersFinished: () => true,
    continueAsNew: (carried: unknown) => {
      played.handedOn = carried;
      return Promise.reject(new Error('handed on'));
    },
    log: { info: () => {} },
  };
});

const { budgetWorkflow } = await import('../../../workflows/budget.ts');

/** Continues every waiting part that can; with `timeIsOver` also those that wait for a time. */
async function goOn({ timeIsOver = false } = {}): Promise<void> {
  for (const wait of played.waits.splice(0)) {
    if (wait.until()) wait.settle(true);
    else if (timeIsOver && wait.timed) wait.settle(false);
    else played.waits.push(wait);
  }
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

const tell = (update: string, argument?: unknown) => played.handlers.get(update)!(argument);
const block = (waiter: string, until: string) => tell('block', { until, limit: 'requests', waiter });

describe('exports that wait for the reset of a quota', () => {
  beforeEach(() => {
    played.handlers.clear();
    played.waits.length = 0;
    played.told.length = 0;
    played.isLong = false;
    played.onTold = () => {};
  });

  it('are signalled, each once', async () => {
    void budgetWorkflow();
    block('export/one', '2030-02-01T00:00:00Z');
    block('export/other', '2030-02-01T00:00:00Z');
    await goOn();
    expect(played.told).toEqual([]);
    await goOn({ timeIsOver: true });
    expect(played.told).toEqual(['export/one', 'export/other']);
  });

  it('are signalled again if they were refused again while others were still being signalled', async () => {
    void budgetWorkflow();
    block('export/one', '2030-02-01T00:00:00Z');
    block('export/other', '2030-02-01T00:00:00Z');
    await goOn();
    played.onTold = (waiter) => {
      if (waiter === 'export/one' && played.told.length === 1) block(waiter, '2030-03-01T00:00:00Z');
    };
    await goOn({ timeIsOver: true });
    expect(played.told).toEqual(['export/one', 'export/other']);
    await goOn({ timeIsOver: true });
    expect(played.told).toEqual(['export/one', 'export/other', 'export/one']);
  });

  it('are signalled when a person reports new quota', async () => {
    void budgetWorkflow();
    block('export/one', '2030-02-01T00:00:00Z');
    await goOn();
    tell('unblock');
    await goOn();
    expect(played.told).toEqual(['export/one']);
  });
});

describe('a budget with a long history', () => {
  const limits = { max_requests: null, max_bytes: null, reserve: 0 };
  const runs = { one: { limits, requests: 3, bytes: 9, grants: {}, settled: ['a'] } };
  const state = { runs, blocked: null, quota: { requests_left: 7, resets_at: '2030-02-01T00:00:00.000Z' } };

  it('hands on its state with the version of its shape, and the next history continues with it', async () => {
    played.isLong = true;
    await expect(budgetWorkflow({ state, waiters: [] })).rejects.toThrow('handed on');
    expect(played.handedOn).toEqual({ version: 1, state, waiters: [] });
    played.isLong = false;
    void budgetWorkflow(played.handedOn as never);
    expect(tell('budget')).toEqual(state);
  });

  it('is left to a newer worker if a newer release handed it on', async () => {
    await expect(budgetWorkflow({ version: 2, state, waiters: [] })).rejects.toThrow('newer release');
  });
});
