/** `filinglake lake compact --on-workers`: starts the compaction workflow and watches it. */
import { readSettings } from '../../environment/index.ts';
import type { CompactionReport } from '../../lake/index.ts';
import type { CompactionStatus } from '../../runtime/index.ts';
import { workOnWorkers } from './lake-on-workers.ts';
import { counted, type openProgress } from './terminal.ts';
import { requiredKey, withRuns } from './with-runs.ts';

type WorkerCompaction = Omit<CompactionReport, 'whole'>;

/** Starts it, or follows the active one; null if Ctrl-C ended the watching. */
export async function compactOnWorkers(
  request: { lake: string; tables: string[] | null; targetBytes: number | null },
  json: boolean,
): Promise<WorkerCompaction | null> {
  const key = requiredKey(readSettings().apiKey);
  const { lake } = request;
  const amount = { before: 0, step: 0 };
  return withRuns({ command: 'lake compact', apiKey: null, silent: json }, ({ compactions, interrupted }) =>
    workOnWorkers(
      {
        lake,
        label: 'compacting',
        start: () => compactions.start(request, key),
        async look(handle) {
          const status = await compactions.status(handle);
          const isServed = status.progress !== null;
          return { running: status.running, isServed, event: status, show: (bar) => show(bar, status, amount) };
        },
        async result(handle): Promise<WorkerCompaction> {
          const { version, commits, tables, groups_lost } = await compactions.result(handle);
          return { lake, version, commits, tables, groups_lost };
        },
        joined: () => 'following it',
        left: (id) => `left ${id} to its workers`,
        unserved: {
          afterMs: 5_000,
          text: 'no worker answers: it begins when filinglake worker or up runs with this key',
        },
      },
      interrupted,
      json,
    ),
  );
}

/** Bytes of earlier steps, plus the current one: each step counts from zero. */
function show(
  progress: ReturnType<typeof openProgress>,
  { progress: now, beat }: CompactionStatus,
  amount: { before: number; step: number },
): void {
  const { tables_left, table } = now!;
  if (table === null) return;
  const bytes = beat?.bytes ?? 0;
  if (bytes < amount.step) amount.before += amount.step;
  amount.step = bytes;
  progress.update(amount.before + bytes, `${table}, ${counted(tables_left, 'table')} left`);
}
