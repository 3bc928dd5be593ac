/** The budget workflow alone: the test plays Temporal, so that two events can happen at one moment. */
import { beforeEach, describe, expect, it, vi } from 'vitest';

type Handler = (argument?: unknown) => unknown;

/** What the workflow waits for, which runs it signalled, and its handlers. */
const played = vi.hoisted(() => ({
  handlers: new Map<string, Handler>(),
  isLong: false,
  handedOn: null as unknown,
  memo: [] as { replies: Record<string, { granted: number }> }[],
  waits: [] as { until: () => boolean; timed: boolean; settle: (met: boolean) => void }[],
  told: [] as string[],
  onTold: (_waiter: string): void => {},
}));

vi.mock('@temporalio/workflow', () => {
  const define = (name: string) => ({ name });
  return {
    defineQuery: define,
    defineSignal: define,
    defineUpdate: define,
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
    upsertMemo: (memo: { replies: Record<string, { granted: number }> }) => played.memo.push(memo),
    workflowInfo: () => ({ continueAsNewSuggested: played.isLong }),
    allHandlersFinished: () => true,
    continueAsNew: (carried: unknown) => {
      played.handedOn = carried;
      return Promise.reject(new Error('handed on'));
    },
    log: { info: () => {} },
  };
});

const { budgetWorkflow } = await import('../../../../workflows/budget.ts');

/** Continues every waiting part that can; with `timeIsOver` also those that wait for a time. */
async function goOn({ timeIsOver = false } = {}): Promise<void> {
  for (const wait of played.waits.splice(0)) {
    if (wait.until()) wait.settle(true);
    else if (timeIsOver && wait.timed) wait.settle(false);
    else played.waits.push(wait);
  }
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

const tell = (message: string, argument?: unknown) => played.handlers.get(message)!(argument);
const LIMITS = { max_requests: null, max_bytes: null, reserve: 0 };
/** A person reports new quota, and the request that finds out is admitted. */
const findQuota = () => {
  tell('unblock', { run_id: 'run' });
  tell('asked', { run_id: 'run', batch_id: 'finds-out', requests: 1, limits: LIMITS });
  const spent = { requests: 1, bytes: 9, requests_left: 100, resets_at: null, admitted: true };
  tell('settled', { run_id: 'run', batch_id: 'finds-out', ...spent });
};
const block = (waiter: string, until: string) => tell('blocked', { until, limit: 'requests', waiter });

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
    findQuota();
    await goOn();
    expect(played.told).toEqual(['export/one']);
  });
});

describe('a budget that many processes ask by signals', () => {
  const limits = LIMITS;
  const ask = (batch_id: string, requests = 5) => tell('asked', { run_id: 'run', batch_id, requests, limits });
  beforeEach(() => {
    played.memo.length = 0;
    played.isLong = false;
    played.waits.length = 0;
  });

  it('puts all replies of one moment into its memo at once', async () => {
    void budgetWorkflow();
    for (let n = 0; n < 30; n++) ask(`b${n}`);
    await goOn();
    expect(played.memo).toHaveLength(1);
    expect(Object.keys(played.memo[0]!.replies)).toHaveLength(30);
    expect(played.memo[0]!.replies.b7).toMatchObject({ granted: 5, retry_at: null, reason: null });
  });

  it('replies while it waits for the reset of the quota, and before it ends', async () => {
    void budgetWorkflow();
    ask('b0');
    block('export/one', '2030-02-01T00:00:00Z');
    await goOn();
    ask('b1');
    await goOn();
    expect(played.memo.at(-1)?.replies.b1).toMatchObject({ granted: 0, reason: 'quota' });
    findQuota();
    await goOn();
    ask('b2');
    tell('left', { run_id: 'run' });
    await goOn();
    expect(played.memo.at(-1)?.replies.b2).toMatchObject({ granted: 5 });
  });

  it('gives a repeated question the same grant, and forgets replies after ten seconds', async () => {
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 1), toFake: ['Date'] });
    void budgetWorkflow();
    tell('asked', { run_id: 'run', batch_id: 'b0', requests: 5, limits: { ...limits, max_requests: 8 } });
    tell('asked', { run_id: 'run', batch_id: 'b0', requests: 5, limits: { ...limits, max_requests: 8 } });
    tell('asked', { run_id: 'run', batch_id: 'b1', requests: 5, limits: { ...limits, max_requests: 8 } });
    await goOn();
    expect(played.memo[0]?.replies).toMatchObject({ b0: { granted: 5 }, b1: { granted: 3, reason: 'max_requests' } });
    vi.setSystemTime(Date.UTC(2030, 0, 1, 0, 0, 11));
    ask('b2');
    await goOn();
    expect(Object.keys(played.memo[1]!.replies)).toEqual(['b2']);
    vi.useRealTimers();
  });

  it('counts what is settled by signals', async () => {
    void budgetWorkflow();
    ask('b0');
    tell('settled', { run_id: 'run', batch_id: 'b0', requests: 4, bytes: 9, requests_left: null });
    expect(tell('budget')).toMatchObject({ runs: { run: { requests: 4, bytes: 9, grants: {} } } });
  });
});

describe('a budget with a long history', () => {
  const limits = LIMITS;
  const runs = { one: { limits, requests: 3, bytes: 9, grants: {}, settled: ['a'] } };
  const state = { runs, blocked: null, quota: { requests_left: 7, resets_at: '2030-02-01T00:00:00.000Z' } };

  it('hands on its state, and the next history continues with it', async () => {
    played.isLong = true;
    await expect(budgetWorkflow({ state, waiters: [] })).rejects.toThrow('handed on');
    expect(played.handedOn).toEqual({ state, waiters: [] });
    played.isLong = false;
    void budgetWorkflow(played.handedOn as never);
    expect(tell('budget')).toEqual(state);
  });
});
