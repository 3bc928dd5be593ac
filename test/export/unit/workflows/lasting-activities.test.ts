/** Activities whose workers die: retried while there is progress, and then stopped with a report. */
import { ActivityFailure, ApplicationFailure, type RetryState, TimeoutFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import type { ExportActivities } from '../../../../activities/index.ts';
import type { FetchBatchRequest } from '../../../../src/export/pipeline/index.ts';
import { type Crash, type Lasting, lastingActivities } from '../../../../workflows/lasting-activities.ts';

const EXHAUSTED = 'MAXIMUM_ATTEMPTS_REACHED' as RetryState;
const REQUEST = { window: 'w-2', pass: 'documents', batch_id: 'b-7' } as FetchBatchRequest;

function died(steps?: number): ActivityFailure {
  const details = steps === undefined ? undefined : [{ requests: 10, bytes: 100, retries: 1, filings: 0, steps }];
  const cause = new TimeoutFailure('activity Heartbeat timeout', details, 'HEARTBEAT');
  return new ActivityFailure('Activity task timed out', 'fetchBatch', '1', EXHAUSTED, undefined, cause);
}

/** An activity that ends with each error in turn, and then well. */
function script(errors: readonly unknown[]) {
  const left = [...errors];
  const crashes: Crash[] = [];
  const lost: object[] = [];
  const raw = {
    fetchBatch: async () => {
      if (left.length > 0) throw left.shift();
      return 'fetched';
    },
  } as unknown as ExportActivities;
  const activities = lastingActivities({
    raw,
    attempts: 20,
    crashed: async (crash) => void crashes.push(crash),
    lost: (heartbeat) => void lost.push(heartbeat),
    troubles: {} as Lasting['troubles'],
  });
  return { run: () => activities.fetchBatch(REQUEST), crashes, lost };
}

describe('an activity whose worker dies each time', () => {
  it('stops the run with a report of its work, and is tried again when the run continues', async () => {
    const { run, crashes, lost } = script([died()]);
    expect(await run()).toBe('fetched');
    expect(crashes.map(({ message }) => message)).toEqual([
      'the worker stopped answering 20 times in a row while it fetched documents of window w-2 (batch b-7)',
    ]);
    expect(lost).toHaveLength(1);
  });

  it('continues automatically as long as it makes progress', async () => {
    const { run, crashes, lost } = script([died(5), died(9)]);
    expect(await run()).toBe('fetched');
    expect(crashes).toEqual([]);
    expect(lost).toMatchObject([{ requests: 10 }, { requests: 10 }]);
  });

  it('stops the run if it gets no further than before', async () => {
    const { run, crashes } = script([died(5), died(5), died(4)]);
    await run();
    expect(crashes).toHaveLength(2);
  });

  it('waits for another worker if all were shutting down', async () => {
    const cause = ApplicationFailure.retryable('the worker is shutting down', 'worker-leaving');
    const leaving = new ActivityFailure('failed', 'fetchBatch', '1', EXHAUSTED, undefined, cause);
    const { run, crashes } = script([leaving]);
    expect(await run()).toBe('fetched');
    expect(crashes).toEqual([]);
  });

  it('fails with its own error', async () => {
    const cause = ApplicationFailure.nonRetryable('the disk is full', 'lake-full');
    const failed = new ActivityFailure('failed', 'fetchBatch', '1', 'NON_RETRYABLE_FAILURE', undefined, cause);
    const { run, crashes } = script([failed]);
    await expect(run()).rejects.toBe(failed);
    expect(crashes).toEqual([]);
  });
});
