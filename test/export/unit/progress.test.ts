import { describe, expect, it } from 'vitest';
import { ratesOf, stateText } from '../../../src/export/index.ts';
import { addCommit, addOutcome, newProgress } from '../../../src/export/run/index.ts';

const STARTED = '2024-02-10T12:00:00.000Z';

describe('the progress of a run', () => {
  it('adds up what activities report', () => {
    const progress = newProgress(STARTED);
    const quota = { requests_left: 90, bytes_left: null, resets_at: null };
    addOutcome(progress, { spent: { requests: 10, bytes: 1_000, retries: 1 }, quota }, 2_000);
    addOutcome(progress, { spent: { requests: 5, bytes: 500, retries: 0 }, quota: null }, 1_000);
    expect(progress).toMatchObject({ requests: 15, bytes: 1_500, retries: 1, working_ms: 3_000, quota });
  });

  it('counts each request once, although activities run beside each other', () => {
    const progress = newProgress(STARTED);
    const sent = (requests: number) => ({ requests, bytes: requests * 10, retries: 0 });
    // The second one had sent 24 when the first one ended, and the third ends before the second.
    addOutcome(progress, { spent: sent(40), run_spent: sent(64), quota: null });
    addOutcome(progress, { spent: sent(10), run_spent: sent(80), quota: null });
    addOutcome(progress, { spent: sent(34), run_spent: sent(84), quota: null });
    expect(progress).toMatchObject({ requests: 84, bytes: 840 });
    // A worker whose files were lost with its disk's cache, and one that was killed before its last heartbeat.
    addOutcome(progress, { spent: sent(6), run_spent: sent(85), quota: null });
    expect(progress.requests).toBe(90);
    addOutcome(progress, { spent: sent(1), run_spent: sent(95), quota: null });
    expect(progress.requests).toBe(95);
  });

  it('adds up rows, and keeps the last total of each table', () => {
    const progress = newProgress(STARTED);
    addCommit(
      progress,
      { version: 3, tables: { filings: { rows_new: 10, rows_replaced: 0, rows_total: 10, bytes: 100 } } },
      STARTED,
    );
    addCommit(
      progress,
      { version: 4, tables: { filings: { rows_new: 5, rows_replaced: 2, rows_total: 15, bytes: 60 } } },
      STARTED,
    );
    expect(progress.tables.filings).toEqual({ rows_new: 15, rows_replaced: 2, rows_total: 15, bytes: 160 });
    addCommit(progress, { version: 2, tables: {} }, 'later');
    expect(progress.last_commit).toEqual({ version: 4, at: STARTED });
  });

  it('states rates of the time worked, and the remaining work', () => {
    const progress = newProgress(STARTED);
    expect(ratesOf(progress)).toEqual({
      requests_per_second: 0,
      bytes_per_second: 0,
      seconds_left: 0,
    });
    progress.requests_pending = 300;
    expect(ratesOf(progress).seconds_left).toBeNull();
    const quota = { requests_left: 80, bytes_left: null, resets_at: null };
    addOutcome(progress, { spent: { requests: 20, bytes: 4_000, retries: 0 }, quota }, 2_000);
    expect(ratesOf(progress)).toEqual({
      requests_per_second: 10,
      bytes_per_second: 2_000,
      seconds_left: 30,
    });
  });

  it('states its state in words', () => {
    const progress = newProgress(STARTED);
    expect(stateText(progress)).toBe('running');
    Object.assign(progress, {
      state: 'waiting_for_quota',
      waiting_until: '2024-03-01T00:00:00Z',
      message: 'the month is used up',
    });
    expect(stateText(progress)).toBe('waiting for quota until 2024-03-01T00:00:00Z: the month is used up');
    Object.assign(progress, {
      state: 'paused',
      stopped_by: 'unreachable',
      patient_until: '2024-03-01T00:50:00Z',
      message: 'ECONNREFUSED',
    });
    expect(stateText(progress)).toBe(
      'waiting for the service until 2024-03-01T00:50:00Z, next try at 2024-03-01T00:00:00Z: ECONNREFUSED',
    );
  });
});
