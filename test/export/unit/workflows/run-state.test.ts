/** How a run stops, alone: the test plays Temporal. */
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { describe, expect, it, vi } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { newProgress } from '../../../../src/export/run/index.ts';

const played = vi.hoisted(() => ({
  handlers: new Map<string, () => unknown>(),
  /** Waits that nobody ended. */
  waits: 0,
  /** Called for each activity. */
  activity: async (_name: string, _options: { scheduleToStartTimeout?: number }): Promise<unknown> => ({}),
}));

vi.mock('@temporalio/workflow', () => {
  const define = (name: string) => ({ name });
  return {
    defineQuery: define,
    defineSignal: define,
    defineUpdate: define,
    setHandler: ({ name }: { name: string }, handler: () => unknown) => played.handlers.set(name, handler),
    condition: () => {
      played.waits++;
      return new Promise(() => {});
    },
    proxyActivities: (options: object) =>
      new Proxy({}, { get: (_, name) => () => played.activity(String(name), options) }),
    sleep: async () => {},
    workflowInfo: () => ({ taskQueue: 'queue' }),
    setCurrentDetails: () => {},
    upsertMemo: () => {},
    upsertSearchAttributes: () => {},
  };
});

const { RunState } = await import('../../../../workflows/run-state.ts');

function runState(meanwhile: () => Promise<unknown> = async () => {}): InstanceType<typeof RunState> {
  played.waits = 0;
  const { definition } = parseExportDefinition('name: t\nselect: {}\ntables: [filings]\n', 't.yaml', {});
  const started_at = '2026-11-21T00:00:00.000Z';
  const identity = { run_id: 'r', workflow_id: 'export/t', started_at, lake: '/', definition };
  return new RunState(identity, newProgress(started_at), { meanwhile, onTurn: () => {} });
}

/** Of a worker that may be the cause. */
function refusal(type: string, id: string, others: string[]): ActivityFailure {
  const details = [
    { exit_code: 1, remedy: null, spent: { requests: 3, bytes: 0, retries: 0 }, worker: { id, others } },
  ];
  const cause = ApplicationFailure.create({ message: `made: ${type}`, type, nonRetryable: true, details });
  return new ActivityFailure(type, 'commitBatches', '1', 'NON_RETRYABLE_FAILURE', undefined, cause);
}

function nobodyTookIt(): ActivityFailure {
  const cause = new TimeoutFailure('not started', undefined, 'SCHEDULE_TO_START');
  return new ActivityFailure('timed out', 'commitBatches', '1', 'TIMEOUT', undefined, cause);
}

async function failure(type: string): Promise<never> {
  const cause = ApplicationFailure.nonRetryable(type, type);
  throw new ActivityFailure(type, 'readWindows', '1', 'NON_RETRYABLE_FAILURE', undefined, cause);
}

describe('a run with background work', () => {
  it('fails of that before it waits for a service that is away', async () => {
    const state = runState(() => failure('lake-full'));
    await expect(state.runWithRetry(() => failure('service-unreachable'))).rejects.toMatchObject({
      cause: { type: 'lake-full' },
    });
    expect(played.waits).toBe(0);
  });

  it('fails of that before it pauses', async () => {
    const state = runState(() => failure('lake-full'));
    played.handlers.get('pause')!();
    const neverAsked = () => Promise.reject(new Error('asked'));
    await expect(state.runWithRetry(neverAsked)).rejects.toMatchObject({ cause: { type: 'lake-full' } });
  });

  it('waits if that ends well', async () => {
    const ended = vi.fn(async () => {});
    const state = runState(ended);
    void state.runWithRetry(() => failure('service-unreachable'));
    await vi.waitFor(() => expect(played.waits).toBe(1), { timeout: 120_000 });
    expect(ended).toHaveBeenCalledOnce();
    expect(state.progress).toMatchObject({ state: 'paused', stopped_by: 'unreachable' });
  });
});

describe('a run whose workers can not use the lake', () => {
  /** An activity that fails with each error in turn. @returns the states of the run when it is called, and its time to start */
  function script(state: InstanceType<typeof RunState>, errors: readonly unknown[]) {
    const left = [...errors];
    const calls: { stopped_by: string | null; isPatient: boolean; withinMs: number | undefined }[] = [];
    played.activity = async (_, { scheduleToStartTimeout: withinMs }) => {
      const { stopped_by, patient_until = null } = state.progress;
      calls.push({ stopped_by, isPatient: patient_until !== null, withinMs });
      if (left.length > 0) throw left.shift();
      return { version: 1, tables: {} };
    };
    return calls;
  }
  const commit = (state: InstanceType<typeof RunState>) =>
    state.activities.commitBatches({
      run: state.reference(),
      base_version: 0,
      batches: [{ batch_id: 'b', segments: [] }],
    });

  it('gives the work to another one, without a pause, and counts what was sent', async () => {
    const state = runState();
    state.troubles.waitForLake(true);
    const calls = script(state, [refusal('lake-unwritable', '1@a', ['2@b'])]);
    await commit(state);
    expect(calls).toEqual([
      { stopped_by: null, isPatient: false, withinMs: undefined },
      { stopped_by: null, isPatient: false, withinMs: 60_000 },
    ]);
    expect(state.progress.requests).toBe(3);
  });

  it.each(['lake-unwritable', 'lake-unreachable'])(
    'pauses for %s when all have failed, until one can do it',
    async (type) => {
      const state = runState();
      state.troubles.waitForLake(true);
      const by = type === 'lake-unreachable' ? 'lake' : 'worker';
      const calls = script(state, [refusal(type, '1@a', ['2@b']), refusal(type, '2@b', ['1@a'])]);
      await commit(state);
      expect(calls.slice(1).map(({ stopped_by, isPatient }) => [stopped_by, isPatient])).toEqual([
        [null, false],
        [by, true],
      ]);
      expect(calls[2]!.withinMs).toBeGreaterThan(3_500_000);
      expect(state.progress).toMatchObject({ state: 'running', stopped_by: null });
    },
  );

  it('pauses if others only seem to be there, and continues to try when its patience is over', async () => {
    const state = runState();
    state.troubles.waitForLake(true);
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const calls = script(state, [
        refusal('lake-full', '1@a', ['2@b']),
        nobodyTookIt(),
        nobodyTookIt(),
        nobodyTookIt(),
      ]);
      const play = played.activity;
      played.activity = (...call) => {
        if (calls.length >= 2) vi.advanceTimersByTime(3_600_000);
        return play(...call);
      };
      await commit(state);
      expect(calls.map(({ stopped_by, isPatient }) => [stopped_by, isPatient])).toEqual([
        [null, false],
        [null, false],
        ['worker', true],
        ['worker', false],
        ['worker', false],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('fails with the reason if it never had its lake and a person watches', async () => {
    const state = runState();
    script(state, [refusal('lake-unreadable', '1@a', [])]);
    await expect(commit(state)).rejects.toMatchObject({ cause: { type: 'lake-unreadable' } });
  });

  it('waits for a lake that it never had if it was scheduled, and then fails', async () => {
    const state = runState();
    state.troubles.waitForLake(false);
    const calls = script(state, [refusal('lake-unreachable', '1@a', [])]);
    await commit(state);
    expect(calls[1]).toMatchObject({ stopped_by: 'lake', isPatient: true });
  });
});
