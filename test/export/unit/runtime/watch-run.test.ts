import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect, it, vi } from 'vitest';
import { FilinglakeError } from '../../../../src/core/index.ts';
import { newProgress } from '../../../../src/export/run/index.ts';
import type { ExportRuns } from '../../../../src/export/runtime/runs/export-runs.ts';
import { exitOfResult, watchRun } from '../../../../src/export/runtime/runs/watch-run.ts';
import type { ExportRunResult } from '../../../../workflows/index.ts';

/** Waits that only their signal ends. */
vi.mock('node:timers/promises', async (original) => {
  const real = await original<typeof import('node:timers/promises')>();
  return { ...real, setTimeout: (_: number, ...rest: [undefined, object]) => real.setTimeout(2 ** 30, ...rest) };
});

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

describe('a watched run', () => {
  it.each([
    ['completed', null],
    ['cancelled', new FilinglakeError('run-cancelled', 'it was cancelled')],
  ])('that is %s is seen as soon as Temporal tells it', async (state, error) => {
    const told = Promise.withResolvers<ExportRunResult>();
    let looks = 0;
    const runs = {
      status: async () => ({ state: looks++ === 0 ? 'running' : state, progress: newProgress('') }),
      result: () => told.promise,
    } as unknown as ExportRuns;
    const options = { wait: true, interrupted: new AbortController().signal, worker: null };
    const watching = watchRun(runs, {} as WorkflowHandle, options);
    const seen: string[] = [];
    const all = (async () => {
      for await (const status of watching) seen.push(status.state);
    })();
    if (error === null) told.resolve(resultOf({}));
    else told.reject(error);
    await all.catch((thrown: unknown) => expect(thrown).toBe(error));
    expect(seen).toEqual(['running', state]);
  });
});
