/** What may happen to an export. Later releases must be able to continue each history. */
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
  const conflict = new ScriptedRun(2, 1);
  conflict.othersAreFirst = true;
  const claimed = new ScriptedRun(2, 1);
  claimed.claimedBy = { run_id: 'other', signs: ['1', '2', '3'] };
  const stoppedByBudget = new ScriptedRun(2, 1);
  stoppedByBudget.stop = { kind: 'budget', message: 'budget.max_requests is reached' };
  const waits = new ScriptedRun(2, 1);
  const retry_at = new Date(Date.now() + 30 * DAY_MS).toISOString();
  waits.stop = { kind: 'quota', limit: 'requests', retry_at, message: "the month's requests are used up" };
  const sharded = (script = new ScriptedRun(3, 40)) => Object.assign(script, { shards: { workers: 3, linesOfBatch: 12 } });
  const cut = sharded();
  cut.stop = { kind: 'budget', message: 'budget.max_requests is reached' };
  const unfit = (name: string) => () => {
    const worker = { id: name, others: ['8@there'] };
    const details = [{ exit_code: 1, remedy: null, spent: { requests: 0, bytes: 0, retries: 0 }, worker }];
    throw ApplicationFailure.create({ message: 'made', type: 'lake-unwritable', nonRetryable: true, details });
  };
  return [
    { name: 'shards', script: sharded(), service: 'connections: 2' },
    { name: 'shards-overtaken', script: atFirstFetch(sharded(), fails('batch-differs')), service: 'connections: 2' },
    {
      name: 'shards-stopped',
      script: cut,
      service: 'connections: 2',
      tell: async (handle) => {
        await untilStopped(handle, 'budget');
        await handle.executeUpdate('resume');
      },
    },
    { name: 'worker-unfit', script: atFirstFetch(new ScriptedRun(2, 1), unfit('7@here')) },
    {
      name: 'paused',
      script: atFirstFetch(new ScriptedRun(2, 1), () => handleOf().executeUpdate('pause')),
      tell: async (handle) => {
        await untilStopped(handle, 'pause');
        await handle.executeUpdate('resume');
      },
    },
    {
      name: 'budget-raised',
      script: stoppedByBudget,
      tell: async (handle) => {
        await untilStopped(handle, 'budget');
        const limits = { max_requests: 1_000, max_bytes: null, reserve: 0 };
        await handle.executeUpdate('raise-budget', { args: [limits] });
      },
    },
    { name: 'month-waited', script: waits },
    { name: 'conflict', script: conflict },
    { name: 'claimed-by-other', script: claimed },
    { name: 'handed-on', script: new ScriptedRun(9, 1) },
    { name: 'service-away', script: atFirstFetch(new ScriptedRun(2, 1), fails('service-unreachable')) },
    { name: 'operation-failing', script: atFirstFetch(new ScriptedRun(2, 1), fails('operation-failing')) },
    { name: 'whole-filings', script: Object.assign(atFirstFetch(new ScriptedRun(2, 1), fails('operation-failing')), { isByOrder: true }) },
    { name: 'overtaken', script: atFirstFetch(new ScriptedRun(2, 1), fails('batch-differs')) },
    { name: 'pages-missing', script: atFirstFetch(new ScriptedRun(2, 1), fails('pages-missing')) },
    { name: 'salvaged', script: atFirstFetch(new ScriptedRun(2, 1), fails('lake-full')) },
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
