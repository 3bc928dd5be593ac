import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { runWorker } from '../../../../src/export/runtime/runs/worker-liveness.ts';
import { pollersOf } from '../../../../src/export/runtime/temporal/pollers.ts';

const seconds = (ms: number) => ({ seconds: { toString: () => String(Math.floor(ms / 1_000)) }, nanos: 0 });
const whole = (ms: number) => new Date(Math.floor(ms / 1_000) * 1_000).toISOString();

function run(...beatsAt: number[]): WorkflowExecutionDescription {
  const pendingActivities = beatsAt.map((at) => ({ lastHeartbeatTime: seconds(at) }));
  return { raw: { pendingActivities } } as unknown as WorkflowExecutionDescription;
}

describe('the pollers of a queue', () => {
  it('are unknown, and no reason to give up, if the server does not state them', async () => {
    const describeTaskQueue = () => Promise.reject(new Error('14 UNAVAILABLE'));
    const client = { options: { namespace: 'n' }, workflowService: { describeTaskQueue } } as unknown as Client;
    expect(await pollersOf(client, 'queue', 'workflows')).toBeNull();
  });
});

describe('who works on a run', () => {
  const now = Date.now();

  it('is a worker that answers, or is too busy to answer and yet heard of', () => {
    expect(runWorker(run(), true, [], null).answers).toBe(true);
    expect(runWorker(run(now - 2_000), false, null, null).answers).toBe(true);
    expect(runWorker(run(now - 2_000), false, [now - 40_000], null)).toEqual({
      answers: true,
      last_seen: whole(now - 2_000),
      refused: false,
    });
  });

  it('is nobody if the worker was killed, or has left: its last sign of life is shown', () => {
    // Temporal remembers for five minutes who polled.
    expect(runWorker(run(now - 60_000), false, [now - 90_000], null)).toEqual({
      answers: false,
      last_seen: whole(now - 60_000),
      refused: false,
    });
    expect(runWorker(run(now - 2_000), false, [], null).answers).toBe(false);
    expect(runWorker(run(), false, [], '2026-01-02T03:04:05.000Z').last_seen).toBe('2026-01-02T03:04:05.000Z');
    expect(runWorker(run(0), false, [], null)).toEqual({ answers: false, last_seen: null, refused: false });
  });

  it('is a worker that refuses its steps, if one is there and the step was tried again and again', () => {
    const tried = (attempt: number) =>
      ({ raw: { pendingWorkflowTask: { attempt } } }) as unknown as WorkflowExecutionDescription;
    expect(runWorker(tried(2), false, [now], null).refused).toBe(false);
    expect(runWorker(tried(4), false, [now], null)).toMatchObject({ answers: false, refused: true });
    expect(runWorker(tried(4), false, [], null).refused).toBe(false);
    expect(runWorker(tried(4), true, [now], null).refused).toBe(false);
  });
});
