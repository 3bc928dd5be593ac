/** The budget workflow by itself: what Temporal gives it is played by the test, so that two things can happen at one moment. */
import { beforeEach, describe, expect, it, vi } from 'vitest';

type Handler = (argument?: unknown) => unknown;

/** What the workflow waits for, whom it told, and what it listens to. */
const played = vi.hoisted(() => ({
  handlers: new Map<string, Handler>(),
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
    workflowInfo: () => ({ continueAsNewSuggested: false }),
    allHandlersFinished: () => true,
    continueAsNew: () => Promise.reject(new Error('it is short')),
    log: { info: () => {} },
  };
});

const { budgetWorkflow } = await import('../../../workflows/budget.ts');

/** Lets all go on that can; with `timeIsOver` also what waits for a time. */
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
    played.onTold = () => {};
  });

  it('are told, each once', async () => {
    void budgetWorkflow();
    block('export/one', '2030-02-01T00:00:00Z');
    block('export/other', '2030-02-01T00:00:00Z');
    await goOn();
    expect(played.told).toEqual([]);
    await goOn({ timeIsOver: true });
    expect(played.told).toEqual(['export/one', 'export/other']);
  });

  it('are told again where they were refused again while others were still being told', async () => {
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

  it('are told when somebody says that there is quota again', async () => {
    void budgetWorkflow();
    block('export/one', '2030-02-01T00:00:00Z');
    await goOn();
    tell('unblock');
    await goOn();
    expect(played.told).toEqual(['export/one']);
  });
});
