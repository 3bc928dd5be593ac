import { describe, expect, it } from 'vitest';
import { newProgress } from '../../../../src/export/run/index.ts';
import { exitOfResult } from '../../../../src/export/runtime/runs/watch-run.ts';
import type { ExportRunResult } from '../../../../workflows/index.ts';

function resultOf(finished: Partial<ExportRunResult['finished']>): ExportRunResult {
  const none = { failures: 0, known_failures: 0, retryable: 0, failed: [], absent: [], without: [], missing: [] };
  const whole = { lake_version: 1, spent: { requests: 0, bytes: 0 }, tables: {}, ...none };
  return { progress: newProgress('2024-11-01T00:00:00Z'), finished: { ...whole, ...finished } };
}

describe('the exit code of a run that has ended', () => {
  it.each([
    ['is 0 if everything is complete', {}, 0],
    ['is 3 for failures', { failures: 2, known_failures: 1 }, 3],
    ['is 0 for known failures', { failures: 2, known_failures: 2 }, 0],
    ['is 3 for missing steps', { missing: [{ pass: 'info' as const, count: 1 }] }, 3],
    ['is 3 if nothing shows that the fetched steps are stored', { unverified: 7 }, 3],
  ])('%s', (_, finished, exit) => {
    expect(exitOfResult(resultOf(finished))).toBe(exit);
  });
});
