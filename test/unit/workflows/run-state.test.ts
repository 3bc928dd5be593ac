/** How a run stops, alone: the test plays Temporal. */
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { describe, expect, it, vi } from 'vitest';
import { newProgress, parseExportDefinition } from '../../../src/export/index.ts';

const played = vi.hoisted(() => ({
  handlers: new Map<string, () => unknown>(),
  /** Waits that nobody ended. */
  waits: 0,
}));

vi.mock('@temporalio/workflow', () => {
  const define = (name: string) => ({ name });
  return {
    ...{ defineQuery: define, defineSignal: define, defineUpdate: define },
    setHandler: ({ name }: { name: string }, handler: () => unknown) => played.handlers.set(name, handler),
    condition: () => {
      played.waits++;
      return new Promise(() => {});
    },
    proxyActivities: () => ({}),
    upsertMemo: () => {},
    upsertSearchAttributes: () => {},
  };
});

const { RunState } = await import('../../../workflows/run-state.ts');

function runState(): InstanceType<typeof RunState> {
  played.waits = 0;
  const { definition } = parseExportDefinition('name: t\nselect: {}\ntables: [filings]\n', 't.yaml', {});
  const started_at = '2026-11-21T00:00:00.000Z';
  const identity = { run_id: 'r', workflow_id: 'export/t', started_at, lake: '/', definition };
  return new RunState(identity, newProgress(started_at), false);
}

async function failure(type: string): Promise<never> {
  const cause = ApplicationFailure.nonRetryable(type, type);
  throw new ActivityFailure(type, 'readWindows', '1', 'NON_RETRYABLE_FAILURE', undefined, cause);
}

describe('a run with background work', () => {
  it('fails of that before it waits for a service that is away', async () => {
    const state = runState();
    state.beforeStop(() => failure('lake-full'));
    await expect(state.once(() => failure('service-unreachable'))).rejects.toMatchObject({
      cause: { type: 'lake-full' },
    });
    expect(played.waits).toBe(0);
  });

  it('fails of that before it pauses', async () => {
    const state = runState();
    state.beforeStop(() => failure('lake-full'));
    played.handlers.get('pause')!();
    const neverAsked = () => Promise.reject(new Error('asked'));
    await expect(state.once(neverAsked)).rejects.toMatchObject({ cause: { type: 'lake-full' } });
  });

  it('waits if that ends well', async () => {
    const state = runState();
    const ended = vi.fn(async () => {});
    state.beforeStop(ended);
    void state.once(() => failure('service-unreachable'));
    await vi.waitFor(() => expect(played.waits).toBe(1), { timeout: 120_000 });
    expect(ended).toHaveBeenCalledOnce();
    expect(state.progress).toMatchObject({ state: 'paused', stopped_by: 'unreachable' });
  });
});
