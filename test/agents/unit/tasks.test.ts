/** Runs as tasks of the protocol: the official schemas of the extension accept each of them. */
import { CreateTaskResultV2Schema, GetTaskResultV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
import { describe, expect, it } from 'vitest';
import { createdTask, type RunProgress } from '../../../src/agents/index.ts';
import { exportTasks, taskOf } from '../../../src/agents/server/tasks.ts';
import { RUN, ScriptedExports } from '../../support/agents/scripted-exports.ts';

const error = { code: 'quota-exceeded', message: 'no', remedy: 'wait' };
const RUNS: [string, Partial<RunProgress>, string][] = [
  ['that works', {}, 'working'],
  ['that waits', { state: 'waiting', waitsUntil: '2024-06-01T00:00:00.000Z' }, 'working'],
  ['that is complete', { state: 'completed' }, 'completed'],
  ['that failed', { state: 'failed', error }, 'completed'],
  ['that was cancelled', { state: 'cancelled' }, 'cancelled'],
];

describe('a run', () => {
  it.each(RUNS)('%s is a task of the protocol', async (_, more, status) => {
    const exports = new ScriptedExports();
    exports.progress = () => Promise.resolve({ ...RUN, ...more });
    const task = { resultType: 'complete', ttlMs: null, ...(await exportTasks(exports).get(RUN.task)) };
    expect(GetTaskResultV2Schema.parse(task)).toMatchObject({ taskId: RUN.task, status });
    expect(CreateTaskResultV2Schema.parse(createdTask(taskOf({ ...RUN, ...more })))).toMatchObject({
      status: 'working',
    });
  });

  it('that waits says until when', () => {
    const { statusMessage } = taskOf({
      ...RUN,
      state: 'waiting',
      detail: 'quota',
      waitsUntil: '2024-06-01T00:00:00.000Z',
    });
    expect(statusMessage).toBe('quota: 3 of 120 filings, 7 requests; continues at 2024-06-01T00:00:00.000Z');
  });
});
