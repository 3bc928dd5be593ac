/** `filinglake lake compact --on-workers`: starts the compaction workflow and watches it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { EXIT } from '../../core/index.ts';
import { readSettings } from '../../environment/index.ts';
import type { CompactionStatus, Compactions } from '../../runtime/index.ts';
import { counted, openProgress, printJson } from './terminal.ts';
import { requiredKey, withRuns } from './with-runs.ts';

const POLL_MS = 500;
/** A worker takes a step within moments; after this long without one, print a warning. */
const NO_WORKER_MS = 5_000;

interface WorkerCompaction {
  lake: string;
  version: number;
  commits: number;
  tables: Record<
    string,
    {
      parts_before: number;
      parts_after: number;
      bytes_before: number;
      bytes_after: number;
      written: number;
      replaced: number;
    }
  >;
  groups_lost: number;
}

/** Starts it, or follows the active one; null if Ctrl-C ended the watching. */
export async function compactOnWorkers(
  request: { lake: string; tables: string[] | null; targetBytes: number | null },
  json: boolean,
): Promise<WorkerCompaction | null> {
  const key = requiredKey(readSettings().apiKey);
  const options = { command: 'lake compact', apiKey: null, silent: json };
  return withRuns(options, async ({ compactions, interrupted }) => {
    const { lake } = request;
    let started = await compactions.start(request, key);
    for (;;) {
      const { handle, attached, elsewhere } = started;
      const id = handle.workflowId;
      if (json) printJson({ event: 'start', id, lake, attached, ...(elsewhere === null ? {} : { elsewhere }) });
      else if (elsewhere !== null)
        process.stderr.write(`${id} is active for this lake at ${elsewhere}: waiting for it\n`);
      else if (attached) process.stderr.write(`${id} is already active: following it\n`);
      if (!(await follow(compactions, handle, interrupted, json))) {
        if (!json) process.stderr.write(`left ${id} to its workers\n`);
        else printJson({ event: 'done', id, state: 'running' });
        process.exitCode = EXIT.interrupted;
        return null;
      }
      if (elsewhere === null) break;
      // That may be a copy of this lake. If it is the same lake, little is left to do.
      started = await compactions.start(request, key);
    }
    const { handle } = started;
    const { version, commits, tables, groups_lost } = await compactions.result(handle);
    const done = { lake, version, commits, tables, groups_lost };
    if (json) printJson({ event: 'done', id: handle.workflowId, state: 'completed', ...done });
    return done;
  });
}

/** @returns false if it was interrupted */
async function follow(
  compactions: Compactions,
  handle: WorkflowHandle,
  interrupted: AbortSignal,
  json: boolean,
): Promise<boolean> {
  const amount = { before: 0, step: 0 };
  const progress = openProgress({ label: 'compacting', unit: 'bytes', silent: json });
  let last = '';
  let unservedSince = performance.now();
  let told = false;
  for (;;) {
    const status = await compactions.status(handle);
    if (!status.running) return true;
    if (interrupted.aborted) return false;
    if (status.progress !== null) unservedSince = performance.now();
    else if (!told && performance.now() - unservedSince > NO_WORKER_MS) {
      told = true;
      progress.note('no worker answers: it begins when filinglake worker or up runs with this key');
    }
    if (json) {
      const event = JSON.stringify({ event: 'progress', ...status });
      if (event !== last) process.stdout.write(`${event}\n`);
      last = event;
    } else if (status.progress !== null) show(progress, status, amount);
    await sleep(POLL_MS, undefined, { signal: interrupted }).catch(() => {});
  }
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
