/** What may happen to an export. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { ScriptedRun } from '../support/scripted-run.ts';

export interface Scenario {
  name: string;
  script: ScriptedRun;
  /** What its input has besides. */
  input?: object;
  tables?: string;
  /** Members of the definition's service. */
  service?: string;
  /** Messages to the run from outside. */
  tell?: (handle: WorkflowHandle) => Promise<void>;
}

const DAY_MS = 86_400_000;

async function untilStopped(handle: WorkflowHandle, by: string): Promise<void> {
  for (;;) {
    const { stopped_by } = await handle.query<{ stopped_by: string | null }>('progress');
    if (stopped_by === by) return;
    await sleep(50);
  }
}

/** A script whose first fetch does something once. */
function atFirstFetch(script: ScriptedRun, act: () => Promise<void> | void): ScriptedRun {
  let fetches = 0;
  script.beforeFetch = async () => {
    if (++fetches === 1) await act();
  };
  return script;
}

const fails = (type: string) => () => {
  throw ApplicationFailure.nonRetryable(`made to fail: ${type}`, type);
};

/** @param handleOf the active run, for activities that act on it */
export function scenarios(handleOf: () => WorkflowHandle): Scenario[] {
  const waits = new ScriptedRun(2, 1);
  const retry_at = new Date(Date.now() + 30 * DAY_MS).toISOString();
  waits.stop = { kind: 'quota', limit: 'requests', retry_at, message: "the month's requests are used up" };
  const cut = Object.assign(new ScriptedRun(2, 40), { shards: { workers: 3, linesOfBatch: 12 } });
  cut.stop = { kind: 'budget', message: 'budget.max_requests is reached' };
  return [
    {
      name: 'shards-stopped',
      script: cut,
      service: 'connections: 2',
      tell: async (handle) => {
        await untilStopped(handle, 'budget');
        await handle.executeUpdate('resume');
      },
    },
    { name: 'month-waited', script: waits },
    { name: 'handed-on', script: new ScriptedRun(5, 1) },
    { name: 'operation-failing', script: atFirstFetch(new ScriptedRun(2, 1), fails('operation-failing')) },
    {
      name: 'cancelled',
      script: atFirstFetch(new ScriptedRun(2, 1), async () => {
        await handleOf().cancel();
      }),
    },
    {
      name: 'retried',
      script: new ScriptedRun(1, 1),
      input: { only: 'failures' },
      tables: 'select: { entities: query }\ntables: [entities]',
    },
  ];
}
